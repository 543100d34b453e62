package player

import (
	"checkpointlab/core"
	"checkpointlab/core/event"
)

// fake is a film in which something can be seen every 10 ms and which computes one ms an event.
type fake struct {
	name     string
	computed event.Time
	duration event.Time
	view     core.View
	history  core.History
	extends  int
}

const step = 10 * event.Millisecond

func (f *fake) Extend(budget int) bool {
	f.extends++
	f.computed = min(f.computed+event.Time(budget)*event.Millisecond, f.duration)
	return f.computed == f.duration
}

func (f *fake) Reach(at event.Time, budget int) bool {
	if f.computed < at {
		f.Extend(budget)
		f.computed = min(f.computed, at)
	}
	return f.computed >= min(at, f.duration)
}

func (f *fake) Computed() event.Time   { return f.computed }
func (f *fake) Duration() event.Time   { return f.duration }
func (f *fake) History() *core.History { return &f.history }
func (f *fake) Setup() *core.Setup     { return &core.Setup{Duration: f.duration} }
func (f *fake) Hash() uint64           { return uint64(f.computed) }

func (f *fake) At(t event.Time) *core.View {
	if t > f.computed {
		panic("seen before it is computed")
	}
	f.view.At = t
	return &f.view
}

func (f *fake) Next(t event.Time) event.Time { return min((t/step+1)*step, f.computed) }

func (f *fake) Previous(t event.Time) event.Time { return max(0, (t-1)/step*step) }
