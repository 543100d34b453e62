package reference

import (
	"slices"

	"checkpointlab/core"
	"checkpointlab/core/checkpoint"
	"checkpointlab/core/event"
	"checkpointlab/core/failover"
)

// startAnew is somebody who wants another parallelism, or starts a new version: the job is cancelled and goes back to its
// last checkpoint, or it stops with a savepoint and goes back to that.
func (r *Run) startAnew(action int) {
	a := &r.setup.Script[action]
	switch {
	case r.failed || r.jobFinished:
	case a.FromSavepoint:
		if r.stop(a); r.stopping {
			r.rescale = action + 1
		}
	default:
		r.cancelAll()
		id, _ := r.coordinator.LatestCompleted()
		if r.vault != nil && a.Do == core.RestoreJob {
			r.vault.shutDown()
		}
		r.goBack(action, id)
	}
}

// cancelAll ends all tasks with what is on the way between them, and what the coordinator has begun.
func (r *Run) cancelAll() {
	r.running, r.stopping, r.stopped, r.rescale = false, false, false, 0
	for _, t := range r.tasks {
		t.stop()
		delete(r.starting, t)
		t.knownEnded, t.knownFinished = false, false
		r.coordinator.Revive(t.id)
	}
	r.carryOut(r.coordinator.Cancel(r.now, nil))
	r.dropInFlight(r.tasks)
	for _, t := range r.all {
		t.attempt = nil
	}
}

// goBack lets the job begin with what an action changes: what a checkpoint's transactions hold is committed, and what it has
// of positions, state and data in flight is dealt to the new subtasks (spec 10.4). All old ones are down.
func (r *Run) goBack(action int, id event.Checkpoint) {
	a, finished := &r.setup.Script[action], r.stopped
	anew := finished && r.savepoint == id && id != 0 || a.Do == core.RestoreJob // another job, which starts from a snapshot
	for _, t := range r.tasks {
		if t.writer != nil {
			t.recover(id, true)
		}
	}
	from := r.saves[id]
	if from == nil {
		from = newSave()
	}
	if id == event.Checkpoint(r.setup.Options.WithoutFlow) {
		from.flow = nil
	}
	if why := r.refusal(action, from, id); why != core.NotRefused {
		r.tell(event.Event{Kind: event.RescaleRefused, Checkpoint: id, A: int64(action), N: int64(why)})
		r.rescale, r.stopping, r.failed, r.running = 0, false, true, false
		if a.Do == core.RestoreJob {
			r.over(checkpoint.JobCanceled) // the old one; the new one never was
		} else {
			r.over(checkpoint.JobFailed)
		}
		r.tell(event.Event{Kind: event.JobFailed})
		return
	}
	again := r.readFrom(nil)
	next := deal{run: r, old: r.phase(), by: r.versions(action), at: action}
	setup := next.setup()
	r.enter(setup)
	r.phaseNumber++
	to := next.save(from)
	r.replace(id, to)
	if anew {
		r.coordinator.Resubmit(id)
		r.strategy = failover.New(&r.setup.Options)
		r.claim(id, finished)
	}
	r.version, r.intact, r.heard = action+1, true, false
	r.stopped, r.stopping, r.rescale = false, false, 0
	for _, t := range r.all {
		t.reported, t.behind, t.seen, t.seenBy = nil, false, to.next[t], slices.Clone(to.seenBy[t]) // those that retire stay there
		if t.writer != nil {
			t.writer.last = max(t.writer.last, id)
		}
	}
	r.retire()
	r.tell(event.Event{Kind: event.Rescaled, Checkpoint: id, A: int64(action), N: again - r.readFrom(to)})
	for _, t := range r.tasks {
		e := event.Event{Kind: event.TaskRestored, Task: t.id, Checkpoint: id}
		if id != 0 {
			e.A = to.next[t]
		}
		r.tell(e)
	}
	attempt := r.again(r.tasks)
	attempt.restored = id
	r.restore(attempt)
}

// replace puts a checkpoint that was dealt anew in the place of what it was; of the others those that are retained, or held, remain
// for their files.
func (r *Run) replace(id event.Checkpoint, to *save) {
	for other := range r.saves {
		if r.vault == nil || !slices.Contains(r.coordinator.Retained(), other) && !r.vault.holds(other) {
			delete(r.saves, other)
		}
	}
	if id != 0 {
		r.saves[id] = to
	}
}

// readFrom adds the positions of the sources up: those of a checkpoint, or nil = where they stand.
func (r *Run) readFrom(s *save) (sum int64) {
	for _, t := range r.tasks {
		switch {
		case t.log == nil:
		case s == nil:
			sum += t.log.next
		default:
			sum += s.next[t]
		}
	}
	return sum
}

// phase is what a job was like before it is dealt anew.
type phase struct {
	setup   *core.Setup
	tasks   map[int][]*task
	outs    map[*task][]*partition
	keys    map[*task]int64
	channel map[*channel][2]int // the indexes of both ends
}

func (r *Run) phase() phase {
	p := phase{setup: r.setup, tasks: map[int][]*task{}, outs: map[*task][]*partition{}, keys: map[*task]int64{}, channel: map[*channel][2]int{}}
	for _, t := range r.tasks {
		p.tasks[t.vertexIndex] = append(p.tasks[t.vertexIndex], t)
		p.outs[t] = t.outs
		p.keys[t] = t.keys()
	}
	for _, c := range r.channels {
		p.channel[c] = [2]int{c.partition.producer.index, c.gate.consumer.index}
	}
	return p
}

// enter builds the job once more with another setup. Tasks keep what they have counted; all take the cost that the first
// subtask of their vertex has.
func (r *Run) enter(s *core.Setup) {
	for _, c := range r.channels {
		c.life++
	}
	r.setup = s
	first := map[int]*task{}
	for _, t := range r.all {
		if first[t.vertexIndex] == nil {
			copied := *t
			first[t.vertexIndex] = &copied
		}
		t.life++
		t.vertex = &s.Vertices[t.vertexIndex]
		t.end, t.lost, t.willLook = ending{}, false, false
		t.refusal = first[t.vertexIndex].refusal
		t.nextCost, t.flush = first[t.vertexIndex].nextCost, first[t.vertexIndex].flush
		if t.costs = nil; first[t.vertexIndex].costs != nil {
			t.costs = r.costsOf(t.vertexIndex, t.atLeast(t.ownCost()))
		}
		t.size = t.stateSize()
	}
	r.employ()
	r.buildExchanges()
	for _, t := range r.all {
		t.giveState()
		t.nextSlow = r.throttles[r.manager(t)].times
	}
}
