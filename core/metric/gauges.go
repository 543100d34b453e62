package metric

import "checkpointlab/core/event"

// The span and the step of Flink's own time gauges: 5-second steps over a minute (spec 4.4).
const (
	GaugeSpan event.Time = 60 * event.Second
	GaugeStep event.Time = 5 * event.Second
	maxSteps             = 12
)

// TimeGauge is one of Flink's "…TimeMsPerSecond" metrics: how much of each second a condition held, averaged over the
// steps kept, so that a change shows fully only after the whole span (spec 4.4; vectors gauge.*).
type TimeGauge struct {
	step           event.Time
	ring           [maxSteps]event.Time // time counted in each step
	size, next     int8                 // steps in the span; where the coming one goes
	filled         int8                 // steps covered so far
	running        bool
	since, counted event.Time // start of the running measurement; up to where it has been counted

	current, longest  event.Time // of the step that runs
	accumulated       event.Time // since the start
	value             int64      // as of the last Update
	longestLastUpdate event.Time
}

// NewTimeGauge is a gauge over span in steps of step (ns). Flink's own are GaugeSpan and GaugeStep.
// It panics if span is not 1 … 12 steps.
func NewTimeGauge(span, step event.Time) TimeGauge {
	if step <= 0 || span < step || span/step > maxSteps {
		panic("metric: a time gauge has 1 to 12 steps")
	}
	return TimeGauge{step: step, size: int8(span / step)}
}

// Start says that the condition holds from now on; nothing changes if it does already.
func (g *TimeGauge) Start(now event.Time) {
	if !g.running {
		g.running, g.since, g.counted = true, now, now
	}
}

// End says that the condition holds no longer; nothing changes if it did not.
func (g *TimeGauge) End(now event.Time) {
	if g.running {
		g.count(now)
		g.running = false
	}
}

// Book counts measurements of this step that were made elsewhere: their time within the step, and the longest of them from its own
// start (ns).
func (g *TimeGauge) Book(spent, longest event.Time) {
	g.current += spent
	g.accumulated += spent
	g.longest = max(g.longest, longest)
}

// Update ends a step. Flink does it every GaugeStep; a measurement that goes on counts up to now.
func (g *TimeGauge) Update(now event.Time) {
	if g.running {
		g.count(now)
	}
	g.ring[g.next] = g.current
	g.next = (g.next + 1) % g.size
	g.filled = min(g.filled+1, g.size)
	var sum event.Time
	for _, t := range g.ring[:g.filled] {
		sum += t
	}
	seconds := max(1, g.step*event.Time(g.filled)/event.Second)
	g.value = min(max(sum/event.Millisecond/seconds, 0), 1000)
	g.longestLastUpdate = g.longest
	g.current, g.longest = 0, 0
}

// count takes the running measurement into account up to now.
func (g *TimeGauge) count(now event.Time) {
	g.current += now - g.counted
	g.accumulated += now - g.counted
	g.counted = now
	g.longest = max(g.longest, now-g.since)
}

// Value is the gauge's reading in ms per second, 0 … 1000, as of the last Update.
func (g *TimeGauge) Value() int64 { return g.value }

// Longest is the longest single measurement seen in the step before the last Update, from its own start (ns).
func (g *TimeGauge) Longest() event.Time { return g.longestLastUpdate }

// Accumulated is all the time counted by End and Update since the start (ns).
func (g *TimeGauge) Accumulated() event.Time { return g.accumulated }

// TaskTimes is a task's time metrics. Busy is what is left of the time; changelog time is part of it (spec 4.4).
type TaskTimes struct {
	Idle      TimeGauge
	Soft      TimeGauge // back-pressured, mails still run
	Hard      TimeGauge // back-pressured inside an emit, nothing runs
	Changelog TimeGauge
	started   event.Time
}

// NewTaskTimes is the metrics of a task that starts now.
func NewTaskTimes(now event.Time) TaskTimes {
	g := NewTimeGauge(GaugeSpan, GaugeStep)
	return TaskTimes{Idle: g, Soft: g, Hard: g, Changelog: g, started: now}
}

// Update ends a step of all gauges; Flink does it every GaugeStep.
func (t *TaskTimes) Update(now event.Time) {
	t.Idle.Update(now)
	t.Soft.Update(now)
	t.Hard.Update(now)
	t.Changelog.Update(now)
}

// BackPressuredMs is backPressuredTimeMsPerSecond.
func (t *TaskTimes) BackPressuredMs() int64 { return t.Soft.Value() + t.Hard.Value() }

// BusyMs is busyTimeMsPerSecond.
func (t *TaskTimes) BusyMs() int64 { return max(0, 1000-t.Idle.Value()-t.BackPressuredMs()) }

// AccumulatedBackPressured is accumulateBackPressuredTimeMs, in ns.
func (t *TaskTimes) AccumulatedBackPressured() event.Time {
	return t.Soft.Accumulated() + t.Hard.Accumulated()
}

// AccumulatedBusy is accumulateBusyTimeMs at now, in ns (vector taskio.snapshot).
func (t *TaskTimes) AccumulatedBusy(now event.Time) event.Time {
	return max(0, now-t.started-t.Idle.Accumulated()-t.AccumulatedBackPressured())
}
