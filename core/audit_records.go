package core

import (
	"fmt"

	"checkpointlab/core/event"
	"checkpointlab/core/option"
	"checkpointlab/core/task"
)

// epoch is the span between two restarts of a region.
type epoch struct {
	gen    uint32
	begun  bool
	behind int64 // records processed by the sinks beyond the position; it stays the same
}

// position says how far the sinks of a region have come. Records are counted once for each path to the sink vertex.
type position struct {
	read      int64 // by the sources
	inFlight  int64 // of them, those on the way
	processed int64 // by the sinks, those of former epochs included
	stored    int64 // visible or in a transaction
	sealed    int64 // visible or in a transaction of the latest completed checkpoint or an older one
	alive     bool  // all tasks run
	gen       uint32
}

// records: what the sources have read is on its way or has come to the sinks, for every sink vertex and region, and
// the latest completed checkpoint is a consistent cut.
func (a *Auditor) records() error {
	id, _ := a.lab.coord.LatestCompleted()
	a.sumUp(id)
	for k, sink := range a.sinks {
		v := &a.lab.plan.setup.Vertices[sink]
		for r := range a.sums[k] {
			p := &a.sums[k][r]
			if int(a.lab.plan.regions[r]) != r {
				continue
			}
			if err := a.checkEpoch(&a.epoch[k][r], p, v); err != nil {
				return fmt.Errorf("%s, region %d: %w", v.Name, r, err)
			}
			if err := a.checkCut(k, r, p.sealed, id, v); err != nil {
				return fmt.Errorf("%s, region %d, checkpoint %d: %w", v.Name, r, id, err)
			}
		}
	}
	return nil
}

// exact tells whether what a sink shows follows from the barriers alone: they align, and it shows at commits only.
func (a *Auditor) exact(v *Vertex) bool {
	return v.Guarantee == ExactlyOnce && a.lab.plan.setup.Options.Mode == option.ExactlyOnce
}

// checkEpoch: nothing is lost or made up between the sources and the sinks; a sink has at least what lies before its
// position, a transactional one behind aligned barriers not more.
func (a *Auditor) checkEpoch(e *epoch, p *position, v *Vertex) error {
	if !p.alive {
		e.begun = false
		return nil
	}
	at := p.read - p.inFlight
	if !e.begun || e.gen != p.gen {
		*e = epoch{gen: p.gen, begun: true, behind: p.processed - at}
	}
	switch {
	case p.processed-at != e.behind:
		return fmt.Errorf("%d records read and %d on the way, the sinks have processed %d since the restart", p.read, p.inFlight, p.processed-e.behind)
	case p.stored < at:
		return fmt.Errorf("%d records lie before the position and the sinks have %d", at, p.stored)
	case a.exact(v) && p.stored != at:
		return fmt.Errorf("%d records lie before the position and the sinks have %d, though each counts once", at, p.stored)
	}
	return nil
}

// checkCut: what the sinks have of the latest completed checkpoint is what its sources had read, less the data in flight
// that it stored.
func (a *Auditor) checkCut(k, r int, sealed int64, id event.Checkpoint, v *Vertex) error {
	if v.Guarantee != ExactlyOnce {
		return nil
	}
	cut, err := a.cut(k, int32(r), id)
	if err != nil {
		return err
	}
	if id != 0 {
		a.cuts++
	}
	if sealed < cut || a.exact(v) && sealed != cut {
		return fmt.Errorf("its sources and channels stand at %d records, the sinks have %d of it", cut, sealed)
	}
	return nil
}

// cut is how many records lie before a checkpoint.
func (a *Auditor) cut(k int, region int32, id event.Checkpoint) (int64, error) {
	if id == 0 {
		return 0, nil
	}
	l, n := a.lab, int64(0)
	s := l.world.Save(id)
	if s == nil {
		return 0, fmt.Errorf("it is completed and was forgotten")
	}
	for _, t := range l.plan.sources {
		if l.plan.regions[t] == region {
			n += s.Next[t] * a.paths[k][l.world.Tasks[t].Vertex]
		}
	}
	for i := range s.Flow {
		to := l.plan.net.Wires[s.Flow[i].Channel].Consumer
		if l.plan.regions[to] != region {
			continue
		}
		for at := s.Flow[i].Runs.First(); at >= 0; at = l.world.Slab.Next(at) {
			n -= l.world.Slab.At(at).Count * a.paths[k][l.world.Tasks[to].Vertex]
		}
	}
	return n, nil
}

// sumUp fills the positions.
func (a *Auditor) sumUp(id event.Checkpoint) {
	l := a.lab
	for k := range a.sums {
		for r := range a.sums[k] {
			a.sums[k][r] = position{alive: true, gen: l.world.Tasks[r].Gen}
		}
	}
	for i := range l.world.Tasks {
		a.sumTask(&l.world.Tasks[i], id)
	}
	for c := range l.world.Net.Channels {
		n := int64(0)
		l.world.Net.Count(event.Channel(c), func(r *event.Run) { n += r.Count })
		a.addInFlight(event.Channel(c), n)
	}
}

func (a *Auditor) addInFlight(c event.Channel, n int64) {
	to := a.lab.plan.net.Wires[c].Consumer
	for k := range a.sums {
		a.sums[k][a.lab.plan.regions[to]].inFlight += n * a.paths[k][a.lab.world.Tasks[to].Vertex]
	}
}

func (a *Auditor) sumTask(t *task.Task, id event.Checkpoint) {
	l, region := a.lab, a.lab.plan.regions[t.ID]
	l.world.CountHands(t, func(c event.Channel, r *event.Run) { a.addInFlight(c, r.Count) })
	for k, sink := range a.sinks {
		p := &a.sums[k][region]
		p.alive = p.alive && t.Alive
		switch {
		case t.Kind == task.Source:
			p.read += l.world.Logs[t.Log].Next * a.paths[k][t.Vertex]
		case int(t.Vertex) == sink:
			w := &l.world.Writers[t.Writer]
			p.processed += t.In
			p.stored += w.Visible + w.Open.Records
			p.sealed += w.Visible
			for i := range w.Sealed {
				p.stored += w.Sealed[i].Records
				if w.Sealed[i].ID <= id {
					p.sealed += w.Sealed[i].Records
				}
			}
		}
	}
}

// slabs: every run in a slab is in a list of somebody.
func (a *Auditor) slabs() error {
	l, lists := a.lab, 0
	for c := range l.world.Net.Channels {
		lists += l.world.Net.Count(event.Channel(c), func(*event.Run) {})
	}
	for i := range l.world.Tasks {
		lists += l.world.CountHands(&l.world.Tasks[i], func(event.Channel, *event.Run) {})
	}
	if used := l.world.Net.Slab.Used(); used != lists {
		return fmt.Errorf("the network's slab has %d runs, %d of them are in lists", used, lists)
	}
	kept := 0
	count := func(runs event.Runs) {
		for i := runs.First(); i >= 0; i = l.world.Slab.Next(i) {
			kept++
		}
	}
	for i := range l.world.Writers {
		w := &l.world.Writers[i]
		count(w.Open.Runs)
		for k := range w.Sealed {
			count(w.Sealed[k].Runs)
		}
	}
	for i := range l.world.Saves {
		for k := range l.world.Saves[i].Flow {
			count(l.world.Saves[i].Flow[k].Runs)
		}
	}
	if used := l.world.Slab.Used(); used != kept {
		return fmt.Errorf("the tasks' slab has %d runs, %d of them are in transactions and checkpoints", used, kept)
	}
	return nil
}
