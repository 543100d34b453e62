package reference

import (
	"container/heap"

	"checkpointlab/core/event"
)

// agenda is what is still to happen. At one instant the records that end come first, in the order of their tasks; then
// everything else in the order in which it was scheduled; last the threads look for what to do next, by turns drawn from the
// seed. So a mail that comes at the end of a record is read before the next record begins.
type agenda struct {
	deeds     deeds
	scheduled int64
	seed      uint64
}

type deed struct {
	at    event.Time
	rank  rank
	order int64 // among those of the same instant and rank
	do    func()
	in    *process // where it happens; nil = in none
	of    event.Task
}

type rank int

const (
	recordEnds rank = iota // order is the task
	anythingElse
	threadLooks // order is the turn
)

// recordEnd schedules the end of a record of a task.
func (a *agenda) recordEnd(at event.Time, t event.Task, do func()) {
	heap.Push(&a.deeds, deed{at: at, rank: recordEnds, order: int64(t), do: do})
}

// after schedules do behind everything that was scheduled for that instant.
func (a *agenda) after(at event.Time, do func()) { a.afterIn(nil, at, do) }

// afterIn is after of what happens in a process.
func (a *agenda) afterIn(p *process, at event.Time, do func()) {
	a.scheduled++
	heap.Push(&a.deeds, deed{at: at, rank: anythingElse, order: a.scheduled, do: do, in: p})
}

// look schedules a look of a task's thread.
func (a *agenda) look(at event.Time, t *task, do func()) {
	heap.Push(&a.deeds, deed{at: at, rank: threadLooks, order: event.Turn(a.seed, at, t.id), do: do, in: t.home(), of: t.id})
}

// putOff lets a deed happen when its process goes on; false: it does not stand still.
func (a *agenda) putOff(d deed) bool {
	if d.in == nil || d.at >= d.in.until {
		return false
	}
	d.at = d.in.until
	if d.rank == threadLooks {
		d.order = event.Turn(a.seed, d.at, d.of)
	} else {
		a.scheduled++
		d.order = a.scheduled
	}
	heap.Push(&a.deeds, d)
	return true
}

// next takes the next deed that is due by until.
func (a *agenda) next(until event.Time) (d deed, ok bool) {
	if len(a.deeds) == 0 || a.deeds[0].at > until {
		return deed{}, false
	}
	return heap.Pop(&a.deeds).(deed), true
}

// deeds is a heap by (at, rank, order).
type deeds []deed

func (d deeds) Len() int { return len(d) }
func (d deeds) Less(i, j int) bool {
	switch a, b := &d[i], &d[j]; {
	case a.at != b.at:
		return a.at < b.at
	case a.rank != b.rank:
		return a.rank < b.rank
	default:
		return a.order < b.order
	}
}
func (d deeds) Swap(i, j int) { d[i], d[j] = d[j], d[i] }
func (d *deeds) Push(x any)   { *d = append(*d, x.(deed)) }
func (d *deeds) Pop() any {
	last := (*d)[len(*d)-1]
	*d = (*d)[:len(*d)-1]
	return last
}
