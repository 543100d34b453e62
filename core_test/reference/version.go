package reference

import (
	"checkpointlab/core"
	"checkpointlab/core/event"
)

// What an action makes of the job, and why it may not start so.

// refusal is why the job cannot start from a checkpoint with what an action changes.
func (r *Run) refusal(action int, s *save, id event.Checkpoint) core.Refusal {
	for _, a := range r.versions(action) {
		if a.Do != core.RestoreJob || id == 0 {
			continue
		}
		v := &r.setup.Vertices[max(0, a.Vertex)]
		keeps := v.Kind != core.Map || v.Snapshot.Size > 0 || v.Window.Size > 0 || v.Async.Capacity > 0 || len(v.State) > 0
		switch {
		case a.Renamed && keeps && !r.setup.Options.IgnoreUnclaimed:
			return core.UnclaimedState
		case a.MaxParallel > 0 && a.MaxParallel != r.setup.MaxParallel:
			return core.OtherMaxParallelism
		}
	}
	changes := func(e int) bool {
		edge := &r.setup.Edges[e]
		return r.becomes(action, edge.From) != r.setup.Vertices[edge.From].Parallelism || r.becomes(action, edge.To) != r.setup.Vertices[edge.To].Parallelism
	}
	for _, f := range s.flow {
		e := f.channel.partition.edge
		if changes(e) && !r.setup.Edges[e].Partition.Partitioner().CarriesUnaligned() {
			return core.InFlight
		}
		for o, other := range r.setup.Edges { // FLINK-38267
			if r.setup.Options.Version < "2.3" && f.output && o != e && other.From == r.setup.Edges[e].From &&
				!other.Partition.Partitioner().CarriesUnaligned() && changes(o) {
				return core.InFlight
			}
		}
	}
	return core.NotRefused
}

// versions are the actions behind that of the present version up to another: what they were to change holds, whether the
// job came to it or not.
func (r *Run) versions(action int) (all []*core.Action) {
	for i := r.version; i <= action; i++ {
		if a := &r.setup.Script[i]; a.Do == core.RescaleJob || a.Do == core.RestoreJob {
			all = append(all, a)
		}
	}
	return all
}

// becomes is the parallelism that a vertex has behind an action: what those ahead of it in the script have made of it, though a JobManager
// that stood still may have come to them in another order, and what it says itself.
func (r *Run) becomes(action, v int) int {
	n := r.first.Vertices[v].Parallelism
	for i := range r.setup.Script[:action+1] {
		a := &r.setup.Script[i]
		if a.Do != core.RescaleJob && a.Do != core.RestoreJob {
			continue
		}
		if a.Parallelism > 0 && (a.Vertex < 0 || a.Vertex == v) {
			n = a.Parallelism
		}
	}
	return n
}
