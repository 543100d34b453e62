package task

import "checkpointlab/core/event"

// Once a second a mail finds out how long it waits in a task's mailbox (MailboxMetricsController): the next one comes a second after it
// was read, and the millisecond by which a timer is late (ProcessingTimeServiceUtil.getProcessingTimeDelay). It changes nothing, so it is
// no item of the event queue: when it is read follows from when the thread waits, works and looks. It is reckoned when the thread looks
// and when records are booked.

// probePeriod is from the reading of such a mail to the next one.
const probePeriod = 1001 * event.Millisecond

// probed reads the probe that is due at an instant not before it.
func (w *World) probed(t *Task, read event.Time) {
	w.Probed(t.ID, read/event.Millisecond-t.probe/event.Millisecond) // clocks of whole ms
	t.probe = read + probePeriod
}

// probesIdle reads the probes that found a waiting thread: a thread that holds the lock does not read mails.
func (w *World) probesIdle(now event.Time, t *Task) {
	if t.locked || t.Thread != Idle && t.Thread != Soft && (t.log == nil || !t.log.waits) {
		return
	}
	for t.probe <= now {
		w.probed(t, t.probe)
	}
}

// probesStep reads the probes that came while the first d records of the step were in work, but for those that came during the last
// one: the thread looks behind it. Between two records that a source reads as they arrive it waits.
func (w *World) probesStep(t *Task, d int64) {
	s := &t.Step
	if s.Mark || t.locked || s.Fire && !w.Rules.Interruptible {
		return
	}
	var read event.Time
	for ; ; w.probed(t, read) {
		if read = t.probe; s.Paced {
			log := &w.Logs[t.Log]
			done := min(d, max(0, log.Arrived(read-t.Cost)-log.Next))
			if done == d {
				return
			}
			if at := log.Arrival(log.Next + done); at < read {
				if done == d-1 {
					return
				}
				read = at + t.Cost
			}
			continue
		}
		each := t.each()
		if each == 0 {
			return
		}
		k := max(0, (read-s.Start+each-1)/each)
		if k >= d {
			return
		}
		read = max(read, s.Start+k*each)
	}
}

// Probe reads the probes that have found a waiting thread by now.
func (w *World) Probe(now event.Time, t *Task) {
	if t.probe > now {
		return
	}
	if t.Step.N > 0 && t.Step.Paced {
		if w.probesStep(t, w.Done(t, now)); w.midRecord(t, now) {
			return
		}
	}
	w.probesIdle(now, t)
}
