package core

import (
	"strings"
	"testing"

	"checkpointlab/core/event"
)

// outputs sums up what the sinks of a run have written.
func outputs(l *Lab) (sum OutputView) {
	var v View
	l.View(&v)
	for _, vert := range v.Vertices {
		for _, t := range vert.Tasks {
			sum.Visible += t.Output.Visible
			sum.Lost += t.Output.Lost
			sum.Duplicates += t.Output.Duplicates
		}
	}
	return sum
}

// TestDowntimeBeyondTheTransactionTimeoutLosesData (case C48): a task fails between the completion of checkpoint 2 and its
// commit, and the job is down for a minute. A broker that waits for 10 s has aborted the transaction by then; the records are
// lost although the checkpoint is complete and everything behind it is read again.
func TestDowntimeBeyondTheTransactionTimeoutLosesData(t *testing.T) {
	s := chapter(t, "5 s")
	s.Duration = 180 * event.Second
	s.Vertices[0].Until = 60 * event.Second
	s.Control.RPC = 100 * event.Millisecond
	s.Options = config(t, "execution.checkpointing.interval", "5 s", "restart-strategy.type", "fixed-delay", "restart-strategy.fixed-delay.delay", "60 s")
	done := event.Time(0)
	for _, c := range run(t, s).History().Checkpoints {
		if c.ID == 2 {
			done = c.Ended
		}
	}
	s.Script = []Action{{At: done + 50*event.Millisecond, Do: Kill, Vertex: 1}}
	for _, c := range []struct {
		timeout event.Time
		loses   bool
	}{{10 * event.Second, true}, {900 * event.Second, false}, {0, false}} {
		s.Vertices[2].TransactionTimeout = c.timeout
		l := run(t, s)
		o := outputs(l)
		if o.Visible+o.Lost != 60_000 || o.Duplicates != 0 || c.loses != (o.Lost > 4_900 && o.Lost < 5_100) || !c.loses && o.Lost != 0 {
			t.Errorf("with %d s: %d visible, %d lost, %d again", c.timeout/event.Second, o.Visible, o.Lost, o.Duplicates)
		}
		if f := l.History().Failures; len(f) != 1 || f[0].RestoredTo != 2 {
			t.Errorf("with %d s: failures %+v", c.timeout/event.Second, f)
		}
	}
}

// TestIntervalBeyondTheTransactionTimeoutFailsTheTask (spec 6.2): the producer is fenced before the barrier comes, so no
// checkpoint completes, the job restarts each time, and nothing is lost: what was written is read again.
func TestIntervalBeyondTheTransactionTimeoutFailsTheTask(t *testing.T) {
	s := chapter(t, "40 s")
	s.Duration = 100 * event.Second
	s.Vertices[2].TransactionTimeout = 30 * event.Second
	l := run(t, s)
	if o := outputs(l); o.Visible != 0 || o.Lost != 0 {
		t.Errorf("%d visible, %d lost", o.Visible, o.Lost)
	}
	var v View
	l.View(&v)
	f := l.History().Failures
	if v.Coord.Restarts != 2 || v.Coord.Completed != 0 || len(f) != 2 || f[0].At < 40*event.Second || f[0].At > 41*event.Second {
		t.Errorf("%d restarts, %d checkpoints, failures %+v", v.Coord.Restarts, v.Coord.Completed, f)
	}
	s.Vertices[2].TransactionTimeout = 60 * event.Second
	if o := outputs(run(t, s)); o.Visible < 75_000 || o.Lost != 0 {
		t.Errorf("with a timeout above the interval: %d visible, %d lost", o.Visible, o.Lost)
	}
}

// TestBrokerMustAllowTheTimeout (spec 6.2): the defaults of KafkaSink and of the broker do not fit together.
func TestBrokerMustAllowTheTimeout(t *testing.T) {
	for _, c := range []struct {
		timeout, most event.Time
		guarantee     Guarantee
		says          string
	}{
		{0, 0, ExactlyOnce, ""},
		{0, 900 * event.Second, ExactlyOnce, "transaction.timeout.ms is 3600000"},
		{900 * event.Second, 900 * event.Second, ExactlyOnce, ""},
		{901 * event.Second, 900 * event.Second, ExactlyOnce, "transaction.max.timeout.ms is 900000"},
		{0, 900 * event.Second, AtLeastOnce, ""},
		{-1, 0, ExactlyOnce, "negative"},
		{0, -1, ExactlyOnce, "negative"},
	} {
		s := chapter(t, "5 s")
		s.Vertices[2].TransactionTimeout, s.Vertices[2].BrokerMaxTimeout, s.Vertices[2].Guarantee = c.timeout, c.most, c.guarantee
		err := s.Check()
		if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%d of %d: %v", c.timeout, c.most, err)
		}
	}
}
