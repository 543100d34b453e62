package core

import (
	"checkpointlab/core/event"
	"checkpointlab/core/job"
	"checkpointlab/core/network"
)

// deal gives every producer its dealing. Which keys a subtask sees follows from the exchanges before it: of two HASH exchanges
// of equal parallelism, subtask i of the second one gets records from subtask i of the first one only (mechanisms 7).
func (p *plan) deal(order []int) {
	s := &p.setup
	seen := make([]groups, p.tasks)
	p.net.Dealers = make([]network.Dealer, len(p.net.Partitions))
	p.toOne = job.NewSingleDealing(1, 0)
	for _, v := range order {
		if s.Vertices[v].Kind == Source {
			all := make([]int64, s.MaxParallel) // meaningless where nothing is dealt by key
			if s.dealsByKey() {
				all = job.KeyWeights(s.Keys, s.HotShareMill, s.MaxParallel)
			}
			for i := 0; i < s.Vertices[v].Parallelism; i++ {
				seen[p.first[v]+event.Task(i)] = groups{weights: all}
			}
		}
		for e := range s.Edges {
			if s.Edges[e].From == v {
				p.dealEdge(e, seen)
			}
		}
	}
}

func (s *Setup) dealsByKey() bool {
	for i := range s.Edges {
		if s.Edges[i].Partition == Hash {
			return true
		}
	}
	return false
}

func (p *plan) dealEdge(e int, seen []groups) {
	s, edge := &p.setup, p.setup.Edges[e]
	producers, consumers := p.producers(e), p.consumers(e)
	from, to := p.first[edge.From], p.first[edge.To]
	mix := p.mix(edge.Partition, seen[from:from+event.Task(producers)])
	one := make([]int64, s.MaxParallel)
	for i := 0; i < producers; i++ {
		if edge.Partition == Hash {
			clear(one)
			seen[from+event.Task(i)].addTo(one)
		}
		p.net.Dealers[p.edges[e].partition+int32(i)] = p.dealer(e, i, consumers, one)
	}
	for c := 0; c < consumers; c++ {
		seen[to+event.Task(c)].join(p.through(e, c, mix, seen[from:from+event.Task(producers)]), s.MaxParallel)
	}
}

// mix is the key groups that all producers see together; nil if no consumer receives from all of them.
func (p *plan) mix(kind Partition, seen []groups) []int64 {
	if kind.Partitioner().Pattern() != job.AllToAll {
		return nil
	}
	mix := make([]int64, p.setup.MaxParallel)
	for _, g := range seen {
		g.addTo(mix)
	}
	shrink(mix)
	return mix
}

// through is the part of all producers' key groups (mix) that reaches consumer c over edge e; seen is what each producer sees.
func (p *plan) through(e, c int, mix []int64, seen []groups) groups {
	most, producers, consumers := p.setup.MaxParallel, p.producers(e), p.consumers(e)
	kind := p.setup.Edges[e].Partition
	switch {
	case kind == Hash:
		first, last := job.KeyGroupRange(c, consumers, most)
		return groups{first, mix[first : last+1]}
	case kind == Global && c > 0:
		return groups{weights: mix[:0]}
	case kind.Partitioner().Pattern() == job.AllToAll:
		return groups{weights: mix}
	}
	first, end := job.Pointwise.Producers(c, producers, consumers)
	if end == first+1 {
		return seen[first]
	}
	sum := groups{weights: make([]int64, most)}
	for _, g := range seen[first:end] {
		g.addTo(sum.weights)
	}
	shrink(sum.weights)
	return sum
}

// groups are the weights of the key groups that a task sees, starting at the first one; all other weights are 0. Tasks share
// the slices, since there can be as many groups as tasks.
type groups struct {
	first   int
	weights []int64
}

// addTo adds them to the weights of all groups.
func (g groups) addTo(all []int64) {
	for i, w := range g.weights {
		all[g.first+i] += w
	}
}

// join adds what comes over one more exchange to a job of most groups.
func (g *groups) join(more groups, most int) {
	if g.weights == nil {
		*g = more
		return
	}
	both := groups{weights: make([]int64, most)}
	g.addTo(both.weights)
	more.addTo(both.weights)
	*g = both
}

// shrink keeps weights small enough to be added repeatedly; only their ratios matter.
func shrink(weights []int64) {
	var most int64
	for _, w := range weights {
		most = max(most, w)
	}
	for ; most > 1<<40; most >>= 10 {
		for g := range weights {
			weights[g] >>= 10
		}
	}
}

// dealer is how producer i of edge e deals its emissions (spec 10.2). A broadcast deals nothing: every channel gets everything.
func (p *plan) dealer(e, i, consumers int, weights []int64) network.Dealer {
	seed := p.setup.Seed*1_000_003 + uint64(e)*4099 + uint64(i)
	switch p.setup.Edges[e].Partition {
	case Forward, Broadcast:
		return &p.toOne
	case Global:
		d := job.NewSingleDealing(consumers, 0)
		return &d
	case Rescale:
		d := job.NewRoundRobinDealing(int(p.net.Partitions[p.edges[e].partition+int32(i)].Count), 0)
		return &d
	case Shuffle:
		d := job.NewShuffleDealing(consumers, dealingPeriod, seed)
		return &d
	case Rebalance:
		d := job.NewRoundRobinDealing(consumers, int(seed*0x9e3779b97f4a7c15>>33)%consumers)
		return &d
	default:
		d := job.NewHashDealing(weights, p.setup.MaxParallel, consumers, dealingPeriod, seed)
		return &d
	}
}

// LooksForLoad reports whether the producers of an exchange look for the channel with the least to send
// (taskmanager.network.adaptive-partitioner.enabled): some of them have several.
func (s *Setup) LooksForLoad(edge int) bool {
	e := &s.Edges[edge]
	return s.looks(e.Partition) > 0 && !e.dealsToOne(s)
}

// looks is how many channels the writers of an exchange look at for each record; 0 = they deal without looking
// (StreamTask.createRecordWriter).
func (s *Setup) looks(kind Partition) int32 {
	if o := &s.Options; o.AdaptivePartitioner && (kind == Rebalance || kind == Rescale) {
		return int32(o.AdaptiveTraverse)
	}
	return 0
}
