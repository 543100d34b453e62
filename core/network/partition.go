package network

import (
	"checkpointlab/core/event"
	"checkpointlab/core/sim"
)

// Dealer says which emission of a producer goes to which of its channels (implemented by job.Dealing).
type Dealer interface {
	Count(c int, from, to int64) int64
	Deal(from, n int64, out []event.Share, scratch []int32) []event.Share
	Position(c int, from, k int64) int64
	Channel(i int64) int
	Only() int32
}

// Partition is the output of one producer subtask on one edge: a shared pool of segments and a range of channels. What every
// write and flush looks at stands in front.
type Partition struct {
	Task    event.Task
	First   event.Channel // its channels are First … First+Count-1, in order of consumer
	Count   int32
	only    int32         // the channel that gets every record, -1 = several do; fixed
	stuck   event.Channel // 1 + the channel that a record waits in, 0 = none
	Forced  bool          // cannot carry unaligned barriers (spec 3.7); fixed
	All     bool          // BROADCAST: every channel gets every record; fixed
	Plain   bool          // of a SourceFunction, which gets no overdraft (SourceStreamTask.init, FLINK-27789); fixed
	Looks   int32         // an adaptive writer's: how many channels it looks at for a record, at most; 0 = records are dealt; fixed
	Emitted int64         // records dealt so far: the position in the dealer's sequence
	Out     Counter       // buffers that its writer has finished
	Pool    BufferPool
	fresh   fresh // channels that a flush may find something in
	filling filling
	looks   looks

	pending event.Run // a record that waits for a segment in mid-write
	shared  shared
	sender  sender
	mark    event.Run // what is being written to each channel, Count 0 = nothing
	markAt  int32     // channels that have it, the one in the middle of it included
}

// onlyOf is the channel that gets every record of a partition.
func onlyOf(p *Partition, d Dealer) int32 {
	switch {
	case p.All:
		return -1
	case p.Count == 1:
		return 0
	}
	return d.Only()
}

// Emit deals the records of r to the partition's channels and writes them. What waits for a segment stays pending in its
// channel; Emit reports how many channels wait.
func (n *Network) Emit(now event.Time, p int32, r *event.Run) (waiting int) {
	part := &n.Partitions[p]
	from := part.Emitted
	part.Emitted += r.Count
	switch {
	case part.All:
		return n.writeAll(now, p, *r)
	case part.only >= 0:
		all := *r
		return n.write(now, p, part.First+part.only, &all)
	case part.looks.at > 0:
		part.looks.last = n.idlest(part)
		one := *r
		return n.write(now, p, part.First+part.looks.last, &one)
	}
	part.filling.dealt(from, part.Emitted, r.Size)
	first := len(n.shares) // what a write sends over a local channel may let its reader write, too, before the rest of this is written
	n.shares = n.Dealers[p].Deal(from, r.Count, n.shares, n.dealt)
	end := len(n.shares)
	if end-first >= manyShares {
		n.fetchShares(part, n.shares[first:])
	}
	for i := first; i < end; i++ {
		s := &n.shares[i]
		thin := r.Thin(s.First, s.Last, s.Count)
		c := part.First + s.Channel
		if e := n.Channels[c].open(); e != nil && int64(e.Size-e.Bytes) > thin.Count*int64(thin.Size) { // as it is nearly always
			part.fresh.add(s.Channel)
			n.put(e, &thin)
			continue
		}
		waiting += n.write(now, p, c, &thin)
	}
	n.shares = n.shares[:first]
	return waiting
}

// Move is Emit for at most n records at the front of l, all of one size, as far as they fit into the open buffer of the one
// channel that they go to: the runs themselves go over. all: l has no more than most. It returns how many did.
func (n *Network) Move(p int32, l *event.Runs, most int64, all bool) (moved int64) {
	part := &n.Partitions[p]
	i := part.only
	if i < 0 {
		return 0
	}
	e := n.Channels[part.First+i].open()
	if e == nil {
		return 0
	}
	size := n.Slab.Front(l).Size
	if moved = min(most, int64((e.Size-e.Bytes-1)/size)); moved <= 0 { // what fills it has to be seen
		return 0
	}
	if all && moved == most {
		n.Slab.MoveAll(&e.Runs, l)
	} else {
		n.Slab.Move(&e.Runs, l, moved)
	}
	bytes := int32(moved) * size
	e.Bytes += bytes
	e.Records += moved
	n.InFlight += int64(bytes)
	part.Emitted += moved
	part.fresh.add(i)
	return moved
}

// write appends the records of r to channel c: length-prefixed bytes that go on in further buffers (spec 4.2). It uses r up.
func (n *Network) write(now event.Time, p int32, c event.Channel, r *event.Run) (waiting int) {
	ch := &n.Channels[c]
	if ch.need > 0 { // behind a record that waits; only a step of several partitions can come here
		panic("network: write behind a waiting record")
	}
	part := &n.Partitions[p]
	part.fresh.add(c - part.First)
	part.filling.forget(c - part.First)
	for r.Count > 0 {
		e := ch.open()
		if e == nil {
			if !n.request(now, p, c, r.Size) {
				part.pending, part.stuck, ch.need = *r, c+1, r.Size
				return 1
			}
			continue
		}
		if n.extends && e.Size < n.whole {
			n.extend(part, e, r)
		}
		if int64(e.Size-e.Bytes) > r.Count*int64(r.Size) {
			n.put(e, r)
			return 0
		}
		if whole := int64((e.Size - e.Bytes) / r.Size); whole > 0 {
			head := r.Cut(min(whole, r.Count))
			n.put(e, &head)
			part.finishFull(e)
			continue
		}
		if !n.across(now, p, c, e, r) {
			if r.Count > 0 {
				panic("network: a step ran past its boundary")
			}
			return 1
		}
	}
	return 0
}

// across writes the first record of r, which lies across the end of e: it goes on in the next buffer, and in more of them if it is that long. False: a segment
// is missing.
func (n *Network) across(now event.Time, p int32, c event.Channel, e *Entry, r *event.Run) bool {
	ch, part := &n.Channels[c], &n.Partitions[p]
	begun := e.Size - e.Bytes
	if r.Size-begun >= ch.Usable || part.Pool.Used() >= part.Pool.Size() {
		part.pending, part.stuck, ch.need = r.Cut(1), c+1, r.Size
		return n.span(now, p, c)
	}
	e.Bytes = e.Size
	part.finish(e)
	n.InFlight += int64(begun)
	n.request(now, p, c, r.Size-begun)
	e = ch.Queue.Last()
	one := r.Cut(1)
	n.put(e, &one)
	e.Bytes -= begun
	n.InFlight -= int64(begun)
	return true
}

// span writes on with the pending record of c over as many buffers as it needs; false: a segment is missing.
func (n *Network) span(now event.Time, p int32, c event.Channel) bool {
	ch, part := &n.Channels[c], &n.Partitions[p]
	part.fresh.add(c - part.First)
	part.filling.forget(c - part.First)
	for ch.need > 0 {
		e := ch.open()
		if e == nil {
			if !n.request(now, p, c, ch.need) {
				return false
			}
			continue
		}
		if n.extends && e.Size < n.whole && ch.need == part.pending.Size { // it begins here
			n.extend(part, e, &part.pending)
		}
		bytes := min(ch.need, e.Size-e.Bytes)
		ch.need -= bytes
		if ch.need == 0 {
			e.Bytes += bytes - part.pending.Size
			n.InFlight += int64(bytes - part.pending.Size)
			n.put(e, &part.pending)
			part.stuck = 0
		} else {
			e.Bytes += bytes
			n.InFlight += int64(bytes)
		}
		part.finishFull(e)
	}
	return true
}

// put books whole records into e.
func (n *Network) put(e *Entry, r *event.Run) {
	bytes := int32(r.Count) * r.Size
	e.Bytes += bytes
	n.InFlight += int64(bytes)
	e.Records += r.Count
	n.Slab.Append(&e.Runs, r)
}

// Continue goes on with a record that waited for a segment; it reports whether the partition still waits.
func (n *Network) Continue(now event.Time, p int32) (waiting int) {
	part := &n.Partitions[p]
	c := part.stuck - 1
	switch {
	case c < 0 || n.Channels[c].need == 0:
		return 0
	case part.All && n.spanAll(now, p), !part.All && n.span(now, p, c):
		return n.emitOn(now, p)
	}
	return 1
}

// request takes a segment for channel c, into which so many bytes of a record are to be written.
func (n *Network) request(now event.Time, p int32, c event.Channel, bytes int32) bool {
	part := &n.Partitions[p]
	if !part.Pool.Take(int(c - part.First)) {
		return false
	}
	n.open(now, c, n.sizeFor(n.Channels[c].Usable, bytes))
	return true
}

// sizeFor is how much of a new segment is used: as debloating wants it, but no less than what is there to be written of the record,
// as far as that fits (BufferWritingResultPartition.resizeBuffer, appendUnicastDataForRecordContinuation).
func (n *Network) sizeFor(usable, bytes int32) int32 { return max(usable, min(bytes, n.whole)) }

// extend lets records that would fill the open buffer e while the pool has nothing left use more of its segment: they fit, with a
// byte to spare so that the buffer stays open, or the segment is full (BufferWritingResultPartition.append).
func (n *Network) extend(part *Partition, e *Entry, r *event.Run) {
	if bytes := r.Count * int64(r.Size); int64(e.Size-e.Bytes) <= bytes && !part.Pool.Available() {
		e.Size = int32(min(int64(n.whole), int64(e.Bytes)+bytes+1))
	}
}

// open puts an empty buffer of a segment into channel c. What stood there alone may be read, and counts as backlog, from now on; of
// what comes behind more than one buffer nobody is told (PipelinedSubpartition.shouldNotifyDataAvailable).
func (n *Network) open(now event.Time, c event.Channel, size int32) {
	ch := &n.Channels[c]
	tell := ch.Queue.n == 1 && ch.hears()
	if ch.finished {
		panic("network: a record is written behind the end of the partition")
	}
	*ch.Queue.grow() = Entry{Kind: Data, Size: size, Runs: event.EmptyRuns}
	ch.data++
	if tell {
		n.pump(now, c)
	}
}

// Flush makes the unfinished buffers of a partition readable: the output flusher's tick. All that the producer has written by
// now is booked.
func (n *Network) Flush(now event.Time, p int32) {
	part := &n.Partitions[p]
	for i := part.fresh.next(0); i >= 0; i = part.fresh.next(i + 1) {
		c := part.First + i
		if ch := &n.Channels[c]; ch.flush && ch.Queue.n > 1 { // it was asked for before and is held up: nothing is new to the network
			continue
		}
		if n.sendOpen(now, c) {
			part.fresh.remove(i)
			continue
		}
		n.flush(now, c)
		if n.Channels[c].quiet() {
			part.fresh.remove(i)
		}
	}
}

// sendOpen is flush of a channel with nothing but an open buffer, if the network can take what is new in it: as with nearly all
// channels of a wide job. Then a flush would find nothing any more.
func (n *Network) sendOpen(now event.Time, c event.Channel) bool {
	ch := &n.Channels[c]
	if ch.Queue.n != 1 || ch.local || ch.Blocked || ch.shut != 0 || n.Send > 0 {
		return false
	}
	e := ch.Queue.first()
	switch {
	case e.Kind != Data || e.Finished:
		return false
	case e.Sent == e.Bytes:
		ch.flush = false
		return true
	case n.creditOf(ch) == 0:
		return false
	}
	ch.Credit--
	ch.flush, ch.told = false, 0
	bytes := e.Bytes - e.Sent
	ch.BytesOut += int64(bytes)
	n.feed.Buffer(event.BufferSent, now, c, int64(bytes), e.Records)
	at := n.arrival(now, bytes)
	*ch.Wire.grow() = Entry{Kind: Data, Finished: true, Bytes: bytes, Size: e.Size, Records: e.Records, Runs: e.Runs, ID: e.ID, Left: now, Arrives: at}
	e.Sent, e.Records, e.Runs = e.Bytes, 0, event.EmptyRuns
	n.queue.PushInLane(event.LaneNetwork, sim.Item{At: at, Kind: event.DueDeliver, Gen: ch.Gen, A: c})
	return true
}

// FlushLast makes the channel readable that got the last record of a partition (RecordWriter.emit with flushAlways).
func (n *Network) FlushLast(now event.Time, p int32) {
	part, dealer := &n.Partitions[p], n.Dealers[p]
	for i := int32(0); i < part.Count; i++ {
		if part.Count == 1 || part.All || part.gotLast(i, dealer) {
			n.flush(now, part.First+i)
		}
	}
}

// gotLast reports whether a channel got the last record.
func (p *Partition) gotLast(i int32, dealer Dealer) bool {
	if p.looks.at > 0 {
		return i == p.looks.last
	}
	return dealer.Count(int(i), p.Emitted-1, p.Emitted) > 0
}

func (n *Network) flush(now event.Time, c event.Channel) {
	if n.Channels[c].requestFlush() {
		n.pump(now, c)
	}
}

// Broadcast puts an event behind everything written, in every channel of the partition; each open buffer is finished
// first, so that a barrier costs one partly filled buffer a channel (spec 4.2, mechanisms 8). A timeoutable barrier that
// meets an older one fails the older one's output state: only one can be open (vector subpartition.second-timeoutable-barrier).
func (n *Network) Broadcast(now event.Time, p int32, ev Entry) {
	part := &n.Partitions[p]
	for c := part.First; c < part.First+part.Count; c++ {
		if left := part.First + part.Count - c; (c-part.First)%lineBatch == 0 && left >= lineBatch {
			n.fetchRow(c)
		}
		ch := &n.Channels[c]
		if e := ch.open(); e != nil {
			part.finish(e)
		}
		part.filling.forget(c - part.First)
		part.fresh.add(c - part.First)
		if older := ch.undecided; older != 0 && ev.Flags&Timeoutable != 0 {
			n.producers.Displaced(now, part.Task, event.Checkpoint(older))
		}
		tell := ch.hears() || ev.Kind == End
		if ch.Add(ev); tell {
			n.pump(now, c)
		}
	}
}

// Overtake puts a priority event in front of everything queued in every channel of the partition; store gets the data
// that is overtaken, which is output state of the checkpoint (spec 3.4).
func (n *Network) Overtake(now event.Time, p int32, ev Entry, store func(event.Channel, *Entry)) {
	part := &n.Partitions[p]
	for c := part.First; c < part.First+part.Count; c++ {
		ch := &n.Channels[c]
		if e := ch.open(); e != nil {
			part.finish(e)
		}
		part.filling.forget(c - part.First)
		n.jump(now, c, ch.Queue.Len(), ev, store)
	}
}

// jump puts ev in front of the first behind entries of c's queue, behind other priority events.
func (n *Network) jump(now event.Time, c event.Channel, behind int, ev Entry, store func(event.Channel, *Entry)) {
	ch, at := &n.Channels[c], 0
	for at < behind && ch.Queue.At(at).Flags&Priority != 0 {
		at++
	}
	for i := at; i < behind; i++ {
		if e := ch.Queue.At(i); e.Kind == Data && e.Bytes > e.Sent {
			store(c, e)
		}
	}
	ch.Queue.Insert(at, ev)
	n.freshen(c)
	n.pump(now, c)
}

// TimeOut makes the timeoutable barrier id, where it still waits in a channel of the partition, unaligned: it jumps to
// the front, and what it overtakes is stored (spec 3.5, output side). It reports how many channels that were.
func (n *Network) TimeOut(now event.Time, p int32, id event.Checkpoint, store func(event.Channel, *Entry)) (jumped int) {
	part := &n.Partitions[p]
	for c := part.First; c < part.First+part.Count; c++ {
		q := &n.Channels[c].Queue
		for i := 0; i < q.Len(); i++ {
			if e := q.At(i); e.Kind == Barrier && e.ID == id && e.Flags&Timeoutable != 0 {
				ev := q.Remove(i)
				ev.Flags = ev.Flags&^(Timeoutable|Blocking) | Priority
				ev.Timeout = 0
				n.Channels[c].undecided = 0
				n.jump(now, c, i, ev, store)
				jumped++
				break
			}
		}
	}
	return jumped
}
