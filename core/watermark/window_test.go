package watermark

import (
	"testing"

	"pgregory.net/rapid"
)

// Time without a record costs nothing: of windows of 1 ms over 60 days two are open.
func TestOpenPassesOverEmptyTime(t *testing.T) {
	const days30 = 30 * 24 * 3600 * 1000
	for slide, want := range map[int64][2]int64{1: {2, 3}, 2: {2, 3}} {
		w := NewWindows(slide, slide, 5)
		w.Add(-days30, 2, None)
		w.Add(days30, 1, None)
		if windows, entries := w.Open(false); windows != want[0] || entries != want[1] {
			t.Errorf("%d windows with %d entries, expected %v", windows, entries, want)
		}
	}
	w := NewWindows(10, 5, 5)
	w.Add(-days30, 2, None)
	w.Add(days30, 1, None)
	w.Add(days30+5, 1, None)
	if windows, entries := w.Open(true); windows != 5 || entries != 8 {
		t.Errorf("%d sliding windows with %d entries, expected 5 with 8", windows, entries)
	}
}

// Each window fires once, in order, with one timer a key, when the watermark has come to its last millisecond.
func TestEachWindowFiresOnceInOrder(t *testing.T) {
	w := NewWindows(60, 10, 3)
	w.Add(5, 2, None) // in the windows that end at 10, 20, … 60
	w.Add(61, 5, None)
	if _, ok := w.Next(8); ok {
		t.Error("the window [-50, 10) fires at 8")
	}
	f, ok := w.Next(9)
	if !ok || f != (Firing{10, 2, 2, 2}) {
		t.Errorf("at 9 fires %+v", f)
	}
	w.Fire(f, 1)
	if f, _ = w.Next(9); f.Left != 1 {
		t.Errorf("%d timers left after one of two", f.Left)
	}
	w.Fire(f, 1)
	if f, ok = w.Next(9); ok {
		t.Errorf("at 9 fires again %+v", f)
	}
	var ends, timers []int64
	for f, ok = w.Next(1000); ok; f, ok = w.Next(1000) {
		ends, timers = append(ends, f.End), append(timers, f.Timers)
		w.Fire(f, f.Left)
	}
	wantEnds, wantTimers := []int64{20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120}, []int64{2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3}
	for i := range wantEnds {
		if i >= len(ends) || ends[i] != wantEnds[i] || timers[i] != wantTimers[i] {
			t.Fatalf("windows end at %v with %v timers, expected %v with %v", ends, timers, wantEnds, wantTimers)
		}
	}
	if w.Add(5, 1, 1000); w.Late() != 1 || w.Seen() != 8 {
		t.Errorf("%d of %d records are late, expected 1 of 8", w.Late(), w.Seen())
	}
}

// A deliberately simple window operator fires the same: a map from window to records.
func TestWindowsAgainstAMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		slide := rapid.Int64Range(1, 12).Draw(t, "slide")
		size := slide + rapid.Int64Range(0, 30).Draw(t, "longer")
		keys := rapid.Int64Range(1, 5).Draw(t, "keys")
		w, held, mark := NewWindows(size, slide, keys), map[int64]int64{}, int64(-100)
		seen, late, known := int64(0), int64(0), int64(-100) // known: the watermark that it has
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			if rapid.IntRange(0, 9).Draw(t, "restored") == 9 {
				w.Restored()
				known = None
				mark -= rapid.Int64Range(0, 60).Draw(t, "back")
			}
			if rapid.Bool().Draw(t, "record") {
				at, n := mark+rapid.Int64Range(-20, 60).Draw(t, "at"), rapid.Int64Range(1, 4).Draw(t, "n")
				at = floor(at, w.Slice()) * w.Slice()
				w.Add(at, n, known)
				seen += n
				counts := false
				for end := at - size - slide; end <= at+size+slide; end++ {
					if floor(end-size, slide)*slide == end-size && end-size <= at && at < end && end-1 > known {
						held[end] += n
						counts = true
					}
				}
				if !counts {
					late += n
				}
				continue
			}
			mark += rapid.Int64Range(0, 40).Draw(t, "further")
			known = mark
			for f, ok := w.Next(mark); ok; f, ok = w.Next(mark) {
				if f.End-1 > mark || held[f.End] != f.Records || f.Timers != min(keys, f.Records) {
					t.Fatalf("at %d fires %+v, the map has %d records", mark, f, held[f.End])
				}
				delete(held, f.End)
				w.Fire(f, min(f.Left, rapid.Int64Range(1, 3).Draw(t, "timers")))
			drain:
				for g, more := w.Next(mark); more && g.End == f.End; g, more = w.Next(mark) {
					if w.Fire(g, g.Left); g.Left == 0 {
						break drain
					}
				}
			}
			for end, n := range held {
				if end-1 <= mark {
					t.Fatalf("at %d the window that ends at %d has not fired its %d records", mark, end, n)
				}
			}
		}
		if w.Late() != late || w.Seen() != seen {
			t.Fatalf("%d of %d records are late, expected %d of %d", w.Late(), w.Seen(), late, seen)
		}
	})
}
