package scenarios

import (
	"reflect"
	"testing"
	"unicode/utf8"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
)

const full = `
flinkVersion: 1.20
job:
  keys: 64
  hotShare: 0.25
  overhead: 10 b
  vertices:
    - {name: a, kind: source, parallelism: 2, rate: 90/min, record: 1 kb, partitions: 3, until: 5 s, history: 7, ends: 8 s}
    - {name: b, kind: source, rate: max, ends: 5000 records}
    - {name: m, cost: 20 us, emit: 1/10, chain: false, snapshot: {sync: 1 ms, async: 2 s, size: 3 mb}}
    - {name: s, kind: sink, parallelism: 1, cost: 0, guarantee: at_least_once, transactionTimeout: 5 min, brokerMaxTimeout: 15 min}
  edges:
    - {from: a, to: m, partition: hash}
    - {from: b, to: m}
    - {from: m, to: s}
cluster: {slots: 2, sharing: true}
flink:
  parallelism.default: 4
  pipeline.max-parallelism: 256
  execution:
    checkpointing:
      interval: 2 s
script:
  - {at: 9 s, do: kill, vertex: m}
  - {at: 2 s, do: rate, vertex: a, rate: 5/s}
  - {at: 3 s, do: slow, vertex: m, subtask: 1, cost: 1 ms}
  - {at: 3 s, do: savepoint, format: native}
  - {at: 5 s, do: backlog, vertex: a, over: true}
  - {at: 6 s, do: lose, vertex: m, silent: true, back: 20 s}
  - {at: 40 s, do: rescale, parallelism: 3, vertex: s, from: savepoint}
  - {at: 50 s, do: stop, drain: true}
  - {at: 4 s, do: checkpoint}
run: {duration: PT1M, seed: 18446744073709551615}
firstTrigger: RANDOM
flusherPhase: aligned
control: {rpc: 2 ms, firstFails: false}
`

// Each field of the format reaches its field of Setup, in its unit.
func TestSetup(t *testing.T) {
	s, err := Parse([]byte(full))
	if err != nil {
		t.Fatal(err)
	}
	options, _, _ := option.Resolve("1.20", []option.Pair{
		{Key: "parallelism.default", Value: "4"}, {Key: "pipeline.max-parallelism", Value: "256"}, {Key: "execution.checkpointing.interval", Value: "2 s"},
	})
	control := core.MeasuredControl()
	control.RPC, control.FirstFails = 2*event.Millisecond, false
	want := core.Setup{
		Vertices: []core.Vertex{
			{Name: "a", Kind: core.Source, Parallelism: 2, Cost: -1, Partitions: 3, RateNum: 90, RatePer: 60 * event.Second, Payload: 1024, Until: 5 * event.Second, History: 7, EndsAt: 8 * event.Second},
			{Name: "b", Kind: core.Source, Parallelism: 4, Cost: -1, Payload: 100, EndsAfter: 5000},
			{Name: "m", Kind: core.Map, Parallelism: 4, Cost: 20 * event.Microsecond, NoChain: true, EmitNum: 1, EmitDen: 10, Snapshot: core.Snapshot{Sync: event.Millisecond, Async: 2 * event.Second, Size: 3 << 20}},
			{Name: "s", Kind: core.Sink, Parallelism: 1, Guarantee: core.AtLeastOnce, TransactionTimeout: 300 * event.Second, BrokerMaxTimeout: 900 * event.Second},
		},
		// without a partition: FORWARD between equal parallelisms, else REBALANCE (spec 10.2)
		Edges:   []core.Edge{{From: 0, To: 2, Partition: core.Hash}, {From: 1, To: 2, Partition: core.Forward}, {From: 2, To: 3, Partition: core.Rebalance}},
		Options: options,
		Script: []core.Action{
			{At: 2 * event.Second, Do: core.Rate, Vertex: 0, Subtask: -1, RateNum: 5, RatePer: event.Second},
			{At: 3 * event.Second, Do: core.Slow, Vertex: 2, Subtask: 1, Cost: event.Millisecond},
			{At: 3 * event.Second, Do: core.Savepoint, Vertex: -1, Subtask: -1, Native: true},
			{At: 4 * event.Second, Do: core.Trigger, Vertex: -1, Subtask: -1},
			{At: 5 * event.Second, Do: core.Backlog, Vertex: 0, Subtask: -1, Over: true},
			{At: 6 * event.Second, Do: core.Lose, Vertex: 2, Subtask: 0, Silent: true, Back: 20 * event.Second},
			{At: 9 * event.Second, Do: core.Kill, Vertex: 2, Subtask: 0},
			{At: 40 * event.Second, Do: core.RescaleJob, Vertex: 3, Subtask: -1, Parallelism: 3, FromSavepoint: true},
			{At: 50 * event.Second, Do: core.Stop, Vertex: -1, Subtask: -1, Drain: true},
		},
		Duration: 60 * event.Second, Seed: 1<<64 - 1, Keys: 64, HotShareMill: 250_000, Overhead: 10, MaxParallel: 256,
		FirstTrigger: core.AtRandom, FlusherPhase: core.PhaseAligned, Control: control, Cluster: core.Cluster{Slots: 2, Sharing: true}, Chaining: true,
	}
	if !reflect.DeepEqual(s.Setup, want) {
		t.Errorf("got  %+v\nwant %+v", s.Setup, want)
	}
}

// Every field of Control can be given.
func TestControlFields(t *testing.T) {
	if n := reflect.TypeFor[core.Control]().NumField(); n != len(controlFields) || len(spans(new(core.Control))) != n-1 {
		t.Errorf("core.Control has %d fields, the format %v", n, controlFields)
	}
}

// What a file need not say.
func TestDefaults(t *testing.T) {
	s, err := Parse([]byte("job:\n  vertices: [{name: a, kind: source, rate: 1/s}, {name: b, kind: sink}]\n  edges: [{from: a, to: b}]\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := core.Setup{
		Vertices: []core.Vertex{
			{Name: "a", Kind: core.Source, Parallelism: 1, Cost: -1, RateNum: 1, RatePer: event.Second, Payload: 100},
			{Name: "b", Kind: core.Sink, Parallelism: 1, Cost: -1, Guarantee: core.ExactlyOnce},
		},
		Edges: []core.Edge{{From: 0, To: 1, Partition: core.Forward}}, Options: option.Defaults("2.3"),
		Duration: 60 * event.Second, Seed: 1, Keys: 1024, Overhead: 47, Control: core.MeasuredControl(), Chaining: true,
	}
	if !reflect.DeepEqual(s.Setup, want) {
		t.Errorf("got  %+v\nwant %+v", s.Setup, want)
	}
}

// The embedded scenarios have all texts in both languages and nothing that acts otherwise than it seems.
func TestEmbedded(t *testing.T) {
	for _, name := range Names() {
		s, err := Load(name)
		if err != nil {
			t.Fatal(err)
		}
		texts := []map[string]string{s.Title, s.Question, s.Idea, s.Predict.Ask, s.Predict.Why}
		for _, m := range s.Moments {
			texts = append(texts, m.Say)
			if n := max(utf8.RuneCountInString(m.Say["en"]), utf8.RuneCountInString(m.Say["ko"])); n > 110 { // a caption is one line
				t.Errorf("%s: %q has %d letters", name, m.Say["en"], n)
			}
		}
		for _, x := range append(texts, s.Predict.Choices...) {
			if x["en"] == "" || x["ko"] == "" || x["en"] == x["ko"] {
				t.Errorf("%s: %v is not in two languages", name, x)
			}
		}
		if len(s.Sources) == 0 || len(s.Knobs) < 2 || len(s.Moments) < 1 || len(s.Expect) < 2 || len(s.Notes) != 0 || s.Name != name {
			t.Errorf("%s: %d sources, %d knobs, %d moments, %d expectations, notes %v", name, len(s.Sources), len(s.Knobs), len(s.Moments), len(s.Expect), s.Notes)
		}
		for _, e := range s.Expect {
			if e.Source == "" {
				t.Errorf("%s: no source for %s %s", name, e.Measure, e.Text)
			}
		}
	}
}

func TestParseRate(t *testing.T) {
	for text, want := range map[string][2]int64{
		"1000/s": {1000, event.Second}, " 90 / min": {90, 60 * event.Second}, "1/500 ms": {1, 500 * event.Millisecond}, "max": {0, 0}, "MAX": {0, 0},
		"1000000000/s": {1_000_000_000, event.Second}, "7/h": {7, 3600 * event.Second},
	} {
		num, per, err := ParseRate(text)
		if num != want[0] || per != want[1] || err != nil {
			t.Errorf("ParseRate(%q) = %d, %d, %v", text, num, per, err)
		}
	}
}
