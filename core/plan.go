package core

import (
	"slices"

	"checkpointlab/core/event"
	"checkpointlab/core/job"
	"checkpointlab/core/network"
)

// dealingPeriod is the number of emissions after which the dealing of a HASH exchange repeats: a multiple of the recorded runs'
// 1,024 keys, so that shares are met to a tenth of a per cent.
const dealingPeriod = 4096

// The measured cost of a record where the scenario gives none, from the busy times of recorded runs (truth/ bp-222: 3.6 and 6.1
// ms a second for 9,764 and 9,788 records).
const (
	sourceCost event.Time = 370
	MapCost    event.Time = 620
	SinkCost   event.Time = 620
)

// plan is what is fixed for a run: the graph of tasks, channels and exchanges. It is shared by a run and its snapshots.
type plan struct {
	setup     Setup
	layout    *Setup         // the setup with the most subtasks that each vertex ever has: the ids of tasks are dense over these
	phases    []*plan        // one for the start and one for each rescaling, in order; the same for all of them
	phase     int            // which of them this is
	by        *Action        // what began it; nil at the start
	first     []event.Task   // by vertex: its first task
	tasks     int            // of the layout
	active    []event.Task   // those that this phase has
	managers  int            // task managers
	groups    [][]event.Task // of tasks that put their channel state into one file
	edges     []edgePlan
	net       network.Plan
	toOne     job.Dealing // of all producers with one channel
	gates     [][]int32   // by task
	outs      [][]int32   // by task
	sources   []event.Task
	sinks     []event.Task
	home      []int32      // by task: its task manager
	group     []int32      // by task: index into groups
	regions   []int32      // by task: the pipelined region it belongs to
	upward    []event.Task // downstream tasks first: the order in which flushers tick
	depth     []int        // by vertex: exchanges before it
	path      []int        // edges from a source to a sink, for the time budget
	eventTime bool
	keys      [][]int64 // by vertex of windows: keys of each subtask
	even      []int64   // by key group: a million for each of its keys
}

// edgePlan is the ids that belong to one exchange.
type edgePlan struct {
	channel   event.Channel // its first
	partition int32         // its first
	gate      int32         // its first
}

// producers and consumers are the parallelism at both ends of edge e.
func (p *plan) producers(e int) int { return p.setup.Vertices[p.setup.Edges[e].From].Parallelism }
func (p *plan) consumers(e int) int { return p.setup.Vertices[p.setup.Edges[e].To].Parallelism }

// newPlan lays out the job: one plan for the start, and one for each rescaling of the script.
func newPlan(s Setup) *plan {
	setups := s.rescaled()
	layout := widest(setups)
	var all []*plan
	for i := range setups {
		all = append(all, planOf(setups[i], layout, i))
	}
	n := 0
	for i := range s.Script {
		if s.Script[i].startsAnew() {
			n++
			all[n].by = &s.Script[i]
		}
	}
	for _, p := range all {
		p.phases = all
	}
	return all[0]
}

// planOf lays one phase out.
func planOf(s Setup, layout *Setup, phase int) *plan {
	p := &plan{setup: s, layout: layout, phase: phase, eventTime: s.hasEventTime()}
	for v := range s.Vertices {
		p.first = append(p.first, event.Task(p.tasks))
		for i := range s.Vertices[v].Parallelism {
			p.active = append(p.active, event.Task(p.tasks+i))
		}
		p.tasks += layout.Vertices[v].Parallelism
	}
	p.gates, p.outs = make([][]int32, p.tasks), make([][]int32, p.tasks)
	for v := range s.Vertices {
		for i := 0; i < s.Vertices[v].Parallelism; i++ {
			switch id := p.first[v] + event.Task(i); s.Vertices[v].Kind {
			case Source:
				p.sources = append(p.sources, id)
			case Sink:
				p.sinks = append(p.sinks, id)
			}
		}
	}
	order, _ := topological(&s) // Check has refused cycles
	for i := len(order) - 1; i >= 0; i-- {
		for k := 0; k < s.Vertices[order[i]].Parallelism; k++ {
			p.upward = append(p.upward, p.first[order[i]]+event.Task(k))
		}
	}
	p.depth = make([]int, len(s.Vertices))
	for _, v := range order {
		for _, e := range s.Edges {
			if e.From == v {
				p.depth[e.To] = max(p.depth[e.To], p.depth[v]+1)
			}
		}
	}
	p.wire(order)
	p.placeTasks()
	p.findRegions()
	p.findPath()
	p.keys = make([][]int64, len(s.Vertices))
	if slices.ContainsFunc(s.Vertices, func(v Vertex) bool { return v.stateful() }) {
		p.even = job.KeyWeights(s.Keys, 0, s.MaxParallel)
	}
	for v := range s.Vertices {
		if s.Vertices[v].Window.Size > 0 {
			p.keys[v] = s.keysBySubtask(v, s.Vertices[v].Parallelism)
		}
	}
	return p
}

// wire makes the gates, partitions, channels and dealers of every edge, in the setup's order.
func (p *plan) wire(order []int) {
	o := &p.setup.Options
	p.net = network.Plan{
		Exclusive: o.BuffersPerChannel, Floating: o.FloatingPerGate, MaxPerSub: o.MaxPerChannel, Overdraft: o.MaxOverdraft,
		Segment: o.SegmentSize, Latency: p.setup.Control.Net, Send: p.setup.Control.Send, Receive: p.setup.Control.Receive,
		UrgentPass: o.Version == "2.3", Whole: o.SegmentSize, Extends: o.Version != "1.18",
	}
	if o.Debloat {
		p.net.Segment = min(o.SegmentSize, o.StartingSegmentSize)
	}
	p.net.Wires = make([]network.Wire, 0, p.setup.Channels())
	for e := range p.setup.Edges {
		p.edges = append(p.edges, edgePlan{event.Channel(len(p.net.Wires)), int32(len(p.net.Partitions)), int32(len(p.net.GateInputs))})
		p.wireEdge(e)
	}
	p.deal(order)
	p.numberSlots()
	p.markForced()
}

func (p *plan) wireEdge(e int) {
	edge, at := p.setup.Edges[e], p.edges[e]
	producers, consumers := p.producers(e), p.consumers(e)
	pattern := edge.Partition.Partitioner().Pattern()
	p.net.GateInputs = slices.Grow(p.net.GateInputs, consumers)
	p.net.Partitions = slices.Grow(p.net.Partitions, producers)
	for c := 0; c < consumers; c++ {
		p.net.GateInputs = append(p.net.GateInputs, nil)
		t := p.first[edge.To] + event.Task(c)
		p.gates[t] = append(p.gates[t], at.gate+int32(c))
	}
	for from := 0; from < producers; from++ {
		t := p.first[edge.From] + event.Task(from)
		lo, hi := pattern.Consumers(from, producers, consumers)
		part := at.partition + int32(from)
		p.outs[t] = append(p.outs[t], part)
		p.net.Partitions = append(p.net.Partitions, network.Partition{
			Task: t, First: event.Channel(len(p.net.Wires)), Count: int32(hi - lo), All: edge.Partition == Broadcast && hi-lo > 1,
			Plain: p.setup.Vertices[edge.From].Lock != NoLock, Looks: p.setup.looks(edge.Partition),
		})
		local := p.manager(edge.From, from)
		for sub := range hi - lo {
			to := consumerAt(sub, lo, hi)
			if pattern == job.AllToAll {
				to = sub
			}
			g := at.gate + int32(to)
			c := event.Channel(len(p.net.Wires))
			p.net.Wires = append(p.net.Wires, network.Wire{
				Producer: t, Consumer: p.first[edge.To] + event.Task(to), Partition: part, Gate: g,
				Sub: int32(sub), Input: int32(len(p.net.GateInputs[g])), Local: local == p.manager(edge.To, to),
			})
			if p.net.GateInputs[g] == nil {
				from, until := pattern.Producers(to, producers, consumers)
				p.net.GateInputs[g] = make([]event.Channel, 0, until-from)
			}
			p.net.GateInputs[g] = append(p.net.GateInputs[g], c)
		}
	}
}

// consumerAt is the consumer that a pointwise producer's subpartition leads to: of the consumers [lo, hi) the one whose index
// modulo their number is sub (spec 10.2).
func consumerAt(sub, lo, hi int) int {
	n := hi - lo
	return lo + ((sub-lo)%n+n)%n
}

// markForced marks exchanges that cannot carry unaligned barriers: all those into a vertex of which any is pointwise or a
// broadcast (spec 3.7).
func (p *plan) markForced() {
	inputs := make([][]job.Partitioner, len(p.setup.Vertices))
	for _, edge := range p.setup.Edges {
		inputs[edge.To] = append(inputs[edge.To], edge.Partition.Partitioner())
	}
	for e, edge := range p.setup.Edges {
		if job.CarryUnaligned(inputs[edge.To]) {
			continue
		}
		for i := 0; i < p.producers(e); i++ {
			p.net.Partitions[int(p.edges[e].partition)+i].Forced = true
		}
	}
}

// manager is the task manager of subtask i of vertex v.
func (p *plan) manager(v, i int) int {
	slot := int(p.first[v]) + i
	if p.setup.Cluster.Sharing {
		slot = i
	}
	return slot / max(1, p.setup.Cluster.Slots)
}

// placeTasks counts the task managers, and groups the tasks of each that put their channel state into one file.
func (p *plan) placeTasks() {
	var byManager [][]event.Task
	p.home, p.group = make([]int32, p.tasks), make([]int32, p.tasks)
	for v := range p.setup.Vertices {
		for i := 0; i < p.setup.Vertices[v].Parallelism; i++ {
			m, id := p.manager(v, i), p.first[v]+event.Task(i)
			for len(byManager) <= m {
				byManager = append(byManager, nil)
			}
			byManager[m] = append(byManager[m], id)
			p.home[id] = int32(m)
		}
	}
	p.managers = len(byManager)
	size := max(1, p.setup.Options.ChannelFileSubtasks)
	for _, tasks := range byManager {
		for len(tasks) > 0 {
			n := min(size, len(tasks))
			for _, t := range tasks[:n] {
				p.group[t] = int32(len(p.groups))
			}
			p.groups = append(p.groups, tasks[:n])
			tasks = tasks[n:]
		}
	}
}

// numberSlots gives each channel its index over all gates of its consumer.
func (p *plan) numberSlots() {
	for t := range p.gates {
		slot := int32(0)
		for _, g := range p.gates[t] {
			for _, c := range p.net.GateInputs[g] {
				p.net.Wires[c].Slot = slot
				slot++
			}
		}
	}
}

// channelsOf is how many channels each gate of a task reads.
func (p *plan) channelsOf(t event.Task) (each []int) {
	for _, g := range p.gates[t] {
		each = append(each, len(p.net.GateInputs[g]))
	}
	return each
}

// topological lists vertices so that each comes after those it reads from; false: there is a cycle.
func topological(s *Setup) (order []int, ok bool) {
	done := make([]bool, len(s.Vertices))
	for len(order) < len(s.Vertices) {
		before := len(order)
		for v := range s.Vertices {
			ready := !done[v]
			for _, e := range s.Edges {
				ready = ready && (e.To != v || done[e.From])
			}
			if ready {
				done[v] = true
				order = append(order, v)
			}
		}
		if len(order) == before {
			return order, false
		}
	}
	return order, true
}

// findRegions joins tasks that a pipelined exchange connects (spec 9.1): each has the number of its region's first task.
func (p *plan) findRegions() {
	p.regions = make([]int32, p.tasks)
	for t := range p.regions {
		p.regions[t] = int32(t)
	}
	first := func(t int32) int32 {
		for p.regions[t] != t {
			p.regions[t] = p.regions[p.regions[t]]
			t = p.regions[t]
		}
		return t
	}
	for i := range p.net.Wires {
		a, b := first(p.net.Wires[i].Producer), first(p.net.Wires[i].Consumer)
		p.regions[max(a, b)] = min(a, b)
	}
	for t := range p.regions {
		p.regions[t] = first(int32(t))
	}
}

// findPath follows first edges from the first source to a sink.
func (p *plan) findPath() {
	v := -1
	for i := range p.setup.Vertices {
		if p.setup.Vertices[i].Kind == Source {
			v = i
			break
		}
	}
	for v >= 0 {
		next := -1
		for e := range p.setup.Edges {
			if p.setup.Edges[e].From == v {
				p.path = append(p.path, e)
				next = p.setup.Edges[e].To
				break
			}
		}
		v = next
	}
}
