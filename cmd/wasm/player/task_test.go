package player

import (
	"strings"
	"testing"

	"checkpointlab/core/event"
)

// A task ticks itself off when a run does it, stays ticked, and begins anew with another scenario; the explanation has the
// numbers of the run in view.
func TestTasksTickThemselvesOff(t *testing.T) {
	p := New("en")
	p.Load("backpressure")
	if s := p.State(); s.Explain != "" || len(s.Tasks) == 0 || s.Tasks[0].Done {
		t.Fatalf("before the run: %q, %v", s.Explain, s.Tasks)
	}
	finish(t, p)
	before := p.State()
	if before.Tasks[0].Done || !strings.Contains(before.Explain, "2.1") {
		t.Fatalf("as written: %v, %q", before.Tasks, before.Explain)
	}
	p.Set("execution.checkpointing.unaligned.enabled", "true")
	if s := p.State(); s.Explain != "" {
		t.Errorf("while the new run is computed: %q", s.Explain)
	}
	finish(t, p)
	if s := p.State(); !s.Tasks[0].Done || s.Explain == before.Explain {
		t.Errorf("unaligned: %v, %q", s.Tasks, s.Explain)
	}
	p.Set("execution.checkpointing.unaligned.enabled", "")
	finish(t, p)
	if !p.State().Tasks[0].Done {
		t.Error("a task that was done is open again")
	}
	p.Lang("ko")
	finish(t, p)
	if s := p.State(); !strings.Contains(s.Explain, "싱크") {
		t.Errorf("in Korean: %q", s.Explain)
	}
	p.Load("backpressure")
	if p.State().Tasks[0].Done {
		t.Error("a task is done before the run")
	}
}

// What a run shows is told once it is computed, in the reader's language, and not beside another run.
func TestFindingsOfTheRunInView(t *testing.T) {
	p := New("en")
	if got := p.State().Findings; got != nil {
		t.Fatalf("before the run: %q", got)
	}
	finish(t, p)
	if got := p.State().Findings; len(got) == 0 || !strings.HasPrefix(got[0], "bottleneck: sink is busy for ") {
		t.Errorf("%q", got)
	}
	p.Lang("ko")
	finish(t, p)
	if got := p.State().Findings; len(got) == 0 || !strings.HasPrefix(got[0], "병목: sink가 초당 ") {
		t.Errorf("in Korean: %q", got)
	}
	p.Set("job.vertices.sink.cost", "20 us")
	if got := p.State().Findings; got != nil {
		t.Errorf("while another run is computed: %q", got)
	}
}

func TestTheTwinOfAWideJobTellsOfOperators(t *testing.T) {
	p := New("en")
	if r := p.Load(wideText); !r.OK {
		t.Fatal(r.Error)
	}
	p.Tick(0, looks(50))
	p.Seek(500 * event.Millisecond)
	twin := p.State().Twin
	said := strings.Join(twin, "\n")
	if len(twin) > 12 || !strings.Contains(said, "source ×300: busy") || !strings.Contains(said, "logs of source ×300") || !strings.Contains(said, "outputs of sink ×300") {
		t.Errorf("%d lines:\n%s", len(twin), said)
	}
}

const wideText = `format: 1
title: {en: Wide, ko: 넓은 잡}
question: {en: "How?", ko: "어떻게?"}
flinkVersion: 2.3
job:
  vertices:
    - {name: source, kind: source, parallelism: 300, rate: 10/s, record: 100 b, partitions: 300}
    - {name: sink, kind: sink, parallelism: 300, cost: 20 us, guarantee: EXACTLY_ONCE}
  edges:
    - {from: source, to: sink, partition: RESCALE}
flink:
  execution.checkpointing.interval: 1 s
run: {duration: 1 s, seed: 1}
`
