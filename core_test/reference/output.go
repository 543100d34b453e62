package reference

import (
	"cmp"
	"slices"

	"checkpointlab/core"
	"checkpointlab/core/barrier"
	"checkpointlab/core/event"
	"checkpointlab/core/job"
	"checkpointlab/core/network"
)

// partition is the output of one producer on one edge: subpartitions that share a pool of segments (spec 4.1).
type partition struct {
	run      *Run
	edge     int
	producer *task
	channels []*channel
	pool     network.BufferPool
	dealing  job.Dealing
	emitted  int64    // records dealt
	last     *channel // that an adaptive writer has chosen last; nil = none since its start
	sending  sending
	forced   bool // its exchange cannot carry unaligned barriers
}

func (p *partition) newPool() network.BufferPool {
	o := &p.run.setup.Options
	n := len(p.channels)
	overdraft := o.MaxOverdraft
	if p.producer.vertex.Lock != core.NoLock {
		overdraft = 0 // a SourceFunction gets none (SourceStreamTask.init, FLINK-27789)
	}
	return network.NewBufferPool(max(n+1, o.BuffersPerChannel*n+o.FloatingPerGate), n, o.MaxPerChannel, overdraft)
}

// channel is one channel with both its ends: the subpartition at the producer, the receive queue at the consumer.
type channel struct {
	run       *Run
	id        event.Channel
	partition *partition
	gate      *gate
	sub       int   // index in the partition
	input     int   // index in the gate
	slot      int32 // index over all gates of the consumer
	local     bool  // both ends in one task manager: the consumer reads the queue itself, without credit (spec 4.3)
	life      int   // counts restarts: what was under way then is void

	// The producer's end.
	queue     []*message
	flushed   bool // the unfinished last buffer may be read
	blocked   bool // an aligned barrier was handed out, the consumer has not said that it may go on
	broken    bool // an end is lost: nothing passes
	silent    bool // … the producer's, whose connection stays open until TCP gives it up
	unheard   bool // … and what the consumer has sent since is not acknowledged
	unasked   bool // the consumer's request for the partition is on its way: its restored input is consumed
	credit    int
	told      int // backlog announced for want of credit
	usable    int32
	unwritten int32      // bytes of the record being written
	processed bool       // the consumer has all records
	wire      []*message // on their way

	receiver
}

// message is a buffer or an event.
type message struct {
	data      *buffer
	barrier   *barrier.Barrier
	cancel    event.Checkpoint // a cancellation marker's
	end       int              // ofData or ofPartition, 0 = no end
	noDrain   bool             // ofData: the operators have not ended
	backlog   int
	exclusive bool // at the consumer: which kind of buffer it fills
	lent      bool // at the consumer of a local channel: the producer's segment, to be given back
}

// buffer is a segment with the records that end in it and were not handed out.
type buffer struct {
	usable   int32 // bytes it may hold
	written  int32
	sent     int32
	finished bool
	restored bool // channel state of a checkpoint: it is no segment of the pool or the gate
	readers  *int // of a broadcast's segment: the channels that have not given it back
	records  []record
}

// broadcasts reports whether every channel gets every record.
func (p *partition) broadcasts() bool {
	return p.run.setup.Edges[p.edge].Partition == core.Broadcast && len(p.channels) > 1
}

// reset empties the channel: its tasks were cancelled.
func (c *channel) reset() {
	o := &c.run.setup.Options
	c.life++
	c.broken, c.silent, c.unheard, c.unasked, c.wire = false, false, false, false, nil
	c.queue, c.flushed, c.blocked, c.told, c.unwritten, c.processed = nil, false, false, 0, 0, false
	c.credit, c.usable = o.BuffersPerChannel, o.SegmentSize
	if o.Debloat {
		c.usable = min(o.SegmentSize, o.StartingSegmentSize)
	}
	c.receiver = receiver{}
}

// travel schedules the arrival of what the consumer says at the producer's end of the channel.
func (c *channel) travel(arrive func()) {
	if c.silent && !c.unheard {
		c.unheard = true
		c.timesOut(924_600*event.Millisecond, func() bool { return true })
	}
	c.underWay(c.partition.producer.home(), c.run.now, 0, arrive)
}

// underWay schedules the arrival of bytes that leave at that instant. Receivers' network threads read them, and one core does
// that for all of them.
func (c *channel) underWay(to *process, left, bytes event.Time, arrive func()) {
	life, at, control := c.life, left, &c.run.setup.Control
	if !c.local {
		if control.Receive > 0 {
			c.run.reading = max(c.run.reading, left) + bytes*control.Receive/1000
			at = c.run.reading
		}
		at += control.Net
	}
	c.run.agenda.afterIn(to, at, func() {
		if c.life == life {
			arrive()
		}
	})
}

// write writes the rest of a record, over as many buffers as it needs; false: a segment is missing (spec 4.2).
func (e *emission) write() bool {
	switch {
	case e.begun != nil:
	case e.only != nil:
		e.begun = e.only
		e.begun.unwritten = e.record.size
	default:
		e.begun = e.to.channels[0]
		if len(e.to.channels) > 1 && !e.to.broadcasts() {
			e.begun = e.to.choose()
		}
		e.to.emitted++
		e.begun.unwritten = e.record.size
	}
	c, into := e.begun, e.to.channels
	if !e.to.broadcasts() {
		into = []*channel{c}
	}
	for c.unwritten > 0 {
		if c.open() == nil && !e.to.newSegment(into, c.unwritten) {
			return false
		}
		first := c.open()
		if c.unwritten == e.record.size && first.usable-first.written <= e.record.size {
			e.to.useMore(into, e.record.size)
		}
		n := min(c.unwritten, first.usable-first.written)
		c.unwritten -= n
		for _, o := range into {
			b := o.open()
			if b.written += n; c.unwritten == 0 {
				b.records = append(b.records, e.record)
			}
			b.finished = b.written == b.usable
		}
	}
	if e.only != nil { // it was written to every channel before any is flushed
		if into = nil; e.flushes {
			into = e.to.channels
		}
	}
	for _, o := range into {
		if c.run.setup.Options.BufferTimeout == 0 {
			o.flush()
		}
	}
	return true
}

// choose is the channel for the next record.
func (p *partition) choose() *channel {
	kind, o := p.run.setup.Edges[p.edge].Partition, &p.run.setup.Options
	if !o.AdaptivePartitioner || kind != core.Rebalance && kind != core.Rescale {
		return p.channels[p.dealing.Channel(p.emitted)]
	}
	p.last = p.idlest(o.AdaptiveTraverse)
	return p.last
}

// idlest is the channel with the least to send among the next few behind the last one: of as few segments that are not back in the
// pool, of as few bytes that are not handed out; but one without a segment is taken at once (AdaptiveLoadBasedRecordWriter).
func (p *partition) idlest(few int) *channel {
	from := 0
	if p.last != nil {
		from = p.last.sub + 1
	}
	var next []*channel
	for i := range min(few, len(p.channels)) {
		c := p.channels[(from+i)%len(p.channels)]
		if p.pool.Queued(c.sub) == 0 {
			return c
		}
		next = append(next, c)
	}
	slices.SortStableFunc(next, func(a, b *channel) int {
		return cmp.Or(cmp.Compare(p.pool.Queued(a.sub), p.pool.Queued(b.sub)), cmp.Compare(a.queuedBytes(), b.queuedBytes()))
	})
	return next[0]
}

// queuedBytes counts what is written and not handed out, with each event as it is serialized (EventSerializer): a barrier has 4 bytes of
// kind, 8 of id, 8 of time, 1 of type (of a savepoint 2), 4 of no place, 1 of alignment and 8 of timeout.
func (c *channel) queuedBytes() (n int32) {
	for _, m := range c.queue {
		switch {
		case m.data != nil:
			n += m.data.written - m.data.sent
		case m.barrier != nil && m.barrier.Savepoint:
			n += 35
		case m.barrier != nil:
			n += 34
		case m.cancel != 0:
			n += 12
		case m.end == ofData:
			n += 5
		default:
			n += 4
		}
	}
	return n
}

// useMore lets a writer whose pool has nothing left, since 1.20, put a record into a buffer that it would fill, and a byte more is
// left, as far as the segment reaches (BufferWritingResultPartition.append).
func (p *partition) useMore(into []*channel, bytes int32) {
	o := &p.run.setup.Options
	if o.Version == "1.18" || p.pool.Available() {
		return
	}
	for _, c := range into {
		b := c.open()
		b.usable = min(o.SegmentSize, b.written+bytes+1)
	}
}

// newSegment puts a segment into a channel, or one into all those of a broadcast: of the size that suits each of them, but no less than
// what is left to write of a record (resizeBuffer), and counted for the first; false: there is none.
func (p *partition) newSegment(into []*channel, rest int32) bool {
	if !p.pool.Take(into[0].sub) {
		return false
	}
	readers, size := len(into), into[0].usable
	for _, c := range into {
		size = min(size, c.usable)
	}
	size = max(size, min(rest, p.run.setup.Options.SegmentSize))
	for _, c := range into {
		alone := len(c.queue) == 1 && !c.flushed
		c.queue = append(c.queue, &message{data: &buffer{usable: size, readers: &readers}})
		if alone {
			c.send()
		}
	}
	return true
}

// open is the buffer that is being written, nil if there is none.
func (c *channel) open() *buffer {
	if len(c.queue) == 0 {
		return nil
	}
	if b := c.queue[len(c.queue)-1].data; b != nil && !b.finished {
		return b
	}
	return nil
}

// flush makes the unfinished buffers readable.
func (p *partition) flush() {
	for _, c := range p.channels {
		c.flush()
	}
}

func (c *channel) flush() {
	if len(c.queue) == 0 || c.flushed {
		return
	}
	if len(c.queue) > 1 {
		c.flushed = true // the network knows that there is something
		return
	}
	if first := c.queue[0].data; first == nil || first.written > first.sent {
		c.flushed = true
		c.send()
	}
}

// broadcast puts an event into every channel, behind everything written; what is being written is finished first
// (truth/mechanisms 8). An unaligned barrier goes to the front; what it overtakes is output state of its checkpoint
// (spec 3.4).
func (p *partition) broadcast(m message) {
	for _, c := range p.channels {
		if b := c.open(); b != nil {
			b.finished = true
		}
		own := m
		if m.barrier != nil && m.barrier.Alignment == barrier.Unaligned {
			c.overtake(&own, len(c.queue))
			continue
		}
		known := len(c.queue) > 1 || c.flushed
		if c.queue = append(c.queue, &own); !known || m.end == ofPartition {
			c.send()
		}
	}
}

// overtake puts an unaligned barrier in front of the first n places of the queue, behind unaligned barriers.
func (c *channel) overtake(m *message, n int) {
	at := 0
	for at < n && c.queue[at].urgent() {
		at++
	}
	for _, o := range c.queue[at:n] {
		if o.data != nil && o.data.written > o.data.sent {
			c.partition.producer.storeOutput(m.barrier.ID, c, o.data)
		}
	}
	c.queue = append(c.queue[:at:at], append([]*message{m}, c.queue[at:]...)...)
	c.send()
}

// timeOut lets the barrier of a checkpoint, if it is still here, overtake what is ahead of it (spec 3.5, output side).
func (c *channel) timeOut(id event.Checkpoint) bool {
	for i, m := range c.queue {
		if m.barrier != nil && m.barrier.ID == id && m.barrier.Timeoutable() {
			c.queue = append(c.queue[:i:i], c.queue[i+1:]...)
			b := m.barrier.AsUnaligned()
			c.overtake(&message{barrier: &b}, i)
			return true
		}
	}
	return false
}
