package vector

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"

	"checkpointlab/core/network"
)

// gateRun drives the credit accounting of an input gate: unit RemoteInputChannel.
type gateRun struct {
	gate     network.Gate
	loans    map[word]loan // buffers in use, by the case's names
	queued   map[int]int   // by channel: buffers that have come and were not polled
	required map[int][]int // by channel: required before each take of takeRepeatedly
	out      []network.Grant
	looksAt  int // the channel of which values without Each are
	chosen   bool
}

// loan is a buffer in use: of a channel, or a floating one taken by someone else (channel -1).
type loan struct {
	channel   int
	exclusive bool
}

func runGate(c Case) (Status, string) {
	gate, err := newGate(c.Given)
	if err != nil {
		return Unknown("given", err)
	}
	return replayOn(&gateRun{gate: gate, loans: map[word]loan{}, required: map[int][]int{}, queued: map[int]int{}}, c)
}

// newGate makes the gate that a case gives. The pool of unlimited buffers is that of Flink's tests that never set their
// channels up: the exclusive buffers count as initial credit, but are not there.
func newGate(given json.RawMessage) (g network.Gate, err error) {
	var v struct {
		Unit                                      string
		Channels, ExclusivePerChannel, GlobalPool *int
		ExclusiveEach                             []int
		GatePool                                  json.RawMessage
	}
	if err = Decode(given, &v); err != nil {
		return g, err
	}
	each := v.ExclusiveEach
	if each == nil {
		if v.ExclusivePerChannel == nil {
			return g, errors.New("no exclusive buffers are given")
		}
		each = make([]int, intOr(v.Channels, 1))
		for ch := range each {
			each[ch] = *v.ExclusivePerChannel
		}
	}
	if v.Channels != nil && *v.Channels != len(each) {
		return g, fmt.Errorf("%d channels, exclusive buffers of %d", *v.Channels, len(each))
	}
	var words string
	if json.Unmarshal(v.GatePool, &words) == nil && strings.HasPrefix(words, "unlimited") {
		return network.NewBareGate(each, math.MaxInt32), nil
	}
	var floating int
	if err = json.Unmarshal(v.GatePool, &floating); err != nil {
		return g, fmt.Errorf("gatePool: %w", err)
	}
	total := floating
	for _, n := range each {
		total += n
	}
	if v.GlobalPool != nil && *v.GlobalPool < total {
		return g, fmt.Errorf("a global pool of %d has not the %d buffers of the gate", *v.GlobalPool, total)
	}
	return network.NewGateOf(each, floating), nil
}

// intOr is the number given, or another.
func intOr(n *int, other int) int {
	if n == nil {
		return other
	}
	return *n
}

func (r *gateRun) event(verb string, args []json.RawMessage) (Status, string) {
	var name word
	var ch, n int
	r.out = r.out[:0]
	switch verb {
	case "takeFromChannel":
		if err := r.scanChannel(args, &ch, &name); err != nil {
			return Unknown("arguments", err)
		}
		exclusive, ok := r.gate.Take(ch)
		return r.lend(name, loan{ch, exclusive}, ok)
	case "takeFromPool":
		if err := scan(args, &name); err != nil {
			return Unknown("arguments", err)
		}
		return r.lend(name, loan{channel: -1}, r.gate.TakeFloating())
	case "recycle":
		if err := scan(args, &name); err != nil {
			return Unknown("arguments", err)
		}
		return r.recycle(name)
	case "backlog", "backlogOn":
		err := r.scanChannel(args, &ch, &n)
		if err == nil {
			r.gate.Backlog(ch, n, r.out)
		}
		return done(err)
	case "buffer", "bufferOn": // it comes with its sender's backlog; whose memory it has does not matter here
		if r.gate.Channels() > 1 && len(args) == 1 { // nothing is told with it
			args = append(args[:len(args):len(args)], json.RawMessage("0"))
		}
		var m message
		err := r.scanChannel(args, &ch, &m)
		if err == nil {
			n = m.Backlog
			r.queued[ch]++
			r.gate.Backlog(ch, n, r.out)
		}
		return done(err)
	case "poll", "pollOn":
		err := r.scanChannel(args, &ch)
		if err == nil {
			r.queued[ch] = max(0, r.queued[ch]-1)
		}
		return done(err)
	case "timeoutableBarrierOn", "alignedBarrierOn":
		err := r.scanChannel(args, &ch)
		if err == nil {
			r.gate.UpstreamBlocked(ch, r.out)
			r.gate.Backlog(ch, 0, r.out) // the barrier's message
		}
		return done(err)
	case "resumeOn":
		err := r.scanChannel(args, &ch)
		if err == nil {
			r.gate.Resumed(ch, r.out)
		}
		return done(err)
	case "takeRepeatedly":
		err := r.scanChannel(args, &ch, &n)
		if err == nil {
			r.takeRepeatedly(ch, n)
		}
		return done(err)
	}
	return Unknown(verb, errUnknown)
}

// message is what comes with a buffer: its sender's backlog, or that and what it holds.
type message struct{ Backlog, Bytes int }

// UnmarshalJSON reads it.
func (m *message) UnmarshalJSON(raw []byte) error {
	if json.Unmarshal(raw, &m.Backlog) == nil {
		return nil
	}
	type plain message
	return Decode(raw, (*plain)(m))
}

// scanChannel reads a channel and the rest; a gate with one channel may leave the channel out.
func (r *gateRun) scanChannel(args []json.RawMessage, ch *int, rest ...any) error {
	if r.gate.Channels() == 1 && len(args) == len(rest) {
		return scan(args, rest...)
	}
	err := scan(args, append([]any{ch}, rest...)...)
	if err == nil && (*ch < 0 || *ch >= r.gate.Channels()) {
		return fmt.Errorf("no channel %d", *ch)
	}
	return err
}

func (r *gateRun) lend(name word, l loan, ok bool) (Status, string) {
	if !ok {
		return Differ(string(name), "no buffer", "a buffer")
	}
	r.loans[name] = l
	return Pass, ""
}

func (r *gateRun) recycle(name word) (Status, string) {
	l, ok := r.loans[name]
	if !ok {
		return Unknown(string(name), errors.New("recycled, but not in use"))
	}
	delete(r.loans, name)
	r.gate.Recycle(l.channel, l.exclusive, r.out)
	return Pass, ""
}

func (r *gateRun) takeRepeatedly(ch, n int) {
	for range n {
		r.required[ch] = append(r.required[ch], r.gate.Required(ch))
		r.gate.Take(ch)
	}
}

// lookAt chooses the channel that a case names beside what it asks of it.
func (r *gateRun) lookAt(want map[string]json.RawMessage) error {
	r.looksAt, r.chosen = 0, false
	raw, ok := want["channel"]
	if !ok {
		return nil
	}
	delete(want, "channel")
	r.chosen = true
	if err := json.Unmarshal(raw, &r.looksAt); err != nil || r.looksAt < 0 || r.looksAt >= r.gate.Channels() {
		return fmt.Errorf("no channel %s", raw)
	}
	return nil
}

func (r *gateRun) value(key string, want json.RawMessage) (any, bool) {
	switch key {
	case "poolFree":
		return r.gate.FloatingFree(), true
	case "requiredBeforeEachTake":
		return r.required, true
	}
	one, each := strings.CutSuffix(key, "Each")
	var of func(ch int) any
	switch one {
	case "available":
		of = func(ch int) any { return r.gate.Available(ch) }
	case "required":
		of = func(ch int) any { return r.gate.Required(ch) }
	case "unannounced":
		of = func(ch int) any { return r.gate.Unannounced(ch) }
	case "buffersInUse": // as the debloater counts (Network.InUse)
		of = func(ch int) any { return r.queued[ch] + r.gate.KnownBacklog(ch) }
	case "floatingHeld":
		of = func(ch int) any { return r.gate.FloatingHeld(ch) }
	case "waiting":
		of = func(ch int) any { return r.gate.Waiting(ch) }
	default:
		return nil, false
	}
	if !each {
		return of(r.looksAt), r.chosen || r.gate.Channels() == 1
	}
	var list []json.RawMessage
	if json.Unmarshal(want, &list) == nil && len(list) != r.gate.Channels() { // it is meant of each event
		return nil, false
	}
	all := make([]any, r.gate.Channels())
	for ch := range all {
		all[ch] = of(ch)
	}
	return all, true
}
