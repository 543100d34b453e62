package finding

import (
	"fmt"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
)

// longDown is how long a job has to be down after a failure to be asked what it waited for.
const longDown = 30 * event.Second

// downtime says what the last long restart waited for: reading the state, or that somebody noticed.
func (r *run) downtime() {
	r.unnoticed()
	f, c := r.lastRestore(), &r.v.Account.Recovery
	if f == nil || f.RunningAt-f.At < longDown || c.Bytes == 0 || 2*c.Reading < f.RunningAt-f.At {
		return
	}
	o := &r.s.Options
	remedy := "The fewer bytes a task manager has to read, or the faster it may, the sooner it runs"
	if !(o.FromLocal && o.LocalBackup) && f.Cause != event.ManagerLost {
		remedy = "With execution.state-recovery.from-local and execution.checkpointing.local-backup.enabled a task whose machine is still there reads a copy on it"
	}
	if v := r.united(); v >= 0 {
		remedy = fmt.Sprintf("Most is union list state: each of the %d subtasks of %s reads the files of all of them. Files below execution.checkpointing.data-inline-threshold go to the tasks with their deployment; list state that is split, and keyed state, only its own subtask reads", r.s.Vertices[v].Parallelism, r.s.Vertices[v].Name)
	}
	r.say("downtime: the last restart took %s. A checkpoint like the last one is %s to read again, for which the slowest task manager needs %s. %s", span(f.RunningAt-f.At), bytes(c.Bytes), span(c.Reading), remedy)
}

// united is the vertex whose subtasks read most files of a restore because each reads the union state of all; -1 = none.
func (r *run) united() int {
	for v := range r.s.Vertices {
		n := int64(r.s.Vertices[v].Parallelism)
		for i := range r.s.Vertices[v].State {
			if stateKind(&r.s.Vertices[v].State[i]) == "union" && n > 1 && n*n*2 > r.v.Account.Recovery.Files && n*n <= r.v.Account.Recovery.Files {
				return v
			}
		}
	}
	return -1
}

// unnoticed: a task manager that fell silent is only missed after its heartbeats' timeout.
func (r *run) unnoticed() {
	for i := range r.s.Script {
		a := &r.s.Script[i]
		if a.Do != core.Lose || !a.Silent {
			continue
		}
		for k := range r.h.Failures {
			f := &r.h.Failures[k]
			if f.Cause == event.ManagerLost && f.At >= a.At && f.At <= a.At+2*r.s.Options.HeartbeatTimeout {
				r.say("unnoticed: a TaskManager fell silent at %s, and it took %s until that was noticed (heartbeat.timeout is %s): no checkpoint completed meanwhile, and nothing was committed. A shorter timeout notices sooner, and takes a pause of a JVM for a loss",
					option.FormatDuration(a.At), span(f.At-a.At), option.FormatDuration(r.s.Options.HeartbeatTimeout))
				return
			}
		}
	}
}

// aligned: a savepoint waits behind the records although the checkpoints do not.
func (r *run) aligned() {
	if !r.s.Options.Unaligned {
		return
	}
	half, ok := usual(r.completed(1 << 20))
	for i := len(r.h.Checkpoints) - 1; i >= 0 && ok; i-- {
		c := &r.h.Checkpoints[i]
		if !c.Savepoint || c.Outcome != core.Completed || c.Duration() < max(leastSlow, outstanding*half) {
			continue
		}
		at, known := lastTo(c)
		if !known {
			return
		}
		hop, waited := r.longestHop(c, at)
		if 2*waited > c.Duration() {
			r.say("savepoint: %d took %s, but half of the checkpoints no more than %s: savepoints are always aligned, also where execution.checkpointing.unaligned.enabled is true. Its barrier waited longest before %s (%s), behind the records there; less in flight (debloating) or a faster vertex shortens that",
				c.ID, span(c.Duration()), span(half), r.name(hop), span(waited))
		}
		return
	}
}
