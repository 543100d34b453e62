package core

import (
	"checkpointlab/core/event"
	"checkpointlab/core/metric"
	"checkpointlab/core/sim"
	"checkpointlab/core/task"
)

// gauges are Flink's time metrics of every task, updated every 5 s.
type gauges struct {
	times []metric.TaskTimes // by task
	spent []gaugeMark        // by task: where its time stood at the last update
}

type gaugeMark struct{ idle, soft, hard event.Time }

func newGauges(tasks int) gauges {
	g := gauges{times: make([]metric.TaskTimes, tasks), spent: make([]gaugeMark, tasks)}
	for i := range g.times {
		g.times[i] = metric.NewTaskTimes(0)
	}
	return g
}

func (g *gauges) copyFrom(src *gauges) {
	g.times = append(g.times[:0], src.times...)
	g.spent = append(g.spent[:0], src.spent...)
}

// gauge updates all time gauges.
func (l *Lab) gauge(now event.Time) {
	for i := range l.world.Tasks {
		t, times, last := &l.world.Tasks[i], &l.gauges.times[i], &l.gauges.spent[i]
		if !t.Alive {
			continue // it has no metrics
		}
		m := markOf(&l.world, t, now)
		count(&times.Idle, now, m.idle-last.idle)
		count(&times.Soft, now, m.soft-last.soft)
		count(&times.Hard, now, m.hard-last.hard)
		times.Update(now)
		*last = m
	}
	l.queue.Push(sim.Item{At: now + gaugePeriod, Kind: event.DueGauge})
}

// restart begins the metrics of a task anew: they belong to one execution attempt.
func (g *gauges) restart(now event.Time, t *task.Task) {
	spent := t.SpentUntil(now)
	g.times[t.ID] = metric.NewTaskTimes(now)
	g.spent[t.ID] = gaugeMark{idle: spent[task.Idle], soft: spent[task.Soft], hard: spent[task.Hard]}
}

// count books a span that lay somewhere within the step that ends now.
func count(g *metric.TimeGauge, now, span event.Time) {
	g.Start(now - max(0, span))
	g.End(now)
}

func markOf(w *task.World, t *task.Task, now event.Time) gaugeMark {
	spent, _, _ := w.Stands(t, now)
	return gaugeMark{idle: spent[task.Idle], soft: spent[task.Soft], hard: spent[task.Hard]}
}

// metrics are a task's metrics by Flink's names.
func (l *Lab) metrics(t *task.Task) TaskMetrics {
	times := &l.gauges.times[t.ID]
	m := TaskMetrics{
		BusyTimeMsPerSecond: times.BusyMs(), IdleTimeMsPerSecond: times.Idle.Value(),
		BackPressuredTimeMsPerSecond:     times.BackPressuredMs(),
		SoftBackPressuredTimeMsPerSecond: times.Soft.Value(), HardBackPressuredTimeMsPerSecond: times.Hard.Value(),
		CheckpointAlignmentTime:   t.Handler.AlignmentDuration(l.now),
		CheckpointStartDelayNanos: t.Handler.StartDelay(),
		NumRecordsIn:              t.In, NumRecordsOut: t.Out,
	}
	for _, p := range t.Outs {
		part := &l.world.Net.Partitions[p]
		for c := part.First; c < part.First+part.Count; c++ {
			m.NumBytesOut += l.world.Net.Channels[c].BytesOut
		}
	}
	for _, g := range t.Gates {
		for _, c := range l.world.Net.Gates[g].First {
			m.NumBytesIn += l.world.Net.Channels[c].BytesIn
		}
	}
	size, ms := t.BufferSize()
	m.DebloatedBufferSize, m.EstimatedTimeToConsumeBuffersMs = int64(size), ms
	return m
}
