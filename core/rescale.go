package core

import (
	"slices"

	"checkpointlab/core/checkpoint"
	"checkpointlab/core/event"
	"checkpointlab/core/network"
	"checkpointlab/core/task"
	"checkpointlab/core/watermark"
)

// askRescale handles a request for another parallelism or a new version: the job is cancelled and goes back to its last
// checkpoint, or it is first stopped with a savepoint and starts from that.
func (l *Lab) askRescale(now event.Time, i int) {
	if l.job.failed || l.job.finished {
		return
	}
	a := &l.plan.setup.Script[i]
	if a.FromSavepoint {
		l.stop(now, a)
		if l.job.stopping {
			l.job.rescale = i + 1
		}
		return
	}
	l.job.running = false
	for _, t := range l.plan.active {
		l.world.Stop(now, t)
		l.forgetRunning(t)
	}
	l.revive(l.plan.active)
	l.job.repeats = l.job.repeats || l.job.stopped
	l.job.stopping, l.job.stopped, l.job.rescale = false, false, 0
	l.carry(now, l.coord.Cancel(now, l.effects[:0]))
	l.dropInFlight(l.plan.active)
	id, _ := l.coord.LatestCompleted()
	if a.Do == RestoreJob { // it is cancelled, and its checkpoints are retained
		l.shutDownStore(now)
	}
	l.rescale(now, i, id)
}

// phaseOf is the phase that begins with action i of the script.
func (p *plan) phaseOf(i int) *plan {
	n := 0
	for k := 0; k <= i; k++ {
		if p.setup.Script[k].startsAnew() {
			n++
		}
	}
	return p.phases[n]
}

// rescale restores a checkpoint with what action i changes: what the checkpoint's transactions hold is committed, positions,
// state and in-flight data are dealt to the new subtasks (spec 10.4), and all tasks start. All old ones must be down.
func (l *Lab) rescale(now event.Time, i int, id event.Checkpoint) {
	next, a, finished := l.plan.phaseOf(i), &l.plan.setup.Script[i], l.job.stopped
	for _, t := range l.plan.sinks {
		to := l.shownTo(t, id)
		l.job.repeats = l.job.repeats || l.world.Writers[l.world.Tasks[t].Writer].UpTo > to
		l.world.Recover(now, t, to, true)
	}
	old := l.world.Save(id)
	if id == 0 {
		old = &task.Save{Next: make([]int64, l.plan.tasks), From: make([]event.Checkpoint, l.plan.tasks), At: make([]event.Time, l.plan.tasks), Emitted: make([]int64, len(l.plan.net.Partitions))}
	}
	l.dropFlow(old)
	if why := l.refusal(next, old); why != NotRefused {
		l.refuseRescale(now, i, id, why)
		return
	}
	flow, ok := l.redistribute(old, next)
	if !ok {
		l.refuseRescale(now, i, id, InFlight)
		return
	}
	save, read := l.repartition(old, next, i)
	var reread int64
	for t := range l.world.Tasks {
		if w := &l.world.Tasks[t]; w.Kind == task.Source {
			reread -= save.Next[t]
			if !w.Retired {
				reread += l.world.Logs[w.Log].Next
			}
		}
	}
	save.Flow = flow
	ahead := l.shownAhead(old)
	was := l.plan
	l.enter(next, l.nextGen())
	l.adopt(now, was, &save, read, ahead, i)
	if l.job.last == id && id != 0 || a.Do == RestoreJob {
		l.coord.Resubmit(id)
		l.claim(now, id, finished)
		l.resubmitted(now)
	} else { // the same one (AdaptiveScheduler.goToRestarting)
		l.job.restarts++
		l.job.rescales++
	}
	l.job.last, l.job.stopped, l.job.rescale, l.job.stopping = 0, false, 0, false
	l.job.left, l.job.unbroken, l.job.heard = len(next.active), true, false
	l.align = watermark.NewGroup(l.plan.tasks) // the sources' coordinators are new ones
	clear(l.behind)
	l.retire()
	l.mergeRegions()
	l.leave(now, next.active)
	l.feed.Emit(event.Event{At: now, Kind: event.Rescaled, Checkpoint: id, A: int64(i), N: reread})
	for _, t := range next.active {
		l.tellRestored(now, t, id)
	}
	if l.job.unfit = l.unreadable(l.world.Save(id)); l.job.unfit >= 0 {
		l.feed.Emit(event.Event{At: now, Kind: event.RescaleRefused, Checkpoint: id, A: int64(i), N: int64(OtherBackend)})
	}
	b := l.back.find(l.job.gen)
	b.restored, b.due = id, true
	l.restore(now, b, next.active)
}

// refuseRescale: the job cannot start from that checkpoint (StateAssignmentOperation, Checkpoints), and fails.
func (l *Lab) refuseRescale(now event.Time, i int, id event.Checkpoint, why Refusal) {
	l.feed.Emit(event.Event{At: now, Kind: event.RescaleRefused, Checkpoint: id, A: int64(i), N: int64(why)})
	l.job.rescale, l.job.stopping = 0, false
	l.job.failed, l.job.running = true, false
	l.back.all = l.back.all[:0]
	l.noteStatus(now)
	ending := checkpoint.JobFailed
	if l.plan.setup.Script[i].Do == RestoreJob { // the new one fails, the old one was cancelled, or has finished
		ending = checkpoint.JobCanceled
	}
	l.terminate(now, ending)
	l.feed.Emit(event.Event{At: now, Kind: event.JobFailed})
}

// nextGen is a generation above that of every channel.
func (l *Lab) nextGen() uint32 {
	most := uint32(0)
	for c := range l.world.Net.Channels {
		most = max(most, l.world.Net.Channels[c].Gen)
	}
	return most + 1
}

// enter moves the lab to another phase of its run: tasks keep what they have counted, channels are new.
func (l *Lab) enter(p *plan, gen uint32) {
	before, was := l.world.Tasks, l.plan
	l.plan = p
	net := p.net
	net.Partitions, net.Gen = append([]network.Partition(nil), p.net.Partitions...), gen
	old := l.world.Net
	l.world.Net = network.New(net, &l.queue, &l.feed, &l.world)
	l.world.Net.ReadOn(old)
	l.world.Groups, l.world.Phase, l.world.Rules = p.groups, p.phase, rulesOf(&p.setup)
	l.world.Tasks = make([]task.Task, 0, p.tasks)
	heaps := p.machines()
	for v := range p.setup.Vertices {
		for i := range p.layout.Vertices[v].Parallelism {
			t := p.taskOf(v, i)
			t.Retired = i >= p.setup.Vertices[v].Parallelism
			p.equip(&t, &heaps)
			t.Adopt(&before[t.ID], &before[p.first[v]])
			t.AdoptState(&before[t.ID], p.keepsState(was, v))
			t.Throttle(l.throttles[t.Manager].times)
			l.world.Tasks = append(l.world.Tasks, t)
		}
	}
}

// adopt sets positions, logs and outputs to what the checkpoint gives the new subtasks.
func (l *Lab) adopt(now event.Time, was *plan, save *task.Save, read []int64, ahead []int64, action int) {
	l.replace(save)
	for t := range l.world.Tasks {
		w := &l.world.Tasks[t]
		w.Count(save)
		v := &l.plan.setup.Vertices[w.Vertex]
		switch w.Kind {
		case task.Source:
			if was.setup.Vertices[w.Vertex].Parallelism == v.Parallelism {
				l.world.Logs[w.Log].Rewind(save.Next[t]) // its partitions stay
				continue
			}
			log := logOf(v, partitionsOf(v, int(w.Index)))
			log.Splits = max(1, partitionsOf(v, int(w.Index)))
			l.repeatRates(now, &log, w.ID, action)
			log.There(now, read[t])
			log.Next, log.Read = save.Next[t], read[t]
			l.world.Logs[w.Log] = log
		case task.Sink:
			out, channels := &l.world.Writers[w.Writer], 0
			for _, g := range w.Gates {
				channels += len(l.plan.net.GateInputs[g])
			}
			out.GoOn(save.ID)
			out.Rewind(save.Next[t], save.Of(event.Task(t)))
			share := int64(0)
			if n := int64(v.Parallelism); int64(w.Index) < n {
				share = (ahead[w.Vertex] + n - 1 - int64(w.Index)) / n
			}
			out.Regroup(channels, share)
		}
	}
	l.shown.CopyFrom(save)
	l.noteOvertaken(save)
	l.shown.Flow = l.shown.Flow[:0]
}

// shownAhead is, by vertex, how many records its sinks have shown that the checkpoint does not have.
func (l *Lab) shownAhead(s *task.Save) []int64 {
	ahead := make([]int64, len(l.plan.setup.Vertices))
	for _, t := range l.plan.sinks {
		w := &l.world.Tasks[t]
		ahead[w.Vertex] += l.world.Writers[w.Writer].Ahead(s.Next[t], s.Of(t))
	}
	return ahead
}

// replace puts a snapshot in the place of the one that it was made of. Those that are retained beside it remain for their
// files.
func (l *Lab) replace(save *task.Save) {
	kept := false
	for i := range l.world.Saves {
		switch s := &l.world.Saves[i]; {
		case s.ID == save.ID && save.ID != 0:
			l.world.Saves[i], kept = *save, true
		case l.world.Store == nil || !slices.Contains(l.coord.Retained(), s.ID) && !slices.Contains(l.storing.held, s.ID):
			l.world.Forget(s.ID)
		default:
			l.world.ClearFlow(s)
		}
	}
	if !kept {
		l.world.Saves = append(l.world.Saves, *save)
	}
}

// keepsState reports whether the subtasks of a vertex have the state that they had in another phase.
func (p *plan) keepsState(was *plan, v int) bool {
	a, b := &was.setup, &p.setup
	return !p.renames(was, v) && a.Vertices[v].Parallelism == b.Vertices[v].Parallelism && a.Options.Backend == b.Options.Backend
}
