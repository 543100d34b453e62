package network

import "checkpointlab/core/event"

// stacks are where the runs of buffers lie that many tasks have dealt to one (task/post.go): a hundred runs or so, side by side, where those of a
// list lie all over the slab. A producer writes to one, which goes with its buffer to who reads it, and is then used again.
type stacks struct {
	runs [][]event.Run
	free []int32 // 1 + its index
	open []int32 // by producer: that which it writes to, 0 = none
}

func (s *stacks) reset() {
	s.free = s.free[:0]
	for i := range s.runs {
		s.give(int32(i) + 1)
	}
	clear(s.open)
}

// of is what a producer writes to, take takes it.
func (s *stacks) of(id event.Task) int32 {
	if int(id) >= len(s.open) {
		return 0
	}
	return s.open[id]
}

func (s *stacks) take(id event.Task) (k int32) {
	if k = s.of(id); k > 0 {
		s.open[id] = 0
	}
	return k
}

// begin gives a producer one to write to.
//
//go:noinline
func (s *stacks) begin(id event.Task) int32 {
	for int(id) >= len(s.open) {
		s.open = append(s.open, 0)
	}
	if len(s.free) == 0 {
		s.runs = append(s.runs, nil)
		s.free = append(s.free, int32(len(s.runs)))
	}
	last := len(s.free) - 1
	s.open[id], s.free = s.free[last], s.free[:last]
	return s.open[id]
}

// give takes one back.
func (s *stacks) give(k int32) {
	s.runs[k-1] = s.runs[k-1][:0]
	s.free = append(s.free, k)
}

func (s *stacks) each(f func(*event.Run)) {
	for i := range s.runs {
		for k := range s.runs[i] {
			f(&s.runs[i][k])
		}
	}
}

// Pile appends a run to what a producer has written, all of which is in a stack, joined with the last one where it goes on evenly
// (event.Slab.Append).
func (x *Tracks) Pile(id event.Task, r *event.Run) {
	k := x.stacks.of(id)
	if k == 0 {
		k = x.stacks.begin(id)
	}
	runs := x.stacks.runs[k-1]
	if n := len(runs); n > 0 && runs[n-1].Continues(r) {
		runs[n-1].Count += r.Count
		return
	}
	x.stacks.runs[k-1] = append(runs, *r)
}

// PileAll does so with the first records of a list.
func (x *Tracks) PileAll(id event.Task, from *event.Runs, records int64) {
	for records > 0 {
		r := x.net.Slab.CutFront(from, min(records, x.net.Slab.Front(from).Count))
		records -= r.Count
		x.Pile(id, &r)
	}
}

// Stacked puts what a producer has written and not sent into a stack.
func (x *Tracks) Stacked(id event.Task) {
	t := &x.tracks[id]
	if t.records == 0 {
		return
	}
	x.several(t, &x.open[id])
	x.PileAll(id, &t.many, int64(t.records))
}

// HandOut takes the stack of a producer, 0 if it has written nothing since.
func (x *Tracks) HandOut(id event.Task) int32 { return x.stacks.take(id) }

// Runs is a stack; whoever reads it gives it back by Unpiled.
func (x *Tracks) Runs(k int32) []event.Run { return x.stacks.runs[k-1] }

// Unpiled gives a stack back that was read.
func (x *Tracks) Unpiled(k int32) { x.stacks.give(k) }

// unstack makes a stack a list.
func (x *Tracks) unstack(k int32) event.Runs {
	l := event.EmptyRuns
	for i := range x.stacks.runs[k-1] {
		x.net.Slab.Append(&l, &x.stacks.runs[k-1][i])
	}
	x.stacks.give(k)
	return l
}
