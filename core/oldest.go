package core

import (
	"checkpointlab/core/event"
	"checkpointlab/core/task"
)

// unseen is the oldest record that no reader can see: when it arrived, and the source it came from. Without one, at is now
// and source -1.
type unseen struct {
	at     event.Time
	source event.Task
}

func (u *unseen) offer(at event.Time, source event.Task) {
	if at < u.at {
		u.at, u.source = at, source
	}
}

// oldest is the oldest record that no reader can see. It is the record right behind the barrier of the last committed
// checkpoint, or one that this barrier overtook; for sinks that show at once, the first one under way.
func (l *Lab) oldest(now event.Time) unseen {
	u := unseen{at: now, source: -1}
	switch {
	case l.immediate():
		l.underWay(&u)
	case l.job.finished && l.allShown():
		return u
	}
	for _, id := range l.plan.sources {
		log := &l.world.Logs[l.world.Tasks[id].Log]
		switch {
		case l.immediate() && !log.Unlimited():
			u.offer(log.Arrival(log.Next), id)
		case l.immediate():
		case !log.Unlimited():
			u.offer(min(log.Arrival(l.shown.Next[id]), l.overtaken[id]), id)
		case l.shown.Next[id] < log.Next:
			u.offer(min(max(0, l.shown.At[id]), l.overtaken[id]), id)
		}
	}
	return u
}

// allShown tells whether no sink holds records back.
func (l *Lab) allShown() bool {
	for i := range l.world.Writers {
		if w := &l.world.Writers[i]; w.Open.Records > 0 || len(w.Sealed) > 0 {
			return false
		}
	}
	return true
}

// noteOvertaken finds, by source, when the oldest record arrived that the barriers of an unaligned checkpoint overtook:
// it is ahead of the source's barrier, and yet no sink had it.
func (l *Lab) noteOvertaken(s *task.Save) {
	for id := range l.overtaken {
		l.overtaken[id] = event.Never
	}
	for i := range s.Flow {
		for k := s.Flow[i].Runs.First(); k >= 0; k = l.world.Slab.Next(k) {
			r := l.world.Slab.At(k)
			l.overtaken[r.Src] = min(l.overtaken[r.Src], r.Born/event.Fine)
		}
	}
}

// immediate tells whether sinks show records at once.
func (l *Lab) immediate() bool { return !l.world.Writers[0].Transactional }

// underWay looks through hands and channels. Records of one source stay in order within a channel, so a look into one ends
// with the first record of the last source.
func (l *Lab) underWay(u *unseen) {
	s := search{lab: l, all: len(l.plan.sources), u: u}
	l.sought = resize(l.sought, l.plan.tasks)
	clear(l.sought)
	for i := range l.world.Tasks {
		for h := range l.world.Tasks[i].Hands {
			s.begin()
			s.list(l.world.Tasks[i].Hands[h].Entry.Runs)
		}
	}
	for c := range l.world.Net.Channels {
		ch := &l.world.Net.Channels[c]
		s.begin()
		for i := 0; i < ch.Input.Len() && s.left > 0; i++ {
			if r := ch.Input.At(i); !r.Announcement {
				s.list(r.Runs)
			}
		}
		for i := 0; i < ch.Wire.Len() && s.left > 0; i++ {
			s.list(ch.Wire.At(i).Runs)
		}
		for i := 0; i < ch.Queue.Len() && s.left > 0; i++ {
			s.list(ch.Queue.At(i).Runs)
		}
	}
}

// search is a look into one place after the other. lab.sought holds, by task, the last place where a source was found.
type search struct {
	lab   *Lab
	u     *unseen
	place int32
	all   int // sources
	left  int // of them not found in this place
}

func (s *search) begin() {
	s.place++
	s.left = s.all
}

// list goes through runs, the oldest first, until all sources are found.
func (s *search) list(runs event.Runs) {
	slab := &s.lab.world.Net.Slab
	for i := runs.First(); i >= 0 && s.left > 0; i = slab.Next(i) {
		if r := slab.At(i); s.lab.sought[r.Src] != s.place {
			s.lab.sought[r.Src] = s.place
			s.left--
			s.u.offer(r.Born/event.Fine, r.Src)
		}
	}
}
