package sample

import (
	"checkpointlab/core"
	"checkpointlab/core/event"
)

// History is a run like the main mock's: a checkpoint every ten seconds, a slower sink from 30 s on, 90 s long. The numbers
// are made by hand: latency rises by a second a second and drops at each commit to the pipeline's latency.
func History() *core.History {
	h := &core.History{}
	const end = 90
	after, last := event.Time(0), event.Time(0)
	duration := []event.Time{380, 380, 380, 1780, 2060, 2030, 2040, 2050}
	commit := 0
	for t := event.Time(0); t <= end*event.Second; t += core.SamplePeriod {
		pipe := 80 * event.Millisecond
		if t > 30*event.Second {
			pipe = min(1600*event.Millisecond, 80*event.Millisecond+(t-30*event.Second)/5)
		}
		for commit < len(duration) && at(commit, duration) <= t {
			c := at(commit, duration)
			age := after + c - last
			after, last = pipe+event.Time(max(0, commit-2))*event.Second+300*event.Millisecond, c
			add(h, commit, c, age, after, duration[commit]*event.Millisecond)
			commit++
		}
		h.Samples = append(h.Samples, core.Sample{At: t, OldestAge: after + t - last, Pipeline: pipe,
			Lag: max(0, (int64(t/event.Millisecond)-32_000)*2), InFlight: 700_000})
	}
	h.Moments = append(h.Moments, core.Moment{At: 30 * event.Second, Kind: event.ScriptDone})
	return h
}

// at is when a checkpoint completes: triggered every ten seconds.
func at(i int, duration []event.Time) event.Time {
	return event.Time(i+1)*10*event.Second + duration[i]*event.Millisecond
}

func add(h *core.History, i int, t, age, after, took event.Time) {
	id := event.Checkpoint(i + 1)
	h.Commits = append(h.Commits, core.CommitRecord{At: t, Checkpoint: id, Records: 99_336, Mean: (age + after) / 2,
		P99: age - (age-after)/100, Max: age, Min: after})
	h.Moments = append(h.Moments, core.Moment{At: t, Kind: event.Committed, ID: id})
	c := core.CheckpointRecord{ID: id, Triggered: t - took, Ended: t, Outcome: core.Completed}
	for k, share := range []event.Time{3, 3, 45, 83, 100, 100} {
		total := took * share / 100
		p := core.TaskPhases{Acked: c.Triggered + total, Sync: 14 * event.Millisecond, Async: min(total/2, 70*event.Millisecond)}
		if k >= 2 {
			p.Alignment = total / 4
		}
		p.StartDelay = max(0, total-p.Alignment-p.Sync-p.Async)
		c.Tasks = append(c.Tasks, p)
	}
	h.Checkpoints = append(h.Checkpoints, c)
}
