package core

import (
	"slices"

	"checkpointlab/core/event"
	"checkpointlab/core/job"
	"checkpointlab/core/option"
	"checkpointlab/core/state/backend"
	"checkpointlab/core/state/keyed"
	"checkpointlab/core/task"
)

// KeyedState is one state of a vertex.
type KeyedState = keyed.Shape

// StateKind says how a state fills and empties.
type StateKind = keyed.Kind

// StateKinds are the kinds' names, in their order.
func StateKinds() []string { return keyed.Kinds }

// LocalDisk is the disk of each task manager: the scenario's, or a local SSD.
func (s *Setup) LocalDisk() Disk {
	if s.Cluster.Disk == (Disk{}) {
		return defaultDisk
	}
	return s.Cluster.Disk
}

// KeyGroups is how many of the job's key groups belong to a subtask of a vertex (spec 10.1).
func (s *Setup) KeyGroups(vertex, subtask int) int {
	first, last := job.KeyGroupRange(subtask, s.Vertices[vertex].Parallelism, s.MaxParallel)
	return last - first + 1
}

// StateView is what can be seen of a task's state.
type StateView = backend.Report

// The disk of a task manager and ForSt's storage if the scenario names none: a local SSD, an object store.
var (
	defaultDisk   = backend.Disk{Throughput: 1_000_000_000, Latency: 100 * event.Microsecond}
	defaultRemote = backend.Remote{Throughput: 100_000_000, Latency: 20 * event.Millisecond}
)

// Disk is the local disk of every task manager; Remote the storage that ForSt works in.
type (
	Disk   = backend.Disk
	Remote = backend.Remote
)

// diskThroughput is what a task manager's disk moves, in bytes a second.
func (c *Cluster) diskThroughput() int64 {
	if c.Disk.Throughput == 0 {
		return defaultDisk.Throughput
	}
	return c.Disk.Throughput
}

// has reports whether the vertex has state of a kind.
func (v *Vertex) has(kind StateKind) bool {
	return slices.ContainsFunc(v.State, func(s KeyedState) bool { return s.Kind == kind })
}

// stateful reports whether a vertex has state in a backend.
func (v *Vertex) stateful() bool { return len(v.State) > 0 }

// machines are the task managers' heaps, with the stateful tasks of each.
type machines struct {
	of    []*backend.Machine // by task manager
	tasks []int              // by task manager: number of stateful tasks
	next  []int
}

func (p *plan) machines() machines {
	m := machines{}
	for v := range p.setup.Vertices {
		for i := 0; i < p.setup.Vertices[v].Parallelism; i++ {
			for at := p.manager(v, i); len(m.tasks) <= at; {
				m.tasks = append(m.tasks, 0)
			}
			if p.setup.Vertices[v].stateful() {
				m.tasks[p.manager(v, i)]++
			}
		}
	}
	m.of, m.next = make([]*backend.Machine, len(m.tasks)), make([]int, len(m.tasks))
	return m
}

// equip gives a task its state backend and its changelog, if it has them. Subtasks that a phase leaves out have none.
func (p *plan) equip(t *task.Task, m *machines) {
	vert := &p.setup.Vertices[t.Vertex]
	if vert.stateful() && int(t.Index) < vert.Parallelism {
		p.giveState(t, int(t.Vertex), int(t.Index), m)
	}
	p.keepLog(vert, t)
}

// giveState makes the backend of subtask i of v.
func (p *plan) giveState(t *task.Task, v, i int, m *machines) {
	s := &p.setup
	vert := &s.Vertices[v]
	at := p.manager(v, i)
	if m.of[at] == nil {
		m.of[at] = backend.NewMachine(s.Options.Memory, m.tasks[at])
	}
	r := &backend.Rules{
		Options: &s.Options, Shapes: vert.State, Machine: m.of[at], Slot: m.next[at], Share: int64(m.tasks[at]),
		Disk: s.LocalDisk(), Remote: s.Cluster.Remote, Memory: p.slotMemory(i),
		FirstFile: int64(p.phase) << phaseShift,
		Sync:      vert.Snapshot.Sync, Async: vert.Snapshot.Async, Given: vert.Snapshot.of(i, vert.Parallelism).Size,
	}
	m.next[at]++
	if r.Remote == (backend.Remote{}) {
		r.Remote = defaultRemote
	}
	p.dealKeys(r, vert, i)
	b := backend.New(r)
	t.Backend, t.Working = b, b
}

// dealKeys fills in which key groups, and how many keys of each state, belong to the subtask.
func (p *plan) dealKeys(r *backend.Rules, vert *Vertex, i int) {
	s := &p.setup
	all := p.even
	first, last := job.KeyGroupRange(i, vert.Parallelism, s.MaxParallel)
	parts := make([]int64, len(all))
	r.First = int32(first)
	keys := int64(0)
	for _, w := range all[first : last+1] {
		r.Weights = append(r.Weights, w/1_000_000)
		keys += w / 1_000_000
	}
	hot := int64(0)
	if g := job.KeyGroup(0, s.MaxParallel); g >= first && g <= last {
		hot = s.HotShareMill * int64(s.Keys)
	}
	even := keys * (1_000_000 - s.HotShareMill)
	r.Mine = 1_000_000
	if even+hot > 0 {
		r.Mine = keyed.Scale(even, 1_000_000, even+hot)
	}
	for k := range vert.State {
		shape := &vert.State[k]
		n := shape.Keys
		if !shape.Keyed() {
			n = vert.elements(k, i)
		} else {
			keyed.Deal(shape.Keys, all, parts)
			n = 0
			for _, k := range parts[first : last+1] {
				n += k
			}
		}
		r.Keys = append(r.Keys, n)
	}
	r.RatePer = 1000 * event.Second
	r.RateNum = p.recordsIn(r.RatePer, even+hot)
}

// recordsIn is how many records reach a subtask with that weight of keys in a time, from all sources together, if those have a
// rate.
func (p *plan) recordsIn(per event.Time, weight int64) (n int64) {
	s := &p.setup
	for v := range s.Vertices {
		if vert := &s.Vertices[v]; vert.Kind == Source && vert.RateNum > 0 {
			n += keyed.Scale(per, vert.RateNum*vert.logs(), vert.RatePer)
		}
	}
	return keyed.Scale(n, weight, int64(s.Keys)*1_000_000)
}

// slotMemory is what RocksDB or ForSt of one task may take: the slot's part of managed memory, or a fixed size, divided among the stateful
// tasks of a slot.
func (p *plan) slotMemory(i int) int64 {
	s := &p.setup
	l := &s.Options.Rocks
	if s.Options.Backend == option.ForSt {
		l = &s.Options.ForSt
	}
	slots := int64(max(1, s.Cluster.Slots))
	n := s.Options.Memory.ManagedMemory() / slots
	if l.FixedPerTM > 0 {
		n = l.FixedPerTM / slots
	}
	if l.FixedPerSlot > 0 {
		n = l.FixedPerSlot
	}
	tasks := int64(0)
	for v := range s.Vertices {
		if s.Cluster.Sharing && s.Vertices[v].stateful() && s.Vertices[v].Parallelism > i {
			tasks++
		}
	}
	return n / max(1, tasks)
}

// checkState refuses state that Flink or the lab cannot take.
func (s *Setup) checkState(i int, bad func(string, ...any)) {
	v := &s.Vertices[i]
	for k := range v.State {
		shape := &v.State[k]
		shape.Check(v.Name, bad)
		if shape.Keyed() && v.Kind == Source {
			bad("state %s of %s is keyed, and a source has no keys; give it to a vertex behind a HASH exchange", shape.Name, v.Name)
		}
		entries, ok := shape.AtStart(s.arrivingIn(shape.Kept()))
		switch {
		case shape.Keys > 0 && shape.EntryBytes() > maxState/shape.Keys:
			bad("state %s of %s may grow beyond %d bytes; lower keys or value", shape.Name, v.Name, int64(maxState))
		case !ok || entries > maxState/max(1, shape.EntryBytes()):
			bad("state %s of %s is filled with more than %d bytes; lower its keys, its retention or the sources' rates", shape.Name, v.Name, int64(maxState))
		}
		for _, e := range s.Edges {
			if e.To == i && e.Partition != Hash && shape.Keyed() {
				bad("state %s of %s is keyed, but an exchange into it is not HASH: Flink has keyed state on keyed streams only; use HASH, or a state of kind operator", shape.Name, v.Name)
			}
		}
		if shape.Filled && shape.Windowed() && s.unlimited() {
			bad("state %s of %s is filled with the records of the past, but a source has no rate; give every source a rate, or leave filled out", shape.Name, v.Name)
		}
	}
	s.checkRoom(v, bad)
	if len(v.State) > maxStates {
		bad("%s has %d states; give at most %d", v.Name, len(v.State), maxStates)
	}
}

// arrivingIn is how many records all sources that have a rate get in a time.
func (s *Setup) arrivingIn(span event.Time) (n int64) {
	for i := range s.Vertices {
		if v := &s.Vertices[i]; v.Kind == Source && v.RateNum > 0 && v.RatePer > 0 {
			n = satAdd(n, satScale(span, satMul(v.RateNum, v.logs()), v.RatePer))
		}
	}
	return n
}

// checkRoom refuses state that exists from the start but does not fit where it is kept.
func (s *Setup) checkRoom(v *Vertex, bad func(string, ...any)) {
	heap, disk := int64(0), int64(0)
	for k := range v.State {
		if shape := &v.State[k]; shape.Filled && shape.Keyed() && shape.Keys <= maxState/max(1, backend.OnHeap(shape)) {
			heap += shape.Keys / int64(max(1, v.Parallelism)) * backend.OnHeap(shape)
			disk += shape.Keys / int64(max(1, v.Parallelism)) * shape.EntryBytes()
		}
	}
	o := &s.Options
	switch most := o.Memory.JVMHeap(); {
	case o.Backend == option.HashMap && heap > most:
		bad("the state of %s takes %d bytes of heap in each subtask from the start, and state.backend.type is hashmap with a heap of %d: the process would end with an OutOfMemoryError; raise taskmanager.memory.process.size or the parallelism, or choose rocksdb", v.Name, heap, most)
	case o.Backend == option.RocksDB && s.Cluster.Disk.Size > 0 && disk > s.Cluster.Disk.Size:
		bad("the state of %s takes %d bytes of disk in each subtask from the start, and cluster.disk.size is %d; give a larger disk or more subtasks", v.Name, disk, s.Cluster.Disk.Size)
	}
}

// phaseShift leaves 2^32 file numbers to a task in each phase of a run: a backend made for a new phase numbers its files from
// there.
const phaseShift = 32

// maxStates is the most states of a vertex.
const maxStates = 16

// unlimited reports whether a source is read as fast as it can be.
func (s *Setup) unlimited() bool {
	for i := range s.Vertices {
		if s.Vertices[i].Kind == Source && s.Vertices[i].RateNum == 0 {
			return true
		}
	}
	return false
}
