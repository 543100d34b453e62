package vector

import (
	"encoding/json"
	"fmt"

	"checkpointlab/core/event"
	"checkpointlab/core/network"
)

// persisterRun drives what of a channel's data is in flight for a checkpoint: unit ChannelStatePersister. Buffers are queued
// as they come, and nothing is taken out.
type persisterRun struct {
	queue     network.InputQueue
	persisted map[event.Checkpoint]int // buffers, by checkpoint
	bytes     int32                    // of the next buffer; each has a size of its own
}

func runPersister(c Case) (Status, string) {
	var v struct{ Unit string }
	if err := Decode(c.Given, &v); err != nil {
		return Unknown("given", err)
	}
	return replayOn(&persisterRun{queue: network.NewInputQueue(0), persisted: map[event.Checkpoint]int{}}, c)
}

// event knows buffer, barrier id, startPersisting id and stopPersisting id; startPersisting of a checkpoint that a newer barrier
// has subsumed fails.
func (r *persisterRun) event(verb string, args []json.RawMessage) (Status, string) {
	args, fails := failing(args)
	var id event.Checkpoint
	if verb == "buffer" && len(args) == 0 {
		r.bytes++
		if a := r.queue.Add(network.Entry{Kind: network.Data, Bytes: r.bytes}); a.Persist != 0 {
			r.persisted[a.Persist]++
		}
		return Pass, ""
	}
	if err := scan(args, &id); err != nil {
		return Unknown(fmt.Sprintf("%s with %d arguments", verb, len(args)), err)
	}
	started := true
	switch verb {
	case "barrier":
		r.queue.Add(network.Entry{Kind: network.Barrier, ID: id, Flags: network.Priority})
	case "startPersisting":
		started = r.start(id)
	case "stopPersisting":
		r.queue.Stop(id)
	default:
		return Unknown(verb, errUnknown)
	}
	if started == fails {
		return Differ(verb, map[bool]string{true: "done", false: "refused"}[started], map[bool]string{true: "an error", false: "none"}[fails])
	}
	return Pass, ""
}

func (r *persisterRun) start(id event.Checkpoint) bool {
	from, to, ok := r.queue.Start(id)
	for i := from; ok && i < to; i++ {
		if r.queue.At(i).Kind == network.Data {
			r.persisted[id]++
		}
	}
	return ok
}

func (r *persisterRun) value(key string, want json.RawMessage) (any, bool) {
	switch key {
	case "persisted": // buffers, in all or by checkpoint
		var each map[event.Checkpoint]json.RawMessage
		if json.Unmarshal(want, &each) == nil {
			return r.persisted, true
		}
		all := 0
		for _, n := range r.persisted {
			all += n
		}
		return all, true
	case "persistsWhatComes":
		var next network.InputQueue
		next.CopyFrom(&r.queue)
		return next.Add(network.Entry{Kind: network.Data, Bytes: 1}).Persist != 0, true
	}
	return nil, false
}
