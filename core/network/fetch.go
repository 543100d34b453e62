package network

import "checkpointlab/core/event"

// The channels and gates of a wide job do not fit into a processor's caches. What is needed soon is read beforehand for many at
// once, so that their memory is fetched in parallel; the values read are not used. These similar loops stay separate: sharing
// one function made the hash job at parallelism 100 13 to 19 % slower.

// FetchChannels reads the heads of channels' queues.
func (n *Network) FetchChannels(channels []event.Channel) {
	sum := 0
	for _, c := range channels {
		ch := &n.Channels[c]
		sum += int(ch.data) + int(ch.BytesOut) + int(ch.Input.sequence) + int(n.Wires[c].Gate)
	}
	for _, c := range channels {
		if ch := &n.Channels[c]; ch.Queue.n > 0 {
			e := ch.Queue.Last()
			sum += int(e.Bytes) + int(e.Left)
		}
	}
	for _, c := range channels {
		if ch := &n.Channels[c]; ch.Queue.n > 0 {
			sum += n.Slab.FetchLast(ch.Queue.Last().Runs)
		}
	}
	n.fetched += sum
}

// FetchOpen reads what writing to channels and flushing them needs.
func (n *Network) FetchOpen(channels []event.Channel) {
	sum := 0
	for _, c := range channels {
		ch := &n.Channels[c]
		sum += int(ch.data) + int(ch.BytesOut)
	}
	for _, c := range channels {
		if ch := &n.Channels[c]; ch.Queue.n > 0 {
			e := ch.Queue.Last()
			sum += int(e.Bytes) + int(e.Left)
		}
	}
	for _, c := range channels {
		if ch := &n.Channels[c]; ch.Queue.n > 0 {
			sum += n.Slab.FetchLast(ch.Queue.Last().Runs)
		}
	}
	n.fetched += sum
}

// FetchArrivals reads what arrives on channels and what an arrival touches.
func (n *Network) FetchArrivals(channels []event.Channel) {
	sum := 0
	for _, c := range channels {
		ch := &n.Channels[c]
		sum += int(ch.data) + int(ch.BytesOut) + int(ch.Input.sequence)
	}
	for _, c := range channels {
		if ch := &n.Channels[c]; ch.Wire.n > 0 {
			e := ch.Wire.first()
			sum += int(e.Bytes) + int(e.Left)
		}
	}
	for _, c := range channels {
		if ch := &n.Channels[c]; ch.Wire.n > 0 {
			sum += n.Slab.FetchLast(ch.Wire.first().Runs)
		}
	}
	n.fetched += sum
}

// FetchGates reads what the receivers of channels need.
func (n *Network) FetchGates(channels []event.Channel) {
	sum := 0
	for _, c := range channels {
		g := &n.Gates[n.Wires[c].Gate]
		sum += len(g.Gate.channels) + len(g.line) + g.prio
	}
	for _, c := range channels {
		w := &n.Wires[c]
		g := &n.Gates[w.Gate]
		sum += int(g.Gate.channels[w.Input].required) + int(g.First[w.Input])
		if len(g.base) > 0 {
			sum += int(g.base[0])
		}
	}
	n.fetched += sum
}

// manyShares is the number of channels written to at once from which reading ahead pays.
const manyShares = 8

// lineBatch is how many channels of a gate are read ahead when at least as many wait to be polled, as in an alignment.
const lineBatch = 16

// fetchLine reads the first channels of a gate's line and what they have received.
func (n *Network) fetchLine(g *GateLine) {
	sum := 0
	for _, in := range g.line[:lineBatch] {
		c := g.First[in]
		ch := &n.Channels[c]
		sum += int(ch.data) + int(ch.BytesOut) + int(ch.Input.sequence) + int(n.Wires[c].Gate) + int(g.Gate.channels[in].required)
	}
	for _, in := range g.line[:lineBatch] {
		if q := &n.Channels[g.First[in]].Input.places; q.n > 0 {
			e := n.entries.at(q.head)
			sum += int(e.value.Bytes) + int(e.next)
		}
	}
	n.fetched += sum
}

// fetchRow reads consecutive channels.
func (n *Network) fetchRow(first event.Channel) {
	sum := 0
	for c := first; c < first+lineBatch; c++ {
		ch := &n.Channels[c]
		sum += int(ch.data) + int(ch.BytesOut) + int(ch.Input.sequence) + int(n.Wires[c].Gate)
	}
	for c := first; c < first+lineBatch; c++ {
		if ch := &n.Channels[c]; ch.Queue.n > 0 {
			e := ch.Queue.Last()
			sum += int(e.Bytes) + int(e.Left)
		}
	}
	n.fetched += sum
}

// fetchShares reads the channels of a partition to which records are about to be dealt.
func (n *Network) fetchShares(part *Partition, shares []event.Share) {
	sum, first := 0, part.First
	for i := range shares {
		ch := &n.Channels[first+shares[i].Channel]
		sum += int(ch.data) + int(ch.BytesOut)
	}
	for i := range shares {
		if ch := &n.Channels[first+shares[i].Channel]; ch.Queue.n > 0 {
			e := ch.Queue.Last()
			sum += int(e.Bytes) + int(e.Left)
		}
	}
	n.fetched += sum
}

// FetchOutputs reads partitions, and appends the channels of those that write to a single one to channels.
func (n *Network) FetchOutputs(partitions []int32, channels []event.Channel) []event.Channel {
	sum := 0
	for _, p := range partitions {
		part := &n.Partitions[p]
		sum += int(part.Task) + int(part.Emitted) + int(part.stuck)
	}
	for _, p := range partitions {
		part := &n.Partitions[p]
		sum += int(part.fresh[0])
		if part.only >= 0 {
			channels = append(channels, part.First+part.only)
		}
	}
	n.fetched += sum
	return channels
}
