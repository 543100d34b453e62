package core

// State is the complete changing state of a run at an instant, without what was recorded.
type State struct{ lab *Lab }

// Snapshot copies the state of l into s; the memory of an earlier snapshot of the same run is used again.
func (l *Lab) Snapshot(s *State) {
	l.alight()
	if s.lab == nil || s.lab.plan != l.plan {
		s.lab = fromPlan(l.plan)
		s.lab.world.Slab.Packed, s.lab.world.Net.Slab.Packed = true, true
	}
	s.lab.copyFrom(l)
}

// Twin is a run of the same setup that records nothing: Restore sets it to any snapshot.
func (l *Lab) Twin() *Lab {
	t := fromPlan(l.plan.phases[0])
	t.begin()
	return t
}

// Restore sets l to the state of a snapshot, which must be of the same run. Going on from there gives the same run as never
// having stopped. What l has recorded stays.
func (l *Lab) Restore(s *State) {
	if s.lab == nil || s.lab.plan.phases[0] != l.plan.phases[0] {
		panic("core: a snapshot of another run")
	}
	l.world.Drop()
	if s.lab.plan != l.plan {
		l.enter(s.lab.plan, 0)
	}
	l.copyFrom(s.lab)
}

// At is the instant of the snapshot, in ns of the run.
func (s *State) At() int64 { return s.lab.now }

// Events is how many events had happened by then.
func (s *State) Events() uint64 { return s.lab.feed.Count }

func (l *Lab) copyFrom(src *Lab) {
	l.world.Drop()
	l.now = src.now
	l.queue.CopyFrom(&src.queue)
	l.feed.Hash, l.feed.Count, l.feed.Buffers = src.feed.Hash, src.feed.Count, src.feed.Buffers
	l.world.CopyFrom(&src.world)
	l.coord.CopyFrom(&src.coord)
	l.storing.copyFrom(&src.storing)
	l.back.copyFrom(&src.back)
	l.stalls.copyFrom(&src.stalls)
	copy(l.throttles, src.throttles)
	l.strategy.CopyFrom(&src.strategy)
	l.random = src.random
	l.job = src.job
	l.shown.CopyFrom(&src.shown)
	l.firstShown = src.firstShown
	copy(l.overtaken, src.overtaken)
	copy(l.ended, src.ended)
	copy(l.initializing, src.initializing)
	l.align.CopyFrom(&src.align)
	copy(l.rates, src.rates)
	copy(l.behind, src.behind)
	l.shares.copyFrom(&src.shares)
	l.gauges = append(l.gauges[:0], src.gauges...)
	l.latencies = append(l.latencies[:0], src.latencies...)
	l.lastDuration = src.lastDuration
}
