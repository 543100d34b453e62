package scenarios

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"checkpointlab/core/option"

	"pgregory.net/rapid"
)

// drawScenario writes a right scenario: sources, a chain of maps, a sink, and a few of everything else.
func drawScenario(t *rapid.T) string {
	var b strings.Builder
	maybe := func(field, value string) string {
		if rapid.Bool().Draw(t, field) {
			return ", " + field + ": " + value
		}
		return ""
	}
	span := func(label string) string {
		return rapid.SampledFrom([]string{"0", "5", "20 us", "1 ms", "3 s", "PT2S", "1 min"}).Draw(t, label)
	}
	small := func(label string) string { return fmt.Sprint(rapid.IntRange(1, 4).Draw(t, label)) }
	if rapid.Bool().Draw(t, "titled") {
		fmt.Fprintf(&b, "title: {en: %q, ko: %q}\n", rapid.StringMatching(`[ -~가-힣]{1,80}`).Draw(t, "en"), rapid.StringMatching(`[가-힣:# "'-]{1,80}.`).Draw(t, "ko"))
	}
	b.WriteString("job:\n")
	if rapid.Bool().Draw(t, "hot") {
		fmt.Fprintf(&b, "  hotShare: 0.%d\n", rapid.IntRange(0, 999999).Draw(t, "share"))
	}
	b.WriteString("  vertices:\n")
	sources, maps := rapid.IntRange(1, 2).Draw(t, "sources"), rapid.IntRange(0, 2).Draw(t, "maps")
	for i := range sources {
		fmt.Fprintf(&b, "    - {name: s%d, kind: source, rate: %s%s%s%s}\n", i, rapid.SampledFrom([]string{"10/s", "90/min", "max", "1/500 ms"}).Draw(t, "rate"),
			maybe("parallelism", small("p")), maybe("partitions", "8"), maybe("record", "1 kb"))
	}
	for i := range maps {
		fmt.Fprintf(&b, "    - {name: m%d%s%s%s}\n", i, maybe("cost", span("cost")), maybe("parallelism", small("p")), maybe("snapshot", "{async: "+span("async")+", size: 1 mb}"))
	}
	fmt.Fprintf(&b, "    - {name: out, kind: sink%s%s}\n  edges:\n", maybe("guarantee", rapid.SampledFrom(guarantees).Draw(t, "g")), maybe("parallelism", small("p")))
	after := "out"
	for i := maps - 1; i >= 0; i-- {
		fmt.Fprintf(&b, "    - {from: m%d, to: %s%s}\n", i, after, maybe("partition", "HASH"))
		after = fmt.Sprintf("m%d", i)
	}
	for i := range sources {
		fmt.Fprintf(&b, "    - {from: s%d, to: %s%s}\n", i, after, maybe("partition", "REBALANCE"))
	}
	b.WriteString("flink:\n  execution:\n    checkpointing:\n      interval: " + rapid.SampledFrom([]string{"10 ms", "1 s", "60000"}).Draw(t, "interval") + "\n")
	if rapid.Bool().Draw(t, "old") {
		b.WriteString("  state.backend: rocksdb\n")
	}
	if rapid.Bool().Draw(t, "script") {
		fmt.Fprintf(&b, "script:\n  - {at: %d s, do: slow, vertex: out, cost: %s}\n  - {at: 1 s, do: savepoint}\n", rapid.IntRange(0, 60).Draw(t, "at"), span("new"))
	}
	if rapid.Bool().Draw(t, "control") {
		b.WriteString("control: " + rapid.SampledFrom([]string{"none", "measured", "{rpc: 1 s, firstFails: true}"}).Draw(t, "c") + "\n")
	}
	return b.String()
}

// same reports whether two scenarios say and do the same; what is expected of a run may not fit changed settings.
func same(a, b *Scenario) bool {
	lines := func(s *Scenario) []option.Note { // lines move
		n := append([]option.Note(nil), s.Notes...)
		for i := range n {
			n[i].Line = 0
		}
		return n
	}
	return reflect.DeepEqual(a.Setup, b.Setup) && reflect.DeepEqual(a.Title, b.Title) && reflect.DeepEqual(a.Question, b.Question) &&
		reflect.DeepEqual(a.Idea, b.Idea) && reflect.DeepEqual(a.Sources, b.Sources) && reflect.DeepEqual(a.Knobs, b.Knobs) &&
		reflect.DeepEqual(a.Moments, b.Moments) && reflect.DeepEqual(a.Predict, b.Predict) && len(a.Expect) <= len(b.Expect) &&
		reflect.DeepEqual(lines(a), lines(b)) && a.FlinkBlock() == b.FlinkBlock()
}

func TestMarshalParsesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := drawScenario(t)
		s, err := Parse([]byte(text))
		if err != nil {
			t.Skip(err) // parallelism and partitions may not fit
		}
		again, err := Parse(s.Marshal())
		if err != nil || !same(s, again) || len(again.Expect) < len(s.Expect) {
			t.Fatalf("%s\n→\n%s\n%v", text, s.Marshal(), err)
		}
	})
	for _, name := range Names() {
		s := load(t, name)
		if again, err := Parse(s.Marshal()); err != nil || !same(s, again) || len(again.Expect) < len(s.Expect) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Whatever is set, in whatever order: Changes tells it, and Marshal keeps it.
func TestChangesMakeTheSame(t *testing.T) {
	values := []option.Pair{
		{Key: "execution.checkpointing.interval", Value: "2 s"}, {Key: "execution.checkpointing.unaligned", Value: "true"},
		{Key: "execution.checkpointing.mode", Value: "AT_LEAST_ONCE"}, {Key: "execution.checkpointing.max-concurrent-checkpoints", Value: "2"},
		{Key: "state.backend.rocksdb.checkpointdir", Value: "~"}, {Key: "state.backend.rocksdb.localdir", Value: "a: b"}, {Key: "state.backend.type", Value: "rocksdb"}, {Key: "job.vertices.sink.cost", Value: "7 us"},
		{Key: "job.vertices.source.rate", Value: "1/s"}, {Key: "job.vertices.map.parallelism", Value: "3"}, {Key: "job.vertices.map.snapshot.size", Value: "1 mb"},
		{Key: "job.edges.source.map.partition", Value: "REBALANCE"}, {Key: "run.seed", Value: "0"}, {Key: "run.duration", Value: "100 s"},
		{Key: "control", Value: "none"}, {Key: "control.net", Value: "1 ms"}, {Key: "control.firstFails", Value: "true"},
		{Key: "script.1.cost", Value: "1 ms"}, {Key: "flinkVersion", Value: "1.18"}, {Key: "firstTrigger", Value: "random"}, {Key: "job.keys", Value: "5"}, {Key: "cluster.slots", Value: "2"}, {Key: "job.vertices.map.emit", Value: "1/3"},
	}
	rapid.Check(t, func(t *rapid.T) {
		s, err := Load("backpressure")
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range rapid.SliceOfN(rapid.SampledFrom(values), 1, 8).Draw(t, "changes") {
			if rapid.IntRange(0, 3).Draw(t, "out") == 0 {
				p.Value = ""
			}
			if err := s.Set(p.Key, p.Value); err != nil && p.Value != "" && !strings.Contains(err.Error(), "max-concurrent") {
				t.Fatal(err)
			}
		}
		again, _ := Load("backpressure")
		if err := again.SetAll(s.Changes()); err != nil || !reflect.DeepEqual(again.Setup, s.Setup) {
			t.Fatalf("%v: %v\n got %+v\nwant %+v", s.Changes(), err, again.Setup, s.Setup)
		}
		if read, err := Parse(s.Marshal()); err != nil || !same(read, s) {
			t.Fatalf("%s\n%v", s.Marshal(), err)
		}
	})
}

// FuzzParse: no text panics; what is read is written so that it reads the same; a mistake is one line.
func FuzzParse(f *testing.F) {
	for _, name := range Names() {
		data, err := os.ReadFile(name + ".yaml")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	for _, text := range []string{sample, full, "", "a: [", "flink: {a: {b: [1, {c: 2}]}}", "job: {vertices: [{name: x}], edges: [1]}", "? [a]\n: b\n", "job: &a {vertices: *a}",
		strings.ReplaceAll(sample, "seed: 7", "seed: 0x7"), strings.ReplaceAll(sample, "1 s", "\"1\\ts\"")} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Parse(data)
		if err != nil {
			for _, e := range unjoin(err) {
				if m, ok := e.(*option.Mistake); ok && (strings.ContainsRune(m.Error(), '\n') || m.Problem == "") {
					t.Errorf("mistake %q", m.Error())
				}
			}
			return
		}
		again, err := Parse(s.Marshal())
		if err != nil || !same(s, again) {
			t.Errorf("%s\n→\n%s\n%v", data, s.Marshal(), err)
		}
		if err := again.ApplyFlink(s.FlinkBlock()); err != nil || again.Setup.Options != s.Setup.Options {
			t.Errorf("block %s: %v", s.FlinkBlock(), err)
		}
	})
}
