package sink

import (
	"cmp"
	"slices"
	"testing"

	"checkpointlab/core/event"

	"pgregory.net/rapid"
)

// ledger is an external system that commits idempotently and remembers the order.
type ledger struct {
	committed []int64
	moods     []Answer // of the next attempts; then Success
}

func (l *ledger) Attempt(_ event.Time, m Message, _ int) Answer {
	a := Success
	if len(l.moods) > 0 {
		a, l.moods = l.moods[0], l.moods[1:]
	}
	switch {
	case a != Success:
		return a
	case slices.Contains(l.committed, m.ID):
		return Already
	}
	l.committed = append(l.committed, m.ID)
	return Success
}

// job is a committer with writers in front of it, told as plainly as can be.
type job struct {
	pending   map[event.Checkpoint][]int64 // announced and handed over, by checkpoint
	committed []int64
}

// commit takes everything up to id, ascending.
func (j *job) commit(id event.Checkpoint) {
	for cp := event.Checkpoint(0); cp <= id; cp++ {
		for _, c := range j.pending[cp] {
			if !slices.Contains(j.committed, c) {
				j.committed = append(j.committed, c)
			}
		}
		delete(j.pending, cp)
	}
}

// TestCommitterDoesAsItsRulesSay: random writers, checkpoints that complete, abort or are restored, retries in between; what is
// committed and in which order agrees with the rules told plainly (spec 6.1).
func TestCommitterDoesAsItsRulesSay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		writers := rapid.IntRange(1, 3).Draw(t, "writers")
		config := CommitterConfig{Retries: 3, PostCommit: true, Checkpointing: true}
		c, twin := NewCommitter(config), NewCommitter(config)
		world, echo := &ledger{}, &ledger{}
		j := job{pending: map[event.Checkpoint][]int64{}}
		saved, kept := map[event.Checkpoint]*Committer{}, map[event.Checkpoint]map[event.Checkpoint][]int64{}
		of := map[int64]event.Checkpoint{}
		next, id, completed := event.Checkpoint(0), int64(0), event.Checkpoint(-1)
		for range rapid.IntRange(1, 25).Draw(t, "steps") {
			switch rapid.SampledFrom([]string{"checkpoint", "checkpoint", "complete", "complete", "crash", "copy"}).Draw(t, "step") {
			case "checkpoint":
				for w := range writers {
					n := rapid.IntRange(0, 2).Draw(t, "committables")
					ids := make([]int64, n)
					for i := range ids {
						id++
						ids[i], of[id] = id, next
					}
					head := Head{Subtask: int32(w), Commits: true}
					for _, m := range head.PreBarrier(next, ids, nil) {
						if f := c.Take(m); f != NoFailure {
							t.Fatalf("%+v: %v", m, f)
						}
						twin.Take(m)
					}
					j.pending[next] = append(j.pending[next], ids...)
				}
				saved[next], kept[next] = &Committer{}, map[event.Checkpoint][]int64{}
				saved[next].CopyFrom(&c)
				for cp, ids := range j.pending {
					kept[next][cp] = slices.Clone(ids)
				}
				next++
			case "complete":
				if next == 0 {
					continue
				}
				cp := rapid.Int64Range(0, next-1).Draw(t, "completed")
				if rapid.Bool().Draw(t, "slow") {
					world.moods = []Answer{Retry, Retry, Retry}
				}
				completed = max(completed, cp)
				if _, f := c.Complete(0, cp, world, nil); f != NoFailure {
					t.Fatal(f)
				}
				twin.Complete(0, cp, echo, nil)
				j.commit(completed)
			case "crash":
				if completed < 0 {
					continue
				}
				c, twin = NewCommitter(config), NewCommitter(config)
				if _, f := c.Restore(0, completed, world, nil, saved[completed]); f != NoFailure {
					t.Fatal(f)
				}
				twin.Restore(0, completed, echo, nil, saved[completed])
				j.pending = map[event.Checkpoint][]int64{}
				for cp, ids := range kept[completed] {
					j.pending[cp] = slices.Clone(ids)
				}
				j.commit(completed)
				next = max(next, completed+1)
			case "copy":
				other := NewCommitter(config)
				other.CopyFrom(&twin)
				twin.CopyFrom(&other)
			}
			retried := slices.Clone(world.committed) // retries change the order within one checkpoint, not across
			slices.SortStableFunc(retried, func(a, b int64) int { return cmp.Compare(slices.Index(j.committed, a), slices.Index(j.committed, b)) })
			ascending := slices.IsSortedFunc(world.committed, func(a, b int64) int { return cmp.Compare(of[a], of[b]) })
			if !ascending || !slices.Equal(retried, j.committed) || !slices.Equal(echo.committed, j.committed) {
				t.Fatalf("committed are %v, by a copy %v, by the rules %v", world.committed, echo.committed, j.committed)
			}
			waiting := 0
			for _, ids := range j.pending {
				waiting += len(ids)
			}
			if c.Collected() != waiting || c.Metrics().Pending != int64(waiting) {
				t.Fatalf("%d collected, %d pending, by the rules %d", c.Collected(), c.Metrics().Pending, waiting)
			}
		}
	})
}

func summary(id event.Checkpoint, subtask, n int32) Message {
	return Message{Kind: Summary, Checkpoint: id, Subtask: subtask, Count: n}
}

func committable(id event.Checkpoint, subtask int32, c int64) Message {
	return Message{Kind: Committable, Checkpoint: id, Subtask: subtask, ID: c}
}

// TestRetriesAreImmediateAndCounted (spec 6.1): rounds over those that are left, sink.committer.retries of them after the first;
// what was committed in a round that fails stays committed, and is not tried again.
func TestRetriesAreImmediateAndCounted(t *testing.T) {
	for _, c := range []struct {
		moods     []Answer
		retries   int
		want      Failure
		committed []int64
		counts    Counts
	}{
		{nil, 0, NoFailure, []int64{1, 2}, Counts{Successful: 2}},
		{[]Answer{Retry}, 0, RetriesExhausted, []int64{2}, Counts{Pending: 1, Successful: 1, Retried: 1}},
		{[]Answer{Retry, Retry, Retry}, 2, NoFailure, []int64{2, 1}, Counts{Successful: 2, Retried: 3}},
		{[]Answer{Retry, Retry, Retry}, 1, RetriesExhausted, []int64{2}, Counts{Pending: 1, Successful: 1, Retried: 3}},
		{[]Answer{FailedKnown}, 0, NoFailure, []int64{2}, Counts{Successful: 1, Failed: 1}},
		{[]Answer{FailedUnknown}, 5, CommitFailed, nil, Counts{Pending: 1, Failed: 1}},
		{[]Answer{Already, Retry}, 1, NoFailure, []int64{2}, Counts{Successful: 1, Already: 1, Retried: 1}},
	} {
		k := NewCommitter(CommitterConfig{Retries: c.retries})
		for _, m := range []Message{summary(1, 0, 2), committable(1, 0, 1), committable(1, 0, 2)} {
			k.Take(m)
		}
		l := &ledger{moods: c.moods}
		_, f := k.Complete(0, 1, l, nil)
		if f != c.want || !slices.Equal(l.committed, c.committed) || k.Metrics() != c.counts {
			t.Errorf("%v with %d retries: %q, committed %v, %+v", c.moods, c.retries, f, l.committed, k.Metrics())
		}
	}
}

// TestOlderCheckpointIsCommittedBeforeTheIncompleteOne: a checkpoint is committed fully or not at all, those before it are.
func TestOlderCheckpointIsCommittedBeforeTheIncompleteOne(t *testing.T) {
	k, l := NewCommitter(CommitterConfig{}), &ledger{}
	for _, m := range []Message{summary(2, 0, 1), committable(2, 0, 20), summary(2, 1, 1), summary(1, 1, 1), committable(1, 1, 10)} {
		if f := k.Take(m); f != NoFailure {
			t.Fatal(f)
		}
	}
	if _, f := k.Complete(0, 2, l, nil); f != Incomplete || !slices.Equal(l.committed, []int64{10}) {
		t.Errorf("%q, committed %v", f, l.committed)
	}
	k.Take(committable(2, 1, 21))
	if _, f := k.Complete(0, 2, l, nil); f != NoFailure || !slices.Equal(l.committed, []int64{10, 20, 21}) {
		t.Errorf("%q, committed %v", f, l.committed)
	}
}

// TestRestoreOfSeveralParts: after a change of parallelism a committer gets the parts of several; summaries of one writer add
// up, what it emits carries its own subtask.
func TestRestoreOfSeveralParts(t *testing.T) {
	parts := []*Committer{{}, {}}
	for i, p := range parts {
		for _, m := range []Message{summary(3, 0, 1), committable(3, 0, int64(1+i)), summary(EndOfInput, 0, 1), committable(EndOfInput, 0, int64(11+i))} {
			p.Take(m)
		}
	}
	k, l := NewCommitter(CommitterConfig{Subtask: 9, PostCommit: true, Checkpointing: true}), &ledger{}
	out, f := k.Restore(0, 3, l, nil, parts...)
	if f != NoFailure || !slices.Equal(l.committed, []int64{1, 2}) {
		t.Fatalf("%q, committed %v", f, l.committed)
	}
	want := []Effect{
		{Kind: Committed, Message: committable(3, 0, 1)}, {Kind: Committed, Message: committable(3, 0, 2)},
		{Kind: Emitted, Message: Message{Kind: Summary, Checkpoint: 3, Subtask: 9, Count: 2}},
		{Kind: Emitted, Message: committable(3, 9, 1)}, {Kind: Emitted, Message: committable(3, 9, 2)},
	}
	if !slices.Equal(out, want) {
		t.Errorf("effects are %+v", out)
	}
	if f := k.Take(summary(EndOfInput, 0, 0)); f != NoFailure {
		t.Errorf("a further summary of the end of the input: %q", f)
	}
	if k.EndInput(0, l, nil); len(l.committed) != 2 {
		t.Errorf("committed without waiting for the final checkpoint: %v", l.committed)
	}
	if k.Complete(0, 4, l, nil); !slices.Equal(l.committed, []int64{1, 2, 11, 12}) {
		t.Errorf("committed %v", l.committed)
	}
	if parts[0].Collected() != 2 {
		t.Error("the stored part has changed")
	}
}

// TestHeadAfterRescaling: the end of the input counts only if all parts had it (SinkWriterOperator's state).
func TestHeadAfterRescaling(t *testing.T) {
	ended, open := Head{ended: true}, Head{}
	for _, c := range []struct {
		parts []*Head
		want  bool
	}{{nil, false}, {[]*Head{&ended}, true}, {[]*Head{&ended, &open}, false}, {[]*Head{&ended, &ended}, true}} {
		h := Head{buffered: 3}
		h.Restore(c.parts...)
		if h.Ended() != c.want || h.Buffered() != 0 {
			t.Errorf("%d parts: ended %v with %d records", len(c.parts), h.Ended(), h.Buffered())
		}
	}
}

func TestNegativeRetriesAreAMistake(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a committer with -1 retries")
		}
	}()
	NewCommitter(CommitterConfig{Retries: -1})
}

// TestRefusedStayBehindIn118: a call of 1.18's committer tries each committable once, the refused ones stay, do not hold up later
// checkpoints, and are never given up; what follows the committer hears of the others at once (CommitterOperator.commitAndEmitCheckpoints).
func TestRefusedStayBehindIn118(t *testing.T) {
	k := NewCommitter(CommitterConfig{Retries: 0, PostCommit: true, Checkpointing: true, Later: true})
	for _, m := range []Message{summary(1, 0, 2), committable(1, 0, 1), committable(1, 0, 2), summary(2, 0, 1), committable(2, 0, 3), summary(3, 0, 2), committable(3, 0, 4)} {
		if f := k.Take(m); f != NoFailure {
			t.Fatal(f)
		}
	}
	l := &ledger{moods: []Answer{Retry, Success, Retry, Retry, Success}}
	for i, want := range [][]int64{{2}, {2, 3}, {2, 3, 1}} {
		out, f := k.Complete(0, 2, l, nil)
		emitted := 0
		for _, e := range out {
			if e.Kind == Emitted && e.Message.Kind == Committable {
				emitted++
			}
		}
		if f != NoFailure || !slices.Equal(l.committed, want) || !k.Unfinished() || emitted != 1 {
			t.Errorf("call %d: %q, committed %v, %d emitted, unfinished is %v", i, f, l.committed, emitted, k.Unfinished())
		}
	}
	k.Complete(0, 3, l, nil)
	if !slices.Equal(l.committed, []int64{2, 3, 1}) || k.Collected() != 1 {
		t.Errorf("committed %v before all of checkpoint 3 has come", l.committed)
	}
	k.Take(committable(3, 0, 5))
	k.Complete(0, 3, l, nil)
	if n := k.Metrics(); !slices.Equal(l.committed, []int64{2, 3, 1, 4, 5}) || k.Unfinished() || k.Collected() != 0 || n != (Counts{Successful: 5, Retried: 3}) {
		t.Errorf("committed %v, unfinished is %v, %+v", l.committed, k.Unfinished(), n)
	}
}
