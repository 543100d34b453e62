package backend

import (
	"checkpointlab/core/event"
	"checkpointlab/core/state"
	"checkpointlab/core/state/keyed"
)

// Heap is the hashmap backend: objects in a copy-on-write table, every snapshot stores all of them (spec 8.1).
type Heap struct {
	common
	room     int64 // bytes that can still be allocated before a collection
	garbage  int64 // bytes of replaced values in the old generation since the last
	pause    event.Time
	paused   event.Time // in all
	pauses   int64
	copied   int64 // bytes that a snapshot being written keeps although they were replaced
	open     []event.Checkpoint
	died     bool
	written  int64 // bytes of state that snapshots have serialized
	lastLive int64
}

func newHeap(r *Rules) *Heap {
	h := &Heap{common: newCommon(r)}
	h.room = h.young()
	return h
}

// onHeap is the bytes of all objects, keys and table included.
func (h *Heap) onHeap(now event.Time) (n int64) {
	for i := range h.stores {
		n += h.stores[i].Entries(now) * (h.stores[i].Shape().EntryBytes() + entryOnHeap)
	}
	return n
}

// OnHeap is the bytes of an entry's objects.
func OnHeap(s *keyed.Shape) int64 { return s.EntryBytes() + entryOnHeap }

// measure notes what the task holds of the heap; a heap that is full kills the process.
func (h *Heap) measure(now event.Time) {
	h.lastLive = h.onHeap(now)
	m := h.r.Machine
	m.used[h.r.Slot] = h.lastLive + h.copied
	if m.live() > m.Heap {
		h.died = true
	}
}

// young is how many bytes can be allocated between two collections: of what is free, as much as the young generation may take (G1MaxNewSizePercent).
func (h *Heap) young() int64 {
	m := h.r.Machine
	return max(1<<20, (m.Heap-m.live())*60/100)
}

// allocated is the bytes of objects that records make: the record as read, copied and written, and the values.
func (h *Heap) allocated(r event.Run) int64 {
	n := int64(r.Size) * 3
	for i := range h.stores {
		s := h.stores[i].Shape()
		n += perRecord(s, s.EntryBytes()+entryOnHeap)
	}
	return n * r.Count
}

// perRecord is the bytes that a record writes on average, if a write takes n.
func perRecord(s *keyed.Shape, n int64) int64 {
	if s.WriteDen == 0 {
		return n * s.Windows()
	}
	return n * s.Windows() * s.WriteNum / s.WriteDen
}

// Cost is a lookup or an update for each read and write, and a collection that is due.
func (h *Heap) Cost(event.Time) event.Time {
	c := h.pause
	for i := range h.stores {
		if s := h.stores[i].Shape(); s.Keyed() {
			c += perRecord(s, heapAccess) + reads(s, heapAccess)
		}
	}
	return c
}

// reads is what the reads of a record cost, if one costs n.
func reads(s *keyed.Shape, n event.Time) event.Time {
	if s.ReadDen == 0 {
		return 0
	}
	return n * s.ReadNum / s.ReadDen
}

// Limit ends a step with the record that fills the young generation; the one after it waits for the collection, or finds the heap full.
func (h *Heap) Limit(_ event.Time, n int64, size int32) int64 {
	if h.pause > 0 || h.died {
		return 1
	}
	one := max(1, h.allocated(event.Run{Count: 1, Size: size}))
	return max(1, min(n, (h.room+one-1)/one))
}

// Access books records: entries, garbage, and whether a collection is due.
func (h *Heap) Access(now event.Time, r event.Run) {
	if h.pause > 0 {
		h.paused += h.pause
		h.pauses++
		h.pause, h.garbage, h.room = 0, 0, h.young()
	}
	for i := range h.stores {
		s := h.stores[i].Shape()
		c := h.stores[i].Access(now, r.Count)
		h.garbage += (c.Old + c.Delete) * (s.EntryBytes() + entryOnHeap)
		if len(h.open) > 0 {
			h.copied = min(h.copied+c.Old*int64(s.ValueBytes), h.lastLive)
		}
	}
	if h.room -= h.allocated(r); h.room <= 0 {
		h.measure(now)
		h.pause = h.collect()
	}
}

// collect is how long a collection stops the thread: what survives is moved, and to free the space of replaced values, which lie among live
// ones, as much more is moved as the heap is fuller.
func (h *Heap) collect() event.Time {
	m := h.r.Machine
	live := min(m.live(), m.Heap-1)
	moved := keyed.Scale(min(h.garbage, m.Heap), live, max(m.Heap/100, m.Heap-live))
	return collection + per(moved, copySpeed)
}

// NextEvent: nothing happens on the heap by itself.
func (h *Heap) NextEvent(event.Time) event.Time { return event.Never }

// Happen has nothing to do.
func (h *Heap) Happen(event.Time) {}

// Dead tells that the heap is too small for what lives on it: the process dies of an OutOfMemoryError.
func (h *Heap) Dead() bool { return h.died }

// Snapshot copies the tables; the asynchronous part serializes all.
func (h *Heap) Snapshot(now event.Time, id event.Checkpoint, _ state.Kind, p *state.Part) {
	h.measure(now)
	entries := int64(0)
	for i := range h.stores {
		entries += h.stores[i].Entries(now)
	}
	p.Sync = entries * tableSpeed
	bytes := h.Bytes(now)
	h.own(p, h.compressed(now, true))
	h.operators(now, p)
	h.groups(now, p)
	p.Stores = append(p.Stores[:0], h.stores...)
	p.Async = per(bytes, serialize)
	h.written += bytes
	h.given(p)
	h.open = append(h.open, id)
	h.keep(id)
}

// Confirmed forgets all older snapshots.
func (h *Heap) Confirmed(_ event.Time, id event.Checkpoint) { h.confirmed(id) }

// Aborted ends a snapshot's copies.
func (h *Heap) Aborted(_ event.Time, id event.Checkpoint) {
	h.release(id)
	h.aborted(id)
}

func (h *Heap) release(id event.Checkpoint) {
	kept := h.open[:0]
	for _, o := range h.open {
		if o != id {
			kept = append(kept, o)
		}
	}
	if h.open = kept; len(kept) == 0 {
		h.copied = 0
	}
}

// Background is what the asynchronous parts of snapshots take.
func (h *Heap) Background() (cpu event.Time, disk int64) { return per(h.written, serialize), 0 }

// Written tells that a snapshot's asynchronous part is over: its copies can be collected (SnapshotStrategyRunner, StateTable.releaseSnapshot).
func (h *Heap) Written(id event.Checkpoint) { h.release(id) }

// Left gives the heap back.
func (h *Heap) Left() { h.r.Machine.used[h.r.Slot] = 0 }

// Restore reads all entries back.
func (h *Heap) Restore(now event.Time, id event.Checkpoint, _ state.Kind, _ bool, parts []*state.Part) {
	h.back(now, id, parts)
	h.open, h.copied, h.died, h.pause, h.garbage = h.open[:0], 0, false, 0, 0
	h.measure(now)
	h.room = h.young()
}

// Rebuild is how long a restore takes once all is there: every entry becomes an object.
func (h *Heap) Rebuild(_ []*state.Part, bytes int64) event.Time { return per(bytes, deserialize) }

// CopyFrom makes h a deep copy of src.
func (h *Heap) CopyFrom(src state.Backend) {
	s := src.(*Heap)
	common, open := h.common, h.open
	*h = *s
	h.common, h.open = common, append(open[:0], s.open...)
	h.copyFrom(&s.common)
	h.r.Machine.used[h.r.Slot] = s.r.Machine.used[s.r.Slot]
}
