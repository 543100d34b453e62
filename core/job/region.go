package job

// Regions is the pipelined region of each subtask, by dense id: subtasks connected by pipelined exchanges share one, since
// none can go on without the others (spec 9.1), and so do regions that need each other's results (cycles). Regions are numbered
// in order of their first subtask.
func (g *Graph) Regions() []int {
	regions := g.joined()
	g.mergeCycles(regions)
	return regions
}

// joined is the regions by pipelined exchanges alone.
func (g *Graph) joined() []int {
	parent := make([]int, g.Tasks())
	for i := range parent {
		parent[i] = i
	}
	find := func(t int) int {
		for parent[t] != t {
			parent[t] = parent[parent[t]]
			t = parent[t]
		}
		return t
	}
	first := g.firstTasks()
	for _, e := range g.Edges {
		if !resultFacts[e.Result].together {
			continue
		}
		s, c, pattern := g.Operators[e.From].Parallelism, g.Operators[e.To].Parallelism, e.Partitioner.Pattern()
		for i := range c {
			from, to := pattern.Producers(i, s, c)
			if pattern == AllToAll && i > 0 {
				to = 1 // consumer 0 has joined all producers
			}
			for j := from; j < to; j++ {
				a, b := find(first[e.From]+j), find(first[e.To]+i)
				parent[max(a, b)] = min(a, b)
			}
		}
	}
	regions := make([]int, len(parent))
	for t := range regions {
		regions[t] = find(t)
	}
	number(regions)
	return regions
}

// number gives regions that have any numbers those in order of their first subtask.
func number(regions []int) {
	names := map[int]int{}
	for t, r := range regions {
		if _, seen := names[r]; !seen {
			names[r] = len(names)
		}
		regions[t] = names[r]
	}
}

// Standing is what is known of the subtasks, by dense id, when one fails. A nil slice stands for all false.
type Standing struct {
	Full    bool   // every failure restarts all, those never deployed as well (RestartAllFailoverStrategy)
	Lost    []bool // its result cannot be read
	Created []bool // it was never deployed, so that it need not be restarted
}

// Restarts is the subtasks, ascending by dense id, that a failure of one restarts: its region, the regions that read from
// a restarted one, and those whose results a restarted one needs and cannot read; transitively (spec 9.1; vectors region.*).
// In a streaming job this is just the region.
func (g *Graph) Restarts(failed int, s Standing) []int {
	w := walk{g: g, first: g.firstTasks(), regions: g.Regions(), lost: s.Lost, restarts: make([]bool, g.Tasks())}
	w.region(w.regions[failed])
	var out []int
	for t, restarts := range w.restarts {
		if s.Full || restarts && !at(s.Created, t) {
			out = append(out, t)
		}
	}
	return out
}

// walk spreads a failure over regions.
type walk struct {
	g        *Graph
	first    []int
	regions  []int
	lost     []bool
	restarts []bool
}

// region marks a region and what hangs on it.
func (w *walk) region(r int) {
	var todo []int
	for t, region := range w.regions {
		if region == r && !w.restarts[t] {
			w.restarts[t] = true
			todo = append(todo, t)
		}
	}
	for _, t := range todo {
		for i := range w.g.Edges {
			w.along(&w.g.Edges[i], t)
		}
	}
}

// along follows one exchange from task t, down to its consumers and up to producers whose results it cannot read.
func (w *walk) along(e *Edge, t int) {
	s, c, pattern := w.g.Operators[e.From].Parallelism, w.g.Operators[e.To].Parallelism, e.Partitioner.Pattern()
	if j := t - w.first[e.From]; j >= 0 && j < s {
		from, to := pattern.Consumers(j, s, c)
		for i := from; i < to; i++ {
			w.task(w.first[e.To] + i)
		}
	}
	if i := t - w.first[e.To]; i >= 0 && i < c {
		from, to := pattern.Producers(i, s, c)
		for j := from; j < to; j++ {
			if producer := w.first[e.From] + j; at(w.lost, producer) || !resultFacts[e.Result].again {
				w.task(producer)
			}
		}
	}
}

// task brings in the region of a task.
func (w *walk) task(t int) {
	if !w.restarts[t] {
		w.region(w.regions[t])
	}
}

// at is list[i], false in a nil list.
func at(list []bool, i int) bool { return list != nil && list[i] }
