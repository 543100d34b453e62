package vector

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"checkpointlab/core/event"
	"checkpointlab/core/network"
	"checkpointlab/core/sim"
)

// subpartitionRun drives one channel of a real network from the producer's side: unit PipelinedSubpartition. The case is
// the reader: between its polls the channel is held as if blocked.
type subpartitionRun struct {
	net      *network.Network
	queue    sim.Queue
	feed     event.Feed
	released bool
	refused  bool // a poll found the queue as it cannot be
	blocked  bool // by a barrier that was polled, not by the runner
	seen     int  // of what is on the wire: polled; a priority event goes on it at once, held or not

	added   []int32
	decided map[event.Checkpoint][]int32 // bytes of the buffers stored as output state
	failed  []event.Checkpoint
	latest  event.Checkpoint // the newest barrier whose output state the case can ask for
	last    network.Entry    // polled last
}

func runSubpartition(c Case) (Status, string) {
	g := struct {
		Unit              string
		InitialBufferSize int32
	}{InitialBufferSize: math.MaxInt32} // as Flink's tests make it
	if err := Decode(c.Given, &g); err != nil {
		return Unknown("given", err)
	}
	r := &subpartitionRun{decided: map[event.Checkpoint][]int32{}}
	r.feed = event.NewFeed()
	r.net = network.New(network.Plan{
		Wires:      []network.Wire{{}},
		Partitions: []network.Partition{{Count: 1}},
		Dealers:    []network.Dealer{nil}, // a single channel is dealt everything
		GateInputs: [][]event.Channel{{0}},
		Exclusive:  math.MaxInt16, MaxPerSub: math.MaxInt16, Segment: g.InitialBufferSize, UrgentPass: true,
	}, &r.queue, &r.feed, r)
	r.hold(false)
	return replayOn(r, c)
}

// Wake, Offered, Passed and Displaced are what the network tells the tasks.
func (r *subpartitionRun) Wake(event.Time, event.Task)                         {}
func (r *subpartitionRun) Offered(event.Time, event.Task, event.Channel, bool) {}
func (r *subpartitionRun) Book(event.Time, event.Task)                         {}

func (r *subpartitionRun) Passed(_ event.Time, _ event.Task, id event.Checkpoint) {
	r.decided[id] = []int32{}
}

func (r *subpartitionRun) Displaced(_ event.Time, _ event.Task, id event.Checkpoint) {
	r.failed = append(r.failed, id)
}

// hold keeps the reader away; blocked is whether the channel waits for ResumeConsumption.
func (r *subpartitionRun) hold(blocked bool) {
	r.blocked, r.net.Channels[0].Blocked = blocked, true
}

func (r *subpartitionRun) event(verb string, args []json.RawMessage) (Status, string) {
	var word string
	var id event.Checkpoint
	switch n := len(args); {
	case verb == "add" && (n == 1 || n == 2):
		if err := scan(args[:1], &word); err != nil {
			return done(err)
		}
		if n == 2 {
			if err := scan(args[1:], &id); err != nil {
				return done(err)
			}
		}
		return done(r.add(word, id, n == 2))
	case verb == "poll" && (n == 1 || n == 2):
		if err := scan(args[:1], &word); err != nil {
			return done(err)
		}
		return r.poll(word, args[1:])
	case verb == "finishBuffer" && n == 0:
		return done(r.finishBuffer())
	case verb == "alignedBarrierTimeout" && n == 1:
		if err := scan(args, &id); err != nil {
			return done(err)
		}
		r.timeOut(id)
	case verb == "bufferSize" && (n == 1 || n == 2):
		args, fails := failing(args)
		if err := scan(args, &id); err != nil {
			return done(err)
		}
		if refused := id < 0 || id > math.MaxInt32; refused != fails {
			return Differ("bufferSize", refused, fails)
		} else if !refused {
			r.net.Channels[0].Usable = int32(id)
		}
	case verb == "resume" && n == 0:
		r.hold(false)
	case verb == "flush" && n == 0:
		r.net.FlushLast(0, 0)
	case verb == "release" && n == 0: // with what is in it
		r.net.Reset(0)
		r.released, r.seen = true, 0
	case verb == "finish" && n == 0:
		r.net.Broadcast(0, 0, network.Entry{Kind: network.End, Runs: event.EmptyRuns})
	default:
		return Unknown(fmt.Sprintf("%s with %d arguments", verb, n), errUnknown)
	}
	return Pass, ""
}

// subpartitionBarriers are the flags of the barriers that a case can add behind everything.
var subpartitionBarriers = map[string]uint8{
	"timeoutableBarrier": network.Blocking | network.Timeoutable,
	"alignedBarrier":     network.Blocking,
}

// add puts a buffer, with its bytes if they are said, or an event in, a barrier with its checkpoint.
func (r *subpartitionRun) add(word string, id event.Checkpoint, numbered bool) error {
	flags, barrier := subpartitionBarriers[word]
	switch {
	case word == "data" || word == "unfinishedData":
		bytes := int32(1)
		if numbered {
			bytes = int32(id)
		}
		whole := word == "data" // finished when it is added, as what is restored is: it may be read alone
		if !whole && !r.net.Partitions[0].Pool.Take(0) {
			return errors.New("no segment is left")
		}
		e := network.Entry{Kind: network.Data, Bytes: bytes, Size: math.MaxInt32, Finished: whole, Extra: whole, Runs: event.EmptyRuns}
		r.added = append(r.added, r.net.Channels[0].Add(e))
		return nil
	case word == "event" && !numbered: // one that asks nothing of the channel
		r.net.Broadcast(0, 0, network.Entry{Kind: network.Cancel, Runs: event.EmptyRuns})
		return nil
	case !numbered:
		return fmt.Errorf("%s without a checkpoint", word)
	case barrier:
		r.latest = id
		r.net.Broadcast(0, 0, network.Entry{Kind: network.Barrier, ID: id, Flags: flags, Runs: event.EmptyRuns})
		return nil
	case word == "unalignedBarrier":
		r.latest = id
		r.decided[id] = []int32{}
		r.net.Overtake(0, 0, network.Entry{Kind: network.Barrier, ID: id, Flags: network.Priority, Runs: event.EmptyRuns}, r.storeFor(id))
		return nil
	}
	return fmt.Errorf("%s, which the runner does not know", word)
}

func (r *subpartitionRun) timeOut(id event.Checkpoint) {
	stored := []int32{}
	jumped := r.net.TimeOut(0, 0, id, func(_ event.Channel, e *network.Entry) { stored = append(stored, e.Bytes) })
	if jumped > 0 {
		r.decided[id] = stored
	}
}

func (r *subpartitionRun) storeFor(id event.Checkpoint) func(event.Channel, *network.Entry) {
	return func(_ event.Channel, e *network.Entry) { r.decided[id] = append(r.decided[id], e.Bytes) }
}

// finishBuffer is the writer being done with the last buffer.
func (r *subpartitionRun) finishBuffer() error {
	ch := &r.net.Channels[0]
	if ch.Queue.Len() == 0 || ch.Queue.Last().Kind != network.Data || ch.Queue.Last().Finished {
		return errors.New("no unfinished buffer")
	}
	ch.Queue.Last().Finished = true
	return nil
}

// poll lets the network take one thing and holds it against what is expected, and what it tells with it.
func (r *subpartitionRun) poll(want string, more []json.RawMessage) (Status, string) {
	if want == "" { // null
		want = "nothing"
	}
	if !polled[want] {
		return Unknown("poll", fmt.Errorf("%q", want))
	}
	ch := &r.net.Channels[0]
	if q := &ch.Queue; q.Len() > 1 && q.At(0).Kind == network.Data && !q.At(0).Finished { // only the last may be unfinished (PipelinedSubpartition#pollBuffer)
		r.refused = true
		return Pass, ""
	}
	ch.Blocked = r.blocked
	got := "nothing"
	if r.early() || r.net.Take(0, 0) || r.unasked() {
		r.last = *ch.Wire.At(r.seen)
		got = nameOf(&r.last)
		r.seen++
	}
	r.hold(ch.Blocked)
	if got != want {
		return Differ("poll", got, want)
	}
	if len(more) == 0 {
		return Pass, ""
	}
	return compareValues(r, more[0])
}

// unasked is a reader that looks without having been told of anything: it gets what is written of the last buffer, as with a flush
// (PipelinedSubpartition#pollBuffer).
func (r *subpartitionRun) unasked() bool {
	ch := &r.net.Channels[0]
	if ch.Blocked || ch.Queue.Len() != 1 || ch.Queue.Last().Kind != network.Data || ch.Queue.Last().Bytes == 0 {
		return false
	}
	ch.Blocked = true // the network itself is not to take it
	r.net.FlushLast(0, 0)
	ch.Blocked = false
	return r.net.Take(0, 0)
}

// polled are what a poll can give.
var polled = map[string]bool{
	"nothing": true, "data": true, "timeoutableBarrier": true, "alignedBarrier": true, "priorityEvent": true, "event": true, "endOfPartition": true,
}

func nameOf(e *network.Entry) string {
	switch {
	case e.Kind == network.Data:
		return "data"
	case e.Kind == network.End:
		return "endOfPartition"
	case e.Kind == network.Cancel:
		return "event"
	case e.Flags&network.Priority != 0:
		return "priorityEvent"
	case e.Flags&network.Timeoutable != 0:
		return "timeoutableBarrier"
	}
	return "alignedBarrier"
}

func (r *subpartitionRun) value(key string, _ json.RawMessage) (any, bool) {
	ch := &r.net.Channels[0]
	stored, decided := r.decided[r.latest]
	if key == "error" {
		return r.refused, true
	} else if r.refused {
		return nil, false
	}
	switch key {
	case "queued":
		return ch.Queue.Len() + ch.Wire.Len() - r.seen, true
	case "dataAvailable":
		return r.available(), true
	case "eventAvailable": // what can be read without credit
		return r.available() && (r.early() || ch.Queue.At(0).Kind != network.Data), true
	case "size": // of what was polled last
		return r.sizeOfLast()
	case "outputStateDecided":
		return decided, true
	case "outputState":
		return stored, true // null before it is decided
	case "outputStateBuffers":
		return len(stored), true
	case "outputStateFailed":
		return append([]event.Checkpoint{}, r.failed...), true
	case "addReturns":
		return append([]int32{}, r.added...), true
	case "blocked":
		return r.blocked, true
	case "released":
		return r.released, true
	case "buffersInBacklog", "backlog":
		ch.Blocked = r.blocked
		defer r.hold(r.blocked)
		return ch.Backlog(), true
	}
	return nil, false
}

// early reports whether a priority event is on the wire that the case has not polled.
func (r *subpartitionRun) early() bool { return r.net.Channels[0].Wire.Len() > r.seen }

// available is what Flink tells with each buffer: whether another one can be read (isDataAvailableUnsafe).
func (r *subpartitionRun) available() bool {
	if r.early() {
		return !r.blocked
	}
	ch := &r.net.Channels[0]
	ch.Blocked = r.blocked
	defer r.hold(r.blocked)
	return ch.DataAvailable()
}

func (r *subpartitionRun) sizeOfLast() (any, bool) {
	return r.last.Bytes, r.seen > 0 && r.last.Kind == network.Data
}
