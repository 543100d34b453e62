package vector

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"checkpointlab/core/job"
	"checkpointlab/core/sim"
)

// selectionRun is a partitioner that deals records: unit channelSelection.
type selectionRun struct {
	answers
	to      []int // the channel of each record of the case; nil if they have none that is known
	records int   // so far
}

// event knows record [key], and records times.
func (r *selectionRun) event(verb string, args []json.RawMessage) (Status, string) {
	times := 1
	if verb == "records" {
		if err := scan(args, &times); err != nil {
			return done(err)
		}
	}
	r.records += times
	return Pass, ""
}

func (r *selectionRun) value(key string, want json.RawMessage) (any, bool) {
	switch {
	case r.to == nil || key != "channels" && key != "channel":
		return r.answers.value(key, want)
	case key == "channels" && saysNumbers(want): // so far, else of the last one
		return r.to[:r.records], true
	case r.records == 0:
		return nil, true
	}
	return r.to[r.records-1], true
}

// saysNumbers reports whether what is expected is a list.
func saysNumbers(want json.RawMessage) bool {
	var list []json.RawMessage
	return json.Unmarshal(want, &list) == nil && list != nil
}

// runSelection replays unit channelSelection: which channel each record goes to.
func runSelection(c Case) (Status, string) {
	var v struct {
		Unit, Partitioner string
		Channels          int
		MaxParallelism    *int
		FirstChannel      *int // that a random start came to
	}
	if err := Decode(c.Given, &v); err != nil {
		return Unknown("given", err)
	}
	keys, err := recordsOf(c.Events)
	if err != nil {
		return Unknown("events", err)
	}
	p, ok := job.ParsePartitioner(v.Partitioner)
	if !ok || v.Channels < 1 || v.FirstChannel != nil && (p != job.Rebalance || *v.FirstChannel < 0 || *v.FirstChannel >= v.Channels) {
		return Unknown("partitioner "+v.Partitioner, errUnknown)
	}
	r := selectionRun{answers: answers{"channelsPerRecord": 1}}
	switch p {
	case job.Rescale:
		d := job.NewRoundRobinDealing(v.Channels, 0)
		r.to = dealt(&d, len(keys))
	case job.Forward, job.Global:
		d := job.NewSingleDealing(v.Channels, 0)
		r.to = dealt(&d, len(keys))
	case job.Broadcast: // it has no channel of a record: each is sent to all (BroadcastPartitioner#selectChannel)
		r.answers = answers{"error": unsupported, "channelsPerRecord": v.Channels}
	case job.Hash:
		if r.to, r.answers, err = byKey(keys, v.Channels, intOr(v.MaxParallelism, job.DefaultMaxParallelism(v.Channels))); err != nil {
			return Unknown("key", err)
		}
	case job.Shuffle:
		last := shuffled(v.Channels)
		r.answers = answers{"each": fmt.Sprintf("any channel in 0..%d", last), "channelMin": 0, "channelMax": last, "channelsPerRecord": 1}
	case job.Rebalance:
		r.answers = rebalanced(v.Channels, len(keys), c.Expect)
		if start, known := startOf(v.FirstChannel, v.Channels, c.Expect); known {
			d := job.NewRoundRobinDealing(v.Channels, start)
			r.to = dealt(&d, len(keys))
		}
	default:
		return Unknown("partitioner "+v.Partitioner, errUnknown)
	}
	return replayOn(&r, c)
}

// startOf is where the records of a rebalance begin: where the case says, or has its first one go. Each start is possible
// (RebalancePartitioner#setup draws it).
func startOf(given *int, channels int, expect json.RawMessage) (start int, known bool) {
	var want struct{ Channels []int }
	switch {
	case given != nil:
		return *given, true
	case channels == 1:
		return 0, true
	case json.Unmarshal(expect, &want) == nil && len(want.Channels) > 0 && want.Channels[0] >= 0 && want.Channels[0] < channels:
		return want.Channels[0], true
	}
	return 0, false
}

// recordsOf are the keys of a case's records, none of those that have none.
func recordsOf(events []json.RawMessage) (keys []json.RawMessage, err error) {
	for i, raw := range events {
		verb, args, err := Event(raw)
		times := 1
		switch {
		case err == nil && verb == "check":
			continue
		case err == nil && verb == "records":
			err = scan(args, &times)
			args = nil
		case err == nil && (verb != "record" || len(args) > 1):
			err = errUnknown
		}
		if err == nil && (times < 0 || times > 1<<16) {
			err = errUnknown
		}
		if err != nil {
			return nil, fmt.Errorf("event %d: %w", i, err)
		}
		for range times {
			keys = append(keys, nil)
		}
		if len(args) == 1 {
			keys[len(keys)-1] = keyOf(args[0])
		}
	}
	return keys, nil
}

// keyOf is the key of a record: the record itself, or what it says of it.
func keyOf(record json.RawMessage) json.RawMessage {
	var of struct{ Key json.RawMessage }
	if Decode(record, &of) == nil && of.Key != nil {
		return of.Key
	}
	return record
}

// byKey is where records with keys go: by the key's group.
func byKey(keys []json.RawMessage, channels, maxParallelism int) (to []int, got answers, err error) {
	to = make([]int, len(keys))
	for i, key := range keys {
		code, err := hashCode(key, nil)
		if err != nil {
			return nil, nil, fmt.Errorf("record %d: %w", i, err)
		}
		to[i] = job.SubtaskOf(job.KeyGroup(code, maxParallelism), channels, maxParallelism)
	}
	same := true // those with the same key go to the same channel
	for i := range keys {
		for j := range keys[:i] {
			same = same && (string(keys[i]) != string(keys[j]) || to[i] == to[j])
		}
	}
	return to, answers{"channelsPerRecord": 1, "sameChannelForSameKey": same}, nil
}

// dealt is the channel of each record.
func dealt(d *job.Dealing, records int) []int {
	channels := make([]int, records)
	for i := range channels {
		channels[i] = d.Channel(int64(i))
	}
	return channels
}

// shuffled is the last channel that many records go to that are dealt at random, if they go to all before it.
func shuffled(channels int) int {
	d := job.NewShuffleDealing(channels, 4096, 1)
	seen := map[int]bool{}
	for _, to := range dealt(&d, 100*channels) {
		seen[to] = true
	}
	return len(seen) - 1
}

// What cases say of a random start and of what follows it.
var (
	startRule = regexp.MustCompile(`^any channel in 0\.\.\d+(?: \(random start per task\))?$`)
	nextRule  = regexp.MustCompile(`^previous \+ 1 modulo \d+$`)
)

// rebalanced says in a case's words where many tasks, each with its own random start, send their records.
// Words that it does not know stay unanswered.
func rebalanced(channels, records int, expect json.RawMessage) answers {
	starts := sim.NewStream(1, "rebalance")
	first := map[int]bool{}
	then := fmt.Sprintf("previous + 1 modulo %d", channels)
	for range 100 * channels {
		d := job.NewRoundRobinDealing(channels, int(starts.Int64n(int64(channels))))
		to := dealt(&d, records)
		for i := range to {
			if i == 0 {
				first[to[i]] = true
			} else if to[i] != (to[i-1]+1)%channels {
				then = fmt.Sprintf("%d after %d", to[i], to[i-1])
			}
		}
	}
	var want struct{ First, Then string }
	_ = json.Unmarshal(expect, &want) // other forms are no words that it knows
	got := answers{"channelsPerRecord": 1, "channelMin": 0, "channelMax": len(first) - 1}
	if startRule.MatchString(want.First) {
		words := fmt.Sprintf("any channel in 0..%d", len(first)-1)
		if base, _, _ := strings.Cut(want.First, " ("); base == words {
			words = want.First
		}
		got["first"] = words
	}
	if nextRule.MatchString(want.Then) {
		got["then"] = then
	}
	return got
}
