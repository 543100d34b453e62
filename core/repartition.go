package core

import (
	"slices"

	"checkpointlab/core/event"
	"checkpointlab/core/job"
	"checkpointlab/core/source"
	"checkpointlab/core/state"
	"checkpointlab/core/task"
)

// repartition is a checkpoint as the subtasks of another phase read it (spec 10.4): partitions of a log go to the subtask that
// now owns them, with their positions; other tasks continue from what the subtask with their index had, new ones from nothing;
// keyed state needs no position. read is, by task, how far the logs were ever read.
func (l *Lab) repartition(s *task.Save, next *plan, action int) (out task.Save, read []int64) {
	out = task.Save{ID: s.ID, Began: s.Began, Savepoint: s.Savepoint, Kind: s.Kind, Foreign: s.Foreign, Phase: s.Phase,
		Next: slices.Clone(s.Next), At: slices.Clone(s.At), From: make([]event.Checkpoint, len(s.From)), Emitted: make([]int64, len(next.net.Partitions)), Parts: s.Parts}
	out.CopyBy(s)
	if out.Parts == nil {
		out.Parts = make([]state.Part, len(s.Next))
	}
	read = make([]int64, l.plan.tasks)
	for v := range next.setup.Vertices {
		switch {
		case next.setup.Vertices[v].Kind != Source:
		case next.renames(l.plan, v): // it begins anew
			l.moveSplits(v, next, out.Next, func(event.Task) int64 { return 0 })
			l.moveSplits(v, next, read, func(t event.Task) int64 { return l.world.Logs[l.world.Tasks[t].Log].Read })
		default:
			l.moveSplits(v, next, out.Next, func(t event.Task) int64 { return s.Next[t] })
			l.moveSplits(v, next, read, func(t event.Task) int64 { return l.world.Logs[l.world.Tasks[t].Log].Read })
		}
	}
	for _, t := range next.active {
		for k, p := range next.outs[t] {
			switch v := l.world.Tasks[t].Vertex; {
			case next.setup.Vertices[v].Kind == Source:
				out.Emitted[p] = out.Next[t]
			case k < len(l.plan.outs[t]):
				out.Emitted[p] = s.Emitted[l.plan.outs[t][k]]
			default:
				out.Emitted[p] = l.world.Tasks[t].MadeBy(&out)
			}
		}
	}
	l.dealWindows(&out, s, next)
	l.dealRequests(&out, s, next)
	return out, read
}

// moveSplits adds up the positions of a source's partitions by their new subtasks: partition p belongs to subtask p mod
// parallelism, and record i of a subtask with n partitions belongs to its partition i mod n.
func (l *Lab) moveSplits(v int, next *plan, to []int64, from func(event.Task) int64) {
	old, now := &l.plan.setup.Vertices[v], &next.setup.Vertices[v]
	first := l.plan.first[v]
	position := make([]int64, old.Partitions)
	for p := range position {
		i, j := p%old.Parallelism, int64(p/old.Parallelism)
		n := partitionsOf(old, i)
		position[p] = (from(first+event.Task(i)) - j + n - 1) / n
	}
	for i := range next.layout.Vertices[v].Parallelism {
		to[first+event.Task(i)] = 0
	}
	for p, at := range position {
		to[first+event.Task(p%now.Parallelism)] += at
	}
}

// repeatRates gives a log the rates that it has had: those that the script set before an action, and what its load made of
// them.
func (l *Lab) repeatRates(now event.Time, log *source.Log, t event.Task, action int) {
	w := &l.world.Tasks[t]
	v := &l.plan.setup.Vertices[w.Vertex]
	n := partitionsOf(v, int(w.Index))
	if n == 0 {
		return
	}
	rate := newBaseRate(v, int(w.Index))
	at := event.Time(0)
	for i := 0; ; {
		for i < action && (l.plan.setup.Script[i].Do != Rate || l.plan.setup.Script[i].Vertex != int(w.Vertex)) {
			i++
		}
		until := now + 1
		if i < action {
			until = l.plan.setup.Script[i].At
		}
		for v.Load.on() && at < until && at <= now {
			if f := v.Load.factor(at, int(w.Index)); f != rate.factor {
				rate.factor = f
				rate.put(log, at)
			}
			at = v.Load.next(at)
		}
		if i == action {
			break
		}
		rate.num, rate.per = l.plan.setup.Script[i].RateNum*n, l.plan.setup.Script[i].RatePer
		rate.put(log, until)
		i++
	}
	if v.Load.on() {
		l.rates[t] = rate
	}
}

// put makes it a log's rate from an instant on.
func (r *baseRate) put(log *source.Log, at event.Time) {
	num, per := r.now()
	log.SetRate(at, num, per, 0)
}

// redistribute deals the in-flight data of a checkpoint to the channels of another phase (spec 10.2, 10.4). Output state goes
// to subtask i mod the new parallelism of its vertex; on the downstream side each partitioner has its mapper, and of what
// several new subtasks read, each keeps the records of its key groups. It is false where Flink refuses: in-flight data on an
// exchange whose partitioner cannot be rescaled, and, before FLINK-38267, output state of a vertex that also has such an
// exchange.
func (l *Lab) redistribute(s *task.Save, next *plan) (flow []task.Stored, ok bool) {
	for i := range s.Flow {
		if l.refuses(&s.Flow[i], next) {
			return nil, false
		}
	}
	sharings := map[[2]int]*sharing{}
	for i := range s.Flow {
		f := &s.Flow[i]
		e := l.plan.edgeOf(f.Channel)
		from, to := l.ends(f.Channel)
		producer := from % next.producers(e)
		if l.plan.consumers(e) == next.consumers(e) {
			flow = l.put(flow, next, e, producer, to, f.Output, f.Runs)
			continue
		}
		flow = l.split(flow, next, e, producer, to, f, sharings)
	}
	s.Flow = s.Flow[:0]
	return flow, true
}

// refuses reports whether Flink cannot deal a piece of channel state.
func (l *Lab) refuses(f *task.Stored, next *plan) bool {
	e := l.plan.edgeOf(f.Channel)
	if l.plan.producers(e) == next.producers(e) && l.plan.consumers(e) == next.consumers(e) {
		return f.Output && l.refusesMixed(e, next)
	}
	return !l.plan.setup.Edges[e].Partition.Partitioner().CarriesUnaligned() || f.Output && l.refusesMixed(e, next)
}

// edgeOf is the exchange of a channel.
func (p *plan) edgeOf(c event.Channel) int {
	e := len(p.edges) - 1
	for p.edges[e].channel > c {
		e--
	}
	return e
}

// ends is the indexes of the subtasks that a channel joins.
func (l *Lab) ends(c event.Channel) (from, to int) {
	w := &l.plan.net.Wires[c]
	return int(l.world.Tasks[w.Producer].Index), int(l.world.Tasks[w.Consumer].Index)
}

// refusesMixed reports whether the version refuses output state of a vertex that has another exchange which is rescaled and
// cannot be (FLINK-38267, case C18).
func (l *Lab) refusesMixed(e int, next *plan) bool {
	if l.plan.setup.Options.Version >= "2.3" {
		return false
	}
	for o, edge := range l.plan.setup.Edges {
		if o != e && edge.From == l.plan.setup.Edges[e].From && !edge.Partition.Partitioner().CarriesUnaligned() &&
			(l.plan.producers(o) != next.producers(o) || l.plan.consumers(o) != next.consumers(o)) {
			return true
		}
	}
	return false
}

// put adds records to the state of the channel of two subtasks.
func (l *Lab) put(flow []task.Stored, next *plan, e, from, to int, output bool, runs event.Runs) []task.Stored {
	c := next.edges[e].channel + event.Channel(from*next.consumers(e)+to)
	for i := range flow {
		if flow[i].Channel == c && flow[i].Output == output {
			l.world.Slab.Join(&flow[i].Runs, &runs)
			return flow
		}
	}
	return append(flow, task.Stored{Channel: c, Output: output, Runs: runs})
}

// sharing says how what was on the way to an old subtask is dealt to the new ones that read it, record by record.
type sharing struct {
	dealing job.Dealing
	dealt   int64
}

// sharingOf deals by the key groups that the old subtask had.
func (l *Lab) sharingOf(e, to, now int) *sharing {
	s := &l.plan.setup
	old := l.plan.consumers(e)
	weights := job.Restrict(job.KeyWeights(s.Keys, s.HotShareMill, s.MaxParallel), s.MaxParallel, old, to)
	if !slices.ContainsFunc(weights, func(w int64) bool { return w > 0 }) { // records of no key that there is
		first, last := job.KeyGroupRange(to, old, s.MaxParallel)
		for g := first; g <= last; g++ {
			weights[g] = 1
		}
	}
	return &sharing{dealing: job.NewHashDealing(weights, s.MaxParallel, now, dealingPeriod, s.Seed*1_000_003+uint64(e)*4099+uint64(to))}
}

// split deals what was on the way to old subtask to. Every reader gets the watermarks.
func (l *Lab) split(flow []task.Stored, next *plan, e, from, to int, f *task.Stored, sharings map[[2]int]*sharing) []task.Stored {
	old, now := l.plan.consumers(e), next.consumers(e)
	readers := l.plan.setup.Edges[e].Partition.Partitioner().Mapper().NewSubtasks(to, old, now, nil)
	if len(readers) == 1 {
		return l.put(flow, next, e, from, readers[0], f.Output, f.Runs)
	}
	x := sharings[[2]int{e, to}]
	if x == nil {
		x = l.sharingOf(e, to, now)
		sharings[[2]int{e, to}] = x
	}
	lists := make([]event.Runs, now)
	for j := range lists {
		lists[j] = event.EmptyRuns
	}
	scratch := make([]int32, now)
	for i := f.Runs.First(); i >= 0; i = l.world.Slab.Next(i) {
		r := *l.world.Slab.At(i)
		if r.IsMark() {
			for _, j := range readers {
				l.world.Slab.Append(&lists[j], &r)
			}
			continue
		}
		for _, share := range x.dealing.Deal(x.dealt, r.Count, nil, scratch) {
			part := r.Thin(share.First, share.Last, share.Count)
			l.world.Slab.Append(&lists[share.Channel], &part)
		}
		x.dealt += r.Count
	}
	l.world.Slab.Clear(&f.Runs)
	for j := range lists {
		if !lists[j].Empty() {
			flow = l.put(flow, next, e, from, j, f.Output, lists[j])
		}
	}
	return flow
}

// sharesOf is how the records of an old subtask are divided among its readers: by the weights of the key groups that both have.
func (l *Lab) sharesOf(readers []int, to, old, now int) (shares []int64, all int64) {
	s := &l.plan.setup
	weights := job.KeyWeights(s.Keys, s.HotShareMill, s.MaxParallel)
	shrink(weights)
	for _, j := range readers {
		share := int64(0)
		first, last, _ := job.SharedKeyGroups(j, now, to, old, s.MaxParallel)
		for g := first; g <= last; g++ {
			share += weights[g]
		}
		shares, all = append(shares, share), all+share
	}
	if all == 0 {
		return slices.Repeat([]int64{1}, len(readers)), int64(len(readers))
	}
	return shares, all
}
