package checkpoint

import (
	"math/bits"

	"checkpointlab/core/event"
)

// Pending is one checkpoint in progress. It is valid until the next input.
type Pending struct {
	ID        event.Checkpoint
	Timestamp event.Time // when its trigger phase began
	Expires   event.Time
	LastAck   event.Time // 0 = none yet
	Request   int64
	Snapshot  Snapshot
	Format    Format
	Left      int // tasks that have not acknowledged

	triggering bool // its trigger phase is not over
	expired    bool // the timeout fired while another one was finalized
	acked      []uint64
	lost       []bool       // by region, as Regions.Of numbers them: it goes without; empty = with all
	reason     event.Reason // of the latest of them
}

// Acked reports whether the task has acknowledged.
func (p *Pending) Acked(t event.Task) bool { return p.acked[t>>6]>>(t&63)&1 == 1 }

// complete reports whether nothing is missing but the finalization.
func (p *Pending) complete() bool { return p.Left == 0 && !p.triggering }

// pendings are the checkpoints in progress, oldest first; slots behind n are kept for their bitsets.
type pendings struct {
	slots []Pending
	n     int
}

// add takes a free slot at the end. Finished tasks count as having acknowledged.
func (ps *pendings) add(tasks int, finished []uint64) *Pending {
	if ps.n == len(ps.slots) {
		ps.slots = append(ps.slots, Pending{})
	}
	p := &ps.slots[ps.n]
	ps.n++
	words := (tasks + 63) / 64
	acked, lost := p.acked, p.lost[:0]
	if cap(acked) < words {
		acked = make([]uint64, words)
	}
	acked = acked[:words]
	copy(acked, finished)
	for _, word := range finished {
		tasks -= bits.OnesCount64(word)
	}
	*p = Pending{Left: tasks, acked: acked, lost: lost}
	return p
}

// find returns the index of id or -1.
func (ps *pendings) find(id event.Checkpoint) int {
	for i := range ps.n {
		if ps.slots[i].ID == id {
			return i
		}
	}
	return -1
}

// remove frees slot i and returns what was in it, valid until the next add.
func (ps *pendings) remove(i int) Pending {
	gone := ps.slots[i]
	copy(ps.slots[i:ps.n], ps.slots[i+1:ps.n])
	ps.n--
	ps.slots[ps.n] = gone
	return gone
}

// copyFrom makes a deep copy that keeps the bitsets' memory.
func (ps *pendings) copyFrom(o *pendings) {
	for len(ps.slots) < o.n {
		ps.slots = append(ps.slots, Pending{})
	}
	for i := range o.n {
		acked, lost := append(ps.slots[i].acked[:0], o.slots[i].acked...), append(ps.slots[i].lost[:0], o.slots[i].lost...)
		ps.slots[i] = o.slots[i]
		ps.slots[i].acked, ps.slots[i].lost = acked, lost
	}
	ps.n = o.n
}
