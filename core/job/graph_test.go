package job

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// line is a chain of operators of the given parallelisms.
func line(p Partitioner, parallelisms ...int) *Graph {
	g := &Graph{}
	for i, n := range parallelisms {
		g.Operators = append(g.Operators, Operator{Parallelism: n})
		if i > 0 {
			g.Edges = append(g.Edges, Edge{From: i - 1, To: i, Partitioner: p})
		}
	}
	return g
}

// Spec 9.1: one keyBy makes one region; an all-forward job has one a pipeline.
func TestRegionsOfStreamingJobs(t *testing.T) {
	for _, c := range []struct {
		name string
		g    *Graph
		want []int
	}{
		{"keyBy", line(Hash, 2, 3), []int{0, 0, 0, 0, 0}},
		{"forward", line(Forward, 2, 2, 2), []int{0, 1, 0, 1, 0, 1}},
		{"rescale 2 to 4", line(Rescale, 2, 4), []int{0, 1, 0, 0, 1, 1}},
		{"rescale 3 to 2", line(Rescale, 3, 2), []int{0, 1, 1, 0, 1}},
		{"forward then keyBy", &Graph{Operators: line(Forward, 2, 2, 2).Operators, Edges: []Edge{{From: 0, To: 1}, {From: 1, To: 2, Partitioner: Hash}}}, []int{0, 0, 0, 0, 0, 0}},
	} {
		if got := c.g.Regions(); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// In a streaming job a failure restarts its region and nothing else.
func TestRestartsAreTheRegionInStreamingJobs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SampledFrom([]Partitioner{Hash, Rescale, Rebalance}).Draw(t, "partitioner")
		g := line(p, rapid.SliceOfN(rapid.IntRange(1, 6), 1, 4).Draw(t, "parallelisms")...)
		failed := rapid.IntRange(0, g.Tasks()-1).Draw(t, "failed")
		regions := g.Regions()
		var want []int
		for task, r := range regions {
			if r == regions[failed] {
				want = append(want, task)
			}
		}
		if got := g.Restarts(failed, Standing{}); !slices.Equal(got, want) {
			t.Fatalf("restarts %v, want %v", got, want)
		}
	})
}

// RestartPipelinedRegionFailoverStrategyTest#testRegionFailoverForHybridEdge
func TestRestartsOverHybridEdges(t *testing.T) {
	g := line(Forward, 1, 1, 1, 1, 1, 1)
	g.Edges = []Edge{{0, 4, Forward, HybridFull}, {1, 4, Forward, Blocking}, {2, 4, Forward, HybridSelective}, {3, 4, Forward, Pipelined}, {4, 5, Forward, HybridFull}}
	if got := g.Restarts(4, Standing{}); !slices.Equal(got, []int{2, 3, 4, 5}) {
		t.Errorf("v5 fails: %v", got)
	}
	if got := g.Restarts(5, Standing{}); !slices.Equal(got, []int{5}) {
		t.Errorf("v6 fails: %v", got)
	}
}

// Spec 10.3, rule by rule: a change of one thing parts what would be one chain.
func TestChainingRules(t *testing.T) {
	all := ChainOptions{Enabled: true, MixMaxParallelisms: true}
	for _, c := range []struct {
		name   string
		change func(g *Graph, opt *ChainOptions)
		want   [][]int
	}{
		{"nothing", func(*Graph, *ChainOptions) {}, [][]int{{0, 1, 2}}},
		{"chaining off", func(_ *Graph, o *ChainOptions) { o.Enabled = false }, [][]int{{0}, {1}, {2}}},
		{"slot sharing group", func(g *Graph, _ *ChainOptions) { g.Operators[1].SlotGroup = "a" }, [][]int{{0}, {1}, {2}}},
		{"keyBy", func(g *Graph, _ *ChainOptions) { g.Edges[1].Partitioner = Hash }, [][]int{{0, 1}, {2}}},
		{"batch exchange", func(g *Graph, _ *ChainOptions) { g.Edges[0].Result = Blocking }, [][]int{{0}, {1, 2}}},
		{"never", func(g *Graph, _ *ChainOptions) { g.Operators[1].Strategy = Never }, [][]int{{0}, {1}, {2}}},
		{"head", func(g *Graph, _ *ChainOptions) { g.Operators[1].Strategy = Head }, [][]int{{0}, {1, 2}}},
		{"head with sources, behind a map", func(g *Graph, _ *ChainOptions) { g.Operators[2].Strategy = HeadWithSources }, [][]int{{0, 1}, {2}}},
		{"head with sources, behind a source", func(g *Graph, _ *ChainOptions) { g.Operators[1].Strategy = HeadWithSources }, [][]int{{0, 1, 2}}},
		{"max parallelism, mixing allowed", func(g *Graph, _ *ChainOptions) { g.Operators[2].MaxParallelism = 7 }, [][]int{{0, 1, 2}}},
		{"max parallelism, not allowed", func(g *Graph, o *ChainOptions) { g.Operators[2].MaxParallelism = 7; o.MixMaxParallelisms = false }, [][]int{{0, 1}, {2}}},
		{"yielding", func(g *Graph, _ *ChainOptions) { g.Operators[2].Yielding = true }, [][]int{{0, 1, 2}}},
		{"yielding behind a legacy source", func(g *Graph, _ *ChainOptions) {
			g.Operators[0].Source, g.Operators[2].Yielding = LegacySource, true
		}, [][]int{{0, 1}, {2}}},
		{"two inputs", func(g *Graph, _ *ChainOptions) {
			g.Operators = append(g.Operators, Operator{Parallelism: 1, Source: NewSource})
			g.Edges = append(g.Edges, Edge{From: 3, To: 2})
		}, [][]int{{0, 1}, {3}, {2}}},
		{"two sources into a head with sources", func(g *Graph, _ *ChainOptions) {
			g.Operators = append(g.Operators, Operator{Parallelism: 1, Source: NewSource})
			g.Operators[1].Strategy = HeadWithSources
			g.Edges = append(g.Edges, Edge{From: 3, To: 1})
		}, [][]int{{0, 3, 1, 2}}},
		{"two sources into a head with sources, one of them read by another, too", func(g *Graph, _ *ChainOptions) {
			g.Operators = append(g.Operators, Operator{Parallelism: 1, Source: NewSource}, Operator{Parallelism: 1})
			g.Operators[1].Strategy = HeadWithSources
			g.Edges = append(g.Edges, Edge{From: 3, To: 1}, Edge{From: 3, To: 4})
		}, [][]int{{0, 1, 2}, {3, 4}}},
	} {
		g, opt := line(Forward, 1, 1, 1), all
		g.Operators[0].Source = NewSource
		c.change(g, &opt)
		if got := g.Chains(opt); !slices.EqualFunc(got, c.want, slices.Equal) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestResultTypes(t *testing.T) {
	for r := range resultTypes {
		if got, ok := ParseResultType(r.String()); !ok || got != r {
			t.Errorf("%v parses as %v, %v", r, got, ok)
		}
	}
	if _, ok := ParseResultType("pipelined"); ok {
		t.Error("an unknown spelling is understood")
	}
}
