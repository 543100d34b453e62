package scenarios

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"checkpointlab/core"
	"checkpointlab/core/option"

	"go.yaml.in/yaml/v3"
)

// act is one kind of action: its name, the fields that it takes beside at and do, and what reads them.
type act struct {
	name, fields string
	read         func(o *object, a *core.Action, s *Scenario)
}

// acts are the actions in the order of core.Do, of which SlowFlush is slow with flush. README.md describes them.
var acts = []act{
	{"slow", "vertex subtask cost flush", (*object).slow},
	{"rate", "vertex subtask rate", (*object).newRate},
	{"kill", "vertex subtask", (*object).kill},
	{"checkpoint", "full", (*object).full},
	{"savepoint", "format", (*object).format},
	{"storage", "slow fail late by where", (*object).fault},
	{"stop", "format drain", (*object).stop},
	{"backlog", "vertex subtask over", (*object).backlog},
	{"lose", "vertex subtask silent back", (*object).lose},
	{"rescale", "vertex parallelism from", (*object).rescale},
	{"restore", "vertex parallelism from format uid maxParallelism backend", (*object).restore},
	{"hang", "vertex subtask for in interruptible", (*object).hang},
	{"elect", "for", (*object).elect},
	{"refuse", "vertex subtask for takes", (*object).refusal},
	{"pause", "vertex subtask process for back", (*object).pause},
	{"throttle", "vertex subtask times for", (*object).throttle},
}

var (
	actions      = namesOf(acts)
	actionFields = fieldsOf(acts)
	restarts     = []string{"CHECKPOINT", "SAVEPOINT"}
	formats      = []string{"CANONICAL", "NATIVE"}
	processes    = []string{"taskmanager", "jobmanager"}
)

func namesOf(acts []act) (names []string) {
	for _, a := range acts {
		names = append(names, a.name)
	}
	return names
}

// fieldsOf are the fields of all actions, each once.
func fieldsOf(acts []act) []string {
	all := []string{"at", "do"}
	for _, a := range acts {
		for _, f := range strings.Fields(a.fields) {
			if !slices.Contains(all, f) {
				all = append(all, f)
			}
		}
	}
	return all
}

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
	kind := &acts[a.Do]
	mine := strings.Fields(kind.fields)
	for _, f := range actionFields[2:] { // behind at and do
		if slices.Contains(mine, f) {
			continue
		}
		if only := onlyIn(f); only != "" {
			o.refuse("belongs to do: "+only, f)
		} else {
			o.refuse("does not belong to this action", f)
		}
	}
	if kind.read != nil {
		kind.read(o, a, s)
	}
}

// onlyIn is the one action that takes a field; "" if several do.
func onlyIn(field string) (name string) {
	for i := range acts {
		if slices.Contains(strings.Fields(acts[i].fields), field) {
			if name != "" {
				return ""
			}
			name = acts[i].name
		}
	}
	return name
}

// target reads the vertex of an action and, if there is one, its subtask; nil if no vertex is named.
func (o *object) target(a *core.Action, s *Scenario) *core.Vertex {
	a.Vertex = o.vertex("vertex", s)
	if a.Vertex < 0 {
		return nil
	}
	v := &s.Setup.Vertices[a.Vertex]
	if n, ok := o.number("subtask", 0, 1<<31-1); ok {
		a.Subtask = int(n)
		if a.Subtask >= v.Parallelism {
			o.bad("subtask", "does not exist: "+v.Name+" has "+strconv.Itoa(v.Parallelism), "write 0 to "+strconv.Itoa(v.Parallelism-1))
		}
	}
	return v
}

func (o *object) slow(a *core.Action, s *Scenario) {
	v := o.target(a, s)
	if o.has("flush") {
		o.flush(a, v)
		return
	}
	o.need("cost", "write the new time for a record, such as 1 ms")
	if v != nil && v.Kind == core.Source {
		o.bad("vertex", "is a source, which has no cost to change", "name a map or a sink, or write do: rate")
	}
	a.Cost = o.span("cost", 0, 0, longestCost)
}

// flush reads how long the sink's outside system takes from then on.
func (o *object) flush(a *core.Action, v *core.Vertex) {
	switch {
	case o.has("cost"):
		o.bad("flush", "stands beside a cost", "do one after the other, in two actions")
	case v != nil && v.Kind != core.Sink:
		o.bad("vertex", "is not a sink and has nothing to flush", "name a sink, or write cost:")
	case v != nil && v.Guarantee == core.NoGuarantee:
		o.bad("vertex", "has the guarantee NONE, with which nothing is waited for", "name a sink with another guarantee")
	}
	a.Do, a.Cost = core.SlowFlush, o.span("flush", 0, 0, longestRun)
}

func (o *object) newRate(a *core.Action, s *Scenario) {
	v := o.target(a, s)
	o.need("rate", "write the new rate, such as 2000/s")
	if v != nil && v.Kind != core.Source {
		o.bad("vertex", "is not a source and has no rate", "name a source")
	}
	if a.RateNum, a.RatePer = o.rate("rate"); o.has("rate") && a.RatePer == 0 && len(o.r.mistakes) == 0 {
		o.bad("rate", "cannot be the new rate of a log", "write records per time, such as 1000/s")
	}
	if v != nil && v.Kind == core.Source {
		o.notTooMany("rate", v, a.RateNum, a.RatePer)
	}
}

func (o *object) backlog(a *core.Action, s *Scenario) {
	if v := o.target(a, s); v != nil && v.Kind != core.Source {
		o.bad("vertex", "is not a source and has no backlog", "name a source")
	}
	a.Over = o.flag("over", false)
}

func (o *object) kill(a *core.Action, s *Scenario) {
	o.target(a, s)
	a.Subtask = max(a.Subtask, 0)
}

func (o *object) lose(a *core.Action, s *Scenario) {
	o.kill(a, s)
	a.Silent, a.Back = o.flag("silent", false), o.span("back", 0, 0, longestRun)
}

func (o *object) hang(a *core.Action, s *Scenario) {
	o.target(a, s)
	a.For, a.InSync = o.span("for", 0, 1, longestRun), o.word("in", 0, "thread", "sync") == 1
	a.Deaf = !o.flag("interruptible", true)
}

// refusal reads how long the sink's outside system refuses commits.
func (o *object) refusal(a *core.Action, s *Scenario) {
	if v := o.target(a, s); v != nil && (v.Kind != core.Sink || v.Guarantee != core.ExactlyOnce) {
		o.bad("vertex", "does not commit", "name a sink whose guarantee is EXACTLY_ONCE")
	}
	o.need("for", "write how long commits are refused, such as 30 s")
	a.For, a.Cost = o.span("for", 1, 1, longestRun), o.span("takes", 0, 0, longestRun)
}

func (o *object) elect(a *core.Action, _ *Scenario) { a.For = o.span("for", 0, 0, longestRun) }

// pause reads which process stands still and how long.
func (o *object) pause(a *core.Action, s *Scenario) {
	if a.Master = o.word("process", 0, processes...) == 1; a.Master {
		o.refuse("belongs to process: taskmanager", "vertex", "subtask", "back")
	} else {
		o.kill(a, s)
		a.Back = o.span("back", 0, 0, longestRun)
	}
	o.need("for", "write how long the process stands still, such as 20 s")
	a.For = o.span("for", 1, 1, longestRun)
}

// throttle reads how many times as long records take on a task manager, and for how long.
func (o *object) throttle(a *core.Action, s *Scenario) {
	o.kill(a, s)
	o.need("times", "write how many times as long a record takes, such as 3")
	o.need("for", "write how long the task manager is throttled, such as 30 s")
	a.For, a.Times = o.span("for", 1, 1, longestRun), 2000
	o.read("times", "write how many times as long a record takes, such as 3", func(text string) error {
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || !(x >= 1.001 && x <= 100) {
			return &option.Mistake{Problem: "is not a factor above 1", Remedy: "write how many times as long a record takes, 1.001 to 100, such as 3"}
		}
		a.Times = int64(math.Round(x * 1000))
		return nil
	})
}

func (o *object) full(a *core.Action, s *Scenario) {
	if a.Full = o.flag("full", false); a.Full && s.Setup.Options.Changelog {
		o.bad("full", "cannot go with state.changelog.enabled: the changelog does not store a full checkpoint, and tasks that are asked for one fail",
			"leave it out, or set state.changelog.enabled to false")
	}
}

func (o *object) format(a *core.Action, _ *Scenario) { a.Native = o.word("format", 0, formats...) == 1 }

func (o *object) stop(a *core.Action, s *Scenario) {
	o.format(a, s)
	a.Drain = o.flag("drain", false)
}

// rescale reads another parallelism, of a vertex or, without one, of all.
func (o *object) rescale(a *core.Action, s *Scenario) {
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
	o.format(a, s)
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
