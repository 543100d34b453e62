package scenarios

import (
	"cmp"
	"slices"
	"strconv"

	"checkpointlab/core"
	"checkpointlab/core/option"

	"go.yaml.in/yaml/v3"
)

var (
	actionFields = []string{"at", "do", "vertex", "subtask", "cost", "rate", "slow", "fail", "where", "format", "drain", "over", "silent", "back", "parallelism", "from", "uid", "maxParallelism", "backend", "for", "in"}
	actions      = []string{"slow", "rate", "kill", "checkpoint", "savepoint", "storage", "stop", "backlog", "lose", "rescale", "restore", "hang", "elect"} // in the order of core.Do
	restarts     = []string{"CHECKPOINT", "SAVEPOINT"}
	formats      = []string{"CANONICAL", "NATIVE"}
)

// script reads what happens in the world, into the order of time.
func (r *reader) script(top *object, s *Scenario) {
	for i, n := range top.items("script") {
		o := r.object(n, "script."+strconv.Itoa(i+1), actionFields...)
		if n.Kind != yaml.MappingNode {
			continue
		}
		for _, f := range []string{"at", "do"} {
			if !o.has(f) {
				o.bad(f, "is missing", map[string]string{"at": "write a time, such as 30 s", "do": "write " + list(actions)}[f])
			}
		}
		a := core.Action{At: o.span("at", 0, 0, longestRun), Do: core.Do(o.word("do", len(actions), actions...)), Vertex: -1, Subtask: -1}
		if a.At > s.Setup.Duration {
			o.bad("at", "lies after the end of the run", "write "+option.FormatDuration(s.Setup.Duration)+" or less, or a longer run.duration")
		}
		if int(a.Do) < len(actions) {
			o.action(&a, s)
			s.Setup.Script = append(s.Setup.Script, a)
		}
	}
	slices.SortStableFunc(s.Setup.Script, func(a, b core.Action) int { return cmp.Compare(a.At, b.At) })
}

// action reads what the kind of an action needs and refuses the rest.
func (o *object) action(a *core.Action, s *Scenario) {
	if a.Do == core.Savepoint || a.Do == core.Stop || a.Do == core.RestoreJob {
		a.Native = o.word("format", 0, formats...) == 1
	} else {
		o.refuse("does not belong to this action", "format")
	}
	if a.Do == core.Stop {
		a.Drain = o.flag("drain", false)
	} else {
		o.refuse("does not belong to this action", "drain")
	}
	if a.Do == core.Backlog {
		a.Over = o.flag("over", false)
	} else {
		o.refuse("does not belong to this action", "over")
	}
	if a.Do == core.Lose {
		a.Silent, a.Back = o.flag("silent", false), o.span("back", 0, 0, longestRun)
	} else {
		o.refuse("does not belong to this action", "silent", "back")
	}
	switch a.Do {
	case core.Hang:
		a.For = o.span("for", 0, 1, longestRun)
		a.InSync = o.word("in", 0, "thread", "sync") == 1
	case core.Elect:
		a.For = o.span("for", 0, 0, longestRun)
		o.refuse("does not belong to this action", "in")
	default:
		o.refuse("does not belong to this action", "for", "in")
	}
	if a.Do != core.RestoreJob {
		o.refuse("belongs to do: restore", "uid", "maxParallelism", "backend")
	}
	switch a.Do {
	case core.RescaleJob:
		o.rescale(a, s)
		return
	case core.RestoreJob:
		o.restore(a, s)
		return
	}
	o.refuse("does not belong to this action", "parallelism", "from")
	switch a.Do {
	case core.Trigger, core.Savepoint, core.Stop, core.Elect:
		o.refuse("does not belong to this action", "vertex", "subtask", "cost", "rate")
		return
	}
	if a.Do == core.StorageFault {
		o.fault(a)
		return
	}
	o.refuse("belongs to do: storage", "slow", "fail", "where")
	a.Vertex = o.vertex("vertex", s)
	if a.Vertex < 0 {
		return
	}
	v := &s.Setup.Vertices[a.Vertex]
	if n, ok := o.number("subtask", 0, 1<<31-1); ok {
		a.Subtask = int(n)
		if a.Subtask >= v.Parallelism {
			o.bad("subtask", "does not exist: "+v.Name+" has "+strconv.Itoa(v.Parallelism), "write 0 to "+strconv.Itoa(v.Parallelism-1))
		}
	}
	switch a.Do {
	case core.Slow:
		o.refuse("does not belong to this action", "rate")
		o.need("cost", "write the new time for a record, such as 1 ms")
		if v.Kind == core.Source {
			o.bad("vertex", "is a source, which has no cost to change", "name a map or a sink, or write do: rate")
		}
		a.Cost = o.span("cost", 0, 0, longestCost)
	case core.Rate:
		o.refuse("does not belong to this action", "cost")
		o.need("rate", "write the new rate, such as 2000/s")
		if v.Kind != core.Source {
			o.bad("vertex", "is not a source and has no rate", "name a source")
		}
		if a.RateNum, a.RatePer = o.rate("rate"); o.has("rate") && a.RatePer == 0 && len(o.r.mistakes) == 0 {
			o.bad("rate", "cannot be the new rate of a log", "write records per time, such as 1000/s")
		}
		if v.Kind == core.Source {
			o.notTooMany("rate", v, a.RateNum, a.RatePer)
		}
	case core.Backlog:
		o.refuse("does not belong to this action", "cost", "rate")
		if v.Kind != core.Source {
			o.bad("vertex", "is not a source and has no backlog", "name a source")
		}
	case core.Hang:
		o.refuse("does not belong to this action", "cost", "rate")
	case core.Kill, core.Lose:
		o.refuse("does not belong to this action", "cost", "rate")
		a.Subtask = max(a.Subtask, 0)
	}
}

// rescale reads another parallelism, of a vertex or, without one, of all.
func (o *object) rescale(a *core.Action, s *Scenario) {
	o.refuse("does not belong to this action", "subtask", "cost", "rate")
	o.need("parallelism", "write the new number of subtasks")
	if n, ok := o.number("parallelism", 1, option.MostParallelism); ok {
		a.Parallelism = int(n)
	} else {
		a.Parallelism = 1
	}
	a.FromSavepoint = o.word("from", 0, restarts...) == 1
	if o.has("vertex") {
		a.Vertex = o.vertex("vertex", s)
	}
}

// restore reads what is different in a new version of the job, and which snapshot it starts from.
func (o *object) restore(a *core.Action, s *Scenario) {
	o.refuse("does not belong to this action", "subtask", "cost", "rate")
	a.FromSavepoint = o.word("from", 1, restarts...) == 1
	if !a.FromSavepoint {
		o.refuse("belongs to from: SAVEPOINT", "format")
	}
	if n, ok := o.number("parallelism", 1, option.MostParallelism); ok {
		a.Parallelism = int(n)
	}
	if n, ok := o.number("maxParallelism", 1, option.MostParallelism); ok {
		a.MaxParallel = int(n)
	}
	if o.has("backend") {
		a.Backend = 1 + o.word("backend", 0, option.BackendNames()...)
	}
	field := "vertex"
	if o.has("uid") {
		if field, a.Renamed = "uid", true; o.has("vertex") || o.has("parallelism") {
			o.bad("uid", "names a vertex, and the action another parallelism", "do one after the other, in two actions")
		}
	}
	if o.has(field) {
		a.Vertex = o.vertex(field, s)
	}
}

// need keeps a mistake if a field is missing.
func (o *object) need(field, remedy string) {
	if !o.has(field) {
		o.bad(field, "is missing", remedy)
	}
}
