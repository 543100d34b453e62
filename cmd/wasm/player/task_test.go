package player

import (
	"strings"
	"testing"
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
