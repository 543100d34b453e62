package reference

import (
	"math"

	"checkpointlab/core"
	"checkpointlab/core/event"
)

// silence is the distance of records in a log in which none arrives.
const silence = 30 * 24 * 3600 * event.Second

// startLoads sets the rates of sources whose load comes and goes, from time 0 on.
func (r *Run) startLoads() {
	for v := range r.setup.Vertices {
		x := &r.setup.Vertices[v]
		if x.Load.Period > 0 || x.Load.BurstEvery > 0 || x.Load.Quiet {
			r.agenda.after(0, func() { r.changeLoad(v) })
		}
	}
}

// changeLoad is an instant at which something of a load begins or ends.
func (r *Run) changeLoad(v int) {
	load := &r.setup.Vertices[v].Load
	for _, t := range r.subtasks(v) {
		f, silent := factor(load, r.now, t.index), silentPartitions(load, r.now, t.index)
		switch {
		case silent > 0 && t.silent == 0:
			t.log.silent, t.log.silentFrom, t.log.speakAt = silent, t.log.arrived(r.now), event.Never
		case silent == 0 && t.silent > 0:
			t.log.speakAt = t.log.arrived(r.now)
		case f == t.factor:
			continue
		}
		t.factor, t.silent = f, silent
		t.loadChanged()
	}
	if next := nextChange(load, r.now); next < silence {
		r.agenda.after(next, func() { r.changeLoad(v) })
	}
}

// factor is what a subtask's rate is multiplied with, in millionths: a swing of 24 steps a period, bursts, silence.
func factor(l *core.Load, at event.Time, subtask int) int64 {
	f := int64(1_000_000)
	if l.Period > 0 {
		f += l.SwingMill * int64(math.Round(1000*math.Sin(math.Pi/12*float64(at%l.Period*24/l.Period)))) / 1000
	}
	if l.BurstEvery > 0 && at%l.BurstEvery < l.BurstFor {
		f *= l.BurstTimes
	}
	if l.QuietSplits == 0 && l.Quiet && subtask == l.QuietSubtask && l.QuietFrom <= at && at < l.QuietTo {
		return 0
	}
	return f
}

// silentPartitions is how many partitions of a subtask get nothing while its others do.
func silentPartitions(l *core.Load, at event.Time, subtask int) int64 {
	if l.Quiet && subtask == l.QuietSubtask && l.QuietFrom <= at && at < l.QuietTo {
		return int64(l.QuietSplits)
	}
	return 0
}

// nextChange is the soonest of all instants behind one at which something of a load begins or ends.
func nextChange(l *core.Load, at event.Time) event.Time {
	next := event.Never
	for _, every := range []struct{ period, parts, offset event.Time }{
		{l.Period, 24, 0}, {l.BurstEvery, 1, 0}, {l.BurstEvery, 1, l.BurstFor},
	} {
		if every.period == 0 {
			continue
		}
		for round := at/every.period - 1; round <= at/every.period+1; round++ {
			for part := range every.parts {
				begin := round*every.period + (part*every.period+every.parts-1)/every.parts + every.offset
				if begin > at {
					next = min(next, begin)
				}
			}
		}
	}
	if l.Quiet {
		for _, begin := range []event.Time{l.QuietFrom, l.QuietTo} {
			if begin > at {
				next = min(next, begin)
			}
		}
	}
	return next
}

// loadChanged is another base or another load: the source may have something to read.
func (t *task) loadChanged() {
	t.setRate()
	t.logChanged()
}

// setRate gives the log the rate that its base and its load come to.
func (t *task) setRate() {
	num := t.baseNum / max(1, t.log.partitions) * (t.log.partitions - t.silent)
	switch t.factor {
	case 0:
		t.log.setRate(t.run.now, 1, silence)
	case 1_000_000:
		t.log.setRate(t.run.now, num, t.basePer)
	default:
		t.log.setRate(t.run.now, num*max(1, t.factor/1000), t.basePer*1000)
	}
}
