package scenarios

import (
	"strconv"

	"checkpointlab/core"
)

// graph checks what only the whole graph shows. Each mistake names the vertex or the edge in the user's words.
func (r *reader) graph(job *object, s *Scenario) {
	g := &s.Setup
	r.degrees(job, g)
	r.exchanges(job, g)
	if loop := cycle(g); loop != "" {
		r.bad(job.at("edges"), "job.edges", "", "form a cycle, "+loop, "remove one of them: the lab runs acyclic jobs")
	}
}

// degrees: what a vertex of a kind must and must not have.
func (r *reader) degrees(job *object, g *core.Setup) {
	sinks := 0
	for i := range g.Vertices {
		v, in, out := &g.Vertices[i], incoming(g, i), outgoing(g, i)
		bad := func(problem, remedy string) {
			r.bad(job.items("vertices")[i], "job.vertices."+v.Name, "", problem, remedy)
		}
		switch {
		case v.Kind == core.Source && in > 0:
			bad("is a source with an incoming edge", "remove the edge, or make it a map")
		case v.Kind == core.Source && out == 0:
			bad("is a source without an outgoing edge", "write an edge from it")
		case v.Kind == core.Sink && out > 0:
			bad("is a sink with an outgoing edge", "remove the edge, or make it a map")
		case v.Kind != core.Source && in == 0:
			bad("has no incoming edge", "write an edge to it")
		case v.Kind == core.Map && out == 0:
			bad("has no outgoing edge, so its records would go nowhere", "write an edge from it, or make it a sink")
		}
		if v.Kind == core.Sink {
			sinks++
		}
	}
	if sinks == 0 {
		r.bad(job.at("vertices"), "job.vertices", "", "holds no sink", "give one vertex kind: sink")
	}
}

// exchanges: equal parallelism for FORWARD, and no more channels than the lab holds.
func (r *reader) exchanges(job *object, g *core.Setup) {
	channels := int64(0)
	for i, e := range g.Edges {
		from, to := &g.Vertices[e.From], &g.Vertices[e.To]
		if e.Partition == core.Forward && from.Parallelism != to.Parallelism {
			r.bad(job.items("edges")[i], "job.edges."+strconv.Itoa(i+1)+".partition", "FORWARD",
				"needs equal parallelism, but "+from.Name+" has "+strconv.Itoa(from.Parallelism)+" and "+to.Name+" has "+strconv.Itoa(to.Parallelism),
				"write REBALANCE or HASH")
			continue
		}
		channels += int64(e.Partition.Channels(from.Parallelism, to.Parallelism))
	}
	if channels > mostChannels {
		r.bad(job.at("edges"), "job.edges", "", "make "+strconv.FormatInt(channels, 10)+" channels, more than the 1000000 that the lab holds", "lower the parallelism")
	}
}

func incoming(g *core.Setup, v int) (n int) {
	for _, e := range g.Edges {
		if e.To == v {
			n++
		}
	}
	return n
}

func outgoing(g *core.Setup, v int) (n int) {
	for _, e := range g.Edges {
		if e.From == v {
			n++
		}
	}
	return n
}

// cycle names a loop of edges, "a → b → a", "" if there is none.
func cycle(g *core.Setup) string {
	settled := settled(g)
	for v := range g.Vertices {
		if settled[v] {
			continue
		}
		// behind each vertex that is not settled stands another one, so a walk backwards ends in a loop
		place, walk := map[int]int{}, []int{}
		for u := v; ; u = unsettledBefore(g, settled, u) {
			if at, twice := place[u]; twice {
				text := g.Vertices[u].Name
				for k := len(walk) - 1; k >= at; k-- {
					text += " → " + g.Vertices[walk[k]].Name
				}
				return text
			}
			place[u] = len(walk)
			walk = append(walk, u)
		}
	}
	return ""
}

// settled marks the vertices that do not wait for themselves: those all of whose inputs are settled.
func settled(g *core.Setup) []bool {
	done := make([]bool, len(g.Vertices))
	for changed := true; changed; {
		changed = false
		for v := range g.Vertices {
			if !done[v] && unsettledBefore(g, done, v) < 0 {
				done[v], changed = true, true
			}
		}
	}
	return done
}

// unsettledBefore is a vertex with an edge to v that is not settled, -1 if there is none.
func unsettledBefore(g *core.Setup, settled []bool, v int) int {
	for _, e := range g.Edges {
		if e.To == v && !settled[e.From] {
			return e.From
		}
	}
	return -1
}
