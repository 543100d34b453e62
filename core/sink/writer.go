// Package sink is what the sinks write to: transactions of a two-phase commit, the outside log, and what a
// read_committed and a read_uncommitted reader see of it when (spec 6).
package sink

import "checkpointlab/core/event"

// Transaction is records written and not yet visible to a read_committed reader.
type Transaction struct {
	ID      event.Checkpoint // the checkpoint that commits it; 0 = open
	Since   event.Time
	Records int64
	Runs    event.Runs
}

// Writer is one sink subtask.
type Writer struct {
	Transactional bool
	Open          Transaction
	Sealed        []Transaction // pre-committed, ascending by ID
	Visible       int64         // records that a read_committed reader sees
	Written       int64         // records that a read_uncommitted reader sees, aborted ones included
	Duplicates    int64         // visible records that were visible before
	UpTo          event.Checkpoint
	high          []int64 // by input channel and source: first position not shown yet, in event.Fine
	sources       int
}

// NewWriter makes a writer that tells duplicates apart by input channel and source.
func NewWriter(transactional bool, channels, sources int) Writer {
	return Writer{Transactional: transactional, Open: Transaction{Runs: event.EmptyRuns}, high: make([]int64, channels*sources), sources: sources}
}

// CopyFrom makes w a deep copy of src; the runs live in the shared slab.
func (w *Writer) CopyFrom(src *Writer) {
	sealed, high := append(w.Sealed[:0], src.Sealed...), append(w.high[:0], src.high...)
	*w = *src
	w.Sealed, w.high = sealed, high
}

// Write takes records. A transactional writer keeps them; else they are visible at once and returned as such.
func (w *Writer) Write(now event.Time, slab *event.Slab, r event.Run) (visible bool) {
	w.Written += r.Count
	if !w.Transactional {
		w.show(&r)
		return true
	}
	if w.Open.Records == 0 && w.Open.Since == 0 {
		w.Open.Since = now
	}
	w.Open.Records += r.Count
	slab.Append(&w.Open.Runs, r)
	return false
}

// show counts r's records as visible, and those of them that were visible before.
func (w *Writer) show(r *event.Run) {
	w.Visible += r.Count
	h := &w.high[int(r.Via)*w.sources+int(r.Src)]
	last := r.Pos + (r.Count-1)*r.PosStep
	switch {
	case last < *h:
		w.Duplicates += r.Count
		return
	case r.Pos < *h && r.PosStep > 0:
		w.Duplicates += (*h - r.Pos + r.PosStep - 1) / r.PosStep
	}
	*h = last + 1 // not a whole step on: the next run of a thinned one may begin sooner
}

// PreCommit seals the open transaction under a checkpoint and opens the next (spec 6.1, 1 and 3).
func (w *Writer) PreCommit(now event.Time, id event.Checkpoint) {
	if !w.Transactional {
		return
	}
	w.Open.ID = id
	w.Sealed = append(w.Sealed, w.Open)
	w.Open = Transaction{Since: now, Runs: event.EmptyRuns}
}

// Commit makes visible what is sealed up to a checkpoint, ascending (spec 6.1, 4); show is called for each run.
// It returns the number of records.
func (w *Writer) Commit(slab *event.Slab, upTo event.Checkpoint, shown func(*event.Run)) int64 {
	var n int64
	done := 0
	for ; done < len(w.Sealed) && w.Sealed[done].ID <= upTo; done++ {
		t := &w.Sealed[done]
		for i := t.Runs.First(); i >= 0; i = slab.Next(i) {
			w.show(slab.At(i))
			shown(slab.At(i))
		}
		n += t.Records
		slab.Clear(&t.Runs)
	}
	w.Sealed = w.Sealed[:copy(w.Sealed, w.Sealed[done:])]
	if upTo > w.UpTo {
		w.UpTo = upTo
	}
	return n
}

// Abort drops every transaction that is not visible: the task failed and was restored (spec 6.1, restore). It returns
// the number of records that were aborted.
func (w *Writer) Abort(slab *event.Slab) int64 {
	n := w.Open.Records
	for i := range w.Sealed {
		n += w.Sealed[i].Records
		slab.Clear(&w.Sealed[i].Runs)
	}
	w.Sealed = w.Sealed[:0]
	slab.Clear(&w.Open.Runs)
	w.Open = Transaction{Runs: event.EmptyRuns}
	return n
}
