package core

import (
	"slices"

	"checkpointlab/core/event"
	"checkpointlab/core/sim"
)

// A process that stands still as a whole: garbage collection that stops the world, a container whose processor time is used up, a
// machine that swaps or is moved. Its threads, its network's threads, its timers and its heartbeats stand still together. What
// comes to it waits in its sockets, what its timers were set for comes late, in the order in which it would have come; work goes
// on where it was. Its connections stay open, so that its neighbours see nothing but silence.

// stalls is which processes stand still: 0 … n-1 are the task managers, n is the JobManager.
type stalls struct {
	until []event.Time // it goes on then; 0 or past = it does not stand still
	since []event.Time // … and began to stand still then
	last  event.Time   // the latest of until
	cut   bool         // task managers have missed the JobManager's heartbeats and given up their tasks; it does not know
}

// isLost in place of the instant since which a task manager stands still: it was taken for lost meanwhile.
const isLost event.Time = -1

// outside is no process: the world around them.
const outside = int32(-1)

func newStalls(managers int) stalls {
	return stalls{until: make([]event.Time, managers+1), since: make([]event.Time, managers+1)}
}

func (s *stalls) copyFrom(src *stalls) {
	copy(s.until, src.until)
	copy(s.since, src.since)
	s.last, s.cut = src.last, src.cut
}

func (s *stalls) master() int32 { return int32(len(s.until) - 1) }

// named is the number by which an event names a process.
func (s *stalls) named(p int32) event.Task {
	if p == s.master() {
		return -1
	}
	return p
}

// ends lets a process go on now at the latest.
func (s *stalls) ends(p int32) {
	s.until[p] = 0
	s.last = slices.Max(s.until)
}

// pauses reports whether the script lets a process stand still.
func (s *Setup) pauses() bool {
	return slices.ContainsFunc(s.Script, func(a Action) bool { return a.Do == Pause })
}

// pause lets a process stand still, or longer than it was to. Its task manager is lost if its heartbeats are missed meanwhile;
// when it goes on after that, it has been told so, or finds out itself, fails its tasks and registers anew with free slots
// (JobMaster.TaskManagerHeartbeatListener, TaskExecutor.JobManagerHeartbeatListener).
func (l *Lab) pause(now event.Time, a *Action) {
	s, p := &l.stalls, l.stalls.master()
	if !a.Master {
		m := l.managerOf(a.Vertex, max(0, a.Subtask))
		if len(l.onManager(m)) == 0 { // this phase of the job does without it
			return
		}
		p = int32(m)
	}
	from, until := max(now, s.until[p]), now+a.For
	if until <= from {
		return
	}
	if s.until[p] <= now {
		s.since[p] = now
	}
	s.until[p], s.last = until, max(s.last, until)
	l.feed.Emit(event.Event{At: now, Kind: event.ProcessStalled, Task: s.named(p), N: a.For})
	l.queue.Push(sim.Item{At: until, Kind: event.DueGoOn, A: p})
	missed := event.Never
	if s.since[p] != isLost {
		missed = l.noticed(s.since[p], true)
	}
	if missed <= until {
		it := sim.Item{At: missed, Kind: event.DueMissed, A: p, ID: s.since[p]}
		if a.Back > 0 {
			it.B = 1
		}
		l.queue.Push(it)
	}
	if l.world.Store != nil {
		l.world.Store.Stall(now, s.named(p), true)
	}
	if a.Master {
		return
	}
	free := until
	if a.Back > 0 && missed <= until {
		free = min(free, now+a.Back)
	}
	l.back.slotsAt[p] = max(l.back.slotsAt[p], free)
	for t := range l.world.Tasks {
		if l.world.Tasks[t].Manager == p {
			l.world.Freeze(now, event.Task(t), until-from)
		}
	}
}

// putOff lets what falls due in a process that stands still come when it goes on; false: it does not stand still.
func (l *Lab) putOff(it *sim.Item) bool {
	p := l.processOf(it)
	if p == outside || it.At >= l.stalls.until[p] {
		return false
	}
	late := *it
	late.At = l.stalls.until[p]
	if late.Kind == event.DueRun {
		l.queue.PushBehind(late, event.Turn(l.plan.setup.Seed, late.At, late.A))
	} else {
		l.queue.Push(late)
	}
	return true
}

// processOf is the process in which something happens. The ends of records are none of it: Freeze has moved them.
func (l *Lab) processOf(it *sim.Item) int32 {
	w := &l.world
	switch it.Kind {
	case event.DueRun, event.DueMail, event.DueFlush, event.DueSync, event.DueSyncLate, event.DueAsync, event.DueDebloat, event.DueBackend,
		event.DueEnd, event.DueMark, event.DueReport, event.DueFail, event.DueFatal, event.DueLog, event.DueMaterialize:
		return w.Tasks[it.A].Manager
	case event.DueDeliver, event.DueBacklog, event.DueTimedOut:
		if l.reaches(it) {
			return w.Tasks[w.Net.Wires[it.A].Consumer].Manager
		}
	case event.DueCredit, event.DueResume, event.DueSize, event.DueProcessed, event.DueAsked:
		if l.reaches(it) {
			return w.Tasks[w.Net.Wires[it.A].Producer].Manager
		}
	case event.DueSend:
		if int(it.A) < len(w.Net.Partitions) {
			return w.Tasks[w.Net.Wires[w.Net.Partitions[it.A].First].Producer].Manager
		}
	case event.DueRequest, event.DueRetry, event.DueOrder:
		if m := w.Store.Client(it.Kind, it.A); m >= 0 {
			return m
		}
		return l.stalls.master()
	case event.DueScript:
		if l.plan.setup.Script[it.A].asksMaster() {
			return l.stalls.master()
		}
	case event.DueTick, event.DueExpire, event.DueFinalized, event.DueAck, event.DueDecline, event.DueCaughtUp, event.DueReported,
		event.DueAnnounce, event.DueInitialized, event.DueEnded, event.DueFinished, event.DueStartFails, event.DueRestart,
		event.DueRunning, event.DueNoSlots, event.DueDetect:
		return l.stalls.master()
	case event.DueMissed:
		if it.A != l.stalls.master() {
			return l.stalls.master()
		}
	}
	return outside
}

// asksMaster reports whether an action is something that the JobManager is asked for.
func (a *Action) asksMaster() bool {
	switch a.Do {
	case Trigger, Savepoint, Stop, Backlog:
		return true
	}
	return a.startsAnew()
}

// goOn is a process that goes on.
func (l *Lab) goOn(now event.Time, p int32) {
	s := &l.stalls
	if s.until[p] != now { // it goes on later, or is given up
		return
	}
	if l.world.Store != nil {
		l.world.Store.Stall(now, s.named(p), false)
	}
	l.feed.Emit(event.Event{At: now, Kind: event.ProcessResumed, Task: s.named(p)})
	if s.ends(p); p == s.master() && s.cut {
		s.cut = false
		l.detectLost(now)
	}
}

// giveUp forgets that a process stands still, because it has ended or has been replaced.
func (l *Lab) giveUp(now event.Time, p int32) {
	s := &l.stalls
	if s.until[p] <= now {
		return
	}
	s.ends(p)
	if p == s.master() {
		s.cut = false
	}
	if l.world.Store != nil {
		l.world.Store.Stall(now, s.named(p), false)
	}
}

// missed handles heartbeats that a process has not answered, or not sent, for heartbeat.timeout. A task manager is taken for lost. A
// JobManager's silence makes every task manager fail its tasks, of which the JobManager hears when it goes on
// (TaskExecutor.JobManagerHeartbeatListener). What finished tasks have sent stays in their process, and is read when it goes on: it releases
// no pipelined partition (TaskExecutor.disconnectJobManagerConnection, TaskExecutorPartitionTracker).
func (l *Lab) missed(now event.Time, p int32, since event.Time, replaced bool) {
	s := &l.stalls
	if s.until[p] < now || s.since[p] != since {
		return
	}
	if p == s.master() {
		for t := range l.world.Tasks {
			s.cut = l.gone(now, event.Task(t), s.until[p]) || s.cut
		}
		l.loseCopies(now, l.plan.active) // the slots are given back, and what lies there for them goes
		return
	}
	l.loseCopies(now, l.onManager(int(p)))
	s.since[p] = isLost
	if replaced {
		l.stopProcess(now, p)
	}
	first := event.Task(-1)
	for t := range l.world.Tasks {
		if l.world.Tasks[t].Manager == p && l.gone(now, event.Task(t), now) && first < 0 {
			first = event.Task(t)
		}
	}
	if first >= 0 {
		l.detect(now, first, event.NoCause)
	}
}

// stopProcess ends a task manager's process that stands still, because the ResourceManager has started another one in its place
// (ResourceManager.handleTaskManagerConnectionLoss, stopWorkerIfSupported): what finished tasks have left there is gone, too.
func (l *Lab) stopProcess(now event.Time, p int32) {
	l.giveUp(now, p)
	l.unthrottle(now, int(p))
	gone := l.onManager(int(p))
	l.breakConnections(now+l.plan.setup.Control.Net, l.read(gone, false))
	for _, t := range gone {
		if w := &l.world.Tasks[t]; w.End.Finished {
			l.world.LoseOutput(w)
		}
	}
}

// gone handles a task that is not there any more, as will be known at an instant; false: it was not there.
func (l *Lab) gone(now event.Time, t event.Task, known event.Time) bool {
	if !l.world.Tasks[t].Alive {
		return false
	}
	l.world.Lose(now, t)
	l.back.goneAt[t] = max(l.back.goneAt[t], known)
	return true
}

// detectLost lets all tasks fail that are gone.
func (l *Lab) detectLost(now event.Time) {
	for t := range l.world.Tasks {
		if l.world.Tasks[t].Lost && !l.back.isIn(event.Task(t)) {
			l.detect(now, event.Task(t), event.NoCause)
			return
		}
	}
}

// taskFails handles a task that fails by itself. A JobManager that stands still does not know until it goes on; its neighbours
// wait for the task meanwhile.
func (l *Lab) taskFails(now event.Time, t event.Task, why event.Cause) {
	if now >= l.stalls.until[l.stalls.master()] {
		l.fail(now, l.regionOf(t), t, why)
		return
	}
	l.gone(now, t, now)
	l.queue.Push(sim.Item{At: now, Kind: event.DueDetect, A: t, B: int32(why)})
}

// awaitProcess makes a restart wait for a cancelled task whose process stands still: until it goes on, or is taken for lost.
func (l *Lab) awaitProcess(now event.Time, t event.Task) {
	w, s := &l.world.Tasks[t], &l.stalls
	if until := s.until[w.Manager]; w.Alive && now < until {
		l.back.goneAt[t] = max(l.back.goneAt[t], min(until, l.noticed(s.since[w.Manager], true)))
	}
}

// goesOn is when no process stands still in which a task of a restart is to start.
func (l *Lab) goesOn(gen uint32) (at event.Time) {
	for _, t := range l.with(gen) {
		at = max(at, l.stalls.until[l.world.Tasks[t].Manager])
	}
	return at
}
