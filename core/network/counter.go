package network

// Counter counts buffers and their bytes, as Flink's numBuffers… and numBytes… do.
type Counter struct{ Buffers, Bytes int64 }

func (c *Counter) add(buffers, bytes int64) {
	c.Buffers += buffers
	c.Bytes += bytes
}

// Inputs is what a task has polled from a gate, events and empty buffers included, restored channel state not
// (RemoteInputChannel.getNextBuffer, LocalInputChannel.getBufferAndAvailability, RecoveredInputChannel.getNextBuffer): numBuffersInRemote,
// numBytesInRemote and so on.
type Inputs struct{ Remote, Local Counter }

// All is of channels of both kinds: numBytesIn.
func (i *Inputs) All() Counter {
	return Counter{Buffers: i.Remote.Buffers + i.Local.Buffers, Bytes: i.Remote.Bytes + i.Local.Bytes}
}

// of is the counter of channels of a kind.
func (i *Inputs) of(local bool) *Counter {
	if local {
		return &i.Local
	}
	return &i.Remote
}

// takeEvent counts an event that is polled.
func (i *Inputs) takeEvent(e *Entry, local bool) {
	if !e.Extra {
		i.of(local).add(1, eventBytes(e))
	}
}

// eventBytes is the size of an event as it is sent (EventSerializer.toSerializedEvent), a checkpoint's location by reference left out.
func eventBytes(e *Entry) int64 {
	switch e.Kind {
	case Barrier:
		if e.Announcement {
			return 8 + 38
		}
		return 38
	case Cancel:
		return 12
	case EndData:
		return 5
	default:
		return 4
	}
}

// finish ends the open buffer of a channel: it counts as written from then on, however much of it was sent before
// (BufferWritingResultPartition.finishUnicastBufferBuilder; a BROADCAST exchange counts it for each channel).
func (p *Partition) finish(e *Entry) {
	e.Finished = true
	p.Out.add(1, int64(e.Bytes))
}

// finishFull finishes a buffer if it is full.
func (p *Partition) finishFull(e *Entry) {
	if e.Bytes == e.Size {
		p.finish(e)
	}
}
