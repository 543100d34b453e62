package sink

import (
	"slices"
	"testing"

	"checkpointlab/core/event"
)

// TestCommittablesAreAnnounced (spec 6.1, 2): one that no summary announced, of this or another writer, is a failure.
func TestCommittablesAreAnnounced(t *testing.T) {
	for what, messages := range map[string][]Message{
		"no summary":            {committable(1, 0, 1)},
		"another writer's":      {summary(1, 1, 1), committable(1, 0, 1)},
		"another checkpoint's":  {summary(2, 0, 1), committable(1, 0, 1)},
		"more than announced":   {summary(1, 0, 1), committable(1, 0, 1), committable(1, 0, 2)},
		"more than none at all": {summary(1, 0, 0), committable(1, 0, 1)},
	} {
		c := NewCommitter(CommitterConfig{})
		var f Failure
		for _, m := range messages {
			if f != NoFailure {
				t.Errorf("%s: %q too early", what, f)
			}
			f = c.Take(m)
		}
		if f != NotAnnounced {
			t.Errorf("%s: %q", what, f)
		}
	}
}

// TestEndOfInputSummariesAddUp: after a restore a writer may announce the end again (SinkWriterOperator's state).
func TestEndOfInputSummariesAddUp(t *testing.T) {
	c, l := NewCommitter(CommitterConfig{}), &ledger{}
	for _, m := range []Message{summary(EndOfInput, 0, 1), committable(EndOfInput, 0, 1), summary(EndOfInput, 0, 2), committable(EndOfInput, 0, 2)} {
		if f := c.Take(m); f != NoFailure {
			t.Fatalf("%+v: %q", m, f)
		}
	}
	if _, f := c.EndInput(0, l, nil); f != Incomplete || len(l.committed) != 0 {
		t.Errorf("%q, committed %v", f, l.committed)
	}
	c.Take(committable(EndOfInput, 0, 3))
	if _, f := c.EndInput(0, l, nil); f != NoFailure || !slices.Equal(l.committed, []int64{1, 2, 3}) {
		t.Errorf("%q, committed %v", f, l.committed)
	}
}

// TestMergedPartsMustBeComplete: what one part lacks the other does not make up for.
func TestMergedPartsMustBeComplete(t *testing.T) {
	whole, lacking := &Committer{}, &Committer{}
	for _, m := range []Message{summary(1, 0, 1), committable(1, 0, 1)} {
		whole.Take(m)
	}
	lacking.Take(summary(1, 0, 1))
	c, l := NewCommitter(CommitterConfig{}), &ledger{}
	if _, f := c.Restore(0, 1, l, nil, whole, lacking); f != Incomplete || len(l.committed) != 0 {
		t.Errorf("%q, committed %v", f, l.committed)
	}
}

// TestEmittedSummaryLeavesOutWhatFailed: downstream is told how many committables follow; of those that failed nothing.
func TestEmittedSummaryLeavesOutWhatFailed(t *testing.T) {
	c := NewCommitter(CommitterConfig{Subtask: 4, PostCommit: true})
	for _, m := range []Message{summary(1, 0, 3), committable(1, 0, 1), committable(1, 0, 2), committable(1, 0, 3)} {
		c.Take(m)
	}
	out, f := c.Complete(0, 1, &ledger{moods: []Answer{FailedKnown, Success, FailedKnown}}, nil)
	want := []Effect{
		{Kind: Lost, Message: committable(1, 0, 1)}, {Kind: Committed, Message: committable(1, 0, 2)}, {Kind: Lost, Message: committable(1, 0, 3)},
		{Kind: Emitted, Message: Message{Kind: Summary, Checkpoint: 1, Subtask: 4, Count: 1}}, {Kind: Emitted, Message: committable(1, 4, 2)},
	}
	if f != NoFailure || !slices.Equal(out, want) {
		t.Errorf("%q, %+v", f, out)
	}
}

// TestHeadBuffersUntilTheBarrier (vector writer.no-committer).
func TestHeadBuffersUntilTheBarrier(t *testing.T) {
	var h Head
	h.Write(3)
	h.Write(4)
	if h.Buffered() != 7 {
		t.Errorf("%d records buffered", h.Buffered())
	}
	if out := h.PreBarrier(1, nil, nil); len(out) != 0 || h.Buffered() != 0 {
		t.Errorf("without a committer %v go out, %d stay", out, h.Buffered())
	}
	h.EndInput(nil, nil)
	if f := h.Write(1); f != InputEnded || h.Buffered() != 0 {
		t.Errorf("behind the end: %q, %d buffered", f, h.Buffered())
	}
}

// TestEveryFailureHasWords for whoever is told of it.
func TestEveryFailureHasWords(t *testing.T) {
	seen := map[string]bool{}
	for f := NoFailure; f <= TransactionExpired; f++ {
		if seen[f.String()] {
			t.Errorf("%q says two things", f)
		}
		seen[f.String()] = true
	}
}

// TestExpiryIsAfterTheTimeout: at the timeout itself a transaction is still there; none has no age.
func TestExpiryIsAfterTheTimeout(t *testing.T) {
	x := Transaction{Number: 1, Since: 100}
	if x.Expired(150, 50) || !x.Expired(151, 50) || (&Transaction{}).Expired(1000, 50) {
		t.Error("it expires at another time")
	}
}

// TestEmptyTransactionIsNotHandedOver (spec 6.1, 2; KafkaWriter recycles such a producer): the committer hears of 0 committables,
// the next transaction counts its age from the barrier.
func TestEmptyTransactionIsNotHandedOver(t *testing.T) {
	b := newBench(true)
	b.Timeout = 50
	b.write(0, 0, 1)
	b.PreCommit(10, 1)
	if b.PreCommit(100, 2) != NoFailure || len(b.Sealed) != 1 || b.Open.Since != 100 {
		t.Errorf("%d sealed, open since %d", len(b.Sealed), b.Open.Since)
	}
	b.write(120, 1, 1)
	if b.Open.Since != 100 || b.PreCommit(150, 3) != NoFailure || len(b.Sealed) != 2 {
		t.Errorf("%d sealed", len(b.Sealed))
	}
	b.write(151, 2, 1)
	if f := b.PreCommit(201, 4); f != TransactionExpired {
		t.Errorf("open for 51: %q", f)
	}
	if n := b.Abort(0); n != 3 {
		t.Errorf("%d records aborted", n)
	}
}

// TestTwoPhaseAfterTheEnd (vectors 2pc.after-finish, 2pc.restore-after-finish): no transaction begins any more, the last one waits
// for its checkpoint, and a restore finds none to abort.
func TestTwoPhaseAfterTheEnd(t *testing.T) {
	p := NewTwoPhase(TwoPhaseConfig{Timeout: event.Never, WarnPerMille: -1})
	if _, f := p.Write(1); f != InputEnded {
		t.Errorf("a write before the begin: %q", f)
	}
	p.Restore(0, &ledger{}, nil)
	p.Write(1)
	p.Finish()
	if _, f := p.Write(1); f != InputEnded {
		t.Errorf("a write behind the end: %q", f)
	}
	p.Snapshot(0, 1)
	p.Snapshot(0, 2)
	if len(p.Sealed) != 1 || p.Open.Number != 0 || p.Sealed[0].ID != 1 || p.Sealed[0].Records != 1 {
		t.Errorf("sealed %+v, open %+v", p.Sealed, p.Open)
	}
	var stored TwoPhase
	stored.CopyFrom(&p)
	l := &ledger{}
	out, f := p.Restore(0, l, nil, &stored)
	if f != NoFailure || !slices.Equal(l.committed, []int64{1}) || slices.ContainsFunc(out, func(e Effect) bool { return e.Kind == Aborted }) {
		t.Errorf("%q, %+v", f, out)
	}
	if number, f := p.Write(1); number != 2 || f != NoFailure {
		t.Errorf("the restored function writes into %d: %q", number, f)
	}
	if out := p.Close(nil); len(out) != 1 || out[0].Kind != Aborted || out[0].ID != 2 || p.Open.Number != 0 {
		t.Errorf("its close: %+v", out)
	}
	if !stored.finished || len(stored.Sealed) != 1 {
		t.Error("what was stored has changed")
	}
}

// TestTwoPhaseFailures: a commit that fails does not keep others back and fails the task at the end; in recovery it is tried
// again with the next attempt, or given up once the timeout has elapsed.
func TestTwoPhaseFailures(t *testing.T) {
	config := TwoPhaseConfig{Timeout: 1000, WarnPerMille: -1, IgnoreAfterTimeout: true}
	p := NewTwoPhase(config)
	p.Restore(5, &ledger{}, nil)
	p.Snapshot(5, 1)
	p.Snapshot(5, 2)
	p.Snapshot(5, 3)
	var stored TwoPhase
	stored.CopyFrom(&p)
	l := &ledger{moods: []Answer{FailedUnknown}}
	if _, f := p.Complete(6, 2, l, nil); f != CommitFailed || !slices.Equal(l.committed, []int64{2}) || len(p.Sealed) != 1 || p.Sealed[0].ID != 3 {
		t.Errorf("%q, committed %v, left %+v", f, l.committed, p.Sealed)
	}
	for _, c := range []struct {
		now    event.Time
		ignore bool
		want   Failure
		lost   int
	}{{1005, true, CommitFailed, 0}, {1006, true, NoFailure, 1}, {1006, false, CommitFailed, 0}} {
		r := NewTwoPhase(config)
		r.IgnoreAfterTimeout = c.ignore
		out, f := r.Restore(c.now, &ledger{moods: []Answer{Retry}}, nil, &stored)
		lost := 0
		for _, e := range out {
			if e.Kind == Lost && e.ID == 1 && e.Checkpoint == 1 {
				lost++
			}
		}
		if f != c.want || lost != c.lost || (f == NoFailure) != (r.Open.Number == 5) {
			t.Errorf("at %d: %q, %d lost, open is %d", c.now, f, lost, r.Open.Number)
		}
	}
}

// An output that counts keeps no table by channel.
func TestCountedOutputIsSmall(t *testing.T) {
	allocs := testing.AllocsPerRun(10, func() {
		o := NewOutput(1_000_000)
		o.ByCount = true
		one := event.Run{Count: 10}
		o.Show(&one)
		o.Rewind(4, 1)
		o.Show(&one)
		if o.Duplicates != 6 {
			t.Errorf("%d duplicates, want 6", o.Duplicates)
		}
	})
	if allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}

// An output set back to before its first record forgets what was shown, and goes on.
func TestShownAgainAfterCopy(t *testing.T) {
	fresh, o := NewOutput(1), NewOutput(1)
	for range 2 {
		o.Show(&event.Run{Count: 10})
		if o.Duplicates != 0 || o.Visible != 10 {
			t.Errorf("%d duplicates of %d", o.Duplicates, o.Visible)
		}
		o.CopyFrom(&fresh)
	}
}
