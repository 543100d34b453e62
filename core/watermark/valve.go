// Package watermark is event time as pure state machines: how a source makes watermarks (Generator), and how a task combines
// those of all its channels (Valve). Watermarks are ms, as in Flink; instants and spans are ns.
//
// A watermark says that no record with a time up to it is to come. It is no event but a record of its own in a channel's
// buffers: it goes to every channel, finishes no buffer and flushes none (spec 4.2).
package watermark

import (
	"math"

	"checkpointlab/core/event"
)

// The ends of event time, in ms.
const (
	None int64 = math.MinInt64 // no watermark yet
	End  int64 = math.MaxInt64 // nothing is to come at all
)

// Output is what a valve or a generator emits: a watermark, or another status, or both.
type Output struct {
	Mark   int64
	Moved  bool // Mark is new
	Status Status
	After  bool // the status follows the watermark, else it goes ahead of it
}

// Status is what a stream says about itself besides watermarks (WatermarkStatus).
type Status int8

// The statuses.
const (
	Same   Status = iota
	Idle          // it does not hold up others any more
	Active        // it does again
)

// Valve combines the watermarks of a task's channels: the result is the least over those that are active and have caught up
// with what was emitted before (StatusWatermarkValve).
type Valve struct {
	inputs []input
	out    int64
	idle   bool
	active int // inputs that are not idle
	low    int // inputs that count and stand at out
}

type input struct {
	mark    int64
	idle    bool
	aligned bool // it counts
}

// NewValve is a valve of n channels, all active and without a watermark.
func NewValve(n int) Valve {
	v := Valve{inputs: make([]input, n)}
	v.Reset()
	return v
}

// Reset begins anew: the task restarts, and watermarks are in no checkpoint.
func (v *Valve) Reset() {
	for i := range v.inputs {
		v.inputs[i] = input{mark: None, aligned: true}
	}
	v.out, v.idle, v.active, v.low = None, false, len(v.inputs), len(v.inputs)
}

// CopyFrom makes v a deep copy of src.
func (v *Valve) CopyFrom(src *Valve) {
	inputs := append(v.inputs[:0], src.inputs...)
	*v = *src
	v.inputs = inputs
}

// Least is the task's watermark, None if it has none yet.
func (v *Valve) Least() int64 { return v.out }

// IsIdle reports whether all channels are idle.
func (v *Valve) IsIdle() bool { return v.idle }

// Input is the watermark of a channel, and whether it is idle.
func (v *Valve) Input(channel int32) (mark int64, idle bool) {
	return v.inputs[channel].mark, v.inputs[channel].idle
}

// Mark takes a watermark of a channel. It is ignored if the channel is idle or the watermark does not advance.
func (v *Valve) Mark(channel int32, mark int64) Output {
	in := &v.inputs[channel]
	if v.idle || in.idle || mark <= in.mark {
		return Output{}
	}
	v.leave(in)
	in.mark = mark
	if !in.aligned && mark >= v.out {
		in.aligned = true
	}
	v.enter(in)
	return v.least()
}

// Status notes that a channel is idle or active again.
func (v *Valve) Status(channel int32, s Status) Output {
	in := &v.inputs[channel]
	switch {
	case s == Idle && !in.idle:
		held := in.mark == v.out
		v.leave(in)
		in.idle, in.aligned = true, false
		if v.active--; v.active > 0 {
			return v.least()
		}
		var out Output
		if held {
			out = v.most()
		}
		v.idle = true
		out.Status, out.After = Idle, true
		return out
	case s == Active && in.idle:
		in.idle = false
		v.active++
		in.aligned = in.mark >= v.out
		v.enter(in)
		if v.idle {
			v.idle = false
			return Output{Status: Active}
		}
	}
	return Output{}
}

// enter and leave count the inputs that hold the watermark where it is.
func (v *Valve) enter(in *input) {
	if in.aligned && in.mark == v.out {
		v.low++
	}
}

func (v *Valve) leave(in *input) {
	if in.aligned && in.mark == v.out {
		v.low--
	}
}

// least moves the watermark on when nothing holds it any more.
func (v *Valve) least() Output {
	if v.low > 0 {
		return Output{}
	}
	least, n := End, 0
	for i := range v.inputs {
		switch in := &v.inputs[i]; {
		case !in.aligned || in.mark > least:
		case in.mark == least:
			n++
		default:
			least, n = in.mark, 1
		}
	}
	if n == 0 || least <= v.out {
		return Output{}
	}
	v.out, v.low = least, n
	return Output{Mark: least, Moved: true}
}

// most moves the watermark to the greatest of all channels: the last one that held it has become idle like the others.
func (v *Valve) most() Output {
	most := None
	for i := range v.inputs {
		most = max(most, v.inputs[i].mark)
	}
	if most <= v.out {
		return Output{}
	}
	v.out, v.low = most, 0
	return Output{Mark: most, Moved: true}
}

// Generator makes a source's watermarks: each lags behind the greatest time of a record by a bound
// (BoundedOutOfOrdernessWatermarks), and the source is declared idle when there was no record for long
// (WatermarksWithIdleness).
type Generator struct {
	Bound   int64      // ms that a record may be late
	Timeout event.Time // ns without a record until the source counts as idle; 0 = never

	out   int64
	idle  bool
	count int64      // records at the last tick
	since event.Time // of the first tick without a further record; -1 = the last one had some
}

// Reset begins anew: watermarks are in no checkpoint. count is the records so far.
func (g *Generator) Reset(count int64) {
	g.out, g.idle, g.count, g.since = None, false, count, -1
}

// Least is the last watermark, None if there is none yet.
func (g *Generator) Least() int64 { return g.out }

// IsIdle reports whether the source counts as idle.
func (g *Generator) IsIdle() bool { return g.idle }

// Tick is a periodic emission (onPeriodicEmit): count is the records so far, latest the greatest time in ms of one in that
// split in which it is least, None if a split had none; newest the greatest of all splits, which a source that turns idle says
// since 2.2 (FLINK-38454), None before. clock stands still while the source could not go on. Idleness is only looked for here, so it
// comes up to three periods late.
func (g *Generator) Tick(clock event.Time, count, latest, newest int64) Output {
	if g.Timeout > 0 && g.quiet(clock, count) {
		if g.idle {
			return Output{}
		}
		g.idle = true
		return lastOf(newest, g.Bound, &g.out)
	}
	if latest == None || latest-g.Bound-1 <= g.out {
		return Output{}
	}
	out := Output{Mark: latest - g.Bound - 1, Moved: true}
	if g.idle {
		g.idle, out.Status = false, Active
	}
	g.out = out.Mark
	return out
}

// lastOf is what is said as the last split turns idle: the watermark of the newest record, if it is above what was said, and the
// status behind it (CombinedWatermarkStatus.updateCombinedWatermark, WatermarkOutputMultiplexer.updateCombinedWatermark).
func lastOf(newest, bound int64, out *int64) Output {
	if newest == None || newest-bound-1 <= *out {
		return Output{Status: Idle}
	}
	*out = newest - bound - 1
	return Output{Mark: *out, Moved: true, Status: Idle, After: true}
}

// quiet is the idleness timer's question (IdlenessTimer.checkIfIdle).
func (g *Generator) quiet(clock event.Time, count int64) bool {
	switch {
	case count != g.count:
		g.count, g.since = count, -1
		return false
	case g.since < 0:
		g.since = clock
		return false
	}
	return clock-g.since > g.Timeout
}
