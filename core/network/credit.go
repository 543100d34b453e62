package network

import (
	"checkpointlab/core/event"
	"checkpointlab/core/sim"
)

// Credit mostly reaches a sender that is not waiting for any; then nothing has to happen on its arrival, and it is no event. It
// counts from the instant, and the place in the order of things, at which its message would have arrived (Channel.comes).

// announceCredit sends credit to the sender of c. Most of it arrives before it is needed and then costs nothing.
func (n *Network) announceCredit(now event.Time, c event.Channel, k int32) {
	ch := &n.Channels[c]
	n.mature(ch)
	at := n.backAt(now, c)
	if n.exclusive > 0 && n.Latency > 0 && !ch.starved && ch.comes == 0 {
		ch.comesAt, ch.comesSeq, ch.comes = at, n.queue.Reserve(), k
		return
	}
	n.queue.PushInLane(event.LaneNetwork, sim.Item{At: at, Kind: event.DueCredit, Gen: ch.Gen, A: c, B: k})
}

// mature books the credit that has arrived by now.
func (n *Network) mature(ch *Channel) {
	if ch.comes > 0 && n.queue.Passed(ch.comesAt, ch.comesSeq) {
		ch.Credit += ch.comes
		ch.comes, ch.told = 0, 0
	}
}

// creditOf is what the sender of a channel knows by now.
func (n *Network) creditOf(ch *Channel) int {
	n.mature(ch)
	return int(ch.Credit)
}

// starve turns credit on its way to the sender of c into an event, because data waits for it.
func (n *Network) starve(c event.Channel, ch *Channel) {
	ch.starved = true
	if k := ch.comes; k > 0 {
		n.queue.PushReserved(sim.Item{At: ch.comesAt, Seq: ch.comesSeq, Kind: event.DueCredit, Gen: ch.Gen, A: c, B: k})
		ch.comes = 0
	}
}

// Await turns credit on its way to the senders of a partition into events, and what follows it: they may be late.
func (n *Network) Await(p int32) {
	part := &n.Partitions[p]
	for c := part.First; c < part.First+part.Count; c++ {
		ch := &n.Channels[c]
		n.mature(ch)
		n.starve(c, ch)
	}
}

// CreditAt is the credit that the sender of c has at now, after everything due at now has happened.
func (n *Network) CreditAt(now event.Time, c event.Channel) int {
	ch := &n.Channels[c]
	switch {
	case ch.shut&unasked != 0:
		return 0
	case ch.comes > 0 && ch.comesAt <= now:
		return int(ch.Credit + ch.comes)
	}
	return int(ch.Credit)
}
