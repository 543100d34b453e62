package task

import (
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
	t.mails = append(t.mails, mail{kind, arg, now - w.Rules.RPC})
	if t.requests.yielding && answers(kind) && t.Thread == Busy {
		w.poke(now, t)
		return
	}
	w.interrupt(now, t)
}

// readMails empties the mailbox; true: the thread went into the synchronous part of a snapshot.
func (w *World) readMails(now event.Time, t *Task) bool {
	for len(t.mails) > 0 && t.waiting == 0 {
		m := t.mails[0]
		t.mails = t.mails[:copy(t.mails, t.mails[1:])]
		if w.readMail(now, t, m) {
			return true
		}
	}
	return false
}

func (w *World) readMail(now event.Time, t *Task, m mail) bool {
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
	case event.MailStuck:
		return w.stuck(now, t, m.id)
	}
	return false
}
