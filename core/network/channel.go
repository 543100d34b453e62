package network

import "checkpointlab/core/event"

// Channel is one remote channel: the producer's subpartition, the wire and the consumer's queue (spec 4.2, 4.3). A wide job
// has millions of them: a channel is three cache lines, one for its sender, one for what is under way and one for its
// receiver. Ids of checkpoints have 31 bits here: a run has a checkpoint every 10 ms for 30 days at most.
type Channel struct {
	Queue     Ring       // the subpartition, head first
	comesAt   event.Time // credit on its way to the sender that needs no event: when it arrives,
	comesSeq  int64      // at which place of that instant,
	comes     int32      // and how much; 0 = none is
	data      int32      // buffers in Queue
	Usable    int32      // size of the next buffer (debloating)
	Credit    int32      // known to the sender
	flush     bool       // flush requested: the unfinished last buffer may be read
	Blocked   bool       // a barrier was handed out, ResumeConsumption has not come
	starved   bool       // data waits for credit
	finished  bool       // the end of the partition is queued or sent
	shut      uint8      // why nothing passes: lost, unasked, silent; 0 = something may
	processed bool       // the consumer has taken EndOfData: all records are processed
	Queued    bool       // in its gate's line of channels with data
	local     bool       // Wire.Local; fixed

	Wire      Ring
	BytesOut  int64
	BytesIn   int64
	Gen       uint32 // counts restarts, so that what was under way then is dropped
	told      int32  // backlog announced because the sender had no credit
	need      int32  // bytes still unwritten of a record that waits for a segment
	undecided int32  // checkpoint of the timeoutable barrier queued here: whether data is stored for it is open; 0 = none
	blockedBy int32  // checkpoint whose barrier it stopped at last
	returned  int32  // of a broadcast: segments given back; it wraps around

	Input  InputQueue
	Unread int64 // bytes that the consumer has taken and not read as records
}

// Why nothing passes a channel.
const (
	lost    uint8 = 1 << iota // an end of it is lost, until it is reset
	unasked                   // its consumer has not asked for the partition yet (refill.go)
	silent                    // its sender's host is, besides (silent.go) …
	unacked                   // … and has not acknowledged what the consumer sent
)

// BlockedBy is the checkpoint whose barrier the sender stopped at last.
func (c *Channel) BlockedBy() event.Checkpoint { return event.Checkpoint(c.blockedBy) }

// copyFrom makes c what src is; the cells of their lists are copied by the network.
func (c *Channel) copyFrom(src *Channel) {
	queue, wire, places := c.Queue, c.Wire, c.Input.places
	*c = *src
	c.Queue, c.Wire, c.Input.places = queue, wire, places
	c.Queue.copyHead(&src.Queue)
	c.Wire.copyHead(&src.Wire)
	c.Input.places.copyHead(&src.Input.places)
}

// Add appends e to the queue (PipelinedSubpartition.add). It returns the size in bytes that the next buffer may have; -1: the
// channel is finished and e is dropped (vector subpartition.add-after-finish).
func (c *Channel) Add(e Entry) int32 {
	if c.finished {
		return -1
	}
	c.Queue.Push(e)
	switch {
	case e.Kind == Data:
		c.data++
	case e.Kind == End:
		c.finished = true
	case e.Flags&Timeoutable != 0:
		c.undecided = int32(e.ID)
	}
	return c.Usable
}

// open is the buffer that the writer appends to, nil if there is none.
func (c *Channel) open() *Entry {
	if c.Queue.Len() == 0 {
		return nil
	}
	if e := c.Queue.Last(); e.Kind == Data && !e.Finished {
		return e
	}
	return nil
}

// Backlog is what a message announces to the receiver: the data buffers queued, not counting the last one unless it is flushed
// or followed by an event; 0 when blocked (PipelinedSubpartition.getBuffersInBacklogUnsafe, mechanisms 6).
func (c *Channel) Backlog() int {
	switch {
	case c.Blocked || c.Queue.Len() == 0:
		return 0
	case c.flush || c.Queue.Last().Kind != Data:
		return int(c.data)
	default:
		return int(max(c.data-1, 0))
	}
}

// readable reports whether the network may take something (PipelinedSubpartition.isDataAvailableUnsafe). A buffer that stands
// alone, full or not, waits for the next one or a flush: a BufferConsumer learns how far its writer is only when it is read
// (BufferConsumer.isFinished). Restored buffers are finished from the start.
func (c *Channel) readable() bool {
	if c.Blocked || c.shut != 0 {
		return false
	}
	switch n := c.Queue.Len(); n {
	case 0:
		return false
	case 1:
		e := c.Queue.first()
		return e.Kind != Data || e.Extra || c.flush
	default:
		return true
	}
}

// hears reports whether the network is notified of the next thing put here. With more than one buffer, or a flushed one, before
// it, the network already knows that there is something; a restored buffer may be read alone, but no backlog was announced for
// it (PipelinedSubpartition.shouldNotifyDataAvailable).
func (c *Channel) hears() bool { return c.Queue.n <= 1 && !c.flush }

// DataAvailable is what the network is told about more data after what it takes: none while a barrier blocks the channel.
func (c *Channel) DataAvailable() bool { return c.readable() }

// requestFlush makes the unfinished buffer readable; the network is notified if nothing was readable before
// (PipelinedSubpartition.flush).
func (c *Channel) requestFlush() (tell bool) {
	if c.flush {
		return false
	}
	switch c.Queue.n {
	case 0:
	case 1:
		e := c.Queue.first()
		c.flush = e.Kind != Data || e.Bytes > e.Sent
		return c.flush
	default:
		c.flush = true
	}
	return false
}

// popEvent takes the event at the head; with the last entry a flush request ends (PipelinedSubpartition.pollBuffer).
func (c *Channel) popEvent() Entry {
	e := c.Queue.Pop()
	if c.Queue.Len() == 0 {
		c.flush = false
	}
	return e
}

// InFlight is the bytes queued, under way and received.
func (c *Channel) InFlight() int64 {
	var sum int64
	for _, q := range []*Ring{&c.Queue, &c.Wire} {
		for i := 0; i < q.Len(); i++ {
			if e := q.At(i); e.Kind == Data {
				sum += int64(e.Bytes - e.Sent)
			}
		}
	}
	for i := 0; i < c.Input.Len(); i++ {
		if e := c.Input.At(i); e.Kind == Data {
			sum += int64(e.Bytes)
		}
	}
	return sum
}

// Data is the number of buffers that were received and not taken.
func (q *InputQueue) Data() int {
	n := 0
	for i := 0; i < q.Len(); i++ {
		if q.At(i).Kind == Data {
			n++
		}
	}
	return n
}
