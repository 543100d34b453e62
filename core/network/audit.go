package network

import (
	"fmt"

	"checkpointlab/core/event"
)

// Under is what belongs to a channel but is outside the network at an instant: items due, and buffers in the consumer's hand.
type Under struct {
	Deliveries, Backlogs, Resumes int
	Requests                      int // for the partition
	Credit                        int // announced by the receiver, not yet with the sender
	Exclusive, Floating           int // of its buffers, in the consumer's hand
	Lent                          int // segments of the producer in the consumer's hand (local channels)
}

// Audit checks what must hold at every instant between two due items: no buffer or credit appears or disappears, and nothing
// stands still that could proceed. under is by channel.
func (n *Network) Audit(under []Under) error {
	inFlight := int64(0)
	for c := range n.Channels {
		inFlight += n.Channels[c].InFlight()
		if n.Broken(event.Channel(c)) { // what is under way in it does not arrive
			continue
		}
		if err := n.auditChannel(event.Channel(c), &under[c]); err != nil {
			return fmt.Errorf("channel %d: %w", c, err)
		}
	}
	if inFlight != n.InFlight {
		return fmt.Errorf("counts %d bytes in flight of %d", n.InFlight, inFlight)
	}
	for p := range n.Partitions {
		if n.Broken(n.Partitions[p].First) {
			continue
		}
		if err := n.auditPool(&n.Partitions[p], under); err != nil {
			return fmt.Errorf("partition %d: %w", p, err)
		}
	}
	for g := range n.Gates {
		if n.lost(n.Gates[g].First) {
			continue
		}
		if err := n.auditGate(&n.Gates[g], under); err != nil {
			return fmt.Errorf("gate %d: %w", g, err)
		}
	}
	return nil
}

// lost reports whether all of some channels are broken, because an end that they share is gone.
func (n *Network) lost(channels []event.Channel) bool {
	for _, c := range channels {
		if !n.Broken(c) {
			return false
		}
	}
	return true
}

func (n *Network) auditChannel(c event.Channel, u *Under) error {
	ch, w := &n.Channels[c], &n.Wires[c]
	gate, pending := &n.Gates[w.Gate].Gate, &n.Partitions[w.Partition].pending
	data := 0
	for i := 0; i < ch.Queue.Len(); i++ {
		e := ch.Queue.At(i)
		if e.Kind == Data {
			data++
		}
		if err := n.auditEntry(e, i == ch.Queue.Len()-1); err != nil {
			return fmt.Errorf("place %d of the sender: %w", i, err)
		}
	}
	switch {
	case data != int(ch.data):
		return fmt.Errorf("counts %d buffers of %d at the sender", ch.data, data)
	case ch.need < 0 || ch.need > 0 && (pending.Count != 1 || n.Partitions[w.Partition].stuck != c+1):
		return fmt.Errorf("%d records wait for a segment with %d bytes to write", pending.Count, ch.need)
	case ch.need > 0 && ch.open() != nil:
		return fmt.Errorf("a record waits for a segment though one is open")
	case ch.Wire.Len() != u.Deliveries:
		return fmt.Errorf("%d entries on the wire, %d arrivals due", ch.Wire.Len(), u.Deliveries)
	case !w.Local && ch.Queued != (ch.Input.Len() > 0):
		return fmt.Errorf("in its gate's line is %v with %d entries received", ch.Queued, ch.Input.Len())
	case ch.Credit < 0:
		return fmt.Errorf("credit is %d", ch.Credit)
	case (ch.shut&unasked != 0) != (n.Gates[w.Gate].restored > 0 || u.Requests > 0) || u.Requests > 1:
		return fmt.Errorf("nothing passes it is %v with %d restored buffers at the receiver and %d requests under way", ch.shut&unasked != 0, n.Gates[w.Gate].restored, u.Requests)
	}
	if w.Local {
		if gate.FloatingHeld(int(w.Input)) > 0 || gate.Waiting(int(w.Input)) {
			return fmt.Errorf("a local channel has or wants buffers of the gate")
		}
		if n.readable(ch) && !ch.Queued {
			return fmt.Errorf("a local channel can be read and stands in no line")
		}
		return nil
	}
	if err := n.auditCredit(ch, int(w.Input), gate, u); err != nil {
		return err
	}
	if s := &n.Partitions[w.Partition].sender; s.writing && s.in.has(w.Sub) {
		return nil
	}
	return n.auditProgress(ch, int(w.Input), gate, u)
}

func (n *Network) auditEntry(e *Entry, last bool) error {
	var records int64
	for i := e.Runs.First(); i >= 0; i = n.Slab.Next(i) {
		records += n.Slab.At(i).Count
	}
	switch {
	case records != e.Records:
		return fmt.Errorf("says %d records and holds %d", e.Records, records)
	case e.Kind != Data:
		return nil
	case !last && !e.Finished:
		return fmt.Errorf("an unfinished buffer has something behind it")
	case e.Sent < 0 || e.Sent > e.Bytes || !e.Extra && e.Bytes > e.Size:
		return fmt.Errorf("%d of %d bytes sent of a buffer of %d", e.Sent, e.Bytes, e.Size)
	}
	return nil
}

// auditCredit: every free buffer of the receiver is either known to the sender, or on its way to be known, or promised to
// a buffer on the wire. Without exclusive buffers a blocked sender's credit means nothing (spec 4.3).
func (n *Network) auditCredit(ch *Channel, in int, gate *Gate, u *Under) error {
	if n.exclusive == 0 && ch.Blocked {
		return nil
	}
	wire := 0
	for i := 0; i < ch.Wire.Len(); i++ {
		if ch.Wire.At(i).Kind == Data {
			wire++
		}
	}
	if known := int(ch.Credit) + u.Credit + int(ch.comes) + gate.Unannounced(in) + wire; known != gate.Available(in) {
		return fmt.Errorf("%d free buffers at the receiver; credit %d, %d under way, %d not announced, %d buffers on the wire",
			gate.Available(in), ch.Credit, u.Credit, gate.Unannounced(in), wire)
	}
	return nil
}

// auditProgress: nothing stands at the sender that may be sent, and credit that is missing was asked for.
func (n *Network) auditProgress(ch *Channel, in int, gate *Gate, u *Under) error {
	if !n.readable(ch) {
		return nil
	}
	switch e := ch.Queue.At(0); {
	case e.Kind != Data:
		return fmt.Errorf("an event stands at the head of the sender's queue")
	case e.Sent == e.Bytes && n.exclusive > 0:
		return fmt.Errorf("a buffer that is wholly sent stands at the head of the sender's queue")
	case ch.Credit > 0:
		return fmt.Errorf("data stands at the sender with credit %d", ch.Credit)
	case n.exclusive == 0 && ch.Backlog() > 0 && u.Backlogs == 0 && u.Credit == 0 && !gate.Waiting(in) && !ch.tells():
		return fmt.Errorf("data stands at the sender without credit, and nobody asks for any: backlog %d, told %d, required %d, %d free at the receiver",
			ch.Backlog(), ch.told, gate.Required(in), gate.Available(in))
	}
	return nil
}

// tells reports whether a buffer on the wire announces the backlog behind it.
func (ch *Channel) tells() bool {
	for i := 0; i < ch.Wire.Len(); i++ {
		if ch.Wire.At(i).Backlog > 0 {
			return true
		}
	}
	return false
}

func (n *Network) auditPool(part *Partition, under []Under) error {
	pool := &part.Pool
	if part.All {
		return n.auditShared(part, under)
	}
	used, full := 0, int32(0)
	for i := int32(0); i < part.Count; i++ {
		q, own := &n.Channels[part.First+event.Channel(i)].Queue, under[part.First+event.Channel(i)].Lent
		for k := 0; k < q.Len(); k++ {
			if e := q.At(k); e.Kind == Data && !e.Extra {
				own++
			}
		}
		if n.Broken(part.First + event.Channel(i)) { // what a lost consumer had in hand does not come back
			own = pool.Queued(int(i))
		}
		if own != pool.Queued(int(i)) {
			return fmt.Errorf("%d segments in subpartition %d, the pool counts %d", own, i, pool.Queued(int(i)))
		}
		if used += own; own >= int(pool.maxPerChannel) {
			full++
		}
	}
	if used != pool.Used() || full != pool.full || pool.used > pool.size+pool.maxOverdraft {
		return fmt.Errorf("%d segments in use and %d subpartitions full, the pool counts %d of %d+%d and %d",
			used, full, pool.used, pool.size, pool.maxOverdraft, pool.full)
	}
	return nil
}

// auditShared: a broadcast's segments in use are those that some channel still has.
func (n *Network) auditShared(part *Partition, under []Under) error {
	most := 0
	for c := part.First; c < part.First+event.Channel(part.Count); c++ {
		own, ch := under[c].Lent, &n.Channels[c]
		for k := 0; k < ch.Queue.Len(); k++ {
			if e := ch.Queue.At(k); e.Kind == Data && !e.Extra {
				own++
			}
		}
		if n.Broken(c) { // as above
			own = int(part.shared.back) + len(part.shared.readers) - int(ch.returned)
		}
		if most = max(most, own); ch.returned+int32(own) != int32(part.shared.back)+int32(len(part.shared.readers)) {
			return fmt.Errorf("channel %d has given %d segments back and has %d, in all there were %d", c, ch.returned, own, part.shared.back+int64(len(part.shared.readers)))
		}
	}
	if pool := &part.Pool; most != pool.Used() || most != pool.Queued(0) {
		return fmt.Errorf("%d segments in use, the pool counts %d, of them %d for the first subpartition", most, pool.Used(), pool.Queued(0))
	}
	return nil
}

// auditGate: exclusive and floating buffers are free, filled or in hand, and none is missing; the line is of those that
// have something to read.
func (n *Network) auditGate(line *GateLine, under []Under) error {
	g := &line.Gate
	floating, queued, urgent := g.free+g.outside, 0, 0
	for in, c := range line.First {
		ch, own, u := &n.Channels[c], &g.channels[in], &under[c]
		exclusive, held := own.exclusive+int32(u.Exclusive), own.floating+int32(u.Floating)
		for i := 0; i < ch.Input.Len(); i++ {
			switch e := ch.Input.At(i); {
			case e.Kind != Data || e.Extra:
			case e.Exclusive:
				exclusive++
			default:
				held++
			}
		}
		if exclusive != own.initial || held != own.held {
			return fmt.Errorf("input %d has %d of %d exclusive buffers and %d of %d floating ones", in, exclusive, own.initial, held, own.held)
		}
		floating += held
		if ch.Queued {
			queued++
		}
		if ch.Input.Urgent() > 0 || n.Wires[c].Local && n.urgentLocal(ch) {
			urgent++
		}
	}
	if floating != g.floating || g.free < 0 || g.outside < 0 {
		return fmt.Errorf("%d of %d floating buffers are left", floating, g.floating)
	}
	if queued != len(line.line) || urgent != line.prio {
		return fmt.Errorf("%d inputs have data and %d priority events; in line are %d and %d", queued, urgent, len(line.line), line.prio)
	}
	if g.free > 0 && g.waiting > 0 {
		return fmt.Errorf("%d floating buffers are free though %d inputs wait for some", g.free, g.waiting)
	}
	return nil
}

// RestoredQueued is how many buffers of restored input the queues of a gate have.
func (n *Network) RestoredQueued(g int32) (buffers int) {
	for _, c := range n.Gates[g].First {
		q := &n.Channels[c].Input
		for i := 0; i < q.Len(); i++ {
			if e := q.At(i); e.Kind == Data && e.Extra {
				buffers++
			}
		}
	}
	return buffers
}

// Waits is how many channels of a partition have a record that waits for a segment, and whether the pool has one.
func (n *Network) Waits(p int32) (channels int, segment bool) {
	part := &n.Partitions[p]
	for c := part.First; c < part.First+part.Count; c++ {
		if n.Channels[c].need > 0 {
			channels++
		}
	}
	return channels, part.Pool.used < part.Pool.size+part.Pool.maxOverdraft
}

// Count adds, for every record of channel c that is queued, under way or received, its run to add. A record that waits
// for a segment counts. It returns the number of runs in the slab.
func (n *Network) Count(c event.Channel, add func(r *event.Run)) (runs int) {
	ch := &n.Channels[c]
	each := func(l event.Runs) {
		for i := l.First(); i >= 0; i = n.Slab.Next(i) {
			add(n.Slab.At(i))
			runs++
		}
	}
	for _, q := range []*Ring{&ch.Queue, &ch.Wire} {
		for i := 0; i < q.Len(); i++ {
			each(q.At(i).Runs)
		}
	}
	for i := 0; i < ch.Input.Len(); i++ {
		if e := ch.Input.At(i); !e.Announcement {
			each(e.Runs)
		}
	}
	if part := &n.Partitions[n.Wires[c].Partition]; part.All {
		ch = &n.Channels[part.First] // what waits there goes to all
	}
	if ch.need > 0 {
		add(&n.Partitions[n.Wires[c].Partition].pending)
	}
	return runs
}
