package core_test

import (
	"testing"

	"checkpointlab/core"
	"checkpointlab/core/event"
)

// arrived is how many records have come to each subtask's partitions by an instant.
func arrivedBy(lab *core.Lab, at event.Time) (n []int64) {
	lab.Advance(at, 0)
	var v core.View
	lab.View(&v)
	for i := range v.Vertices[0].Tasks {
		n = append(n, v.Vertices[0].Tasks[i].Log.Arrived)
	}
	return n
}

func loaded(t *testing.T, parallelism int, l core.Load) *core.Lab {
	t.Helper()
	s := pipeline(t, parallelism, 1000, -1)
	s.Vertices[0].Load, s.Duration = l, 60*event.Second
	lab, err := core.New(s)
	if err != nil {
		t.Fatal(err)
	}
	return lab
}

func near(t *testing.T, what string, got, want int64) {
	t.Helper()
	if got < want-want/50-30 || got > want+want/50+30 {
		t.Errorf("%s: %d, expected about %d", what, got, want)
	}
}

// A swing is up in the first half of its period and down in the second, and even over the whole.
func TestLoadSwings(t *testing.T) {
	lab := loaded(t, 1, core.Load{Period: 20 * event.Second, SwingMill: 500_000})
	half, whole := arrivedBy(lab, 10*event.Second)[0], arrivedBy(lab, 20*event.Second)[0]
	near(t, "first half", half, 10_000+5_000*2000/3142)
	near(t, "second half", whole-half, 10_000-5_000*2000/3142)
}

// Bursts come on top of the rate, repeatedly, and wait in the log.
func TestLoadComesInBursts(t *testing.T) {
	lab := loaded(t, 1, core.Load{BurstEvery: 10 * event.Second, BurstFor: event.Second, BurstTimes: 20})
	first := arrivedBy(lab, event.Second)[0]
	near(t, "in the burst", first, 20_000)
	near(t, "after it", arrivedBy(lab, 10*event.Second)[0]-first, 9_000)
	near(t, "after three", arrivedBy(lab, 30*event.Second)[0], 3*29_000)
}

// A subtask's partitions fall silent and come back, the others do not.
func TestSubtaskFallsSilent(t *testing.T) {
	lab := loaded(t, 2, core.Load{Quiet: true, QuietSubtask: 1, QuietFrom: 5 * event.Second, QuietTo: 15 * event.Second})
	n := arrivedBy(lab, 20*event.Second)
	near(t, "the one", n[0], 20_000)
	near(t, "the silent one", n[1], 10_000)
}
