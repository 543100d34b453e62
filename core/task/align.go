package task

import (
	"checkpointlab/core/event"
	"checkpointlab/core/sim"
	"checkpointlab/core/watermark"
)

// Watermark alignment (FLIP-182, 217): the sources of a group report their watermarks to their coordinators periodically, and
// are told how far they may go: the least report of the group plus the drift. A source that is further ahead reads nothing
// until it may; its mails run, so it takes part in checkpoints (SourceOperator, WAITING_FOR_ALIGNMENT).

// alignment is a source's state of watermark alignment.
type alignment struct {
	most   int64 // the greatest watermark that it may have, ms
	paused bool
	since  event.Time
	spent  event.Time // total time paused since its start
}

// AlignRule is the group of a vertex's sources.
type AlignRule struct {
	Group  int32 // -1 = none
	Update event.Time
	Drift  int64 // ms
}

// startAlignment begins a source's reports; there is no limit until it is told one.
func (w *World) startAlignment(now event.Time, t *Task) {
	t.align = alignment{most: watermark.End}
	if r := w.alignRule(t); r.Group >= 0 {
		w.Queue.Push(sim.Item{At: now + r.Update, Kind: event.DueReport, A: t.ID, Gen: t.Gen})
	}
}

func (w *World) alignRule(t *Task) AlignRule {
	if t.Kind != Source || len(w.Rules.Align) == 0 {
		return AlignRule{Group: -1}
	}
	return w.Rules.Align[t.Vertex]
}

// ReportPeriod is called at the end of a period between two reports.
func (w *World) ReportPeriod(now event.Time, id event.Task, gen uint32) {
	t := &w.Tasks[id]
	if t.Gen != gen || !t.Alive {
		return
	}
	if !t.hasMail(event.MailReport) {
		w.Mail(now, id, event.MailReport, 0)
	}
	w.Queue.Push(sim.Item{At: now + w.alignRule(t).Update, Kind: event.DueReport, A: id, Gen: gen})
}

// report sends the source's watermark to the coordinator; an idle source holds nobody up. Nothing is reported before the first
// watermark (SourceOperator.emitLatestWatermark). A source that is over reports the end of time, except in 1.18, where its timers end
// with its data (StreamOperatorWrapper.quiesceTimeServiceAndFinishOperator): its last report holds the others, unless it was idle
// (FLINK-35157).
func (w *World) report(now event.Time, t *Task) {
	mark := t.time.out
	switch {
	case t.End.Data && w.Rules.MutedAtEnd:
		return
	case t.End.Data || t.time.idle && mark != watermark.None:
		mark = watermark.End
	case mark == watermark.None:
		return
	}
	w.Queue.Push(sim.Item{At: now + w.Rules.RPC, Kind: event.DueReported, A: t.ID, ID: mark, Gen: t.Gen})
}

// reportEnd is the report of a source that has come to its end, with or without a drain. It is sent at once, because the source
// may be gone before its next report (SourceOperator.emitNextNotReading, DATA_FINISHED; FLINK-35157).
func (w *World) reportEnd(now event.Time, t *Task) {
	if w.alignRule(t).Group >= 0 && !w.Rules.MutedAtEnd {
		w.report(now, t)
	}
}

// mayGo handles the coordinator's announcement of how far a source may go.
func (w *World) mayGo(now event.Time, t *Task, most int64) {
	t.align.most = most
	w.checkAlignment(now, t)
}

// checkAlignment pauses a source that is too far ahead, and lets it go on when the group has caught up.
func (w *World) checkAlignment(now event.Time, t *Task) {
	a := &t.align
	ahead := t.time.out != watermark.End && t.time.out > a.most
	switch {
	case ahead && !a.paused:
		a.paused, a.since = true, now
	case !ahead && a.paused:
		a.paused = false
		a.spent += now - a.since
	}
}

// pausedFor is the total time that a source has been paused since its start.
func (t *Task) pausedFor(now event.Time) event.Time {
	if t.align.paused {
		return t.align.spent + now - t.align.since
	}
	return t.align.spent
}

// Paused reports whether watermark alignment keeps the source from reading.
func (t *Task) Paused() bool { return t.align.paused }
