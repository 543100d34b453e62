package finding

import (
	"checkpointlab/core"
	"checkpointlab/core/event"
)

// stood: a process that stood still as a whole, the longest of each kind. Unlike a thread that hangs it takes its heartbeats with it.
func (r *run) stood() {
	var manager, master *core.StallRecord
	for i := range r.h.Stalls {
		switch s := &r.h.Stalls[i]; {
		case s.Manager < 0 && (master == nil || s.For > master.For):
			master = s
		case s.Manager >= 0 && len(s.Tasks) > 0 && (manager == nil || s.For > manager.For):
			manager = s
		}
	}
	if manager != nil {
		r.managerStood(manager)
	}
	if master != nil {
		r.masterStood(master)
	}
}

func (r *run) managerStood(s *core.StallRecord) {
	timeout := span(r.s.Options.HeartbeatTimeout)
	if r.missed(s) {
		r.say("pause: the whole process of a TaskManager stood still from %s on for %s, with %s and all that runs there (subtasks in it: %d): their threads, the network and the heartbeats stopped together. After heartbeat.timeout (%s) the JobManager took it for lost and restarted its tasks. This is a garbage collection or a container without processor time, not an operator that hangs; a longer heartbeat.timeout saves the restart, not the pause",
			span(s.At), span(s.For), r.name(int(s.Tasks[0])), len(s.Tasks), timeout)
		return
	}
	r.say("pause: the whole process of a TaskManager stood still from %s on for %s, with %s and all that runs there (subtasks in it: %d): their threads, the network and the heartbeats stopped together, and barriers and records waited. heartbeat.timeout (%s) was not reached, so that no restart came of it. This is a garbage collection or a container without processor time, not an operator that hangs: none of its methods shows it",
		span(s.At), span(s.For), r.name(int(s.Tasks[0])), len(s.Tasks), timeout)
}

func (r *run) masterStood(s *core.StallRecord) {
	if r.missed(s) {
		r.say("pause: the JobManager's process stood still from %s on for %s, longer than heartbeat.timeout (%s): every TaskManager missed its heartbeats and failed its tasks, which could restart only when it went on", span(s.At), span(s.For), span(r.s.Options.HeartbeatTimeout))
		return
	}
	r.say("pause: the JobManager's process stood still from %s on for %s: no checkpoint was triggered, acknowledged or timed out meanwhile, while the tasks went on. A checkpoint under way counts that time as its own, though no task was slow", span(s.At), span(s.For))
}

// missed reports whether heartbeats were missed for too long: a loss was noticed while the process stood still, or as it went on.
func (r *run) missed(s *core.StallRecord) bool {
	for i := range r.h.Failures {
		if f := &r.h.Failures[i]; f.Cause == event.ManagerLost && f.At > s.At && f.At <= s.At+s.For {
			return true
		}
	}
	return false
}
