package truth

import (
	"slices"
	"strings"
	"testing"

	"checkpointlab/core"
	"checkpointlab/core/event"
)

func recordedRun(t *testing.T, id string) *Run {
	t.Helper()
	runs, err := Recorded()
	if err != nil {
		t.Fatal(err)
	}
	for i := range runs {
		if runs[i].Setting.ID == id {
			return &runs[i]
		}
	}
	t.Fatalf("no run %s", id)
	return nil
}

func TestEveryRecordedSettingBecomesASetup(t *testing.T) {
	runs, err := Recorded()
	if err != nil {
		t.Fatal(err)
	}
	for i := range runs {
		s, _, err := runs[i].Setup()
		if err != nil {
			t.Errorf("%s: %v", runs[i].Setting.ID, err)
			continue
		}
		if len(s.Edges) != len(s.Vertices)-1 {
			t.Errorf("%s: %d vertices, %d edges", runs[i].Setting.ID, len(s.Vertices), len(s.Edges))
		}
		if state := runs[i].Setting.ValueBytes > 0; state && len(s.Vertices[1].State) == 0 {
			t.Errorf("%s: its map has no state", runs[i].Setting.ID)
		}
	}
}

func TestSetupOfAJoin(t *testing.T) {
	s, _, err := recordedRun(t, "join-max-and-slow").Setup()
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Vertices) != 4 || s.Vertices[0].RateNum != 0 || s.Vertices[1].RateNum != 100 || s.Vertices[2].Cost != 200*event.Microsecond {
		t.Errorf("vertices %+v", s.Vertices)
	}
	if s.Edges[0].To != 2 || s.Edges[1].To != 2 || s.Edges[2] != (core.Edge{From: 2, To: 3, Partition: core.Hash}) {
		t.Errorf("edges %+v", s.Edges)
	}
	if s.Duration <= 63*event.Second || s.Control.LogLead != 460*event.Millisecond { // 2.97 + 20 + 40.… s
		t.Errorf("duration %d, lead %d", s.Duration, s.Control.LogLead)
	}
}

func TestSetupReadsEveryField(t *testing.T) {
	s, _, err := recordedRun(t, "jmh-unaligned-1000us").Setup()
	if err != nil {
		t.Fatal(err)
	}
	if s.Edges[0].Partition != core.Rebalance || s.Edges[1].Partition != core.Rebalance || s.Vertices[0].Payload != 1024 ||
		s.Vertices[2].Parallelism != 4 || s.Options.SegmentSize != 4096 || !s.Options.Unaligned {
		t.Errorf("%+v", s)
	}
	s, _, err = recordedRun(t, "skew-222-50").Setup()
	if err != nil || s.HotShareMill != 500_000 {
		t.Errorf("hot share %d, %v", s.HotShareMill, err)
	}
	s, _, err = recordedRun(t, "v120-bp-222-excl0").Setup()
	if err != nil || s.Options.Version != "1.20" || s.Options.BuffersPerChannel != 0 {
		t.Errorf("version %s, %d buffers a channel, %v", s.Options.Version, s.Options.BuffersPerChannel, err)
	}
	s, _, err = recordedRun(t, "fail-5s-immediate").Setup()
	if err != nil || s.Vertices[2].Guarantee != core.AtLeastOnce || s.Options.RestartDelay != event.Second {
		t.Errorf("%+v, %v", s.Vertices[2], err)
	}
}

func TestUnknownSettingIsNoted(t *testing.T) {
	run := Run{Setting: Setting{ID: "x", Unknown: []string{"novel"}}}
	if _, notes, err := run.Setup(); err != nil || !slices.ContainsFunc(notes, func(n string) bool { return strings.Contains(n, "novel") }) {
		t.Errorf("%v, %v", notes, err)
	}
}

// TestLooseSettings: numbers and options in any form, a version that only the id tells.
func TestLooseSettings(t *testing.T) {
	line := `{"setting": {"id": "v120-x", "seconds": 30, "sources": 2.0, "maps": 3, "bytes": 1e3, "rate": 12.5, "rebalance": true,
		"flink": {"execution.checkpointing.interval": 2000, "execution.checkpointing.unaligned.enabled": true, "state.backend.type": "hashmap"}}, "more": [1]}`
	runs, err := Parse("lines", strings.NewReader(strings.ReplaceAll(line, "\n", " ")))
	if err != nil {
		t.Fatal(err)
	}
	s, _, err := runs[0].Setup()
	if err != nil || s.Vertices[0].Parallelism != 2 || s.Vertices[0].Payload != 1000 || s.Vertices[0].RateNum != 125 || s.Vertices[0].RatePer != 10*event.Second || s.Edges[0].Partition != core.Rebalance {
		t.Errorf("%+v, %v", s.Vertices, err)
	}
	if o := s.Options; o.Interval != 2*event.Second || !o.Unaligned || o.Version != "1.20" {
		t.Errorf("interval %d, unaligned %v, version %s", o.Interval, o.Unaligned, o.Version)
	}
}

// TestWhatRanIsNotRefused: an option that the lab does not take, and a version between those that it follows.
func TestWhatRanIsNotRefused(t *testing.T) {
	for version, followed := range map[string]string{"1.17": "1.18", "1.19.2": "1.18", "1.20.1": "1.20", "2.1.0": "2.3", "2.3.0": "2.3", "2.4-SNAPSHOT": "2.3"} {
		run := Run{FlinkVersion: version, Setting: Setting{ID: "x", Flink: map[string]string{"no.such.option": "1", "execution.checkpointing.interval": "3 s"}}}
		s, notes, err := run.Setup()
		if err != nil || s.Options.Interval != 3*event.Second || s.Options.Version != followed ||
			!slices.ContainsFunc(notes, func(n string) bool { return strings.Contains(n, "no.such.option") }) {
			t.Errorf("%s: version %s, interval %d, %v, %v", version, s.Options.Version, s.Options.Interval, notes, err)
		}
	}
}
