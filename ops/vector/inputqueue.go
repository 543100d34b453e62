package vector

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"checkpointlab/core/event"
	"checkpointlab/core/network"
)

// queueRun drives a channel's receive queue: unit RemoteInputChannelQueue. All barriers are those of one checkpoint.
type queueRun struct {
	queue  network.InputQueue
	polled []network.Entry
}

const queueCheckpoint event.Checkpoint = 1

func runInputQueue(c Case) (Status, string) {
	var v struct {
		Unit          string
		Channels      *int
		FirstSequence int32
	}
	if err := Decode(c.Given, &v); err != nil {
		return Unknown("given", err)
	}
	if v.Channels != nil && *v.Channels != 1 {
		return Unknown("given", errors.New("a queue belongs to one channel"))
	}
	return replayOn(&queueRun{queue: network.NewInputQueue(v.FirstSequence)}, c)
}

// queueBarriers are the flags of the barriers that a case can send.
var queueBarriers = map[string]uint8{
	"unalignedBarrier": network.Priority,
	"timeoutBarrier":   network.Blocking | network.Timeoutable,
	"alignedBarrier":   network.Blocking,
}

func (r *queueRun) event(verb string, args []json.RawMessage) (Status, string) {
	if verb == "convertToPriorityEvent" { // of the barrier with that sequence number: its alignment has timed out
		var sequence int32
		if err := scan(args, &sequence); err != nil {
			return done(err)
		}
		for i := r.queue.Urgent(); i < r.queue.Len(); i++ {
			if e := r.queue.At(i); e.Kind == network.Barrier && e.Sequence == sequence {
				r.queue.Prioritize(sequence)
				return Pass, ""
			}
		}
		return done(fmt.Errorf("no barrier with sequence number %d behind the priority events", sequence))
	}
	if verb == "buffer" && len(args) == 1 {
		var m message
		if err := json.Unmarshal(args[0], &m.Bytes); err != nil {
			if err := Decode(args[0], &m); err != nil {
				return done(err)
			}
		}
		r.queue.Add(network.Entry{Kind: network.Data, Bytes: int32(m.Bytes)})
		return Pass, ""
	}
	if len(args) > 0 {
		return Unknown("arguments", errUnknown)
	}
	if flags, ok := queueBarriers[verb]; ok {
		r.queue.Add(network.Entry{Kind: network.Barrier, ID: queueCheckpoint, Flags: flags})
		return Pass, ""
	}
	if size, ok := number(verb, "buf"); ok { // buf3: a buffer of 3 bytes
		r.queue.Add(network.Entry{Kind: network.Data, Bytes: size})
		return Pass, ""
	}
	if verb == "poll" {
		r.poll()
		return Pass, ""
	}
	if want, ok := number(verb, "poll->seq"); ok {
		got, ok := r.poll()
		if !ok {
			return Differ("sequence number", "nothing", want)
		}
		if got.Sequence != want {
			return Differ("sequence number", got.Sequence, want)
		}
		return Pass, ""
	}
	return Unknown(verb, errUnknown)
}

// poll takes the head and remembers it.
func (r *queueRun) poll() (network.Entry, bool) {
	got, ok := r.queue.Poll()
	if ok {
		r.polled = append(r.polled, got)
	}
	return got, ok
}

// allPolled is what was polled, or what would be if a case does not poll itself.
func (r *queueRun) allPolled() []network.Entry {
	if r.polled != nil {
		return r.polled
	}
	var rest queueRun
	rest.queue.CopyFrom(&r.queue)
	for _, more := rest.poll(); more; _, more = rest.poll() {
	}
	return rest.polled
}

// number is what follows a prefix, if it is a number.
func number(word, prefix string) (n int32, ok bool) {
	digits, ok := strings.CutPrefix(word, prefix)
	v, err := strconv.ParseInt(digits, 10, 32)
	return int32(v), ok && err == nil
}

func (r *queueRun) value(key string, _ json.RawMessage) (any, bool) {
	switch key {
	case "inflightSizes":
		sizes := []int32{}
		from, to := r.queue.InflightBuffers(queueCheckpoint)
		for i := from; i < to; i++ {
			if e := r.queue.At(i); e.Kind == network.Data {
				sizes = append(sizes, e.Bytes)
			}
		}
		return sizes, true
	case "polledSequence":
		sequence := []int32{}
		for _, e := range r.allPolled() {
			sequence = append(sequence, e.Sequence)
		}
		return sequence, true
	case "polledSizes": // of buffers
		sizes := []int32{}
		for _, e := range r.allPolled() {
			if e.Kind == network.Data {
				sizes = append(sizes, e.Bytes)
			}
		}
		return sizes, true
	case "priorityEventAvailable": // which the gate hears of
		return r.queue.Urgent() > 0, true
	case "queued":
		return r.queue.Len(), true
	case "queuedBytes":
		var bytes int64
		for i := range r.queue.Len() {
			if e := r.queue.At(i); e.Kind == network.Data {
				bytes += int64(e.Bytes)
			}
		}
		return bytes, true
	}
	return nil, false
}
