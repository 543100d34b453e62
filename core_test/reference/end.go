package reference

import (
	"checkpointlab/core/checkpoint"
	"checkpointlab/core/event"
)

// ending is where a task stands with the end of its data (FLIP-147): first its records end, then the barriers, then itself.
type ending struct {
	data     bool       // no more records: EndOfData is sent
	input    bool       // no more barriers, either: only mails are left
	closing  bool       // no more mails: what is being stored is waited for
	finished bool       // EndOfPartition is sent
	at       event.Time // when it was

	stop      stop             // of a source
	waits     *mail            // the savepoint that waits for the end of the operators
	savepoint event.Checkpoint // the one that the job stops with
	noDrain   bool             // data that came to an end did so without a drain

	heard int              // channels whose EndOfData has come
	first event.Checkpoint // the first one behind the end of the data, 0 = none yet
	final bool             // that one or a later one is complete
	fails bool             // the sink could not end: the task is about to fail
}

// What an end of a channel ends.
const (
	ofData = iota + 1
	ofPartition
)

// stop is how a job stops with a savepoint: as it is, or after its operators have ended.
type stop int

const (
	suspended stop = iota + 1
	drained
)

// stopReading lets a source stop with a savepoint; true: its barrier waits for the end of its operators.
func (t *task) stopReading(m mail) (waits bool) {
	t.end.savepoint = m.id
	if t.log == nil || t.end.data {
		return false
	}
	t.end.stop = m.stop
	if m.stop == drained {
		t.end.waits = &m
	}
	return m.stop == drained
}

// notStopped lets a task fail that stops with a savepoint which is given up.
func (t *task) notStopped(id event.Checkpoint) {
	if t.end.savepoint == id && id != 0 {
		t.end.fails = true
		t.fails()
	}
}

// checkpointsGoOn reports whether checkpoints are taken when tasks have finished, so that each waits for a last one.
func (r *Run) checkpointsGoOn() bool {
	return r.setup.Options.AfterTasksFinish && r.setup.Options.Interval > 0
}

// endChannel is an end that came by a channel.
func (t *task) endChannel(c *channel, m *message) {
	if m.end == ofPartition {
		t.carryOut(t.handler.OnEndOfPartition(t.run.now, c.slot, nil))
		return
	}
	c.travel(func() {
		c.processed = true
		if p := c.partition.producer; p.alive {
			p.mayBeOver()
		}
	})
	t.end.heard++
	t.end.noDrain = t.end.noDrain || m.noDrain
	if t.end.heard < len(t.inputs) {
		return
	}
	if len(t.asking.queue) > 0 && !t.end.noDrain { // the thread waits for the last answer
		t.asking.ending, t.asking.yields = true, true
		return
	}
	t.endData()
}

// endData: no record follows. A sink pre-commits what it has, under the next checkpoint.
func (t *task) endData() {
	t.end.data = true
	if t.writer != nil && !t.end.noDrain && !t.endInput() {
		t.end.fails = true
		t.fails()
		return
	}
	for _, p := range t.outs {
		p.broadcast(message{end: ofData, noDrain: t.end.noDrain})
	}
	e := event.Event{Kind: event.TaskEnded, Task: t.id, A: 1}
	if t.end.noDrain {
		e.A = 0
	}
	t.run.tell(e)
	if !t.end.noDrain {
		t.tellCoordinator(func() { t.run.ended(t) })
	}
	if t.log != nil && t.run.grouped(t.vertexIndex) && t.run.setup.Options.Version != "1.18" { // it is told at once that it holds nobody up
		t.report()
	}
}

// endInput pre-commits the open transaction and opens none; without periodic checkpoints it is committed as well.
func (t *task) endInput() bool {
	w := t.writer
	if w.transactional && len(w.open.records) > 0 {
		if w.expired(t.run.now, &w.open) {
			return false
		}
		w.open.id = w.last + 1
		w.sealed = append(w.sealed, w.open)
	}
	w.open, w.ended, w.unflushed = transaction{}, true, false
	if w.transactional && t.run.setup.Options.Interval == 0 {
		t.commit(w.last + 1)
	}
	return true
}

// nothingLeft reports whether there is nothing to read any more.
func (t *task) nothingLeft() bool {
	if t.log == nil {
		return t.handler.Open() == 0
	}
	if !t.end.data && (t.end.stop != 0 || !t.awaits && t.log.over(t.run.now)) {
		t.end.noDrain = t.end.stop == suspended
		t.endData()
		if m := t.end.waits; m != nil {
			t.mailbox = append(t.mailbox, *m)
		}
	}
	return t.end.data
}

// watchEnd lets a source that waits look when its log ends.
func (t *task) watchEnd() {
	if l := t.log; l != nil && l.bounded && l.until != event.Never && t.run.now < l.until {
		t.later(l.until, func() {
			if t.doing == idle || t.doing == soft {
				t.wake(t.run.now)
			}
		})
	}
}

// mayBeOver lets a task look that only waits for its end.
func (t *task) mayBeOver() {
	if t.end.input && t.doing == idle {
		t.wake(t.run.now)
	}
}

// leave finishes the task, or waits: until its consumers have all records and a checkpoint behind the end is complete, and
// until what it stores is stored.
func (t *task) leave() {
	waits := t.end.fails || t.end.savepoint != 0 && !t.end.final
	if t.run.checkpointsGoOn() && t.end.data {
		waits = waits || !t.end.final
		for _, p := range t.outs {
			for _, c := range p.channels {
				waits = waits || !c.processed
			}
		}
	}
	if !waits {
		t.end.closing = true
	}
	if !t.end.closing || t.run.checkpointsGoOn() && t.storing() {
		t.do(idle)
		return
	}
	for _, p := range t.outs {
		p.broadcast(message{end: ofPartition})
	}
	t.do(off)
	t.alive, t.end.finished, t.end.at = false, true, t.run.now
	t.uploads = map[event.Checkpoint]*upload{}
	t.run.tell(event.Event{Kind: event.TaskFinished, Task: t.id})
	t.tellCoordinator(func() { t.run.finished(t) })
}

// storing reports whether an asynchronous part is under way.
func (t *task) storing() bool {
	for _, u := range t.uploads {
		if u.begun {
			return true
		}
	}
	return false
}

// refuse answers a mail that comes too late: a request for a checkpoint is declined.
func (t *task) refuse(m mail) {
	why := event.CheckpointDeclinedTaskClosing
	if t.end.finished {
		why = event.TaskCheckpointFailure
	}
	if m.kind == event.MailTrigger && (t.end.finished || t.end.closing) {
		t.tellCoordinator(func() { t.run.declined(t, m.id, why) })
	}
}

// ended is the coordinator hearing that a task's data has ended. Behind the last one it asks for a checkpoint.
func (r *Run) ended(t *task) {
	t.knownEnded = true
	if t.behind {
		t.notBehind()
	}
	for _, o := range r.tasks {
		if !o.knownEnded {
			return
		}
	}
	if r.checkpointsGoOn() {
		r.carryOut(r.coordinator.Request(r.now, checkpoint.Checkpoint, nil))
	}
}

// finished is the coordinator hearing that a task has finished.
func (r *Run) finished(t *task) {
	t.knownFinished = true
	r.coordinator.Finish(t.id)
	left := 0
	for _, o := range r.tasks {
		if !o.knownFinished {
			left++
		}
	}
	if left > 0 {
		if r.stopped && left == r.apart {
			r.fail(r.tasks, -1)
		}
		return
	}
	r.running = false
	r.over(checkpoint.JobFinished)
	if r.rescale > 0 && r.stopped {
		r.goBack(r.rescale-1, r.savepoint)
		return
	}
	r.jobFinished = true
	r.tell(event.Event{Kind: event.JobFinished})
}

// over is the job having come to its end: the coordinator is shut down, and then the store. What is left there is kept.
func (r *Run) over(e checkpoint.Ending) {
	r.carryOut(r.coordinator.Shutdown(r.now, nil))
	r.carryOut(r.coordinator.ShutDownStore(e, nil))
	if r.vault != nil {
		for _, id := range r.coordinator.Retained() {
			r.vault.keep(id)
		}
		r.vault.shutDown()
	}
}

// someFinished reports whether the coordinator knows of a task that has.
func (r *Run) someFinished() bool {
	for _, t := range r.tasks {
		if t.knownFinished {
			return true
		}
	}
	return false
}

// asked is the tasks that are asked for a checkpoint: those that run and have no producer that does.
func (r *Run) asked() []*task {
	var all []*task
	for _, t := range r.tasks {
		ask := !t.knownFinished
		for _, c := range t.inputs {
			ask = ask && c.partition.producer.knownFinished
		}
		if ask {
			all = append(all, t)
		}
	}
	return all
}
