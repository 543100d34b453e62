package vector

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"checkpointlab/core/event"
	"checkpointlab/core/network"
	"checkpointlab/core/option"
)

// emaRun drives the average of buffer sizes: unit BufferSizeEMA.
type emaRun struct {
	ema      network.EMA
	sizes    []int32
	last     int32
	rejected error
	mayFail  bool // the case expects an error
}

func runEMA(c Case) (Status, string) {
	var v struct {
		Unit            string
		Start, Max, Min int32
		Samples         int
	}
	if err := Decode(c.Given, &v); err != nil {
		return Unknown("given", err)
	}
	return replayOn(&emaRun{sizes: []int32{}, ema: network.NewEMA(v.Start, v.Min, v.Max, v.Samples), mayFail: expectsError(c)}, c)
}

// expectsError reports whether a case says of its calls as a whole whether they fail. One that marks those that do says it of each.
func expectsError(c Case) bool {
	var want map[string]json.RawMessage
	_ = json.Unmarshal(c.Expect, &want) // what is no object expects no error
	for _, key := range []string{"error", "throws", "fails", "exception"} {
		if _, ok := want[key]; ok {
			return true
		}
	}
	_, asks := want["jobFails"]
	return asks && !marksFailures(c)
}

// marksFailures reports whether an event of a case says that it fails.
func marksFailures(c Case) bool {
	return slices.ContainsFunc(c.Events, func(raw json.RawMessage) bool {
		_, args, err := Event(raw)
		_, fails := failing(args)
		return err == nil && fails
	})
}

func (r *emaRun) event(verb string, args []json.RawMessage) (Status, string) {
	var total int64
	var buffers int
	times := 1
	var err error
	switch verb {
	case "calc":
		err = scan(args, &total, &buffers)
	case "calcRepeat":
		err = scan(args, &total, &buffers, &times)
	default:
		return Unknown(verb, errUnknown)
	}
	if err != nil {
		return Unknown("arguments", err)
	}
	for range times {
		if r.last, r.rejected = r.ema.Next(total, buffers); r.rejected != nil {
			return rejected(r.rejected, r.mayFail)
		}
	}
	if verb == "calc" {
		r.sizes = append(r.sizes, r.last)
	}
	return Pass, ""
}

// rejected is the answer to an input that the machine refuses.
func rejected(err error, mayFail bool) (Status, string) {
	if mayFail {
		return Pass, ""
	}
	return Fail, err.Error()
}

func (r *emaRun) value(key string, want json.RawMessage) (any, bool) {
	switch key {
	case "sizes":
		return r.sizes, true
	case "size":
		return r.last, true
	case "error":
		return r.rejected != nil, true
	case "lastGreaterThan", "lastLessThan":
		var bound int32
		if json.Unmarshal(want, &bound) != nil {
			return nil, false
		}
		if r.last != bound && (r.last > bound) == (key == "lastGreaterThan") {
			return bound, true // the bound holds
		}
		return r.last, true
	}
	return nil, false
}

// debloatRun drives a debloater: unit BufferDebloater.
type debloatRun struct {
	debloater network.Debloater
	announced []*int32
	last      []int32 // after each recalc
	skips     []bool
	rejected  error
	mayFail   bool
}

func runDebloater(c Case) (Status, string) {
	var v struct {
		Unit             string
		TargetMs         int64
		Min, Max         int32
		Start            *int32
		ThresholdPercent int
		Samples          int
	}
	if err := Decode(c.Given, &v); err != nil {
		return Unknown("given", err)
	}
	o := network.Debloating{
		TargetMs: v.TargetMs, Start: v.Max, Min: v.Min, Max: v.Max,
		ThresholdPercent: v.ThresholdPercent, Samples: v.Samples,
	}
	if v.Start != nil {
		o.Start = *v.Start
	}
	if refused(debloatPairs(map[string]any{"targetMs": v.TargetMs})) {
		return compared(Case{Expect: c.Expect}, answers{"error": true})
	}
	return replayOn(&debloatRun{
		debloater: network.NewDebloater(o), announced: []*int32{}, skips: []bool{}, mayFail: expectsError(c),
	}, c)
}

// runDebloatOptions replays unit BufferDebloatConfiguration: whether a configuration can be.
func runDebloatOptions(c Case) (Status, string) {
	var g map[string]any
	if err := json.Unmarshal(c.Given, &g); err != nil {
		return Unknown("given", err)
	}
	delete(g, "unit")
	for _, key := range sortedKeys(g) {
		if debloatKeys[key].key == "" {
			return Unknown("given", fmt.Errorf("%q", key))
		}
	}
	if len(c.Events) > 0 {
		return Unknown("events", errUnknown)
	}
	return compared(c, answers{"error": refused(debloatPairs(g))})
}

// debloatKeys are the options that BufferDebloatConfiguration reads, by the words for their values, with their units.
var debloatKeys = map[string]struct{ key, unit string }{
	"targetMs":         {"taskmanager.network.memory.buffer-debloat.target", " ms"},
	"thresholdPercent": {"taskmanager.network.memory.buffer-debloat.threshold-percentages", ""},
	"samples":          {"taskmanager.network.memory.buffer-debloat.samples", ""},
	"min":              {"taskmanager.memory.min-segment-size", " b"},
	"max":              {"taskmanager.memory.segment-size", " b"},
	"start":            {"taskmanager.memory.starting-segment-size", " b"},
	"enabled":          {"taskmanager.network.memory.buffer-debloat.enabled", ""},
}

// debloatPairs are values as lines of a configuration.
func debloatPairs(values map[string]any) (pairs []option.Pair) {
	for _, word := range sortedKeys(values) {
		o := debloatKeys[word]
		pairs = append(pairs, option.Pair{Key: o.key, Value: fmt.Sprint(values[word], o.unit)})
	}
	return pairs
}

// refused reports whether no configuration has such values.
func refused(pairs []option.Pair) bool {
	_, _, err := option.Resolve("", pairs)
	return err != nil
}

func (r *debloatRun) event(verb string, args []json.RawMessage) (Status, string) {
	switch verb {
	case "recalc":
		var throughput int64
		var buffers int
		if err := scan(args, &throughput, &buffers); err != nil {
			return Unknown("arguments", err)
		}
		if r.rejected = r.recalculate(throughput, buffers); r.rejected != nil {
			return rejected(r.rejected, r.mayFail)
		}
		return Pass, ""
	case "skip":
		var size int32
		err := scan(args, &size)
		if err == nil {
			r.skips = append(r.skips, r.debloater.Skip(size))
		}
		return done(err)
	}
	return Unknown(verb, errUnknown)
}

// recalculate returns the error with which the debloater refuses its input; it panics with it.
func (r *debloatRun) recalculate(throughput int64, buffers int) (err error) {
	defer func() {
		if p := recover(); p != nil {
			refused, ok := p.(error)
			if !ok || !errors.Is(refused, network.ErrNegativeTotal) {
				panic(p)
			}
			err = refused
		}
	}()
	size, announce := r.debloater.Recalculate(throughput, buffers)
	var told *int32
	if announce {
		told = &size
	}
	r.announced = append(r.announced, told)
	r.last = append(r.last, r.debloater.LastSize())
	return nil
}

func (r *debloatRun) value(key string, want json.RawMessage) (any, bool) {
	switch key {
	case "announced":
		return r.announced, true
	case "skip":
		return r.skips, true
	case "error":
		return r.rejected != nil, true
	case "lastSize", "debloatedBufferSize":
		return r.debloater.LastSize(), true
	case "estimatedTimeToConsumeBuffersMs":
		return r.debloater.EstimatedTimeMs(), true
	case "lastSizeAfter":
		return r.lastAfter(want), true
	}
	if digits, ok := strings.CutPrefix(key, "announced"); ok { // announced0: of recalc number 0
		if i, err := strconv.Atoi(digits); err == nil && i >= 0 && i < len(r.announced) {
			return r.announced[i], true
		}
	}
	return nil, false
}

// lastAfter is the last size after the recalcs that want names; it leaves out those that were not run.
func (r *debloatRun) lastAfter(want json.RawMessage) map[string]int32 {
	var asked map[string]json.RawMessage
	_ = json.Unmarshal(want, &asked) // what is no object differs from any answer
	got := map[string]int32{}
	for key := range asked {
		if i, err := strconv.Atoi(key); err == nil && i >= 0 && i < len(r.last) {
			got[key] = r.last[i]
		}
	}
	return got
}

// throughputRun drives the measurement: unit ThroughputCalculator.
type throughputRun struct {
	throughput network.Throughput
	now        event.Time
	perSecond  []int64
}

func runThroughput(c Case) (Status, string) {
	var v struct{ Unit string }
	if err := Decode(c.Given, &v); err != nil {
		return Unknown("given", err)
	}
	return replayOn(&throughputRun{}, c)
}

func (r *throughputRun) event(verb string, args []json.RawMessage) (Status, string) {
	var n int64
	var err error
	switch verb {
	case "in":
		if err = scan(args, &n); err == nil {
			r.throughput.Add(r.now, n)
		}
	case "advance":
		if err = scan(args, &n); err == nil {
			r.now += n * event.Millisecond
		}
	case "pause":
		if err = scan(args); err == nil {
			r.throughput.Pause(r.now)
		}
	case "resume":
		if err = scan(args); err == nil {
			r.throughput.Resume(r.now)
		}
	case "calc":
		if err = scan(args); err == nil {
			r.perSecond = append(r.perSecond, r.throughput.Calculate(r.now))
		}
	default:
		return Unknown(verb, errUnknown)
	}
	return done(err)
}

func (r *throughputRun) value(key string, want json.RawMessage) (any, bool) {
	if key != "bytesPerSecond" {
		return nil, false
	}
	var asked []*int64
	_ = json.Unmarshal(want, &asked) // what is no list of numbers differs from any answer
	got := make([]*int64, len(r.perSecond))
	for i := range r.perSecond {
		if i >= len(asked) || asked[i] != nil { // null is not asserted
			got[i] = &r.perSecond[i]
		}
	}
	return got, true
}
