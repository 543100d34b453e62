package vector

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"

	"checkpointlab/core/event"
	"checkpointlab/core/metric"
)

// taskTimesRun drives what a task's metrics say of its time: unit taskio. What is given passes first, in the order of the fields.
type taskTimesRun struct {
	times metric.TaskTimes
	now   event.Time
}

func runTaskTimes(c Case) (Status, string) {
	var v struct {
		Unit                                                                          string
		RunningBeforeMs, IdleAndSoftConcurrentMs, IdleMs, SoftMs, HardMs, ChangelogMs event.Time
	}
	if err := Decode(c.Given, &v); err != nil {
		return Unknown("given", err)
	}
	r := &taskTimesRun{times: metric.NewTaskTimes(0), now: v.RunningBeforeMs * event.Millisecond}
	t := &r.times
	r.spend(v.IdleAndSoftConcurrentMs, &t.Idle, &t.Soft)
	r.spend(v.IdleMs, &t.Idle)
	r.spend(v.SoftMs, &t.Soft)
	r.spend(v.HardMs, &t.Hard)
	r.spend(v.ChangelogMs, &t.Changelog)
	return replayOn(r, c)
}

// spend lets ms pass in which the gauges count.
func (r *taskTimesRun) spend(ms event.Time, gauges ...*metric.TimeGauge) {
	for _, g := range gauges {
		g.Start(r.now)
	}
	r.now += ms * event.Millisecond
	for _, g := range gauges {
		g.End(r.now)
	}
}

// event knows advance ms, and the start and the end of what each gauge counts: idleStart, idleEnd, softStart …
func (r *taskTimesRun) event(verb string, args []json.RawMessage) (Status, string) {
	if verb == "advance" {
		var ms event.Time
		err := scan(args, &ms)
		r.now += ms * event.Millisecond
		return done(err)
	}
	which, starts := strings.CutSuffix(verb, "Start")
	which = strings.TrimSuffix(which, "End")
	gauge, ok := map[string]*metric.TimeGauge{"idle": &r.times.Idle, "soft": &r.times.Soft, "hard": &r.times.Hard, "changelog": &r.times.Changelog}[which]
	if !ok || which == verb {
		return Unknown(verb, errUnknown)
	}
	err := scan(args)
	switch {
	case err != nil:
	case starts:
		gauge.Start(r.now)
	default:
		gauge.End(r.now)
	}
	return done(err)
}

func (r *taskTimesRun) value(key string, want json.RawMessage) (any, bool) {
	const ms = event.Millisecond
	switch t := &r.times; key {
	case "accumulatedBusyMs":
		return t.AccumulatedBusy(r.now) / ms, true
	case "accumulatedIdleMs":
		return t.Idle.Accumulated() / ms, true
	case "accumulatedSoftMs":
		return t.Soft.Accumulated() / ms, true
	case "accumulatedHardMs":
		return t.Hard.Accumulated() / ms, true
	case "accumulatedBackPressuredMs":
		return (t.Soft.Accumulated() + t.Hard.Accumulated()) / ms, true
	case "changelogBusyMs":
		return t.Changelog.Accumulated() / ms, true
	case "accumulatedBusyEquals":
		return r.busyAs(want)
	}
	return nil, false
}

// busyAs is the formula that a case has for the busy time, if it holds, else the busy time.
func (r *taskTimesRun) busyAs(want json.RawMessage) (any, bool) {
	var formula string
	if json.Unmarshal(want, &formula) != nil {
		return nil, false
	}
	t := &r.times
	busy, err := evaluate(formula, map[string]event.Time{
		"now": r.now, "start": 0, "changelog": t.Changelog.Accumulated(), "hard": t.Hard.Accumulated(), "idle": t.Idle.Accumulated(), "soft": t.Soft.Accumulated(),
	})
	switch {
	case err != nil:
		return nil, false
	case t.AccumulatedBusy(r.now) == busy:
		return formula, true
	}
	return fmt.Sprintf("%d ns", t.AccumulatedBusy(r.now)), true
}

// evaluate computes a sum such as "now - start - (soft+hard)".
func evaluate(formula string, values map[string]event.Time) (event.Time, error) {
	e, err := parser.ParseExpr(formula)
	if err != nil {
		return 0, err
	}
	return sum(e, values)
}

func sum(e ast.Expr, values map[string]event.Time) (event.Time, error) {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return sum(e.X, values)
	case *ast.Ident:
		if v, ok := values[e.Name]; ok {
			return v, nil
		}
		return 0, fmt.Errorf("%s is not known to the runner", e.Name)
	case *ast.BinaryExpr:
		x, errX := sum(e.X, values)
		y, errY := sum(e.Y, values)
		switch e.Op {
		case token.ADD:
			return x + y, errors.Join(errX, errY)
		case token.SUB:
			return x - y, errors.Join(errX, errY)
		}
	}
	return 0, errors.New("not a sum of times")
}
