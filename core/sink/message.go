// Package sink is what the sinks write to and how it becomes visible (spec 6): the writer's and the committer's operators
// of Sink V2, the older two-phase commit function, transactions at an external system that aborts those that are open for
// too long, and what a read_committed and a read_uncommitted reader see when.
//
// Read Message (what a writer tells its committer), Head (when it tells it), Committer (when that commits), then Writer: one
// sink subtask of a run, which is made of them. TwoPhase is the older function, on the same Transactions.
//
// All are pure: time and input come in, effects go out into the caller's buffer, the external system is asked through
// External.
package sink

import (
	"math"

	"checkpointlab/core/event"
)

// EndOfInput stands for a checkpoint's id in what is handed over when the input ends (CommittableMessage.EOI).
const EndOfInput event.Checkpoint = math.MaxInt64

// MessageKind says what a Message is.
type MessageKind uint8

// The kinds of a message.
const (
	Summary     MessageKind = iota // Count committables follow, 0 is said, too
	Committable                    // ID is to be committed, or was
)

// Message is what a writer tells a committer, and a committer a post-commit topology (spec 6.1, 2 and 4).
type Message struct {
	Kind       MessageKind
	Checkpoint event.Checkpoint
	Subtask    int32 // that sends it
	Count      int32
	ID         int64
}

// Failure is why a task with a sink fails.
type Failure uint8

// The failures.
const (
	NoFailure          Failure = iota
	Incomplete                 // completion while announced committables are missing (spec 6.1, 5)
	RetriesExhausted           // sink.committer.retries attempts after the first one asked for another
	CommitFailed               // the external system refused for no known reason
	SummaryTwice               // two summaries of one writer for one checkpoint
	NotAnnounced               // a committable without a summary, or more than it said
	InputEnded                 // a record behind the end of the input
	TransactionExpired         // the external system aborted the open transaction (spec 6.2)
)

var failures = [...]string{
	"", "Trying to commit an incomplete batch of committables", "committables still asked for a retry after sink.committer.retries",
	"a commit failed for an unknown reason", "a second summary of a writer for one checkpoint",
	"a committable that no summary announced", "a record came after the end of the input",
	"the open transaction was longer open than transaction.timeout.ms",
}

// String is the failure in words.
func (f Failure) String() string { return failures[f] }

// Answer is what an external system says to one attempt to commit (Committer.CommitRequest).
type Answer uint8

// The answers.
const (
	Success       Answer = iota
	Already              // it was committed before: a commit is idempotent (spec 6.1)
	Retry                // retryLater: try again at once
	FailedKnown          // signalFailedWithKnownReason: it is lost, the job goes on
	FailedUnknown        // signalFailedWithUnknownReason, or an exception: the task fails
)

// External is the system that a sink writes to.
type External interface {
	// Attempt tries to commit m; attempt counts from 0. It must not change what the machine that asks is made of.
	Attempt(now event.Time, m Message, attempt int) Answer
}

// EffectKind says what an Effect is.
type EffectKind uint8

// The effects.
const (
	Committed  EffectKind = iota // Message.ID is committed, now or before
	Lost                         // Message.ID cannot be committed, for a known reason
	Emitted                      // Message goes downstream
	Aborted                      // transaction Message.ID is aborted
	NearlyLate                   // transaction Message.ID has been open for Age: close to its timeout or beyond
)

// Effect is what a machine does.
type Effect struct {
	Kind EffectKind
	Message
	Age event.Time
}
