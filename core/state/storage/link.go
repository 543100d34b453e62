package storage

import (
	"math"
	"math/bits"

	"checkpointlab/core/event"
	"checkpointlab/core/sim"
)

// link is the way of one manager to the storage. All its transfers get the same rate, so that one number tells how far each
// has come: what a transfer would have got that was there from the beginning.
type link struct {
	rate   int64 // bytes a second of each transfer
	given  int64 // bytes that each has got
	part   int64 // and so many 10^-9 bytes
	at     event.Time
	flows  []flow // a heap by end
	number int64  // of the last flow
	still  bool   // its process stands still, and nothing flows
}

// flow is a transfer that ends when the link has given end bytes and part 10^-9 bytes.
type flow struct {
	end    int64
	part   int64
	number int64
	req    int32
}

func (a flow) before(b flow) bool {
	if a.end != b.end || a.part != b.part {
		return a.end < b.end || a.end == b.end && a.part < b.part
	}
	return a.number < b.number
}

// ended reports whether the first transfer is over.
func (l *link) ended() bool {
	f := &l.flows[0]
	return f.end < l.given || f.end == l.given && f.part <= l.part
}

// advance books what flows until now.
func (l *link) advance(now event.Time) {
	dt := now - l.at
	l.at = now
	if dt <= 0 || l.rate == 0 || len(l.flows) == 0 {
		return
	}
	hi, lo := bits.Mul64(uint64(l.rate), uint64(dt))
	lo, carry := bits.Add64(lo, uint64(l.part), 0)
	q, r := bits.Div64(hi+carry, lo, uint64(event.Second))
	l.given, l.part = l.given+int64(q), int64(r)
}

// next is when the first transfer ends; Never when none does.
func (l *link) next() event.Time {
	if len(l.flows) == 0 || l.rate == 0 || l.still {
		return event.Never
	}
	if l.ended() {
		return l.at
	}
	hi, lo := bits.Mul64(uint64(l.flows[0].end-l.given), uint64(event.Second))
	lo, carry := bits.Add64(lo, uint64(l.flows[0].part), 0)
	lo, borrow := bits.Sub64(lo, uint64(l.part), 0)
	hi += carry - borrow
	if hi >= uint64(l.rate) {
		return event.Never
	}
	q, r := bits.Div64(hi, lo, uint64(l.rate))
	if r > 0 {
		q++
	}
	if q > math.MaxInt64/2 {
		return event.Never
	}
	return l.at + event.Time(q)
}

// Stall lets nothing flow between a manager, or Master, and the storage as long as its process stands still.
func (s *Storage) Stall(now event.Time, manager int32, still bool) {
	l := s.link(&order{Head: Head{Manager: manager}})
	if l.still != still {
		l.advance(now)
		l.still = still
		s.arm(now)
	}
}

// Client is the manager, or Master, whose process an item of the storage concerns: A of DueRequest and DueRetry, or of DueOrder.
func (s *Storage) Client(kind uint8, a int32) int32 {
	if kind != event.DueOrder {
		if a = s.requests[a].order; a < 0 { // it is overtaken
			return Master
		}
	}
	return s.orders[a].Manager
}

// link is the one of an order.
func (s *Storage) link(o *order) *link {
	if o.Manager == Master {
		return &s.links[len(s.links)-1]
	}
	return &s.links[o.Manager]
}

// begin lets a request's bytes flow.
func (s *Storage) begin(now event.Time, r int32) {
	q := &s.requests[r]
	q.flows = true
	o := &s.orders[q.order]
	l := s.link(o)
	l.advance(now)
	if len(l.flows) == 0 {
		l.given, l.part = 0, 0
	}
	l.number++
	l.push(flow{end: l.given + o.items[q.item].Bytes, part: l.part, number: l.number, req: r})
	s.arm(now)
}

// stop takes a request's bytes out of the flow.
func (s *Storage) stop(now event.Time, r int32) {
	l := s.link(&s.orders[s.requests[r].order])
	l.advance(now)
	for i := range l.flows {
		if l.flows[i].req == r {
			l.remove(i)
			break
		}
	}
	s.requests[r].flows = false
	s.arm(now)
}

// arm has the rates shared anew when all of this instant has happened.
func (s *Storage) arm(now event.Time) {
	if !s.armed || s.shared != now {
		s.armed, s.shared = true, now
		s.flowGn++
		s.queue.Push(sim.Item{At: now, Kind: event.DueFlow, Gen: s.flowGn})
	}
}

// Flow is the instant at which transfers end or the rates change. What it returns is valid until the next call.
func (s *Storage) Flow(now event.Time, gen uint32) []Effect {
	s.finished = s.finished[:0]
	if gen != s.flowGn {
		return nil
	}
	s.armed = false
	s.settleAll(now)
	for i := range s.links {
		l := &s.links[i]
		for len(l.flows) > 0 && !l.still && l.ended() {
			r := l.remove(0)
			s.requests[r].flows = false
			s.moved(now, r)
		}
	}
	s.share()
	s.armed = false
	s.flowGn++
	at := event.Never
	for i := range s.links {
		at = min(at, s.links[i].next())
	}
	if at != event.Never {
		s.queue.Push(sim.Item{At: at, Kind: event.DueFlow, Gen: s.flowGn})
	}
	return s.finished
}

func (s *Storage) settleAll(now event.Time) {
	for i := range s.links {
		s.links[i].advance(now)
	}
}

// share gives every transfer as much as every other, but for those that their manager's link holds to less (max-min fairness).
func (s *Storage) share() {
	left, flows := s.total(), int64(0)
	for i := range s.links {
		l := &s.links[i]
		l.rate = 0
		if !l.still {
			flows += int64(len(l.flows))
		}
	}
	for found := true; found && flows > 0; {
		found = false
		even := max(1, left/flows)
		for i := range s.links {
			l := &s.links[i]
			n := int64(len(l.flows))
			if n == 0 || l.rate > 0 || l.still {
				continue
			}
			if most := s.capacity(i) / n; most <= even {
				l.rate = max(1, most)
				left, flows, found = max(0, left-most*n), flows-n, true
				even = max(1, left/max(1, flows))
			}
		}
	}
	for i := range s.links {
		if l := &s.links[i]; len(l.flows) > 0 && l.rate == 0 && !l.still {
			l.rate = max(1, left/flows)
		}
	}
}

// unlimited is a rate that moves every file at once as far as a run can tell.
const unlimited = 1 << 61

func (s *Storage) total() int64 {
	if s.Total == 0 {
		return unlimited
	}
	return max(1, s.Total/s.slow[0]*1000+s.Total%s.slow[0]*1000/s.slow[0])
}

// capacity is what the i-th link takes.
func (s *Storage) capacity(i int) int64 {
	slow := s.slow[0]
	if i == len(s.links)-1 {
		slow = s.slow[1]
	}
	c := s.PerManager
	if c == 0 {
		c = s.Total
	}
	if c == 0 {
		return unlimited
	}
	return max(1, c/slow*1000+c%slow*1000/slow)
}

// push and remove keep the heap.
func (l *link) push(f flow) {
	l.flows = append(l.flows, f)
	i := len(l.flows) - 1
	for i > 0 && l.flows[i].before(l.flows[(i-1)/2]) {
		l.flows[i], l.flows[(i-1)/2] = l.flows[(i-1)/2], l.flows[i]
		i = (i - 1) / 2
	}
}

func (l *link) remove(i int) int32 {
	req, last := l.flows[i].req, len(l.flows)-1
	f := l.flows[last]
	l.flows = l.flows[:last]
	if i == last {
		return req
	}
	for i > 0 && f.before(l.flows[(i-1)/2]) {
		l.flows[i] = l.flows[(i-1)/2]
		i = (i - 1) / 2
	}
	for {
		c := 2*i + 1
		if c >= last {
			break
		}
		if c+1 < last && l.flows[c+1].before(l.flows[c]) {
			c++
		}
		if !l.flows[c].before(f) {
			break
		}
		l.flows[i] = l.flows[c]
		i = c
	}
	l.flows[i] = f
	return req
}

// Duration is how long so many bytes take at a rate above 0, rounded up.
func Duration(bytes, rate int64) event.Time {
	hi, lo := bits.Mul64(uint64(bytes), uint64(event.Second))
	if hi >= uint64(rate) {
		return event.Never
	}
	q, r := bits.Div64(hi, lo, uint64(rate))
	if r > 0 {
		q++
	}
	return event.Time(min(q, math.MaxInt64))
}
