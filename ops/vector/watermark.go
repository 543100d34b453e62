package vector

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"checkpointlab/core/event"
	"checkpointlab/core/watermark"
)

// valveRun drives the watermarks of a task's channels: unit StatusWatermarkValve.
type valveRun struct {
	valve    watermark.Valve
	channels int32
	out      []any // what came out since the last look at it: watermarks and the words of statuses
}

func runValve(c Case) (Status, string) {
	var v struct {
		Unit     string
		Channels int
	}
	if err := Decode(c.Given, &v); err != nil {
		return Unknown("given", err)
	}
	if v.Channels < 1 {
		return Unknown("given", errors.New("no channels"))
	}
	return replayOn(&valveRun{valve: watermark.NewValve(v.Channels), channels: int32(v.Channels)}, c)
}

// event knows watermark channel ms, idle channel and active channel.
func (r *valveRun) event(verb string, args []json.RawMessage) (Status, string) {
	var ch int32
	var mark int64
	var err error
	switch verb {
	case "watermark":
		err = scan(args, &ch, &mark)
	case "idle", "active":
		err = scan(args, &ch)
	default:
		return Unknown(verb, errUnknown)
	}
	if err == nil && (ch < 0 || ch >= r.channels) {
		err = fmt.Errorf("no channel %d", ch)
	}
	if err != nil {
		return done(err)
	}
	switch verb {
	case "watermark":
		r.take(r.valve.Mark(ch, mark))
	case "idle":
		r.take(r.valve.Status(ch, watermark.Idle))
	default:
		r.take(r.valve.Status(ch, watermark.Active))
	}
	return Pass, ""
}

var statusWords = map[watermark.Status]string{watermark.Idle: "IDLE", watermark.Active: "ACTIVE"}

// take notes what came out, in order.
func (r *valveRun) take(o watermark.Output) {
	if o.Status != watermark.Same && !o.After {
		r.out = append(r.out, statusWords[o.Status])
	}
	if o.Moved {
		r.out = append(r.out, o.Mark)
	}
	if o.Status != watermark.Same && o.After {
		r.out = append(r.out, statusWords[o.Status])
	}
}

func (r *valveRun) value(key string, want json.RawMessage) (any, bool) {
	switch key {
	case "output": // since the last look
		return r.lookedAt(), true
	case "watermarkOf": // by channel
		var asked map[string]json.RawMessage
		if json.Unmarshal(want, &asked) != nil {
			return nil, false
		}
		got := map[string]int64{}
		for ch := range asked {
			i, err := strconv.Atoi(ch)
			if err != nil || i < 0 || i >= int(r.channels) {
				return nil, false
			}
			got[ch], _ = r.valve.Input(int32(i))
		}
		return got, true
	case "isIdle":
		return r.valve.IsIdle(), true
	}
	return nil, false
}

// lookedAt hands out what came out and is asked for twice: once whether the key is known, then for its value.
func (r *valveRun) lookedAt() []any { return append([]any{}, r.out...) }

// looked forgets it behind the check that asked.
func (r *valveRun) looked(keys map[string]json.RawMessage) {
	if _, asked := keys["output"]; asked {
		r.out = r.out[:0]
	}
}

// idlenessRun drives what a source without records says: unit IdlenessTimer.
type idlenessRun struct {
	generator watermark.Generator
	now       event.Time
	records   int64
	answers   []bool
}

func runIdleness(c Case) (Status, string) {
	var v struct {
		Unit      string
		TimeoutMs event.Time
	}
	if err := Decode(c.Given, &v); err != nil {
		return Unknown("given", err)
	}
	if v.TimeoutMs < 1 {
		return Unknown("given", errors.New("a timer has a timeout of at least 1 ms"))
	}
	r := &idlenessRun{generator: watermark.Generator{Timeout: v.TimeoutMs * event.Millisecond}}
	r.generator.Reset(0)
	return replayOn(r, c)
}

// event knows checkIfIdle, activity and advance ms. Each record is later than the one before, so that it moves the watermark.
func (r *idlenessRun) event(verb string, args []json.RawMessage) (Status, string) {
	var ms event.Time
	var err error
	switch verb {
	case "advance":
		err = scan(args, &ms)
		r.now += ms * event.Millisecond
	case "activity":
		err = scan(args)
		r.records++
	case "checkIfIdle":
		latest := watermark.None
		if err = scan(args); r.records > 0 {
			latest = r.records
		}
		r.generator.Tick(r.now, r.records, latest, watermark.None)
		r.answers = append(r.answers, r.generator.IsIdle())
	default:
		return Unknown(verb, errUnknown)
	}
	return done(err)
}

func (r *idlenessRun) value(key string, _ json.RawMessage) (any, bool) {
	return append([]bool{}, r.answers...), key == "idle" // after each checkIfIdle
}
