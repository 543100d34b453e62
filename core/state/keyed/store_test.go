package keyed

import (
	"math"
	"testing"

	"checkpointlab/core/event"

	"pgregory.net/rapid"
)

func TestDistinctIsTheExpectedNumberOfKeysHit(t *testing.T) {
	for _, c := range []struct{ keys, n int64 }{{20000, 10000}, {20000, 400000}, {1, 1}, {1_000_000_000, 1000}, {1 << 40, 1 << 39}, {100, 100}, {128, 64}, {7, 100000}} {
		want := float64(c.keys) * -math.Expm1(-float64(c.n)/float64(c.keys))
		if got := float64(Distinct(c.keys, c.n)); math.Abs(got-want) > 1+want*1e-9 {
			t.Errorf("%d draws of %d keys hit %v, want %v", c.n, c.keys, got, want)
		}
	}
}

func TestDistinctNeverFallsAndNeverExceeds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		keys, n := rapid.Int64Range(1, 1<<40).Draw(t, "keys"), rapid.Int64Range(0, 1<<45).Draw(t, "n")
		more := n + rapid.Int64Range(0, 1<<45).Draw(t, "more")
		a, b := Distinct(keys, n), Distinct(keys, more)
		if a > b || b > keys || a > n {
			t.Fatalf("%d keys: %d draws hit %d, %d draws %d", keys, n, a, more, b)
		}
	})
}

// shapes draws any state that Check takes.
func shapes(t *rapid.T) Shape {
	s := Shape{Name: "s", Kind: Kind(rapid.IntRange(0, len(Kinds)-1).Draw(t, "kind")), Keys: rapid.Int64Range(1, 1<<30).Draw(t, "keys"),
		KeyBytes: 8, ValueBytes: rapid.Int32Range(0, 1<<16).Draw(t, "value"), WriteNum: rapid.Int64Range(1, 5).Draw(t, "writes"), WriteDen: rapid.Int64Range(1, 5).Draw(t, "of")}
	span := rapid.Int64Range(64*event.Millisecond, 3600*event.Second).Draw(t, "span")
	switch s.Kind {
	case Value:
		s.NewMill = rapid.Int64Range(0, 1_000_000).Draw(t, "new")
		if rapid.Bool().Draw(t, "ttl") {
			s.TTL = span
		}
	case Window:
		s.Size = span
		s.Slide = max(span/rapid.Int64Range(1, 60).Draw(t, "panes"), span/MaxWindows+1)
	case List, Join, Timers:
		s.Retention = span
	}
	return s
}

// What leaves is what came less what is there: no entry appears or vanishes.
func TestEntriesThatComeStayOrLeave(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shape := shapes(t)
		shape.Check("map", func(f string, a ...any) { t.Fatalf(f, a...) })
		s := NewStore(&shape, shape.Keys, million)
		var now, written, deleted int64
		for range rapid.IntRange(1, 80).Draw(t, "steps") {
			now += rapid.Int64Range(0, 100*event.Second).Draw(t, "later")
			s.Entries(now) // who looks changes nothing
			c := s.Access(now, rapid.Int64Range(0, 1<<20).Draw(t, "n"))
			written += c.New + c.Old
			deleted += c.Delete
			if n := s.Entries(now); n < 0 || shape.Keyed() && n > written {
				t.Fatalf("%d entries of %d writes", n, written)
			}
			if shape.Unique() && s.Entries(now)+deleted > written+int64(len(s.ring)) {
				t.Fatalf("%d entries and %d deleted of %d written", s.Entries(now), deleted, written)
			}
		}
		if shape.Unique() && shape.Kept() > 0 {
			if deleted += s.Access(now+shape.Kept()*3, 0).Delete; deleted < written-int64(len(s.ring)) || deleted > written {
				t.Fatalf("%d of %d written have left", deleted, written)
			}
		}
		if shape.Kept() > 0 {
			if n := s.Entries(now + shape.Kept()*3); n != 0 {
				t.Fatalf("%d entries outlive their time", n)
			}
		}
	})
}

// As many entries leave as were written, however few of the records write: one of two that come 40 s apart, kept for 64 s.
func TestSeldomWritesLeaveOnce(t *testing.T) {
	shape := Shape{Name: "l", Kind: List, Keys: 10, KeyBytes: 8, ValueBytes: 8, WriteNum: 1, WriteDen: 2, Retention: 64 * event.Second}
	s := NewStore(&shape, shape.Keys, million)
	var now, written, left int64
	for range 10_000 {
		now += 40 * event.Second
		c := s.Access(now, 1)
		written, left = written+c.New+c.Old, left+c.Delete
	}
	if held := s.Entries(now); written != 5000 || left+held > written || left+held < written-1 {
		t.Errorf("%d entries were written, %d have left, %d are held", written, left, held)
	}
}

func TestPartsByKeyGroupAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		weights := rapid.SliceOfN(rapid.Int64Range(0, 1000), 1, 64).Draw(t, "weights")
		total, sum := rapid.Int64Range(0, 1<<45).Draw(t, "total"), int64(0)
		parts := make([]int64, len(weights))
		Deal(total, weights, parts)
		var all int64
		for i, p := range parts {
			sum, all = sum+p, all+weights[i]
			if p < 0 || weights[i] == 0 && p != 0 {
				t.Fatalf("parts %v of weights %v", parts, weights)
			}
		}
		if all > 0 && sum != total {
			t.Fatalf("parts sum to %d of %d", sum, total)
		}
	})
}

// A join's state is what came in its retention: 1000 records a second for an hour (chapter A9).
func TestAJoinHoldsWhatCameInItsRetention(t *testing.T) {
	shape := Shape{Name: "payments", Kind: Join, Keys: 1, KeyBytes: 8, ValueBytes: 200, Retention: 3600 * event.Second}
	s := NewStore(&shape, 1, million)
	for now := int64(0); now < 2*3600*event.Second; now += event.Second {
		s.Access(now, 1000)
	}
	if n := s.Entries(2 * 3600 * event.Second); n < 3_590_000 || n > 3_610_000 {
		t.Errorf("%d entries, want the 3.6 million of an hour", n)
	}
}

// Restored halves make the whole.
func TestStateIsDividedAndPutTogether(t *testing.T) {
	shape := Shape{Name: "s", Kind: Value, Keys: 1000, KeyBytes: 4, ValueBytes: 100}
	old := NewStore(&shape, 1000, million)
	old.Access(0, 600)
	a, b := NewStore(&shape, 500, million), NewStore(&shape, 500, million)
	a.Add(&old, 1, 2)
	b.Add(&old, 1, 2)
	if got, want := a.Entries(0)+b.Entries(0), old.Entries(0); got < want-1 || got > want+1 {
		t.Errorf("halves of %d entries have %d", want, got)
	}
}

// Keys that are all new live for their time to live and then leave, as many as came (StateTtlConfig).
func TestNewKeysLeaveAfterTheirTimeToLive(t *testing.T) {
	for _, newMill := range []int64{million, million / 4} {
		shape := Shape{Name: "seen", Kind: Value, Keys: 1000, KeyBytes: 8, ValueBytes: 1, NewMill: newMill, TTL: 300 * event.Second}
		s, left := NewStore(&shape, 1000, million), int64(0)
		for now := int64(0); now < 3600*event.Second; now += event.Second {
			left += s.Access(now, 100).Delete
		}
		want, old := 30_000*newMill/million, int64(0)
		if newMill < million {
			old = 1000 // all keys of the population are written again in time
		}
		if n := s.Entries(3600 * event.Second); n < want+old-600 || n > want+old+600 {
			t.Errorf("%d entries, want %d new ones and %d others", n, want, old)
		}
		if want := 3300 * 100 * newMill / million; left < want-600 || left > want+600 {
			t.Errorf("%d left, want %d", left, want)
		}
	}
}

// Subtasks store at different instants: what one of them has counted in a part of time that another has forgotten is not counted as new.
func TestPartsOfTimeAreOfOneClock(t *testing.T) {
	shape := Shape{Name: "s", Kind: List, Keys: 1, ValueBytes: 100, Retention: 64 * event.Second}
	early, late, both := NewStore(&shape, 1, million), NewStore(&shape, 1, million), NewStore(&shape, 1, million)
	early.Access(0, 1000)
	late.Access(65*event.Second, 1)
	early.Entries(64 * event.Second) // a part of time before the other
	both.Add(&early, 1, 1)
	both.Add(&late, 1, 1)
	if n := both.Entries(65 * event.Second); n != 1 {
		t.Errorf("%d entries, want that of the last 64 s", n)
	}
}

// Records that come further apart than the parts of a retention fill it all the same.
func TestARareStateIsFilled(t *testing.T) {
	shape := Shape{Name: "s", Kind: List, Keys: 1, ValueBytes: 100, Retention: 64 * event.Second, Filled: true}
	s := NewStore(&shape, 1, million)
	s.Fill(0, 1, 2*event.Second)
	if n := s.Entries(0); n < 31 || n > 32 {
		t.Errorf("%d entries, want one for each 2 s of 64", n)
	}
}
