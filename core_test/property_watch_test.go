package core_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"checkpointlab/core"
	"checkpointlab/core/event"
)

// watched is a run under watch: it is cut into small pieces, and each law is held at each cut.
type watched struct {
	given   core.Setup
	setup   *core.Setup // as the run sees it, chained
	lab     *core.Lab
	auditor *core.Auditor
	items   int // due items handled
	now     core.View
	last    core.View  // at the cut before
	moved   event.Time // when a record was last seen to move
	records int64      // records moved by then
	paths   [][]int64  // by sink vertex and vertex
	commits int        // comparisons of committed records so far
}

// law is what must hold at every cut.
type law func(*watched) error

// laws in the order in which they are looked at.
var laws = []law{
	conserved, shownOnce, progressing, sharesAddUp, cellsFit, channelsAreSane, logsAreSane, outputsAreSane,
	coordinatorIsSane, budgetAddsUp, historyAgrees,
}

// lawsOfRescaled hold for runs whose subtasks come and go, and with them what a view shows of them.
var lawsOfRescaled = []law{conserved, progressing, sharesAddUp, cellsFit, channelsAreSane}

// watch runs a setup until its end or the budget's, cut as seed says.
func watch(s core.Setup, seed uint64, budget int) (*watched, error) {
	lab, err := core.New(s)
	if err != nil {
		return nil, err
	}
	w := &watched{given: s, setup: lab.Setup(), lab: lab, auditor: core.NewAuditor(lab)}
	w.findPaths()
	random := rand.New(rand.NewPCG(seed, 1))
	for single := 0; w.items < budget && lab.Now() < s.Duration; single-- {
		piece := 1
		if single <= 0 {
			if piece = 1 + random.IntN(200); random.IntN(10) == 0 {
				single = 30 // one item after the other for a while
			}
		}
		lab.Advance(s.Duration, piece)
		w.items += piece
		w.last, w.now = w.now, w.last
		lab.View(&w.now)
		hold := laws
		if w.rescales() {
			hold = lawsOfRescaled
		}
		for _, holds := range hold {
			if err := holds(w); err != nil {
				return w, fmt.Errorf("at %d ns, after %d items: %w", lab.Now(), w.items, err)
			}
		}
	}
	return w, latenciesArePositive(w)
}

// findPaths counts the paths from each vertex to each sink.
func (w *watched) findPaths() {
	for sink := range w.setup.Vertices {
		if w.setup.Vertices[sink].Kind != core.Sink {
			continue
		}
		n := make([]int64, len(w.setup.Vertices))
		n[sink] = 1
		for range w.setup.Vertices { // a path is no longer than there are vertices
			for v := range n {
				if v == sink {
					continue
				}
				n[v] = 0
				for _, e := range w.setup.Edges {
					copies := int64(1)
					if e.Partition == core.Broadcast {
						copies = int64(w.setup.Vertices[e.To].Parallelism)
					}
					if e.From == v {
						n[v] += n[e.To] * copies
					}
				}
			}
		}
		w.paths = append(w.paths, n)
	}
}

// plain reports whether every map makes one record of one, at once.
func (w *watched) plain() bool {
	for _, v := range w.setup.Vertices {
		if v.EmitNum != v.EmitDen || v.Burst || v.Window.Size > 0 || v.Async.Capacity > 0 {
			return false
		}
	}
	for _, e := range w.setup.Edges {
		if e.EmitDen > 0 {
			return false
		}
	}
	return true
}

// sinks calls f for every sink vertex with its paths.
func (w *watched) sinks(f func(v *core.VertexView, guarantee core.Guarantee, paths []int64)) {
	k := 0
	for i := range w.setup.Vertices {
		if w.setup.Vertices[i].Kind == core.Sink {
			f(&w.now.Vertices[i], w.setup.Vertices[i].Guarantee, w.paths[k])
			k++
		}
	}
}

// everyTask calls f for every subtask until it finds something wrong.
func (w *watched) everyTask(f func(v *core.Vertex, t *core.TaskView, before *core.TaskView) error) error {
	for i := range w.now.Vertices {
		for k := range w.now.Vertices[i].Tasks {
			var before *core.TaskView
			if len(w.last.Vertices) > 0 && k < len(w.last.Vertices[i].Tasks) {
				before = &w.last.Vertices[i].Tasks[k]
			}
			if err := f(&w.setup.Vertices[i], &w.now.Vertices[i].Tasks[k], before); err != nil {
				return fmt.Errorf("%s %d: %w", w.now.Vertices[i].Name, k, err)
			}
		}
	}
	return nil
}

// everyChannel calls f for every channel until it finds something wrong.
func (w *watched) everyChannel(f func(c *core.ChannelView, gate *core.GateView) error) error {
	for i := range w.now.Exchanges {
		x := &w.now.Exchanges[i]
		for k := range x.Channels {
			if err := f(&x.Channels[k], &x.Gates[x.Channels[k].To]); err != nil {
				return fmt.Errorf("channel %d of exchange %d: %w", k, i, err)
			}
		}
	}
	return nil
}

// restarted reports whether tasks were stopped or began to run since the cut before.
func (w *watched) restarted() bool {
	if len(w.last.Vertices) == 0 || slices.ContainsFunc(w.lab.History().Failures, func(f core.FailureRecord) bool { return !f.Rescaled && f.At >= w.last.At }) {
		return true
	}
	return w.stopped(&w.last) || w.stopped(&w.now)
}

// stops reports whether somebody stops the job with a savepoint.
func (w *watched) stops() bool {
	return slices.ContainsFunc(w.setup.Script, func(a core.Action) bool { return a.Do == core.Stop })
}

// commitsAhead tells whether a sink whose input ends may commit what belongs to later checkpoints than the one that is complete, as the
// committers of 1.18 and 1.20 do; behind a failure it is written again.
func (w *watched) commitsAhead() bool {
	return w.setup.Options.Version < "2.3" && w.ends()
}

// ends reports whether a source comes to its end by itself.
func (w *watched) ends() bool {
	return slices.ContainsFunc(w.setup.Vertices, func(v core.Vertex) bool { return v.EndsAt > 0 || v.EndsAfter > 0 })
}

// led is when another JobManager began to lead; -1 if the first one still does.
func (w *watched) led() event.Time {
	last := event.Time(-1)
	for _, a := range w.setup.Script {
		if a.Do == core.Elect && a.At <= w.now.At && slices.ContainsFunc(w.lab.History().Failures, func(f core.FailureRecord) bool { return f.At == a.At && f.Cause == event.LeaderLost }) {
			last = a.At
		}
	}
	return last
}

// rescales reports whether the job gets other parallelisms.
func (w *watched) rescales() bool {
	return slices.ContainsFunc(w.setup.Script, func(a core.Action) bool { return a.Do == core.RescaleJob || a.Do == core.RestoreJob })
}

// stopped reports whether a task is cancelled.
func (w *watched) stopped(v *core.View) bool {
	for i := range v.Vertices {
		for k := range v.Vertices[i].Tasks {
			if s := v.Vertices[i].Tasks[k].State; s >= core.Restoring && s != core.Finished { // lost ones, too
				return true
			}
		}
	}
	return false
}

// differ is an error unless got and want are equal.
func differ[T comparable](what string, got, want T) error {
	if got == want {
		return nil
	}
	return fmt.Errorf("%s: %v, expected %v", what, got, want)
}

// within is an error unless lo <= got <= hi.
func within[T int | int32 | int64](what string, got, lo, hi T) error {
	if lo <= got && got <= hi {
		return nil
	}
	return fmt.Errorf("%s: %d is not within %d … %d", what, got, lo, hi)
}

// first is the first error.
func first(errs ...error) error { return errors.Join(errs...) }
