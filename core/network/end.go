package network

import (
	"checkpointlab/core/event"
	"checkpointlab/core/sim"
)

// The end of a channel (FLIP-147): EndOfData says that no record follows, but barriers still may; the consumer answers it
// (AckAllUserRecordsProcessed). EndOfPartition is the last thing that a channel carries.

// endLeaves handles an end that leaves the subpartition.
func (n *Network) endLeaves(now event.Time, c event.Channel, e *Entry) {
	ev := event.Event{At: now, Kind: event.EndSent, Channel: c}
	if e.Kind == End {
		ev.A = 1
	}
	n.feed.Emit(ev)
}

// Acknowledge tells the sender of c that all of its records are processed: its EndOfData was taken
// (CheckpointedInputGate, InputGate.acknowledgeAllRecordsProcessed).
func (n *Network) Acknowledge(now event.Time, c event.Channel) {
	n.queue.Push(sim.Item{At: n.backAt(now, c), Kind: event.DueProcessed, Gen: n.Channels[c].Gen, A: c})
}

// Processed handles the acknowledgement's arrival at the sender of c; it returns the producer.
func (n *Network) Processed(c event.Channel) event.Task {
	n.Channels[c].processed = true
	return n.Wires[c].Producer
}

// Break stops a channel of which an end is lost: what is under way does not arrive.
func (n *Network) Break(c event.Channel) {
	ch := &n.Channels[c]
	ch.shut |= lost
	ch.Gen++
}

// Broken reports whether an end of c is lost.
func (n *Network) Broken(c event.Channel) bool { return n.Channels[c].shut&lost != 0 }

// Ended reports whether the consumer of c has taken its end: it has released the channel.
func (n *Network) Ended(c event.Channel) bool {
	ch := &n.Channels[c]
	return ch.finished && ch.Queue.Len() == 0 && ch.Wire.Len() == 0 && ch.Input.Len() == 0
}

// AllProcessed reports whether the consumers have processed all that a partition has sent
// (ResultPartitionWriter.getAllDataProcessedFuture).
func (n *Network) AllProcessed(p int32) bool {
	part := &n.Partitions[p]
	for c := part.First; c < part.First+part.Count; c++ {
		if !n.Channels[c].processed {
			return false
		}
	}
	return true
}
