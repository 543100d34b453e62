package network

// With taskmanager.network.adaptive-partitioner.enabled (2.3) the writer of a REBALANCE or RESCALE exchange with several channels does not
// deal its records in turn: before each record it looks at the next few channels and takes the one with the least to send
// (AdaptiveLoadBasedRecordWriter; StreamTask.createRecordWriter says of which exchanges). What it sees changes with every buffer that
// is sent, so a step of its task is one record.

// looks is what such a writer has.
type looks struct {
	at   int32 // how many channels it looks at for a record; 0 = the records are dealt; fixed
	last int32 // the channel that got the last record, -1 = none has since the task's start
}

// newLooks is the writer of a partition with so many channels that looks at no more than traverse of them
// (taskmanager.network.adaptive-partitioner.max-traverse-size).
func newLooks(traverse, channels int32) looks {
	if channels == 1 {
		traverse = 0
	}
	return looks{at: min(traverse, channels), last: -1}
}

// idlest is the channel for the next record: of those looked at the first that holds no segment, else the one that holds the fewest,
// and of such the one with the fewest bytes queued (AdaptiveLoadBasedRecordWriter.getIdlestChannelIndex). A segment counts until it is
// back in the pool: one that is written to does, and one that a local receiver reads.
func (n *Network) idlest(part *Partition) (best int32) {
	segments, bytes := int32(0), int64(0)
	for i := range part.looks.at {
		at := (part.looks.last + 1 + i) % part.Count
		held := part.Pool.queued[at]
		if held == 0 {
			return at
		}
		if i > 0 && held > segments {
			continue
		}
		if queued := n.Channels[part.First+at].written(); i == 0 || held < segments || queued < bytes {
			best, segments, bytes = at, held, queued
		}
	}
	return best
}

// written is the bytes that were put into the subpartition and not taken from it, those of events among them
// (BufferWritingResultPartition.getBytesInQueueUnsafe).
func (c *Channel) written() (bytes int64) {
	for i := range c.Queue.Len() {
		e := c.Queue.At(i)
		bytes += int64(e.Bytes-e.Sent) + serialized(e)
	}
	return bytes
}

// serialized is the bytes of an event, 0 of data (EventSerializer.toSerializedEvent). A savepoint's barrier names its place, too, which the
// setup does not tell.
func serialized(e *Entry) int64 {
	switch {
	case e.Kind == Barrier && e.Flags&Save != 0:
		return 35
	case e.Kind == Barrier:
		return 34
	case e.Kind == Cancel:
		return 12
	case e.Kind == EndData:
		return 5
	case e.Kind == End:
		return 4
	}
	return 0
}
