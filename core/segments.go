package core

import "checkpointlab/core/task"

// ManagerView is a task manager's network memory, in segments (Status.Shuffle.Netty.…MemorySegments).
type ManagerView struct {
	Total     int64 // 0 = the settings do not give a task manager's size
	Used      int64 // in its gates and pools, ready ones included (NetworkBufferPool.getNumberOfUsedMemorySegments)
	Requested int64 // what its pools may come to (getEstimatedNumberOfRequestedMemorySegments)
}

// viewManagers fills in the task managers' segments. In a wide job they are not known: its rides take segments that they do not count.
func (l *Lab) viewManagers(v *View) {
	if l.world.Wide {
		v.Managers = v.Managers[:0]
		return
	}
	v.Managers = resize(v.Managers, l.plan.managers)
	total := int64(0)
	if o := &l.plan.setup.Options; o.Sized() {
		total = o.NetworkBuffers()
	}
	for m := range v.Managers {
		v.Managers[m] = ManagerView{Total: total}
	}
	for i := range l.world.Tasks {
		if t := &l.world.Tasks[i]; t.Alive {
			l.segmentsOf(t, &v.Managers[t.Manager])
		}
	}
}

func (l *Lab) segmentsOf(t *task.Task, m *ManagerView) {
	net := l.world.Net
	for _, p := range t.Outs {
		pool := &net.Partitions[p].Pool
		m.Used += int64(pool.Held())
		m.Requested += int64(pool.Size())
	}
	for _, g := range t.Gates {
		gate := &net.Gates[g].Gate
		m.Used += int64(gate.Held())
		m.Requested += int64(gate.Floating())
	}
}
