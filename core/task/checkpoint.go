package task

import (
	"slices"

	"checkpointlab/core/barrier"
	"checkpointlab/core/event"
	"checkpointlab/core/network"
	"checkpointlab/core/sim"
	"checkpointlab/core/sink"
	"checkpointlab/core/state"
)

// receive handles an event taken from channel c; true: the thread went into the synchronous part of a snapshot.
func (w *World) receive(now event.Time, t *Task, c event.Channel, e *network.Entry) bool {
	slot := w.Net.Wires[c].Slot
	switch {
	case e.Kind == network.Cancel:
		return w.carry(now, t, t.Handler.OnCancel(now, slot, e.ID, w.effects[:0]))
	case e.Kind == network.EndData:
		w.dataEnded(now, t, c, e.Flags&network.Stop == 0)
		return false
	case e.Kind == network.End:
		return w.carry(now, t, t.Handler.OnEndOfPartition(now, slot, w.effects[:0]))
	case e.Announcement:
		t.flow.announce(slot, e.Sequence)
		return w.carry(now, t, t.Handler.OnAnnouncement(now, slot, barrierOf(e), w.effects[:0]))
	}
	w.Feed.Emit(event.Event{At: now, Kind: event.BarrierReceived, Task: t.ID, Channel: c, Checkpoint: e.ID})
	return w.carry(now, t, t.Handler.OnBarrier(now, slot, barrierOf(e), w.effects[:0]))
}

// urgent handles the priority events of all gates, which do not wait for the data ahead of them. One mail is for all of them
// (CheckpointedInputGate.processPriorityEvents): behind a synchronous part it goes on.
func (w *World) urgent(now event.Time, t *Task) bool {
	for i, g := range t.Gates {
		for w.Net.Urgent(g) {
			c, e := w.Net.Poll(now, g)
			w.measures(now, t, i)
			if w.receive(now, t, c, e) {
				t.mails = slices.Insert(t.mails, 0, mail{kind: event.MailPriority, urgent: true})
				t.batch.left++
				return true
			}
		}
	}
	return false
}

// carry carries out the handler's effects in order. It returns true if a snapshot's synchronous part holds up the rest.
func (w *World) carry(now event.Time, t *Task, effects []barrier.Effect) bool {
	w.effects = effects[:0]
	for i := range effects {
		switch e := &effects[i]; e.Kind {
		case barrier.Resume:
			w.Net.Resume(now, w.channel(t, e.Channel))
		case barrier.Snapshot:
			if w.drain(now, t) {
				t.held = append(t.held[:0], effects[i:]...)
				return true
			}
			if w.snapshot(now, t, e) {
				t.held = append(t.held[:0], effects[i+1:]...)
				return true
			}
		case barrier.PassCancel:
			w.giveUp(now, t, e.ID)
			w.cancelOn(now, t, e.ID)
		case barrier.Abort:
			w.giveUp(now, t, e.ID)
			w.cancelOn(now, t, e.ID)
			w.notStopped(now, t, e.ID)
			w.Queue.Push(sim.Item{At: now + w.Rules.RPC, Kind: event.DueDecline, A: t.ID, B: int32(e.Reason), ID: e.ID, Gen: t.Gen})
		case barrier.Start:
			w.openFlow(now, t, e)
		case barrier.StoreInput:
			w.storeInput(now, t, e.ID, w.channel(t, e.Channel))
		case barrier.StopStoring:
			w.Net.Channels[w.channel(t, e.Channel)].Input.Stop(e.ID)
		case barrier.MakePriority:
			w.Net.Prioritize(w.channel(t, e.Channel), t.flow.sequence(e.Channel))
			w.Mail(now, t.ID, event.MailPriority, 0)
		case barrier.AlignmentEnded:
			w.aligned(now, t, e)
		case barrier.RegisterTimer:
			w.Queue.Push(sim.Item{At: e.At + event.TimerLag, Kind: event.DueMail, A: t.ID, B: event.MailTimer, ID: e.ID, Gen: t.Gen})
		}
	}
	return false
}

// channel is the channel at a slot of the task.
func (w *World) channel(t *Task, slot int32) event.Channel {
	for _, g := range t.Gates {
		line := w.Net.Gates[g].First
		if int(slot) < len(line) {
			return line[slot]
		}
		slot -= int32(len(line))
	}
	panic("task: no such slot")
}

// cancelOn passes a cancellation marker on.
func (w *World) cancelOn(now event.Time, t *Task, id event.Checkpoint) {
	for _, p := range t.Outs {
		w.Net.Broadcast(now, p, network.Entry{Kind: network.Cancel, ID: id, Runs: event.EmptyRuns})
	}
}

// snapshot performs the task's part of a checkpoint in Flink's order (spec 3.6): pre-commit, barrier on to every output,
// then the synchronous part; true: the thread is in it.
func (w *World) snapshot(now event.Time, t *Task, e *barrier.Effect) bool {
	t.Latest = e.ID
	if t.End.Data && t.End.least == 0 {
		t.End.least = e.ID
	}
	if e.Barrier.Stop {
		t.End.savepoint = e.ID
	}
	w.remember(now, t, e.ID)
	t.awaits = false // SourceOperator.snapshotState
	if t.Kind == Sink && w.Writers[t.Writer].PreCommit(now, e.ID) != sink.NoFailure {
		w.failed(now, t, event.SinkFailed)
		return false
	}
	if e.Alignment < 0 {
		w.beginFlow(now, t, e.ID)
		t.flow.inputs = true
	}
	w.passOn(now, t, e.Barrier)
	w.Feed.Emit(event.Event{At: now, Kind: event.TaskSnapshot, Task: t.ID, Checkpoint: e.ID, A: e.StartDelay, N: e.Alignment, B: e.Bytes})
	part := w.part(t, e.ID)
	if kind := w.kindOf(e.Barrier); t.log == nil || kind != state.Checkpoint {
		t.Backend.Snapshot(now, t.snapshotID(e.ID, kind), kind, part)
	} else if b, ok := t.Backend.(state.Noting); ok {
		b.Note(now, part)
	}
	t.syncing, t.syncBegan, t.async = Upload{ID: e.ID, Full: part.Full, Stored: part.Uploaded()}, now, part.Async
	t.syncing.fails = w.MaxPiece > 0 && part.Largest() > w.MaxPiece
	if w.Store != nil {
		part.PutInline(w.Inline)
	}
	w.armBackend(now, t)
	if !w.synchronous(now, t, part.Sync) {
		w.upload(now, t)
		return false
	}
	return true
}

// part is where the task's part of a checkpoint is noted; for a checkpoint that the coordinator has given up, a place that
// nobody reads.
func (w *World) part(t *Task, id event.Checkpoint) *state.Part {
	p := &w.lost
	if s := w.saveOf(t, id); s != nil {
		p = &s.Parts[t.ID]
	}
	p.Reset()
	return p
}

// kindOf is the kind of snapshot that a barrier asks of a backend (spec 8.2). In Flink the barrier carries its options; here
// they are looked up, and do not matter for a checkpoint that was given up.
func (w *World) kindOf(b barrier.Barrier) state.Kind {
	if s := w.Save(b.ID); s != nil {
		return s.Kind
	}
	if b.Savepoint {
		return state.CanonicalSavepoint
	}
	return state.Checkpoint
}

// remember notes where the task stands, so that a failure can go back to it.
func (w *World) remember(now event.Time, t *Task, id event.Checkpoint) {
	if s := w.saveOf(t, id); s != nil {
		w.put(s, t, now)
	}
}

// passOn sends a barrier to every output. Unaligned barriers overtake, and what they overtake is stored; timeoutable ones get
// their timer.
func (w *World) passOn(now event.Time, t *Task, b barrier.Barrier) {
	for _, p := range t.Outs {
		own := b
		if w.Net.Partitions[p].Forced {
			own = b.UnalignedUnsupported()
		}
		if own.Alignment == barrier.Unaligned {
			w.Net.Overtake(now, p, entryOf(own), w.keep(now, t, b.ID))
			continue
		}
		if own.Timeoutable() {
			w.await(now, t, b.ID, int(w.Net.Partitions[p].Count))
		}
		w.Net.Broadcast(now, p, entryOf(own))
	}
	if t.flow.id == b.ID && t.flow.outputs > 0 {
		w.Queue.Push(sim.Item{At: b.Deadline(now) + event.TimerLag, Kind: event.DueMail, A: t.ID, B: event.MailOutput, ID: b.ID, Gen: t.Gen})
	}
}

// drain holds the thread before the barrier is passed on, until no record waits for its state (spec 8.4) and the outside system
// has taken what a sink has written (spec 6.1, 1; SinkWriterOperator.prepareSnapshotPreBarrier). No phase of the checkpoint
// covers that time. It returns true if the thread has to wait.
func (w *World) drain(now event.Time, t *Task) bool {
	if t.draining {
		t.draining = false
		return false
	}
	wait := event.Time(0)
	if t.Flush > 0 && w.Writers[t.Writer].Unflushed() {
		wait = t.Flush
	}
	if d, ok := t.Working.(state.Draining); ok {
		wait += d.Drain(now)
	}
	if t.draining = wait > 0; t.draining {
		w.become(now, t, Sync)
		w.syncFor(now, t, wait)
	}
	return t.draining
}

// SyncEnd is called at the end of the synchronous part: channels are released, the thread goes on.
func (w *World) SyncEnd(now event.Time, id event.Task, gen uint32) {
	t := &w.Tasks[id]
	if t.Gen != gen || t.Thread != Sync {
		return
	}
	if now < t.syncUntil { // its process stood still meanwhile
		w.syncFor(now, t, t.syncUntil-now)
		return
	}
	w.become(now, t, Busy)
	t.holds.deaf = false
	if !w.released(now, t) && !t.draining {
		w.upload(now, t)
	}
	held := append(w.effects[:0], t.held...)
	t.held = t.held[:0]
	if !w.carry(now, t, held) {
		t.endBatch()
		w.look(now, t)
	}
}

// acknowledge tells the coordinator that the task's part is stored.
func (w *World) acknowledge(now event.Time, t *Task, cp event.Checkpoint) {
	u, _ := t.uploaded(cp)
	flow, held := t.flowBytes(&u), w.storedWindows(t, cp)+w.storedAsync(t, cp)
	w.Feed.Emit(event.Event{At: now, Kind: event.TaskStored, Task: t.ID, Checkpoint: cp, A: u.Full + flow + held, N: u.Stored + flow + held, B: flow})
	w.Queue.PushInLane(event.LaneControl, sim.Item{At: now + w.Rules.RPC, Kind: event.DueAck, A: t.ID, ID: cp, Gen: t.Gen})
	w.again(now, t)
}

// commit makes a sink's transactions up to a checkpoint visible (spec 6.1, 4), but for those up to left, which are refused.
func (w *World) commit(now event.Time, t *Task, id, left event.Checkpoint) {
	if t.Kind != Sink {
		return
	}
	w.Writers[t.Writer].Refuse(left)
	failure := w.publish(now, t, id, w.commitsUpTo(t, id))
	w.Committed(now)
	w.retryLater(now, t)
	if failure != sink.NoFailure {
		w.failed(now, t, event.SinkFailed)
	}
}

// rewindOutput sets what a sink has shown back to a checkpoint; nil = to the beginning.
func (w *World) rewindOutput(t *Task, s *Save) {
	if s == nil {
		w.Writers[t.Writer].Rewind(0, 0)
		return
	}
	w.Writers[t.Writer].Rewind(s.Next[t.ID], s.Of(t.ID))
}

// settleOutput drops what a sink keeps of the time before a completed checkpoint.
func (w *World) settleOutput(t *Task, id event.Checkpoint) {
	if s := w.Save(id); s != nil {
		w.Writers[t.Writer].Settle(s.Of(t.ID))
	}
}

// commitsUpTo is up to which checkpoint a sink commits when id is complete. Before 2.1 a committer whose input has ended takes the next
// one that is complete for the final one, whichever it is, and commits all that it has (CommitterOperator.notifyCheckpointComplete of
// 1.18, commitAndEmitCheckpoints of 1.20).
func (w *World) commitsUpTo(t *Task, id event.Checkpoint) event.Checkpoint {
	if writer := &w.Writers[t.Writer]; w.Rules.Options.Version < "2.3" && writer.Transactional && writer.Ended() {
		return max(id, writer.Newest())
	}
	return id
}

// publish commits up to a checkpoint as id is complete, and tells what became visible and what is lost.
func (w *World) publish(now event.Time, t *Task, id, upTo event.Checkpoint) sink.Failure {
	writer := &w.Writers[t.Writer]
	was := writer.UpTo
	n, lost, failure := writer.Commit(now, upTo, func(c *sink.Contents) {
		if w.Revealed != nil {
			w.Revealed(now, t, c.Runs)
		}
	})
	if lost > 0 {
		w.Feed.Emit(event.Event{At: now, Kind: event.TransactionAborted, Task: t.ID, Checkpoint: id, N: lost})
	}
	left := writer.Oldest()
	if left != 0 && left <= upTo { // 1.18 commits it later
		writer.UpTo = max(was, left-1)
	} else {
		left, writer.UpTo, writer.AtEnd = 0, max(was, id), writer.AtEnd || upTo > id
	}
	if n > 0 || left == 0 {
		w.Feed.Emit(event.Event{At: now, Kind: event.Committed, Task: t.ID, Checkpoint: id, N: n})
	}
	w.settleOutput(t, id)
	return failure
}

// barrierOf reads a barrier off its entry, entryOf writes it.
func barrierOf(e *network.Entry) barrier.Barrier {
	b := barrier.Barrier{ID: e.ID, Timestamp: e.Stamp, Timeout: e.Timeout, Savepoint: e.Flags&network.Save != 0, Stop: e.Flags&network.Stop != 0}
	switch {
	case e.Flags&network.Priority != 0:
		b.Alignment = barrier.Unaligned
	case e.Flags&network.Forced != 0:
		b.Alignment = barrier.ForcedAligned
	case e.Flags&network.Timeoutable != 0:
		b.Alignment = barrier.TimeoutableAligned
	case e.Flags&network.Blocking == 0:
		b.Alignment = barrier.AtLeastOnce
	}
	return b
}

func entryOf(b barrier.Barrier) network.Entry {
	e := network.Entry{Kind: network.Barrier, ID: b.ID, Stamp: b.Timestamp, Timeout: b.Timeout, Runs: event.EmptyRuns}
	if b.BlocksSender() {
		e.Flags |= network.Blocking
	}
	if b.Savepoint {
		e.Flags |= network.Save
	}
	if b.Stop {
		e.Flags |= network.Stop
	}
	switch b.Alignment {
	case barrier.Unaligned:
		e.Flags |= network.Priority
	case barrier.ForcedAligned:
		e.Flags |= network.Forced
	case barrier.TimeoutableAligned:
		e.Flags |= network.Timeoutable
	}
	return e
}
