package scene_test

import (
	"strings"
	"testing"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/render/format"
	"checkpointlab/render/internal/sample"
	"checkpointlab/render/scene"
)

func narrow(text string) string { return strings.ReplaceAll(text, " ", format.Space) }

func TestReadouts(t *testing.T) {
	v, h := sample.Alignment(), sample.History()
	for _, c := range []struct {
		id   scene.ID
		lang scene.Lang
		want string
	}{
		{scene.ID{What: scene.Buffer, Place: scene.Receiver, A: 7, B: 2}, scene.English,
			"map 1 → sink 1, 3rd of 6 at the receiver: 225 records, " + narrow("32.0 KiB") + ", oldest entered " + narrow("54.0 s")},
		{scene.ID{What: scene.Barrier, Place: scene.Receiver, A: 3, B: 3}, scene.English,
			"source 1 → map 1: barrier 7, aligned, triggered " + narrow("70.000 s") + "; 4 buffers, " + narrow("28 ms") + " ahead of it"},
		{scene.ID{What: scene.Barrier, Place: scene.Hand, A: 1, B: 7}, scene.Korean,
			"배리어 7이 map 1에서 기다린다. 다른 배리어가 올 때까지 source 0 → map 1은 막혀 있다"},
		{scene.ID{What: scene.Gate, A: 0}, scene.English, "source 0 → map 0: credit 0: map 0 has no free buffer for this channel"},
		{scene.ID{What: scene.Pool, A: 0, B: 1}, scene.English, "8 of 8 floating lent: 8 to source 1"},
		{scene.ID{What: scene.Ack, A: 3}, scene.English, "map 1 waits for barrier 7 from 1 of 2 channels"},
		{scene.ID{What: scene.Budget, A: 2}, scene.Korean, "map과 sink 사이에서 0.6초 보냈다."},
		{scene.ID{What: scene.Commit, A: 5}, scene.English, "checkpoint 6, at " + narrow("62.0 s") + ": " + narrow("99 336") +
			" records became visible, mean " + narrow("9.39 s") + ", p99 " + narrow("13.8 s") + ", max " + narrow("13.9 s")},
	} {
		if got := scene.Sentence(v, h, c.id, c.lang); got != c.want {
			t.Errorf("%v:\n got %s\nwant %s", c.id, got, c.want)
		}
	}
}

// A task of a throttled task manager says so, in its card and to whoever points at it.
func TestThrottledTasksSaySo(t *testing.T) {
	v, h := sample.Alignment(), sample.History()
	throttled := &v.Vertices[0].Tasks[0]
	throttled.Times = 2500
	for _, width := range []int{1392, 912, 358} {
		s, said := build(v, scene.Options{Width: float64(width)}), false
		for i := range s.Marks {
			m := &s.Marks[i]
			said = said || m.ID == scene.ID{What: scene.Card, A: throttled.Task} && strings.Contains(s.Text(m), " ×2.5")
		}
		if !said {
			t.Errorf("the card does not at %d px", width)
		}
	}
	if got, want := scene.Sentence(v, h, scene.ID{What: scene.Card, A: throttled.Task}, scene.English), "its TaskManager is throttled: a record takes 2.5 times as long"; !strings.Contains(got, want) {
		t.Errorf("it reads %q", got)
	}
}

// A readout names Flink's metrics with their values.
func TestReadoutsNameFlinksMetrics(t *testing.T) {
	v, h := sample.Alignment(), sample.History()
	v.Vertices[1].Tasks[1].Metrics = core.TaskMetrics{BusyTimeMsPerSecond: 120, BackPressuredTimeMsPerSecond: 870, IdleTimeMsPerSecond: 10}
	for _, c := range []struct {
		id   scene.ID
		want string
	}{
		{scene.ID{What: scene.Card, A: 3}, " · busyTimeMsPerSecond 120, backPressuredTimeMsPerSecond 870, idleTimeMsPerSecond 10"},
		{scene.ID{What: scene.Gate, A: 0}, " · outputQueueLength 0, inputQueueLength 6"},
		{scene.ID{What: scene.Card, A: 3}, ", inPoolUsage 0."},
		{scene.ID{What: scene.Pool, A: 0, B: 1}, " · inputFloatingBuffersUsage "},
		{scene.ID{What: scene.Barrier, A: 0, Place: scene.Hand, B: 7}, "checkpointAlignmentTime "},
		{scene.ID{What: scene.Phases, A: 5, B: 6}, " · checkpointStartDelayNanos "},
		{scene.ID{What: scene.Commit, A: 5}, " · lastCheckpointDuration "},
		{scene.ID{What: scene.Operator, A: 1}, " · busyTimeMsPerSecond 60, backPressuredTimeMsPerSecond 435"},
		{scene.ID{What: scene.Exchange, A: 0}, " · outputQueueLength "},
		{scene.ID{What: scene.Coordinator}, " · numberOfInProgressCheckpoints 1,"},
	} {
		if got := scene.Readout(v, h, c.id, scene.Korean); !strings.Contains(got, c.want) {
			t.Errorf("%v reads %q without %q", c.id, got, c.want)
		}
	}
	if got := scene.Readout(v, h, scene.ID{}, scene.English); got != "" {
		t.Errorf("decoration reads %q", got)
	}
}

// Every mark that can be pointed at in the picture of a moment reads something, with a metric of Flink's unless it has none.
func TestEveryMarkReadsWithAMetric(t *testing.T) {
	none := map[scene.What]bool{scene.Budget: true, scene.Moment: true, scene.Plot: true, scene.Scrub: true}
	names, views := sample.Moments()
	names, views = append(names, "16", "40", "100"), append(views, sample.Square(16), sample.Square(40), sample.Square(100))
	for i, v := range views {
		s := build(v, scene.Options{Width: 1392})
		read := map[scene.What]bool{}
		for k := range s.Marks {
			id := s.Marks[k].ID
			if id.What == scene.Nothing || read[id.What] || none[id.What] {
				continue
			}
			read[id.What] = true
			if got := scene.Readout(v, sample.History(), id, scene.Korean); !strings.Contains(got, " · ") {
				t.Errorf("%s: %v reads %q", names[i], id, got)
			}
		}
	}
}

// A source that has failed stands where it goes back to, with what it reads again in stripes, before it has restored.
func TestTheLogOfAFailedSourceIsRewound(t *testing.T) {
	v := sample.Alignment()
	for i := range v.Vertices {
		for k := range v.Vertices[i].Tasks {
			v.Vertices[i].Tasks[k].State = core.Failed
		}
	}
	s := build(v, scene.Options{Width: 1392})
	striped := 0
	for i := range s.Marks {
		if m := &s.Marks[i]; m.ID.What == scene.Log && m.Hatch == scene.Replay {
			striped++
		}
	}
	if striped != 2 {
		t.Errorf("%d logs have stripes, want 2", striped)
	}
}

// A checkpoint that failed before it had an id has no phases to show.
func TestGanttWithoutAnID(t *testing.T) {
	h := &core.History{Checkpoints: []core.CheckpointRecord{{}}}
	var s scene.Scene
	s.Reset(300, 200)
	scene.Gantt(sample.Alignment(), h, 0, 300, 200, scene.English, &s)
	for i := range s.Marks {
		if text := s.Text(&s.Marks[i]); strings.Contains(text, "0") {
			t.Errorf("%q is shown", text)
		}
	}
}

func TestOneRecordIsNoPlural(t *testing.T) {
	v := sample.Alignment()
	for i := range v.Exchanges {
		for j := range v.Exchanges[i].Channels {
			if c := &v.Exchanges[i].Channels[j]; c.Channel == 7 {
				c.Receiver[2].Records = 1
			}
		}
	}
	got := scene.Readout(v, sample.History(), scene.ID{What: scene.Buffer, Place: scene.Receiver, A: 7, B: 2}, scene.English)
	if !strings.Contains(got, ": 1 record, ") {
		t.Error(got)
	}
}

// Everything that can be focused says something whole in both languages.
func TestEveryTargetSpeaks(t *testing.T) {
	_, views := sample.Moments()
	views = append(views, sample.Join(), sample.Square(8), sample.Square(20), sample.Square(70))
	h := sample.History()
	for _, v := range views {
		for lang := scene.English; lang <= scene.Korean; lang++ {
			s := build(v, scene.Options{Width: 1392, Lang: lang})
			targets := scene.Targets(s, v, h, lang, nil)
			if len(targets) < 10 {
				t.Fatalf("only %d targets", len(targets))
			}
			for _, x := range targets {
				if x.Label == "" || strings.ContainsAny(x.Label, "{}") || strings.Contains(x.Label, "%!") {
					t.Errorf("%v says %q", x.ID, x.Label)
				}
				if x.W <= 0 || x.H <= 0 {
					t.Errorf("%v has no area", x.ID)
				}
			}
		}
	}
}

func TestTargetsReadAlongTheFlow(t *testing.T) {
	v := sample.Alignment()
	var order []string
	for _, x := range scene.Targets(build(v, scene.Options{Width: 1392}), v, nil, scene.English, nil) {
		if x.ID.What == scene.Card || x.ID.What == scene.Log || x.ID.What == scene.Output || x.ID.What == scene.Coordinator {
			order = append(order, x.ID.String())
		}
	}
	want := "coordinator-0-0-0 log-0-0-0 log-1-0-0 card-0-0-0 card-1-0-0 card-2-0-0 card-3-0-0 card-4-0-0 card-5-0-0 output-4-0-0 output-5-0-0"
	if got := strings.Join(order, " "); got != want {
		t.Errorf("order\n got %s\nwant %s", got, want)
	}
}

func TestIDsSurviveTheDOM(t *testing.T) {
	for _, id := range []scene.ID{{}, {What: scene.Buffer, Place: scene.Sender, A: 12, B: 3}, {What: scene.LogFlag, A: 1, B: 140}, {What: scene.Log, A: 1}} {
		got, err := scene.ParseID(id.String())
		if err != nil || got != id {
			t.Errorf("%v became %v (%v)", id, got, err)
		}
	}
	if _, err := scene.ParseID("buffer-x"); err == nil {
		t.Error("buffer-x was accepted")
	}
}

// An opened subtask shows itself and its neighbours cell by cell, under their own ids.
func TestOpenKeepsIDs(t *testing.T) {
	v := sample.Square(16)
	s := build(v, scene.Options{Width: 1392, Open: 16 + 5 + 1})
	if s.Level != scene.Cells {
		t.Fatalf("level %d, want cells", s.Level)
	}
	cards := ids(s, scene.Card)
	if !cards[scene.ID{What: scene.Card, A: 16 + 5}] || len(cards) != 9 {
		t.Errorf("%d cards, want the opened one and four on either side: %v", len(cards), cards)
	}
	for id := range ids(s, scene.Buffer) {
		text := scene.Readout(v, nil, id, scene.English)
		if !strings.Contains(text, "map 5") {
			t.Errorf("%v of the opened view says %q", id, text)
		}
	}
}

// A checkpoint that completes later is in progress at the moment that is shown.
func TestReadoutOfAPrefix(t *testing.T) {
	v, h := sample.Alignment(), sample.History()
	v.At = 71 * event.Second
	if got := scene.Readout(v, h, scene.ID{What: scene.Checkpoint, A: 7}, scene.English); !strings.Contains(got, "in progress") {
		t.Errorf("checkpoint 7 at 71 s: %q", got)
	}
}
