package vector

import (
	"encoding/json"
	"fmt"

	"checkpointlab/core/barrier"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
)

// optionsRun replays what Flink's CheckpointOptions decide on the barrier that carries them here.
type optionsRun struct {
	steps  []barrier.Barrier // as made, then after each event
	denied bool              // no configuration makes such a barrier
}

func runOptions(c Case) (Status, string) {
	var r optionsRun
	if err := r.given(c.Given); err != nil {
		return Unknown("given", err)
	}
	return replayOn(&r, c)
}

func (r *optionsRun) event(verb string, args []json.RawMessage) (Status, string) {
	err := scan(args)
	if err == nil {
		err = r.apply(verb)
	}
	return done(err)
}

// given makes the barrier: by type and alignment, or by the words of `options`.
func (r *optionsRun) given(raw json.RawMessage) error {
	var g struct {
		Unit            string
		Type, Alignment string
		TimeoutMs       *int64
		Options         []json.RawMessage
		Config          *configured
	}
	if err := Decode(raw, &g); err != nil {
		return err
	}
	if g.Config != nil {
		if g.Options != nil || g.Alignment != "" || g.TimeoutMs != nil {
			return fmt.Errorf("config beside options, alignment or timeoutMs")
		}
		return r.configure(g.Config, g.Type)
	}
	if g.Options != nil {
		if g.Type != "" || g.Alignment != "" || g.TimeoutMs != nil {
			return fmt.Errorf("options beside type, alignment or timeoutMs")
		}
		return r.options(g.Options)
	}
	return r.make(g.Alignment, g.Type, orZero(g.TimeoutMs))
}

// configured is a configuration, as CheckpointOptions#forConfig has it.
type configured struct {
	ExactlyOnce, Unaligned bool
	AlignedTimeoutMs       int64
}

// configure makes the barrier that a configuration asks for.
func (r *optionsRun) configure(c *configured, kind string) error {
	cfg := option.Config{Unaligned: c.Unaligned, AlignedTimeout: c.AlignedTimeoutMs * event.Millisecond}
	if !c.ExactlyOnce {
		cfg.Mode = option.AtLeastOnce
	}
	r.steps = []barrier.Barrier{barrier.Make(&cfg, 1, 0, kind == "SAVEPOINT")}
	return known("type", kind, "", "CHECKPOINT", "SAVEPOINT")
}

// alignmentTypes are CheckpointOptions.AlignmentType; with a timeout it is still ALIGNED.
var alignmentTypes = map[barrier.Alignment]string{
	barrier.Aligned: "ALIGNED", barrier.TimeoutableAligned: "ALIGNED", barrier.Unaligned: "UNALIGNED",
	barrier.ForcedAligned: "FORCED_ALIGNED", barrier.AtLeastOnce: "AT_LEAST_ONCE",
}

// options reads the words of the list; a number is the timeout of the word before it.
func (r *optionsRun) options(list []json.RawMessage) error {
	var alignment, kind string
	var timeout int64
	var then []string
	for i, raw := range list {
		var word string
		if json.Unmarshal(raw, &word) != nil {
			if i != 1 || alignment != "TIMEOUT" || json.Unmarshal(raw, &timeout) != nil {
				return fmt.Errorf("%s at place %d", raw, i)
			}
			continue
		}
		switch word {
		case "alignedWithTimeout":
			alignment = "TIMEOUT"
		case "alignedNoTimeout":
			alignment = "ALIGNED"
		case "unaligned":
			alignment = "UNALIGNED"
		case "notExactlyOnce":
			alignment = "AT_LEAST_ONCE"
		case "default": // CheckpointOptions#forCheckpointWithDefaultLocation
			kind = "CHECKPOINT"
		case "CHECKPOINT", "SAVEPOINT":
			kind = word
		default:
			then = append(then, word)
		}
	}
	if err := r.make(alignment, kind, timeout); err != nil {
		return err
	}
	for _, verb := range then {
		if err := r.apply(verb); err != nil {
			return err
		}
	}
	r.steps = r.steps[len(r.steps)-1:] // events count from here
	return nil
}

// make finds the configuration that asks for the alignment, and the barrier that it makes.
func (r *optionsRun) make(alignment, kind string, timeoutMs int64) error {
	if err := known("type", kind, "", "CHECKPOINT", "SAVEPOINT"); err != nil {
		return err
	}
	cfg := option.Config{AlignedTimeout: timeoutMs * event.Millisecond}
	if alignment == "" && kind != "" { // CheckpointOptions#alignedNoTimeout
		alignment = "ALIGNED"
	}
	var want barrier.Alignment
	switch alignment {
	case "TIMEOUT":
		cfg.Unaligned, want = true, barrier.TimeoutableAligned
	case "UNALIGNED":
		cfg.Unaligned, cfg.AlignedTimeout, want = true, 0, barrier.Unaligned
	case "ALIGNED":
		want = barrier.Aligned
		if timeoutMs > 0 {
			cfg.Unaligned, want = true, barrier.TimeoutableAligned
		}
	case "AT_LEAST_ONCE":
		cfg.Mode, want = option.AtLeastOnce, barrier.AtLeastOnce
	default:
		return fmt.Errorf("alignment %q", alignment)
	}
	b := barrier.Make(&cfg, 1, 0, kind == "SAVEPOINT")
	r.denied = b.Alignment != want
	r.steps = []barrier.Barrier{b}
	return nil
}

func (r *optionsRun) apply(verb string) error {
	b := r.steps[len(r.steps)-1]
	switch verb {
	case "withUnalignedUnsupported":
		b = b.UnalignedUnsupported()
	case "withUnalignedSupported":
		b = b.UnalignedSupported()
	default:
		return fmt.Errorf("verb %q", verb)
	}
	r.steps = append(r.steps, b)
	return nil
}

// value looks at the barrier as it is, or at what the events made of it.
func (r *optionsRun) value(key string, _ json.RawMessage) (any, bool) {
	first, last := r.steps[0], r.steps[len(r.steps)-1]
	if r.denied {
		return true, key == "error" // nothing else is known of a barrier that cannot be
	}
	switch key {
	case "error":
		return false, true
	case "isSavepoint":
		return last.Savepoint, true
	case "type":
		if last.Savepoint {
			return "SAVEPOINT", true
		}
		return "CHECKPOINT", true
	case "alignment":
		return alignmentTypes[last.Alignment], true
	case "needsAlignment":
		return last.BlocksSender(), true
	case "isUnaligned":
		return last.Alignment == barrier.Unaligned, true
	case "isTimeoutable":
		return last.Timeoutable(), true
	case "exactlyOnce":
		return last.Alignment != barrier.AtLeastOnce, true
	case "changedByForce":
		return len(r.steps) > 1 && r.steps[1] != first, true
	case "backToOriginal":
		return last == first, true
	case "timeoutMs":
		if last.Timeout == 0 {
			return nil, true
		}
		return last.Timeout / event.Millisecond, true
	}
	return nil, false
}
