package task

import (
	"slices"

	"checkpointlab/core/barrier"
	"checkpointlab/core/event"
)

// The mailbox: what others ask of a task's thread between two records.

// Mail puts a mail into the task's mailbox: a busy thread reads it after the record in work (spec 3.6, 4.4).
func (w *World) Mail(now event.Time, id event.Task, kind event.Mail, arg int64) {
	t := &w.Tasks[id]
	if !t.Alive || t.End.closing {
		w.refuse(now, t, kind, arg)
		return
	}
	w.putMail(t, mail{kind: kind, id: arg, sent: w.sentAt(now, kind, arg)})
	if t.requests.yielding && answers(kind) && t.Thread == Busy {
		w.poke(now, t)
		return
	}
	w.interrupt(now, t)
}

// putMail puts a mail behind the others. Urgent ones go ahead of all that are not, and belong to the batch that is being read.
func (w *World) putMail(t *Task, m mail) {
	at := len(t.mails)
	if m.urgent = w.urgentMail(m); m.urgent {
		if first := slices.IndexFunc(t.mails, func(o mail) bool { return !o.urgent }); first >= 0 {
			at = first
		}
		if t.batch.took {
			t.batch.left++
		}
	}
	t.mails = slices.Insert(t.mails, at, m)
}

// urgentMail reports whether a mail tells of a priority event or asks for an unaligned snapshot: since 2.0 those are urgent
// (MailOptions.urgent in CheckpointedInputGate.waitForPriorityEvents and StreamTask.triggerCheckpointAsync; 1.20 has no such mails).
func (w *World) urgentMail(m mail) bool {
	if w.Rules.Options.Version != "2.3" {
		return false
	}
	return m.kind == event.MailPriority || m.kind == event.MailTrigger && barrier.Make(w.Rules.Options, m.id, m.sent, false).Alignment == barrier.Unaligned
}

// batch is the mails that a thread has taken out of its mailbox to read them before the next record (TaskMailbox.createBatch).
// Mails that come while one of them takes time wait for that record (MailboxProcessor.runMailboxLoop), so that a thread whose
// mails take longer than they are apart still reads.
type batch struct {
	left int  // of those not read yet
	took bool // one of them took time
	over bool // all are read, and the next record comes before the mails that are there
}

// trigger is a checkpoint that was triggered, and when.
type trigger struct {
	id event.Checkpoint
	at event.Time
}

// remembered is of how many of the last checkpoints it is known when they were triggered.
const remembered = 64

// sentAt is when a mail that arrives now was sent: its way takes an RPC, unless the process that it came to stood still.
func (w *World) sentAt(now event.Time, kind event.Mail, id int64) event.Time {
	switch kind {
	case event.MailTrigger, event.MailSavepoint, event.MailStop, event.MailDrain:
		if b := &w.triggers[id%remembered]; b.id == id {
			return b.at
		}
	}
	return now - w.Rules.RPC
}

// readMails reads a batch of mails, and those that come meanwhile if none of it takes time; true: one does, and holds the thread.
// A thread that waits makes a batch, too, where Flink's takes one mail after the other: it would read a record that arrives during
// the first one ahead of the second.
func (w *World) readMails(now event.Time, t *Task) bool {
	b := &t.batch
	if b.left == 0 {
		b.left = len(t.mails)
	}
	for len(t.mails) > 0 && t.waiting == 0 && !b.over {
		m := t.mails[0]
		t.mails = t.mails[:copy(t.mails, t.mails[1:])]
		b.left = max(0, b.left-1)
		if w.readMail(now, t, m) {
			b.took = true
			return true
		}
		t.endBatch()
	}
	return false
}

// endBatch looks whether a batch is over. Nothing more is read behind the end of the input, and between the timers of a watermark.
func (t *Task) endBatch() {
	if b := &t.batch; b.left == 0 {
		b.over, b.took = b.took && len(t.mails) > 0 && !t.over && !(t.windows && t.window.firing), false
	}
}

// recordFirst reports whether the next record comes before the mails that are there, and takes that turn.
func (t *Task) recordFirst() bool {
	if len(t.mails) == 0 || !t.batch.over {
		return false
	}
	t.batch.over = false
	return true
}

func (w *World) readMail(now event.Time, t *Task, m mail) bool {
	t.mailed++
	switch m.kind {
	case event.MailTrigger, event.MailSavepoint:
		b := barrier.Make(w.Rules.Options, m.id, m.sent, m.kind == event.MailSavepoint)
		return w.carry(now, t, t.Handler.OnTrigger(now, b, w.effects[:0]))
	case event.MailStop, event.MailDrain, event.MailStopped:
		return w.stop(now, t, m)
	case event.MailComplete:
		return w.completed(now, t, m.id)
	case event.MailAborted:
		t.Handler.OnAborted(m.id)
		w.giveUp(now, t, m.id)
		w.notStopped(now, t, m.id)
	case event.MailTimer:
		return w.carry(now, t, t.Handler.OnTimer(now, m.id, w.effects[:0]))
	case event.MailOutput:
		w.outputTimeOut(now, t, m.id)
	case event.MailPriority:
		return w.urgent(now, t)
	case event.MailDebloat:
		w.resize(now, t)
	case event.MailMark:
		w.generate(now, t)
	case event.MailAnswer:
		w.answered(now, t, m.id)
	case event.MailNoAnswer:
		w.notAnswered(now, t, m.id)
	case event.MailReport:
		w.report(now, t)
	case event.MailMayGo:
		w.mayGo(now, t, m.id)
	case event.MailHang:
		return w.hang(now, t, m.id)
	case event.MailRetry:
		return w.retry(now, t)
	case event.MailMaterialize:
		w.materialize(now, t)
	case event.MailMaterialized, event.MailLogged:
		w.hearsOfLog(now, t, m.kind, m.id)
	case event.MailStuck:
		return w.stuck(now, t, m.id)
	}
	return false
}

// Mails is how many mails wait (TaskMailboxImpl.size).
func (t *Task) Mails() int { return len(t.mails) }

// Mailed is how many mails the thread has run since the run began (MailboxMetricsController.getMailCounter): those of readMail and the
// one that resumes a thread once what it waits for is there, input, output or room in its changelog (MailboxProcessor,
// DefaultActionSuspension.resume). The mail that measures mailboxLatencyMs once a second is not among them.
func (t *Task) Mailed() int64 { return t.mailed }
