package reference

import (
	"math"

	"checkpointlab/core"
	"checkpointlab/core/checkpoint"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
	"checkpointlab/core/sim"
	"checkpointlab/core/state/storage"
)

// vault is where checkpoints are kept (spec 8): what tasks and the JobManager ask of core's storage, which knows bandwidth, requests
// and files, and what comes of it. What it schedules stands in the agenda like all else.
type vault struct {
	run    *Run
	store  *storage.Storage
	queue  sim.Queue // empty between two calls
	inline int64     // files up to so many bytes go into the metadata
	shares map[flowFile]*flowShare
	uses   uses
}

// lineBytes is what a file takes in the metadata.
const lineBytes = 150

// newVault is the storage of a setup; nil if it has none.
func (r *Run) newVault() *vault {
	st, o := &r.setup.Storage, &r.setup.Options
	if !st.On {
		return nil
	}
	v := &vault{run: r, inline: o.InlineThreshold, shares: map[flowFile]*flowShare{}, uses: newUses()}
	v.uses.described = o.Changelog
	if o.Storage == option.JobManagerStorage {
		v.inline = math.MaxInt64
	}
	c := storage.Config{
		Total: st.Bandwidth, PerManager: st.PerManager, Latency: storage.Latency{P50: st.Latency, P99: st.P99, Max: st.Max}, Requests: st.Requests,
		Prefixes: st.Prefixes, Refuse: st.Refuse, Attempts: st.Attempts, RetryAfter: st.RetryAfter, Owners: len(r.all), Seed: r.setup.Seed,
	}
	for _, t := range r.all {
		c.Managers = max(c.Managers, r.manager(t)+1)
	}
	if c.Latency.P99 == 0 {
		c.Latency.P99 = c.Latency.P50
	}
	if c.Latency.Max == 0 {
		c.Latency.Max = c.Latency.P99
	}
	if c.Attempts == 0 {
		c.Attempts = 20
	}
	if c.RetryAfter == 0 {
		c.RetryAfter = 100 * event.Millisecond
	}
	if o.FileMerging {
		c.Merge = storage.Merging{Size: o.FileMergingSize, Across: o.FileMergingAcross}
	}
	v.store = storage.New(c, &v.queue)
	return v
}

// plan puts what the storage has scheduled into the agenda.
func (v *vault) plan() {
	for it := v.queue.PopUntil(math.MaxInt64); it != nil; it = v.queue.PopUntil(math.MaxInt64) {
		due := *it
		v.run.agenda.afterIn(v.process(&due), due.At, func() { v.happens(due) })
	}
	v.queue = sim.Queue{}
}

// process is where something of the storage happens; nil = in the storage.
func (v *vault) process(it *sim.Item) *process {
	if it.Kind == event.DueFlow {
		return nil
	}
	return v.run.process(int(v.store.Client(it.Kind, it.A)))
}

// happens is something in the storage falling due.
func (v *vault) happens(it sim.Item) {
	now := v.run.now
	switch it.Kind {
	case event.DueRequest:
		v.ended(v.store.Request(now, it.A, it.Gen))
	case event.DueFlow:
		v.ended(v.store.Flow(now, it.Gen))
	case event.DueOrder:
		v.ended(v.store.Empty(it.A, it.Gen))
	case event.DueRetry:
		v.store.Retry(now, it.A, it.Gen)
		v.plan()
	}
}

// ended takes the ends of orders.
func (v *vault) ended(ends []storage.Effect) {
	v.plan()
	for _, e := range ends {
		kind := event.FilesStored
		if !e.OK {
			kind = event.FilesFailed
		}
		v.run.tell(event.Event{Kind: kind, Task: e.Client, Checkpoint: e.ID, A: e.Bytes, N: e.Requests, B: int64(e.Purpose)})
	}
	for _, e := range ends {
		switch e.Purpose {
		case storage.Snapshot, storage.ChannelState:
			v.stored(&e)
		case storage.Metadata:
			v.run.carryOut(v.run.coordinator.Finalized(v.run.now, e.ID, checkpoint.Written(e.OK), nil))
		case storage.Cleaning:
			v.run.carryOut(v.run.coordinator.Cleaned(v.run.now, e.ID, nil))
		case storage.Log, storage.Materialize:
			v.logStored(&e)
		case storage.Restore:
			v.read(&e)
		}
	}
	v.store.Told()
}

// order has those files written that are none of the metadata; false: there are none.
func (v *vault) order(h storage.Head, threads int, files ...file) bool {
	var items []storage.Item
	for _, f := range files {
		if !f.inline {
			items = append(items, f.Item)
		}
	}
	if len(items) > 0 {
		v.orderItems(h, threads, items...)
	}
	return len(items) > 0
}

// orderItems has files written, read or deleted, so many at once.
func (v *vault) orderItems(h storage.Head, threads int, items ...storage.Item) {
	h.Threads = threads
	o := v.store.Place(h)
	for _, it := range items {
		v.store.Add(o, it)
	}
	v.store.Start(v.run.now, o)
	v.plan()
}

// metadata is the file of the JobManager that makes a checkpoint complete.
func metadata(id event.Checkpoint, bytes int64) storage.Item {
	return storage.Item{Owner: storage.Master, ID: uint64(id), Bytes: bytes}
}

// finalize writes a checkpoint's metadata: what is inline, and a line for each file.
func (v *vault) finalize(id event.Checkpoint) {
	bytes := int64(0)
	if s := v.run.saves[id]; s != nil {
		for _, p := range s.parts {
			inlined, files := p.inlined()
			bytes += inlined + lineBytes*int64(files)
		}
	}
	h := storage.Head{Op: storage.Write, Purpose: storage.Metadata, Client: storage.Master, Manager: storage.Master, ID: id}
	v.orderItems(h, 1, metadata(id, bytes))
}

// change is a fault of the storage, or its end.
func (v *vault) change(a *core.Action) {
	for _, master := range []bool{false, true} {
		if a.Where == core.OnlyTasks && master || a.Where == core.OnlyJobManager && !master {
			continue
		}
		if a.Slow > 0 {
			v.store.Slow(v.run.now, master, a.Slow)
			v.plan()
		}
		if a.Fail >= 0 {
			v.store.Fail(master, a.Fail)
		}
		if a.By > 0 {
			v.store.Delay(master, a.Late, a.By)
		}
	}
}

// Storage is what was written, read and deleted so far, what lies there now, and how many bytes of it nobody will delete; nothing without
// a storage.
func (r *Run) Storage() (stats storage.Stats, orphaned int64) {
	if r.vault == nil {
		return storage.Stats{}, 0
	}
	return r.vault.store.Stats(), r.vault.store.Orphaned()
}
