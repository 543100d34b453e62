package vector

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"

	"checkpointlab/core/event"
	"checkpointlab/core/metric"
)

// gaugeRun drives a time gauge: unit TimerGauge.
type gaugeRun struct {
	gauge metric.TimeGauge
	now   event.Time
}

func runGauge(c Case) (Status, string) {
	var v struct {
		Unit                                   string
		TimeSpanSeconds, UpdateIntervalSeconds event.Time
	}
	if err := Decode(c.Given, &v); err != nil {
		return Unknown("given", err)
	}
	if step := v.UpdateIntervalSeconds; step < 1 || v.TimeSpanSeconds < step || v.TimeSpanSeconds/step > metric.GaugeSpan/metric.GaugeStep {
		return Unknown("timeSpanSeconds", errors.New("more steps than a gauge has"))
	}
	return replayOn(&gaugeRun{gauge: metric.NewTimeGauge(v.TimeSpanSeconds*event.Second, v.UpdateIntervalSeconds*event.Second)}, c)
}

// event knows start, end, update and advance ms.
func (r *gaugeRun) event(verb string, args []json.RawMessage) (Status, string) {
	var ms event.Time
	if verb == "advance" {
		err := scan(args, &ms)
		r.now += ms * event.Millisecond
		return done(err)
	}
	act, ok := map[string]func(event.Time){"start": r.gauge.Start, "end": r.gauge.End, "update": r.gauge.Update}[verb]
	if !ok {
		return Unknown(verb, errUnknown)
	}
	err := scan(args)
	if err == nil {
		act(r.now)
	}
	return done(err)
}

func (r *gaugeRun) value(key string, want json.RawMessage) (any, bool) {
	switch key {
	case "value":
		return r.gauge.Value(), true
	case "valueMin": // at least
		var least int64
		err := json.Unmarshal(want, &least)
		return min(r.gauge.Value(), least), err == nil
	case "max":
		return r.gauge.Longest() / event.Millisecond, true
	case "accumulated":
		return r.gauge.Accumulated() / event.Millisecond, true
	}
	return nil, false
}

// meterRun drives a meter with its counter: unit MeterView.
type meterRun struct {
	meter metric.Meter
	count int64
}

func runMeter(c Case) (Status, string) {
	var v struct {
		Unit            string
		TimeSpanSeconds *event.Time
		Counter         int64
	}
	if err := Decode(c.Given, &v); err != nil {
		return Unknown("given", err)
	}
	span := metric.GaugeSpan
	if v.TimeSpanSeconds != nil { // a whole number of steps, one at least (MeterView's constructor)
		if span = *v.TimeSpanSeconds; span < 1 || span > metric.GaugeSpan/event.Second {
			return Unknown("timeSpanSeconds", errors.New("not within the span of a meter"))
		}
		span = max(span*event.Second/metric.GaugeStep, 1) * metric.GaugeStep
	}
	return replayOn(&meterRun{meter: metric.NewMeter(span, metric.GaugeStep), count: v.Counter}, c)
}

// event knows markEvent [n] and update.
func (r *meterRun) event(verb string, args []json.RawMessage) (Status, string) {
	switch verb {
	case "markEvent":
		n := int64(1)
		if len(args) > 0 {
			if err := scan(args, &n); err != nil {
				return done(err)
			}
		}
		r.count += n
		return done(nil)
	case "update":
		err := scan(args)
		if err == nil {
			r.meter.Update(r.count)
		}
		return done(err)
	}
	return Unknown(verb, errUnknown)
}

func (r *meterRun) value(key string, _ json.RawMessage) (any, bool) {
	switch key {
	case "rate":
		return r.meter.Rate(), true
	case "count":
		return r.count, true
	}
	return nil, false
}

// runBackPressure replays unit backpressure: what the REST interface tells of a subtask or of a vertex.
func runBackPressure(c Case) (Status, string) {
	var v struct {
		Unit                         string
		BackPressuredTimeMsPerSecond *int64
		IdleTimeMsPerSecond          *int64
		BusyTimeMsPerSecond          *int64
		SubtaskBackPressuredMs       map[string]*int64 // null: it has no metrics
		SubtaskIdleMs, SubtaskBusyMs map[string]int64
		Metrics                      *string
	}
	if err := Decode(c.Given, &v); err != nil {
		return Unknown("given", err)
	}
	switch {
	case v.SubtaskBackPressuredMs != nil:
		return vertexPressure(c, v.SubtaskBackPressuredMs, v.SubtaskIdleMs, v.SubtaskBusyMs)
	case v.Metrics != nil && *v.Metrics == "none for this vertex":
		return vertexPressure(c, nil, nil, nil)
	case v.Metrics == nil && v.BackPressuredTimeMsPerSecond == nil && v.IdleTimeMsPerSecond == nil && v.BusyTimeMsPerSecond == nil: // null, or no other key
		return vertexPressure(c, nil, nil, nil)
	case v.Metrics != nil || v.BackPressuredTimeMsPerSecond == nil:
		return Unknown("given", errUnknown)
	}
	got := answers{
		"ratio": metric.Ratio(*v.BackPressuredTimeMsPerSecond), "backpressureLevel": metric.LevelOf(*v.BackPressuredTimeMsPerSecond).String(),
	}
	if v.IdleTimeMsPerSecond != nil {
		got["idleRatio"] = metric.Ratio(*v.IdleTimeMsPerSecond)
	}
	if v.BusyTimeMsPerSecond != nil {
		got["busyRatio"] = metric.Ratio(*v.BusyTimeMsPerSecond)
	}
	return compared(c, got)
}

// vertexPressure compares what is told of a vertex of whose subtasks some have metrics.
func vertexPressure(c Case, given map[string]*int64, idle, busy map[string]int64) (Status, string) {
	known, pressed := []int64{}, map[string]int64{}
	for key, ms := range given {
		if ms == nil {
			continue
		}
		pressed[key] = *ms
		i, err := strconv.Atoi(key)
		if err != nil || i < 0 || i > 1<<15 {
			return Unknown("subtask "+key, errUnknown)
		}
		for len(known) <= i {
			known = append(known, metric.Absent)
		}
		known[i] = *ms
	}
	got := answers{"status": "deprecated"}
	if listed, level, ok := metric.VertexLevel(known); ok {
		got = answers{"status": "ok", "backpressureLevel": level.String(), "subtasksListed": listed}
		levels := []string{}
		for _, i := range listed {
			levels = append(levels, metric.LevelOf(known[i]).String())
		}
		got["levels"] = levels
		got.addRatios("ratios", listed, pressed)
		got.addRatios("idleRatios", listed, idle)
		got.addRatios("busyRatios", listed, busy)
	}
	return compared(c, got)
}

// addRatios adds a ratio of each subtask, if all are given.
func (a answers) addRatios(key string, listed []int, ms map[string]int64) {
	ratios := []float64{}
	for _, i := range listed {
		n, ok := ms[strconv.Itoa(i)]
		if !ok {
			return
		}
		ratios = append(ratios, metric.Ratio(n))
	}
	a[key] = ratios
}

// runTaskTimes replays unit taskio: a task that runs, then is idle and soft back-pressured at once, hard back-pressured
// and waits for its changelog.
func runTaskTimes(c Case) (Status, string) {
	var v struct {
		Unit                                                                          string
		RunningBeforeMs, IdleAndSoftConcurrentMs, IdleMs, SoftMs, HardMs, ChangelogMs event.Time
	}
	if err := Decode(c.Given, &v); err != nil {
		return Unknown("given", err)
	}
	const ms = event.Millisecond
	times := metric.NewTaskTimes(0)
	now := v.RunningBeforeMs * ms
	spend := func(span event.Time, gauges ...*metric.TimeGauge) {
		for _, g := range gauges {
			g.Start(now)
		}
		now += span * ms
		for _, g := range gauges {
			g.End(now)
		}
	}
	spend(v.IdleAndSoftConcurrentMs, &times.Idle, &times.Soft)
	spend(v.IdleMs, &times.Idle)
	spend(v.SoftMs, &times.Soft)
	spend(v.HardMs, &times.Hard)
	spend(v.ChangelogMs, &times.Changelog)

	got := answers{ // in ms
		"accumulatedBusyMs": times.AccumulatedBusy(now) / ms, "accumulatedIdleMs": times.Idle.Accumulated() / ms, "accumulatedSoftMs": times.Soft.Accumulated() / ms,
		"accumulatedHardMs": times.Hard.Accumulated() / ms, "accumulatedBackPressuredMs": (times.Soft.Accumulated() + times.Hard.Accumulated()) / ms,
		"changelogBusyMs": times.Changelog.Accumulated() / ms,
	}
	var want struct{ AccumulatedBusyEquals *string }
	if json.Unmarshal(c.Expect, &want) == nil && want.AccumulatedBusyEquals != nil {
		busy, err := evaluate(*want.AccumulatedBusyEquals, map[string]event.Time{
			"now": now, "start": 0, "changelog": v.ChangelogMs * ms, "hard": v.HardMs * ms,
			"idle": (v.IdleAndSoftConcurrentMs + v.IdleMs) * ms, "soft": (v.IdleAndSoftConcurrentMs + v.SoftMs) * ms,
		})
		if err != nil {
			return Unknown("accumulatedBusyEquals", err)
		}
		got["accumulatedBusyEquals"] = fmt.Sprintf("%d ns", times.AccumulatedBusy(now))
		if times.AccumulatedBusy(now) == busy {
			got["accumulatedBusyEquals"] = *want.AccumulatedBusyEquals
		}
	}
	return compared(c, got)
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
