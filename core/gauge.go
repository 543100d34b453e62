package core

import (
	"checkpointlab/core/event"
	"checkpointlab/core/metric"
	"checkpointlab/core/sim"
	"checkpointlab/core/task"
)

// gauges are the metrics of one execution attempt of a task that Flink updates every 5 s (ViewUpdater).
type gauges struct {
	times  metric.TaskTimes
	meters [meters]metric.Meter
	rates  Rates // of meters
	began  counts
	spent  gaugeMark // where its time stood at the last update,
	at     event.Time
}

type gaugeMark struct{ idle, soft, hard, log event.Time }

// newGauges are those of a task that starts; until then it has none.
var newGauges = func() (g gauges) {
	g.times = metric.NewTaskTimes(0)
	for i := range g.meters {
		g.meters[i] = metric.NewMeter(metric.GaugeSpan, metric.GaugeStep)
	}
	return g
}()

// gauge updates the gauges of all tasks.
func (l *Lab) gauge(now event.Time) {
	l.alight()
	for i := range l.world.Tasks {
		if t := &l.world.Tasks[i]; t.Alive { // else it has no metrics
			l.gauges[i].update(now, l.markOf(t), l.countsOf(t), t)
		}
	}
	l.queue.Push(sim.Item{At: now + gaugePeriod, Kind: event.DueGauge})
}

func (g *gauges) update(now event.Time, m gaugeMark, c counts, t *task.Task) {
	soft, hard := t.Longest(now)
	g.times.Idle.Book(m.idle-g.spent.idle, 0)
	g.times.Soft.Book(m.soft-g.spent.soft, soft)
	g.times.Hard.Book(m.hard-g.spent.hard, hard)
	g.times.Changelog.Book(m.log-g.spent.log, 0)
	g.times.Update(now)
	g.spent, g.at = m, now
	for i := range g.meters {
		g.meters[i].Update(c[i] - g.began[i])
	}
	g.rates = g.read()
}

// restartGauges begins the metrics of a task anew: they belong to one execution attempt.
func (l *Lab) restartGauges(now event.Time, t *task.Task) {
	t.Longest(now)
	if len(l.latencies) > 0 {
		l.latencies[t.ID] = metric.Histogram{}
	}
	g := &l.gauges[t.ID]
	*g = newGauges
	g.at, g.spent, g.began = now, l.markOf(t), l.countsOf(t)
}

func (l *Lab) markOf(t *task.Task) gaugeMark {
	spent := l.world.Spent(t, l.now)
	return gaugeMark{idle: spent[task.Idle], soft: spent[task.Soft], hard: spent[task.Hard], log: t.LogWaited(l.now)}
}

// metrics are a task's metrics by Flink's names. The task must not ride.
func (l *Lab) metrics(t *task.Task) TaskMetrics {
	g := &l.gauges[t.ID]
	times, c := &g.times, l.countsOf(t)
	for i := range c {
		c[i] -= g.began[i]
	}
	m := TaskMetrics{
		BusyTimeMsPerSecond: times.BusyMs(), IdleTimeMsPerSecond: times.Idle.Value(),
		BackPressuredTimeMsPerSecond:     times.BackPressuredMs(),
		SoftBackPressuredTimeMsPerSecond: times.Soft.Value(), HardBackPressuredTimeMsPerSecond: times.Hard.Value(),
		ChangelogBusyTimeMsPerSecond: times.Changelog.Value(),
		MaxSoftBackPressureTimeMs:    times.Soft.Longest() / event.Millisecond,
		MaxHardBackPressureTimeMs:    times.Hard.Longest() / event.Millisecond,
		CheckpointAlignmentTime:      t.Handler.AlignmentDuration(l.now),
		CheckpointStartDelayNanos:    t.Handler.StartDelay(),
		NumRecordsIn:                 c[recordsIn], NumRecordsOut: c[recordsOut],
		NumBytesIn: c[bytesInLocal] + c[bytesInRemote], NumBytesOut: c[bytesOut],
		NumBytesInLocal: c[bytesInLocal], NumBytesInRemote: c[bytesInRemote],
		NumBuffersInLocal: c[buffersInLocal], NumBuffersInRemote: c[buffersInRemote], NumBuffersOut: c[buffersOut],
		NumFiredTimers: c[firedTimers], MailboxQueueSize: int64(t.Mails()), Rates: g.rates,
	}
	l.accumulated(t, g, &m)
	if t.Pushes { // SourceStreamTask.init
		m.BusyTimeMsPerSecond, m.AccumulateBusyTimeMs = -1, -1
	}
	size, ms := t.BufferSize()
	m.DebloatedBufferSize, m.EstimatedTimeToConsumeBuffersMs = int64(size), ms
	return m
}

// accumulated fills in the times since the start of the attempt. What goes on counts up to the last update of the gauges, so it is busy
// until then (TimerGauge.getAccumulatedCount, TaskIOMetricGroup.getAccumulatedBusyTime).
func (l *Lab) accumulated(t *task.Task, g *gauges, m *TaskMetrics) {
	now, times := l.markOf(t), &g.times
	idle := times.Idle.Accumulated() + now.idle - g.spent.idle
	pressed := times.AccumulatedBackPressured() + now.soft - g.spent.soft + now.hard - g.spent.hard
	switch since, thread := l.world.WaitsSince(t, l.now); thread {
	case task.Idle:
		idle -= l.now - max(since, g.at)
	case task.Soft, task.Hard:
		pressed -= l.now - max(since, g.at)
	}
	span, running := t.Initialization(l.now)
	m.InitializationTime = span / event.Millisecond
	m.AccumulateIdleTimeMs, m.AccumulateBackPressuredTimeMs = idle/event.Millisecond, pressed/event.Millisecond
	if m.AccumulateBusyTimeMs = -1; running >= 0 {
		m.AccumulateBusyTimeMs = max(0, l.now-running-idle-pressed) / event.Millisecond
	}
}

// measureMailboxes keeps the newest latencies of each mailbox, except in a wide job, whose rides would have to stop for each of them.
func (l *Lab) measureMailboxes() {
	if !l.world.Wide {
		l.latencies = make([]metric.Histogram, l.plan.tasks)
	}
	l.world.Probed = func(t event.Task, ms int64) { l.latencies[t].Add(ms) }
}

func (l *Lab) viewLatencies(v *View) {
	if l.world.Wide {
		v.Latencies = v.Latencies[:0]
		return
	}
	for i := range l.world.Tasks {
		l.world.Probe(l.now, &l.world.Tasks[i])
	}
	v.Latencies = append(v.Latencies[:0], l.latencies...)
}
