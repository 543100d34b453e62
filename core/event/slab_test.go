package event_test

import (
	"reflect"
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
				Since: rapid.Int64Range(0, 1).Draw(t, "barrier"), Born: 7 * rapid.Int64Range(0, 3).Draw(t, "position") * event.Fine, BornStep: 7 * event.Fine,
			}
			slab.Append(&src, &r)
			slab.Append(&plainSrc, &r)
			total += r.Count
		}
		for left := total; left > 0; {
			n := rapid.Int64Range(1, left).Draw(t, "move")
			if n == left {
				slab.MoveAll(&dst, &src)
			} else {
				slab.Move(&dst, &src, n)
			}
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
		if runs(&slab, dst) != runs(&slab, plainDst) {
			t.Fatalf("%d runs, want %d", runs(&slab, dst), runs(&slab, plainDst))
		}
		if !src.Empty() || slab.Used() != runs(&slab, dst)+runs(&slab, plainDst) {
			t.Fatalf("%d runs are in use", slab.Used())
		}
	})
}

// TestAPackedCopyComesBack takes lists through a packed copy and goes on with them.
func TestAPackedCopyComesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		slab, packed := event.NewSlab(), event.NewSlab()
		packed.Packed = true
		lists := [3]event.Runs{event.EmptyRuns, event.EmptyRuns, event.EmptyRuns}
		change := func() {
			for range rapid.IntRange(0, 40).Draw(t, "changes") {
				l := &lists[rapid.IntRange(0, 2).Draw(t, "list")]
				if !l.Empty() && rapid.IntRange(0, 2).Draw(t, "drop") == 0 {
					slab.DropFront(l)
					continue
				}
				slab.Append(l, &event.Run{Src: rapid.Int32Range(0, 9).Draw(t, "source"), Size: 10, Count: 1, Born: rapid.Int64Range(0, 9).Draw(t, "position") << 20})
			}
		}
		all := func() (out [3][]value) {
			for i := range lists {
				out[i] = values(&slab, lists[i])
			}
			return out
		}
		change()
		kept, want, used := lists, all(), slab.Used()
		packed.CopyFrom(&slab)
		change()
		lists = kept
		slab.CopyFrom(&packed)
		if got := all(); !reflect.DeepEqual(got, want) || slab.Used() != used {
			t.Fatalf("%v in %d runs, want %v in %d", got, slab.Used(), want, used)
		}
		change()
		total := 0
		for i := range lists {
			total += runs(&slab, lists[i])
		}
		if slab.Used() != total {
			t.Fatalf("%d runs are in use, %d in the lists", slab.Used(), total)
		}
	})
}

type value struct {
	src         event.Task
	since, born int64
}

// values are the records of a list one by one.
func values(s *event.Slab, l event.Runs) (out []value) {
	for i := l.First(); i >= 0; i = s.Next(i) {
		r := s.At(i)
		for j := range r.Count {
			out = append(out, value{r.Src, r.Since, r.Born + j*r.BornStep})
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
