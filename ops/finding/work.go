package finding

import (
	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
)

// Shares of a second, in ms, from which a thread counts as busy all the time, and as back-pressured.
const (
	full     = 950
	pressed  = 500
	unloaded = 600
)

// bottleneck is the vertex that everything before it waits for, and whether all of its subtasks are or only some.
func (r *run) bottleneck() {
	if r.logWaits() {
		return
	}
	for _, e := range r.s.Edges {
		if e.To >= len(r.v.Vertices) || e.From >= len(r.v.Vertices) || r.most(e.From, backPressured) < pressed {
			continue
		}
		tasks, most, at := r.v.Vertices[e.To].Tasks, int64(0), 0
		for i := range tasks {
			if b := tasks[i].Metrics.BusyTimeMsPerSecond; b > most {
				most, at = b, i
			}
		}
		if most < full {
			continue
		}
		name, mean := r.s.Vertices[e.To].Name, r.mean(e.To, busy)
		switch share, even := tasks[at].Metrics.NumRecordsIn, r.mean(e.To, recordsIn); {
		case mean >= unloaded || len(tasks) == 1:
			r.say("bottleneck: %s is busy for %d ms a second, and %s before it is back-pressured for %d: it sets the throughput, and barriers wait in front of it",
				name, mean, r.s.Vertices[e.From].Name, r.most(e.From, backPressured))
		case r.unevenGroups(e, at, share, even):
		case share*4 > even*5:
			r.say("hot subtask: subtask %d of %s is busy for %d ms a second while its vertex is for %d on average, for it gets %.1f times the mean of the records, and %s waits for it: a hot key or a skewed share, which more subtasks do not spread",
				at, name, most, mean, float64(share)/float64(max(1, even)), r.s.Vertices[e.From].Name)
		default:
			r.say("slow subtask: subtask %d of %s is busy for %d ms a second while its vertex is for %d on average, but gets no more records than the others, and %s waits for it: each record takes it longer. No skew of keys: look at its machine (a slow or shared host, disk, garbage collection) and at what its records ask of it",
				at, name, most, mean, r.s.Vertices[e.From].Name)
		}
		return
	}
	r.overloaded()
}

// logWaits: a task that waits for its changelog to be written is busy by Flink's gauge, and no slow or hot one.
func (r *run) logWaits() bool {
	for v := range r.v.Vertices {
		for i := range r.v.Vertices[v].Tasks {
			if t := &r.v.Vertices[v].Tasks[i]; t.LogWaits && t.Metrics.BusyTimeMsPerSecond >= full {
				r.say("changelog: subtask %d of %s passes no record until more of its changelog is written, which Flink counts as busy (%d ms a second): %s may be on their way (state.changelog.dstl.dfs.upload.max-in-flight), and the storage is slower than the changes come. A faster storage or fewer changed bytes a record help, more processor time does not",
					i, r.v.Vertices[v].Name, t.Metrics.BusyTimeMsPerSecond, bytes(r.s.Options.ChangelogInFlight))
				return true
			}
		}
	}
	return false
}

// unevenGroups says that a subtask has more records because it has more key groups: with a max parallelism that is no multiple of the
// parallelism some have one more than others, which is much where each has few. It is false where something else is the cause.
func (r *run) unevenGroups(e core.Edge, at int, share, even int64) bool {
	n, most := r.s.Vertices[e.To].Parallelism, r.s.MaxParallel
	groups := int64(r.s.KeyGroups(e.To, at))
	if e.Partition != core.Hash || share*10 <= even*11 || groups*int64(n)*5 < int64(most)*6 || share*int64(most)*2 > even*groups*int64(n)*3 {
		return false
	}
	r.say("key groups: subtask %d of %s is busy for %d ms a second, for it has %d of the %d key groups while a subtask has %.1f on average, and gets %.1f times the mean of the records: no hot key. A pipeline.max-parallelism that is a multiple of the parallelism (%d), or many times as large, deals evenly; it is fixed with the state",
		at, r.s.Vertices[e.To].Name, r.v.Vertices[e.To].Tasks[at].Metrics.BusyTimeMsPerSecond, groups, most, float64(most)/float64(n), float64(share)/float64(max(1, even)), n)
	return true
}

// overloaded: a vertex whose thread is busy all the time while what it cannot do yet still fits the buffers before it.
func (r *run) overloaded() {
	for _, e := range r.s.Edges {
		for i := range r.v.Vertices[e.To].Tasks {
			if t := &r.v.Vertices[e.To].Tasks[i]; t.Metrics.BusyTimeMsPerSecond >= full && t.InUsed > 1 {
				if r.unevenGroups(e, i, t.Metrics.NumRecordsIn, r.mean(e.To, recordsIn)) {
					return
				}
				r.say("overloaded: subtask %d of %s is busy for %d ms a second, and the buffers before it fill, though %s is not back-pressured yet: barriers wait behind what stands there",
					i, r.s.Vertices[e.To].Name, t.Metrics.BusyTimeMsPerSecond, r.s.Vertices[e.From].Name)
				return
			}
		}
	}
}

func busy(m *core.TaskMetrics) int64          { return m.BusyTimeMsPerSecond }
func backPressured(m *core.TaskMetrics) int64 { return m.BackPressuredTimeMsPerSecond }

func recordsIn(m *core.TaskMetrics) int64 { return m.NumRecordsIn }

// most is the greatest gauge of a vertex's subtasks.
func (r *run) most(v int, of func(*core.TaskMetrics) int64) (n int64) {
	for i := range r.v.Vertices[v].Tasks {
		n = max(n, of(&r.v.Vertices[v].Tasks[i].Metrics))
	}
	return n
}

// mean is a gauge over a vertex's subtasks.
func (r *run) mean(v int, of func(*core.TaskMetrics) int64) int64 {
	sum, tasks := int64(0), r.v.Vertices[v].Tasks
	for i := range tasks {
		sum += of(&tasks[i].Metrics)
	}
	return sum / int64(max(1, len(tasks)))
}

// inFlight: an unaligned checkpoint stores more of what is in flight than of state.
func (r *run) inFlight() {
	list := r.completed(1)
	if len(list) == 0 {
		return
	}
	size, persisted := int64(0), int64(0)
	for i := range list[0].Tasks {
		size, persisted = size+list[0].Tasks[i].Size, persisted+list[0].Tasks[i].Persisted
	}
	if persisted >= 1<<20 && persisted > size-persisted {
		r.say("in flight: checkpoint %d stores %s of in-flight data and %s of state: its upload is the buffers'. Debloating or fewer buffers a channel make it smaller", list[0].ID, bytes(persisted), bytes(size-persisted))
	}
}

// transactions: one that is open for nearly as long as the broker allows.
func (r *run) transactions() {
	list := r.completed(history)
	longest := event.Time(0)
	for _, c := range list {
		longest = max(longest, c.Ended-c.Triggered)
	}
	need := max(r.s.Options.Interval, longest) + longest
	for v := range r.s.Vertices {
		s := &r.s.Vertices[v]
		limit := s.OpenAtMost()
		if s.Kind != core.Sink || s.Guarantee != core.ExactlyOnce || len(list) == 0 || need < limit/10*8 {
			continue
		}
		r.say("transactions: those of %s are open for up to %s, an interval and a checkpoint's duration, and the broker aborts them after %s; a pause of the job comes on top. "+
			"transaction.timeout.ms has to be above the longest downtime, too", s.Name, span(need), span(limit))
	}
}

// stalled: RocksDB has slowed or stopped writes.
func (r *run) stalled() {
	for v := range r.v.Vertices {
		for i := range r.v.Vertices[v].Tasks {
			t := &r.v.Vertices[v].Tasks[i]
			if d := event.Time(t.Keyed.StallMicros) * event.Microsecond; t.Stateful && d > r.v.At/100 {
				r.say("write stalls: RocksDB of subtask %d of %s has held writes up for %s (%s waits for compaction, %d files at level 0): flushes come faster than compactions. "+
					"More background threads, larger memtables or a faster disk help", i, r.v.Vertices[v].Name, span(d), bytes(t.Keyed.EstimatePendingCompactionBytes), levelZero(&t.Keyed))
				return
			}
		}
	}
}

func levelZero(s *core.StateView) int64 {
	if len(s.NumFilesAtLevel) == 0 {
		return 0
	}
	return int64(s.NumFilesAtLevel[0])
}

// fullDisk is the share of what all local disks can move, per mille, from which they set the pace.
const fullDisk = 900

// disks: flushes and compactions move what the local disks can.
func (r *run) disks() {
	if a := &r.v.Account; a.DiskMill >= fullDisk {
		burst := ""
		if r.s.Cluster.Disk.Burst > 0 {
			burst = ". Their burst credits carry them for a while only: what lasts is the base rate"
		}
		r.say("disks: flushes, compactions and snapshots moved %s of what the local disks sustain: the disks set the pace, not the processors%s", number(int(a.DiskMill/10))+" %", burst)
	}
}

// answers: all requests that may be under way are, so that the thread waits for answers.
func (r *run) answers() {
	for v := range r.v.Vertices {
		waits := 0
		for i := range r.v.Vertices[v].Tasks {
			if t := &r.v.Vertices[v].Tasks[i]; t.MayBe > 0 && t.UnderWay >= t.MayBe && t.Metrics.BusyTimeMsPerSecond >= full {
				waits++
			}
		}
		if x := &r.s.Vertices[v].Async; waits > 0 && 2*waits >= len(r.v.Vertices[v].Tasks) {
			r.say("asynchronous I/O: %s has all of its %d requests under way and waits for answers, which Flink counts as busy: at an answer after %s a subtask can do no more than %d records a second. A larger capacity or a faster service helps, not more processor time",
				r.v.Vertices[v].Name, x.Capacity, span(x.Latency+x.Spread/2), int64(x.Capacity)*event.Second/max(1, x.Latency+x.Spread/2))
			return
		}
	}
}

// silent: a source without records and without an idleness timeout holds the watermark of all.
func (r *run) silent() {
	for v := range r.v.Vertices {
		m := &r.s.Vertices[v].Watermarks
		if r.s.Vertices[v].Kind != core.Source || !m.On || m.Idle > 0 || m.Align.Group != "" {
			continue
		}
		if n, tasks := r.s.Vertices[v].Logs(), r.s.Vertices[v].Parallelism; n < tasks {
			r.say("watermark: %s has %d subtasks for %d partitions; those without one never make a watermark, so that none passes behind them; with an idleness timeout (withIdleness) they would count as idle", r.v.Vertices[v].Name, tasks, n)
			return
		}
		for i := range r.v.Vertices[v].Tasks {
			t := &r.v.Vertices[v].Tasks[i]
			if behind := r.v.At/event.Millisecond - t.Metrics.CurrentOutputWatermark; t.State == core.Running && t.RateOut == 0 && t.Log.Arrived == t.Log.Read && behind > (m.Bound+m.Behind)/event.Millisecond+60_000 && behind < 1<<50 {
				r.say("watermark: subtask %d of %s gets no record and holds the watermark %s back for all behind it; with an idleness timeout (withIdleness) it would count as idle. Barriers do not wait for it",
					i, r.v.Vertices[v].Name, span(behind*event.Millisecond))
				return
			}
		}
	}
}

// ended: event time is over for a task although a source still runs, since a finished one said so and the others were idle.
func (r *run) ended() {
	done, runs := "", ""
	for v := range r.v.Vertices {
		for i := range r.v.Vertices[v].Tasks {
			switch t := &r.v.Vertices[v].Tasks[i]; {
			case r.s.Vertices[v].Kind != core.Source || !r.s.Vertices[v].Watermarks.On:
			case t.State == core.Finished:
				done = r.s.Vertices[v].Name
			case t.Metrics.CurrentOutputWatermark != core.LastWatermark:
				runs = r.s.Vertices[v].Name
			}
		}
	}
	if done == "" || runs == "" {
		return
	}
	for v := range r.v.Vertices {
		for i := range r.v.Vertices[v].Tasks {
			if t := &r.v.Vertices[v].Tasks[i]; t.State != core.Finished && t.Metrics.CurrentInputWatermark == core.LastWatermark {
				r.say("event time: that of subtask %d of %s is at its end although %s still runs: %s has finished, which says that nothing is to come, and while %s was idle nothing else held the watermark (FLINK-38477). All that has come since then is late, and windows drop it. An idleness timeout (withIdleness) that is longer than its pauses, or none, keeps that from happening",
					i, r.s.Vertices[v].Name, runs, done, runs)
				return
			}
		}
	}
}

// gaveUp: the job failed for good.
func (r *run) gaveUp() {
	restarts := r.v.Coord.Restarts - r.v.Coord.Rescales // those that the strategy has allowed
	switch {
	case !r.v.Coord.JobFailed:
	case r.s.Options.Interval == 0 && r.v.Coord.Completed == 0:
		r.say("failed: the job has failed for good: without execution.checkpointing.interval no checkpoint is taken, and then Flink does not restart a job unless restart-strategy.type is set; what it had read is gone with it")
	case len(r.h.Refusals) == 0 && r.s.Options.Restart == option.RestartFixedDelay && restarts >= int64(r.s.Options.RestartAttempts):
		r.say("failed: the job has failed for good after %d restarts, for restart-strategy.fixed-delay.attempts is %d: it counts all failures since the start, however long the job ran well between them. exponential-delay begins anew after a quiet time", restarts, r.s.Options.RestartAttempts)
	case len(r.h.Refusals) == 0 && r.s.Options.Restart == option.RestartFailureRate:
		r.say("failed: the job has failed for good after %d restarts, for more than %d failures (restart-strategy.failure-rate.max-failures-per-interval) came within %s (failure-rate-interval)", restarts, r.s.Options.RestartFailures, span(r.s.Options.RestartFailureInterval))
	default:
		r.say("failed: the job has failed for good after %d restarts: the restart strategy allows no further one, or it could not start from its checkpoint", restarts)
	}
}
