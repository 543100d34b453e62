package sink

import (
	"fmt"

	"checkpointlab/core/event"
)

// Timeouts of Kafka's transactions (spec 6.2).
const (
	KafkaSinkTimeout = 3600 * event.Second // transaction.timeout.ms as KafkaSink sets it unless given
	BrokerMaxTimeout = 900 * event.Second  // transaction.max.timeout.ms, the broker's default
)

// CheckTimeout refuses a transaction timeout above what the broker allows: such a producer fails at its start.
func CheckTimeout(timeout, brokerMax event.Time) error {
	if timeout <= brokerMax {
		return nil
	}
	return fmt.Errorf("transaction.timeout.ms is %d, the broker's transaction.max.timeout.ms is %d: the producer fails at its start; lower the first or raise the second",
		timeout/event.Millisecond, brokerMax/event.Millisecond)
}

// Transaction is records written and not yet visible to a read_committed reader.
type Transaction struct {
	Number  int64 // ascending by writer from 1; 0 = there is none
	Records int64
	Contents
	ID    event.Checkpoint // the checkpoint that commits it; 0 = open
	Since event.Time
}

// Transactions are one writer's at the external system: one takes records, others are pre-committed.
type Transactions struct {
	Open   Transaction
	Sealed []Transaction // pre-committed, ascending by number

	begun int64      // numbers given
	spare []Contents // memory of those that are gone
}

// Begin opens the next transaction.
//
//go:noinline
func (t *Transactions) Begin(now event.Time) {
	t.begun++
	t.end()
	t.Open.Number, t.Open.Since = t.begun, now
}

// Seal pre-commits the open transaction under a checkpoint and leaves none open.
func (t *Transactions) Seal(id event.Checkpoint) {
	t.Open.ID = id
	t.Sealed = append(t.Sealed, t.Open)
	t.Open = Transaction{Contents: t.empty()}
}

// end leaves no transaction open and drops what the open one had.
func (t *Transactions) end() {
	contents := t.Open.Contents
	contents.clear()
	t.Open = Transaction{Contents: contents}
}

// empty is without records, in the memory of those that are gone.
func (t *Transactions) empty() (c Contents) {
	if n := len(t.spare); n > 0 {
		c, t.spare = t.spare[n-1], t.spare[:n-1]
	}
	return c
}

// give takes the memory of a transaction that is gone.
func (t *Transactions) give(c Contents) {
	c.clear()
	t.spare = append(t.spare, c)
}

// Expired reports whether the external system has aborted x by now: the timeout counts from the beginning to the commit, no
// matter whether x is pre-committed or the job is down (spec 6.2).
func (x *Transaction) Expired(now, timeout event.Time) bool {
	return x.Number != 0 && now-x.Since > timeout
}

// sealed is the place of a pre-committed transaction, -1 if it is not there any more.
func (t *Transactions) sealed(number int64) int {
	for i := range t.Sealed {
		if t.Sealed[i].Number == number {
			return i
		}
	}
	return -1
}

// drop takes the i-th pre-committed transaction out.
func (t *Transactions) drop(i int) {
	t.give(t.Sealed[i].Contents)
	t.Sealed = append(t.Sealed[:i], t.Sealed[i+1:]...)
}

// CopyFrom makes t a deep copy of src, in t's own memory.
func (t *Transactions) CopyFrom(src *Transactions) {
	for i := range t.Sealed {
		t.give(t.Sealed[i].Contents)
	}
	open, sealed := t.Open.Contents, t.Sealed[:0]
	open.copyFrom(&src.Open.Contents)
	for _, x := range src.Sealed {
		contents := t.empty()
		contents.copyFrom(&x.Contents)
		x.Contents = contents
		sealed = append(sealed, x)
	}
	t.Open, t.Sealed, t.begun = src.Open, sealed, src.begun
	t.Open.Contents = open
}
