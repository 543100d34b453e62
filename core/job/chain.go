package job

// ChainOptions are the options of the job that bear on chaining.
type ChainOptions struct {
	Enabled            bool // pipeline.operator-chaining.enabled
	MixMaxParallelisms bool // pipeline.operator-chaining.chain-operators-with-different-max-parallelism; default true
}

// Chains is the operators of each job vertex: those that share a task, in topological order, the vertices in order of
// their first operator (spec 10.3; vectors chain.*).
func (g *Graph) Chains(opt ChainOptions) [][]int {
	order := g.topological()
	head := make([]int, len(g.Operators)) // the first operator of the chain it belongs to
	for _, op := range order {
		head[op] = op
		for _, e := range g.Edges {
			if e.To != op || !g.chainable(&e, opt, head) {
				continue
			}
			if head[op] == op {
				head[op] = head[e.From]
			} else { // a further source in front of a HEAD_WITH_SOURCES
				head[e.From] = head[op]
			}
		}
	}
	place := make([]int, len(g.Operators))
	var chains [][]int
	for _, op := range order {
		if head[op] == op {
			place[op] = len(chains)
			chains = append(chains, nil)
		}
		chains[place[head[op]]] = append(chains[place[head[op]]], op)
	}
	return chains
}

// chainable reports whether the two ends of e share a task; heads are known of all operators up to e.From.
func (g *Graph) chainable(e *Edge, opt ChainOptions, head []int) bool {
	up, down := &g.Operators[e.From], &g.Operators[e.To]
	return opt.Enabled &&
		e.Partitioner == Forward && e.Result != Blocking &&
		up.Parallelism == down.Parallelism && up.SlotGroup == down.SlotGroup &&
		(opt.MixMaxParallelisms || up.MaxParallelism == down.MaxParallelism) &&
		g.strategiesAgree(e) &&
		!(down.Yielding && g.Operators[head[e.From]].Source == LegacySource)
}

// strategiesAgree reports whether what both ends say about chaining, and the number of inputs, lets them share a task.
func (g *Graph) strategiesAgree(e *Edge) bool {
	up, down := &g.Operators[e.From], &g.Operators[e.To]
	switch {
	case up.Strategy == Never:
		return false
	case down.Strategy == HeadWithSources:
		return up.Source == NewSource && (g.inputs(e.To) == 1 || g.outputs(e.From) == 1)
	default:
		return down.Strategy == Always && g.inputs(e.To) == 1
	}
}

// inputs is the number of an operator's in-edges.
func (g *Graph) inputs(op int) (n int) {
	for _, e := range g.Edges {
		if e.To == op {
			n++
		}
	}
	return n
}

// outputs is the number of an operator's out-edges.
func (g *Graph) outputs(op int) (n int) {
	for _, e := range g.Edges {
		if e.From == op {
			n++
		}
	}
	return n
}
