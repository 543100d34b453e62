package reference

import (
	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/job"
	"checkpointlab/core/option"
	"checkpointlab/core/state/keyed"
)

// hashmap is a task's state in hashmap: objects on its task manager's heap (spec 8.1). What replaced and left entries leave there is
// collected when the young generation is full, and stops the thread.
type hashmap struct {
	t       *task
	states  []*entries
	groups  map[int]int64             // keys by the key groups of the subtask
	entries int64                     // bytes of the entries as they were measured last
	used    int64                     // … with what snapshots keep
	room    int64                     // bytes that can be allocated until the next collection
	garbage int64                     // bytes of entries that were replaced or have left since the last one
	pause   event.Time                // that is due, ahead of the next record
	open    map[event.Checkpoint]bool // snapshots that are being written:
	copied  int64                     // … bytes that they keep of what was replaced
	full    bool                      // OutOfMemoryError
}

// What things take: the lab's numbers, of which core/state/backend says what they were measured on.
const (
	access      event.Time = 200 // a lookup or an update
	object                 = 96  // bytes of an entry's objects beside its contents
	framework              = 64 << 20
	collection             = 5 * event.Millisecond
	copying                = 1_000_000_000 // bytes a second
	serializing            = 800_000_000
	reading                = 400_000_000
	tableEntry  event.Time = 8
)

// giveState makes the backend of a task that has state in one.
func (t *task) giveState() {
	r := t.run
	if t.hashmap = nil; len(t.vertex.State) == 0 || t.index >= t.vertex.Parallelism {
		return
	}
	if r.setup.Options.Backend != option.HashMap {
		panic("reference: no other backend than hashmap")
	}
	h := &hashmap{t: t, groups: map[int]int64{}, open: map[event.Checkpoint]bool{}}
	own, hot := int64(0), int64(0)
	before, all := map[int]int64{}, int64(0) // keys of the groups up to one
	byGroup := map[int]int64{}
	for k := range r.setup.Keys {
		byGroup[job.KeyGroup(int32(k), r.setup.MaxParallel)]++
	}
	for g := range r.setup.MaxParallel {
		before[g] = all
		all += byGroup[g]
		if job.SubtaskOf(g, t.vertex.Parallelism, r.setup.MaxParallel) != t.index {
			continue
		}
		h.groups[g] = byGroup[g]
		own += byGroup[g]
		if g == job.KeyGroup(0, r.setup.MaxParallel) {
			hot = r.setup.HotShareMill * int64(r.setup.Keys)
		}
	}
	rest := own * (1_000_000 - r.setup.HotShareMill)
	even := int64(1_000_000)
	if rest+hot > 0 {
		even = rest * 1_000_000 / (rest + hot)
	}
	for i := range t.vertex.State {
		s, keys := &t.vertex.State[i], int64(0)
		if isKeyed(s) {
			for g := range h.groups {
				keys += s.Keys*(before[g]+byGroup[g])/all - s.Keys*before[g]/all
			}
		} else {
			keys = elements(t.vertex, i, t.index, t.vertex.Parallelism)
		}
		h.states = append(h.states, newEntries(s, keys, even))
	}
	h.fill(0)
	t.hashmap = h
}

// fill is the state at the start of the run: empty, or as if the job had run for long.
func (h *hashmap) fill(now event.Time) {
	r, share := h.t.run, int64(0)
	for _, keys := range h.groups {
		share += keys * (1_000_000 - r.setup.HotShareMill)
	}
	if _, hot := h.groups[job.KeyGroup(0, r.setup.MaxParallel)]; hot {
		share += r.setup.HotShareMill * int64(r.setup.Keys)
	}
	const per = 1000 * event.Second
	records := int64(0)
	for v := range r.setup.Vertices {
		if x := &r.setup.Vertices[v]; x.Kind == core.Source && x.RateNum > 0 {
			records += keyed.Scale(per, x.RateNum*int64(x.Logs()), x.RatePer)
		}
	}
	num := keyed.Scale(records, share, int64(r.setup.Keys)*1_000_000)
	for i, e := range h.states {
		h.states[i] = newEntries(e.shape, e.keys, e.even)
		if e.shape.Filled {
			h.states[i].fill(now, num, per)
		}
	}
}

// live is what is on the heap of a task manager and cannot be collected: what its running tasks hold.
func (r *Run) live(manager int) int64 {
	n := int64(framework)
	for _, t := range r.tasks {
		if t.hashmap != nil && t.alive && r.manager(t) == manager {
			n += t.hashmap.used
		}
	}
	return n
}

func (h *hashmap) size() int64 { return h.t.run.setup.Options.Memory.JVMHeap() }

func (h *hashmap) live() int64 { return h.t.run.live(h.t.run.manager(h.t)) }

// measure counts the entries; if there are too many, the next record that comes to them ends the process.
func (h *hashmap) measure() {
	h.entries = 0
	for _, e := range h.states {
		h.entries += e.count(h.t.run.now) * (bytes(e.shape) + object)
	}
	h.used = h.entries + h.copied
	h.full = h.full || h.live() > h.size()
}

// empty is the young generation after a collection: three fifths of what is free (G1MaxNewSizePercent).
func (h *hashmap) empty() { h.room = max(1<<20, (h.size()-h.live())*60/100) }

// takes is what the next record needs for its accesses, and for a collection that is due.
func (h *hashmap) takes() event.Time {
	span := h.pause
	for _, e := range h.states {
		if isKeyed(e.shape) {
			span += perRecord(e.shape, access)
			if e.shape.ReadDen > 0 {
				span += access * e.shape.ReadNum / e.shape.ReadDen
			}
		}
	}
	return span
}

// perRecord is what the writes of a record take on average, if one takes n.
func perRecord(s *core.KeyedState, n int64) int64 { return times(n*panes(s), s.WriteNum, s.WriteDen) }

// access is a record that the operator has processed. It is read, copied and written, and makes objects for its entries.
// It tells how many bytes a changelog has of that: 3 a write more than the entry.
func (h *hashmap) access(size int32) (logged int64) {
	if h.pause > 0 { // the thread has waited for it
		h.pause, h.garbage = 0, 0
		h.empty()
	}
	h.room -= 3 * int64(size)
	for _, e := range h.states {
		object := bytes(e.shape) + object
		if isKeyed(e.shape) {
			logged += (e.written(e.seen+1) - e.written(e.seen)) * panes(e.shape) * (bytes(e.shape) + 3)
		}
		replaced, left := e.access(h.t.run.now)
		h.garbage += (replaced + left) * object
		if len(h.open) > 0 {
			h.copied = min(h.copied+replaced*int64(e.shape.ValueBytes), h.entries)
		}
		h.room -= perRecord(e.shape, object)
	}
	if h.room <= 0 {
		h.measure()
		h.pause = h.collect()
	}
	if h.full {
		for _, t := range h.t.run.tasks {
			if t.alive && h.t.run.manager(t) == h.t.run.manager(h.t) {
				t.fails()
			}
		}
	}
	return logged
}

// collect is how long a collection stops the thread: to free what lies among live objects, these are moved, the more the fuller the heap.
func (h *hashmap) collect() event.Time {
	live := min(h.live(), h.size()-1)
	moved := keyed.Scale(min(h.garbage, h.size()), live, max(h.size()/100, h.size()-live))
	return collection + keyed.Scale(moved, event.Second, copying)
}

// snapshot is all entries: of the keyed states by key group in one file, of the operator's own in another
// (HeapSnapshotStrategy, DefaultOperatorStateBackendSnapshotStrategy). The table is copied while the thread waits.
func (h *hashmap) snapshot(id event.Checkpoint, p *part) {
	h.measure()
	now, bytesByKey, own, written := h.t.run.now, int64(0), int64(0), int64(0)
	for _, e := range h.states {
		n := e.count(now)
		p.sync += event.Time(n) * tableEntry
		if isKeyed(e.shape) {
			bytesByKey += n * bytes(e.shape)
			written += h.compressed(e.shape, n*bytes(e.shape))
		} else {
			own += n * bytes(e.shape)
		}
	}
	p.async = keyed.Scale(bytesByKey+own, event.Second, serializing)
	h.note(p)
	if written > 0 {
		p.made = append(p.made, h.t.newFile(written, false))
	}
	h.storeOwn(p)
	if given := h.t.size; given > 0 {
		p.made = append(p.made, h.t.newFile(given, false))
	}
	h.open[id] = true
}

// note notes what there is, and how much of each key group.
func (h *hashmap) note(p *part) {
	byKey, before, all := int64(0), int64(0), int64(0)
	for _, e := range h.states {
		stored := e.clone()
		if e.kept() > 0 { // what has left by now is not in it
			stored.part = max(e.part, h.t.run.now/e.width())
		}
		p.states = append(p.states, stored)
		if isKeyed(e.shape) {
			byKey += e.count(h.t.run.now) * bytes(e.shape)
		}
	}
	for _, keys := range h.groups {
		all += keys
	}
	p.groups = map[int]int64{}
	for g := range h.t.run.setup.MaxParallel {
		if keys, mine := h.groups[g]; mine && all > 0 {
			p.groups[g] = keyed.Scale(byKey, before+keys, all) - keyed.Scale(byKey, before, all)
			before += keys
		}
	}
}

// storeOwn adds the file with what belongs to no key.
func (h *hashmap) storeOwn(p *part) {
	n := int64(0)
	for _, e := range h.states {
		if !isKeyed(e.shape) {
			n += h.compressed(e.shape, e.count(h.t.run.now)*bytes(e.shape))
		}
	}
	if n > 0 {
		f := h.t.newFile(n, false)
		f.operator = true
		p.made = append(p.made, f)
	}
}

// compressed is what some bytes of a state take in a snapshot.
func (h *hashmap) compressed(s *core.KeyedState, n int64) int64 {
	if !h.t.run.setup.Options.SnapshotCompression || s.LeftMill == 0 {
		return n
	}
	return n * s.LeftMill / 1000
}

// written is the end of a snapshot's asynchronous part, or of the snapshot: nothing is kept for it any more
// (SnapshotStrategyRunner releases its resources).
func (h *hashmap) written(id event.Checkpoint) {
	delete(h.open, id)
	if len(h.open) == 0 {
		h.copied = 0
	}
}

// restore begins with what a checkpoint has of the subtask's key groups, or anew.
func (h *hashmap) restore(s *save) {
	now := h.t.run.now
	h.open, h.copied, h.garbage, h.pause, h.full = map[event.Checkpoint]bool{}, 0, 0, 0, false
	h.fill(now)
	if s != nil {
		h.gather(s)
	}
	h.measure()
	h.empty()
}

// gather puts the entries together from those that the subtasks had that stored them.
func (h *hashmap) gather(s *save) {
	for i, e := range h.states {
		h.states[i] = newEntries(e.shape, e.keys, e.even)
	}
	if h.t.run.sameState(h.t, s) {
		for i, e := range s.part(h.t).states {
			h.states[i] = e.clone()
		}
		return
	}
	for _, p := range h.t.run.pieces(h.t, s) {
		for i, e := range p.part.states {
			if isKeyed(e.shape) {
				h.states[i].add(e, p.mine, p.all)
			}
		}
	}
}
