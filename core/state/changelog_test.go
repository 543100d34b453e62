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

// TestChangelogCheckpointsCanBeRestored: changes, checkpoints, aborts, uploads that end in any order, materializations that
// succeed or fail. Each stored checkpoint is a materialization with a log from there to the position at which it was asked,
// without a gap, every part of it in storage; and nothing is uploaded twice (spec 8.3).
func TestChangelogCheckpointsCanBeRestored(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, twin := NewChangelog(dstl(), 0), NewChangelog(dstl(), 0)
		asked, bases := map[event.Checkpoint]int64{}, map[int64]int64{0: 0}
		of := map[event.Checkpoint][]Handle{}                          // what a checkpoint registers
		sent, there, cut := []Handle(nil), map[int64]int64{}, int64(0) // uploads under way; stored ones; how far was uploaded
		var now, armed event.Time = 0, event.Never
		id, failures, running := event.Checkpoint(0), 0, false
		take := func(effects, echo []ChangelogEffect) {
			if !slices.Equal(effects, echo) {
				t.Fatalf("a copy does %+v, it itself %+v", echo, effects)
			}
			for _, e := range effects {
				switch e.Kind {
				case ArmBatch:
					armed = e.At
				case Upload:
					cut += e.Bytes
					sent = append(sent, Handle{Key: e.Number, Bytes: e.Bytes})
				case Stored:
					if e.To != asked[e.ID] || e.Base.Position != bases[e.Base.Number] || e.Size.Full != e.To-e.Base.Position {
						t.Fatalf("checkpoint %d is %+v, asked for at %d", e.ID, e, asked[e.ID])
					}
					covered := int64(0)
					for _, f := range of[e.ID] {
						if there[f.Key] != f.Bytes {
							t.Fatalf("segment %v of checkpoint %d is not in storage", f, e.ID)
						}
						covered += f.Bytes
					}
					if covered < e.Size.Full {
						t.Fatalf("%d of %d bytes of checkpoint %d are in segments", covered, e.Size.Full, e.ID)
					}
					delete(asked, e.ID)
				}
			}
		}
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			now++
			switch rapid.SampledFrom([]string{"append", "append", "checkpoint", "abort", "tick", "uploaded", "uploaded", "materialize", "copy"}).Draw(t, "step") {
			case "append":
				n := rapid.Int64Range(1, 80).Draw(t, "bytes")
				take(c.Append(now, n, nil), twin.Append(now, n, nil))
			case "checkpoint":
				id++
				asked[id] = c.End()
				out := c.Persist(now, id, nil)
				of[id] = c.Segments(c.Base().Position, c.End(), nil)
				take(out, twin.Persist(now, id, nil))
			case "abort":
				if id > 0 {
					take(c.Abort(id, nil), twin.Abort(id, nil))
					delete(asked, id)
				}
			case "tick":
				if armed != event.Never {
					now = max(now, armed)
					take(c.Tick(armed, nil), twin.Tick(armed, nil))
				}
			case "uploaded":
				if len(sent) == 0 {
					continue
				}
				i := rapid.IntRange(0, len(sent)-1).Draw(t, "which")
				f := sent[i]
				sent = slices.Delete(sent, i, i+1)
				there[f.Key] = f.Bytes
				take(c.Uploaded(f.Key, nil), twin.Uploaded(f.Key, nil))
			case "materialize":
				if !running {
					at, ok := c.Materialize(0)
					twin.Materialize(0)
					if !ok || at != c.End() {
						t.Fatalf("materializes %d, %v", at, ok)
					}
					bases[int64(len(bases))] = at
					running = true
					continue
				}
				if _, ok := c.Materialize(0); ok {
					t.Fatal("two materializations at a time")
				}
				ok := rapid.Bool().Draw(t, "succeeds")
				running = false
				out := c.Materialized(ok, nil)
				take(out, twin.Materialized(ok, nil))
				if ok {
					failures = 0
				} else {
					failures++
					delete(bases, int64(len(bases)-1))
				}
				fails := func(e ChangelogEffect) bool { return e.Kind == FailTask }
				if slices.ContainsFunc(out, fails) != (failures > 3) {
					t.Fatalf("after %d failures: %+v", failures, out)
				}
			case "copy":
				var other Changelog
				other.CopyFrom(&twin)
				twin.CopyFrom(&other)
			}
			waits := int64(0)
			for _, f := range sent {
				waits += f.Bytes
			}
			if c.inFlight != c.cut-cut+waits || c.Blocked() != (c.inFlight >= 200) || cut > c.End() {
				t.Fatalf("%d bytes in flight: %d in a batch, %d being uploaded", c.inFlight, c.cut-cut, waits)
			}
		}
		for len(sent) > 0 || c.tick != event.Never { // all that was asked for gets stored
			if c.tick != event.Never {
				take(c.Tick(c.tick, nil), twin.Tick(twin.tick, nil))
				continue
			}
			f := sent[0]
			sent = sent[1:]
			there[f.Key] = f.Bytes
			take(c.Uploaded(f.Key, nil), twin.Uploaded(f.Key, nil))
		}
		if len(asked) > 0 || c.inFlight != 0 {
			t.Fatalf("checkpoints at %v were never stored, %d bytes in flight", asked, c.inFlight)
		}
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
