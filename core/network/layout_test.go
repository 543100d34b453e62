package network

import (
	"reflect"
	"testing"
)

// A channel is three cache lines: what a sender, a wire and a receiver look at.
func TestChannelIsWholeLines(t *testing.T) {
	channel := reflect.TypeFor[Channel]()
	if n := channel.Size(); n != 3*64 {
		t.Errorf("a channel takes %d bytes", n)
	}
	for name, at := range map[string]uintptr{"Queue": 0, "Wire": 64, "Input": 128} {
		if f, _ := channel.FieldByName(name); f.Offset != at {
			t.Errorf("%s stands at %d", name, f.Offset)
		}
	}
}
