package vector

import (
	"encoding/json"
	"fmt"
	"strings"

	"checkpointlab/core/job"
)

// runChaining replays unit chaining.
func runChaining(c Case) (Status, string) {
	var v struct {
		Unit                         string
		ChainDifferentMaxParallelism *bool
		ChainingEnabled              *bool
		Operators                    []givenOperator
		Edges                        []json.RawMessage
		ExchangeMode                 string
	}
	if err := Decode(c.Given, &v); err != nil {
		return Unknown("given", err)
	}
	mode, ok := exchangeModes[v.ExchangeMode]
	if !ok {
		return Unknown("exchangeMode "+v.ExchangeMode, errUnknown)
	}
	g, err := givenGraph(v.Operators, v.Edges, mode.Result())
	if err != nil {
		return Unknown("given", err)
	}
	chains := g.Chains(job.ChainOptions{Enabled: boolOr(v.ChainingEnabled, true), MixMaxParallelisms: boolOr(v.ChainDifferentMaxParallelism, true)})
	got := chained(chains, v.Operators)
	got["resultPartitionType"] = mode.Result().String()
	got["resultPartitionTypes"] = exchangesOf(g, chains)
	return compared(c, got)
}

// chained is what a case may ask of chains: their operators, how many, and which operators begin and end one.
func chained(chains [][]int, operators []givenOperator) answers {
	vertices, counts := make([][]string, len(chains)), make([]int, len(chains))
	starts, ends := map[string]bool{}, map[string]bool{}
	for i, chain := range chains {
		counts[i] = len(chain)
		for k, op := range chain {
			name := operators[op].Name
			vertices[i] = append(vertices[i], name)
			starts[name], ends[name] = k == 0, k == len(chain)-1
		}
	}
	return answers{"vertices": vertices, "vertexCount": len(chains), "chained": len(chains) == 1, "operatorsPerVertex": counts, "chainStart": starts, "chainEnd": ends}
}

// exchangesOf is the types of the results between vertices, in the order of the edges.
func exchangesOf(g *job.Graph, chains [][]int) []string {
	vertex := make([]int, len(g.Operators))
	for i, chain := range chains {
		for _, op := range chain {
			vertex[op] = i
		}
	}
	types := []string{}
	for _, e := range g.Edges {
		if vertex[e.From] != vertex[e.To] {
			types = append(types, e.Result.String())
		}
	}
	return types
}

var exchangeModes = map[string]job.ExchangeMode{
	"": job.UndefinedExchange, "UNDEFINED": job.UndefinedExchange, "PIPELINED": job.PipelinedExchange, "BATCH": job.BatchExchange,
}

var strategies = map[string]job.ChainingStrategy{
	"": job.Always, "ALWAYS": job.Always, "NEVER": job.Never, "HEAD": job.Head, "HEAD_WITH_SOURCES": job.HeadWithSources,
}

// givenOperator is an operator of a case. Its name says what it is where it matters: a legacy source, a yielding operator.
type givenOperator struct {
	Name             string
	Parallelism      json.RawMessage // a number, or a letter that stands for one
	MaxParallelism   *int
	ChainingStrategy string
	SlotSharingGroup string
	DisableChaining  bool  // disableChaining()
	StartNewChain    bool  // startNewChain()
	Yielding, Legacy *bool // whatever the name says
}

// strategy is the chaining strategy that the operator was given, by its name or by the call that gives it.
func (op *givenOperator) strategy() (job.ChainingStrategy, bool) {
	switch {
	case op.DisableChaining:
		return job.Never, op.ChainingStrategy == ""
	case op.StartNewChain:
		return job.Head, op.ChainingStrategy == ""
	}
	s, known := strategies[strings.ToUpper(op.ChainingStrategy)]
	return s, known
}

// givenGraph is the graph that a case gives: edges are partitioners of a line of operators, or [from, to, partitioner].
func givenGraph(operators []givenOperator, edges []json.RawMessage, result job.ResultType) (*job.Graph, error) {
	g, index := &job.Graph{}, map[string]int{}
	letters := map[string]int{}
	for i, op := range operators {
		strategy, ok := op.strategy()
		if !ok {
			return nil, fmt.Errorf("chaining strategy %s is not known to the runner", op.ChainingStrategy)
		}
		parallelism, err := parallelismOf(op.Parallelism, letters)
		if err != nil {
			return nil, err
		}
		name := strings.ToLower(op.Name)
		index[op.Name] = i
		g.Operators = append(g.Operators, job.Operator{
			Parallelism: parallelism, MaxParallelism: intOr(op.MaxParallelism, 0),
			SlotGroup: op.SlotSharingGroup, Strategy: strategy,
			Yielding: boolOr(op.Yielding, strings.Contains(name, "yielding") || strings.Contains(name, "async")),
		})
	}
	for i, raw := range edges {
		e, err := givenEdge(i, raw, index, result)
		if err != nil {
			return nil, err
		}
		if e.To >= len(operators) {
			return nil, fmt.Errorf("edge %d has no operator behind it", i)
		}
		g.Edges = append(g.Edges, e)
	}
	markSources(g, operators)
	return g, nil
}

// parallelismOf reads a number, or gives a letter a number of its own.
func parallelismOf(raw json.RawMessage, letters map[string]int) (n int, err error) {
	var letter string
	if json.Unmarshal(raw, &letter) == nil {
		if letters[letter] == 0 {
			letters[letter] = 1000 + len(letters)
		}
		return letters[letter], nil
	}
	err = json.Unmarshal(raw, &n)
	return n, err
}

func givenEdge(i int, raw json.RawMessage, index map[string]int, result job.ResultType) (job.Edge, error) {
	var name string
	from, to := i, i+1
	if json.Unmarshal(raw, &name) != nil {
		ends, err := endsOf(raw)
		if err != nil {
			return job.Edge{}, err
		}
		a, known := index[ends[0]]
		b, too := index[ends[1]]
		if !known || !too {
			return job.Edge{}, fmt.Errorf("edge %v: no such operator", ends)
		}
		from, to, name = a, b, ends[2]
		if ends[3] != "" {
			mode, known := exchangeModes[ends[3]]
			if !known {
				return job.Edge{}, fmt.Errorf("exchangeMode %s is not known to the runner", ends[3])
			}
			result = mode.Result()
		}
	}
	p, ok := job.ParsePartitioner(name)
	if !ok {
		return job.Edge{}, fmt.Errorf("partitioner %s is not known to the runner", name)
	}
	return job.Edge{From: from, To: to, Partitioner: p, Result: result}, nil
}

// endsOf reads [from, to, partitioner] with an exchange mode of its own or without, or an object of these.
func endsOf(raw json.RawMessage) (ends [4]string, err error) {
	var list []string
	if json.Unmarshal(raw, &list) == nil && len(list) >= 3 && len(list) <= 4 {
		copy(ends[:], list)
		return ends, nil
	}
	var e struct{ From, To, Partitioner, ExchangeMode string }
	err = Decode(raw, &e)
	return [4]string{e.From, e.To, e.Partitioner, e.ExchangeMode}, err
}

// markSources says which operators are sources: those that read nobody.
func markSources(g *job.Graph, operators []givenOperator) {
	reads := make([]bool, len(operators))
	for _, e := range g.Edges {
		reads[e.To] = true
	}
	for i := range operators {
		switch {
		case reads[i]:
		case boolOr(operators[i].Legacy, strings.Contains(strings.ToLower(operators[i].Name), "legacy")):
			g.Operators[i].Source = job.LegacySource
		default:
			g.Operators[i].Source = job.NewSource
		}
	}
}

// boolOr is the value given, or another.
func boolOr(b *bool, other bool) bool {
	if b == nil {
		return other
	}
	return *b
}
