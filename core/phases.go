package core

import (
	"slices"

	"checkpointlab/core/option"
)

// A job that is rescaled, or of which a new version is started from a snapshot, has one plan for each phase of its run. The
// script says when phases begin, so New knows all of them and a run stays a pure function of its setup. Tasks keep their ids,
// those of the widest phase, of which a narrower one leaves out the last subtasks of a vertex. Gates, partitions and channels
// are numbered anew in each phase.

// startsAnew reports whether an action begins a phase.
func (a *Action) startsAnew() bool { return a.Do == RescaleJob || a.Do == RestoreJob }

// startsFrom reports whether an action ends the job and starts another one from a snapshot of it, which the claim mode is about.
func (a *Action) startsFrom() bool {
	return a.Do == RestoreJob || a.Do == RescaleJob && a.FromSavepoint
}

// rescales reports whether an action gives a vertex another parallelism.
func (a *Action) rescales(v int) bool {
	return a.startsAnew() && a.Parallelism > 0 && (a.Vertex < 0 || a.Vertex == v)
}

// since lists the actions that led from another phase to this one. If the next version is requested before the last one runs,
// it also makes the changes that the last one was to make.
func (p *plan) since(was *plan) (all []*Action) {
	for k := was.phase + 1; k <= p.phase; k++ {
		all = append(all, p.phases[k].by)
	}
	return all
}

// renames reports whether a vertex has another uid than in another phase.
func (p *plan) renames(was *plan, v int) bool {
	return slices.ContainsFunc(p.since(was), func(a *Action) bool { return a.Do == RestoreJob && a.Renamed && a.Vertex == v })
}

// rescaled is the setups of all phases: the first as given, and a further one after each RescaleJob or RestoreJob of the
// script. A log keeps the partitions that it has at the start.
func (s Setup) rescaled() []Setup {
	all := []Setup{s}
	for i := range s.Script {
		a := &s.Script[i]
		if !a.startsAnew() {
			continue
		}
		next := all[len(all)-1]
		next.Vertices = slices.Clone(next.Vertices)
		for v := range next.Vertices {
			if a.rescales(v) {
				next.Vertices[v].Parallelism = a.Parallelism
			}
		}
		if a.Backend > 0 {
			next.Options.Backend = option.StateBackend(a.Backend - 1)
		}
		all = append(all, next)
	}
	if len(all) == 1 {
		return all
	}
	for i := range all {
		all[i].Vertices = slices.Clone(all[i].Vertices)
		for v := range all[i].Vertices {
			if x := &all[i].Vertices[v]; x.Kind == Source && x.Partitions == 0 {
				x.Partitions = s.Vertices[v].Parallelism
			}
		}
	}
	return all
}

// widest is the setup in which each vertex has the most subtasks that it has in any phase.
func widest(phases []Setup) *Setup {
	w := phases[0]
	w.Vertices = slices.Clone(w.Vertices)
	for i := range phases {
		for v := range w.Vertices {
			w.Vertices[v].Parallelism = max(w.Vertices[v].Parallelism, phases[i].Vertices[v].Parallelism)
		}
	}
	return &w
}

// checkRescales refuses parallelisms that Flink refuses, or that a FORWARD exchange cannot have.
func (s *Setup) checkRescales(bad func(string, ...any)) {
	most, phases := s.maxParallelism(), 1
	for i := range s.Script {
		a := &s.Script[i]
		if !a.startsAnew() {
			continue
		}
		if phases++; phases > maxPhases {
			bad("the script starts the job anew more than %d times; leave out some of its actions rescale and restore", maxPhases-1)
			return
		}
		if a.startsFrom() && !s.checkRestore(i, bad) {
			return
		}
		switch {
		case a.Vertex >= len(s.Vertices):
			bad("action %d of the script names a vertex that does not exist", i+1)
			return
		case a.Do == RestoreJob && a.Parallelism == 0:
		case a.Parallelism < 1:
			bad("action %d of the script gives a parallelism of %d; give at least 1", i+1, a.Parallelism)
			return
		case a.Parallelism > most:
			bad("action %d of the script gives a parallelism of %d, above the max parallelism of %d that the state was written with; lower it or raise pipeline.max-parallelism", i+1, a.Parallelism, most)
			return
		}
	}
	for k, phase := range s.rescaled()[1:] {
		phase.Script = nil
		phase.checkEdges(func(format string, args ...any) {
			bad("after rescaling %d: "+format, append([]any{k + 1}, args...)...)
		})
	}
	for v := range s.Vertices {
		s.checkRescaledLog(v, bad)
	}
}

// checkRescaledLog: when the partitions of a source move to other subtasks, all must have the same rate.
func (s *Setup) checkRescaledLog(v int, bad func(string, ...any)) {
	if s.Vertices[v].Kind != Source || !slices.ContainsFunc(s.Script, func(a Action) bool { return a.rescales(v) }) {
		return
	}
	if s.Vertices[v].Load.Quiet {
		bad("the partitions of subtask %d of %s fall silent, and it is rescaled; leave one of the two out, for all partitions need the same rate then", s.Vertices[v].Load.QuietSubtask, s.Vertices[v].Name)
	}
	for i, a := range s.Script {
		if a.Do == Rate && a.Vertex == v && (a.Subtask >= 0 || s.Vertices[v].RateNum == 0) {
			bad("action %d of the script gives a subtask of %s a rate of its own, or one to a log without, and it is rescaled; give all partitions a rate", i+1, s.Vertices[v].Name)
		}
	}
}
