// Package sustain finds the smallest checkpoint interval that a job can keep up: by a closed form that says what binds it,
// and by bisection over runs. An interval is kept up if no checkpoint fails and each is complete before the next is due.
package sustain

import (
	"checkpointlab/core"
	"checkpointlab/core/event"
)

// Term is one thing that a checkpoint has to wait for, or that its interval must not be shorter than. Times are ns.
type Term struct {
	Name string // of the list in Closed
	Time event.Time
}

// The names of the terms.
const (
	Upload   = "upload"   // the bytes of a checkpoint at the bandwidth of all, or of the busiest task manager
	Requests = "requests" // its requests, written and deleted, at the limit
	Waiting  = "latency"  // of the files that a subtask writes one after the other, and of the metadata
	Thread   = "sync"     // the longest synchronous part
	Longest  = "longest"  // how much longer than the mean the longest checkpoint took: an interval is kept up only if that one is in time, too
	Barriers = "barriers" // what is left of the measured duration: the way of the barriers, alignment and calls
)

// Form is the closed form: a checkpoint lasts as long as the sum of its terms, and so must the interval. The terms are means, but
// for the last, which makes the sum that of the longest one: compactions and bursts fall on some checkpoints alone.
type Form struct {
	Terms    []Term
	Interval event.Time // their sum
	Binding  string     // the largest term
}

// Closed is the closed form with what a run's completed checkpoints have written on average in its second half, when the first
// full one is past; ok is false if none is complete then or the run has no storage. managers is the number of task managers.
func Closed(s *core.Setup, h *core.History, managers int) (f Form, ok bool) {
	var n, bytes, requests, deletes int64
	var duration, sync, async, longest event.Time
	for i := range h.Checkpoints {
		c := &h.Checkpoints[i]
		if c.Outcome != core.Completed || c.Savepoint || c.Triggered < s.Duration/2 {
			continue
		}
		n++
		bytes, requests, deletes = bytes+c.Written, requests+c.Requests, deletes+c.Deletes
		duration, longest = duration+c.Ended-c.Triggered, max(longest, c.Ended-c.Triggered)
		var held, stored event.Time
		for _, t := range c.Tasks {
			held, stored = max(held, t.Sync), max(stored, t.Async)
		}
		sync, async = sync+held, async+stored
	}
	st := &s.Storage
	if n == 0 || !st.On {
		return f, false
	}
	bytes, requests, deletes, duration, sync, async = bytes/n, requests/n, deletes/n, duration/event.Time(n), sync/event.Time(n), async/event.Time(n)
	upload := event.Time(0)
	if st.Bandwidth > 0 {
		upload = scale(bytes, st.Bandwidth)
	}
	if st.PerManager > 0 {
		upload = max(upload, scale(bytes/int64(max(1, managers)), st.PerManager))
	}
	limit := event.Time(0)
	if st.Requests > 0 {
		limit = scale(requests+deletes, st.Requests*max(1, st.Prefixes))
	}
	f.Terms = []Term{
		{Upload, upload}, {Requests, limit}, {Waiting, max(0, async-upload-limit)}, {Thread, sync}, {Barriers, max(0, duration-async-sync)}, {Longest, longest - duration},
	}
	for i, t := range f.Terms {
		f.Interval += t.Time
		if i == 0 || t.Time > f.term(f.Binding) {
			f.Binding = t.Name
		}
	}
	return f, true
}

func (f *Form) term(name string) event.Time {
	for _, t := range f.Terms {
		if t.Name == name {
			return t.Time
		}
	}
	return 0
}

// scale is how long n things take at so many a second.
func scale(n, rate int64) event.Time {
	return event.Time(float64(n) / float64(rate) * float64(event.Second))
}

// Keeps reports whether a run keeps its interval up: every checkpoint triggered in its second half, but for those that had less
// than an interval, is complete within the interval.
func Keeps(s *core.Setup, h *core.History) bool {
	seen := false
	for i := range h.Checkpoints {
		c := &h.Checkpoints[i]
		switch {
		case c.Savepoint || c.ID == 0 || c.Triggered < s.Duration/2 || c.Triggered > s.Duration-s.Options.Interval:
		case c.Outcome != core.Completed || c.Ended-c.Triggered > s.Options.Interval:
			return false
		default:
			seen = true
		}
	}
	return seen
}

// Bisect is the smallest interval in [least, most] that keeps says can be kept up, to one part in so many; it takes it for
// granted that longer intervals are easier. 0: not even most can.
func Bisect(least, most event.Time, parts int64, keeps func(event.Time) (bool, error)) (event.Time, error) {
	ok, err := keeps(most)
	if err != nil || !ok {
		return 0, err
	}
	for most-least > max(event.Millisecond, most/event.Time(parts)) {
		mid := least + (most-least)/2
		ok, err := keeps(mid)
		switch {
		case err != nil:
			return 0, err
		case ok:
			most = mid
		default:
			least = mid
		}
	}
	return most, nil
}
