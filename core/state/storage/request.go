package storage

import (
	"checkpointlab/core/event"
	"checkpointlab/core/sim"
)

func (q *request) free() bool { return q.order < 0 }

// release frees a request's slot.
func (s *Storage) release(r int32) {
	s.requests[r].order = -1
	s.vacant = append(s.vacant, r)
}

// ask makes a request: it waits for its turn and for the latency. One that goes on with an open file makes none.
func (s *Storage) ask(now event.Time, r int32) {
	q := &s.requests[r]
	o := &s.orders[q.order]
	if o.Op == Write {
		s.openFile(q)
	} else {
		q.opens = true
	}
	if o.Op == Delete && !s.last(o.items[q.item]) {
		q.opens = false // others are in the same file, which stays
	}
	if !q.opens {
		s.wait(now, r)
		return
	}
	s.count(o)
	kind := client(o.Client)
	q.fails = s.failing[kind] > 0 && s.random.Int64n(1_000_000) < s.failing[kind]
	at, refused := s.takeTurn(now)
	lasts := s.Latency.draw(&s.random) * s.slow[kind] / 1000
	if s.late[kind] > 0 && s.random.Int64n(1_000_000) < s.late[kind] {
		lasts += s.lateBy[kind]
	}
	if refused {
		s.stats.Refused++
		lasts += s.pause(q.attempt)
		q.attempt++
		if q.attempt >= max(1, s.Attempts) {
			q.fails = true
		} else {
			s.queue.Push(sim.Item{At: now + lasts, Kind: event.DueRetry, A: r, Gen: q.gen})
			return
		}
	}
	s.wait(at+lasts, r)
}

func (s *Storage) wait(until event.Time, r int32) {
	s.queue.Push(sim.Item{At: until, Kind: event.DueRequest, A: r, Gen: s.requests[r].gen})
}

// count books a request.
func (s *Storage) count(o *order) {
	o.asked++
	switch o.Op {
	case Write:
		s.stats.Writes++
	case Read:
		s.stats.Reads++
	default:
		s.stats.Deletes++
	}
}

// takeTurn is when a request that comes now is served; a storage that refuses serves at once what it has not refused. It
// allows one second's requests at once (generic cell rate algorithm).
func (s *Storage) takeTurn(now event.Time) (at event.Time, refused bool) {
	if s.Requests == 0 {
		return now, false
	}
	period := max(1, event.Second/(s.Requests*s.Prefixes))
	if !s.Refuse {
		at = max(now, s.turn)
		s.turn = at + period
		return at, false
	}
	if s.turn > now+event.Second {
		return now, true
	}
	s.turn = max(now, s.turn) + period
	return now, false
}

// pause is how long a client waits before it asks again: twice as long each time, up to 64 times.
func (s *Storage) pause(attempt int) event.Time { return s.RetryAfter << min(attempt, 6) }

// Retry is a refused request that is made again.
func (s *Storage) Retry(now event.Time, r int32, gen uint32) {
	q := &s.requests[r]
	if q.gen != gen || q.free() {
		return
	}
	if q.file >= 0 { // it has opened nothing
		s.closeFile(q)
	}
	s.ask(now, r)
}

// Request is the end of a request's waiting: its bytes begin to flow. What it returns is valid until the next call.
func (s *Storage) Request(now event.Time, r int32, gen uint32) []Effect {
	s.finished = s.finished[:0]
	q := &s.requests[r]
	if q.gen != gen || q.free() {
		return nil
	}
	o := &s.orders[q.order]
	switch {
	case q.fails:
		s.stats.Failed++
		s.fail(now, q.order)
	case o.Op == Delete || o.items[q.item].Bytes == 0 || s.Total == 0 && s.PerManager == 0:
		s.moved(now, r)
	default:
		s.begin(now, r)
	}
	return s.finished
}

// fail ends an order whose request failed.
func (s *Storage) fail(now event.Time, i int32) {
	o := &s.orders[i]
	h, bytes, asked := o.Head, o.bytes, o.asked
	if o.Op == Delete { // what cannot be deleted stays; Flink logs it and goes on
		s.giveUpDeleting(i)
	}
	s.drop(now, i)
	s.finished = append(s.finished, Effect{Head: h, Bytes: bytes, Requests: asked})
}

// giveUpDeleting leaves the files of an order where they are, and forgets who they belong to.
func (s *Storage) giveUpDeleting(i int32) {
	o := &s.orders[i]
	for k, it := range o.items {
		if !o.done[k] {
			s.book.orphan(it)
		}
	}
}

// moved is a file that is written, read or deleted.
func (s *Storage) moved(now event.Time, r int32) {
	q := s.requests[r]
	o := &s.orders[q.order]
	it := o.items[q.item]
	switch o.Op {
	case Write:
		s.put(it, q.file)
		o.bytes += it.Bytes
		s.stats.Written += it.Bytes
	case Read:
		o.bytes += it.Bytes
		s.stats.ReadBytes += it.Bytes
	case Delete:
		s.remove(it)
	}
	o.done[q.item] = true
	o.active--
	o.left--
	s.release(r)
	if o.left == 0 {
		s.end(q.order, true)
		return
	}
	s.fill(now, q.order)
}

// abandon stops a request in the middle.
func (s *Storage) abandon(now event.Time, r int32) {
	q := &s.requests[r]
	if q.flows {
		s.stop(now, r)
	}
	if q.file >= 0 {
		s.closeFile(q)
	}
	s.release(r)
}
