package core

import (
	"checkpointlab/core/event"
	"checkpointlab/core/sim"
	"checkpointlab/core/task"
)

// gaugePeriod is how often Flink's time gauges are updated (spec 4.4).
const gaugePeriod = 5 * event.Second

// perSecond is the number of samples in the second that the share bars cover.
const perSecond = int(event.Second / SamplePeriod)

// shares keeps, for every task, where its time and records stood at the last samples.
type shares struct {
	rows  []shareRow // (rounds+1) rounds of all tasks
	every int64      // samples from one round to the next
	n     int64      // rounds so far
	at    [perSecond + 1]event.Time
}

type shareRow struct {
	busy, soft, hard event.Time
	in, out          int64
}

// newShares makes shares that note many tasks less often than few, since it is some hundred thousand times a simulated minute.
func newShares(tasks int) shares {
	every := 1
	for _, often := range []int{2, 5, perSecond} {
		if tasks > 500*every {
			every = often
		}
	}
	return shares{rows: make([]shareRow, (perSecond/every+1)*tasks), every: int64(every)}
}

// rounds is how many rounds a second has.
func (s *shares) rounds() int64 { return int64(perSecond) / s.every }

func (s *shares) copyFrom(src *shares) {
	rows := append(s.rows[:0], src.rows...)
	*s = *src
	s.rows = rows
}

func rowOf(w *task.World, t *task.Task, now event.Time) (row shareRow) {
	row.fill(w, t, now)
	return row
}

// fill is rowOf in place.
func (r *shareRow) fill(w *task.World, t *task.Task, now event.Time) {
	spent, in, out := w.Stands(t, now)
	r.busy, r.soft, r.hard, r.in, r.out = spent[task.Busy]+spent[task.Sync], spent[task.Soft], spent[task.Hard], in, out
}

// keepShares notes where all tasks stand.
func (l *Lab) keepShares(now event.Time) {
	s, tasks := &l.shares, l.plan.tasks
	if now/SamplePeriod%s.every != 0 {
		return
	}
	round := int(s.n % (s.rounds() + 1))
	rows := s.rows[round*tasks:]
	for i := range l.world.Tasks {
		rows[i].fill(&l.world, &l.world.Tasks[i], now)
	}
	s.at[round] = now
	s.n++
}

// lastSecond is the difference over roughly the last second up to now, and the exact span.
func (l *Lab) lastSecond(t *task.Task) (d shareRow, span event.Time) {
	s, tasks := &l.shares, l.plan.tasks
	if s.n == 0 {
		return shareRow{}, 0
	}
	back := s.rounds()
	if back == 1 { // the last round may have been made just now: it says nothing about a second
		back = 2
	}
	oldest := max(0, s.n-back)
	round := int(oldest % (s.rounds() + 1))
	then, now := s.rows[round*tasks+int(t.ID)], rowOf(&l.world, t, l.now)
	return shareRow{now.busy - then.busy, now.soft - then.soft, now.hard - then.hard, now.in - then.in, now.out - then.out}, l.now - s.at[round]
}

// sample adds a row to the series and notes the shares.
func (l *Lab) sample(now event.Time) {
	l.keepShares(now)
	if l.rec != nil {
		l.rec.history.Samples = append(l.rec.history.Samples, l.row(now))
		l.rec.countDuplicates()
	}
	l.queue.Push(sim.Item{At: now + SamplePeriod, Kind: event.DueSample})
}

func (l *Lab) row(now event.Time) Sample {
	s := Sample{At: now, OldestAge: now - l.oldest(now).at, MarkLag: l.markLag(now)}
	for _, id := range l.plan.sources {
		read, arrived := l.world.ReadBy(id, now)
		s.Read += read
		s.Lag += max(0, arrived-read)
	}
	for i := range l.world.Writers {
		s.Shown += l.world.Writers[i].Visible
	}
	s.InFlight = l.world.Net.InFlight
	s.Pipeline = l.rec.way.mean(s.InFlight > 0)
	return s
}

// wayMean is the mean way from source to sink of the records that sinks processed in the last second.
type wayMean struct {
	sums [perSecond]struct{ time, n int64 }
	now  int
	last event.Time
}

// add counts records, of which the first was done at done and the others a time each later; their way begins when the source
// takes them.
func (w *wayMean) add(done, each event.Time, runs []event.Run) {
	s := &w.sums[w.now]
	for i := range runs {
		r := &runs[i]
		n := r.Count
		first, step := done*event.Fine-r.Born, each*event.Fine-r.BornStep
		s.time += ((first+(n-1)*step/2)/event.Fine - max(0, r.Lag)) * n
		s.n += n
		done += n * each
	}
}

// mean closes a sample. While nothing is processed the former answer stands, as long as something is under way.
func (w *wayMean) mean(underWay bool) event.Time {
	var time, n int64
	for _, s := range w.sums {
		time, n = time+s.time, n+s.n
	}
	w.now = (w.now + 1) % perSecond
	w.sums[w.now] = struct{ time, n int64 }{}
	switch {
	case n > 0:
		w.last = max(0, time/n)
	case !underWay:
		w.last = 0
	}
	return w.last
}

// noteCommit checks whether every sink has made a newer checkpoint visible by now.
func (l *Lab) noteCommit(now event.Time) {
	if l.firstShown != 0 && l.sinkLags() {
		return
	}
	least, most := event.Never, event.Checkpoint(0)
	for _, id := range l.plan.sinks {
		if t := &l.world.Tasks[id]; !t.End.Finished { // those that have finished have shown all they had
			upTo := l.shows(id)
			least, most = min(least, upTo), max(most, upTo)
		}
	}
	if most > l.shown.ID && l.firstShown == 0 {
		l.firstShown = now
	}
	if least <= l.shown.ID {
		return
	}
	if s := l.world.Save(least); s != nil {
		l.shown.CopyFrom(s)
		l.noteOvertaken(s)
		l.shown.Flow = l.shown.Flow[:0] // its runs belong to the world
	}
	l.shown.ID = least
	if l.rec != nil && !l.immediate() {
		l.rec.commits(least, l.firstShown, now)
	}
	l.firstShown = 0
}

// sinkLags reports whether some sink has not made a newer checkpoint than the last one visible. It continues from the sink
// found last, since they commit one after the other; false says nothing.
func (l *Lab) sinkLags() bool {
	for ; l.lagging < len(l.plan.sinks); l.lagging++ {
		if t := &l.world.Tasks[l.plan.sinks[l.lagging]]; !t.End.Finished && l.shows(t.ID) <= l.shown.ID {
			return true
		}
	}
	l.lagging = 0
	return false
}
