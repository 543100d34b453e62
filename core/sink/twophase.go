package sink

import "checkpointlab/core/event"

// TwoPhaseConfig is what does not change of a TwoPhase.
type TwoPhaseConfig struct {
	Timeout            event.Time // transaction.timeout.ms in ns; event.Never = none
	WarnPerMille       int64      // a transaction open for more than this part of Timeout is warned of when it is committed; -1 = never
	IgnoreAfterTimeout bool       // a recovered transaction that is older than Timeout and cannot be committed is given up
}

// TwoPhase is the older two-phase commit function (TwoPhaseCommitSinkFunction, spec 6.3): one transaction a checkpoint,
// kept by the function itself. It has no committer: what its snapshot stores is the pre-committed transactions and the
// open one.
type TwoPhase struct {
	TwoPhaseConfig
	Transactions
	finished bool
}

// NewTwoPhase is a function that has not begun; Restore begins.
func NewTwoPhase(c TwoPhaseConfig) TwoPhase {
	return TwoPhase{TwoPhaseConfig: c}
}

// Write takes records into the open transaction; it answers its number.
func (p *TwoPhase) Write(n int64) (number int64, f Failure) {
	if p.finished || p.Open.Number == 0 {
		return 0, InputEnded
	}
	p.Open.Records += n
	return p.Open.Number, NoFailure
}

// Snapshot pre-commits the open transaction under a checkpoint and begins the next, unless the input has ended (vector
// 2pc.after-finish). A deep copy made after it is what the checkpoint stores.
func (p *TwoPhase) Snapshot(now event.Time, id event.Checkpoint) {
	if p.Open.Number != 0 {
		p.Seal(id)
	}
	if !p.finished {
		p.Begin(now)
	}
}

// Finish is the end of the input: the open transaction waits for the final checkpoint.
func (p *TwoPhase) Finish() { p.finished = true }

// Complete is notifyCheckpointComplete: all that is pre-committed up to id is committed. One that cannot be does not keep
// the others back; then the task fails. An older notification finds nothing to do.
func (p *TwoPhase) Complete(now event.Time, id event.Checkpoint, ext External, out []Effect) (_ []Effect, f Failure) {
	kept := p.Sealed[:0]
	for _, x := range p.Sealed {
		if x.ID > id {
			kept = append(kept, x)
			continue
		}
		var ok bool
		if out, ok = p.commit(now, &x, ext, out); !ok {
			f = CommitFailed
		}
	}
	p.Sealed = kept
	return out, f
}

// commit tries one transaction, once.
func (p *TwoPhase) commit(now event.Time, x *Transaction, ext External, out []Effect) ([]Effect, bool) {
	m := Message{Kind: Committable, Checkpoint: x.ID, ID: x.Number}
	if age := now - x.Since; p.WarnPerMille >= 0 && age > share(p.Timeout, p.WarnPerMille) {
		out = append(out, Effect{Kind: NearlyLate, Message: m, Age: age})
	}
	if a := ext.Attempt(now, m, 0); a != Success && a != Already {
		return out, false
	}
	return append(out, Effect{Kind: Committed, Message: m}), true
}

// share is a part of t in per mille.
func share(t event.Time, perMille int64) event.Time {
	return t/1000*perMille + t%1000*perMille/1000
}

// Restore begins anew, from what a checkpoint stored if there are parts, one a subtask before: pre-committed transactions
// are committed, the one that was open is aborted, a new one begins (vectors 2pc.fail-before-notify,
// 2pc.restore-after-finish). One that cannot be committed fails the task, and Restore is tried again, unless
// IgnoreAfterTimeout gives it up as lost. What p held itself stays with the external system; no part may be p.
func (p *TwoPhase) Restore(now event.Time, ext External, out []Effect, parts ...*TwoPhase) ([]Effect, Failure) {
	p.Open, p.Sealed, p.finished = Transaction{}, p.Sealed[:0], false
	for _, part := range parts {
		for i := range part.Sealed {
			x := &part.Sealed[i]
			var ok bool
			if out, ok = p.commit(now, x, ext, out); ok {
				continue
			}
			if !p.IgnoreAfterTimeout || !x.Expired(now, p.Timeout) {
				return out, CommitFailed
			}
			out = append(out, Effect{Kind: Lost, Message: Message{Kind: Committable, Checkpoint: x.ID, ID: x.Number}})
		}
		out = abort(&part.Open, out)
		p.begun = max(p.begun, part.begun)
	}
	p.Begin(now)
	return out, NoFailure
}

// Close aborts the open transaction: the task ends.
func (p *TwoPhase) Close(out []Effect) []Effect {
	out = abort(&p.Open, out)
	p.Open = Transaction{}
	return out
}

func abort(x *Transaction, out []Effect) []Effect {
	if x.Number == 0 {
		return out
	}
	return append(out, Effect{Kind: Aborted, Message: Message{Kind: Committable, ID: x.Number}})
}

// CopyFrom makes p a deep copy of src: also what a checkpoint stores of it.
func (p *TwoPhase) CopyFrom(src *TwoPhase) {
	p.Transactions.CopyFrom(&src.Transactions)
	p.TwoPhaseConfig, p.finished = src.TwoPhaseConfig, src.finished
}
