package task

import (
	"checkpointlab/core/barrier"
	"checkpointlab/core/event"
	"checkpointlab/core/network"
	"checkpointlab/core/sim"
	"checkpointlab/core/sink"
	"checkpointlab/core/state"
)

// Mail puts a mail into the task's mailbox: a busy thread reads it after the record in work (spec 3.6, 4.4).
func (w *World) Mail(now event.Time, id event.Task, kind event.Mail, arg int64) {
	t := &w.Tasks[id]
	if !t.Alive || t.End.closing {
		w.refuse(now, t, kind, arg)
		return
	}
	t.mails = append(t.mails, mail{kind, arg, now - w.Rules.RPC})
	if t.requests.yielding && answers(kind) && t.Thread == Busy {
		w.poke(now, t)
		return
	}
	w.interrupt(now, t)
}

// readMails empties the mailbox; true: the thread went into the synchronous part of a snapshot.
func (w *World) readMails(now event.Time, t *Task) bool {
	for len(t.mails) > 0 && t.waiting == 0 {
		m := t.mails[0]
		t.mails = t.mails[:copy(t.mails, t.mails[1:])]
		if w.readMail(now, t, m) {
			return true
		}
	}
	return false
}

func (w *World) readMail(now event.Time, t *Task, m mail) bool {
	switch m.kind {
	case event.MailTrigger, event.MailSavepoint:
		b := barrier.Make(w.Rules.Options, m.id, m.sent, m.kind == event.MailSavepoint)
		return w.carry(now, t, t.Handler.OnTrigger(now, b, w.effects[:0]))
	case event.MailStop, event.MailDrain, event.MailStopped:
		return w.stop(now, t, m)
	case event.MailComplete:
		return w.completed(now, t, m.id)
	case event.MailAborted:
		t.Handler.OnAborted(m.id)
		w.giveUp(now, t, m.id)
		w.notStopped(now, t, m.id)
	case event.MailTimer:
		return w.carry(now, t, t.Handler.OnTimer(now, m.id, w.effects[:0]))
	case event.MailOutput:
		w.outputTimeOut(now, t, m.id)
	case event.MailPriority:
		return w.urgent(now, t)
	case event.MailDebloat:
		w.resize(now, t)
	case event.MailMark:
		w.generate(now, t)
	case event.MailAnswer:
		w.answered(now, t, m.id)
	case event.MailNoAnswer:
		w.notAnswered(now, t, m.id)
	case event.MailReport:
		w.report(now, t)
	case event.MailMayGo:
		w.mayGo(now, t, m.id)
	case event.MailHang:
		return w.hang(now, t, m.id)
	}
	return false
}

// receive is an event taken from channel c; true: the thread went into the synchronous part of a snapshot.
func (w *World) receive(now event.Time, t *Task, c event.Channel, e *network.Received) bool {
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
		return w.carry(now, t, t.Handler.OnAnnouncement(now, slot, barrierOf(&e.Entry), w.effects[:0]))
	}
	w.Feed.Emit(event.Event{At: now, Kind: event.BarrierReceived, Task: t.ID, Channel: c, Checkpoint: e.ID})
	return w.carry(now, t, t.Handler.OnBarrier(now, slot, barrierOf(&e.Entry), w.effects[:0]))
}

// urgent takes the priority events of all gates, which do not wait for the data ahead of them.
func (w *World) urgent(now event.Time, t *Task) bool {
	for _, g := range t.Gates {
		for w.Net.Urgent(g) {
			if c, e := w.Net.Poll(now, g); w.receive(now, t, c, e) {
				w.Mail(now, t.ID, event.MailPriority, 0)
				return true
			}
		}
	}
	return false
}

// carry does what the handler wants, in order. What follows a snapshot waits for its synchronous part; then it is true.
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
			w.Queue.Push(sim.Item{At: e.At, Kind: event.DueMail, A: t.ID, B: event.MailTimer, ID: e.ID, Gen: t.Gen})
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
	if t.Kind == Sink && w.Writers[t.Writer].PreCommit(now, e.ID) != sink.NoFailure {
		w.failed(now, t)
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
		t.Backend.Snapshot(now, e.ID, kind, part)
	} else if b, ok := t.Backend.(state.Noting); ok {
		b.Note(now, part)
	}
	t.syncing, t.syncBegan, t.async = Upload{ID: e.ID, Full: part.Full, Stored: part.Uploaded()}, now, part.Async
	if w.Store != nil {
		t.syncing.fails = w.MaxPiece > 0 && part.Largest() > w.MaxPiece
		part.PutInline(w.Inline)
	}
	w.armBackend(now, t)
	if part.Sync == 0 {
		w.upload(now, t)
		return false
	}
	w.become(now, t, Sync)
	w.Queue.Push(sim.Item{At: now + part.Sync, Kind: event.DueSync, A: t.ID, Gen: t.Gen})
	return true
}

// part is where the task's part of a checkpoint is noted; nobody reads that of one that the coordinator has given up.
func (w *World) part(t *Task, id event.Checkpoint) *state.Part {
	p := &w.lost
	if s := w.saveOf(t, id); s != nil {
		p = &s.Parts[t.ID]
	}
	p.Reset()
	return p
}

// kindOf is what a barrier asks a backend for (spec 8.2). Its options travel with it in Flink; nobody reads the snapshot of one
// that was given up.
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

// passOn sends a barrier to every output: unaligned ones overtake, and what they overtake is stored; an output that may
// time out gets its timer.
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
		w.Queue.Push(sim.Item{At: max(now, b.Timestamp+b.Timeout), Kind: event.DueMail, A: t.ID, B: event.MailOutput, ID: b.ID, Gen: t.Gen})
	}
}

// drain holds the thread before the barrier is passed on until no record waits for its state (spec 8.4); true: it does.
func (w *World) drain(now event.Time, t *Task) bool {
	d, ok := t.Working.(state.Draining)
	if !ok || t.draining {
		t.draining = false
		return false
	}
	wait := d.Drain(now)
	if t.draining = wait > 0; t.draining {
		w.become(now, t, Sync)
		w.Queue.Push(sim.Item{At: now + wait, Kind: event.DueSync, A: t.ID, Gen: t.Gen})
	}
	return t.draining
}

// SyncEnd is the end of the synchronous part: channels are released, the thread goes on.
func (w *World) SyncEnd(now event.Time, id event.Task, gen uint32) {
	t := &w.Tasks[id]
	if t.Gen != gen || t.Thread != Sync {
		return
	}
	w.become(now, t, Busy)
	if !w.released(now, t) && !t.draining {
		w.upload(now, t)
	}
	held := append(w.effects[:0], t.held...)
	t.held = t.held[:0]
	if !w.carry(now, t, held) {
		w.look(now, t)
	}
}

// upload starts the asynchronous part.
func (w *World) upload(now event.Time, t *Task) {
	u := t.syncing
	u.left = 1
	t.Uploads = append(t.Uploads, u)
	w.Feed.Emit(event.Event{At: now, Kind: event.TaskSynced, Task: t.ID, Checkpoint: u.ID, A: now - t.syncBegan})
	w.Queue.Push(sim.Item{At: now + t.async, Kind: event.DueAsync, A: t.ID, ID: u.ID, Gen: t.Gen})
	w.storeFiles(now, t, u.ID)
}

// AsyncEnd is the least time of the asynchronous part being over.
func (w *World) AsyncEnd(now event.Time, id event.Task, cp event.Checkpoint, gen uint32) {
	t := &w.Tasks[id]
	if t.Gen != gen || !t.Uploading(cp) {
		return
	}
	w.partDone(now, t, cp)
}

// partDone is the least time or the files of a snapshot being over.
func (w *World) partDone(now event.Time, t *Task, cp event.Checkpoint) {
	t.find(cp).left--
	w.complete(now, t, cp)
}

// complete acknowledges a snapshot of which nothing is missing any more: its channel state may be.
func (w *World) complete(now event.Time, t *Task, cp event.Checkpoint) {
	u := t.find(cp)
	switch {
	case u == nil || u.left > 0:
	case t.flow.id == cp && (t.flow.open() || u.shares):
		t.flow.written = true
	case u.shares:
	default:
		if t.flow.id == cp {
			t.flow.written = false
		}
		w.acknowledge(now, t, cp)
	}
}

// Uploading tells whether the asynchronous part of a checkpoint is under way.
func (t *Task) Uploading(id event.Checkpoint) bool {
	return t.find(id) != nil
}

// find is the asynchronous part of a checkpoint, nil if none is under way.
func (t *Task) find(id event.Checkpoint) *Upload {
	for i := range t.Uploads {
		if t.Uploads[i].ID == id {
			return &t.Uploads[i]
		}
	}
	return nil
}

// uploaded takes an asynchronous part out of those under way.
func (t *Task) uploaded(id event.Checkpoint) (u Upload, ok bool) {
	for i, u := range t.Uploads {
		if u.ID == id {
			t.Uploads = append(t.Uploads[:i], t.Uploads[i+1:]...)
			return u, true
		}
	}
	return Upload{}, false
}

// giveUp drops a checkpoint: the asynchronous part under way is cancelled with its channel state (spec 2.5).
func (w *World) giveUp(now event.Time, t *Task, id event.Checkpoint) {
	if t.log == nil {
		t.Backend.Aborted(now, id)
	} else {
		w.carryLog(now, t, t.log.Abort(id, w.logged[:0]))
	}
	if w.Store != nil && t.Uploading(id) {
		w.Store.Cancel(now, t.ID, id)
		w.leaveShares(t, id)
	}
	_, waited := t.uploaded(id)
	t.closeFlow(id)
	if waited { // one that has come to its end has waited for that
		w.again(now, t)
	}
}

// acknowledge tells the coordinator that the task's part is stored.
func (w *World) acknowledge(now event.Time, t *Task, cp event.Checkpoint) {
	u, _ := t.uploaded(cp)
	flow, held := t.flow.bytesOf(cp), w.storedWindows(t, cp)+w.storedAsync(t, cp)
	w.Feed.Emit(event.Event{At: now, Kind: event.TaskStored, Task: t.ID, Checkpoint: cp, A: u.Full + flow + held, N: u.Stored + flow + held, B: flow})
	w.Queue.PushInLane(event.LaneControl, sim.Item{At: now + w.Rules.RPC, Kind: event.DueAck, A: t.ID, ID: cp, Gen: t.Gen})
	w.again(now, t)
}

// commit makes a sink's transactions up to a checkpoint visible (spec 6.1, 4).
func (w *World) commit(now event.Time, t *Task, id event.Checkpoint) {
	if t.Kind != Sink {
		return
	}
	failure := w.publish(now, t, id)
	w.Committed(now)
	if failure != sink.NoFailure {
		w.failed(now, t)
	}
}

// publish commits and tells what became visible and what is lost.
func (w *World) publish(now event.Time, t *Task, id event.Checkpoint) sink.Failure {
	writer := &w.Writers[t.Writer]
	n, lost, failure := writer.Commit(now, id, func(c *sink.Contents) {
		if w.Revealed != nil {
			w.Revealed(now, t, c.Runs)
		}
	})
	if lost > 0 {
		w.Feed.Emit(event.Event{At: now, Kind: event.TransactionAborted, Task: t.ID, Checkpoint: id, N: lost})
	}
	w.Feed.Emit(event.Event{At: now, Kind: event.Committed, Task: t.ID, Checkpoint: id, N: n})
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
