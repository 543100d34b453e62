package reference

import (
	"slices"

	"checkpointlab/core"
	"checkpointlab/core/event"
)

// process is one of the job's processes: a task manager, or the JobManager. Whatever happens in one that stands still happens when
// it goes on, in the order in which it would have; what its threads work at takes so much longer.
type process struct {
	of           *Run
	number       int // of the task manager; -1 = the JobManager
	since, until event.Time
	cut          bool // of the JobManager: the task managers have given up their tasks
}

// taken in place of the instant since which a task manager stands still: it was taken for lost.
const taken event.Time = -1

// master is the JobManager's process, in which its coordinators, its scheduler and its restarts are.
func (r *Run) master() *process { return r.process(-1) }

func (t *task) home() *process { return t.run.process(t.run.manager(t)) }

func (r *Run) process(number int) *process {
	if r.processes[number] == nil {
		r.processes[number] = &process{of: r, number: number}
	}
	return r.processes[number]
}

func (p *process) still() bool { return p.of.now < p.until }

// anyStill tells whether some process stands still.
func (r *Run) anyStill() bool {
	for _, p := range r.processes {
		if p.still() {
			return true
		}
	}
	return false
}

// tasks are those that run there.
func (p *process) tasks() (on []*task) {
	for _, t := range p.of.tasks {
		if p.number == p.of.manager(t) {
			on = append(on, t)
		}
	}
	return on
}

// pause lets a process stand still.
func (r *Run) pause(a *core.Action) {
	p := r.master()
	if !a.Master {
		for _, t := range r.all {
			if t.vertexIndex == a.Vertex && t.index == max(0, a.Subtask) {
				p = t.home()
			}
		}
		if len(p.tasks()) == 0 {
			return
		}
	}
	until, longer := r.now+a.For, a.For
	if p.still() {
		longer = until - p.until
	} else {
		p.since = r.now
	}
	if longer <= 0 {
		return
	}
	since := p.since
	p.until = until
	r.tell(event.Event{Kind: event.ProcessStalled, Task: event.Task(p.number), N: a.For})
	r.agenda.after(until, func() { p.goOn(until) })
	missed := event.Never
	if since != taken {
		missed = r.noticed(since, true)
	}
	if missed <= until {
		who := r.master()
		if a.Master {
			who = nil
		}
		r.agenda.afterIn(who, missed, func() {
			if p.until >= r.now && p.since == since {
				p.missed(a.Back > 0)
			}
		})
	}
	r.stallStorage(p, true)
	if a.Master {
		return
	}
	free := until
	if a.Back > 0 && missed <= until {
		free = min(free, r.now+a.Back)
	}
	r.slotsAt[p.number] = max(r.slotsAt[p.number], free)
	for _, t := range p.tasks() {
		for _, end := range t.ends {
			*end += longer
		}
		if t.deafUntil > 0 && t.deafUntil < event.Never {
			t.deafUntil += longer
		}
	}
}

func (r *Run) stallStorage(p *process, still bool) {
	if r.vault != nil {
		r.vault.store.Stall(r.now, int32(p.number), still)
		r.vault.plan()
	}
}

func (p *process) goOn(at event.Time) {
	if p.until != at {
		return
	}
	r := p.of
	r.stallStorage(p, false)
	r.tell(event.Event{Kind: event.ProcessResumed, Task: event.Task(p.number)})
	p.until = 0
	if p.cut {
		p.cut = false
		r.detectLost()
	}
}

// giveUp forgets a process that has ended or was replaced.
func (p *process) giveUp() {
	if p.still() {
		p.until, p.cut = 0, false
		p.of.stallStorage(p, false)
	}
}

// missed is heartbeats that have not come for too long: a task manager's tasks are lost, or all tasks if it is the JobManager that
// is silent, which then does not know yet.
func (p *process) missed(replaced bool) {
	r := p.of
	if p.number < 0 {
		for _, t := range r.tasks {
			p.cut = t.gone(p.until) || p.cut
			r.diskLost(r.manager(t))
		}
		return
	}
	r.diskLost(p.number)
	if p.since = taken; replaced {
		p.giveUp()
		r.unthrottle(p.number)
		here := map[*task]bool{}
		for _, t := range p.tasks() {
			here[t] = t.end.finished
		}
		for _, c := range r.loseOutput(here) {
			c.gate.consumer.failsAt(r.now + r.setup.Control.Net)
		}
	}
	var lost []*task
	for _, t := range p.tasks() {
		if t.gone(r.now) {
			lost = append(lost, t)
		}
	}
	if len(lost) > 0 {
		r.detect(lost[0])
	}
}

// gone is a task that stops without a word; false: it was not there.
func (t *task) gone(known event.Time) bool {
	if !t.alive {
		return false
	}
	t.stop()
	t.lost = true
	for _, c := range t.run.channels {
		if c.partition.producer == t || c.gate.consumer == t {
			c.breaks()
		}
	}
	t.goneAt = max(t.goneAt, known)
	return true
}

func (r *Run) detectLost() {
	for _, t := range r.tasks {
		if t.lost && t.attempt == nil {
			r.detect(t)
			return
		}
	}
}

// fails is a task that fails by itself, behind everything of this instant.
func (t *task) fails() { t.failsAt(t.run.now) }

func (t *task) failsAt(at event.Time) {
	t.later(at, func() {
		if t.alive {
			t.failsNow()
		}
	})
}

// failsNow is a running task that fails.
func (t *task) failsNow() {
	r := t.run
	if !r.master().still() {
		r.fail(r.region(t), t.id)
		return
	}
	t.gone(r.now)
	r.agenda.afterIn(r.master(), r.now, func() { r.detect(t) })
}

// awaitProcess lets a restart wait for a cancelled task until its process goes on or is taken for lost.
func (t *task) awaitProcess() {
	if p := t.home(); t.alive && p.still() {
		t.goneAt = max(t.goneAt, min(p.until, t.run.noticed(p.since, true)))
	}
}

// takes is work of the task, or of something beside its thread, that is done after a while, if its process does not stand still.
func (t *task) takes(span event.Time, done func()) {
	t.works(span, func(at event.Time, do func()) { t.later(at, do) }, done)
}

// takesRecord is a record, or a timer, that takes the thread so long.
func (t *task) takesRecord(span event.Time) {
	t.working = true
	t.works(span, func(at event.Time, do func()) { t.run.agenda.recordEnd(at, t.id, t.inThisLife(do)) }, t.finish)
}

func (t *task) works(span event.Time, schedule func(event.Time, func()), done func()) {
	end := t.run.now + span
	t.ends = append(t.ends, &end)
	var look func()
	look = func() {
		if t.run.now < end {
			schedule(end, look)
			return
		}
		t.ends = slices.DeleteFunc(t.ends, func(e *event.Time) bool { return e == &end })
		done()
	}
	schedule(end, look)
}

// asksMaster tells what the JobManager is asked for.
func asksMaster(do core.Do) bool {
	switch do {
	case core.Trigger, core.Savepoint, core.Stop, core.Backlog, core.RescaleJob, core.RestoreJob:
		return true
	}
	return false
}
