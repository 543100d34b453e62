package sink

import (
	"slices"
	"testing"

	"checkpointlab/core/event"

	"pgregory.net/rapid"
)

// TestTwoPhaseIsExactlyOnce: a source that is replayed from the restored checkpoint; every record is committed once, none is
// missing up to the last completed checkpoint, and nothing stays open but what a lost snapshot had begun (spec 6.3).
func TestTwoPhaseIsExactlyOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := NewTwoPhase(TwoPhaseConfig{Timeout: event.Never, WarnPerMille: -1})
		l := &ledger{}
		of, held := map[int64][]int64{}, map[int64]int64{} // records, and their count by the machine's own book
		saved, cut := map[event.Checkpoint]*TwoPhase{}, map[event.Checkpoint]int64{}
		var pos int64
		next, completed, first := event.Checkpoint(0), event.Checkpoint(-1), event.Checkpoint(0) // first: pending ones before it are given up
		p.Restore(0, l, nil)
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			switch rapid.SampledFrom([]string{"write", "write", "snapshot", "complete", "crash"}).Draw(t, "step") {
			case "write":
				number, f := p.Write(1)
				if f != NoFailure {
					t.Fatal(f)
				}
				of[number] = append(of[number], pos)
				held[number]++
				pos++
			case "snapshot":
				p.Snapshot(0, next)
				saved[next] = &TwoPhase{}
				saved[next].CopyFrom(&p)
				cut[next] = pos
				next++
			case "complete":
				if first >= next {
					continue
				}
				id := rapid.Int64Range(first, next-1).Draw(t, "completed")
				completed = max(completed, id)
				if _, f := p.Complete(0, id, l, nil); f != NoFailure {
					t.Fatal(f)
				}
			case "crash":
				if completed < 0 {
					continue
				}
				open := p.Open.Number
				out, f := p.Restore(0, l, nil, saved[completed])
				if f != NoFailure || p.Open.Number <= open || len(p.Sealed) != 0 {
					t.Fatalf("%q, transaction %d after %d", f, p.Open.Number, open)
				}
				if e := out[len(out)-1]; e.Kind != Aborted || e.ID != saved[completed].Open.Number {
					t.Fatalf("the one open then is not aborted: %+v", out)
				}
				pos, first = cut[completed], next
			}
			if p.Open.Records != held[p.Open.Number] {
				t.Fatalf("%d records open, %d written", p.Open.Records, held[p.Open.Number])
			}
		}
		var seen []int64
		for _, number := range l.committed {
			seen = append(seen, of[number]...)
		}
		for i, got := range seen {
			if got != int64(i) {
				t.Fatalf("record %d is seen at place %d: %v", got, i, seen)
			}
		}
	})
}

// TestTwoPhaseWarnsAboveTheRatio (vector 2pc.timeout-warning): in commits and in recovery, at no ratio never.
func TestTwoPhaseWarnsAboveTheRatio(t *testing.T) {
	for _, c := range []struct {
		ratio  int64
		age    event.Time
		warned bool
	}{{500, 502, true}, {500, 500, false}, {-1, 5000, false}, {0, 1, true}, {0, 0, false}, {1000, 1001, true}} {
		p := NewTwoPhase(TwoPhaseConfig{Timeout: 1000 * event.Millisecond, WarnPerMille: c.ratio})
		p.Restore(0, &ledger{}, nil)
		p.Snapshot(0, 1)
		stored := TwoPhase{}
		stored.CopyFrom(&p)
		warns := func(e Effect) bool { return e.Kind == NearlyLate && e.Age == c.age*event.Millisecond && e.ID == 1 }
		out, _ := p.Complete(c.age*event.Millisecond, 1, &ledger{}, nil)
		again, _ := p.Restore(c.age*event.Millisecond, &ledger{}, nil, &stored)
		if slices.ContainsFunc(out, warns) != c.warned || slices.ContainsFunc(again, warns) != c.warned {
			t.Errorf("at %d per mille, %d ms: %+v, %+v", c.ratio, c.age, out, again)
		}
	}
}

// TestShareDoesNotOverflow: a timeout of a lifetime has a ratio, too.
func TestShareDoesNotOverflow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := rapid.Int64Range(0, event.Never).Draw(t, "timeout")
		ratio := rapid.Int64Range(0, 1000).Draw(t, "ratio")
		got := share(at, ratio)
		if off := got - int64(float64(at)*float64(ratio)/1000); got < 0 || got > at || off > 1+at>>50 || off < -1-at>>50 {
			t.Fatalf("%d per mille of %d is %d", ratio, at, got)
		}
	})
}
