package job

// mergeCycles makes one region of those that read from each other over exchanges that are not pipelined: none of them can be
// scheduled ahead of the others (SchedulingPipelinedRegionComputeUtil.mergeRegionsOnCycles, FLINK-17330). A streaming job has no
// such exchange.
func (g *Graph) mergeCycles(regions []int) {
	out := g.regionEdges(regions)
	if len(out) == 0 {
		return
	}
	in := map[int][]int{}
	for from, to := range out {
		for _, r := range to {
			in[r] = append(in[r], from)
		}
	}
	merged := map[int]int{} // by region; those alone are left out
	for _, r := range regions {
		if _, done := merged[r]; done || len(out[r]) == 0 {
			continue
		}
		after, before := reached(out, r), reached(in, r)
		for other := range after {
			if before[other] {
				merged[other] = r
			}
		}
	}
	for t, r := range regions {
		if to, ok := merged[r]; ok {
			regions[t] = to
		}
	}
	number(regions)
}

// regionEdges is which regions read results of which others.
func (g *Graph) regionEdges(regions []int) map[int][]int {
	out, first := map[int][]int{}, g.firstTasks()
	for _, e := range g.Edges {
		if resultFacts[e.Result].together {
			continue
		}
		s, c := g.Operators[e.From].Parallelism, g.Operators[e.To].Parallelism
		for i := range c {
			from, to := e.Partitioner.Pattern().Producers(i, s, c)
			for j := from; j < to; j++ {
				if a, b := regions[first[e.From]+j], regions[first[e.To]+i]; a != b {
					out[a] = append(out[a], b)
				}
			}
		}
	}
	return out
}

// reached is what can be come to from a region, itself included.
func reached(edges map[int][]int, from int) map[int]bool {
	seen, todo := map[int]bool{from: true}, []int{from}
	for len(todo) > 0 {
		r := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, next := range edges[r] {
			if !seen[next] {
				seen[next] = true
				todo = append(todo, next)
			}
		}
	}
	return seen
}
