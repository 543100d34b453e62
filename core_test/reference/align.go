package reference

import (
	"math"

	"checkpointlab/core/event"
)

// grouped reports whether the sources of a vertex go together with others of their group.
func (r *Run) grouped(v int) bool {
	w := &r.setup.Vertices[v].Watermarks
	return w.On && w.Align.Group != "" && r.setup.Options.AutoWatermark > 0
}

// updatesEvery is the time between two reports, and between two announcements.
func (r *Run) updatesEvery(v int) event.Time {
	if u := r.setup.Vertices[v].Watermarks.Align.Update; u > 0 {
		return u
	}
	return event.Second
}

// startCoordinators lets those of grouped sources announce repeatedly how far the sources may go.
func (r *Run) startCoordinators() {
	for v := range r.setup.Vertices {
		if r.grouped(v) {
			r.announceAt(r.setup.Control.LogLead+r.updatesEvery(v), v)
		}
	}
}

func (r *Run) announceAt(at event.Time, v int) {
	r.agenda.afterIn(r.master(), at, func() {
		r.announceAt(r.now+r.updatesEvery(v), v)
		own, least := &r.setup.Vertices[v].Watermarks.Align, int64(math.MaxInt64)
		for _, t := range r.tasks {
			if r.grouped(t.vertexIndex) && t.vertex.Watermarks.Align.Group == own.Group && t.reported != nil {
				least = min(least, *t.reported)
			}
		}
		most, drift := int64(math.MaxInt64), own.Drift/event.Millisecond
		if least < most-drift {
			most = least + drift
		}
		for _, t := range r.subtasks(v) {
			if t.reported != nil {
				t.later(r.now+r.setup.Control.RPC, func() { t.mail(mail{kind: event.MailMayGo, id: most}) })
			}
		}
	})
}

// startReports lets a source report its watermark repeatedly. Until it is told it may go as far as it likes.
func (t *task) startReports() {
	t.time.most, t.time.paused, t.time.pauses = math.MaxInt64, false, 0
	if t.log != nil && t.run.grouped(t.vertexIndex) {
		t.reportAt(t.run.now + t.run.updatesEvery(t.vertexIndex))
	}
}

func (t *task) reportAt(at event.Time) {
	t.later(at, func() {
		t.mailOnce(event.MailReport)
		t.reportAt(t.run.now + t.run.updatesEvery(t.vertexIndex))
	})
}

// report tells the coordinator where the source is; idle it holds nobody up, and before its first watermark it says nothing,
// in 1.18 nor behind its end.
func (t *task) report() {
	at, muted := t.time.told, t.run.setup.Options.Version == "1.18"
	switch {
	case t.end.data && muted:
		return
	case t.end.data:
		at = math.MaxInt64
	case at == math.MinInt64:
		return
	case t.time.idle:
		at = math.MaxInt64
	}
	t.tellCoordinator(func() { t.reported = &at })
}

// checkAhead pauses a source that is too far ahead, and lets it go on when it is not any more.
func (t *task) checkAhead() {
	e := &t.time
	ahead := e.told != math.MaxInt64 && e.told > e.most
	if e.paused && !ahead {
		e.pauses += t.run.now - e.since
	}
	if !e.paused && ahead {
		e.since = t.run.now
	}
	e.paused = ahead
}

// pausedFor is how long it was paused since its start.
func (t *task) pausedFor() event.Time {
	if t.time.paused {
		return t.time.pauses + t.run.now - t.time.since
	}
	return t.time.pauses
}
