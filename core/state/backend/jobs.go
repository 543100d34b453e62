package backend

import (
	"checkpointlab/core/event"
	"checkpointlab/core/state/keyed"
	"checkpointlab/core/state/lsm"
)

// schedule starts flushes and compactions as far as there are threads: of thread.num background jobs a quarter, at least one, flush
// (DBImpl::GetBGJobLimits).
func (b *Rocks) schedule(now event.Time) {
	flushes := max(1, b.o.Threads/4)
	compactions := max(1, b.o.Threads-flushes)
	for t := range b.trees {
		if b.trees[t].Flushing() {
			flushes--
		}
		compactions -= b.trees[t].Compacting()
	}
	for t := range b.trees {
		if flushes > 0 && b.trees[t].Flush(false) {
			flushes--
		}
		for compactions > 0 {
			b.trees[t].Live(b.stores[b.shapes[t]].Entries(now))
			if !b.trees[t].Pick() {
				break
			}
			compactions--
		}
	}
	b.dirty = true
}

// active is how many jobs are under way.
func (b *Rocks) active() (n int64) {
	for t := range b.trees {
		n += int64(len(b.trees[t].Jobs()))
	}
	return n
}

// throughput is the bytes a second that the disk, or ForSt's storage, does for this task.
func (b *Rocks) throughput() int64 {
	switch d := &b.r.Disk; {
	case b.remote:
		return b.r.Remote.Throughput
	case d.Throughput == 0:
		return 1 << 40
	case b.credit > 0 && d.Burst > d.Throughput:
		return d.Burst / max(1, b.r.Share)
	default:
		return d.Throughput / max(1, b.r.Share)
	}
}

// speed is the bytes a second of one job, of n.
func (b *Rocks) speed(j *lsm.Job, n int64) int64 {
	s := int64(compactSpeed)
	if j.From < 0 {
		s = flushSpeed
	}
	return max(1, min(s, b.throughput()/n))
}

// NextEvent is the end of the next job, or of the disk's credits.
func (b *Rocks) NextEvent(event.Time) event.Time {
	n := b.active()
	if n == 0 {
		return event.Never
	}
	next, used := event.Never, int64(0)
	for t := range b.trees {
		jobs := b.trees[t].Jobs()
		for i := range jobs {
			s := b.speed(&jobs[i], n)
			used += s
			next = min(next, b.clock+per(jobs[i].Left, s)+1)
		}
	}
	if over := used - b.base(); b.bursts() && over > 0 && b.credit > 0 {
		next = min(next, b.clock+per(b.credit, over)+1)
	}
	return next
}

func (b *Rocks) bursts() bool { return !b.remote && b.r.Disk.Burst > b.r.Disk.Throughput }

// base is this task's part of what the disk does without credits.
func (b *Rocks) base() int64 { return b.r.Disk.Throughput / max(1, b.r.Share) }

// Happen ends what is due.
func (b *Rocks) Happen(now event.Time) { b.advance(now) }

// advance lets the jobs work up to now, one event after the other. A synchronous part that is being computed is ahead of the caller's clock.
func (b *Rocks) advance(now event.Time) {
	for b.clock < now {
		next := b.NextEvent(now)
		if next > now {
			b.work(now)
			return
		}
		b.work(next)
		if b.settle() {
			b.schedule(next)
		}
	}
}

// work counts the jobs' bytes down up to an instant at which none of them ends earlier.
func (b *Rocks) work(until event.Time) {
	dt := until - b.clock
	if dt <= 0 {
		return
	}
	b.clock = until
	n, used := b.active(), int64(0)
	for t := range b.trees {
		jobs := b.trees[t].Jobs()
		for i := range jobs {
			s := b.speed(&jobs[i], n)
			used += s
			jobs[i].Left = max(0, jobs[i].Left-keyed.Scale(dt, s, event.Second))
		}
	}
	if b.bursts() {
		b.credit += scaled(dt, b.base()-used)
		b.credit = min(max(0, b.credit), b.r.Disk.Credit/max(1, b.r.Share))
	}
}

// scaled is the bytes of a time at a speed that may be negative; more than any credit when it is very long.
func scaled(dt event.Time, speed int64) int64 {
	if speed < 0 {
		return -scaled(dt, -speed)
	}
	return keyed.Scale(min(dt, 3600*event.Second), speed, event.Second)
}

// settle ends the jobs that have nothing left, and reports whether there was one.
func (b *Rocks) settle() (ended bool) {
	for t := range b.trees {
		for i := len(b.trees[t].Jobs()) - 1; i >= 0; i-- {
			if b.trees[t].Jobs()[i].Left == 0 {
				b.trees[t].Finish(i)
				ended = true
			}
		}
	}
	if d := b.r.Disk.Size; ended && d > 0 && !b.remote {
		b.full = b.onDisk() > d/max(1, b.r.Share)
	}
	return ended
}

// onDisk is the bytes of all files.
func (b *Rocks) onDisk() (n int64) {
	for t := range b.trees {
		n += b.trees[t].Bytes()
	}
	return n
}

// pace is how fast writes are let in at present.
func (b *Rocks) pace(now event.Time) lsm.Pace {
	if b.dirty {
		b.recompute(now)
	}
	return b.pacing
}

// slowest is how fast the slowest column family lets writes in: the write controller is the instance's.
func (b *Rocks) slowest() lsm.Pace {
	p := lsm.Free
	for t := range b.trees {
		p = max(p, b.trees[t].Pace())
	}
	return p
}
