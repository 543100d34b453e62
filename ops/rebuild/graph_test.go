package rebuild

import (
	"fmt"
	"strings"
	"testing"

	"checkpointlab/core"
	"checkpointlab/core/event"
)

// told is a vertex as an answer of /jobs/:id has it, after 100 s.
type told struct {
	name              string
	parallelism       int
	in, out, bytes    int
	busy, press, idle string // ms of all subtasks, or "NaN"
}

// jobAnswer is an answer of /jobs/:id. Edges are from, to, ship strategy.
func jobAnswer(vertices []told, edges ...[3]any) string {
	var vs, ns []string
	for i, v := range vertices {
		vs = append(vs, fmt.Sprintf(`{"id":"v%d","name":%q,"maxParallelism":128,"parallelism":%d,"status":"RUNNING","start-time":1,"duration":100000,"metrics":{"read-bytes":0,"read-bytes-complete":true,"write-bytes":%d,"write-bytes-complete":true,"read-records":%d,"read-records-complete":true,"write-records":%d,"write-records-complete":true,"accumulated-backpressured-time":%s,"accumulated-idle-time":%s,"accumulated-busy-time":%s}}`,
			i, v.name, v.parallelism, v.bytes, v.in, v.out, v.press, v.idle, v.busy))
		var ins []string
		for _, e := range edges {
			if e[1] == i {
				ins = append(ins, fmt.Sprintf(`{"num":%d,"id":"v%d","ship_strategy":%q,"exchange":"pipelined_bounded"}`, len(ins), e[0], e[2]))
			}
		}
		ns = append(ns, fmt.Sprintf(`{"id":"v%d","parallelism":%d,"description":%q,"inputs":[%s]}`, i, v.parallelism, v.name, strings.Join(ins, ",")))
	}
	return `{"jid":"j","name":"a job: \"x\" # y","state":"RUNNING","now":100001,"vertices":[` + strings.Join(vs, ",") + `],"plan":{"nodes":[` + strings.Join(ns, ",") + `]}}`
}

const everyTwo = "\nexecution.checkpointing.interval: 2 s\n"

// A plan as jobs have it: work chained to a source, a source of the old interface, a broadcast, two outputs, an operator that FORWARD
// leads to without being chained, one that makes fewer records, Korean names, names that are alike.
func TestThePlanOfAJob(t *testing.T) {
	r, s := scenario(t, jobAnswer([]told{
		{"Source: orders -> Map", 2, 0, 100_000, 10_000_000, "20000", "0", "180000"},
		{"Source: rules", 1, 0, 1000, 400_000, `"NaN"`, "0", "100000"},
		{"Co-Process-Broadcast", 2, 102_000, 50_000, 10_000_000, "100000", "0", "100000"},
		{"싱크", 2, 50_000, 0, 0, "20000", "0", "180000"},
		{"싱크", 2, 50_000, 0, 0, "10000", "0", "190000"},
	}, [3]any{0, 2, "FORWARD"}, [3]any{1, 2, "BROADCAST"}, [3]any{2, 3, "HASH"}, [3]any{2, 4, "CUSTOM"})+everyTwo)
	work := named(t, s, "orders-Map-work")
	if work.Cost < 199_000 || work.Cost > 200_000 {
		t.Errorf("20 s for 100,000 records: %d ns", work.Cost)
	}
	if v := named(t, s, "orders-Map"); v.RateNum*event.Second != 500*v.RatePer || v.Payload != 100 {
		t.Errorf("100,000 records in 100 s, in two subtasks, of 100 bytes: %+v", v)
	}
	if v := named(t, s, "rules"); v.RateNum*event.Second != 10*v.RatePer || v.Payload != 200 {
		t.Errorf("1,000 records in 100 s, written to two consumers: %+v", v)
	}
	if v := named(t, s, "Co-Process-Broadcast"); !v.NoChain || v.EmitNum*100 > v.EmitDen*50 || v.EmitNum*100 < v.EmitDen*48 || v.Payload != 100 {
		t.Errorf("50,000 records of 102,000, in two outputs: %+v", v)
	}
	named(t, s, "vertex-4")
	named(t, s, "vertex-5")
	if !strings.Contains(r.notes(), `"CUSTOM"`) || !strings.Contains(r.notes(), "2 inputs") {
		t.Errorf("%s", r.notes())
	}
	lab, err := core.New(s.Setup)
	if err != nil {
		t.Fatal(err)
	}
	lab.Advance(s.Setup.Duration, 0)
	for _, row := range r.Compare("en", lab) {
		if row.Vertex == "orders-Map" && row.What == "busy" && (row.Observed != 0.1 || row.Simulated < 0.09 || row.Simulated > 0.11) {
			t.Errorf("a task that is busy for a tenth of its time: %v", row)
		}
	}
}

// A job that is one task has its work in a sink, and what its answers do not tell is said.
func TestAJobOfOneTask(t *testing.T) {
	r, s := scenario(t, jobAnswer([]told{{"Source: in -> Sink: out", 2, 0, 0, 0, "50000", "0", "150000"}})+everyTwo)
	if len(s.Setup.Vertices) != 2 || !strings.Contains(r.notes(), "The whole job is one task") || !strings.Contains(r.notes(), "1000/s for each subtask stand for it") {
		t.Errorf("%s\n%s", r.notes(), r.YAML("en"))
	}
}

// Subtasks that differ are written down one by one: what each reads, what a record costs each, where state lies.
func TestSubtasksThatDiffer(t *testing.T) {
	vertex := func(id string, subtasks ...string) string {
		return `{"id":"` + id + `","name":"x","parallelism":2,"now":100001,"subtasks":[` + strings.Join(subtasks, ",") + `]}`
	}
	subtask := func(i, in, out, busy int) string {
		return fmt.Sprintf(`{"subtask":%d,"status":"RUNNING","duration":100000,"start-time":1,"taskmanager-id":"tm%d","metrics":{"read-records":%d,"write-records":%d,"accumulated-busy-time":%d,"accumulated-backpressured-time":0,"accumulated-idle-time":%d}}`, i, i/2, in, out, busy, 100_000-busy)
	}
	_, s := scenario(t, jobAnswer([]told{
		{"Source: in", 2, 0, 100_000, 10_000_000, "100", "0", "199900"}, {"slow", 2, 100_000, 0, 0, "60000", "0", "140000"},
	}, [3]any{0, 1, "REBALANCE"})+everyTwo, vertex("v0", subtask(0, 0, 80_000, 50), subtask(1, 0, 20_000, 50)), vertex("v1", subtask(0, 50_000, 0, 10_000), subtask(1, 50_000, 0, 50_000)))
	want := []core.Action{
		{Do: core.Rate, Vertex: 0, Subtask: 0, RateNum: 800_000, RatePer: 1000 * event.Second},
		{Do: core.Rate, Vertex: 0, Subtask: 1, RateNum: 200_000, RatePer: 1000 * event.Second},
		{Do: core.Slow, Vertex: 1, Subtask: 0, Cost: 200 * event.Microsecond},
		{Do: core.Slow, Vertex: 1, Subtask: 1, Cost: 1000 * event.Microsecond},
	}
	for i, a := range s.Setup.Script {
		if i >= len(want) || a.Do != want[i].Do || a.Vertex != want[i].Vertex || a.Subtask != want[i].Subtask || a.Cost != want[i].Cost || a.RateNum != want[i].RateNum || a.RatePer != want[i].RatePer {
			t.Errorf("%+v", a)
		}
	}
	if len(s.Setup.Script) != len(want) || s.Setup.Cluster.Slots != 2 || !s.Setup.Cluster.Sharing {
		t.Errorf("%+v, %+v", s.Setup.Script, s.Setup.Cluster)
	}
}
