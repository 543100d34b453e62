// Package timeline shows a run at any instant, in any order.
//
// One lab, the front, computes and records the run from its start to its end, in slices that fit between two frames, and leaves
// snapshots on the way. A twin of it, the head, is set to the last snapshot before the requested instant and continues from
// there; it records nothing, so that nothing is recorded twice. A seek costs at most the gap between two snapshots. On its way
// through a gap the head leaves nearer snapshots, so that the next request, mostly close by or one event back, costs a small
// part of a gap.
package timeline

import (
	"checkpointlab/core"
	"checkpointlab/core/event"
)

const (
	gap  = 4000 // events between two snapshots: a few ms of computing
	most = 64   // snapshots, of some 200 kB with four subtasks a vertex; with more, every second one goes and the gap doubles

	// parts is in how many parts nearer snapshots divide a gap.
	parts = 8

	// eachPart is the number of events between two snapshots per channel and task. It keeps a wide job, whose snapshots take
	// long, from spending most of its time on them: with a thousand subtasks a vertex it was three fifths.
	eachPart = 4

	// room is how many channels all snapshots together may hold, some kB each; wide jobs get fewer snapshots.
	room = 200_000
)

// Timeline is one run with a playhead. It is not safe for concurrent use.
type Timeline struct {
	front, head *core.Lab
	marks       []*core.State // in order of time
	spare       []*core.State // to be used again
	gap, since  int
	most        int // snapshots
	near        nearby
	view        core.View
	seen        place // of the head, when view was filled
}

// place is where in its run a lab is: all that can be seen of it follows.
type place struct {
	filled bool // a view of it was
	events uint64
	now    event.Time
}

// New prepares the run of a setup; its errors are core.New's.
func New(s core.Setup) (*Timeline, error) {
	front, err := core.New(s)
	if err != nil {
		return nil, err
	}
	t := &Timeline{front: front, head: front.Twin(), gap: max(gap, eachPart*parted(front.Setup())), most: most}
	t.most = max(4, min(most, room/max(1, front.Setup().Channels())))
	t.mark()
	return t, nil
}

// parted is how many channels and tasks a job has.
func parted(s *core.Setup) int {
	n := s.Channels()
	for i := range s.Vertices {
		n += s.Vertices[i].Parallelism
	}
	return n
}

// Lab is the recording run: its History is complete up to Computed.
func (t *Timeline) Lab() *core.Lab { return t.front }

// Computed is the instant up to which the run is known.
func (t *Timeline) Computed() event.Time { return t.front.Now() }

// Done reports whether the run is computed to its end.
func (t *Timeline) Done() bool { return t.front.Now() >= t.front.Setup().Duration }

// Extend computes on, at most budget events (more than 0), and reports whether the end is reached.
func (t *Timeline) Extend(budget int) bool { return t.reach(t.front.Setup().Duration, budget) }

// Reach computes on like Extend, but not beyond an instant, and reports whether that, or the end, is reached. A snapshot is left there, so
// that a look at that instant computes nothing.
func (t *Timeline) Reach(at event.Time, budget int) bool {
	at = min(at, t.front.Setup().Duration)
	before := t.front.Now()
	reached := t.reach(at, budget)
	if reached && before < at && !t.Done() {
		t.mark()
	}
	return reached
}

func (t *Timeline) reach(until event.Time, budget int) bool {
	for budget > 0 && t.front.Now() < until {
		n := min(budget, t.gap-t.since)
		if t.front.Advance(until, n) {
			return true
		}
		budget -= n
		if t.since += n; t.since >= t.gap {
			t.mark()
		}
	}
	return t.front.Now() >= until
}

// mark leaves a snapshot.
func (t *Timeline) mark() {
	if t.since = 0; len(t.marks) >= t.most {
		t.thin()
	}
	s := new(core.State)
	if n := len(t.spare); n > 0 {
		s, t.spare = t.spare[n-1], t.spare[:n-1]
	}
	t.front.Snapshot(s)
	t.marks = append(t.marks, s)
}

// thin drops every second snapshot but the first.
func (t *Timeline) thin() {
	kept := t.marks[:0]
	for i, m := range t.marks {
		if i%2 == 0 {
			kept = append(kept, m)
		} else {
			t.spare = append(t.spare, m)
		}
	}
	clear(t.marks[len(kept):])
	t.marks, t.gap = kept, 2*t.gap
	t.near = nearby{kept: t.near.kept} // a mark that it begins at may be used again
}

// Now is the playhead.
func (t *Timeline) Now() event.Time { return t.head.Now() }

// Events counts what has happened up to the playhead.
func (t *Timeline) Events() uint64 { return t.head.Events() }

// Hash is the trace hash up to the playhead.
func (t *Timeline) Hash() uint64 { return t.head.Hash() }

// At moves the playhead to an instant, at most Computed, and returns the view there. The view is valid until the next call, and not to be changed.
func (t *Timeline) At(at event.Time) *core.View {
	t.seek(max(0, min(at, t.Computed())))
	return t.look()
}

// seek sets the head to an instant that is computed.
func (t *Timeline) seek(at event.Time) {
	from := t.latest(func(m *core.State) bool { return m.At() <= at })
	if at < t.head.Now() || from.At() > t.head.Now() {
		t.head.Restore(from)
	}
	for !t.head.Advance(at, t.part()) {
		t.leave()
	}
}

// part is how many events nearer snapshots are apart.
func (t *Timeline) part() int { return max(1, t.gap/parts) }

// leave leaves a nearer snapshot where the head is.
func (t *Timeline) leave() {
	i := t.before(func(m *core.State) bool { return m.Events() <= t.head.Events() })
	t.near.leave(t.marks[i], t.head)
}

// latest is the last snapshot for which ok holds; it holds for the first one.
func (t *Timeline) latest(ok func(*core.State) bool) *core.State {
	i := t.before(ok)
	if m := t.near.latest(t.marks[i], ok); m != nil {
		return m
	}
	return t.marks[i]
}

// before is the index of the last mark for which ok holds; it holds for the first one.
func (t *Timeline) before(ok func(*core.State) bool) int {
	lo, hi := 0, len(t.marks)
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; ok(t.marks[mid]) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// look is the view at the playhead. One frame asks for it some times, and in a wide job it takes as long as all that is drawn of it.
func (t *Timeline) look() *core.View {
	t.view.Computed = t.Computed()
	if here := (place{true, t.head.Events(), t.head.Now()}); here != t.seen {
		t.head.View(&t.view)
		t.seen = here
	}
	return &t.view
}

// StepForward moves the playhead past the next visible event; false: none is computed.
func (t *Timeline) StepForward() (*core.View, bool) {
	if t.head.Events() >= t.front.Events() {
		return t.look(), false
	}
	ok := t.head.Step()
	return t.look(), ok
}

// StepBack moves the playhead to the instant right after the last thing that happened before now; false: nothing did.
func (t *Timeline) StepBack() (*core.View, bool) {
	count, now := t.head.Events(), t.head.Now()
	if count == 0 {
		t.head.Restore(t.marks[0])
		return t.look(), false
	}
	last := t.walk(count)
	if t.head.Now() == now {
		t.walk(last)
	}
	return t.look(), true
}

// walk sets the head behind the step that brings the count of events to at least count, and returns the count before
// that step.
func (t *Timeline) walk(count uint64) (last uint64) {
	t.head.Restore(t.latest(func(m *core.State) bool { return m.Events() < count }))
	last = t.head.Events()
	for left := last; t.head.Events() < count; {
		if last = t.head.Events(); last-left >= uint64(t.part()) {
			t.leave()
			left = last
		}
		if !t.head.Step() {
			break
		}
	}
	return last
}
