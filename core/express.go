package core

import (
	"math"

	"checkpointlab/core/event"
)

// board puts a wide job on express (task/express.go) if it qualifies and nothing else is due at this instant. It is called when
// Advance begins, after each sample, and when all tasks have started; anything that cannot be done express, and anyone who
// looks at the run, ends the ride (alight).
func (l *Lab) board(now event.Time) {
	if l.world.Wide && !l.world.Riding() && l.queue.Quiet(now) {
		l.world.Board()
		l.begun, l.aboard.known = false, false
	}
}

// express does up to most things (0 = all) that are due at until or earlier, stops at the first that cannot be done express,
// and reports how many it did. Samples and gauges can be: the ride keeps what they read up to date, or computes it for them
// (task.Stands, task.ReadBy).
func (l *Lab) express(until event.Time, most int) (n int) {
	if most == 0 {
		most = math.MaxInt
	}
	for l.world.Riding() {
		rode, stuck := l.world.Ride(until, most-n)
		n, l.now = n+rode, max(l.now, l.queue.Now())
		next := l.queue.Next()
		switch {
		case n == most:
			return n
		case stuck:
			l.alight()
		case next == nil || next.At > until:
			return n
		case next.Kind == event.DueSample || next.Kind == event.DueGauge:
			it := l.queue.PopUntil(until)
			l.now = it.At
			l.handle(it)
			n++
		default:
			l.alight()
		}
	}
	return n
}

// alight ends the ride: tasks and channels become what they are at Now.
func (l *Lab) alight() { l.world.Alight(l.now) }
