package core

import (
	"checkpointlab/core/event"
	"checkpointlab/core/sim"
)

// Load is how a source's rate varies: a periodic swing, repeated bursts, a subtask whose partitions fall silent. The zero value
// is an even rate. At each change of the rate a record arrives.
type Load struct {
	Period     event.Time // of the swing; 0 = none
	SwingMill  int64      // amplitude relative to the rate, in millionths
	BurstEvery event.Time // 0 = no bursts
	BurstFor   event.Time
	BurstTimes int64 // the rate in a burst as a multiple of that outside

	Quiet              bool // subtask QuietSubtask gets nothing between QuietFrom and QuietTo
	QuietSubtask       int
	QuietSplits        int // … in so many of its partitions; 0 = in all
	QuietFrom, QuietTo event.Time
}

// sine is a quarter of a sine in 6 steps, in thousandths: a swing changes 24 times a period.
var sine = [...]int64{0, 259, 500, 707, 866, 966, 1000}

const sineSteps = 24

// on reports whether the rate changes at all.
func (l *Load) on() bool { return l.Period > 0 || l.BurstEvery > 0 || l.Quiet }

// factor is what the rate of a subtask is multiplied by at an instant, in millionths; 0 = no record arrives.
func (l *Load) factor(at event.Time, subtask int) int64 {
	f := int64(1_000_000)
	if l.Period > 0 {
		step := int(at % l.Period * sineSteps / l.Period)
		s := sine[min(step%12, 12-step%12)]
		if step >= 12 {
			s = -s
		}
		f += l.SwingMill * s / 1000
	}
	if l.BurstEvery > 0 && at%l.BurstEvery < l.BurstFor {
		f *= l.BurstTimes
	}
	if l.QuietSplits == 0 && l.quiet(at, subtask) {
		f = 0
	}
	return f
}

// quiet reports whether a subtask's partitions are silent at an instant.
func (l *Load) quiet(at event.Time, subtask int) bool {
	return l.Quiet && subtask == l.QuietSubtask && l.QuietFrom <= at && at < l.QuietTo
}

// silent is how many of a subtask's partitions get nothing at an instant, while the others do.
func (l *Load) silent(at event.Time, subtask int) int64 {
	if !l.quiet(at, subtask) {
		return 0
	}
	return int64(l.QuietSplits)
}

// next is the first instant after at when the rate changes, event.Never if there is none.
func (l *Load) next(at event.Time) event.Time {
	soonest := event.Never
	note := func(t event.Time) {
		if t > at {
			soonest = min(soonest, t)
		}
	}
	if l.Period > 0 {
		step := at%l.Period*sineSteps/l.Period + 1
		note(at - at%l.Period + (step*l.Period+sineSteps-1)/sineSteps)
	}
	if l.BurstEvery > 0 {
		begin := at - at%l.BurstEvery
		note(begin + l.BurstFor)
		note(begin + l.BurstEvery)
	}
	if l.Quiet {
		note(l.QuietFrom)
		note(l.QuietTo)
	}
	return soonest
}

// baseRate is a source subtask's rate without its load, and the factor in force.
type baseRate struct {
	num    int64
	per    event.Time
	factor int64
	splits int64 // partitions of which num is the rate …
	silent int64 // … and how many of them get nothing
}

func newBaseRate(v *Vertex, subtask int) baseRate {
	n := partitionsOf(v, subtask)
	return baseRate{num: v.RateNum * n, per: v.RatePer, factor: 1_000_000, splits: n}
}

// beginLoads sets the rates at the start and schedules their first changes.
func (l *Lab) beginLoads() {
	for v := range l.plan.setup.Vertices {
		if vert := &l.plan.setup.Vertices[v]; vert.Load.on() {
			for k := range vert.Parallelism {
				l.rates[l.plan.first[v]+event.Task(k)] = newBaseRate(vert, k)
			}
			l.queue.Push(sim.Item{At: 0, Kind: event.DueLoad, A: int32(v)})
		}
	}
}

// load is an instant at which the rates of a vertex change.
func (l *Lab) load(now event.Time, v int) {
	vert := &l.plan.setup.Vertices[v]
	for k := range vert.Parallelism {
		t := l.plan.first[v] + event.Task(k)
		f, silent := vert.Load.factor(now, k), vert.Load.silent(now, k)
		if silent != l.rates[t].silent {
			l.world.Silence(now, t, silent > 0)
		}
		if f != l.rates[t].factor || silent != l.rates[t].silent {
			l.rates[t].factor, l.rates[t].silent = f, silent
			l.setRate(now, t)
		}
	}
	if next := vert.Load.next(now); next < maxDuration {
		l.queue.Push(sim.Item{At: next, Kind: event.DueLoad, A: int32(v)})
	}
}

// setRate gives a source the rate that follows from its base and its load.
func (l *Lab) setRate(now event.Time, t event.Task) {
	num, per := l.rates[t].now()
	l.world.SetRate(now, t, num, per)
}

// now is the rate with the load.
func (r *baseRate) now() (num int64, per event.Time) {
	switch {
	case r.factor == 0:
		return 1, maxDuration
	case r.factor == 1_000_000:
		return r.loud(), r.per
	}
	return r.loud() * max(1, r.factor/1000), r.per * 1000
}

// loud is the rate of the partitions that are not silent.
func (r *baseRate) loud() int64 {
	if r.silent == 0 {
		return r.num
	}
	return r.num / r.splits * (r.splits - r.silent)
}

// mostChanges is how often a load may change a rate: each change is kept, for records that were read may be read again.
const mostChanges = 1_000_000

// checkLoad refuses a load without a rate to change, and one that leaves what can be counted in a run of that span.
func (v *Vertex) checkLoad(span event.Time, bad func(string, ...any)) {
	l := &v.Load
	switch {
	case !l.on():
	case v.Kind != Source || v.RateNum == 0:
		bad("%s has a load that changes, but no rate; give it one", v.Name)
	case l.Period < 0 || l.Period > maxDuration || l.Period > 0 && l.Period < event.Millisecond || l.SwingMill < 0 || l.SwingMill > 1_000_000:
		bad("the rate of %s swings by %d millionths in %d ns; give up to 1000000 in 1 ms to 30 days", v.Name, l.SwingMill, l.Period)
	case l.BurstEvery < 0 || l.BurstEvery > maxDuration || l.BurstEvery > 0 && (l.BurstFor < event.Millisecond || l.BurstFor >= l.BurstEvery || l.BurstTimes < 1 || l.BurstTimes > 1000):
		bad("bursts of %s come every %d ns for %d ns with %d times the rate; give 1 ms to less than the distance, and up to 1000", v.Name, l.BurstEvery, l.BurstFor, l.BurstTimes)
	case l.Quiet && (l.QuietSubtask < 0 || l.QuietSubtask >= v.Parallelism || l.QuietFrom < 0 || l.QuietTo <= l.QuietFrom || l.QuietTo > maxDuration):
		bad("subtask %d of %s is silent from %d to %d ns; give one that it has, and a time that ends", l.QuietSubtask, v.Name, l.QuietFrom, l.QuietTo)
	case l.QuietSplits < 0 || l.Quiet && l.QuietSplits > 0 && int64(l.QuietSplits) >= partitionsOf(v, l.QuietSubtask):
		bad("%d partitions of subtask %d of %s fall silent, and it has %d; give fewer, or leave the number out for all", l.QuietSplits, l.QuietSubtask, v.Name, partitionsOf(v, l.QuietSubtask))
	case l.changes(span) > mostChanges:
		bad("the load of %s changes %d times in the run; give longer times between its changes or a shorter run, for at most %d", v.Name, l.changes(span), mostChanges)
	case !v.loadFits(v.RateNum, v.RatePer):
		bad("the load of %s comes to more than %d records a ns, or its rate is given per too long a time; lower it", v.Name, maxRate)
	}
}

// changes is how often the load changes the rate within a time.
func (l *Load) changes(span event.Time) (n int64) {
	if l.Period > 0 {
		n += span / l.Period * sineSteps
	}
	if l.BurstEvery > 0 {
		n += span / l.BurstEvery * 2
	}
	return n
}

// loadFits tells whether a rate can be counted with the load on it, whose factor now has in thousandths.
func (v *Vertex) loadFits(num int64, per event.Time) bool {
	return !v.Load.on() || per <= maxDuration/1000 && !v.tooFast(num*max(1, v.Load.BurstTimes)*2, per)
}
