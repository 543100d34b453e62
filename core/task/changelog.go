package task

import (
	"checkpointlab/core/event"
	"checkpointlab/core/sim"
	"checkpointlab/core/state"
	"checkpointlab/core/state/storage"
)

// changelog is a task's log of state changes with its materializations (spec 8.3).
type changelog struct {
	state.Changelog
	every     event.Time // between materializations
	number    int64      // of the last snapshot of the backend, a materialization or a savepoint: its id for the backend
	made      int64      // … of the last materialization that was begun, or native savepoint
	making    int64      // … of the materialization under way
	settled   int64      // … of the last one that a completed checkpoint is based on, or that failed
	of        int64      // … of the one that checkpoints are based on; 0 = what was restored
	uses      []basis    // checkpoints of which it is not known what became, oldest first
	base      state.Part // what the latest one has in the storage
	next      state.Part // what the one under way writes,
	written   bool       // all of which is there, and the thread has yet to hear it
	discarded []state.File
	full      bool       // it was, behind the event that was read last
	waits     bool       // the thread waits until more of it is written,
	since     event.Time // since then,
	waited    event.Time // and has waited so long before (changelogBusyTimeMsPerSecond)
	counts    LogCounts
}

// basis is a checkpoint, or a native savepoint, and the materialization that it has.
type basis struct {
	id event.Checkpoint
	of int64
}

// LogCounts is what Flink counts of a changelog in one execution attempt, by the names of ChangelogStorageMetricGroup,
// ChangelogMaterializationMetricGroup and ChangelogStateBackendMetricGroup. Sizes are bytes; those of the last checkpoint.
type LogCounts struct {
	UploadRequests, UploadFailures int64
	Started, Completed, Failed     int64      // materializations
	Duration                       event.Time // of the last one that completed
	FullMaterialized               int64      // lastFullSizeOfMaterialization
	FullLogged, IncLogged          int64      // lastFullSizeOfNonMaterialization, lastIncSizeOfNonMaterialization
}

// LogCounts is what Flink counts of the task's changelog; ok is false without one.
func (t *Task) LogCounts() (n LogCounts, ok bool) {
	if t.log == nil {
		return n, false
	}
	return t.log.counts, true
}

// KeepLog gives the task a changelog that is materialized with the given period.
func (t *Task) KeepLog(c state.ChangelogConfig, every event.Time) {
	t.log = &changelog{Changelog: state.NewChangelog(c, 0), every: every}
}

func (c *changelog) copyFrom(src *changelog) {
	c.Changelog.CopyFrom(&src.Changelog)
	c.every, c.number, c.made, c.making, c.settled, c.of, c.written = src.every, src.number, src.made, src.making, src.settled, src.of, src.written
	c.uses = append(c.uses[:0], src.uses...)
	c.waits, c.since, c.waited, c.counts = src.waits, src.since, src.waited, src.counts
	c.base.CopyFrom(&src.base)
	c.next.CopyFrom(&src.next)
}

// LogBlocked reports whether more of the log is being uploaded than is allowed.
func (t *Task) LogBlocked() bool { return t.log != nil && t.log.Blocked() }

// waitForLog notes that the thread waits until more of its log is written, or that it does no longer (StreamTask.processInput).
func (t *Task) waitForLog(now event.Time, waits bool) {
	if c := t.log; c != nil {
		c.waited, c.since, c.waits = t.LogWaited(now), now, waits
	}
}

// LogWaited is how long the thread has waited for its log.
func (t *Task) LogWaited(now event.Time) event.Time {
	switch c := t.log; {
	case c == nil:
		return 0
	case c.waits:
		return c.waited + now - c.since
	default:
		return c.waited
	}
}

// persist is the asynchronous part of a checkpoint: the latest materialization and the log from there on.
func (w *World) persist(now event.Time, t *Task, cp event.Checkpoint, u *Upload, p *state.Part) {
	c := t.log
	u.left++
	c.uses = append(c.uses, basis{cp, c.of})
	effects := c.Persist(now, cp, w.logged[:0])
	p.Base = c.Base()
	p.Log = c.Refers(p.Base.Position, c.End(), p.Log[:0])
	p.Inline, p.Small = p.Inline+c.base.Inline, append(p.Small, c.base.Small...)
	p.Reused = append(append(p.Reused[:0], c.base.Reused...), c.base.Upload...)
	p.Full += c.base.Full + c.Length()
	p.Threads = max(1, c.base.Threads)
	u.Full = p.Full
	w.carryLog(now, t, effects)
}

// carryLog carries out the changelog's effects.
func (w *World) carryLog(now event.Time, t *Task, effects []state.ChangelogEffect) {
	w.logged = effects[:0]
	w.truncated(now, t, effects)
	for _, e := range effects {
		switch e.Kind {
		case state.ArmBatch:
			w.Queue.Push(sim.Item{At: e.At, Kind: event.DueLog, A: t.ID, Gen: t.Gen})
		case state.Upload:
			w.writeSegment(now, t, e.Number, e.Bytes)
		case state.Stored:
			if u := t.find(e.ID); u != nil {
				u.Stored += e.Size.Checkpointed
				n := &t.log.counts
				n.FullMaterialized, n.FullLogged, n.IncLogged = t.log.base.Full, e.Size.Full, e.Size.Checkpointed
				w.partDone(now, t, e.ID)
			}
		case state.FailTask:
			w.failed(now, t, event.LogUnwritten)
		}
	}
}

func (w *World) writeSegment(now event.Time, t *Task, number, bytes int64) {
	i := w.Store.Place(storage.Head{Op: storage.Write, Purpose: storage.Log, Client: t.ID, Manager: t.Manager, Gen: t.Gen, Number: number})
	w.Store.Add(i, storage.Item{Owner: t.ID, Shared: true, ID: storage.LogFile(number), Bytes: bytes})
	w.Store.Start(now, i)
	t.log.counts.UploadRequests++
}

// LogDue is called at the end of a batch's delay (number 0), or of the pause after a segment that could not be written.
func (w *World) LogDue(now event.Time, id event.Task, number int64, gen uint32) {
	t := &w.Tasks[id]
	switch {
	case t.Gen != gen || !t.Alive:
	case number == 0:
		w.carryLog(now, t, t.log.Tick(now, w.logged[:0]))
	default:
		w.writeSegment(now, t, number, t.log.Bytes(number))
	}
}

// LogStored is called when a segment has been written.
func (w *World) LogStored(now event.Time, e *storage.Effect) {
	t := &w.Tasks[e.Client]
	switch {
	case t.Gen != e.Gen || !t.Alive:
		if e.OK {
			w.Store.Regret(now, e)
		}
	case !e.OK:
		t.log.counts.UploadFailures++
		w.Queue.Push(sim.Item{At: now + w.Rules.Options.ChangelogRetryDelay, Kind: event.DueLog, A: t.ID, ID: e.Number, Gen: t.Gen})
	default:
		blocked := t.LogBlocked()
		if t.log.Freed(e.Number); blocked && !t.LogBlocked() {
			if t.log.waits && !t.ran {
				t.mailed++
			}
			w.poke(now, t)
		}
		w.tellLog(now, t, event.MailLogged, e.Number)
	}
}

// tellLog lets a task's thread hear what was stored of its log; a mailbox that is closed takes nothing, though what is being stored is waited
// for.
func (w *World) tellLog(now event.Time, t *Task, kind event.Mail, number int64) {
	if t.End.closing {
		w.hearsOfLog(now, t, kind, number)
		return
	}
	w.Mail(now, t.ID, kind, number)
}

// hearsOfLog is the thread hearing it.
func (w *World) hearsOfLog(now event.Time, t *Task, kind event.Mail, number int64) {
	if kind == event.MailMaterialized {
		w.materialized(now, t)
		return
	}
	w.carryLog(now, t, t.log.Uploaded(number, w.logged[:0]))
}

// limitByLog ends the step with the record whose change is uploaded ahead of a checkpoint, with all before it.
func (t *Task) limitByLog() {
	left := t.log.Left()
	if t.logs(t.Step.N) < left {
		return
	}
	least, most := int64(1), t.Step.N // of so many the change is uploaded
	for least < most {
		if n := (least + most) / 2; t.logs(n) < left {
			least = n + 1
		} else {
			most = n
		}
	}
	t.Step.N = most
}

// logs is how many bytes of changes the next n records make.
func (t *Task) logs(n int64) int64 {
	bytes := n * t.Change
	if b, ok := t.Working.(state.Logging); ok {
		bytes += b.Logs(n)
	}
	return bytes
}
