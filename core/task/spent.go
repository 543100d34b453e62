package task

import "checkpointlab/core/event"

// Spent is the time spent in each activity up to now, the present one included. A source that reads records as they arrive
// is busy while it has one in work, and idle between them.
func (w *World) Spent(t *Task, now event.Time) [threads]event.Time {
	s := t.SpentUntil(now)
	busy := w.pacedWork(t, now)
	s[Busy] += busy
	s[Idle] -= busy
	return s
}

// pacedWork is the work on records of a step that reads them as they arrive, as far as it is not booked.
func (w *World) pacedWork(t *Task, now event.Time) event.Time {
	if t.Step.N == 0 || !t.Step.Paced {
		return 0
	}
	log, done := &w.Logs[t.Log], w.Done(t, now)
	busy := done * t.Cost
	if at := log.Arrival(log.Next + done); done < t.Step.N && at < now {
		busy += now - at
	}
	return busy
}
