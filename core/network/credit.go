package network

import (
	"checkpointlab/core/event"
	"checkpointlab/core/sim"
)

// coming is credit that will arrive at a sender which does not wait for any: nothing has to happen when it does. It counts
// from the instant and the place in the order of things at which its message would have arrived.
type coming struct {
	at     event.Time
	seq    int64
	credit int32 // 0 = none is on its way
}

// announceCredit sends credit to the sender of c. Most of it comes before it is needed, and then costs nothing.
func (n *Network) announceCredit(now event.Time, c event.Channel, k int32) {
	ch := &n.Channels[c]
	n.mature(ch)
	if n.exclusive > 0 && n.Latency > 0 && !ch.starved && ch.coming.credit == 0 {
		ch.coming = coming{now + n.Latency, n.queue.Reserve(), k}
		return
	}
	n.queue.PushInLane(event.LaneNetwork, sim.Item{At: now + n.Latency, Kind: event.DueCredit, Gen: ch.Gen, A: c, B: k})
}

// mature books what has come by now.
func (n *Network) mature(ch *Channel) {
	if ch.coming.credit > 0 && n.queue.Passed(ch.coming.at, ch.coming.seq) {
		ch.Credit += int(ch.coming.credit)
		ch.coming.credit, ch.told = 0, 0
	}
}

// creditOf is what the sender of a channel knows by now.
func (n *Network) creditOf(ch *Channel) int {
	n.mature(ch)
	return ch.Credit
}

// starve makes what is coming to the sender of c an arrival: data waits for it.
func (n *Network) starve(c event.Channel) {
	ch := &n.Channels[c]
	ch.starved = true
	if k := ch.coming.credit; k > 0 {
		n.queue.PushReserved(sim.Item{At: ch.coming.at, Seq: ch.coming.seq, Kind: event.DueCredit, Gen: ch.Gen, A: c, B: k})
		ch.coming.credit = 0
	}
}

// CreditAt is the credit that the sender of c knows at now, when all that is due has happened.
func (n *Network) CreditAt(now event.Time, c event.Channel) int {
	ch := &n.Channels[c]
	if ch.coming.credit > 0 && ch.coming.at <= now {
		return ch.Credit + int(ch.coming.credit)
	}
	return ch.Credit
}
