package core

import "checkpointlab/core/job"

// severalPaths tells whether the records of one source subtask come to a channel into v by more than one way through the
// tasks before it. Then they are out of order there, and a position does not tell which were shown before.
func (p *plan) severalPaths(v int) bool {
	order := topological(p.setup)
	for src := range p.setup.Vertices {
		if p.setup.Vertices[src].Kind != Source {
			continue
		}
		ways := p.waysFrom(src, order)
		for _, e := range p.setup.Edges {
			if e.To == v && ways[e.From] > 1 {
				return true
			}
		}
	}
	return false
}

// waysFrom counts, by vertex, the ways from one subtask of src to one of its subtasks; 2 stands for more, too.
func (p *plan) waysFrom(src int, order []int) []int {
	ways := make([]int, len(p.setup.Vertices))
	ways[src] = 1
	for _, at := range order {
		for _, e := range p.setup.Edges {
			if e.From != at {
				continue
			}
			through := ways[at]
			if at != src {
				through *= p.mostProducers(&e)
			}
			ways[e.To] = min(2, ways[e.To]+through)
		}
	}
	return ways
}

// mostProducers is how many subtasks feed one consumer of an exchange, at most.
func (p *plan) mostProducers(e *Edge) int {
	producers, consumers := p.setup.Vertices[e.From].Parallelism, p.setup.Vertices[e.To].Parallelism
	if e.Partition.Partitioner().Pattern() == job.Pointwise {
		return (producers + consumers - 1) / consumers
	}
	return producers
}
