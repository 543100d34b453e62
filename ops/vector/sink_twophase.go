package vector

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"checkpointlab/core/event"
	"checkpointlab/core/sink"
)

// twoPhaseRun drives the two-phase commit function: unit two-phase. It is the external system, too.
type twoPhaseRun struct {
	sinkWords
	function sink.TwoPhase
	now      event.Time
	saved    map[event.Checkpoint]*sink.TwoPhase
	crashed  bool
	refuses  bool // commits fail

	values   map[int64][]string // what was written, by transaction
	open     []int64            // transactions begun that are neither committed nor aborted
	visible  []string
	aborted  [][]string
	lost     []string
	warned   *int64 // ms
	warnings int
	out      []sink.Effect
}

func runTwoPhase(c Case) (Status, string) {
	g := struct {
		Unit                                  string
		TransactionTimeoutMs                  *int64
		WarningRatio                          *float64
		TransactionStartMs                    int64
		IgnoreFailuresAfterTransactionTimeout bool
	}{}
	if err := Decode(c.Given, &g); err != nil {
		return Unknown("given", err)
	}
	config := sink.TwoPhaseConfig{Timeout: event.Never, WarnPerMille: -1, IgnoreAfterTimeout: g.IgnoreFailuresAfterTransactionTimeout}
	if g.TransactionTimeoutMs != nil {
		config.Timeout = *g.TransactionTimeoutMs * event.Millisecond
	}
	if g.WarningRatio != nil {
		config.WarnPerMille = int64(math.Round(*g.WarningRatio * 1000))
	}
	r := &twoPhaseRun{
		function: sink.NewTwoPhase(config), now: g.TransactionStartMs * event.Millisecond,
		saved: map[event.Checkpoint]*sink.TwoPhase{}, values: map[int64][]string{},
	}
	r.mayFail = expectsError(c)
	r.out, _ = r.function.Restore(r.now, r, nil)
	r.begun()
	return replayOn(r, c)
}

// Attempt is the external system: it commits what is asked for unless the case has it refuse.
func (r *twoPhaseRun) Attempt(_ event.Time, m sink.Message, _ int) sink.Answer {
	switch {
	case r.refuses:
		return sink.FailedUnknown
	case !slices.Contains(r.open, m.ID):
		return sink.Already
	}
	return sink.Success
}

func (r *twoPhaseRun) event(verb string, args []json.RawMessage) (Status, string) {
	args, fails := failing(args)
	var f sink.Failure
	var err error
	var id event.Checkpoint
	switch n := len(args); {
	case verb == "write" && n == 1:
		f, err = r.write(args)
	case verb == "snapshot" && n == 1:
		if err = scan(args, &id); err == nil {
			r.snapshot(id)
		}
	case verb == "notifyComplete" && n == 1:
		if err = scan(args, &id); err == nil {
			r.out, f = r.function.Complete(r.now, id, r, r.out[:0])
		}
	case verb == "restore" && n == 1:
		f, err = r.restore(args)
	case verb == "clockMs" && n == 1:
		var ms int64
		err = scan(args, &ms)
		r.now = ms * event.Millisecond
	case verb == "advance" && n == 1:
		var ms int64
		err = scan(args, &ms)
		r.now += ms * event.Millisecond
	case verb == "commitsFail" && n == 0:
		r.refuses = true
	case verb == "commitsFail" && n == 1:
		err = scan(args, &r.refuses)
	case verb == "finish" && n == 0:
		r.function.Finish()
	case verb == "close" && n == 0:
		r.out = r.function.Close(r.out[:0])
	case verb == "crash" && n == 0:
		r.crashed = true
	default:
		return Unknown(fmt.Sprintf("%s with %d arguments", verb, n), errUnknown)
	}
	if err != nil {
		return done(err)
	}
	r.take()
	return r.finish(f, fails)
}

func (r *twoPhaseRun) write(args []json.RawMessage) (sink.Failure, error) {
	var value word
	if err := scan(args, &value); err != nil {
		return 0, err
	}
	number, f := r.function.Write(1)
	if f == sink.NoFailure {
		r.values[number] = append(r.values[number], string(value))
	}
	return f, nil
}

func (r *twoPhaseRun) snapshot(id event.Checkpoint) {
	r.function.Snapshot(r.now, id)
	r.begun()
	stored := sink.NewTwoPhase(r.function.TwoPhaseConfig)
	stored.CopyFrom(&r.function)
	r.saved[id] = &stored
}

func (r *twoPhaseRun) restore(args []json.RawMessage) (f sink.Failure, err error) {
	var id event.Checkpoint
	if err := scan(args, &id); err != nil {
		return 0, err
	}
	stored, ok := r.saved[id]
	if !ok || !r.crashed {
		return 0, errors.New("a restore needs a crash and that snapshot")
	}
	if r.out, f = r.function.Restore(r.now, r, r.out[:0], stored); f == sink.NoFailure {
		r.crashed = false
		r.begun()
	}
	return f, nil
}

// begun notes that the open transaction is known to the external system.
func (r *twoPhaseRun) begun() {
	if n := r.function.Open.Number; n != 0 {
		r.open = append(r.open, n)
	}
}

// take does in the external system what the function wanted.
func (r *twoPhaseRun) take() {
	for _, e := range r.out {
		known := slices.Contains(r.open, e.ID)
		switch e.Kind {
		case sink.Committed:
			if known {
				r.visible = append(r.visible, r.values[e.ID]...)
				r.settle(e.ID)
			}
		case sink.Aborted:
			if known { // one that is gone already is not aborted again
				r.aborted = append(r.aborted, append([]string{}, r.values[e.ID]...))
				r.settle(e.ID)
			}
		case sink.Lost:
			r.lost = append(r.lost, r.values[e.ID]...)
			r.settle(e.ID)
		case sink.NearlyLate:
			ms := e.Age / event.Millisecond
			r.warned = &ms
			r.warnings++
		}
	}
	r.out = r.out[:0]
}

func (r *twoPhaseRun) settle(number int64) {
	r.open = slices.DeleteFunc(r.open, func(n int64) bool { return n == number })
}

func (r *twoPhaseRun) value(key string, want json.RawMessage) (any, bool) {
	switch key {
	case "visible":
		return append([]string{}, r.visible...), true
	case "lost":
		return append([]string{}, r.lost...), true
	case "aborted":
		return append([][]string{}, r.aborted...), true
	case "openTransactions":
		return len(r.open), true
	case "openTransactionsAfterClose":
		return len(r.open) - len(r.copied().Close(nil)), true
	case "writeAfterFinish":
		if _, f := r.copied().Write(1); f != sink.NoFailure {
			return "error", true
		}
		return "done", true
	case "warningAgeMs":
		return r.warned, true
	case "jobFails", "error":
		return r.thrown(), true
	case "warnings": // how many, or whether
		if saysYesOrNo(want) {
			return r.warnings > 0, true
		}
		return r.warnings, true
	case "pendingCommits": // transactions that wait for the end of their checkpoint
		n := len(r.open)
		if r.function.Open.Number != 0 {
			n--
		}
		return n, true
	}
	return nil, false
}

func (r *twoPhaseRun) copied() *sink.TwoPhase {
	f := sink.NewTwoPhase(r.function.TwoPhaseConfig)
	f.CopyFrom(&r.function)
	return &f
}
