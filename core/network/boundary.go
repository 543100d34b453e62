package network

import (
	"math/bits"

	"checkpointlab/core/event"
)

// few is the number of channels up to which each one is asked where its buffer fills; with more, the emissions are walked.
const few = 16

// farthest is how many emissions are walked at most; a step may then end sooner than it has to.
const farthest = 1 << 12

// Boundary is the number of emissions, at most limit, up to and including the first that fills or overflows a buffer, or that
// needs a new buffer which the pool may not have or which is its last. Everything before it can be written without asking for
// anything.
func (n *Network) Boundary(p int32, size int32, limit int64) int64 {
	part := &n.Partitions[p]
	switch {
	case limit <= 1:
		return limit
	case part.looks.at > 0:
		return 1
	case part.Count == 1 || part.All:
		return min(limit, n.fits(part, 0, size, n.spare(part) > 0))
	case part.Count > few:
		return n.walk(p, size, min(limit, farthest))
	case part.only >= 0:
		return n.nearestOnly(part, p, size, limit)
	}
	return n.nearest(p, size, limit)
}

// nearestOnly is Boundary for few channels if one of them gets every record.
func (n *Network) nearestOnly(part *Partition, p int32, size int32, limit int64) int64 {
	if e := n.Channels[part.First+part.only].open(); e != nil {
		return min(limit, e.fits(size))
	}
	return n.nearestOf(p, size, limit, 1<<part.Count-1)
}

// nearestNew asks the channels that need a new buffer.
//
//go:noinline
func (n *Network) nearestNew(p int32, size int32, limit int64, closed uint32) int64 {
	part, dealer := &n.Partitions[p], n.Dealers[p]
	enough := n.spare(part) >= int32(bits.OnesCount32(closed))
	for ; closed != 0; closed &= closed - 1 {
		i := int32(bits.TrailingZeros32(closed))
		if fits := n.fitsNew(part, i, size, enough); fits <= limit {
			limit = sooner(dealer, i, part.Emitted, fits, limit)
		}
	}
	return limit
}

// sooner is the number of emissions up to the one that is channel i's fits-th, or limit if that is less.
func sooner(dealer Dealer, i int32, from, fits, limit int64) int64 {
	if at := dealer.Position(int(i), from, fits-1); at != event.Never {
		return min(limit, at-from+1)
	}
	return limit
}

// fits is how many records of a size a step may write into an open buffer: the last of them fills or overflows it.
func (e *Entry) fits(size int32) int64 { return int64((e.Size - e.Bytes + size - 1) / size) }

// walk follows the emissions to the first boundary.
func (n *Network) walk(p int32, size int32, limit int64) int64 {
	part, dealer := &n.Partitions[p], n.Dealers[p]
	if len(n.left) < int(part.Count) {
		n.left = make([]room, part.Count)
	}
	n.walks++
	spare := n.spare(part)
	for j := range limit {
		i := dealer.Channel(part.Emitted + j)
		if i < 0 {
			return limit
		}
		l := &n.left[i]
		if l.walk != n.walks {
			*l = room{n.walks, n.fits(part, int32(i), size, spare > 0)}
			if n.Channels[part.First+int32(i)].open() == nil {
				spare--
			}
		}
		if l.records--; l.records == 0 {
			return j + 1
		}
	}
	return limit
}

// room is how many more records fit into a channel's buffer during one walk.
type room struct {
	walk    uint64
	records int64
}

// spare is how many segments can be taken so that one remains free.
func (n *Network) spare(part *Partition) int32 {
	if n.exclusive == 0 || part.All { // a new buffer is announced to the receiver at once; the least of all sizes counts
		return 0
	}
	return part.Pool.spare()
}

// fits is how many records of a size a step may write to a channel: the last of them fills or overflows its buffer. Without an
// open buffer it is 1, unless a new one can be had; what a local receiver counts must be there at once.
func (n *Network) fits(part *Partition, i int32, size int32, spare bool) int64 {
	c := part.First + i
	if e := n.Channels[c].open(); e != nil {
		return e.fits(size)
	}
	return n.fitsNew(part, i, size, spare)
}

// fitsNew is fits for a channel without an open buffer. A new one lets a full one be read that stands there alone, or does by then.
func (n *Network) fitsNew(part *Partition, i int32, size int32, spare bool) int64 {
	c := part.First + i
	ch := &n.Channels[c]
	if !spare || ch.local || part.Pool.lastOf(int(i)) || ch.Queue.n > 0 && ch.Queue.Last().Kind == Data {
		return 1
	}
	return int64((ch.Usable + size - 1) / size)
}

// fresh is the set of a partition's channels in which a flush may find something: those written to since the last flush that
// left nothing behind.
type fresh []uint64

func newFresh(channels int32) fresh { return make(fresh, (channels+63)/64) }

func (f fresh) add(i int32)      { f[i>>6] |= 1 << (i & 63) }
func (f fresh) remove(i int32)   { f[i>>6] &^= 1 << (i & 63) }
func (f fresh) has(i int32) bool { return f[i>>6]>>(i&63)&1 != 0 }

// next is the least member not below i, -1 if there is none.
func (f fresh) next(i int32) int32 {
	for w := int(i >> 6); w < len(f); w++ {
		word := f[w]
		if w == int(i>>6) {
			word &= ^uint64(0) << (i & 63)
		}
		if word != 0 {
			return int32(w<<6 + bits.TrailingZeros64(word))
		}
	}
	return -1
}

// freshen notes that something was put into c.
func (n *Network) freshen(c event.Channel) {
	part := &n.Partitions[n.Wires[c].Partition]
	part.fresh.add(c - part.First)
}

// quiet reports whether a flush would find nothing.
func (c *Channel) quiet() bool {
	switch c.Queue.Len() {
	case 0:
		return true
	case 1:
		e := c.Queue.first()
		return e.Kind == Data && !e.Extra && e.Sent == e.Bytes && !c.flush
	}
	return false
}
