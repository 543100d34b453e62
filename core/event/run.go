package event

// Fine is the resolution of arrival times inside runs: 1/1024 of a nanosecond, so that a run can be cut anywhere without
// rounding.
const Fine = 1024

// Run is a sequence of evenly spaced records: the unit in which data travels. Record j (0 <= j < Count) arrived in the log of
// source subtask Src at (Born + j*BornStep)/Fine ns.
type Run struct {
	Since          Checkpoint // they come after this checkpoint's barrier: restoring it, or an earlier one, reads them again; of a watermark: its time in ms
	Born, BornStep int64
	Count          int64
	Lag            Time  // how long its first record waited in the log; negative: its event time is so much later than Born, see Ahead
	Size           int32 // bytes of a record on the wire
	Src            Task
	Via            int32 // sinks: the input channel by which it came
	next           int32
	_              [8]byte // fills a cache line, so that a run anywhere in a slab touches no second one
}

// Arrivals is the part of a run that tells when its records arrived.
type Arrivals struct{ Born, BornStep, Count int64 }

// Ahead is by how many ns the event time of records is later than Born. That is so of the results of windows which the end of the data
// fired before their end had come: they are no younger than the word of it, but belong to the window's last ms.
func (r *Run) Ahead() Time { return max(0, -r.Lag) }

// Cut takes the first n records off the front of r and returns them.
func (r *Run) Cut(n int64) Run {
	head := *r
	head.Count = n
	r.Count -= n
	r.Born += n * r.BornStep
	return head
}

// Share is what one channel gets of the records of a run: Count of them, from index First to index Last.
type Share struct {
	Channel            int32 // within its partition
	Count, First, Last int64
}

// Thin is k of r's first n records, from index first to index last, at even distances.
func (r *Run) Thin(first, last, k int64) Run {
	t := *r
	t.Count = k
	t.Born += first * r.BornStep
	if k > 1 {
		t.BornStep = (last - first) * r.BornStep / (k - 1)
	}
	return t
}

// Continues reports whether b goes on where a ends, to the nanosecond.
func (a *Run) Continues(b *Run) bool { return a.Meets(b) && a.goesOn(b) }

// Meets reports whether b begins at the instant at which a would continue: the test that nearly all other runs fail, short
// enough to be inlined.
func (a *Run) Meets(b *Run) bool { return near(a.Born+a.Count*a.BornStep, b.Born) }

// goesOn is the remaining part of Continues.
func (a *Run) goesOn(b *Run) bool {
	return a.Src == b.Src && a.Src != Marker && a.Since == b.Since && a.Size == b.Size && a.Via == b.Via && closeLag(a.Lag, b.Lag) &&
		(b.Count == 1 || a.BornStep == b.BornStep)
}

// closeLag reports whether two runs waited about equally long in the log, or are ahead by the same; others are kept apart.
func closeLag(a, b Time) bool {
	return a-b <= Millisecond && b-a <= Millisecond && (a|b >= 0 || a == b)
}

func near(a, b int64) bool { return uint64(a-b+Fine) <= 2*Fine }

// Runs is a list of runs in a Slab. The zero value is empty only after Clear: use EmptyRuns.
type Runs struct{ head, tail int32 }

// EmptyRuns is a list without runs.
var EmptyRuns = Runs{-1, -1}

// Empty reports whether the list has no run.
func (l Runs) Empty() bool { return l.head < 0 }

// Slab keeps the runs of many lists in one slice, so that a snapshot is one copy and nothing is allocated per event.
// Its runs lie in blocks that never move.
type Slab struct {
	blocks []*[slabBlock]Run
	made   int32 // runs ever taken
	free   int32 // head of the free list, -1 = none
	used   int
	size   int32 // bytes of a record of the run made last
	mixed  bool  // runs may be of several sizes, or watermarks

	// Packed marks a slab that is only copied from: it holds just the runs in use, one after the other, and their places.
	Packed bool
	kept   []Run
	places []int32
}

const (
	slabBits  = 8
	slabBlock = 1 << slabBits
)

// NewSlab is an empty slab.
func NewSlab() Slab { return Slab{free: -1} }

// Used is the number of runs in lists.
func (s *Slab) Used() int { return s.used }

// CopyFrom makes s a deep copy of src.
func (s *Slab) CopyFrom(src *Slab) {
	s.made, s.free, s.used, s.size, s.mixed = src.made, src.free, src.used, src.size, src.mixed
	switch {
	case s.Packed:
		s.pack(src)
	case src.Packed:
		s.unpack(src)
	default:
		s.room()
		for i := range s.made >> slabBits {
			*s.blocks[i] = *src.blocks[i]
		}
		for i := s.made &^ (slabBlock - 1); i < s.made; i++ {
			*s.At(i) = *src.At(i)
		}
	}
}

// room makes blocks for all runs.
func (s *Slab) room() {
	for len(s.blocks)<<slabBits < int(s.made) {
		s.blocks = append(s.blocks, new([slabBlock]Run))
	}
}

// pack keeps what src has in use.
func (s *Slab) pack(src *Slab) {
	if src.Packed {
		s.kept, s.places = append(s.kept[:0], src.kept...), append(s.places[:0], src.places...)
		return
	}
	if cap(s.kept) < src.used {
		s.kept, s.places = make([]Run, 0, src.used), make([]int32, 0, src.used)
	}
	s.kept, s.places = s.kept[:0], s.places[:0]
	for i := range src.made {
		if r := src.At(i); r.Count > 0 {
			s.kept, s.places = append(s.kept, *r), append(s.places, i)
		}
	}
}

// unpack puts the runs of src back to their places and links the free ones between them.
func (s *Slab) unpack(src *Slab) {
	s.room()
	s.free = -1
	next := s.made
	for k := len(src.places) - 1; k >= -1; k-- {
		at := int32(-1)
		if k >= 0 {
			at = src.places[k]
			*s.At(at) = src.kept[k]
		}
		for i := next - 1; i > at; i-- {
			r := s.At(i)
			r.Count, r.next = 0, s.free
			s.free = i
		}
		next = at
	}
}

// Uniform reports whether all runs are of records of one size and none is a watermark; once they were not, it stays false.
func (s *Slab) Uniform() bool { return !s.mixed }

// Size is the bytes of a record of the run made last, 0 = none was made: of all of them, if they are Uniform.
func (s *Slab) Size() int32 { return s.size }

// Append adds r to the end of l, joined with the last run if it continues it evenly.
func (s *Slab) Append(l *Runs, r *Run) {
	var last *Run
	if l.tail >= 0 {
		last = s.At(l.tail)
		if last.Meets(r) && last.goesOn(r) {
			last.Count += r.Count
			return
		}
	}
	i := s.free
	if i < 0 {
		i = s.more()
	}
	made := s.At(i)
	s.free = made.next
	s.used++
	if r.Size != s.size || r.Src == Marker {
		s.mixed = s.mixed || s.made > 1 || r.Src == Marker
		s.size = r.Size
	}
	*made = *r
	made.next = -1
	if l.tail = i; last == nil {
		l.head = i
	} else {
		last.next = i
	}
}

// Front is the first run of l, which must not be empty.
func (s *Slab) Front(l *Runs) *Run { return s.At(l.head) }

// CutFront takes n records off the first run and drops it when it is used up.
func (s *Slab) CutFront(l *Runs, n int64) Run {
	r := s.At(l.head)
	if n < r.Count {
		return r.Cut(n)
	}
	all := *r
	s.DropFront(l)
	return all
}

// CutFronts takes n records off the front of l, which has as many, and appends them to out.
func (s *Slab) CutFronts(l *Runs, n int64, out []Run) []Run {
	i := l.head
	for n > 0 {
		r := s.At(i)
		if n < r.Count {
			out = append(out, r.Cut(n))
			break
		}
		n -= r.Count
		out = append(out, *r)
		next := r.next
		s.used--
		r.Count, r.next = 0, s.free
		s.free, i = i, next
	}
	if l.head = i; i < 0 {
		l.tail = -1
	}
	return out
}

// FetchLast reads ahead the last run of l; the result means nothing.
func (s *Slab) FetchLast(l Runs) int {
	if l.tail < 0 {
		return 0
	}
	return int(s.At(l.tail).Count)
}

// DropFront takes the first run off.
func (s *Slab) DropFront(l *Runs) {
	i := l.head
	r := s.At(i)
	if l.head = r.next; l.head < 0 {
		l.tail = -1
	}
	s.used--
	r.Count, r.next = 0, s.free
	s.free = i
}

// SameSize is how many records at the front of l, which must not be empty, are of the same size, up to a watermark.
func (s *Slab) SameSize(l Runs) (n int64) {
	for i := l.head; i >= 0 && s.At(i).Size == s.At(l.head).Size && s.At(i).Src != Marker; i = s.At(i).next {
		n += s.At(i).Count
	}
	return n
}

// BeforeMark is how many records are at the front of l, up to a watermark.
func (s *Slab) BeforeMark(l Runs) (n int64) {
	for i := l.head; i >= 0 && s.At(i).Src != Marker; i = s.At(i).next {
		n += s.At(i).Count
	}
	return n
}

// Clear drops all runs of l.
func (s *Slab) Clear(l *Runs) {
	for l.head >= 0 {
		i := l.head
		l.head = s.At(i).next
		s.give(i)
	}
	l.tail = -1
}

// Join puts all of src at the end of dst and empties src.
func (s *Slab) Join(dst, src *Runs) {
	switch {
	case src.head < 0:
		return
	case dst.head < 0:
		*dst = *src
	default:
		s.At(dst.tail).next = src.head
		dst.tail = src.tail
	}
	*src = EmptyRuns
}

// Move puts the first n records of src at the end of dst; src has as many.
func (s *Slab) Move(dst, src *Runs, n int64) {
	last := s.last(dst)
	for n > 0 {
		i := src.head
		r := s.At(i)
		switch {
		case last != nil && last.Meets(r) && last.goesOn(r):
			k := min(n, r.Count)
			last.Count += k
			n -= k
			if k < r.Count {
				r.Cut(k)
			} else {
				s.DropFront(src)
			}
			continue
		case r.Count > n:
			head := r.Cut(n)
			s.Append(dst, &head)
			return
		}
		n -= r.Count
		if src.head = r.next; src.head < 0 {
			src.tail = -1
		}
		if r.next = -1; last == nil {
			dst.head = i
		} else {
			last.next = i
		}
		dst.tail, last = i, r
	}
}

// last is the last run of l, nil if there is none.
func (s *Slab) last(l *Runs) *Run {
	if l.tail < 0 {
		return nil
	}
	return s.At(l.tail)
}

// MoveAll is Move of all records of src. Only the first runs are checked for joining: once a run does not continue the one
// before it, none after it does, or they would have been one.
func (s *Slab) MoveAll(dst, src *Runs) {
	if last := s.last(dst); last != nil {
		for src.head >= 0 {
			r := s.At(src.head)
			if !last.Meets(r) || !last.goesOn(r) {
				break
			}
			last.Count += r.Count
			s.DropFront(src)
		}
	}
	s.Join(dst, src)
}

// Next walks a list: start with the index from First, end at a negative one.
func (s *Slab) Next(i int32) int32 { return s.At(i).next }

// First is the index of the list's first run, negative if there is none.
func (l Runs) First() int32 { return l.head }

// At is the run with an index from First or Next.
func (s *Slab) At(i int32) *Run { return &s.blocks[i>>slabBits][i&(slabBlock-1)] }

// Each calls f with every run in a list, in no particular order.
func (s *Slab) Each(f func(*Run)) {
	for i := range s.made {
		if r := s.At(i); r.Count > 0 {
			f(r)
		}
	}
}

// more makes a run that was never taken; none of the free ones is left.
//
//go:noinline
func (s *Slab) more() int32 {
	if int(s.made>>slabBits) == len(s.blocks) {
		s.blocks = append(s.blocks, new([slabBlock]Run))
	}
	s.made++
	s.At(s.made - 1).next = -1
	return s.made - 1
}

func (s *Slab) give(i int32) {
	s.used--
	r := s.At(i)
	r.Count, r.next = 0, s.free
	s.free = i
}
