package truth

import (
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

func TestUnknownSettingIsNotSimulated(t *testing.T) {
	run := Run{Setting: Setting{ID: "x", Unknown: []string{"novel"}}}
	if _, _, err := run.Setup(); err == nil || !strings.Contains(err.Error(), "novel") {
		t.Errorf("%v", err)
	}
}
