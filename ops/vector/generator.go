package vector

import (
	"encoding/json"

	"checkpointlab/core/event"
	"checkpointlab/core/watermark"
)

// generatorRun drives a source's watermarks: units BoundedOutOfOrdernessWatermarks and AscendingTimestampsWatermarks.
type generatorRun struct {
	generator     watermark.Generator
	count, latest int64
	emitted       []int64
}

func runGenerator(c Case) (Status, string) {
	var g struct {
		Unit             string
		OutOfOrdernessMs int64
	}
	if err := Decode(c.Given, &g); err != nil {
		return Unknown("given", err)
	}
	if g.OutOfOrdernessMs < 0 {
		return compared(c, answers{"error": true})
	}
	r := &generatorRun{generator: watermark.Generator{Bound: g.OutOfOrdernessMs}, latest: watermark.None}
	r.generator.Reset(0)
	return replayOn(r, c)
}

// event knows event ms, a record of that time, and periodicEmit.
func (r *generatorRun) event(verb string, args []json.RawMessage) (Status, string) {
	var at int64
	switch verb {
	case "event":
		if err := scan(args, &at); err != nil {
			return done(err)
		}
		r.count, r.latest = r.count+1, max(r.latest, at)
	case "periodicEmit":
		if err := scan(args); err != nil {
			return done(err)
		}
		if out := r.generator.Tick(event.Time(0), r.count, r.latest, watermark.None); out.Moved {
			r.emitted = append(r.emitted, out.Mark)
		}
	default:
		return Unknown(verb, errUnknown)
	}
	return Pass, ""
}

func (r *generatorRun) value(key string, _ json.RawMessage) (any, bool) {
	switch key {
	case "watermark": // the last one; Long.MIN_VALUE before there is one
		return r.generator.Least(), true
	case "emitted":
		return append([]int64{}, r.emitted...), true
	case "error":
		return false, true
	}
	return nil, false
}
