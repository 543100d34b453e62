package scene_test

import (
	"fmt"
	"strings"
	"testing"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/render/format"
	"checkpointlab/render/internal/sample"
	"checkpointlab/render/scene"
)

// wide is a square job whose operators are chained and have costs, which makes the longest heads.
func wide(p int) *core.View {
	v := sample.Square(p)
	v.Vertices[0].Name, v.Vertices[2].Name = "source → map", "map → sink"
	for i := range v.Vertices {
		v.Vertices[i].Cost = 7500 * event.Microsecond
		for j := range v.Vertices[i].Tasks {
			v.Vertices[i].Tasks[j].Log.Arrived += int64(j)
		}
	}
	return v
}

// Whatever the parallelism, no text lies on another one or leaves the picture, and none lies on an operator's area.
func TestWideTextsDoNotOverlap(t *testing.T) {
	for _, p := range []int{1, 4, 8, 16, 64, 100} {
		v := wide(p)
		for _, width := range []float64{358, 928, 1392} {
			for _, lang := range []scene.Lang{scene.English, scene.Korean} {
				s := build(v, scene.Options{Width: width, Lang: lang})
				overlap(t, fmt.Sprint(p, " subtasks"), s)
				for i := range s.Marks {
					a := &s.Marks[i]
					for j := range s.Marks {
						b := &s.Marks[j]
						if a.Kind == scene.Text && a.ID.What == scene.Log && b.Kind == scene.Rect && b.ID.What == scene.Operator && touch(a, b) {
							t.Errorf("%d subtasks at %v: %q lies on an operator", p, width, s.Text(a))
						}
					}
				}
			}
		}
	}
}

func touch(a, b *scene.Mark) bool {
	ax, ay, aw, ah := a.Box()
	bx, by, bw, bh := b.Box()
	return ax < bx+bw-0.5 && bx < ax+aw-0.5 && ay < by+bh-0.5 && by < ay+ah-0.5
}

// texts are all that a scene says, a line each.
func texts(s *scene.Scene) string {
	var b strings.Builder
	for i := range s.Marks {
		if m := &s.Marks[i]; m.Kind == scene.Text {
			fmt.Fprintln(&b, s.Text(m))
		}
	}
	return strings.ReplaceAll(b.String(), format.Space, " ")
}

// A merged operator says how many of its subtasks do not run, and an exchange what its range stands for.
func TestMergedPartsGiveTheirNumbers(t *testing.T) {
	v := wide(100)
	for i := range 3 {
		v.Vertices[1].Tasks[i].State = core.Failed
	}
	said := texts(build(v, scene.Options{Width: 1392}))
	for _, want := range []string{"3 not running", "least ", "median ", "most "} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is missing in\n%s", want, said)
		}
	}
}

// slow is a checkpoint of a wide job in which sink 40 is far behind.
func slow(v *core.View) *core.History {
	c := core.CheckpointRecord{ID: 7, Triggered: event.Second, Ended: 4 * event.Second, Outcome: core.Completed}
	tasks := 0
	for i := range v.Vertices {
		for j := range v.Vertices[i].Tasks {
			took := event.Time(i*100+j) * event.Millisecond
			if i == 2 && j == 40 {
				took = 3 * event.Second
			}
			c.Tasks = append(c.Tasks, core.TaskPhases{Acked: c.Triggered + took, StartDelay: took, Sync: event.Millisecond, SyncEnded: c.Triggered + took})
			tasks++
		}
	}
	v.At = 5 * event.Second
	return &core.History{Checkpoints: []core.CheckpointRecord{c}}
}

// Of more subtasks than fit, the slowest stand on top, each operator's middle one below, and it is said how many there are.
func TestGanttOfManySubtasks(t *testing.T) {
	v := wide(100)
	h := slow(v)
	var s scene.Scene
	s.Reset(400, 28+17*12+46)
	scene.Gantt(v, h, 7, 400, s.Height, scene.English, &s)
	said := texts(&s)
	if !strings.Contains(said, "9 slowest of 300") || strings.Count(said, "median") != 3 {
		t.Errorf("it says\n%s", said)
	}
	for i := range s.Marks {
		if m := &s.Marks[i]; m.ID.What == scene.Phases {
			if m.ID.A != v.Vertices[2].Tasks[40].Task {
				t.Errorf("on top stands task %d, want the straggler", m.ID.A)
			}
			break
		}
	}
	few := wide(2)
	s.Reset(400, 300)
	scene.Gantt(few, slow(few), 7, 400, 300, scene.English, &s)
	if said := texts(&s); strings.Contains(said, "slowest") || strings.Contains(said, "median") {
		t.Errorf("all rows fit, and it says\n%s", said)
	}
}

// In space and time every operator has rows, the slowest subtask among them, and it is said that the ways are not kept.
func TestSpaceTimeOfManySubtasks(t *testing.T) {
	v := wide(100)
	h := slow(v)
	var s scene.Scene
	s.Reset(1000, 420)
	scene.SpaceTime(v, h, scene.Space{Checkpoint: 7}, 1000, 420, scene.English, &s)
	rows := map[int]int{}
	straggler := false
	for id := range ids(&s, scene.Phases) {
		rows[int(id.A)/100]++
		straggler = straggler || id.A == v.Vertices[2].Tasks[40].Task
	}
	if len(rows) != 3 || rows[0] < 20 || rows[1] < 20 || rows[2] < 20 || !straggler {
		t.Errorf("rows by operator %v, the straggler %v", rows, straggler)
	}
	if said := texts(&s); !strings.Contains(said, "are not kept") || !strings.Contains(said, "slowest of 300") {
		t.Errorf("it says\n%s", said)
	}
	overlap(t, "space and time", &s)
}

// What stands for a whole operator reads as that, not as one of its subtasks.
func TestMergedMarksReadAsTheirOperator(t *testing.T) {
	v := wide(100)
	v.Vertices[1].Tasks[3].State = core.Failed
	lag := int64(0)
	for i := range v.Vertices[0].Tasks {
		lag += v.Vertices[0].Tasks[i].Log.Arrived - v.Vertices[0].Tasks[i].Log.Read
	}
	s := build(v, scene.Options{Width: 1392})
	for what, want := range map[scene.What]string{
		scene.Log:      fmt.Sprintf("logs of source → map ×100: lag %d, most at source → map ", lag),
		scene.Output:   "outputs of map → sink ×100: ",
		scene.Ack:      "source → map ×100: 50 have acknowledged checkpoint 7",
		scene.Operator: "source → map ×100: busy ",
	} {
		found := false
		for id := range ids(s, what) {
			text := strings.ReplaceAll(scene.Sentence(v, nil, id, scene.English), format.Space, "")
			found = found || strings.HasPrefix(text, want)
		}
		if !found {
			t.Errorf("no mark of kind %d reads %q", what, want)
		}
	}
	if text := scene.Sentence(v, nil, scene.ID{What: scene.Operator, A: 1}, scene.English); !strings.Contains(text, "; 1 failed") {
		t.Errorf("the operator reads %q", text)
	}
	opened := build(v, scene.Options{Width: 1392, Open: v.Vertices[0].Tasks[5].Task + 1})
	for id := range ids(opened, scene.Log) {
		if id.B != 0 {
			t.Errorf("of an opened subtask %v is the whole operator's", id)
		}
	}
}
