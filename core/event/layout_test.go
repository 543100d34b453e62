package event

import (
	"testing"
	"unsafe"
)

// A run is one cache line.
func TestRunIsAWholeLine(t *testing.T) {
	if n := unsafe.Sizeof(Run{}); n != 64 {
		t.Errorf("a run takes %d bytes", n)
	}
}
