package network

import (
	"math/bits"

	"checkpointlab/core/event"
)

// filling caches which emission fills each open buffer of a partition that deals to few channels. It stays valid as long as
// nothing but what is dealt is written to that buffer. A step mostly ends by filling one of them, so only that one is looked up
// again.
type filling struct {
	at   []int64 // by channel: emissions up to the one that fills its buffer, 0 = not known, event.Never = it gets none
	upTo int64   // emissions up to which the cache is valid, -1 = not at all
	size int32   // bytes of each
}

// newFilling makes one for a partition of that many channels, of which one gets everything unless several do.
func newFilling(channels int32, several bool) filling {
	f := filling{upTo: -1}
	if several && channels <= few {
		f.at = make([]int64, channels)
	}
	return f
}

// forget notes that something other than dealing changed a channel's buffers.
func (f *filling) forget(i int32) {
	if int(i) < len(f.at) {
		f.at[i] = 0
	}
}

// reset forgets everything: emissions of another size follow after that many.
func (f *filling) reset(emitted int64, size int32) {
	clear(f.at)
	f.upTo, f.size = emitted, size
}

// dealt notes that emissions of a size were dealt, from so many on up to so many.
func (f *filling) dealt(from, to int64, size int32) {
	if f.upTo == from && f.size == size {
		f.upTo = to
	} else {
		f.upTo = -1
	}
}

// nearest is Boundary for few channels if several of them get records.
func (n *Network) nearest(p int32, size int32, limit int64) int64 {
	part := &n.Partitions[p]
	f := &part.filling
	if f.upTo != part.Emitted || f.size != size {
		f.reset(part.Emitted, size)
	}
	unknown := uint32(0)
	for i, at := range f.at {
		if at == 0 {
			unknown |= 1 << i
		} else {
			limit = min(limit, at-part.Emitted)
		}
	}
	if unknown != 0 {
		return n.nearestOf(p, size, limit, unknown)
	}
	return limit
}

// nearestOf is nearest for the channels, one bit each, that are not cached.
func (n *Network) nearestOf(p int32, size int32, limit int64, unknown uint32) int64 {
	part, dealer := &n.Partitions[p], n.Dealers[p]
	closed := uint32(0) // those without an open buffer
	for ; unknown != 0; unknown &= unknown - 1 {
		i := int32(bits.TrailingZeros32(unknown))
		e := n.Channels[part.First+i].open()
		if e == nil {
			closed |= 1 << i
			continue
		}
		at := dealer.Position(int(i), part.Emitted, e.fits(size)-1)
		if at != event.Never {
			at++
			limit = min(limit, at-part.Emitted)
		}
		if part.only < 0 {
			part.filling.at[i] = at
		}
	}
	if closed != 0 {
		return n.nearestNew(p, size, limit, closed)
	}
	return limit
}
