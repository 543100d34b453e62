package core

import (
	"slices"

	"checkpointlab/core/event"
	"checkpointlab/core/sim"
)

// slotRequest is how long a job waits for slots before the attempt fails (slot.request.timeout).
const slotRequest = 300 * event.Second

// lose handles the loss of a task manager with all of its tasks. They stop at once; the rest of the job goes on as far as it
// can until the loss is noticed.
func (l *Lab) lose(now event.Time, a *Action) {
	m, first := l.managerOf(a.Vertex, max(0, a.Subtask)), event.Task(-1)
	gone := l.onManager(m)
	read := l.read(gone, a.Silent)
	for _, t := range gone {
		if w := &l.world.Tasks[t]; !w.Alive {
			if w.End.Finished {
				l.world.LoseOutput(w)
			}
			continue
		}
		if first < 0 {
			first = t
		}
		l.world.Lose(now, t)
	}
	l.loseCopies(now, gone)
	l.giveUp(now, int32(m))
	l.unthrottle(now, m)
	l.back.slotsAt[m] = max(l.back.slotsAt[m], now+a.Back)
	noticed := l.noticed(now, a.Silent)
	for _, t := range gone { // those that wait for a restart, too: nobody can deploy them there
		l.back.goneAt[t] = max(l.back.goneAt[t], noticed)
	}
	broken := now + l.plan.setup.Control.Net
	if first >= 0 {
		if !a.Silent && l.hasPeer(gone) {
			noticed = broken
		}
		l.queue.Push(sim.Item{At: noticed, Kind: event.DueDetect, A: first})
	}
	if a.Silent {
		for _, c := range read {
			l.world.Net.Silence(now, c, l.plan.setup.Options.KeepAlive())
		}
		return
	}
	l.breakConnections(broken, read)
}

// breakConnections makes the consumers of channels fail at an instant (RemoteInputChannel.checkError).
func (l *Lab) breakConnections(at event.Time, channels []event.Channel) {
	for _, c := range channels {
		t := l.plan.net.Wires[c].Consumer
		l.queue.Push(sim.Item{At: at, Kind: event.DueFail, A: t, B: int32(event.ManagerLost), Gen: l.world.Tasks[t].Gen})
	}
}

// loseCopies forgets what tasks, running or not, have stored on the disk of a task manager that is gone.
func (l *Lab) loseCopies(now event.Time, tasks []event.Task) {
	for _, t := range tasks {
		l.storing.since[t] = now + 1
	}
}

// timedOut handles a connection that TCP gives up.
func (l *Lab) timedOut(now event.Time, c event.Channel, sent bool) {
	t := l.plan.net.Wires[c].Consumer
	if l.world.Tasks[t].Alive && l.world.Net.TimedOut(c, sent) {
		l.taskFails(now, t, event.ManagerLost)
	}
}

// read are the channels that tasks elsewhere still read from finished ones of these, or, if running says so, from running ones, too. Nobody
// at the JobManager misses a task that has finished, and nothing restarts for what it leaves: pipelined partitions are not tracked
// (JobMasterPartitionTrackerImpl.startTrackingPartition). So it is the connection that tells, by breaking or by a time limit of TCP.
func (l *Lab) read(gone []event.Task, running bool) (channels []event.Channel) {
	for c, w := range l.plan.net.Wires {
		p, q := &l.world.Tasks[w.Producer], &l.world.Tasks[w.Consumer]
		if (p.End.Finished || running && p.Alive) && q.Alive && q.Manager != p.Manager && slices.Contains(gone, w.Producer) && !l.world.Net.Ended(event.Channel(c)) {
			channels = append(channels, event.Channel(c))
		}
	}
	return channels
}

// noticed is when the coordinator considers a task manager dead (spec 9.3). If it is silent, heartbeats are missed:
// heartbeat.timeout after the last one. If its process has ended, calls to it fail, one per heartbeat, and
// heartbeat.rpc-failure-threshold failures suffice. Tasks elsewhere that exchange data with it over the network fail at once,
// because their connections break; but since nobody can cancel the lost tasks, a restart has to wait until they are known to be
// gone (published 2.1).
func (l *Lab) noticed(now event.Time, silent bool) event.Time {
	o := &l.plan.setup.Options
	started := l.plan.setup.Control.LogLead // heartbeats begin with the tasks
	last := started + max(0, now-started)/o.HeartbeatInterval*o.HeartbeatInterval
	timeout := last + o.HeartbeatTimeout
	if silent || o.HeartbeatFailures < 0 {
		return timeout
	}
	return min(timeout, last+int64(max(1, o.HeartbeatFailures))*o.HeartbeatInterval)
}

// awaitEnd makes a restart wait for a cancelled task that no interrupt ends: until it ends or, if that takes longer than
// task.cancellation.timeout, until its task manager, which then ends its process, is known to be gone
// (Task.TaskCancelerWatchDog; a restart waits for all cancellations, DefaultScheduler.restartTasksWithDelay).
func (l *Lab) awaitEnd(now event.Time, t event.Task) {
	end, most := l.world.Tasks[t].Stuck(), l.plan.setup.Options.CancelTimeout
	l.awaitProcess(now, t)
	if end == 0 {
		return
	}
	if most > 0 && end > now+most {
		l.queue.Push(sim.Item{At: now + most, Kind: event.DueFatal, A: t})
		end = l.noticed(now+most, false)
	}
	l.back.goneAt[t] = max(l.back.goneAt[t], end)
}

// fatal handles a task manager whose process ends because one of its tasks could not be cancelled: its other tasks are lost
// with it.
func (l *Lab) fatal(now event.Time, t event.Task) {
	w := &l.world.Tasks[t]
	l.lose(now, &Action{Do: Lose, Vertex: int(w.Vertex), Subtask: int(w.Index)})
}

// hasPeer reports whether a running task elsewhere exchanges data with one of the lost tasks.
func (l *Lab) hasPeer(gone []event.Task) bool {
	lost := make([]bool, l.plan.tasks)
	for _, t := range gone {
		lost[t] = true
	}
	for c, w := range l.plan.net.Wires {
		if lost[w.Producer] != lost[w.Consumer] && !l.world.Net.Ended(event.Channel(c)) && (l.world.Tasks[w.Producer].Alive || l.world.Tasks[w.Consumer].Alive) {
			return true
		}
	}
	return false
}

// detect handles a loss being noticed: its tasks fail, with their regions. A task that is cancelled already, because another one of its
// region has failed or no restart is left, does not fail again (Execution.processFail).
func (l *Lab) detect(now event.Time, first event.Task, why event.Cause) {
	if l.job.failed || !l.world.Tasks[first].Lost || l.back.isIn(first) {
		return
	}
	region := make([]bool, l.plan.tasks)
	for t := range l.world.Tasks {
		if !l.world.Tasks[t].Lost || l.back.isIn(event.Task(t)) {
			continue
		}
		for _, o := range l.regionOf(event.Task(t)) {
			region[o] = true
		}
	}
	var all []event.Task
	for t, in := range region {
		if in {
			all = append(all, event.Task(t))
		}
	}
	if why == event.NoCause {
		why = event.ManagerLost
	}
	l.fail(now, all, first, why)
}

// managerOf is the task manager of a subtask, onManager the tasks on one.
func (l *Lab) managerOf(v, i int) int { return l.plan.manager(v, i) }

func (l *Lab) onManager(m int) (tasks []event.Task) {
	for v := range l.plan.setup.Vertices {
		for i := range l.plan.setup.Vertices[v].Parallelism {
			if l.plan.manager(v, i) == m {
				tasks = append(tasks, l.plan.first[v]+event.Task(i))
			}
		}
	}
	return tasks
}

// waits reports whether a restart has to wait: for lost tasks of its own that are not yet known to be gone, or for slots. An attempt
// that gets no slots fails, and the restart strategy decides on the next one.
func (l *Lab) waits(now event.Time, gen uint32) bool {
	goneAt, slotsAt := event.Time(0), event.Time(0)
	for _, t := range l.with(gen) {
		goneAt, slotsAt = max(goneAt, l.back.goneAt[t]), max(slotsAt, l.back.slotsAt[l.world.Tasks[t].Manager])
	}
	if now < goneAt {
		if l.back.find(gen).until = goneAt; goneAt < event.Never { // else nothing ends the task, and nobody the process
			l.queue.Push(sim.Item{At: goneAt, Kind: event.DueRestart, Gen: gen})
		}
		return true
	}
	l.backOffEnds(now, gen)
	switch {
	case l.back.find(gen) == nil: // a checkpoint that was aborted was one failure too many
	case now >= slotsAt:
		return false
	case slotsAt-now > slotRequest:
		l.queue.Push(sim.Item{At: now + slotRequest, Kind: event.DueNoSlots, Gen: gen})
	default:
		l.queue.Push(sim.Item{At: slotsAt, Kind: event.DueRestart, Gen: gen})
	}
	return true
}

// noSlots handles an attempt that got no slots in time (NoResourceAvailableException).
func (l *Lab) noSlots(now event.Time, gen uint32) {
	if l.back.find(gen) != nil {
		l.fail(now, l.with(gen), -1, event.NoSlots)
	}
}
