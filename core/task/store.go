package task

import (
	"checkpointlab/core/event"
	"checkpointlab/core/option"
	"checkpointlab/core/sim"
	"checkpointlab/core/state"
	"checkpointlab/core/state/storage"
)

// channelFile is the file into which the tasks of a group put their channel state of one checkpoint
// (unaligned.max-subtasks-per-channel-state-file): it is stored when the last of them has all of its own.
type channelFile struct {
	id      event.Checkpoint
	group   int32
	missing int
	bytes   int64
	first   event.Task // whose file it is
}

// storeFiles begins to write a snapshot's files.
func (w *World) storeFiles(now event.Time, t *Task, cp event.Checkpoint) {
	s := w.saveOf(t, cp)
	if s == nil { // nobody waits for one that was given up
		return
	}
	u, p := t.find(cp), &s.Parts[t.ID]
	if u.fails {
		w.declineStored(now, t, cp)
		return
	}
	if w.Store == nil {
		return
	}
	if t.log != nil && !s.Savepoint {
		w.persist(now, t, cp, u, p)
	}
	u = t.find(cp)
	if w.adopt(t, p.Upload) < len(p.Upload) {
		u.left++
		w.order(now, t, storage.Snapshot, cp, p.Threads, p.Upload)
	}
	o := w.Rules.Options
	if u.shares = o.Unaligned && o.Mode == option.ExactlyOnce && !s.Savepoint; u.shares && (t.flow.id != cp || !t.flow.open()) {
		w.shareFlow(now, t, cp)
	}
}

// adopt notes the files that are in the storage already and says how many of them there are.
func (w *World) adopt(t *Task, files []state.File) (n int) {
	for _, f := range files {
		if f.There {
			w.Store.Adopt(storage.Item{Owner: t.ID, Shared: f.Shared, ID: f.ID, Bytes: f.Bytes})
			n++
		}
	}
	return n
}

// order has files of a task written.
func (w *World) order(now event.Time, t *Task, purpose storage.Purpose, cp event.Checkpoint, threads int, files []state.File) {
	i := w.Store.Place(storage.Head{Op: storage.Write, Purpose: purpose, Client: t.ID, Manager: t.Manager, Gen: t.Gen, Threads: threads, ID: cp})
	for _, f := range files {
		if f.There {
			continue
		}
		w.Store.Add(i, storage.Item{Owner: t.ID, Shared: f.Shared, ID: f.ID, Bytes: f.Bytes})
	}
	w.Store.Start(now, i)
}

// shareFlow puts the task's channel state, which is complete, into the file of its group.
func (w *World) shareFlow(now event.Time, t *Task, cp event.Checkpoint) {
	u := t.find(cp)
	s := w.saveOf(t, cp)
	if u == nil || !u.shares || u.shared || s == nil { // nobody waits for one that was given up
		return
	}
	u.shared = true
	f := w.share(t, cp)
	f.missing--
	f.bytes += t.flowBytes(u)
	if f.missing > 0 {
		return
	}
	switch p := &s.Parts[f.first]; {
	case f.bytes > w.Inline:
		owner := &w.Tasks[f.first]
		owner.flowFiles++
		p.Upload = append(p.Upload, state.File{ID: storage.ChannelFile(owner.flowFiles), Bytes: f.bytes})
		w.order(now, owner, storage.ChannelState, cp, 1, p.Upload[len(p.Upload)-1:])
	default:
		p.Inline += f.bytes
		w.sharesStored(now, t.Group, cp)
	}
}

// share is the group's file of a checkpoint.
func (w *World) share(t *Task, cp event.Checkpoint) *channelFile {
	for i := range w.shares {
		if f := &w.shares[i]; f.id == cp && f.group == t.Group {
			return f
		}
	}
	f := channelFile{id: cp, group: t.Group, first: t.ID}
	for _, id := range w.Groups[t.Group] {
		if w.Tasks[id].Alive {
			f.missing++
		}
	}
	w.shares = append(w.shares, f)
	return &w.shares[len(w.shares)-1]
}

// sharesStored is the group's channel state of a checkpoint being in the storage.
func (w *World) sharesStored(now event.Time, group int32, cp event.Checkpoint) {
	w.forgetShare(group, cp)
	for _, id := range w.Groups[group] {
		t := &w.Tasks[id]
		if u := t.find(cp); u != nil && u.shares {
			u.shares = false
			w.complete(now, t, cp)
		}
	}
}

// leaveShares is a task that gives a checkpoint up, 0 = all: the file of its group comes to nothing.
func (w *World) leaveShares(t *Task, cp event.Checkpoint) { w.forgetShare(t.Group, cp) }

func (w *World) forgetShare(group int32, cp event.Checkpoint) {
	kept := w.shares[:0]
	for _, f := range w.shares {
		if f.group != group || cp != 0 && f.id != cp {
			kept = append(kept, f)
		}
	}
	w.shares = kept
}

func (w *World) copyShares(src *World) {
	w.shares = append(w.shares[:0], src.shares...)
	w.Offsets = src.Offsets
	if w.Store != nil {
		w.Store.CopyFrom(src.Store)
	}
}

// Stored is the end of an order of a task for a snapshot. What was written for a checkpoint that the coordinator has given up
// is deleted again; one that failed makes the task decline (CHECKPOINT_ASYNC_EXCEPTION).
func (w *World) Stored(now event.Time, e *storage.Effect) {
	t := &w.Tasks[e.Client]
	if t.Gen != e.Gen || !t.Uploading(e.ID) || w.saveOf(t, e.ID) == nil {
		if e.OK {
			w.Store.Regret(now, e)
		}
		if t.Gen == e.Gen && t.End.closing && t.Uploading(e.ID) { // its mailbox is closed, so that no word of the abort reaches it
			w.giveUp(now, t, e.ID)
		}
		return
	}
	switch {
	case !e.OK:
		w.declineStored(now, t, e.ID)
	case e.Purpose == storage.ChannelState:
		w.sharesStored(now, t.Group, e.ID)
	default:
		w.partDone(now, t, e.ID)
	}
}

// declineStored gives up a checkpoint that the task could not store.
func (w *World) declineStored(now event.Time, t *Task, cp event.Checkpoint) {
	w.giveUp(now, t, cp)
	w.Queue.Push(sim.Item{At: now + w.Rules.RPC, Kind: event.DueDecline, A: t.ID, B: int32(event.CheckpointAsyncException), ID: cp, Gen: t.Gen})
}
