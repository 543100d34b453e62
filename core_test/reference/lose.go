package reference

import (
	"slices"

	"checkpointlab/core"
	"checkpointlab/core/event"
)

// slotRequest is how long a job waits for slots (slot.request.timeout).
const slotRequest = 300 * event.Second

// lose is a task manager that is gone with its tasks. Nothing passes their channels any more; the others go on until
// somebody notices.
func (r *Run) lose(a *core.Action) {
	var gone []*task
	which := 0
	for _, t := range r.all { // of this phase or not
		if t.vertexIndex == a.Vertex && t.index == max(0, a.Subtask) {
			which = r.manager(t)
		}
	}
	on := map[*task]bool{}
	noticed := r.noticed(r.now, a.Silent)
	r.slotsAt[which] = max(r.slotsAt[which], r.now+a.Back)
	for _, t := range r.tasks {
		if on[t] = r.manager(t) == which; !on[t] {
			continue
		}
		t.goneAt = max(t.goneAt, noticed)
		if t.alive {
			gone = append(gone, t)
		}
	}
	for _, t := range gone {
		t.gone(0)
	}
	r.diskLost(which)
	r.process(which).giveUp()
	r.unthrottle(which)
	for _, c := range r.channels { // a connection over the network breaks at once
		if p, q := c.partition.producer, c.gate.consumer; !a.Silent && on[p] != on[q] && !c.ended() && (p.alive || q.alive) {
			noticed = r.now + r.setup.Control.Net
		}
	}
	if len(gone) > 0 {
		r.agenda.afterIn(r.master(), noticed, func() { r.detect(gone[0]) })
	}
	left := map[*task]bool{}
	for _, t := range r.tasks {
		left[t] = on[t] && t.end.finished || slices.Contains(gone, t)
	}
	for _, c := range r.loseOutput(left) {
		if a.Silent {
			c.fallsSilent()
		} else if c.partition.producer.end.finished {
			c.gate.consumer.failsAt(r.now + r.setup.Control.Net)
		}
	}
}

// diskLost is a task manager's disk that is gone with all that its tasks have stored there.
func (r *Run) diskLost(manager int) {
	for _, t := range r.all {
		if r.manager(t) == manager {
			t.diskSince = r.now + 1
		}
	}
}

// loseOutput lets nothing pass any more from these tasks, which are lost or have finished. It returns the channels that others still read.
func (r *Run) loseOutput(of map[*task]bool) (read []*channel) {
	for _, c := range r.channels {
		p, q := c.partition.producer, c.gate.consumer
		if !of[p] {
			continue
		}
		if q.alive && r.manager(p) != r.manager(q) && !c.ended() {
			read = append(read, c)
		}
		if p.end.finished {
			c.breaks()
		}
	}
	return read
}

// fallsSilent is a producer of which the consumer hears nothing more, not even that it is gone. Probes on the idle connection tell, or
// what the consumer sends and nobody acknowledges.
func (c *channel) fallsSilent() {
	o := &c.run.setup.Options
	c.silent, c.unheard = true, false
	c.timesOut(event.Time(o.KeepIdle+o.KeepInterval*o.KeepCount)*event.Second, func() bool { return !c.unheard })
}

// timesOut lets the consumer fail after a while if the connection is given up then.
func (c *channel) timesOut(after event.Time, ends func() bool) {
	life, q := c.life, c.gate.consumer
	c.run.agenda.afterIn(q.home(), c.run.now+after, func() {
		if c.life == life && q.alive && ends() {
			q.failsNow()
		}
	})
}

// ended reports whether the consumer has the end of the partition.
func (c *channel) ended() bool {
	return c.partition.producer.end.finished && len(c.queue) == 0 && len(c.wire) == 0 && c.received.Len() == 0
}

// breaks lets nothing pass any more.
func (c *channel) breaks() {
	c.life++
	c.broken, c.wire = true, nil
}

// noticed is when the coordinator takes a task manager for dead (spec 9.3): heartbeat.timeout behind the last heartbeat, or,
// if its process has ended, when enough heartbeats have failed.
func (r *Run) noticed(at event.Time, silent bool) event.Time {
	o := &r.setup.Options
	last := r.setup.Control.LogLead
	for last+o.HeartbeatInterval <= at {
		last += o.HeartbeatInterval
	}
	noticed := last + o.HeartbeatTimeout
	if !silent && o.HeartbeatFailures >= 0 {
		noticed = min(noticed, last+int64(max(1, o.HeartbeatFailures))*o.HeartbeatInterval)
	}
	return noticed
}

// awaitEnd lets a restart wait for a cancelled task that no interrupt ends. After the timeout its process ends, with all
// tasks that run there, and that has to be noticed.
func (t *task) awaitEnd() {
	r, end := t.run, t.deafUntil
	t.awaitProcess()
	if most := r.setup.Options.CancelTimeout; end > 0 && most > 0 && end > r.now+most {
		r.agenda.afterIn(t.home(), r.now+most, func() { r.lose(&core.Action{Vertex: t.vertexIndex, Subtask: t.index}) })
		end = r.noticed(r.now+most, false)
	}
	t.goneAt = max(t.goneAt, end)
}

// detect lets all lost tasks fail with their regions, unless they are about to start anew or have.
func (r *Run) detect(first *task) {
	if !first.lost || first.attempt != nil || r.failed || r.jobFinished {
		return
	}
	in := map[*task]bool{}
	for _, t := range r.tasks {
		if t.lost && t.attempt == nil {
			for _, o := range r.region(t) {
				in[o] = true
			}
		}
	}
	var all []*task
	for _, t := range r.tasks {
		if in[t] {
			all = append(all, t)
		}
	}
	r.fail(all, first.id)
}

// waits lets an attempt wait until those of its tasks that are gone are known to be, and until there are slots; one that gets none
// fails.
func (r *Run) waits(a *attempt) bool {
	goneAt, slotsAt := event.Time(0), event.Time(0)
	for _, t := range r.with(a) {
		goneAt, slotsAt = max(goneAt, t.goneAt), max(slotsAt, r.slotsAt[r.manager(t)])
	}
	if r.now < goneAt {
		if goneAt < event.Never {
			r.agenda.afterIn(r.master(), goneAt, func() { r.redeploy(a) })
		}
		return true
	}
	turns := !a.due
	if a.due = true; turns && r.follows() == byJob && r.allDue() {
		r.carryOut(r.coordinator.Start(r.now, r.firstDelay(), nil))
	}
	r.carryOut(r.coordinator.Restart(r.now, nil))
	switch {
	case len(r.with(a)) == 0:
	case r.now >= slotsAt:
		return false
	case slotsAt-r.now > slotRequest:
		r.agenda.afterIn(r.master(), r.now+slotRequest, func() {
			if tasks := r.with(a); len(tasks) > 0 {
				r.fail(tasks, -1)
			}
		})
	default:
		r.agenda.afterIn(r.master(), slotsAt, func() { r.redeploy(a) })
	}
	return true
}
