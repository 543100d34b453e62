package task

import (
	"reflect"
	"testing"
)

// A task is whole cache lines, so that what is looked at together begins with one in every task.
func TestTaskIsWholeLines(t *testing.T) {
	const line = 64
	if n := reflect.TypeFor[Task]().Size(); n%line != 0 {
		t.Errorf("a task takes %d bytes", n)
	}
	for _, name := range []string{"Gates", "Step", "Spent", "EmitNum", "Working"} {
		if f, _ := reflect.TypeFor[Task]().FieldByName(name); f.Offset%line != 0 {
			t.Errorf("%s stands at %d", name, f.Offset)
		}
	}
}
