package core

import (
	"checkpointlab/core/checkpoint"
	"checkpointlab/core/event"
	"checkpointlab/core/state"
	"checkpointlab/core/state/storage"
)

// Region checkpoints, which no released Flink has: checkpoint.Regions states the rule. Here is what it does to the rest. A merged
// checkpoint has the region's part of an earlier one: its positions, its state, its files, which live as long as a retained
// checkpoint names them, and its transactions, for a sink of the region has not committed what came later. So a restore goes back
// further in that region, reads more again there, and is exactly-once as ever.

// mergeRegions tells the coordinator which tasks can be merged.
func (l *Lab) mergeRegions() {
	l.coord.SetRegions(checkpoint.Regions{Of: l.plan.regions, Reuse: l.plan.setup.RegionReuse})
}

// loseRegion tells the tasks of a region that a checkpoint goes without them.
func (l *Lab) loseRegion(now event.Time, id event.Checkpoint, region event.Task) {
	l.mailTo(now, l.tasksOf(region), event.MailAborted, id)
}

// tasksOf is the tasks of a region.
func (l *Lab) tasksOf(region event.Task) (all []event.Task) {
	for _, t := range l.plan.active {
		if l.plan.regions[t] == region {
			all = append(all, t)
		}
	}
	return all
}

// merge puts the part that checkpoint latest has of a region into checkpoint id in place of its own.
func (l *Lab) merge(now event.Time, id, latest event.Checkpoint, region event.Task) {
	s, from := l.world.Save(id), l.world.Save(latest)
	tasks := l.tasksOf(region)
	l.dropParts(now, id, tasks)
	for _, t := range tasks {
		l.world.Reuse(now, s, from, t)
		l.feed.Emit(event.Event{At: now, Kind: event.RegionReused, Task: t, Checkpoint: id, A: s.From[t]})
		if l.world.Store == nil {
			continue
		}
		for _, f := range s.Parts[t].Upload { // all of them: the earlier checkpoint's own are this one's, too
			l.storing.registries[f.Owner(t)].Register(state.Handle{Key: int64(f.ID), Bytes: f.Bytes}, id, false)
		}
		l.registerKept(t, &s.Parts[t], id)
	}
	l.world.ReuseFlow(s, from, func(t event.Task) bool { return l.plan.regions[t] == region })
}

// dropParts deletes what tasks have stored for a checkpoint that goes without them.
func (l *Lab) dropParts(now event.Time, id event.Checkpoint, tasks []event.Task) {
	st := l.world.Store
	if st == nil {
		return
	}
	o := st.Place(storage.Head{Op: storage.Delete, Purpose: storage.Discard, Client: storage.Master, Manager: storage.Master, ID: id, Threads: l.plan.setup.Options.IOPool})
	for _, t := range tasks {
		l.cleanPart(o, l.world.Save(id), t)
	}
	st.Start(now, o)
}

// shownTo is up to which checkpoint a sink's records belong to a snapshot.
func (l *Lab) shownTo(t event.Task, id event.Checkpoint) event.Checkpoint {
	if s := l.world.Save(id); s != nil && id != 0 && s.From[t] != 0 {
		return s.From[t]
	}
	return id
}

// shows is the latest checkpoint that a sink has made visible. One of a region that the latest checkpoint goes without has nothing
// to commit for it.
func (l *Lab) shows(t event.Task) event.Checkpoint {
	upTo := l.world.Writers[l.world.Tasks[t].Writer].UpTo
	if l.plan.setup.RegionReuse == 0 {
		return upTo
	}
	id, _ := l.coord.LatestCompleted()
	if s := l.world.Save(id); s != nil && id != 0 && s.From[t] != 0 && upTo >= s.From[t] {
		return max(upTo, id)
	}
	return upTo
}
