package core

import (
	"testing"

	"checkpointlab/core/event"
)

// TestSharesOfManyTasksLookBackASecond also at the instant at which it was noted where all stand.
func TestSharesOfManyTasksLookBackASecond(t *testing.T) {
	s := wideJob(t, 900, Forward, 100, 3*event.Second)
	s.Vertices[2].Cost = 5 * event.Millisecond
	l, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	var v View
	for _, at := range []event.Time{2 * event.Second, 2500 * event.Millisecond, 3 * event.Second} {
		l.Advance(at, 0)
		l.View(&v)
		sink := &v.Vertices[len(v.Vertices)-1].Tasks[7]
		if sink.Busy < 300 || sink.Busy > 700 || sink.RateIn < 60 || sink.RateIn > 140 {
			t.Errorf("at %d ms a sink that is busy half the time is so for %d per mille, with %d records/s", at/event.Millisecond, sink.Busy, sink.RateIn)
		}
	}
}
