package caption_test

import (
	"fmt"
	"strings"
	"testing"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/render/caption"
	"checkpointlab/render/font"
	"checkpointlab/render/format"
	"checkpointlab/render/internal/sample"
	"checkpointlab/web/texts"
)

func ExampleOf() {
	watch := caption.Of(texts.Must("ko"), sample.Alignment(), nil, 0)
	fmt.Println(caption.Plain(watch))
	for _, p := range caption.Pieces(watch) {
		if p.Checkpoint > 0 || p.Strong {
			fmt.Printf("%d %q\n", p.Checkpoint, p.Text)
		}
	}
	// Output:
	// map 1이 source 0에서 배리어 7을 받고 그 채널을 막았다. source 1의 같은 배리어는 아직 버퍼 4개 뒤에 있다.
	// 7 ""
	// 0 "버퍼 4개"
}

// what is said of a view, with plain spaces.
func said(lang string, v *core.View, h *core.History) string {
	return strings.ReplaceAll(caption.Plain(caption.Of(texts.Must(lang), v, h, 0)), format.Space, " ")
}

// failed is a history in which map 1 fails as in the sample and goes back to a checkpoint; 0 = to the start.
func failed(v *core.View, to event.Checkpoint) *core.History {
	at := v.At - event.Millisecond
	return &core.History{Failures: []core.FailureRecord{{At: at, RestoredTo: to, Reread: 60_000}}, Moments: []core.Moment{{At: at, Kind: event.TaskFailed, Task: v.Vertices[1].Tasks[1].Task}}}
}

// Each moment has its sentence, which fits a line in both languages, and whose letters the picture's font has.
func TestCaptions(t *testing.T) {
	names, views := sample.Moments()
	want := []string{
		"Nothing waits. The next checkpoint starts in 8.8 s.",
		"sink is at its limit. The buffers before it are full, and map waits for a free one.",
		"map 1 has barrier 7 from source 0 and holds that channel. The same barrier from source 1 is still behind 4 buffers.",
		"Unaligned barrier 7 overtakes the buffers before sink 1. Striped ones are stored with it, 1.4 MiB in all.",
		"Barrier 7 from source 0 stands behind 5 buffers before map 0.",
		"map 1 failed. The whole job goes back to checkpoint 6 and reads 60 000 records again.",
	}
	for i, v := range views {
		h := &core.History{}
		if i == len(views)-1 {
			h = failed(v, 6)
		}
		if got := said("en", v, h); got != want[i] {
			t.Errorf("%s:\n got %s\nwant %s", names[i], got, want[i])
		}
		for _, lang := range texts.Languages() {
			text := said(lang, v, h)
			if n := len([]rune(text)); n > 120 {
				t.Errorf("%s: %d characters: %s", names[i], n, text)
			}
			for _, r := range text {
				if !font.Has(r, font.Regular) {
					t.Errorf("%s: the picture's font has no %c: run python3 render/font/cut.py", names[i], r)
				}
			}
		}
	}
}

func TestAFailureWithoutCheckpointAndALostManager(t *testing.T) {
	v := sample.Failure()
	if got := said("en", v, failed(v, 0)); got != "map 1 failed. The whole job goes back to checkpoint 7." {
		t.Error(got)
	}
	v.Coord.LastCompleted = 0
	if got := said("en", v, failed(v, 0)); !strings.Contains(got, "everything is read again from the start") {
		t.Error(got)
	}
	v.Vertices[2].Tasks[0].State = core.Lost
	if got := said("ko", v, nil); got != "sink 0의 TaskManager를 잃었고, 아직 아무도 모른다." {
		t.Error(got)
	}
}

// While there is something in the log, nothing is said to wait nowhere; what is read again is said to be.
func TestWhatWaitsInTheLogIsSaid(t *testing.T) {
	v := sample.Idle()
	log := &v.Vertices[0].Tasks[0].Log
	log.Arrived, log.OldestWait = log.Read+900, 2400*event.Millisecond
	if got := said("en", v, nil); !strings.HasPrefix(got, "900 records wait in the log, the oldest for 2.4") {
		t.Errorf("%q", got)
	}
	log.ReplayTo = log.Read + 700
	if got := said("ko", v, nil); got != "소스가 재시작 전에 읽었던 것을 다시 읽는다. 700건 남았다." {
		t.Errorf("%q", got)
	}
}

func TestTwinAddsTheCoordinator(t *testing.T) {
	v := sample.Alignment()
	if got := caption.Twin(texts.Must("en"), v, nil); !strings.Contains(got, "still behind 4 buffers. ") || !strings.Contains(got, "acknowledged") {
		t.Error(got)
	}
}
