package reference

import (
	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/job"
	"checkpointlab/core/network"
	"checkpointlab/core/sink"
)

// Costs of a record where the setup gives none, as in the recorded runs.
const (
	sourceCost = 370
	otherCost  = 620
)

// dealingPeriod is how many emissions a HASH exchange's dealing takes before it repeats.
const dealingPeriod = 4096

// buildTasks makes the subtasks, vertex by vertex.
func (r *Run) buildTasks(layout *core.Setup) {
	for v := range r.setup.Vertices {
		vertex := &r.setup.Vertices[v]
		for i := range layout.Vertices[v].Parallelism {
			t := &task{run: r, id: event.Task(len(r.all)), vertex: vertex, vertexIndex: v, index: i, doing: off}
			t.cost = t.atLeast(t.ownCost())
			t.nextCost = t.cost
			t.costs = r.costsOf(v, t.cost)
			t.size = t.stateSize()
			switch vertex.Kind {
			case core.Source:
				t.log = newLog(vertex, i)
				t.baseNum, t.basePer, t.factor = vertex.RateNum*t.log.partitions, vertex.RatePer, 1_000_000
			case core.Sink:
				if vertex.Guarantee != core.NoGuarantee {
					t.flush = vertex.Flush
				}
				t.writer = &writer{transactional: vertex.Guarantee == core.ExactlyOnce, timeout: vertex.TransactionTimeout}
				if t.writer.timeout == 0 {
					t.writer.timeout = sink.KafkaSinkTimeout
				}
			}
			r.all = append(r.all, t)
		}
	}
}

// employ lists the tasks that the present phase has.
func (r *Run) employ() {
	r.tasks, r.downstream = nil, nil
	for _, t := range r.all {
		if t.retired = t.index >= t.vertex.Parallelism; !t.retired {
			r.tasks = append(r.tasks, t)
		}
	}
	for order := r.upstreamFirst(); len(order) > 0; order = order[:len(order)-1] {
		r.downstream = append(r.downstream, r.subtasks(order[len(order)-1])...)
	}
}

// ownCost is what a record costs by the setup.
func (t *task) ownCost() event.Time {
	switch {
	case t.vertex.Cost < 0 && t.vertex.Kind == core.Source:
		return sourceCost
	case t.vertex.Cost < 0:
		return otherCost
	}
	return t.vertex.Cost
}

// stateSize is the bytes of state of a subtask: of all the first one may have a share of its own.
func (t *task) stateSize() int64 {
	s, n := &t.vertex.Snapshot, int64(t.vertex.Parallelism)
	first := s.Size * n * s.Skew / 1_000_000
	switch {
	case s.Skew == 0 || n == 1:
		return s.Size
	case t.index == 0:
		return first
	}
	return (s.Size*n - first) / (n - 1)
}

// retire lets the coordinator do without the tasks that the present phase leaves out.
func (r *Run) retire() {
	for _, t := range r.all {
		t.knownEnded, t.knownFinished = false, false
		r.coordinator.Revive(t.id)
		if t.retired {
			r.coordinator.Finish(t.id)
		}
	}
}

// subtasks are the tasks of a vertex.
func (r *Run) subtasks(v int) []*task {
	var of []*task
	for _, t := range r.tasks {
		if t.vertexIndex == v {
			of = append(of, t)
		}
	}
	return of
}

// upstreamFirst lists the vertices so that each comes behind those it reads from.
func (r *Run) upstreamFirst() []int {
	var order []int
	listed := map[int]bool{}
	for len(order) < len(r.setup.Vertices) {
		for v := range r.setup.Vertices {
			ready := !listed[v]
			for _, e := range r.setup.Edges {
				ready = ready && (e.To != v || listed[e.From])
			}
			if ready {
				listed[v] = true
				order = append(order, v)
			}
		}
	}
	return order
}

// buildExchanges joins the tasks edge by edge: a partition for each producer, a gate for each consumer, a channel for each
// pair that the partitioner connects (spec 10.2).
func (r *Run) buildExchanges() {
	r.partitions, r.channels = nil, nil
	for _, t := range r.all {
		t.gates, t.inputs, t.outs = nil, nil, nil
	}
	for e := range r.setup.Edges {
		edge := &r.setup.Edges[e]
		producers, consumers := r.subtasks(edge.From), r.subtasks(edge.To)
		gates := make([]*gate, len(consumers))
		for i, c := range consumers {
			gates[i] = &gate{consumer: c}
			c.gates = append(c.gates, gates[i])
		}
		for i, producer := range producers {
			p := &partition{run: r, edge: e, producer: producer, forced: r.aligned(edge.To)}
			r.partitions = append(r.partitions, p)
			producer.outs = append(producer.outs, p)
			for _, k := range r.feeds(edge, i) {
				r.connect(p, gates[k])
			}
		}
		for _, g := range gates {
			g.credits = g.newCredits()
		}
	}
	for _, p := range r.partitions {
		p.pool = p.newPool()
	}
	r.deal()
	for _, t := range r.tasks {
		t.flushPeriod = r.flushPeriod(t)
		for _, g := range t.gates {
			for _, c := range g.channels {
				c.slot = int32(len(t.inputs))
				t.inputs = append(t.inputs, c)
			}
		}
	}
}

// feeds lists the consumers of a producer in the order of its subpartitions. Of s producers and t consumers that are wired
// pointwise, consumer i reads the producers from i·s/t up to (i+1)·s/t, one at least, and is subpartition i modulo the
// number of its producer's consumers (spec 10.2).
func (r *Run) feeds(edge *core.Edge, producer int) []int {
	s, t := r.setup.Vertices[edge.From].Parallelism, r.setup.Vertices[edge.To].Parallelism
	var all []int
	for i := range t {
		first, end := i*s/t, (i+1)*s/t
		if edge.Partition.Partitioner().Pattern() == job.AllToAll || first == producer || first < producer && producer < end {
			all = append(all, i)
		}
	}
	if edge.Partition.Partitioner().Pattern() == job.AllToAll {
		return all
	}
	bySub := make([]int, len(all))
	for _, i := range all {
		bySub[i%len(all)] = i
	}
	return bySub
}

func (r *Run) connect(p *partition, g *gate) {
	c := &channel{run: r, id: event.Channel(len(r.channels)), partition: p, gate: g, sub: len(p.channels), input: len(g.channels)}
	c.local = r.manager(p.producer) == r.manager(g.consumer)
	c.reset()
	r.channels = append(r.channels, c)
	p.channels = append(p.channels, c)
	g.channels = append(g.channels, c)
}

// manager is the task manager of a task: slots are filled in the order of the tasks, or, if subtasks of all vertices share
// them, of the subtasks' indexes.
func (r *Run) manager(t *task) int {
	slot := int(t.id)
	if r.setup.Cluster.Sharing {
		slot = t.index
	}
	return slot / max(1, r.setup.Cluster.Slots)
}

// newCredits is a gate with all buffers free; a local channel has none of its own.
func (g *gate) newCredits() network.Gate {
	o := &g.consumer.run.setup.Options
	each := make([]int, len(g.channels))
	for i, c := range g.channels {
		if !c.local {
			each[i] = o.BuffersPerChannel
		}
	}
	return network.NewGateOf(each, o.FloatingPerGate)
}

// aligned reports whether the exchanges into a vertex cannot carry unaligned barriers: as soon as one of them is pointwise or
// a broadcast, none can (spec 3.7).
func (r *Run) aligned(vertex int) bool {
	for _, e := range r.setup.Edges {
		if e.To == vertex && !e.Partition.Partitioner().CarriesUnaligned() {
			return true
		}
	}
	return false
}

// deal lets every producer deal its emissions: by key for HASH, with the keys that the exchanges before it let through
// (truth/mechanisms 7).
func (r *Run) deal() {
	keys := map[*task][]int64{} // weights of the key groups that a task sees
	for _, v := range r.upstreamFirst() {
		for _, t := range r.subtasks(v) {
			keys[t] = r.keysOf(t, keys)
			for _, p := range t.outs {
				p.dealing = r.dealing(p, keys[t])
			}
		}
	}
}

// keysOf adds up what comes to a task: all keys at a source; its own key groups of an exchange's by HASH; all or nothing by
// GLOBAL; those of the producers that it reads by the others.
func (r *Run) keysOf(t *task, keys map[*task][]int64) []int64 {
	if t.log != nil {
		return job.KeyWeights(r.setup.Keys, r.setup.HotShareMill, r.setup.MaxParallel)
	}
	sum := make([]int64, r.setup.MaxParallel)
	for _, g := range t.gates {
		for _, c := range g.channels {
			kind := r.setup.Edges[c.partition.edge].Partition
			for group, weight := range keys[c.partition.producer] {
				switch {
				case kind == core.Hash && job.SubtaskOf(group, t.vertex.Parallelism, r.setup.MaxParallel) != t.index:
				case kind == core.Global && t.index > 0:
				default:
					sum[group] += weight
				}
			}
		}
	}
	return sum
}

func (r *Run) dealing(p *partition, keys []int64) job.Dealing {
	seed := r.setup.Seed*1_000_003 + uint64(p.edge)*4099 + uint64(p.producer.index)
	consumers := len(p.channels)
	switch r.setup.Edges[p.edge].Partition {
	case core.Forward, core.Broadcast:
		return job.NewSingleDealing(1, 0)
	case core.Global:
		return job.NewSingleDealing(consumers, 0)
	case core.Rescale:
		return job.NewRoundRobinDealing(consumers, 0)
	case core.Shuffle:
		return job.NewShuffleDealing(consumers, dealingPeriod, seed)
	case core.Rebalance:
		return job.NewRoundRobinDealing(consumers, int(seed*0x9e3779b97f4a7c15>>33)%consumers)
	default:
		return job.NewHashDealing(keys, r.setup.MaxParallel, consumers, dealingPeriod, seed)
	}
}

// flushPeriod is the sleep of a task's output flusher: flushers that start together part slowly, the more exchanges lie
// before their tasks (truth/mechanisms 12). None sleeps shorter than the timeout.
func (r *Run) flushPeriod(t *task) event.Time {
	control, timeout := &r.setup.Control, max(1, r.setup.Options.BufferTimeout)
	return max(timeout, timeout+control.FlushExtra-event.Time(r.depth(t.vertexIndex))*control.FlushDrift)
}

// depth is the most exchanges between a source and a vertex.
func (r *Run) depth(v int) int {
	most := 0
	for _, e := range r.setup.Edges {
		if e.To == v {
			most = max(most, r.depth(e.From)+1)
		}
	}
	return most
}

// region is the tasks that restart with t: all that pipelined channels connect with it, directly or not (spec 9.1).
func (r *Run) region(t *task) []*task {
	if r.setup.Options.FailoverFull {
		return r.tasks
	}
	in := map[*task]bool{t: true}
	for grown := true; grown; {
		grown = false
		for _, c := range r.channels {
			a, b := c.partition.producer, c.gate.consumer
			if in[a] != in[b] {
				in[a], in[b], grown = true, true, true
			}
		}
	}
	var all []*task
	for _, o := range r.tasks {
		if in[o] {
			all = append(all, o)
		}
	}
	return all
}

// costsOf is what a record costs by input, nil if no edge has a cost of its own.
func (r *Run) costsOf(v int, cost event.Time) (costs []event.Time) {
	own := false
	for _, e := range r.setup.Edges {
		if e.To == v {
			costs = append(costs, cost)
			if e.Cost > 0 {
				costs[len(costs)-1], own = e.Cost, true
			}
		}
	}
	if !own {
		return nil
	}
	return costs
}
