package core

import (
	"math"

	"checkpointlab/core/event"
)

// board lets a wide job go on express (task/express.go), if it can and nothing is due now any more. It is asked where Advance
// begins, behind each sample, and when all tasks have started; what cannot be done express, and whoever looks at the run, ends it (alight).
func (l *Lab) board(now event.Time) {
	if l.world.Wide && !l.world.Riding() && l.queue.Quiet(now) {
		l.world.Board()
		l.begun, l.aboard.known = false, false
	}
}

// express does up to most things (0 = all) that are due at until or before, up to one that cannot be done so, and reports how many.
// Samples and gauges can: what they look at a ride keeps up to date, or tells it (task.Stands, task.ReadBy).
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

// alight makes tasks and channels what they are at Now.
func (l *Lab) alight() { l.world.Alight(l.now) }
