package sink

import (
	"strings"
	"testing"

	"checkpointlab/core/event"

	"pgregory.net/rapid"
)

func nothing(*Contents) {}

// bench is a writer, driven as a task does.
type bench struct {
	Writer
	one  [1]event.Run
	seen []int64 // positions that were shown, in order
}

func newBench(transactional bool) *bench {
	return &bench{Writer: NewWriter(transactional, 1)}
}

func (b *bench) show(c *Contents) {
	for _, r := range c.Runs {
		for i := range r.Count {
			b.seen = append(b.seen, (r.Born+i*r.BornStep)/event.Fine)
		}
	}
}

// write writes n records of one source from position pos on, each of which has arrived 1 ns after the one before.
func (b *bench) write(now event.Time, pos, n int64) (visible bool) {
	b.one[0] = event.Run{Since: b.last, Born: pos * event.Fine, BornStep: event.Fine, Count: n, Size: 100}
	return b.Write(now, b.one[:], n)
}

// attempted is a transactional sink as its rules are told: a list of records for each transaction (spec 6.1, 6.2).
type attempted struct {
	open    []int64
	since   event.Time
	sealed  []sealedPart
	visible []int64
	lost    int64
}

type sealedPart struct {
	id    event.Checkpoint
	since event.Time
	of    []int64
}

func (a *attempted) commit(now, timeout event.Time, id event.Checkpoint) {
	for len(a.sealed) > 0 && a.sealed[0].id <= id {
		if now-a.sealed[0].since > timeout {
			a.lost += int64(len(a.sealed[0].of))
		} else {
			a.visible = append(a.visible, a.sealed[0].of...)
		}
		a.sealed = a.sealed[1:]
	}
}

// TestWriterDoesAsItsRulesSay: a source that is replayed from the restored checkpoint, checkpoints that complete or do not,
// crashes, time that passes. What readers see, what is lost and what is written agree with the rules told plainly; without a
// timeout every record up to the last completed checkpoint is seen once and in order.
func TestWriterDoesAsItsRulesSay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b, a := newBench(true), attempted{}
		b.Timeout = rapid.SampledFrom([]event.Time{50, 400, event.Never}).Draw(t, "timeout")
		var now event.Time
		next, completed, first := event.Checkpoint(1), event.Checkpoint(0), event.Checkpoint(1) // first: pending ones before it are given up
		var pos, written int64
		cut := map[event.Checkpoint]int64{0: 0}
		crash := func() {
			if completed > 0 {
				a.commit(now, b.Timeout, completed)
				b.Commit(now, completed, b.show)
			}
			b.Abort(0)
			a.open, a.sealed, pos, first = nil, nil, cut[completed], next
		}
		twin := newBench(true)
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			now += rapid.Int64Range(0, 40).Draw(t, "passes")
			switch rapid.SampledFrom([]string{"write", "write", "barrier", "complete", "crash", "copy"}).Draw(t, "step") {
			case "write":
				n := rapid.Int64Range(1, 5).Draw(t, "records")
				if b.Open.Number == 0 {
					a.since = now
				}
				if b.write(now, pos, n) {
					t.Fatal("visible at once")
				}
				for range n {
					a.open = append(a.open, pos)
					pos++
				}
				written += n
			case "barrier":
				f := b.PreCommit(now, next)
				if len(a.open) > 0 && now-a.since > b.Timeout {
					if f != TransactionExpired {
						t.Fatalf("the open transaction is too old: %q", f)
					}
					crash()
					break
				}
				if f != NoFailure {
					t.Fatal(f)
				}
				if len(a.open) > 0 {
					a.sealed = append(a.sealed, sealedPart{next, a.since, a.open})
				}
				a.open, a.since, cut[next] = nil, now, pos
				next++
			case "complete":
				first = max(first, completed+1)
				if first >= next {
					continue
				}
				completed = rapid.Int64Range(first, next-1).Draw(t, "completed")
				shown, lost := len(a.visible), a.lost
				a.commit(now, b.Timeout, completed)
				n, gone, f := b.Commit(now, completed, b.show)
				if f != NoFailure || n != int64(len(a.visible)-shown) || gone != a.lost-lost {
					t.Fatalf("%q, %d shown and %d lost, by the rules %d and %d", f, n, gone, len(a.visible)-shown, a.lost-lost)
				}
			case "crash":
				crash()
			case "copy": // go on with a copy
				twin.Writer.CopyFrom(&b.Writer)
				twin.seen = append(twin.seen[:0], b.seen...)
				b, twin = twin, b
			}
			same(t, b, &a, written)
		}
		if b.Timeout == event.Never {
			for i, p := range b.seen {
				if p != int64(i) {
					t.Fatalf("record %d is seen at place %d", p, i)
				}
			}
		}
	})
}

func same(t *rapid.T, b *bench, a *attempted, written int64) {
	waits := int64(len(a.open))
	for _, s := range a.sealed {
		waits += int64(len(s.of))
	}
	held := b.Open.Records
	for i := range b.Sealed {
		held += b.Sealed[i].Records
	}
	switch {
	case int64(len(a.visible)) != b.Visible || len(b.seen) != len(a.visible) || b.Duplicates != 0:
		t.Fatalf("%d visible, %d shown, %d of them again; by the rules %d", b.Visible, len(b.seen), b.Duplicates, len(a.visible))
	case b.Lost != a.lost || b.Written != written || held != waits || b.committer.Collected() != len(b.Sealed):
		t.Fatalf("%d lost, %d written, %d held, %d collected; by the rules %d, %d, %d in %d", b.Lost, b.Written, held, b.committer.Collected(), a.lost, written, waits, len(a.sealed))
	}
	for i, p := range a.visible {
		if b.seen[i] != p {
			t.Fatalf("shown are %v, by the rules %v", b.seen, a.visible)
		}
	}
}

// TestImmediateSinkShowsAtOnce (spec 6.2, AT_LEAST_ONCE): visible when written; what is written again is shown again.
func TestImmediateSinkShowsAtOnce(t *testing.T) {
	b := newBench(false)
	if !b.write(0, 0, 10) || b.PreCommit(1, 1) != NoFailure {
		t.Fatal("not visible at once")
	}
	if n, lost, f := b.Commit(2, 1, nothing); n != 0 || lost != 0 || f != NoFailure || b.UpTo != 1 {
		t.Errorf("a commit shows %d and loses %d: %q", n, lost, f)
	}
	b.write(3, 10, 5)
	if n := b.Abort(0); n != 0 {
		t.Errorf("%d records aborted", n)
	}
	b.Rewind(10, 1)
	b.write(4, 10, 8)
	if b.Visible != 23 || b.Written != 23 || b.Duplicates != 5 {
		t.Errorf("%d visible, %d written, %d again", b.Visible, b.Written, b.Duplicates)
	}
}

// TestTransactionOpenForTooLongIsLost (case C48): the checkpoint is complete, the job is down for longer than
// transaction.timeout.ms before the commit, the broker has aborted it.
func TestTransactionOpenForTooLongIsLost(t *testing.T) {
	for _, c := range []struct{ timeout, downtime, lost event.Time }{
		{10 * event.Second, 42_551_680 * event.Millisecond, 100}, {900 * event.Second, 300 * event.Second, 0},
	} {
		b := newBench(true)
		b.Timeout = c.timeout
		b.write(0, 0, 100)
		b.PreCommit(event.Second, 1)
		b.write(2*event.Second, 100, 7)
		n, lost, f := b.Commit(event.Second+c.downtime, 1, nothing)
		if f != NoFailure || lost != c.lost || n != 100-c.lost || b.Lost != c.lost || b.Visible != n {
			t.Errorf("down for %d s: %d shown, %d lost, %q", c.downtime/event.Second, n, lost, f)
		}
		if n := b.Abort(0); n != 7 || len(b.Open.Runs) != 0 {
			t.Errorf("%d aborted, %d runs kept", n, len(b.Open.Runs))
		}
	}
}

// TestTimeoutAboveTheBrokers (spec 6.2): the defaults do not fit together.
func TestTimeoutAboveTheBrokers(t *testing.T) {
	err := CheckTimeout(KafkaSinkTimeout, BrokerMaxTimeout)
	if err == nil || !strings.Contains(err.Error(), "3600000") || !strings.Contains(err.Error(), "transaction.max.timeout.ms is 900000") {
		t.Errorf("the defaults: %v", err)
	}
	if err := CheckTimeout(BrokerMaxTimeout, BrokerMaxTimeout); err != nil {
		t.Error(err)
	}
}

// TestInputOfARunDoesNotEnd: Write panics on a programmer's mistake.
func TestInputOfARunDoesNotEnd(t *testing.T) {
	b := newBench(true)
	b.head.EndInput(nil, nil)
	defer func() {
		if recover() == nil {
			t.Error("a record behind the end")
		}
	}()
	b.write(0, 0, 1)
}

// TestSteadyStateAllocatesNothing: writing, pre-committing, committing, aborting, copying.
func TestSteadyStateAllocatesNothing(t *testing.T) {
	b, twin := newBench(true), newBench(true)
	var now event.Time
	var pos int64
	var id event.Checkpoint
	round := func() {
		for range 3 {
			id++
			for range 4 {
				now += event.Millisecond
				b.write(now, pos, 10)
				pos += 20 // runs that do not join
			}
			b.PreCommit(now, id)
		}
		b.Commit(now, id-1, nothing)
		twin.Writer.CopyFrom(&b.Writer)
		b.Commit(now, id, nothing)
		b.write(now, pos, 10)
		b.Abort(0)
	}
	round()
	if n := testing.AllocsPerRun(100, round); n != 0 {
		t.Errorf("%v allocations a round", n)
	}
	if b.Visible != 102*120 {
		t.Errorf("%d records visible", b.Visible)
	}
}
