package core

import (
	"checkpointlab/core/event"
	"checkpointlab/core/state"
	"checkpointlab/core/state/keyed"
	"checkpointlab/core/state/storage"
	"checkpointlab/core/task"
)

// Account is what checkpoints have cost so far and what is stored now. Sizes are bytes. Without a storage it is empty.
type Account struct {
	On                     bool
	Managers               int   // task managers
	Written, Read          int64 // bytes moved
	Writes, Reads, Deletes int64 // requests
	Refused, Failed        int64 // requests above the limit; requests that failed
	Files, Bytes           int64 // in the storage now
	Logical                int64 // files that checkpoints refer to now: several may be in one
	Savepoints, Orphaned   int64 // of Bytes: kept for the user; left behind because they could not be deleted
	SyncMill               int64 // per mille of all tasks' thread time spent in synchronous parts
	CoresMill              int64 // thousandths of a core spent on flushes, compactions and writing snapshots, over all task managers
	Disk                   int64 // bytes moved on local disks
	DiskMill               int64 // per mille of the local disks' capacity
	Recovery               Recovery
}

// Recovery is what a failure now would cost until the tasks run again (spec 9.3): the back-off of the first attempt, what they
// have to read at the bandwidth there is, and what the control plane takes. Catching up comes on top.
type Recovery struct {
	Checkpoint event.Checkpoint // that it would go back to; 0 = the start
	Backoff    event.Time
	Bytes      int64      // to read
	Files      int64      // to read, by all tasks together: one request each
	Reading    event.Time // of them, by the slowest task manager
	Control    event.Time
	Total      event.Time
	Reread     int64 // records that the sources would read again
}

// account fills a with the state at Now.
func (l *Lab) account(a *Account) {
	st := l.world.Store
	*a = Account{}
	if st == nil {
		return
	}
	s := st.Stats()
	*a = Account{
		On: true, Managers: l.plan.managers, Written: s.Written, Read: s.ReadBytes, Writes: s.Writes, Reads: s.Reads, Deletes: s.Deletes, Refused: s.Refused,
		Failed: s.Failed, Files: s.Files, Bytes: s.Bytes, Logical: s.Logical, Savepoints: s.Savepoints, Orphaned: st.Orphaned(),
	}
	l.work(a)
	l.recovery(&a.Recovery)
}

// work is how much processor and disk time checkpoints and the backends' own work take.
func (l *Lab) work(a *Account) {
	if l.now == 0 {
		return
	}
	var held, cpu event.Time
	disks, seen := int64(0), l.managerCounts()
	for _, t := range l.plan.active {
		w := &l.world.Tasks[t]
		spent := w.SpentUntil(l.now)
		held += spent[task.Sync]
		if b, ok := w.Backend.(state.Costing); ok {
			c, d := b.Background()
			cpu, a.Disk = cpu+c, a.Disk+d
			if seen[w.Manager]++; seen[w.Manager] == 1 {
				disks++
			}
		}
	}
	a.SyncMill = held / event.Time(len(l.plan.active)) * 1000 / l.now
	a.CoresMill = cpu / 1000 * 1_000_000 / l.now
	if disks == 0 { // nothing uses the disks, whatever the setup says of them
		return
	}
	throughput := min(l.plan.setup.Cluster.diskThroughput(), event.Never/(l.now/event.Second+1)) // of a disk without limit
	if most := keyed.Scale(l.now, throughput, event.Second); most > 0 {
		a.DiskMill = keyed.Scale(a.Disk/disks, 1000, most)
	}
}

// recovery is a closed form: all tasks read at once and share the bandwidth and the requests evenly.
func (l *Lab) recovery(r *Recovery) {
	id, _ := l.coord.LatestCompleted()
	r.Checkpoint, r.Backoff, r.Control = id, l.strategy.FirstDelay(), l.plan.setup.Control.Restore
	if s := l.world.Save(id); s != nil && id != 0 {
		r.Bytes, r.Files, r.Reading = l.reading(id)
		for _, t := range l.plan.sources {
			log := &l.world.Logs[l.world.Tasks[t].Log]
			r.Reread += max(0, log.Next-s.Next[t])
		}
	} else if id == 0 { // from the start
		for _, t := range l.plan.sources {
			r.Reread += l.world.Logs[l.world.Tasks[t].Log].Next
		}
	}
	r.Total = r.Backoff + r.Reading + r.Control
}

// reading is how many bytes of how many files the tasks read from a checkpoint, and how long that takes at least.
func (l *Lab) reading(id event.Checkpoint) (bytes, files int64, slowest event.Time) {
	s, st := l.world.Save(id), &l.plan.setup.Storage
	latency := l.world.Store.Latency.Mean()
	by, waits := l.managerCounts(), event.Time(0)
	for _, t := range l.plan.active {
		n, of, rounds := l.toRead(t, s)
		by[l.world.Tasks[t].Manager] += n
		bytes, files = bytes+n, files+int64(of)
		waits = max(waits, event.Time(rounds)*latency)
	}
	if st.Bandwidth > 0 {
		slowest = storage.Duration(bytes, st.Bandwidth)
	}
	for _, n := range by {
		if st.PerManager > 0 {
			slowest = max(slowest, storage.Duration(n, st.PerManager))
		}
	}
	if most := st.Requests * max(1, st.Prefixes); most > 0 { // each waits for its turn
		slowest = max(slowest, storage.Duration(files, most))
	}
	return bytes, files, slowest + waits
}

// managerCounts is one counter per task manager, all 0, in reused memory.
func (l *Lab) managerCounts() []int64 {
	if cap(l.byManager) < l.plan.managers {
		l.byManager = make([]int64, l.plan.managers)
	}
	by := l.byManager[:l.plan.managers]
	clear(by)
	return by
}

// toRead is how many bytes of how many files a task would read from a checkpoint, and how many rounds of requests that takes.
func (l *Lab) toRead(t event.Task, s *task.Save) (bytes int64, files, rounds int) {
	threads, logs := 0, 0
	l.scratch = l.pieces(t, s, l.scratch[:0])
	for i := range l.scratch {
		p := &l.scratch[i]
		threads = max(threads, p.part.Threads)
		for f := range p.part.Files() {
			if n := l.reads(t, p, s, f); n > 0 && l.fetches(t, s, f) {
				bytes, files = bytes+n, files+1
			}
		}
		for _, g := range p.part.Log {
			if !l.hasCopy(t, s) && l.shareOf(t, p, g.Of, g.Phase).all > 0 {
				bytes, logs = bytes+g.Bytes(), logs+1
			}
		}
	}
	for _, f := range l.lists(t, s, false) {
		bytes, files = bytes+f.Bytes, files+1
	}
	threads = max(1, threads)
	return bytes, files + logs, (files+threads-1)/threads + logs // a log is read file by file
}
