package watermark

import (
	"cmp"
	"math"
	"slices"
)

// Windows is what one subtask of a window operator keeps: how many records of each slice of event time, and which windows
// have fired. All windows of a record hold it, so a slice is as long as no window begins or ends inside of it
// (SlidingEventTimeWindows; a tumbling window slides by its size). Times are ms.
//
// A window has a timer for each of its keys, due at its last millisecond; timers fire in the order of their times
// (InternalTimerServiceImpl.tryAdvanceWatermark). Which keys a window has is not kept: as many as there are records, but no
// more than the subtask has keys at all.
type Windows struct {
	Size, Slide int64
	Keys        int64 // of the subtask

	slice  int64 // length of one
	slices []slice
	fired  int64    // the end of the last window that has fired or was over without a record, None = none
	begun  []firing // windows of which some timers have fired
	late   int64    // records that came when all their windows had fired
	gone   int64    // records of slices that no window needs any more
}

// slice is records of [start, start + length), which windows that end by done do not hold any more.
type slice struct{ start, n, done int64 }

// firing is a window of which some timers have fired.
type firing struct{ end, timers int64 }

// NewWindows makes windows of a size that begin every slide, 0 < slide <= size, for so many keys.
func NewWindows(size, slide, keys int64) Windows {
	if slide <= 0 || slide > size {
		panic("watermark: a window slides by 1 ms to its size")
	}
	w := Windows{Size: size, Slide: slide, Keys: keys, slice: gcd(size, slide)}
	w.Reset()
	return w
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// Slice is the length of a slice in ms.
func (w *Windows) Slice() int64 { return w.slice }

// Reset empties them.
func (w *Windows) Reset() {
	w.slices, w.fired, w.begun, w.late, w.gone = w.slices[:0], None, w.begun[:0], 0, 0
}

// Restored turns them into those of a task that starts from them: it has no watermark, so that no record is late until it has
// one (WindowOperator.isWindowLate). A window that has fired is open again for what comes then, without what it held before:
// that was cleared (WindowOperator.clearAllState; spec 3.7).
func (w *Windows) Restored() {
	for i := range w.slices {
		w.slices[i].done = max(w.slices[i].done, w.fired)
	}
	w.fired = None
}

// CopyFrom makes w a deep copy of src.
func (w *Windows) CopyFrom(src *Windows) {
	slices, begun := append(w.slices[:0], src.slices...), append(w.begun[:0], src.begun...)
	*w = *src
	w.slices, w.begun = slices, begun
}

// Late is how many records came too late.
func (w *Windows) Late() int64 { return w.late }

// Seen is how many records have come.
func (w *Windows) Seen() int64 {
	n := w.late + w.gone
	for i := range w.slices {
		n += w.slices[i].n
	}
	return n
}

// Add adds n records of the slice that contains at, when the operator's watermark is mark and all timers that were due have
// fired. Windows that are over do not receive them any more (WindowOperator.isWindowLate).
func (w *Windows) Add(at, n, mark int64) {
	if mark != None {
		w.fired = max(w.fired, floor(min(mark, End/4)+1-w.Size, w.Slide)*w.Slide+w.Size)
	}
	start := floor(at, w.slice) * w.slice
	if w.lastEnd(start)-1 <= mark {
		w.late += n
		return
	}
	w.put(slice{start, n, None})
}

// put adds the records of a slice.
func (w *Windows) put(s slice) {
	i := len(w.slices)
	for i > 0 && w.slices[i-1].start > s.start {
		i--
	}
	for k := i - 1; k >= 0 && w.slices[k].start == s.start; k-- {
		if w.slices[k].done == s.done {
			w.slices[k].n += s.n
			return
		}
	}
	w.slices = append(w.slices, slice{})
	copy(w.slices[i+1:], w.slices[i:])
	w.slices[i] = s
}

// firstEnd and lastEnd are the ends of the first and of the last window with a slice.
func (w *Windows) firstEnd(start int64) int64 {
	return floor(start-w.Size, w.Slide)*w.Slide + w.Slide + w.Size
}
func (w *Windows) lastEnd(start int64) int64 { return floor(start, w.Slide)*w.Slide + w.Size }

func floor(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// Firing is the window whose timers are to fire next.
type Firing struct {
	End     int64 // of the window
	Records int64 // in it
	Timers  int64 // in all
	Left    int64 // of them, that have not fired
}

// Next is the first window with a timer that is due at a watermark; ok is false if there is none.
func (w *Windows) Next(mark int64) (f Firing, ok bool) {
	end := w.next()
	if end == End || end-1 > mark {
		return Firing{}, false
	}
	n := w.in(end)
	timers := min(n, w.Keys)
	return Firing{end, n, timers, timers - w.timersOf(end)}, true
}

// timersOf is how many timers of a window have fired already.
func (w *Windows) timersOf(end int64) int64 {
	for _, f := range w.begun {
		if f.end == end {
			return f.timers
		}
	}
	return 0
}

// next is the end of the first window that holds records and has not fired.
func (w *Windows) next() int64 {
	first := End
	for i := range w.slices {
		s := &w.slices[i]
		end := w.firstEnd(s.start)
		if end >= first {
			break
		}
		if done := max(w.fired, s.done); done != None {
			end = max(end, done+w.Slide)
		}
		if end <= w.lastEnd(s.start) {
			first = min(first, end)
		}
	}
	return first
}

// in is how many records the window that ends so holds.
func (w *Windows) in(end int64) (n int64) {
	for i := w.from(end - w.Size); i < len(w.slices) && w.slices[i].start < end; i++ {
		if s := &w.slices[i]; s.done < end {
			n += s.n
		}
	}
	return n
}

// from is the index of the first slice that starts at an instant or later.
func (w *Windows) from(start int64) int {
	i, _ := slices.BinarySearchFunc(w.slices, start, func(s slice, start int64) int { return cmp.Compare(s.start, start) })
	return i
}

// following is the end of the next window behind one that has a slice.
func (w *Windows) following(end int64) int64 {
	end += w.Slide
	if i := w.from(end - w.Size); i < len(w.slices) && w.slices[i].start >= end {
		return w.firstEnd(w.slices[i].start) // there is nothing in all windows between
	}
	return end
}

// Fire fires n timers of a window; the last one ends the window, and with it slices that no later window needs.
func (w *Windows) Fire(f Firing, n int64) {
	if w.timersOf(f.End)+n < f.Timers {
		w.begin(f.End, n)
		return
	}
	w.fired = f.End
	w.begun = slices.DeleteFunc(w.begun, func(b firing) bool { return b.end == f.End })
	kept := 0
	for _, s := range w.slices {
		if w.lastEnd(s.start) <= w.fired {
			w.gone += s.n
			continue
		}
		w.slices[kept] = s
		kept++
	}
	w.slices = w.slices[:kept]
}

// begin notes that n timers of a window have fired.
func (w *Windows) begin(end, n int64) {
	for i := range w.begun {
		if w.begun[i].end == end {
			w.begun[i].timers += n
			return
		}
	}
	w.begun = append(w.begun, firing{end, n})
}

// Open is how many windows hold records, and how many entries their state has: keys of windows, or records of windows if
// every record is kept. Keys whose timers have fired have none any more (WindowOperator.clearAllState).
func (w *Windows) Open(list bool) (windows, entries int64) {
	end := w.next()
	if end == End {
		return 0, 0
	}
	last := w.lastEnd(w.slices[len(w.slices)-1].start)
	for ; end <= last; end = w.following(end) {
		n := w.in(end)
		if n == 0 {
			continue
		}
		windows++
		timers, fired := min(n, w.Keys), w.timersOf(end)
		if list {
			n -= scale(n, fired, timers)
		} else {
			n = timers - fired
		}
		entries = min(entries+n, math.MaxInt64/2)
	}
	return windows, entries
}

// Take adds, of the records of another subtask's windows, those from … to of all parts.
func (w *Windows) Take(src *Windows, from, to, all int64) {
	for _, f := range src.begun {
		if n := part(f.timers, from, to, all); n > 0 {
			w.begin(f.end, n)
		}
	}
	for _, s := range src.slices {
		if n := part(s.n, from, to, all); n > 0 {
			w.put(slice{s.start, n, max(s.done, src.fired)})
		}
	}
}

// part is how many of n belong to the parts from … to of all.
func part(n, from, to, all int64) int64 { return scale(n, to, all) - scale(n, from, all) }

// scale is n * num / den without overflow; 0 <= num <= den.
func scale(n, num, den int64) int64 { return n/den*num + n%den*num/den }

// Count sets the number of records that have come to seen; windows no longer hold the difference.
func (w *Windows) Count(seen int64) { w.gone += seen - w.Seen() }
