package core

import (
	"checkpointlab/core/event"
	"checkpointlab/core/network"
	"checkpointlab/core/task"
	"checkpointlab/core/watermark"
)

// What a watermark gauge shows before the first watermark, and after the last one (ms).
const (
	NoWatermark   = watermark.None
	LastWatermark = watermark.End
)

// Watermarks is how a source makes watermarks (WatermarkStrategy.forBoundedOutOfOrderness, withIdleness). The event time of a
// record is its arrival in the log minus Behind.
type Watermarks struct {
	On     bool
	Bound  event.Time // how late a record may be, in whole ms
	Idle   event.Time // without a record, after which the source counts as idle; 0 = never
	Behind event.Time // how far event time lags behind the arrival in the log
	Align  Alignment
}

// eventTime fills in the rules of event time.
func (s *Setup) eventTime(r *task.Rules) {
	r.Async = s.hasAsync()
	r.Windows, r.Interruptible = s.hasWindows(), s.Options.Unaligned && s.Options.InterruptibleTimers
	r.MarkPeriod = s.Options.AutoWatermark
	r.PausedClock = s.Options.Version != "1.18" // PausableRelativeClock
	r.NewestAsIdle = s.Options.Version == "2.3" // FLINK-38454, since 2.2
	r.Marks = make([]task.MarkRule, len(s.Vertices))
	for i := range s.Vertices {
		if m := &s.Vertices[i].Watermarks; m.On && r.MarkPeriod > 0 {
			r.EventTime = true
			r.Marks[i] = task.MarkRule{On: true, Bound: m.Bound / event.Millisecond, Idle: m.Idle, Behind: m.Behind}
		}
	}
}

// hasEventTime reports whether some source makes watermarks.
func (s *Setup) hasEventTime() bool {
	for i := range s.Vertices {
		if s.Vertices[i].Watermarks.On && s.Options.AutoWatermark > 0 {
			return true
		}
	}
	return false
}

// firstMark is when a source that starts now makes its first watermark. Its timer starts when its operator is opened; on a real
// cluster the phases of several sources are independent.
func (l *Lab) firstMark(now event.Time, t event.Task) event.Time {
	r := &l.world.Rules
	switch {
	case !r.EventTime || !r.Marks[l.world.Tasks[t].Vertex].On:
		return event.Never
	case l.plan.setup.FlusherPhase == PhaseAligned:
		return now + r.MarkPeriod
	default:
		return now + 1 + l.random.Int64n(r.MarkPeriod)
	}
}

// checkWatermarks refuses event-time settings out of range.
func (s *Setup) checkWatermarks(v *Vertex, bad func(string, ...any)) {
	m := &v.Watermarks
	v.checkAlignment(bad)
	switch {
	case m.On && v.Kind != Source:
		bad("%s makes watermarks, but only a source does so; remove them", v.Name)
	case m.Bound < 0 || m.Idle < 0 || m.Behind < 0 || m.Bound > maxDuration || m.Idle > maxDuration || m.Behind > maxDuration:
		bad("the watermarks of %s have a negative time or one of more than 30 days; give between 0 and 30 days", v.Name)
	case s.Duration > 0 && s.Duration <= maxDuration && m.Behind > mostLatency-s.Duration:
		bad("event time of %s lies %d s behind, and the run lasts %d s; give no more than %d s of both", v.Name, m.Behind/event.Second, s.Duration/event.Second, mostLatency/event.Second)
	}
}

// mostLatency is the longest time from a record's event time until it is seen that the metrics count.
const mostLatency = 50 * 24 * 3600 * event.Second

// viewWatermarks fills in what a task's gauges show of event time.
func (l *Lab) viewWatermarks(t *task.Task, v *TaskView) {
	v.Metrics.CurrentInputWatermark, v.Metrics.CurrentOutputWatermark = watermark.None, watermark.None
	if !l.world.Rules.EventTime {
		return
	}
	in, out, idle := t.Watermarks()
	v.Metrics.CurrentInputWatermark, v.Metrics.CurrentOutputWatermark, v.MarkedIdle = in, out, idle
	v.InputWatermarks = t.InputWatermarks(v.InputWatermarks)
}

// viewSource fills in the gauges of a source's reader. An idle one counts to when it became so (InternalSourceReaderMetricGroup).
func (l *Lab) viewSource(t *task.Task, m *TaskMetrics) {
	s, emitted := &m.Source, l.now
	*s = SourceMetrics{CurrentEmitEventTimeLag: watermark.None, WatermarkLag: watermark.None, WatermarkAlignmentDrift: watermark.None}
	if since, idle := l.world.SourceIdle(t, l.now); idle {
		emitted = since
	}
	s.SourceIdleTime = (l.now - emitted) / event.Millisecond
	if !l.world.Rules.EventTime {
		return
	}
	if last := l.world.LastRead(t, l.now); last != watermark.None {
		s.CurrentEmitEventTimeLag = emitted/event.Millisecond - last
	}
	if out := m.CurrentOutputWatermark; out != watermark.None && out != watermark.End {
		s.WatermarkLag = emitted/event.Millisecond - out
		if drift, ok := t.Drift(); ok {
			s.WatermarkAlignmentDrift = drift
		}
	}
}

// markLag is how far the least watermark that has reached a sink lags behind now; -1 if there is none yet.
func (l *Lab) markLag(now event.Time) event.Time {
	if !l.world.Rules.EventTime {
		return -1
	}
	least := watermark.End
	for _, id := range l.plan.sinks {
		if in, _, idle := l.world.Tasks[id].Watermarks(); !idle {
			least = min(least, in)
		}
	}
	if least == watermark.None || least == watermark.End {
		return -1
	}
	return now - least*event.Millisecond
}

// countMarks separates the watermarks in a buffer from its records.
func (l *Lab) countMarks(e *network.Entry, c *Cell) {
	for i := e.Runs.First(); i >= 0; i = l.world.Net.Slab.Next(i) {
		if l.world.Net.Slab.At(i).IsMark() {
			c.Watermarks++
			c.Records--
		}
	}
}
