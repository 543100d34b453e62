package event_test

import (
	"testing"

	"checkpointlab/core/event"

	"pgregory.net/rapid"
)

// TestMovingRunsIsTakingAndAppendingThem compares Move with cutting records off one by one.
func TestMovingRunsIsTakingAndAppendingThem(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		slab := event.NewSlab()
		src, dst, plainSrc, plainDst := event.EmptyRuns, event.EmptyRuns, event.EmptyRuns, event.EmptyRuns
		total := int64(0)
		for range rapid.IntRange(1, 8).Draw(t, "runs") {
			r := event.Run{
				Src: rapid.Int32Range(0, 1).Draw(t, "source"), Size: 10, Count: rapid.Int64Range(1, 5).Draw(t, "count"),
				Pos: rapid.Int64Range(0, 3).Draw(t, "position") * event.Fine, PosStep: event.Fine, BornStep: 7 * event.Fine,
			}
			r.Born = 7 * r.Pos
			slab.Append(&src, &r)
			slab.Append(&plainSrc, &r)
			total += r.Count
		}
		for left := total; left > 0; {
			n := rapid.Int64Range(1, left).Draw(t, "move")
			slab.Move(&dst, &src, n)
			for k := n; k > 0; {
				c := min(k, slab.Front(&plainSrc).Count)
				r := slab.CutFront(&plainSrc, c)
				slab.Append(&plainDst, &r)
				k -= c
			}
			left -= n
		}
		got, want := values(&slab, dst), values(&slab, plainDst)
		if len(got) != len(want) {
			t.Fatalf("%d records, want %d", len(got), len(want))
		}
		for i := range got {
			if got[i] != want[i] {
				t.Fatalf("record %d is %+v, want %+v", i, got[i], want[i])
			}
		}
		if !src.Empty() || slab.Used() != runs(&slab, dst)+runs(&slab, plainDst) {
			t.Fatalf("%d runs are in use", slab.Used())
		}
	})
}

type value struct {
	src       event.Task
	pos, born int64
}

// values are the records of a list one by one.
func values(s *event.Slab, l event.Runs) (out []value) {
	for i := l.First(); i >= 0; i = s.Next(i) {
		r := s.At(i)
		for j := range r.Count {
			out = append(out, value{r.Src, r.Pos + j*r.PosStep, r.Born + j*r.BornStep})
		}
	}
	return out
}

func runs(s *event.Slab, l event.Runs) (n int) {
	for i := l.First(); i >= 0; i = s.Next(i) {
		n++
	}
	return n
}
