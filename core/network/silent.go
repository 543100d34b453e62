package network

import (
	"checkpointlab/core/event"
	"checkpointlab/core/sim"
)

// A connection whose other end falls silent, because its host hangs or is cut off. TCP finds out on its own, and the consumer then fails
// (CreditBasedPartitionRequestClientHandler.exceptionCaught, RemoteInputChannel.checkError).

// Unanswered is how long Linux sends bytes anew that nobody acknowledges before it gives the connection up: fifteen times
// (net.ipv4.tcp_retries2), which it documents as 924.6 s at least. Flink sets no limit of its own (TCP_USER_TIMEOUT).
const Unanswered = 924_600 * event.Millisecond

// Silence notes that the sender of c is silent. If the consumer sends nothing either, probes find out (SO_KEEPALIVE, which NettyClient
// sets) after idle ns.
func (n *Network) Silence(now event.Time, c event.Channel, idle event.Time) {
	n.Channels[c].shut |= silent
	n.queue.Push(sim.Item{At: now + idle, Kind: event.DueTimedOut, Gen: n.Channels[c].Gen, A: c})
}

// unanswered is the consumer of c sending something to a sender that is silent. Probes are sent on idle connections only.
func (n *Network) unanswered(now event.Time, c event.Channel) {
	ch := &n.Channels[c]
	if ch.shut&silent == 0 || ch.shut&unacked != 0 {
		return
	}
	ch.shut |= unacked
	n.queue.Push(sim.Item{At: now + Unanswered, Kind: event.DueTimedOut, Gen: ch.Gen, A: c, B: 1})
}

// TimedOut tells whether the connection of c is given up now: sent says that bytes were not acknowledged, else that probes were not
// answered.
func (n *Network) TimedOut(c event.Channel, sent bool) bool {
	return sent || n.Channels[c].shut&unacked == 0
}
