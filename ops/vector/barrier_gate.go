package vector

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"checkpointlab/core/barrier"
	"checkpointlab/core/event"
	"checkpointlab/core/network"
)

// The gate of the alternating cases: channels queue what they receive, priority elements in front, and the gate hands out
// channel by channel, prioritized channels first (Flink's SingleInputGate with RemoteInputChannel).

// barrierElement stands in a channel's queue.
type barrierElement struct {
	kind     string // data, barrier, announcement, cancel, eop
	barrier  barrier.Barrier
	bytes    int64
	priority bool
}

// barrierChannel is one channel with its sender.
type barrierChannel struct {
	remote  bool
	blocked bool // the sender waits for a resume
	booked  bool // the handler's effects say that it is blocked
	queue   network.InputQueue
	came    int32                    // elements so far
	content map[int32]barrierElement // of the queue's places, by sequence number
	urgent  bool                     // the gate holds it among the prioritized channels
}

// alternatingEvent is one event of the alternating file.
func (r *barrierRun) alternatingEvent(_ int, verb string, args []json.RawMessage) error {
	switch {
	case verb == "recv" && len(args) >= 2:
		return r.receive(args)
	case verb == "advance" && len(args) == 1, verb == "advanceNoTimers" && len(args) == 1:
		n, err := barrierNumbers(args)
		if err != nil {
			return err
		}
		r.now += n[0] * event.Millisecond
		if verb == "advance" {
			return r.runTimers()
		}
		return nil
	case verb == "close" && len(args) == 0: // nothing that is due acts on a closed gate (CheckpointedInputGate#close)
		r.timers, r.closed = nil, true
		return nil
	case verb == "runTimers" && len(args) == 0:
		return r.runTimers()
	case verb == "poll" && len(args) == 1:
		var kind string
		if err := json.Unmarshal(args[0], &kind); err != nil {
			return err
		}
		if kind == "buf" || kind == "buffer" {
			kind = "data"
		}
		return r.poll(kind)
	case verb == "drain" && len(args) == 0:
		for len(r.ready) > 0 {
			if err := r.poll(""); err != nil {
				return err
			}
		}
		return nil
	}
	return fmt.Errorf("verb %q with %d arguments", verb, len(args))
}

// receive is what the network delivers: ["recv", channel, kind, …].
func (r *barrierRun) receive(args []json.RawMessage) error {
	ch, err := barrierNumbers(args[:1])
	if err != nil {
		return err
	}
	if r.closed {
		return errors.New("the gate is closed")
	}
	if err := r.checkChannel(ch[0]); err != nil {
		return err
	}
	var kind string
	if err := json.Unmarshal(args[1], &kind); err != nil {
		return err
	}
	e, err := r.element(kind, args[2:])
	if err != nil {
		return err
	}
	r.arrive(int32(ch[0]), e)
	return nil
}

// element reads the rest of a recv.
func (r *barrierRun) element(kind string, args []json.RawMessage) (barrierElement, error) {
	e := barrierElement{kind: kind, bytes: r.bytes}
	var align string
	if kind == "barrier" && len(args) == 4 {
		if err := json.Unmarshal(args[1], &align); err != nil {
			return e, err
		}
		args = slices.Delete(slices.Clone(args), 1, 2)
	}
	n, err := barrierNumbers(args)
	if err != nil {
		return e, err
	}
	switch {
	case (kind == "buf" || kind == "data" || kind == "buffer") && len(n) <= 1:
		e.kind = "data"
		if len(n) == 1 {
			e.bytes = n[0]
		}
	case kind == "eop" && len(n) == 0:
	case kind == "cancel" && len(n) == 1:
		e.barrier.ID, e.priority = n[0], true
	case kind == "announcement" && len(n) == 3:
		e.barrier, err = alternatingBarrier("timeout", n)
		e.priority = true
	case kind == "barrier" && len(n) == 3:
		e.barrier, err = alternatingBarrier(align, n)
		e.priority = e.barrier.Alignment == barrier.Unaligned
	default:
		err = fmt.Errorf("recv %q with %d numbers", kind, len(n))
	}
	return e, err
}

// alternatingBarrier is a barrier from its word and id, timeout and creation in ms.
func alternatingBarrier(align string, n []int64) (barrier.Barrier, error) {
	b := barrier.Barrier{ID: n[0], Timestamp: n[2] * event.Millisecond}
	switch align {
	case "timeout":
		b.Alignment, b.Timeout = barrier.TimeoutableAligned, n[1]*event.Millisecond
	case "unaligned":
		b.Alignment = barrier.Unaligned
	case "aligned":
		b.Alignment = barrier.Aligned
	default:
		return b, fmt.Errorf("alignment %q", align)
	}
	return b, nil
}

// arrive puts an element into a channel; a remote channel announces a timeoutable barrier. At a local channel nothing arrives before
// it is polled: a barrier in its queue is none yet.
func (r *barrierRun) arrive(ch int32, e barrierElement) {
	c := &r.chans[ch]
	entry := network.Entry{Kind: network.Cancel, ID: e.barrier.ID, Bytes: int32(e.bytes), Runs: event.EmptyRuns}
	switch {
	case e.kind == "data":
		entry.Kind = network.Data
	case e.kind == "barrier" && c.remote:
		entry.Kind = network.Barrier
		if e.barrier.Timeoutable() {
			entry.Flags |= network.Timeoutable
		}
	}
	if e.priority {
		entry.Flags |= network.Priority
	}
	if c.content == nil {
		c.content = map[int32]barrierElement{}
	}
	c.content[c.came] = e
	c.came++
	if c.queue.Add(entry).Persist != 0 && c.remote {
		r.store(ch, e.bytes)
	}
	r.makeReady(ch)
}

// store notes a buffer that is in flight for a checkpoint.
func (r *barrierRun) store(ch int32, bytes int64) {
	r.stored[fmt.Sprint(ch)]++
	r.storedBytes += bytes
}

// makeReady lets the gate know that ch has elements: behind the prioritized channels if its first one has priority, else at
// the end. A channel that is known stays unless it gains priority.
func (r *barrierRun) makeReady(ch int32) {
	front := r.chans[ch].queue.Urgent() > 0
	urgent := 0
	known := slices.Index(r.ready, ch)
	if known >= 0 {
		if !front || r.isUrgent(known) {
			return
		}
		r.ready = slices.Delete(r.ready, known, known+1)
	}
	for urgent < len(r.ready) && r.isUrgent(urgent) {
		urgent++
	}
	if front {
		r.ready = slices.Insert(r.ready, urgent, ch)
	} else {
		r.ready = append(r.ready, ch)
	}
	r.chans[ch].urgent = front
}

func (r *barrierRun) isUrgent(i int) bool { return r.chans[r.ready[i]].urgent }

// poll hands out the next element. kind "" takes any.
func (r *barrierRun) poll(kind string) error {
	if len(r.ready) == 0 {
		return barrierWrong("the gate is empty, expected " + kind)
	}
	ch := r.ready[0]
	r.ready = slices.Delete(r.ready, 0, 1)
	c := &r.chans[ch]
	place, _ := c.queue.Poll()
	e := c.content[place.Sequence]
	if place.Announcement {
		e.kind = "announcement"
	} else {
		delete(c.content, place.Sequence)
	}
	c.urgent = false
	if c.queue.Len() > 0 {
		r.makeReady(ch)
	}
	if kind != "" && kind != e.kind {
		return barrierWrong(fmt.Sprintf("the gate hands out %s of channel %d, expected %s", e.kind, ch, kind))
	}
	return r.take(int64(ch), e)
}

// makePriority moves the announced barrier to the front of its channel.
func (r *barrierRun) makePriority(ch int32, id event.Checkpoint) error {
	c := &r.chans[ch]
	for i := c.queue.Urgent(); i < c.queue.Len(); i++ {
		if place := c.queue.At(i); place.Kind == network.Barrier && place.ID == id {
			c.queue.Prioritize(place.Sequence)
			r.makeReady(ch)
			return nil
		}
	}
	if !c.remote { // an announcement was delivered by itself
		return nil
	}
	return barrierWrong(fmt.Sprintf("channel %d has no announced barrier of %d", ch, id))
}

// storeInput stores what is queued ahead of the barrier of id and, if that has not arrived, what comes until it does.
func (r *barrierRun) storeInput(ch int32, id event.Checkpoint) error {
	c := &r.chans[ch]
	from, to, ok := c.queue.Start(id)
	if !ok {
		return barrierWrong(fmt.Sprintf("checkpoint %d is subsumed on channel %d", id, ch))
	}
	for i := from; i < to && c.remote; i++ {
		if place := c.queue.At(i); place.Kind == network.Data {
			r.store(ch, int64(place.Bytes))
		}
	}
	return nil
}

// runTimers fires the due timers, earliest first.
func (r *barrierRun) runTimers() error {
	for {
		next := -1
		for i, t := range r.timers {
			if t.at <= r.now && (next < 0 || t.at < r.timers[next].at) {
				next = i
			}
		}
		if next < 0 {
			return nil
		}
		t := r.timers[next]
		r.timers = slices.Delete(r.timers, next, next+1)
		r.out = r.h.OnTimer(r.now, t.id, r.out[:0])
		if err := r.carryOut(); err != nil {
			return err
		}
	}
}
