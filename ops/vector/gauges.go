package vector

import (
	"encoding/json"
	"errors"
	"fmt"
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
	v := struct {
		Unit                                   string
		TimeSpanSeconds, UpdateIntervalSeconds event.Time
	}{TimeSpanSeconds: metric.GaugeSpan / event.Second, UpdateIntervalSeconds: metric.GaugeStep / event.Second}
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
		SubtaskBackPressuredMs       bySubtask // null: it has no metrics
		SubtaskIdleMs, SubtaskBusyMs bySubtask
		Subtasks                     givenSubtasks
		Metrics                      *string
	}
	if err := Decode(c.Given, &v); err != nil {
		return Unknown("given", err)
	}
	if v.Subtasks != nil {
		if v.SubtaskBackPressuredMs != nil || v.SubtaskIdleMs != nil || v.SubtaskBusyMs != nil {
			return Unknown("given", errors.New("subtasks beside times by subtask"))
		}
		v.SubtaskBackPressuredMs, v.SubtaskIdleMs, v.SubtaskBusyMs = spread(v.Subtasks)
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

// bySubtask is a time of each subtask that has one, by the subtask's number; a list has them in order.
type bySubtask map[string]*int64

// UnmarshalJSON reads it.
func (s *bySubtask) UnmarshalJSON(raw []byte) error {
	var list []*int64
	if json.Unmarshal(raw, &list) != nil || list == nil {
		return json.Unmarshal(raw, (*map[string]*int64)(s))
	}
	*s = bySubtask{}
	for i, ms := range list {
		(*s)[strconv.Itoa(i)] = ms
	}
	return nil
}

// subtaskTimes is a subtask as the REST interface lists it, by its place if it has no number.
type subtaskTimes struct {
	Subtask                                                                *int
	BackPressuredTimeMsPerSecond, IdleTimeMsPerSecond, BusyTimeMsPerSecond *int64
}

// givenSubtasks is a list of them, or the back-pressured time of each by its number.
type givenSubtasks []subtaskTimes

// UnmarshalJSON reads it.
func (s *givenSubtasks) UnmarshalJSON(raw []byte) error {
	var pressed bySubtask
	if json.Unmarshal(raw, &pressed) != nil {
		return Decode(raw, (*[]subtaskTimes)(s))
	}
	for _, key := range sortedKeys(pressed) {
		subtask, err := strconv.Atoi(key)
		if err != nil {
			return fmt.Errorf("subtask %q is no number", key)
		}
		*s = append(*s, subtaskTimes{Subtask: &subtask, BackPressuredTimeMsPerSecond: pressed[key]})
	}
	return nil
}

// spread are the times of listed subtasks, each by itself.
func spread(list []subtaskTimes) (pressed, idle, busy bySubtask) {
	pressed, idle, busy = bySubtask{}, bySubtask{}, bySubtask{}
	for i, s := range list {
		key := strconv.Itoa(intOr(s.Subtask, i))
		pressed[key], idle[key], busy[key] = s.BackPressuredTimeMsPerSecond, s.IdleTimeMsPerSecond, s.BusyTimeMsPerSecond
	}
	return pressed, idle, busy
}

// vertexPressure compares what is told of a vertex of whose subtasks some have metrics.
func vertexPressure(c Case, given, idle, busy bySubtask) (Status, string) {
	known := []int64{}
	for key, ms := range given {
		if ms == nil {
			continue
		}
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
		got.addRatios("ratios", listed, given)
		got.addRatios("idleRatios", listed, idle)
		got.addRatios("busyRatios", listed, busy)
		got.addSubtasks(c.Expect)
	}
	return compared(c, got)
}

// addRatios adds a ratio of each subtask, if all are given.
func (a answers) addRatios(key string, listed []int, ms bySubtask) {
	ratios := []float64{}
	for _, i := range listed {
		n := ms[strconv.Itoa(i)]
		if n == nil {
			return
		}
		ratios = append(ratios, metric.Ratio(*n))
	}
	a[key] = ratios
}

// addSubtasks adds the list of subtasks with as much of each as a case asks for.
func (a answers) addSubtasks(expect json.RawMessage) {
	var want struct{ SubtasksListed []map[string]json.RawMessage }
	if json.Unmarshal(expect, &want) != nil || want.SubtasksListed == nil {
		return
	}
	listed, levels := a["subtasksListed"].([]int), a["levels"].([]string)
	all := make([]map[string]any, len(listed))
	for i, subtask := range listed {
		all[i] = map[string]any{"subtask": subtask, "backpressureLevel": levels[i]}
		for key, of := range map[string]string{"ratio": "ratios", "idleRatio": "idleRatios", "busyRatio": "busyRatios"} {
			if ratios, ok := a[of].([]float64); ok {
				all[i][key] = ratios[i]
			}
		}
		if i < len(want.SubtasksListed) {
			for key := range all[i] {
				if _, asked := want.SubtasksListed[i][key]; !asked {
					delete(all[i], key)
				}
			}
		}
	}
	a["subtasksListed"] = all
}
