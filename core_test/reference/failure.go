package reference

import (
	"maps"

	"checkpointlab/core"
	"checkpointlab/core/barrier"
	"checkpointlab/core/checkpoint"
	"checkpointlab/core/event"
	"checkpointlab/core/failover"
)

// startTasks lets the tasks of an attempt run: at the start of the job, and after a failure from the checkpoint that is restored.
func (r *Run) startTasks(a *attempt) {
	if len(r.with(a)) == 0 || r.failed {
		return
	}
	on := event.Time(0)
	for _, t := range r.with(a) {
		on = max(on, t.home().until)
	}
	if r.now < on { // where they are to run stands still
		r.agenda.afterIn(r.master(), on, func() { r.startTasks(a) })
		return
	}
	s := r.saves[a.restored]
	back := map[*task]bool{}
	if s != nil && a.restored == event.Checkpoint(r.setup.Options.WithoutFlow) {
		s.flow = nil
	}
	for _, t := range r.downstream {
		if t.attempt == a {
			back[t] = true
			t.attempt = nil
			t.start(s)
			t.behind = t.log != nil && t.log.next < t.log.past
		}
	}
	if s != nil {
		r.refill(s, back)
	}
	for _, t := range r.tasks {
		if t.attempt != nil {
			if r.follows() == byTasks {
				r.tasksRun()
			}
			return
		}
	}
	r.running, r.fresh = true, r.now+r.setup.Control.Restore
	r.tellBacklog()
	r.tasksRun()
}

// start lets a task run, from what it has stored in a checkpoint if there is one.
func (t *task) start(s *save) {
	r := t.run
	t.alive, t.lost = true, false
	t.in, t.out = 0, 0 // counters belong to one attempt
	t.end, t.turn, t.next = ending{}, 0, nil
	t.do(idle)
	t.handler = barrier.New(barrier.KindOf(&r.setup.Options), len(t.inputs), r.setup.Options.AfterTasksFinish)
	t.uploads = map[event.Checkpoint]*upload{}
	t.seen, t.seenBy = 0, make([]int64, len(t.gates))
	if s != nil {
		t.seen = s.next[t]
		copy(t.seenBy, s.seenBy[t])
	}
	if t.log != nil {
		t.log.next = t.seen
	}
	t.restoreState(s)
	t.locked = t.holdsLock(true)
	t.awaits = s != nil && t.log != nil && t.vertex.Lock == core.NoLock && r.setup.Options.PauseSources && r.setup.Options.Interval > 0
	t.windows, t.asking = windows{open: map[int64]pane{}}, asking{asked: t.asking.asked}
	if s != nil {
		maps.Copy(t.windows.open, s.windows[t])
	}
	for _, p := range t.outs {
		p.emitted = 0
		if s != nil {
			p.emitted = s.emitted[p]
		}
	}
	first, firstMark := t.firstFlush(), t.firstMark()
	if r.setup.Options.BufferTimeout > 0 && len(t.outs) > 0 {
		t.flushAt(first)
	}
	if s != nil {
		for _, one := range s.asked[t] {
			t.sendRequest(one)
		}
	}
	t.startDebloating()
	t.startEventTime(firstMark)
	t.watchEnd()
	t.commitOwed()
	t.wake(r.now)
	if t.hasRestored(s) {
		r.starting[t] = true
		r.tell(event.Event{Kind: event.TaskInitializing, Task: t.id})
		return
	}
	t.runs()
}

// firstFlush is when a flusher ticks first: flushers of a real cluster lie to each other by chance (mechanisms 12).
func (t *task) firstFlush() event.Time {
	r := t.run
	switch {
	case r.setup.Options.BufferTimeout <= 0:
		return event.Never
	case r.setup.FlusherPhase == core.PhaseAligned:
		return r.now + t.flushPeriod/2
	default:
		return r.now + 1 + r.random.Int64n(t.flushPeriod)
	}
}

// stop ends a task: what it has in hand and in its mailbox is gone.
func (t *task) stop() {
	v := t.run.vault
	if v != nil {
		v.store.Leave(t.run.now, t.id)
		v.plan()
	}
	if t.end.finished {
		t.life++
	}
	t.end = ending{}
	if !t.alive {
		return
	}
	if v != nil {
		v.leave(t, 0)
	}
	t.do(off)
	if t.log != nil && t.working {
		t.log.next-- // it was taken from the log and is not read
	}
	t.alive, t.working, t.willLook, t.turn = false, false, false, 0
	t.life++
	t.deafUntil, t.ends = 0, nil
	t.batch = batch{}
	t.mailbox, t.held, t.writing, t.uploads, t.next = nil, nil, nil, nil, nil
	t.windows, t.asking = windows{}, asking{asked: t.asking.asked}
}

// fail is a failure (cause -1: of the job as a whole): the tasks of the region are cancelled with all that is under way
// between them, pending checkpoints are aborted, and the restart strategy decides (spec 9.3).
func (r *Run) fail(region []*task, cause event.Task) {
	r.tell(event.Event{Kind: event.TaskFailed, Task: cause})
	a := r.cancel(region)
	backoff, restart := r.strategy.OnFailure(r.now, &r.random)
	if !restart {
		r.cancel(r.tasks)
		r.failed = true
		r.over(checkpoint.JobFailed)
		r.tell(event.Event{Kind: event.JobFailed})
		return
	}
	r.comeBack(a, backoff)
}

// comeBack lets the tasks start again after a while.
func (r *Run) comeBack(a *attempt, span event.Time) {
	r.tell(event.Event{Kind: event.JobRestarting, A: span})
	r.agenda.afterIn(r.master(), r.now+span, func() { r.redeploy(a) })
}

// elect is another JobManager that leads after a while: it counts restarts and failed checkpoints anew. The old one has freed its
// slots, with which the local copies go.
func (r *Run) elect(span event.Time) {
	if r.failed || r.jobFinished {
		return
	}
	r.elected = r.now
	r.master().giveUp()
	r.tell(event.Event{Kind: event.TaskFailed, Task: -1})
	a := r.cancel(r.tasks)
	r.carryOut(r.coordinator.Cancel(r.now, nil))
	r.coordinator.ChangeLeader()
	for _, t := range r.all {
		t.diskSince = r.now + 1
	}
	if r.vault != nil {
		r.vault.recover()
	}
	r.intact = true
	r.strategy = failover.New(&r.setup.Options)
	r.comeBack(a, span)
}

// cancel stops tasks with all that is under way between them.
func (r *Run) cancel(region []*task) *attempt {
	if r.stopped {
		region = r.tasks
	}
	listens := r.listens()
	if r.stopping && !listens {
		r.apart = len(region)
	}
	r.stopping, r.stopped, r.rescale = false, false, 0
	r.running = false
	for _, t := range region {
		t.awaitEnd()
		t.stop()
		delete(r.starting, t)
		t.knownEnded, t.knownFinished = false, false
		r.coordinator.Revive(t.id)
	}
	r.intact, r.heard = false, false
	r.carryOut(r.coordinator.LeaveRunning(r.now, listens, nil))
	r.dropInFlight(region)
	return r.again(region)
}

// dropInFlight empties the channels between cancelled tasks.
func (r *Run) dropInFlight(region []*task) {
	for _, t := range region {
		for _, p := range t.outs {
			p.pool, p.last = p.newPool(), nil
			p.sending = sending{life: p.sending.life + 1}
			for _, c := range p.channels {
				c.reset()
			}
		}
		for _, g := range t.gates {
			g.line, g.urgent, g.restored, g.hand, g.handFrom = nil, 0, 0, nil, nil
			g.credits = g.newCredits()
		}
	}
}

// redeploy is the end of the back-off: the tasks are restored from the latest completed checkpoint.
func (r *Run) redeploy(a *attempt) {
	if len(r.with(a)) == 0 || r.failed || r.waits(a) {
		return
	}
	a.restored, _ = r.coordinator.LatestCompleted()
	for _, t := range r.with(a) {
		if t.writer != nil {
			t.recover(a.restored, false)
		}
	}
	for _, t := range r.with(a) {
		e := event.Event{Kind: event.TaskRestored, Task: t.id, Checkpoint: a.restored}
		if s := r.saves[a.restored]; s != nil {
			e.A = s.next[t]
		}
		r.tell(e)
	}
	a.began = r.now
	r.restore(a)
}
