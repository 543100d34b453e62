package core

import (
	"checkpointlab/core/event"
	"checkpointlab/core/job"
	"checkpointlab/core/task"
)

// Window makes a map a window operator of event time behind a HASH exchange; Size 0 = no window operator. A window that slides
// by its size tumbles.
type Window struct {
	Size, Slide event.Time // ms count; Slide 0 = Size
	List        bool       // every record is kept and read when the window fires, else each key has an aggregate
	Fire        event.Time // what a timer costs, or with List each record of the window; -1 = what a record costs
	Results     int64      // records that a timer makes; 0 = 1
	Entry       int64      // bytes of state of a key of a window, with List of a record of a window
}

const (
	mostSlices  = 10_000    // most slices of event time that a window spans
	mostResults = 1000      // records that a timer makes
	windowBytes = 100       // payload of a result, unless the vertex has one
	mostEntry   = 1_000_000 // bytes of an entry
)

// windowRule is what subtask i needs to know of the window operator.
func (v *Vertex) windowRule(i int, keysOf []int64) task.WindowRule {
	w := &v.Window
	r := task.WindowRule{
		Size: w.Size / event.Millisecond, Slide: w.Slide / event.Millisecond, List: w.List, Fire: w.Fire, Result: max(1, w.Results), Entry: w.Entry,
		Keys: 1,
	}
	if i < len(keysOf) { // else this phase leaves the subtask out
		r.Keys = keysOf[i]
	}
	if r.Slide == 0 {
		r.Slide = r.Size
	}
	if r.Fire < 0 {
		r.Fire = v.cost()
	}
	return r
}

// keysBySubtask counts the keys that each of n subtasks has after a HASH exchange, at least 1; the single subtask that reads
// another exchange has all of them in one window (windowAll).
func (s *Setup) keysBySubtask(v, n int) []int64 {
	keys := make([]int64, n)
	for _, e := range s.Edges {
		if e.To == v && e.Partition == Hash {
			for k := range s.Keys {
				keys[job.SubtaskOf(job.KeyGroup(int32(k), s.MaxParallel), n, s.MaxParallel)]++
			}
			break
		}
	}
	for i := range keys {
		keys[i] = max(1, keys[i])
	}
	return keys
}

// hasWindows reports whether some vertex is a window operator.
func (s *Setup) hasWindows() bool {
	for i := range s.Vertices {
		if s.Vertices[i].Window.Size > 0 {
			return true
		}
	}
	return false
}

// checkWindow refuses a window operator without event time or without keys.
func (s *Setup) checkWindow(i int, bad func(string, ...any)) {
	v := &s.Vertices[i]
	w := &v.Window
	if w.Size == 0 {
		return
	}
	size, slide := w.Size/event.Millisecond, w.Slide/event.Millisecond
	switch {
	case v.Kind != Map:
		bad("%s has windows, but only a map has; put a map before it", v.Name)
	case w.Size < event.Millisecond || w.Size > maxDuration:
		bad("the windows of %s are %d ns long; give between 1 ms and 30 days", v.Name, w.Size)
	case w.Slide < 0 || w.Slide > w.Size || w.Slide > 0 && slide == 0:
		bad("the windows of %s slide by %d ns; give between 1 ms and their size", v.Name, w.Slide)
	case slide > 0 && size/divisor(size, slide) > mostSlices:
		bad("windows of %s have a size of %d ms and a slide of %d ms, which cuts each into %d slices; give a size and a slide with a greater common divisor, for at most %d", v.Name, size, slide, size/divisor(size, slide), mostSlices)
	case w.Fire < -1 || w.Fire > maxCost || w.Results < 0 || w.Results > mostResults || w.Entry < 0 || w.Entry > mostEntry:
		bad("a timer of %s costs %d ns, makes %d records and keeps %d bytes; give up to 100 s, 1000 and 1000000", v.Name, w.Fire, w.Results, w.Entry)
	case !v.oneForOne() || v.Burst:
		bad("%s has windows and emits records for each one; leave one of the two out", v.Name)
	case !s.hasEventTime():
		bad("the windows of %s never fire, for no source makes watermarks; let one do so", v.Name)
	}
	for _, e := range s.Edges {
		if e.To == i && e.Partition != Hash && v.Parallelism > 1 {
			bad("%s has windows of keys and an input that is not dealt by key; use HASH, or one subtask", v.Name)
		}
	}
}

func divisor(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// WindowView is what a window operator's subtask keeps.
type WindowView struct {
	Open   int64 // windows with records
	Bytes  int64 // of state in them
	Firing bool  // timers of a watermark are firing
	Fired  int64 // timers so far (numFiredTimers)
	Late   int64 // records that came too late (numLateRecordsDropped)
}

func viewWindows(t *task.Task) (v WindowView) {
	v.Open, v.Bytes, v.Firing, v.Fired, v.Late = t.Windows()
	return v
}
