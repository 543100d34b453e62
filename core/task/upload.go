package task

import (
	"checkpointlab/core/event"
	"checkpointlab/core/state"
)

// The asynchronous part of a snapshot: what is stored beside the thread, until it is there or given up.

// upload starts the asynchronous part.
func (w *World) upload(now event.Time, t *Task) {
	u := t.syncing
	u.left = 1
	t.Uploads = append(t.Uploads, u)
	w.Feed.Emit(event.Event{At: now, Kind: event.TaskSynced, Task: t.ID, Checkpoint: u.ID, A: now - t.syncBegan})
	w.uploadFor(now, t, &t.Uploads[len(t.Uploads)-1], t.async)
	w.storeFiles(now, t, u.ID)
}

// AsyncEnd is the least time of the asynchronous part being over.
func (w *World) AsyncEnd(now event.Time, id event.Task, cp event.Checkpoint, gen uint32) {
	t := &w.Tasks[id]
	if t.Gen != gen || !t.Uploading(cp) {
		return
	}
	if u := t.find(cp); now < u.until { // its process stood still meanwhile
		w.uploadFor(now, t, u, u.until-now)
		return
	}
	w.partDone(now, t, cp)
}

// partDone is the least time or the files of a snapshot being over.
func (w *World) partDone(now event.Time, t *Task, cp event.Checkpoint) {
	u := t.find(cp)
	if u.left--; u.left == 0 {
		if b, ok := t.Backend.(state.Releasing); ok {
			b.Written(t.backendID(cp))
		}
	}
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
		if !w.timeFlow(now, t, u) {
			w.acknowledge(now, t, cp)
		}
	}
}

// timeFlow lets a part that is complete wait until its data in flight is written, where no storage times that; once.
func (w *World) timeFlow(now event.Time, t *Task, u *Upload) bool {
	timed := &u.timed
	if t.flow.id == u.ID {
		timed = &t.flow.timed
	}
	if w.Rules.InFlight == 0 || w.Store != nil || t.flowBytes(u) == 0 || *timed {
		return false
	}
	*timed = true
	u.left++
	w.uploadFor(now, t, u, w.Rules.InFlight)
	return true
}

// Uploading reports whether the asynchronous part of a checkpoint is under way.
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
	if b, ok := t.Backend.(state.Releasing); ok {
		b.Written(t.backendID(id))
	}
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
