package reference

import (
	"maps"
	"slices"

	"checkpointlab/core"
	"checkpointlab/core/event"
)

// deal is a checkpoint being dealt to other subtasks.
type deal struct {
	run *Run
	old phase
	by  []*core.Action
	at  int // the last one's index
}

// setup is the job's with what the action changes.
func (d *deal) setup() *core.Setup {
	s := *d.old.setup
	s.Vertices = slices.Clone(s.Vertices)
	for v := range s.Vertices {
		s.Vertices[v].Parallelism = d.run.becomes(d.at, v)
	}
	return &s
}

// drops reports whether a vertex begins anew, for it has another uid.
func (d *deal) drops(v int) bool {
	return slices.ContainsFunc(d.by, func(a *core.Action) bool { return a.Do == core.RestoreJob && a.Renamed && a.Vertex == v })
}

// save deals all of a checkpoint.
func (d *deal) save(from *save) *save {
	to := newSave()
	to.kind, to.foreign, to.phase, to.parts = from.kind, from.foreign, from.phase, from.parts
	to.parallelism, to.dropped = from.parallelism, maps.Clone(from.dropped)
	for v := range d.old.setup.Vertices {
		to.dropped[v] = to.dropped[v] || d.drops(v)
	}
	for _, t := range d.run.all {
		to.next[t], to.seenBy[t] = from.next[t], from.seenBy[t]
	}
	for v := range d.old.setup.Vertices {
		x := &d.old.setup.Vertices[v]
		if x.Kind == core.Source {
			d.dealLog(v, from, to)
		}
		if x.Window.Size > 0 {
			d.dealWindows(v, from, to)
		}
		if x.Async.Capacity > 0 {
			d.dealRequests(v, from, to)
		}
	}
	for _, t := range d.run.tasks {
		for k, p := range t.outs {
			switch was := d.old.outs[t]; {
			case t.log != nil:
				to.emitted[p] = to.next[t]
			case k < len(was):
				to.emitted[p] = from.emitted[was[k]]
			case !t.usesWindows() && !t.asks():
				to.emitted[p] = t.made(to.next[t], to.seenBy[t])
			}
		}
	}
	d.dealFlow(from, to)
	return to
}

// dealLog moves the partitions of a log with their positions: partition p is read by subtask p mod parallelism, which reads
// its partitions in turn.
func (d *deal) dealLog(v int, from, to *save) {
	partitions := d.old.setup.Vertices[v].Partitions
	sum := func(of func(*task) int64) map[*task]int64 {
		position, sums := make([]int64, partitions), map[*task]int64{}
		for _, t := range d.old.tasks[v] {
			own := int64(0)
			for p := t.index; p < partitions; p += len(d.old.tasks[v]) {
				own++
			}
			for i := range of(t) {
				position[t.index+int(i%own)*len(d.old.tasks[v])]++
			}
		}
		for p, at := range position {
			sums[d.run.subtasks(v)[p%len(d.run.subtasks(v))]] += at
		}
		return sums
	}
	next := sum(func(t *task) int64 {
		if d.drops(v) {
			return 0
		}
		return from.next[t]
	})
	read := sum(func(t *task) int64 { return t.log.read })
	for _, t := range d.run.all {
		if t.vertexIndex != v {
			continue
		}
		to.next[t] = next[t]
		if len(d.old.tasks[v]) != len(d.run.subtasks(v)) {
			t.log = newLog(t.vertex, t.index)
			t.repeatRates(d.at)
			t.log.there(d.run.now, read[t])
			t.log.read = read[t]
		}
		t.log.next = next[t]
	}
}

// repeatRates gives a log the rates that it would have had so far: those of the script before an action, and what its load
// made of them.
func (t *task) repeatRates(action int) {
	r := t.run
	t.baseNum, t.basePer, t.factor = t.vertex.RateNum*t.log.partitions, t.vertex.RatePer, 1_000_000
	if t.log.partitions == 0 {
		return
	}
	now, load, loaded := r.now, event.Time(0), t.vertex.Load != core.Load{}
	defer func() { r.now = now }()
	loadUntil := func(end event.Time) {
		for ; loaded && load < end; load = nextChange(&t.vertex.Load, load) {
			if f := factor(&t.vertex.Load, load, t.index); f != t.factor {
				t.factor, r.now = f, load
				t.setRate()
			}
		}
	}
	for i := range action {
		if a := &r.setup.Script[i]; a.Do == core.Rate && a.Vertex == t.vertexIndex {
			loadUntil(a.At)
			t.baseNum, t.basePer, r.now = a.RateNum*t.log.partitions, a.RatePer, a.At
			t.setRate()
		}
	}
	loadUntil(now + 1)
}
