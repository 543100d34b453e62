package network

// BufferPool counts the segments of one result partition (spec 4.1; Flink's LocalBufferPool with a global pool that is
// never exhausted). Only counts are kept: which segment is which does not matter.
//
// Segments beyond the size are overdraft, whenever they were taken; so a resize turns ordinary ones into overdraft and back.
type BufferPool struct {
	queued        []int32 // segments by subpartition
	size, used    int32
	maxPerChannel int32
	maxOverdraft  int32
	full          int32 // subpartitions at or over maxPerChannel
	most          int32 // in use at once since the size last changed, as far as the pool kept them
}

// NewBufferPool is a pool with all segments free. size is at least 1, maxPerChannel is
// taskmanager.network.memory.max-buffers-per-channel, maxOverdraft is …max-overdraft-buffers-per-gate (spec 1.2).
func NewBufferPool(size, subpartitions, maxPerChannel, maxOverdraft int) BufferPool {
	if size < 1 || maxPerChannel < 1 || maxOverdraft < 0 {
		panic("network: a pool has at least one segment, a limit per channel of at least one and no negative overdraft")
	}
	return BufferPool{
		queued: make([]int32, subpartitions), size: int32(size),
		maxPerChannel: int32(maxPerChannel), maxOverdraft: int32(maxOverdraft),
	}
}

// Available reports whether the next record may be started: a free segment, no subpartition at its limit and no overdraft
// in use. A record under way does not ask.
func (p *BufferPool) Available() bool { return p.used < p.size && p.full == 0 }

// Take takes a segment for a subpartition, -1 for none: an ordinary one, else overdraft. False: the request has to wait,
// which blocks the task's thread. The limit per channel does not matter here (mechanisms 2).
func (p *BufferPool) Take(sub int) bool {
	if p.used >= p.size+p.maxOverdraft {
		return false
	}
	p.used++
	p.most = max(p.most, p.used)
	if sub >= 0 {
		if p.queued[sub]++; p.queued[sub] == p.maxPerChannel {
			p.full++
		}
	}
	return true
}

// Recycle gives a segment back that was taken with the same sub.
func (p *BufferPool) Recycle(sub int) {
	if p.used == 0 || sub >= 0 && p.queued[sub] == 0 {
		panic("network: a segment was recycled that had not been taken")
	}
	p.used--
	if sub >= 0 {
		if p.queued[sub] == p.maxPerChannel {
			p.full--
		}
		p.queued[sub]--
	}
}

// spare is how many segments can be taken so that the pool stays available, but for the limit per channel.
func (p *BufferPool) spare() int32 {
	if p.full > 0 {
		return 0
	}
	return max(0, p.size-p.used-1)
}

// lastOf reports whether one more segment brings a subpartition to its limit.
func (p *BufferPool) lastOf(sub int) bool { return p.queued[sub]+1 >= p.maxPerChannel }

// Resize changes the number of ordinary segments, at least 1. Segments in use stay in use; ready ones beyond it go back.
func (p *BufferPool) Resize(size int) {
	if size < 1 {
		panic("network: a pool has at least one segment")
	}
	p.most = min(p.most, p.size-1)
	p.size = int32(size)
	p.most = max(p.used, min(p.most, p.size-1))
}

// Held is the number of the task manager's segments that the pool has, in use or ready: it gives none back that it may keep, and has
// one ready ahead of the next request (LocalBufferPool#checkAvailability, returnExcessMemorySegments). They count in
// Status.Shuffle.Netty.UsedMemorySegments.
func (p *BufferPool) Held() int { return int(max(p.used, min(p.size, p.most+1))) }

// Ready is the number of segments held and not in use (LocalBufferPool#getNumberOfAvailableMemorySegments).
func (p *BufferPool) Ready() int { return p.Held() - int(p.used) }

// Used is the number of segments taken, overdraft included: outPoolUsage is Used / Size and may exceed 1.
func (p *BufferPool) Used() int { return int(p.used) }

// Size is the number of ordinary segments.
func (p *BufferPool) Size() int { return int(p.size) }

// Overdraft is the number of segments taken beyond the size.
func (p *BufferPool) Overdraft() int { return int(max(0, p.used-p.size)) }

// Queued is the number of segments taken for a subpartition.
func (p *BufferPool) Queued(sub int) int { return int(p.queued[sub]) }

// Reset makes all segments free.
func (p *BufferPool) Reset() {
	clear(p.queued)
	p.used, p.full, p.most = 0, 0, 0
}

// CopyFrom makes p a deep copy of src.
func (p *BufferPool) CopyFrom(src *BufferPool) {
	queued := append(p.queued[:0], src.queued...)
	*p = *src
	p.queued = queued
}
