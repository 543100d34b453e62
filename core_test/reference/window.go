package reference

import (
	"maps"
	"math"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/job"
)

// windows is what a window operator keeps: every window with the records that it has got.
type windows struct {
	open map[int64]pane // by its end, ms

	firing bool // the timers of a watermark fire
	mark   int64
	came   event.Time // when that watermark did
	behind *mark      // a status that follows it
	timer  *int64     // the end of the window whose timer is in work
}

// pane is one window that is not over.
type pane struct {
	records int64
	slices  map[int64]int64 // … by their event time, in pieces in which no window begins or ends
	fired   int64           // of its timers: in the order of the keys, each of which has one
}

// usesWindows reports whether the task is a window operator.
func (t *task) usesWindows() bool { return t.vertex.Window.Size > 0 }

// keys is how many keys the subtask has: those that HASH sends here, at least one.
func (t *task) keys() int64 {
	r, n := t.run, int64(0)
	for _, e := range r.setup.Edges {
		if e.To == t.vertexIndex && e.Partition == core.Hash {
			for k := range r.setup.Keys {
				if job.SubtaskOf(job.KeyGroup(int32(k), r.setup.MaxParallel), t.vertex.Parallelism, r.setup.MaxParallel) == t.index {
					n++
				}
			}
			break
		}
	}
	return max(1, n)
}

// timers is how many timers a window has in all: one for each key, and a key has a record at least.
func (t *task) timers(p pane) int64 { return min(p.records, t.keys()) }

// windowMs is the size of the windows and how far one begins behind the other, in ms.
func (t *task) windowMs() (size, slide int64) {
	size, slide = t.vertex.Window.Size/event.Millisecond, t.vertex.Window.Slide/event.Millisecond
	if slide == 0 {
		slide = size
	}
	return size, slide
}

// collect puts a record into all windows that hold its time and are not over.
func (t *task) collect(r record) {
	at := floor(r.born+r.ahead-t.run.all[r.source].vertex.Watermarks.Behind, event.Millisecond)
	size, slide := t.windowMs()
	for end := floor(at, slide)*slide + size; end > at; end -= slide {
		if end-1 > t.time.told {
			p := t.windows.open[end]
			p.records++
			p.slices = maps.Clone(p.slices)
			if p.slices == nil {
				p.slices = map[int64]int64{}
			}
			p.slices[floor(at, gcd(size, slide))]++
			t.windows.open[end] = p
		}
	}
}

func gcd(a, b int64) int64 {
	if b == 0 {
		return a
	}
	return gcd(b, a%b)
}

// floor is a / b, rounded down below 0, too.
func floor(a, b int64) int64 {
	if a < 0 {
		return -((-a + b - 1) / b)
	}
	return a / b
}

// fire lets the next timer of the watermark fire that is due, earliest window first; true: it takes time. Behind the last
// one the watermark goes on.
func (t *task) fire() (works bool) {
	w := &t.windows
	first := int64(math.MaxInt64)
	for end := range w.open {
		first = min(first, end)
	}
	if first == math.MaxInt64 || first-1 > w.mark {
		w.firing = false
		t.say(mark{at: w.mark})
		if w.behind != nil {
			t.say(*w.behind)
			w.behind = nil
		}
		t.write()
		return false
	}
	w.timer = &first
	t.do(busy)
	if cost := t.costOfTimer(w.open[first]); cost > 0 {
		t.takesRecord(cost)
		return true
	}
	t.process()
	return false
}

// costOfTimer is what one timer of a window takes: with a list its key's part of the records is read.
func (t *task) costOfTimer(p pane) event.Time {
	cost := t.vertex.Window.Fire
	if cost < 0 {
		cost = t.ownCost()
	}
	cost = t.slowed(cost)
	if t.vertex.Window.List {
		return cost * p.records / t.timers(p)
	}
	return cost
}

// fired is a timer that has fired: its key's results are made, and with the last key the window is over.
func (t *task) fired() {
	w := &t.windows
	end := *w.timer
	w.timer = nil
	p := w.open[end]
	if p.fired++; p.fired < t.timers(p) {
		w.open[end] = p
	} else {
		delete(w.open, end)
	}
	last := end*event.Millisecond - 1
	born := min(last, w.came)
	t.emit(record{source: t.id, born: born, ahead: last - born, size: 100 + t.run.setup.Overhead}, max(1, t.vertex.Window.Results))
}

// keeps is the bytes of state of what a window operator keeps: of keys that have not fired yet, or of their records.
func (t *task) keeps(open map[int64]pane) (bytes int64) {
	for _, p := range open {
		left := t.timers(p) - p.fired
		if t.vertex.Window.List {
			left = p.records - p.records*p.fired/t.timers(p)
		}
		bytes += left * t.vertex.Window.Entry
	}
	return bytes
}
