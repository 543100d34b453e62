package scene_test

import (
	"strings"
	"testing"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/render/internal/sample"
	"checkpointlab/render/scene"
	"checkpointlab/render/token"
)

// straggling is a view at the end of checkpoint 7 that expired after 10 s: sources and maps have acknowledged, sink 0 has one of its
// two barriers, sink 1 none.
func straggling() (*core.View, *core.History) {
	v := sample.Alignment()
	v.At = 90 * event.Second
	c := core.CheckpointRecord{ID: 7, Triggered: 70 * event.Second, Ended: 80 * event.Second, Outcome: core.FailedCheckpoint, Reason: event.CheckpointExpired}
	for range 4 {
		c.Tasks = append(c.Tasks, core.TaskPhases{Acked: c.Triggered + 3*event.Second, StartDelay: 2 * event.Second, Alignment: 1 * event.Second,
			Sync: 0, Async: 0, SyncEnded: c.Triggered + 3*event.Second, Sent: c.Triggered + 3*event.Second})
	}
	for range 2 {
		c.Tasks = append(c.Tasks, core.TaskPhases{Acked: -1, StartDelay: -1, Alignment: -1, Sync: -1, Async: -1, SyncEnded: -1, Sent: -1})
	}
	first := &v.Exchanges[1].Channels[0]
	return v, &core.History{Checkpoints: []core.CheckpointRecord{c},
		Passages: []core.Passage{{Channel: first.Channel, Checkpoint: 7, From: 2, To: 4, Sent: 73 * event.Second, Received: 74 * event.Second}}}
}

// rowOf is what a Gantt draws of a task: right ends of its outline and of its hatched part, and whether a cross is there.
func rowOf(s *scene.Scene, task event.Task) (delay, hatched float32, cross bool) {
	for i := range s.Marks {
		m := &s.Marks[i]
		if m.ID.What != scene.Phases || m.ID.A != task {
			continue
		}
		switch {
		case m.Kind == scene.Rect && m.Hatch == scene.Alignment:
			hatched = m.X + m.W
		case m.Kind == scene.Rect && m.Fill == token.Panel && m.Edge == token.Line:
			delay = m.X + m.W
		case m.Kind == scene.Sprite && m.Shape == scene.Failed:
			cross = true
		}
	}
	return delay, hatched, cross
}

// Whoever never acknowledged stands on top, with how far it came, and a cross where the checkpoint failed.
func TestStragglersStandOnTop(t *testing.T) {
	v, h := straggling()
	var s scene.Scene
	s.Reset(432, 280)
	scene.Gantt(v, h, 7, 432, 280, scene.English, &s)
	var order []event.Task
	for i := range s.Marks {
		if m := &s.Marks[i]; m.ID.What == scene.Phases && (len(order) == 0 || order[len(order)-1] != m.ID.A) {
			order = append(order, m.ID.A)
		}
	}
	if len(order) != 6 || order[0] != 5 || order[1] != 4 {
		t.Errorf("the rows are %v", order)
	}
	scale := func(x float32) float64 { return float64(x-64) / (432 - 64 - 46) * 10 } // s after the trigger
	if delay, hatched, cross := rowOf(&s, 4); scale(delay) < 3.9 || scale(delay) > 4.1 || scale(hatched) < 9.9 || scale(hatched) > 10.1 || !cross {
		t.Errorf("sink 0 waits %.1f s for its first barrier and aligns up to %.1f s, cross %v; want 4, 10 and a cross", scale(delay), scale(hatched), cross)
	}
	if delay, hatched, cross := rowOf(&s, 5); scale(delay) < 9.9 || hatched != 0 || !cross {
		t.Errorf("sink 1 waits %.1f s, hatched to %v, cross %v", scale(delay), hatched, cross)
	}
	if _, _, cross := rowOf(&s, 0); cross || strings.Count(texts(&s), "no ack") != 2 {
		t.Errorf("it says\n%s", texts(&s))
	}
	overlap(t, "stragglers", &s)
	reads := scene.Readout(v, h, scene.ID{What: scene.Phases, A: 4, B: 7}, scene.English)
	if !strings.Contains(reads, "has not acknowledged checkpoint 7; barriers came by 1 of 2 channels, the first after 4") {
		t.Errorf("sink 0 reads %q", reads)
	}
}

// A checkpoint in progress shows nothing that is still to come: neither in its Gantt nor in what it reads.
func TestPhasesEndNow(t *testing.T) {
	v, h := straggling()
	v.At = 72500 * event.Millisecond
	var s scene.Scene
	s.Reset(432, 280)
	scene.Gantt(v, h, 7, 432, 280, scene.English, &s)
	scale := func(x float32) float64 { return float64(x-64) / (432 - 64 - 46) * 10 }
	if delay, hatched, cross := rowOf(&s, 2); scale(delay) > 2.1 || scale(hatched) > 2.55 || cross {
		t.Errorf("2.5 s after the trigger map 0 has waited %.1f s and aligned up to %.1f s, cross %v", scale(delay), scale(hatched), cross)
	}
	if said := texts(&s); strings.Contains(said, "3.00") || strings.Contains(said, "no ack") {
		t.Errorf("it says\n%s", said)
	}
	if reads := scene.Readout(v, h, scene.ID{What: scene.Phases, A: 2, B: 7}, scene.English); !strings.Contains(reads, "has not acknowledged") {
		t.Errorf("map 0 reads %q", reads)
	}
}

// In space and time an alignment is seen while it lasts, and when it never ended.
func TestSpaceTimeShowsAlignmentsThatDidNotEnd(t *testing.T) {
	v, h := straggling()
	for _, at := range []event.Time{75 * event.Second, 79 * event.Second, 90 * event.Second} {
		v.At = at
		var s scene.Scene
		s.Reset(900, 280)
		area := scene.SpaceTime(v, h, scene.Space{Checkpoint: 7}, 900, 280, scene.English, &s)
		x := func(t event.Time) float64 {
			return area.Left + (area.Right-area.Left)*float64(t-area.Begin)/float64(area.End-area.Begin)
		}
		_, hatched, _ := rowOf(&s, 4)
		if want := x(min(at, 80*event.Second)); float64(hatched) < want-1 || float64(hatched) > want+1 {
			t.Errorf("at %d s sink 0 aligns up to %v px, want %v", at/event.Second, hatched, want)
		}
		if _, hatched, _ := rowOf(&s, 5); hatched != 0 {
			t.Errorf("at %d s sink 1 aligns without a barrier", at/event.Second)
		}
	}
}
