package core

import (
	"testing"

	"checkpointlab/core/event"
)

// A task manager that is throttled threefold lets its subtasks do a third of what they could, all of them and no others, and only for
// that time: of two pipelines of 2,000 records a second one has 30 s of a third of 4,000/s.
func TestThrottle(t *testing.T) {
	s := busyHour(t, "50 s")
	for i := range s.Vertices {
		s.Vertices[i].Parallelism = 2
	}
	s.Vertices[0].RateNum, s.Vertices[1].Cost, s.Edges[0].Partition = 2000, 250*event.Microsecond, Forward
	s.Script = []Action{{At: 60 * event.Second, Do: Throttle, Subtask: 1, Times: 3000, For: 30 * event.Second}}
	l, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	var v View
	read := func(at event.Time) (n [2]int64) {
		l.Advance(at, 0)
		l.View(&v)
		for i := range n {
			n[i] = v.Vertices[1].Tasks[i].Metrics.NumRecordsIn
		}
		return n
	}
	before := read(60 * event.Second)
	if read(89 * event.Second); v.Vertices[1].Tasks[0].Times != 0 || v.Vertices[1].Tasks[1].Times != 3000 {
		t.Errorf("records of the two sinks take %d and %d per mille of their usual time", v.Vertices[1].Tasks[0].Times, v.Vertices[1].Tasks[1].Times)
	}
	slow := read(90 * event.Second)
	if n := slow[0] - before[0]; n < 59_900 || n > 60_100 {
		t.Errorf("the other task manager's sink has taken %d records", n)
	}
	if n := slow[1] - before[1]; n < 39_900 || n > 40_500 {
		t.Errorf("the throttled sink has taken %d records, expected a third of 120,000", n)
	}
	if n := read(95 * event.Second)[1] - slow[1]; n < 19_500 || n > 20_500 {
		t.Errorf("behind it it has taken %d records in 5 s, expected all that it can", n)
	}
	if v.Vertices[1].Tasks[1].Times != 0 {
		t.Errorf("behind it its records take %d per mille of their usual time", v.Vertices[1].Tasks[1].Times)
	}
}

// A process that takes the place of a throttled one is not throttled.
func TestThrottleEndsWithTheProcess(t *testing.T) {
	s := busyHour(t, "50 s")
	s.Options.HeartbeatFailures = 2
	s.Script = []Action{{At: 60 * event.Second, Do: Throttle, Subtask: 2, Times: 8000, For: 60 * event.Second}, {At: 70 * event.Second, Do: Lose, Vertex: 0, Subtask: 2}}
	l, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	l.Advance(69*event.Second, 0)
	if n := l.world.Tasks[2].Cost; n < 8*s.Vertices[0].cost() {
		t.Errorf("a record of its source takes %d ns", n)
	}
	l.Advance(75*event.Second, 0)
	if n := l.world.Tasks[2].Cost; n >= 2*s.Vertices[0].cost() || !l.world.Tasks[2].Alive {
		t.Errorf("in the new process a record takes %d ns", n)
	}
}
