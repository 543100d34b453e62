package state

import (
	"slices"
	"testing"

	"checkpointlab/core/event"

	"pgregory.net/rapid"
)

func dstl() ChangelogConfig {
	return ChangelogConfig{Preemptive: 50, BatchSize: 100, BatchDelay: 10, MaxInFlight: 200, MaxFailures: 3}
}

// logged is a changelog under test, its copy, and what is to be known of both by the rules.
type logged struct {
	c, twin  Changelog
	now      event.Time
	armed    event.Time // when the batch in hand is due
	id       event.Checkpoint
	asked    map[event.Checkpoint]int64 // positions of checkpoints that are not stored yet
	of       map[event.Checkpoint][]Handle
	bases    map[int64]int64 // positions of materializations, by number
	sent     []Handle        // uploads under way
	there    map[int64]int64 // bytes that are stored, by segment
	cut      int64           // bytes that were sent, in all
	running  bool            // a materialization
	failures int             // of materializations in a row
}

// take carries effects out; those of the copy must be the same.
func (l *logged) take(t *rapid.T, effects, echo []ChangelogEffect) {
	if !slices.Equal(effects, echo) {
		t.Fatalf("a copy does %+v, it itself %+v", echo, effects)
	}
	for _, e := range effects {
		switch e.Kind {
		case ArmBatch:
			l.armed = e.At
		case Upload:
			l.cut += e.Bytes
			l.sent = append(l.sent, Handle{Key: e.Number, Bytes: e.Bytes})
		case Stored:
			l.stored(t, e)
		}
	}
}

// stored: a checkpoint is a materialization with the log from there to where it was asked, every part of it in storage.
func (l *logged) stored(t *rapid.T, e ChangelogEffect) {
	if e.To != l.asked[e.ID] || e.Base.Position != l.bases[e.Base.Number] || e.Size.Full != e.To-e.Base.Position {
		t.Fatalf("checkpoint %d is %+v, asked for at %d", e.ID, e, l.asked[e.ID])
	}
	covered := int64(0)
	for _, f := range l.of[e.ID] {
		if l.there[f.Key] != f.Bytes {
			t.Fatalf("segment %v of checkpoint %d is not in storage", f, e.ID)
		}
		covered += f.Bytes
	}
	if covered < e.Size.Full {
		t.Fatalf("%d of %d bytes of checkpoint %d are in segments", covered, e.Size.Full, e.ID)
	}
	delete(l.asked, e.ID)
}

func (l *logged) append(t *rapid.T) {
	n := rapid.Int64Range(1, 80).Draw(t, "bytes")
	l.take(t, l.c.Append(l.now, n, nil), l.twin.Append(l.now, n, nil))
}

func (l *logged) checkpoint(t *rapid.T) {
	l.id++
	l.asked[l.id] = l.c.End()
	out := l.c.Persist(l.now, l.id, nil)
	l.of[l.id] = l.c.Segments(l.c.Base().Position, l.c.End(), nil)
	l.take(t, out, l.twin.Persist(l.now, l.id, nil))
}

func (l *logged) abort(t *rapid.T) {
	if l.id > 0 {
		l.take(t, l.c.Abort(l.id, nil), l.twin.Abort(l.id, nil))
		delete(l.asked, l.id)
	}
}

func (l *logged) tick(t *rapid.T) {
	if l.armed != event.Never {
		l.now = max(l.now, l.armed)
		l.take(t, l.c.Tick(l.armed, nil), l.twin.Tick(l.armed, nil))
	}
}

// uploaded ends any of the uploads under way.
func (l *logged) uploaded(t *rapid.T) {
	if len(l.sent) > 0 {
		l.arrive(t, rapid.IntRange(0, len(l.sent)-1).Draw(t, "which"))
	}
}

func (l *logged) arrive(t *rapid.T, i int) {
	f := l.sent[i]
	l.sent = slices.Delete(l.sent, i, i+1)
	l.there[f.Key] = f.Bytes
	l.c.Freed(f.Key)
	l.twin.Freed(f.Key)
	l.take(t, l.c.Uploaded(f.Key, nil), l.twin.Uploaded(f.Key, nil))
}

// materialize begins a materialization, or ends the one that runs; more than MaxFailures in a row fail the task.
func (l *logged) materialize(t *rapid.T) {
	if !l.running {
		at, ok := l.c.Materialize(0)
		l.twin.Materialize(0)
		if !ok || at != l.c.End() {
			t.Fatalf("materializes %d, %v", at, ok)
		}
		l.bases[int64(len(l.bases))] = at
		l.running = true
		return
	}
	if _, ok := l.c.Materialize(0); ok {
		t.Fatal("two materializations at a time")
	}
	ok := rapid.Bool().Draw(t, "succeeds")
	l.running = false
	out := l.c.Materialized(ok, nil)
	l.take(t, out, l.twin.Materialized(ok, nil))
	if ok {
		l.failures = 0
	} else {
		l.failures++
		delete(l.bases, int64(len(l.bases)-1))
	}
	fails := func(e ChangelogEffect) bool { return e.Kind == FailTask }
	if slices.ContainsFunc(out, fails) != (l.failures > dstl().MaxFailures) {
		t.Fatalf("after %d failures: %+v", l.failures, out)
	}
}

func (l *logged) copy(*rapid.T) {
	var other Changelog
	other.CopyFrom(&l.twin)
	l.twin.CopyFrom(&other)
}

// check: what is in flight is the batch in hand and the uploads, nothing is uploaded twice, and as much as the limit blocks
// (UploadThrottle.hasCapacity).
func (l *logged) check(t *rapid.T) {
	waits := int64(0)
	for _, f := range l.sent {
		waits += f.Bytes
	}
	if l.c.inFlight != l.c.cut-l.cut+waits || l.c.Blocked() != (l.c.inFlight >= dstl().MaxInFlight) || l.cut > l.c.End() {
		t.Fatalf("%d bytes in flight: %d in a batch, %d being uploaded", l.c.inFlight, l.c.cut-l.cut, waits)
	}
}

// drain: all that was asked for gets stored.
func (l *logged) drain(t *rapid.T) {
	for len(l.sent) > 0 || l.c.tick != event.Never {
		if l.c.tick != event.Never {
			l.take(t, l.c.Tick(l.c.tick, nil), l.twin.Tick(l.twin.tick, nil))
			continue
		}
		l.arrive(t, 0)
	}
	if len(l.asked) > 0 || l.c.inFlight != 0 {
		t.Fatalf("checkpoints at %v were never stored, %d bytes in flight", l.asked, l.c.inFlight)
	}
}

// TestChangelogCheckpointsCanBeRestored: changes, checkpoints, aborts, uploads that end in any order, materializations that
// succeed or fail. Each stored checkpoint is a materialization with a log from there to the position at which it was asked,
// without a gap, every part of it in storage; and nothing is uploaded twice (spec 8.3).
func TestChangelogCheckpointsCanBeRestored(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := logged{
			c: NewChangelog(dstl(), 0), twin: NewChangelog(dstl(), 0), armed: event.Never,
			asked: map[event.Checkpoint]int64{}, of: map[event.Checkpoint][]Handle{}, bases: map[int64]int64{0: 0}, there: map[int64]int64{},
		}
		steps := map[string]func(*rapid.T){
			"append": l.append, "checkpoint": l.checkpoint, "abort": l.abort, "tick": l.tick,
			"uploaded": l.uploaded, "materialize": l.materialize, "copy": l.copy,
		}
		often := []string{"append", "append", "checkpoint", "abort", "tick", "uploaded", "uploaded", "materialize", "copy"}
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			l.now++
			steps[rapid.SampledFrom(often).Draw(t, "step")](t)
			l.check(t)
		}
		l.drain(t)
	})
}

// TestChangelogStepByStep (spec 8.3): a batch waits for its delay or its size, a long tail is uploaded before a checkpoint asks,
// a materialization cuts the log.
func TestChangelogStepByStep(t *testing.T) {
	c := NewChangelog(dstl(), 0)
	want := func(what string, got []ChangelogEffect, want ...ChangelogEffect) {
		t.Helper()
		if !slices.Equal(got, want) {
			t.Errorf("%s: %+v, expected %+v", what, got, want)
		}
	}
	want("a short tail", c.Append(0, 49, nil))
	want("a long tail", c.Append(1, 1, nil), ChangelogEffect{Kind: ArmBatch, At: 11})
	want("a full batch", c.Append(2, 50, nil), ChangelogEffect{Kind: Upload, Number: 1, Bytes: 50}, ChangelogEffect{Kind: Upload, Number: 2, Bytes: 50})
	want("its delay", c.Tick(11, nil))
	want("a checkpoint with a tail", c.Append(20, 7, nil))
	want("a checkpoint with a tail", c.Persist(20, 1, nil), ChangelogEffect{Kind: ArmBatch, At: 30})
	want("its delay", c.Tick(30, nil), ChangelogEffect{Kind: Upload, Number: 3, Bytes: 7})
	want("stored", c.Uploaded(3, nil))
	want("stored", c.Uploaded(1, nil))
	want("all stored", c.Uploaded(2, nil), ChangelogEffect{Kind: Stored, ID: 1, To: 107, Size: Size{107, 107}})
	want("a checkpoint without changes", c.Persist(40, 2, nil), ChangelogEffect{Kind: Stored, ID: 2, To: 107, Size: Size{0, 107}})
	c.Materialize(0)
	c.Append(41, 3, nil)
	want("materialized", c.Materialized(true, nil), ChangelogEffect{Kind: Truncate, To: 107})
	want("a checkpoint on it", c.Persist(42, 3, nil), ChangelogEffect{Kind: ArmBatch, At: 52})
	want("its delay", c.Tick(52, nil), ChangelogEffect{Kind: Upload, Number: 4, Bytes: 3})
	want("stored", c.Uploaded(4, nil), ChangelogEffect{Kind: Stored, ID: 3, Base: Materialization{Number: 1, Position: 107}, To: 110, Size: Size{3, 3}})
	if c.Blocked() {
		t.Error("blocked with nothing in flight")
	}
	for range 5 {
		c.Append(60, 50, nil)
	}
	if !c.Blocked() {
		t.Error("not blocked with 250 bytes in flight")
	}
}

// TestPendingCheckpointKeepsItsLog: one that was asked for before a materialization still needs the log before it.
func TestPendingCheckpointKeepsItsLog(t *testing.T) {
	c := NewChangelog(ChangelogConfig{Preemptive: 1 << 30}, 0)
	c.Append(0, 10, nil)
	c.Persist(0, 1, nil)
	c.Append(0, 5, nil)
	c.Persist(0, 2, nil)
	c.Uploaded(2, nil)
	c.Materialize(0)
	if out := c.Materialized(true, nil); len(out) > 0 {
		t.Errorf("the log is cut under pending checkpoints: %+v", out)
	}
	if out := c.Abort(2, nil); len(out) > 0 {
		t.Errorf("the log is cut under pending checkpoint 1: %+v", out)
	}
	out := c.Uploaded(1, nil)
	if len(out) != 2 || out[0].Kind != Stored || out[0].Size.Full != 10 || out[1] != (ChangelogEffect{Kind: Truncate, To: 15}) {
		t.Errorf("%+v", out)
	}
}

// TestChangelogAllocatesNothing in the steady state: changes, checkpoints, uploads, materializations, copies.
func TestChangelogAllocatesNothing(t *testing.T) {
	c, other := NewChangelog(dstl(), 0), NewChangelog(dstl(), 0)
	var out []ChangelogEffect
	var files []Handle
	var now event.Time
	id, done := event.Checkpoint(0), int64(0)
	round := func() {
		for range 10 {
			now += 20
			out = c.Append(now, 30, out[:0])
			out = c.Tick(c.tick, out)
		}
		id++
		out = c.Persist(now, id, out[:0])
		out = c.Tick(c.tick, out)
		files = c.Segments(0, c.End(), files[:0])
		for done < c.number {
			done++
			out = c.Uploaded(done, out[:0])
		}
		c.Materialize(0)
		out = c.Materialized(true, out[:0])
		other.CopyFrom(&c)
	}
	for range 3 {
		round()
	}
	if n := testing.AllocsPerRun(100, round); n != 0 {
		t.Errorf("%v allocations a round", n)
	}
	if len(other.segments) != 0 || other.End() == 0 {
		t.Errorf("%d segments left of %d bytes", len(other.segments), other.End())
	}
}

// TestCheckpointWaitsForItsOwnLogOnly: neither for what is logged behind it nor for what its materialization holds.
func TestCheckpointWaitsForItsOwnLogOnly(t *testing.T) {
	c := NewChangelog(ChangelogConfig{Preemptive: 1}, 0)
	c.Append(0, 10, nil) // segment 1
	c.Materialize(0)
	c.Materialized(true, nil)
	c.Append(0, 5, nil) // segment 2
	c.Persist(0, 1, nil)
	c.Append(0, 5, nil) // segment 3
	if files := c.Segments(10, 15, nil); !slices.Equal(files, []Handle{{Key: 2, Bytes: 5}}) {
		t.Errorf("checkpoint 1 is in %v", files)
	}
	out := c.Uploaded(2, nil)
	if len(out) != 1 || out[0].Kind != Stored || out[0].ID != 1 || out[0].Size != (Size{5, 5}) {
		t.Errorf("with its segment stored: %+v", out)
	}
}

// TestMaterializationMayFailSomeTimesInARow (spec 1.3, max-failures-allowed).
func TestMaterializationMayFailSomeTimesInARow(t *testing.T) {
	c := NewChangelog(dstl(), 0)
	failed := func(ok bool) bool {
		c.Append(0, 1, nil)
		c.Materialize(0)
		out := c.Materialized(ok, nil)
		return slices.Contains(out, ChangelogEffect{Kind: FailTask})
	}
	for i, ok := range []bool{false, false, false, true, false, false, false} {
		if failed(ok) {
			t.Errorf("attempt %d fails the task", i)
		}
	}
	if base := c.Base(); base != (Materialization{Number: 1, Position: 4}) {
		t.Errorf("the base is %+v", base)
	}
	if !failed(false) {
		t.Error("the fourth failure in a row is tolerated")
	}
}
