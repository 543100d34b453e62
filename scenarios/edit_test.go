package scenarios

import (
	"reflect"
	"strings"
	"testing"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
)

func load(t *testing.T, name string) *Scenario {
	t.Helper()
	s, err := Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSet(t *testing.T) {
	cases := []struct {
		key, value string
		got        func(*core.Setup) any
		want       any
	}{
		{"execution.checkpointing.interval", "3 s", func(s *core.Setup) any { return s.Options.Interval }, 3 * event.Second},
		{"execution.checkpointing.unaligned", "true", func(s *core.Setup) any { return s.Options.Unaligned }, true},
		{"job.vertices.sink.cost", "1 ms", func(s *core.Setup) any { return s.Vertices[2].Cost }, event.Millisecond},
		{"job.vertices.sink.cost", "", func(s *core.Setup) any { return s.Vertices[2].Cost }, event.Time(-1)},
		{"job.vertices.source.rate", "2000/s", func(s *core.Setup) any { return s.Vertices[0].RateNum }, int64(2000)},
		{"job.vertices.map.parallelism", "4", func(s *core.Setup) any { return s.Vertices[1].Parallelism }, 4},
		{"job.vertices.sink.snapshot.async", "1 s", func(s *core.Setup) any { return s.Vertices[2].Snapshot.Async }, event.Second},
		{"job.vertices.sink.guarantee", "NONE", func(s *core.Setup) any { return s.Vertices[2].Guarantee }, core.NoGuarantee},
		{"job.edges.source.map.partition", "REBALANCE", func(s *core.Setup) any { return s.Edges[0].Partition }, core.Rebalance},
		{"job.hotShare", "0.5", func(s *core.Setup) any { return s.HotShareMill }, int64(500_000)},
		{"run.seed", "7", func(s *core.Setup) any { return s.Seed }, uint64(7)},
		{"run.duration", "2 min", func(s *core.Setup) any { return s.Duration }, 120 * event.Second},
		{"script.1.cost", "300 us", func(s *core.Setup) any { return s.Script[0].Cost }, 300 * event.Microsecond},
		{"flinkVersion", "1.18", func(s *core.Setup) any { return s.Options.Version }, "1.18"},
		{"firstTrigger", "interval", func(s *core.Setup) any { return s.FirstTrigger }, core.AtInterval},
		{"cluster.slots", "2", func(s *core.Setup) any { return s.Cluster }, core.Cluster{Slots: 2}},
		{"job.vertices.map.emit", "3", func(s *core.Setup) any { return [2]int64{s.Vertices[1].EmitNum, s.Vertices[1].EmitDen} }, [2]int64{3, 1}},
		{"job.vertices.map.chain", "false", func(s *core.Setup) any { return s.Vertices[1].NoChain }, true},
		{"pipeline.operator-chaining", "false", func(s *core.Setup) any { return s.Chaining }, false},
		{"control", "none", func(s *core.Setup) any { return s.Control }, core.Control{}},
		{"control.rpc", "5 ms", func(s *core.Setup) any { return s.Control.RPC }, 5 * event.Millisecond},
	}
	for _, c := range cases {
		s := load(t, "backpressure")
		if err := s.Set(c.key, c.value); err != nil {
			t.Errorf("%s: %v", c.key, err)
			continue
		}
		if got := c.got(&s.Setup); got != c.want {
			t.Errorf("%s = %s: got %v, want %v", c.key, c.value, got, c.want)
		}
		if s.Name != "backpressure" {
			t.Errorf("%s: the name is %q", c.key, s.Name)
		}
	}
}

// One time of a control plane that is none leaves the others at 0.
func TestSetControlOfNone(t *testing.T) {
	s := load(t, "chapter")
	if err := s.Set("control.net", "2 ms"); err != nil || s.Setup.Control != (core.Control{Net: 2 * event.Millisecond}) {
		t.Errorf("%+v, %v", s.Setup.Control, err)
	}
}

func TestSetRefuses(t *testing.T) {
	cases := []struct{ key, value, err string }{
		{"execution.checkpointing.interval", "5 ms", `execution.checkpointing.interval: "5 ms" is shorter than 10 ms, which Flink refuses; write 10 ms or more`},
		{"execution.checkpointing.intervall", "5 s", `execution.checkpointing.intervall (set to "5 s") is neither an option of Flink nor a field of the scenario; did you mean execution.checkpointing.interval?`},
		{"job.vertices.snk.cost", "1 ms", `job.vertices.snk.cost (set to "1 ms") names a vertex that the job does not have; did you mean sink?`},
		{"job.vertices.sink.csot", "1 ms", `job.vertices.sink.csot (set to "1 ms") is neither an option of Flink nor a field of the scenario; did you mean job.vertices.sink.cost?`},
		{"job.vertices.sink.cost", "fast", `job.vertices.sink.cost: "fast" is not a duration; write a whole number and a unit, such as 500 ms, 10 s or 2 min`},
		{"job.edges.sink.map.partition", "HASH", `job.edges.sink.map.partition (set to "HASH") names an edge that the job does not have; write job.edges.FROM.TO.partition`},
		{"script.2.cost", "1 ms", `script.2.cost (set to "1 ms") names an action that the script does not have; the script has 1; the next one is script.2`},
		{"job.vertices.map.window", "{size: 1 s}", `job.vertices.map.window (set to "{size: 1 s}") is a field that cannot be set as a whole; set one of its fields, such as job.vertices.map.window.size`},
		{"job.vertices.map.state", "x", `job.vertices.map.state (set to "x") is a field that cannot be set as a whole; change it in the file`},
		{"job.keyz.sink", "1", `job.keyz.sink (set to "1") is neither an option of Flink nor a field of the scenario; write a key such as execution.checkpointing.interval or job.vertices.sink.cost`},
		{"control.colour", "1", `control.colour (set to "1") is neither an option of Flink nor a field of the scenario; the fields here are rpc, net, send, receive, wake, wakeOutput, wakeSpread, finalize, inFlight, flushExtra, flushDrift, flush, restore, logLead, firstFails`},
		{"run.sede", "1", `run.sede (set to "1") is neither an option of Flink nor a field of the scenario; did you mean run.seed?`},
		{"job.vertices.map.parallelism", "0", `job.vertices.map.parallelism: "0" is less than 1; write 1 or more`},
		{"run.seed", "1\n2", "run.seed has a value with a character that cannot be printed; remove it"},
		{"", "", "is neither an option of Flink nor a field of the scenario; write a key such as execution.checkpointing.interval or job.vertices.sink.cost"},
	}
	for _, c := range cases {
		s := load(t, "backpressure")
		before := s.Setup
		err := s.Set(c.key, c.value)
		if err == nil {
			t.Errorf("%s = %s is taken", c.key, c.value)
			continue
		}
		if err.Error() != c.err {
			t.Errorf("%s\n got %s\nwant %s", c.key, err, c.err)
		}
		if !reflect.DeepEqual(s.Setup, before) {
			t.Errorf("%s changed the scenario in spite of %v", c.key, err)
		}
	}
}

// A knob that is turned and turned back leaves no trace, whatever spelling the file has.
func TestSetReplacesOldSpellings(t *testing.T) {
	s, err := Parse([]byte(strings.ReplaceAll(sample, "interval: 1 s", "unaligned: true")))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Set("execution.checkpointing.unaligned.enabled", "false"); err != nil || s.Setup.Options.Unaligned || len(s.Notes) != 0 {
		t.Errorf("%v, %v", err, s.Notes)
	}
	if got, want := s.FlinkBlock(), "execution.checkpointing.unaligned.enabled: false\n"; got != want {
		t.Errorf("got %s", got)
	}
	if err := s.Set("execution.checkpointing.unaligned", ""); err != nil || s.FlinkBlock() != "" {
		t.Errorf("%v, %s", err, s.FlinkBlock())
	}
}

func TestSetAll(t *testing.T) {
	s := load(t, "backpressure")
	if err := s.SetAll([]option.Pair{
		{Key: "execution.checkpointing.max-concurrent-checkpoints", Value: "2"}, {Key: "execution.checkpointing.unaligned.enabled", Value: "true"},
	}); err == nil {
		t.Error("two settings that exclude each other are taken")
	}
	if s.Setup.Options.MaxConcurrent != 1 {
		t.Error("half of the changes is left")
	}
}

func TestKnob(t *testing.T) {
	s := load(t, "backpressure")
	cases := []struct {
		key, label, standard, value string
		given                       bool
	}{
		{"execution.checkpointing.interval", "Checkpoint interval", "", "10 s", true},
		{"execution.checkpointing.unaligned", "Unaligned checkpoints", "false", "false", false},
		{"execution.buffer-timeout.interval", "Buffer timeout", "100 ms", "100 ms", false},
		{"job.vertices.sink.cost", "sink: cost per record", "measured", "50 us", true},
		{"job.vertices.map.cost", "map: cost per record", "measured", "measured", false},
		{"job.vertices.map.parallelism", "map: parallelism", "1", "2", true},
		{"job.vertices.source.partitions", "source: partitions", "2", "2", true},
		{"job.edges.source.map.partition", "source → map: partitioner", "", "HASH", true},
		{"script.1.cost", "1. new cost per record", "", "200 us", true},
		{"run.seed", "Seed", "1", "42", true},
		{"control.restore", "Restore", "15 ms", "15 ms", false},
	}
	for _, c := range cases {
		k, err := s.Knob(c.key)
		if k.Label["en"] != c.label || k.Default != c.standard || k.Value != c.value || k.Given != c.given || err != nil {
			t.Errorf("%s: %q, default %q, value %q, given %v, %v", c.key, k.Label["en"], k.Default, k.Value, k.Given, err)
		}
	}
	for _, o := range settable {
		if o.Label["en"] == "" || o.Label["ko"] == "" || !strings.HasSuffix(o.Effect["en"], ".") || !strings.HasSuffix(o.Effect["ko"], ".") || o.Range == "" && len(o.Enum) == 0 {
			t.Errorf("%s is described by %+v", o.Key, o)
		}
	}
}

func TestChanges(t *testing.T) {
	s := load(t, "chapter")
	if c := s.Changes(); len(c) != 0 {
		t.Errorf("untouched, it has %v", c)
	}
	for _, p := range []option.Pair{
		{Key: "control.rpc", Value: "1 ms"}, {Key: "job.vertices.map.cost", Value: ""}, {Key: "job.vertices.sink.snapshot.sync", Value: "5 ms"},
		{Key: "execution.checkpointing.interval", Value: ""}, {Key: "execution.checkpointing.mode", Value: "AT_LEAST_ONCE"}, {Key: "run.seed", Value: "9"},
	} {
		if err := s.Set(p.Key, p.Value); err != nil {
			t.Fatal(err)
		}
	}
	again := load(t, "chapter")
	if err := again.SetAll(s.Changes()); err != nil || !reflect.DeepEqual(again.Setup, s.Setup) {
		t.Errorf("%v → %v\n got %+v\nwant %+v", s.Changes(), err, again.Setup, s.Setup)
	}
	if err := again.Set("run.seed", "1"); err != nil {
		t.Fatal(err)
	}
	for _, p := range again.Changes() {
		if p.Key == "run.seed" {
			t.Error("a setting that was turned back counts as changed")
		}
	}
}

func TestCloneIsItsOwn(t *testing.T) {
	s := load(t, "chapter")
	c := s.Clone()
	if err := c.Set("run.seed", "5"); err != nil || s.Setup.Seed != 1 || c.Name != "chapter" {
		t.Errorf("%v, %d", err, s.Setup.Seed)
	}
}
