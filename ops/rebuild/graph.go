package rebuild

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"checkpointlab/core/option"
	"checkpointlab/ops/observed"
)

// vertex is one of the job's, which is one task of the scenario. A source whose reading costs more than the lab's own has a map of
// the name work chained behind it that costs the rest; of a job that is one vertex the work is in a sink.
type vertex struct {
	*observed.JobVertex
	name, kind string
	ins, outs  []int // indexes of edges
	work       string
	workSink   bool
	alone      bool    // it is joined by FORWARD with another vertex without being chained to it
	out        float64 // records that it puts into each of its outputs, in Work's time; NaN = not known
	fields     []line  // what is said of it
	workFields []line
}

type edge struct {
	from, to  int
	partition string
	say       line
}

// ships are the ship strategies that the lab has. The others of Flink (CUSTOM, CUSTOM_PARTITIONER) deal by what the user wrote.
var ships = map[string]string{
	"HASH": "HASH", "REBALANCE": "REBALANCE", "FORWARD": "FORWARD", "RESCALE": "RESCALE", "SHUFFLE": "SHUFFLE", "BROADCAST": "BROADCAST", "GLOBAL": "GLOBAL",
}

// graph takes over vertices and exchanges.
func (r *Rebuilt) graph() error {
	taken := map[string]bool{}
	for i := range r.job.Vertices {
		v := &r.job.Vertices[i]
		r.vertices = append(r.vertices, vertex{JobVertex: v, name: unique(v.Name, i, taken), kind: "map", out: math.NaN()})
	}
	for _, e := range r.job.Edges {
		partition, known := ships[e.Ship]
		if !known {
			partition = "REBALANCE"
			r.assume(option.Warning, "The exchange into %s is %s, which the lab has not: REBALANCE stands for it.", "%s 앞의 교환은 %s. 랩에 없는 것이라 REBALANCE로 대신했다.", r.vertices[e.To].name, quoted(e.Ship))
		}
		if a, b := &r.vertices[e.From], &r.vertices[e.To]; partition == "FORWARD" {
			if a.Parallelism != b.Parallelism { // the plan of a job that was rescaled since
				return &option.Mistake{Problem: fmt.Sprintf("the plan has FORWARD from %s to %s, which have %d and %d subtasks", a.name, b.name, a.Parallelism, b.Parallelism), Remedy: "give the answer of /jobs/:id as it is now"}
			}
			a.alone, b.alone = true, true
		}
		r.edges = append(r.edges, edge{e.From, e.To, partition, line{from: plain("ship_strategy " + e.Ship)}})
		k := len(r.edges) - 1
		r.vertices[e.From].outs, r.vertices[e.To].ins = append(r.vertices[e.From].outs, k), append(r.vertices[e.To].ins, k)
	}
	for i := range r.vertices {
		v := &r.vertices[i]
		switch {
		case len(v.ins) == 0:
			v.kind = "source"
		case len(v.outs) == 0:
			v.kind = "sink"
		}
		r.timed(v)
	}
	return nil
}

// timed says of an operator that acts by time that it is taken as one that acts by records.
func (r *Rebuilt) timed(v *vertex) {
	for _, word := range []string{"Window", "Async", "IntervalJoin", "Timer"} {
		if strings.Contains(v.Name, word) {
			r.assume(option.Info, "%s has %s in its name: its timers or requests are not in the texts; here each record costs and makes its share at once.", "%s: 이름에 %s 포함. 타이머나 요청은 텍스트에 없다. 여기서는 레코드마다 제 몫의 비용과 결과가 바로 나온다.", v.name, word)
			return
		}
	}
}

// mostName is how long a name in a scenario may be.
const mostName = 40

// unique is a vertex's name as a scenario can have it: letters, digits, - and _.
func unique(name string, i int, taken map[string]bool) string {
	var b strings.Builder
	for _, c := range strings.TrimPrefix(name, "Source: ") {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' {
			b.WriteRune(c)
		} else if b.Len() > 0 && !strings.HasSuffix(b.String(), "-") {
			b.WriteByte('-')
		}
	}
	short := strings.Trim(b.String()[:min(b.Len(), mostName-len("-work"))], "-_")
	if short == "" {
		short = "vertex-" + strconv.Itoa(i+1)
	}
	for n := 2; taken[short]; n++ {
		tail := "-" + strconv.Itoa(n)
		short = strings.TrimSuffix(short, "-"+strconv.Itoa(n-1))
		short = short[:min(len(short), mostName-len("-work")-len(tail))] + tail
	}
	taken[short] = true
	return short
}

func quoted(s string) string { return option.Quote(s) }
