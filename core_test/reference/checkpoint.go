package reference

import (
	"maps"
	"slices"

	"checkpointlab/core/barrier"
	"checkpointlab/core/event"
	"checkpointlab/core/state"
)

// mail is what stands in a task's mailbox. It is read between records.
type mail struct {
	kind      event.Mail
	id        event.Checkpoint
	began     event.Time // MailTrigger: when the checkpoint began
	savepoint bool       // MailTrigger
	stop      stop       // MailTrigger: the source stops with it
	span      event.Time // MailHang
	deaf      bool       // … no interrupt ends it
}

// save is what the tasks stored for a checkpoint.
type save struct {
	seenBy  map[*task][]int64    // records seen by input
	next    map[*task]int64      // position of a source, records that another task has seen
	emitted map[*partition]int64 // position in the dealing
	windows map[*task]map[int64]pane
	asked   map[*task][]record // of asynchronous I/O
	flow    []*stored          // channel state, in the order in which it was begun
	parts   map[*task]*part    // of state

	kind        state.Kind
	foreign     bool         // it is its user's: the job never deletes it
	phase       int          // in which its parts were stored …
	parallelism map[int]int  // … and what each vertex had then
	dropped     map[int]bool // vertices that have another uid since
}

func newSave() *save {
	return &save{seenBy: map[*task][]int64{}, next: map[*task]int64{}, emitted: map[*partition]int64{}, windows: map[*task]map[int64]pane{}, asked: map[*task][]record{}, parts: map[*task]*part{}, parallelism: map[int]int{}, dropped: map[int]bool{}}
}

// put notes where a task stands.
func (s *save) put(t *task) {
	s.part(t).taken = t.run.now
	s.next[t], s.seenBy[t] = t.seen, slices.Clone(t.seenBy)
	if t.log != nil {
		s.next[t] = t.log.next
	}
	for _, p := range t.outs {
		s.emitted[p] = p.emitted
	}
	s.windows[t] = maps.Clone(t.windows.open)
	s.asked[t] = t.underWay()
}

// mail puts one into the mailbox. A thread that works reads it after the record in work.
func (t *task) mail(m mail) {
	if !t.alive || t.end.closing {
		t.refuse(m)
		return
	}
	t.post(m)
	if t.doing == idle || t.doing == soft || t.waitsForLog() || t.asking.yields && t.doing == busy && isAnswer(m) {
		t.wake(t.run.now)
	}
}

// post puts a mail at the end, or an urgent one behind the urgent ones, which belong to the batch that is being read.
func (t *task) post(m mail) {
	at := len(t.mailbox)
	if t.urgentMail(m) {
		for at = 0; at < len(t.mailbox) && t.urgentMail(t.mailbox[at]); {
			at++
		}
		if t.batch.took {
			t.batch.left++
		}
	}
	t.mailbox = slices.Insert(t.mailbox, at, m)
}

// urgentMail reports whether a mail is about a priority event or asks for an unaligned snapshot, since 2.0.
func (t *task) urgentMail(m mail) bool {
	if t.run.setup.Options.Version != "2.3" {
		return false
	}
	return m.kind == event.MailPriority || m.kind == event.MailTrigger && m.stop == 0 && t.run.newBarrier(m.id, m.began, m.savepoint).Alignment == barrier.Unaligned
}

// mailOnce puts a mail into the mailbox unless one of its kind waits there.
func (t *task) mailOnce(kind event.Mail) {
	for _, m := range t.mailbox {
		if m.kind == kind {
			return
		}
	}
	t.mail(mail{kind: kind})
}

// batch is the mails that are read before the next record; mails that come while one of them takes time wait for that record.
type batch struct {
	left       int
	took, over bool
}

// readMails reads a batch of mails; true: one of them holds the thread.
func (t *task) readMails() bool {
	if t.batch.left == 0 {
		t.batch.left = len(t.mailbox)
	}
	for len(t.mailbox) > 0 && len(t.writing) == 0 && !t.batch.over {
		m := t.mailbox[0]
		t.mailbox = t.mailbox[1:]
		t.batch.left = max(0, t.batch.left-1)
		t.readMail(m)
		if t.doing == syncing {
			t.batch.took = true
			return true
		}
		t.endBatch()
	}
	return false
}

// endBatch looks whether the batch is over. Behind the end of the input, and between two timers, no record follows.
func (t *task) endBatch() {
	if t.batch.left == 0 {
		t.batch.over, t.batch.took = t.batch.took && len(t.mailbox) > 0 && !t.end.input && !t.windows.firing, false
	}
}

// recordFirst reports whether the next record comes before the mails that are there.
func (t *task) recordFirst() bool {
	over := t.batch.over
	t.batch.over = false
	return over
}

func (t *task) readMail(m mail) {
	now := t.run.now
	switch m.kind {
	case event.MailTrigger:
		if m.stop != 0 && t.stopReading(m) {
			return
		}
		b := t.run.newBarrier(m.id, m.began, m.savepoint)
		b.Stop = m.stop != 0
		t.carryOut(t.handler.OnTrigger(now, b, nil))
	case event.MailComplete:
		t.completed(m.id)
	case event.MailAborted:
		t.handler.OnAborted(m.id)
		t.giveUp(m.id)
		t.notStopped(m.id)
	case event.MailTimer:
		t.carryOut(t.handler.OnTimer(now, m.id, nil))
	case event.MailOutput:
		t.outputTimedOut(m.id)
	case event.MailPriority:
		t.readUrgent()
	case event.MailDebloat:
		t.resizeBuffers()
	case event.MailMark:
		t.generate()
	case event.MailAnswer, event.MailNoAnswer:
		t.answered(m)
	case event.MailReport:
		t.report()
	case event.MailMayGo:
		t.time.most = m.id
		t.checkAhead()
	case event.MailMaterialize:
		t.logged.materialize()
	case event.MailMaterialized, event.MailLogged:
		t.logged.heard(m)
	case event.MailRetry:
		t.retry()
	case event.MailHang:
		t.deafUntil = 0
		if m.deaf {
			t.deafUntil = event.Never
			if m.span > 0 {
				t.deafUntil = now + m.span
			}
		}
		t.hold(m.span, func() { t.deafUntil = 0 })
	}
}

// carryOut does what the barrier handler wants, in order. What follows a snapshot waits for the end of its synchronous part.
func (t *task) carryOut(effects []barrier.Effect) {
	for i, e := range effects {
		t.carryOutOne(e)
		if t.doing == syncing {
			t.held = effects[i+1:]
			return
		}
	}
}

func (t *task) carryOutOne(e barrier.Effect) {
	var c *channel
	if e.Channel >= 0 && len(t.inputs) > 0 {
		c = t.inputs[e.Channel]
	}
	switch e.Kind {
	case barrier.Resume:
		c.gate.grant(c.gate.credits.Resumed(c.input, nil))
		c.travel(c.goOn)
	case barrier.Snapshot:
		if t.writer != nil && t.writer.unflushed && t.flush > 0 {
			t.flushThen(e)
			return
		}
		t.snapshot(e)
	case barrier.PassCancel:
		t.cancel(e.ID)
	case barrier.Abort:
		t.cancel(e.ID)
		t.notStopped(e.ID)
		t.tellCoordinator(func() { t.run.declined(t, e.ID, e.Reason) })
	case barrier.Start:
		if e.Barrier.Alignment == barrier.Unaligned {
			t.beginFlow(e.ID)
			t.storeUnread(e.ID)
		}
	case barrier.StoreInput:
		t.storeQueued(e.ID, c)
	case barrier.StopStoring:
		c.received.Stop(e.ID)
	case barrier.MakePriority:
		c.gate.lineUp(c, c.received.Prioritize(c.announced))
		t.mail(mail{kind: event.MailPriority})
	case barrier.AlignmentEnded:
		t.alignmentEnded(e)
	case barrier.RegisterTimer:
		t.later(e.At+event.TimerLag, func() { t.mail(mail{kind: event.MailTimer, id: e.ID}) })
	}
}

// flushThen waits until the outside system has what a sink has written; then the snapshot begins (spec 6.1, 1).
func (t *task) flushThen(e barrier.Effect) {
	t.do(syncing)
	t.takes(t.flush, func() {
		t.do(busy)
		t.snapshot(e)
		if t.doing == syncing {
			return
		}
		held := t.held
		t.held = nil
		t.carryOut(held)
		if t.doing != syncing {
			t.endBatch()
			t.wake(t.run.now)
		}
	})
}

// tellCoordinator sends a message by RPC.
func (t *task) tellCoordinator(arrive func()) {
	t.run.agenda.afterIn(t.run.master(), t.run.now+t.run.setup.Control.RPC, t.inThisLife(arrive))
}

// cancel passes a cancellation marker on in place of a barrier.
func (t *task) cancel(id event.Checkpoint) {
	t.giveUp(id)
	for _, p := range t.outs {
		p.broadcast(message{cancel: id})
	}
}

// snapshot is the task's part of a checkpoint: pre-commit, barriers on to the outputs, then the synchronous part, then the
// asynchronous one (spec 3.6).
func (t *task) snapshot(e barrier.Effect) {
	if t.end.data && t.end.first == 0 {
		t.end.first = e.ID
	}
	if e.Barrier.Stop {
		t.end.savepoint = e.ID
	}
	if s := t.run.saves[e.ID]; s != nil {
		s.put(t)
	}
	t.awaits = false
	if t.writer != nil && !t.writer.preCommit(t.run.now, e.ID) {
		t.fails()
		return
	}
	u := t.upload(e.ID)
	if u.inputs = e.Alignment < 0; u.inputs {
		t.beginFlow(e.ID)
	}
	t.passOn(e.Barrier)
	t.run.tell(event.Event{Kind: event.TaskSnapshot, Task: t.id, Checkpoint: e.ID, A: e.StartDelay, N: e.Alignment, B: e.Bytes})
	t.snapshotState(u, e.ID, e.Barrier.Savepoint)
	began, span, stuck := t.run.now, u.sync, false
	if t.next != nil {
		span, stuck, t.next = span+*t.next, *t.next == 0, nil
		switch {
		case !t.nextDeaf:
		case stuck:
			t.deafUntil = event.Never
		default:
			t.deafUntil = began + span
		}
	}
	if span == 0 && !stuck {
		t.synced(e.ID, began, e.Barrier.Savepoint)
		return
	}
	t.do(syncing)
	if most := t.run.setup.SyncTimeout; most > 0 && (stuck || span > most) {
		t.later(began+most, t.fails)
	}
	if stuck {
		return
	}
	t.takes(span, func() {
		t.deafUntil = 0
		t.do(busy)
		t.synced(e.ID, began, e.Barrier.Savepoint)
		held := t.held
		t.held = nil
		t.carryOut(held)
		if t.doing != syncing {
			t.endBatch()
			t.wake(t.run.now)
		}
	})
}

// passOn sends the barrier to every output. One that may time out gets a timer.
func (t *task) passOn(b barrier.Barrier) {
	u := t.upload(b.ID)
	for _, p := range t.outs {
		own := b
		if p.forced {
			own = b.UnalignedUnsupported()
		}
		if own.Timeoutable() {
			t.beginFlow(b.ID)
			u.outputs += len(p.channels)
		}
		p.broadcast(message{barrier: &own})
	}
	if u.outputs > 0 {
		t.later(b.Deadline(t.run.now)+event.TimerLag, func() { t.mail(mail{kind: event.MailOutput, id: b.ID}) })
	}
}

// synced is the end of the synchronous part: the asynchronous one begins.
func (t *task) synced(id event.Checkpoint, began event.Time, savepoint bool) {
	t.run.tell(event.Event{Kind: event.TaskSynced, Task: t.id, Checkpoint: id, A: t.run.now - began})
	u := t.upload(id)
	u.begun, u.left = true, u.left+1
	t.takes(u.async, func() {
		if u := t.uploads[id]; u != nil {
			t.partStored(u, id)
		}
	})
	t.storeFiles(id, savepoint)
}
