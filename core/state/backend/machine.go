package backend

import "checkpointlab/core/option"

// Machine is a task manager's JVM heap, which its tasks share without a wall between them (spec 8.1). Each task keeps its own
// place in it, so that a copy of all tasks is a copy of the machine.
type Machine struct {
	Heap int64   // bytes: -Xmx, taskmanager.memory.task.heap.size and the framework's
	used []int64 // by slot
}

// framework is what Flink itself keeps on a task manager's heap.
const framework = 64 << 20

// NewMachine is a JVM for that many tasks.
func NewMachine(m option.Memory, tasks int) *Machine {
	return &Machine{Heap: m.JVMHeap(), used: make([]int64, tasks)}
}

// live is what is on the heap and cannot be collected.
func (m *Machine) live() int64 {
	n := int64(framework)
	for _, u := range m.used {
		n += u
	}
	return n
}
