package sink

import "checkpointlab/core/event"

// Writer is one sink subtask of a run: a writer's operator with, if it is transactional, its committer, and the subtask's
// own partition of the outside log. A transaction is the committable; records are flushed as they are written, so that a
// read_uncommitted reader sees them at once (spec 6.2).
//
// The sinks of a wide job do not fit into a processor's caches: what Write looks at stands in the first cache line and in those of
// the open transaction.
type Writer struct {
	Transactional bool
	AtEnd         bool // it has committed behind the end of its input what no checkpoint has that was complete
	head          Head
	Output
	_ [40]byte // what follows begins with a line
	Transactions

	Timeout   event.Time // transaction.timeout.ms in ns
	UpTo      event.Checkpoint
	committer Committer
	last      event.Checkpoint // of the last barrier
	refusing  event.Checkpoint // up to which the external system refuses the call under way
	effects   []Effect         // reused
	messages  []Message        // reused
	prepared  [1]int64         // reused
	_         [32]byte         // whole lines
}

// NewWriter makes a writer of a sink with so many input channels.
func NewWriter(transactional bool, channels int) Writer {
	return Writer{
		Transactional: transactional, Timeout: KafkaSinkTimeout,
		Output:    NewOutput(channels),
		head:      Head{Commits: transactional},
		committer: NewCommitter(CommitterConfig{Retries: DefaultRetries, Checkpointing: true}),
	}
}

// CopyFrom makes w a deep copy of src.
func (w *Writer) CopyFrom(src *Writer) {
	w.AtEnd = src.AtEnd
	w.Transactional, w.Timeout, w.UpTo, w.last = src.Transactional, src.Timeout, src.UpTo, src.last
	w.Transactions.CopyFrom(&src.Transactions)
	w.Output.CopyFrom(&src.Output)
	w.head.CopyFrom(&src.head)
	w.committer.CopyFrom(&src.committer)
}

// Write takes n records in runs, the first of which is written at now. A transactional writer keeps them; else they are visible
// at once and returned as such.
func (w *Writer) Write(now event.Time, runs []event.Run, n int64) (visible bool) {
	if w.head.Write(n) != NoFailure {
		panic("sink: a run's input does not end")
	}
	w.Written += n
	if !w.Transactional {
		w.showAll(runs)
		return true
	}
	if w.Open.Number == 0 {
		w.Begin(now)
	}
	w.Open.Records += n
	w.Open.add(runs, !w.ByCount)
	return false
}

// showAll makes records visible at once.
//
//go:noinline
func (w *Writer) showAll(runs []event.Run) {
	for i := range runs {
		w.Show(&runs[i])
	}
}

// Fetch reads ahead what Write needs first; the result means nothing.
func (w *Writer) Fetch() int {
	return int(w.Written) + int(w.head.buffered) + int(w.Open.Records) + int(w.Open.last.Born) + int(w.Open.last.Via)
}

// FetchLast reads ahead what Write needs next, which Fetch has made reachable; the result means nothing.
func (w *Writer) FetchLast() int {
	if n := len(w.Open.Runs); n > 0 {
		return int(w.Open.Runs[n-1].Count)
	}
	return 0
}

// PreCommit is called ahead of a checkpoint's barrier: a transaction with records is pre-committed and handed to the committer,
// and the next one begins; one without records is given up and hands nothing over (spec 6.1, 1 to 3). It fails if the external
// system has aborted the open transaction: then the producer is fenced, and the records are read again after the restart.
func (w *Writer) PreCommit(now event.Time, id event.Checkpoint) Failure {
	if w.Open.Records > 0 && w.Open.Expired(now, w.Timeout) {
		return TransactionExpired
	}
	prepared := w.prepared[:0]
	if w.Open.Records > 0 {
		prepared = append(prepared, w.Open.Number)
		w.Seal(id)
	}
	if w.last = id; w.Transactional && !w.Ended() {
		w.Begin(now)
	}
	w.messages = w.head.PreBarrier(id, prepared, w.messages[:0])
	for _, m := range w.messages {
		if f := w.committer.Take(m); f != NoFailure {
			return f
		}
	}
	return NoFailure
}

// Unflushed reports whether records were written since the last flush.
func (w *Writer) Unflushed() bool { return w.head.Buffered() > 0 }

// EndInput is called at the end of the input: what was written since the last barrier is pre-committed under the next
// checkpoint's id, so that the first checkpoint after the end commits it (SinkWriterOperator.endInput of 2.x; before
// FLINK-36455 under the highest id there is). No transaction begins any more. It returns that id.
func (w *Writer) EndInput(now event.Time) (id event.Checkpoint, f Failure) {
	id = w.last + 1
	if w.Open.Records > 0 && w.Open.Expired(now, w.Timeout) {
		return id, TransactionExpired
	}
	prepared := w.prepared[:0]
	if w.Open.Records > 0 {
		prepared = append(prepared, w.Open.Number)
		w.Seal(id)
	}
	w.end()
	w.messages = w.head.EndInputUnder(id, prepared, w.messages[:0])
	for _, m := range w.messages {
		if f := w.committer.Take(m); f != NoFailure {
			return id, f
		}
	}
	return id, NoFailure
}

// Restored makes the writer start anew from a checkpoint, 0 = from none: that is the last one it knows
// (SinkWriterOperator.initializeState).
func (w *Writer) Restored(id event.Checkpoint) { w.last = id }

// GoOn makes the writer start from a checkpoint that others have committed.
func (w *Writer) GoOn(id event.Checkpoint) { w.UpTo, w.last = max(w.UpTo, id), max(w.last, id) }

// Ended reports whether the input has ended.
func (w *Writer) Ended() bool { return w.head.Ended() }

// Newest is the checkpoint under which the last transaction was pre-committed that is not committed; 0 = there is none.
func (w *Writer) Newest() event.Checkpoint {
	if n := len(w.Sealed); n > 0 {
		return w.Sealed[n-1].ID
	}
	return 0
}

// Oldest is the checkpoint under which the first transaction was pre-committed that is not committed; 0 = there is none.
func (w *Writer) Oldest() event.Checkpoint {
	if len(w.Sealed) > 0 {
		return w.Sealed[0].ID
	}
	return 0
}

// Commit handles a completed checkpoint: what is pre-committed up to it becomes visible in ascending order (spec 6.1, 4); show
// is called for each transaction. It returns the number of records that became visible and of those that are lost because their
// transaction was open for too long (spec 6.2).
func (w *Writer) Commit(now event.Time, upTo event.Checkpoint, show func(*Contents)) (shown, lost int64, f Failure) {
	w.UpTo = max(w.UpTo, upTo)
	w.effects, f = w.committer.Complete(now, upTo, (*broker)(w), w.effects[:0])
	for i := range w.effects {
		at := w.sealed(w.effects[i].ID)
		if at < 0 {
			continue
		}
		x := &w.Sealed[at]
		if w.effects[i].Kind == Committed {
			shown += x.Records
			w.reveal(x)
			show(&x.Contents)
		} else {
			lost += x.Records
			w.lose(x.Records)
		}
		w.drop(at)
	}
	w.refusing = 0
	return shown, lost, f
}

// reveal makes the records of x visible.
func (w *Writer) reveal(x *Transaction) {
	if w.ByCount {
		w.showCount(x.Records)
		return
	}
	for i := range x.Runs {
		w.showFrom(x.Runs[i].Count, x.origins[i])
	}
}

// broker is the external system as the committer sees it: it has aborted what was open for longer than the timeout.
type broker Writer

func (b *broker) Attempt(now event.Time, m Message, _ int) Answer {
	switch at := b.sealed(m.ID); {
	case at < 0:
		return Already
	case b.Sealed[at].ID <= b.refusing:
		return Retry
	case b.Sealed[at].Expired(now, b.Timeout):
		return FailedKnown
	default:
		return Success
	}
}

// Refused is how long attempts to commit what is pre-committed up to a checkpoint go on, if the external system refuses until
// an instant and each attempt takes a time (spec 6.1, retries): one right after the other, for each checkpoint by itself. ok is
// false if the last permitted attempt is refused.
func (w *Writer) Refused(now event.Time, upTo event.Checkpoint, till, each event.Time) (span event.Time, ok bool) {
	at := now
	for i := range w.Sealed {
		if w.Sealed[i].ID > upTo || at >= till {
			continue
		}
		most := int64(w.committer.Tries())
		if each == 0 || (till-at+each-1)/each >= most { // as many are refused
			return at - now + most*each, false
		}
		at += (till - at + each - 1) / each * each
	}
	return at - now, true
}

// RefusedOnce is how long a call of 1.18's committer takes (CommitterConfig.Later), which tries each transaction up to a checkpoint once,
// and up to which checkpoint they are refused, 0 = none is. Once the input has ended the call does not return before all is committed
// (CommitterOperator.commitAndEmitCheckpoints of 1.18).
func (w *Writer) RefusedOnce(now event.Time, upTo event.Checkpoint, till, each event.Time) (span event.Time, refused event.Checkpoint) {
	at := now
	for i := range w.Sealed {
		if w.Sealed[i].ID <= upTo && at < till {
			at, refused = at+each, w.Sealed[i].ID
		}
	}
	switch {
	case refused == 0 || !w.Ended():
		return at - now, refused
	case each == 0:
		return till - now, 0
	}
	return (till - now + each - 1) / each * each, 0
}

// Retry sets how often a refused commit is tried again; later: each second, however often, as 1.18 does it.
func (w *Writer) Retry(times int, later bool) { w.committer.Retries, w.committer.Later = times, later }

// Refuse lets the external system refuse what is pre-committed up to a checkpoint in the next Commit.
func (w *Writer) Refuse(upTo event.Checkpoint) { w.refusing = upTo }

// Commits are the committer's metrics.
func (w *Writer) Commits() Counts { return w.committer.Metrics() }

// Unfinished reports whether something is pre-committed and not committed.
func (w *Writer) Unfinished() bool { return w.committer.Unfinished() }

// Completed is the newest checkpoint that the committer knows to be complete.
func (w *Writer) Completed() event.Checkpoint { return w.committer.last }

// Owes is how many records are pre-committed.
func (w *Writer) Owes() (records int64) {
	for i := range w.Sealed {
		records += w.Sealed[i].Records
	}
	return records
}

// Rewind is Output.Rewind to what a checkpoint stored, of which what is owed is not shown yet.
func (w *Writer) Rewind(to int64, id event.Checkpoint) { w.Output.Rewind(to-w.Owes(), id) }

// Settle: the job will not go back to before a checkpoint any more.
func (w *Writer) Settle(id event.Checkpoint) { w.Lanes.settle(id) }

// Abort drops every transaction that is not visible, but for those up to a checkpoint, 0 = all: the task failed and was restored (spec
// 6.1, restore). It returns the number of records that were aborted.
func (w *Writer) Abort(kept event.Checkpoint) int64 {
	n, owed := w.Open.Records, 0
	for i := range w.Sealed {
		if w.Sealed[i].ID <= kept {
			owed++
			continue
		}
		n += w.Sealed[i].Records
		w.give(w.Sealed[i].Contents)
	}
	w.Sealed = w.Sealed[:owed]
	w.end()
	w.head.Restore()
	if w.committer.ForgetAfter(kept); owed == 0 {
		w.committer.Reset()
	}
	return n
}
