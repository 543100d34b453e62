package core

import (
	"checkpointlab/core/event"
	"checkpointlab/core/task"
)

// unseen is the oldest record that no reader can see: when it arrived and at which source. Without one, at is now and source is
// -1.
type unseen struct {
	at     event.Time
	source event.Task
}

func (u *unseen) offer(at event.Time, source event.Task) {
	if at < u.at {
		u.at, u.source = at, source
	}
}

// aboard caches the oldest unseen record while the job runs express, once it is known.
type aboard struct {
	unseen
	known bool
}

// oldest is the oldest record that no reader can see: the record right after the barrier of the last committed checkpoint, or
// one that this barrier overtook; for sinks that show records at once, the first one under way.
func (l *Lab) oldest(now event.Time) unseen {
	u := unseen{at: now, source: -1}
	if l.world.Riding() && !l.immediate() { // as long as they run express, nothing is committed
		if !l.aboard.known {
			l.aboard.known, l.aboard.unseen = true, unseen{at: event.Never}
			l.uncommitted(&l.aboard.unseen)
		}
		u.offer(l.aboard.at, l.aboard.source)
		return u
	}
	switch {
	case l.immediate():
		l.underWay(&u)
	case l.job.finished && l.allShown():
		return u
	}
	l.uncommitted(&u)
	return u
}

// uncommitted considers the records that no sink may have yet.
func (l *Lab) uncommitted(u *unseen) {
	for _, id := range l.plan.sources {
		log := &l.world.Logs[l.world.Tasks[id].Log]
		switch {
		case l.immediate() && !log.Unlimited():
			u.offer(log.Arrival(l.world.Position(id)), id)
		case l.immediate():
		case !log.Unlimited():
			u.offer(min(log.Arrival(l.shown.Next[id]), l.overtaken[id]), id)
		case l.shown.Next[id] < log.Next:
			u.offer(min(max(0, l.shown.At[id]), l.overtaken[id]), id)
		}
	}
}

// allShown reports whether no sink holds records back.
func (l *Lab) allShown() bool {
	for i := range l.world.Writers {
		if w := &l.world.Writers[i]; w.Open.Records > 0 || len(w.Sealed) > 0 {
			return false
		}
	}
	return true
}

// noteOvertaken finds, by source, when the oldest record arrived that the barriers of an unaligned checkpoint overtook: it
// precedes the source's barrier, and yet no sink had it.
func (l *Lab) noteOvertaken(s *task.Save) {
	for id := range l.overtaken {
		l.overtaken[id] = event.Never
	}
	for i := range s.Flow {
		for k := s.Flow[i].Runs.First(); k >= 0; k = l.world.Slab.Next(k) {
			r := l.world.Slab.At(k)
			if r.IsMark() {
				continue
			}
			l.overtaken[r.Src] = min(l.overtaken[r.Src], r.Born/event.Fine)
		}
	}
}

// immediate reports whether sinks show records at once.
func (l *Lab) immediate() bool { return !l.world.Writers[0].Transactional }

// underWay considers all runs in channels and in consumers' hands.
func (l *Lab) underWay(u *unseen) {
	l.world.EachRun(func(r *event.Run) {
		if at := r.Born / event.Fine; r.IsMark() {
			return
		} else if at < u.at || at == u.at && r.Src < u.source {
			u.at, u.source = at, r.Src
		}
	})
}
