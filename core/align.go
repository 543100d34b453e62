package core

import (
	"checkpointlab/core/event"
	"checkpointlab/core/sim"
	"checkpointlab/core/task"
	"checkpointlab/core/watermark"
)

// Alignment is a group of sources whose watermarks may not drift apart by more than Drift
// (WatermarkStrategy.withWatermarkAlignment); Group "" = none.
type Alignment struct {
	Group  string
	Drift  event.Time // ms count
	Update event.Time // between two reports, and between two announcements; 0 = 1 s
}

// updateInterval is Flink's default (WatermarksWithWatermarkAlignment).
const updateInterval = event.Second

func (a *Alignment) update() event.Time {
	if a.Update == 0 {
		return updateInterval
	}
	return a.Update
}

// alignRules fills in the groups of the sources.
func (s *Setup) alignRules(r *task.Rules) {
	if !s.hasAlignment() {
		return
	}
	groups := map[string]int32{}
	for i := range s.Vertices {
		a, rule := &s.Vertices[i].Watermarks.Align, task.AlignRule{Group: -1}
		if s.Vertices[i].Watermarks.On && a.Group != "" {
			if _, seen := groups[a.Group]; !seen {
				groups[a.Group] = int32(len(groups))
			}
			rule = task.AlignRule{Group: groups[a.Group], Update: a.update(), Drift: a.Drift / event.Millisecond}
		}
		r.Align = append(r.Align, rule)
	}
	r.MutedAtEnd = s.Options.Version == "1.18"
}

func (s *Setup) hasAlignment() bool {
	for i := range s.Vertices {
		if w := &s.Vertices[i].Watermarks; w.On && w.Align.Group != "" && s.Options.AutoWatermark > 0 {
			return true
		}
	}
	return false
}

// beginAlignment starts the periods of the source coordinators.
func (l *Lab) beginAlignment() {
	for v, r := range l.world.Rules.Align {
		if r.Group >= 0 {
			l.queue.Push(sim.Item{At: l.plan.setup.Control.LogLead + r.Update, Kind: event.DueAnnounce, A: int32(v)})
		}
	}
}

// reportedMark handles a source's watermark that reaches its coordinator.
func (l *Lab) reportedMark(it *sim.Item) {
	if l.world.Tasks[it.A].Gen == it.Gen {
		l.align.Report(int(it.A), it.ID)
	}
}

// announce tells the subtasks of a vertex how far their watermarks may go: the least report of the group plus the drift. A
// subtask that has reported nothing is neither counted nor told (SourceCoordinator.announceCombinedWatermark).
func (l *Lab) announce(now event.Time, v int) {
	rule := l.world.Rules.Align[v]
	l.queue.Push(sim.Item{At: now + rule.Update, Kind: event.DueAnnounce, A: int32(v)})
	least := watermark.End
	for _, t := range l.plan.sources {
		if l.world.Rules.Align[l.world.Tasks[t].Vertex].Group == rule.Group {
			least = l.align.Least(least, int(t))
		}
	}
	most := watermark.MayGo(least, rule.Drift)
	for k := range l.plan.setup.Vertices[v].Parallelism {
		if t := l.plan.first[v] + event.Task(k); l.align.Knows(int(t)) {
			l.queue.Push(sim.Item{At: now + l.plan.setup.Control.RPC, Kind: event.DueMail, A: t, B: event.MailMayGo, ID: most, Gen: l.world.Tasks[t].Gen})
		}
	}
}

// checkAlignment refuses alignment settings out of range.
func (v *Vertex) checkAlignment(bad func(string, ...any)) {
	a := &v.Watermarks.Align
	if a.Drift < 0 || a.Drift > maxDuration || a.Update < 0 || a.Update > maxDuration || a.Update > 0 && a.Update < event.Millisecond {
		bad("the watermark alignment of %s has a drift of %d ns and an update every %d ns; give up to 30 days, at least 1 ms for the update", v.Name, a.Drift, a.Update)
	}
}
