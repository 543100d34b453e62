package sink

import (
	"reflect"
	"testing"
)

// What Write looks at of a writer stands in three cache lines: its first one, and the first two of its open transaction.
func TestWriterIsWholeLines(t *testing.T) {
	const line = 64
	w := reflect.TypeFor[Writer]()
	if n := w.Size(); n%line != 0 {
		t.Errorf("a writer takes %d bytes", n)
	}
	if out, _ := w.FieldByName("Output"); out.Offset >= line { // Written is its first field
		t.Errorf("what is written stands at %d", out.Offset)
	}
	if open, _ := w.FieldByName("Transactions"); open.Offset%line != 0 { // Open is its first field
		t.Errorf("the open transaction stands at %d", open.Offset)
	}
	x := reflect.TypeFor[Transaction]()
	contents, _ := x.FieldByName("Contents")
	origins, _ := contents.Type.FieldByName("origins")
	if end := contents.Offset + origins.Offset; end > 2*line {
		t.Errorf("what Write looks at of a transaction ends at %d", end)
	}
}
