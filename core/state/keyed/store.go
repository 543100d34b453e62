package keyed

import "checkpointlab/core/event"

// Store is one subtask's part of a state. NewStore makes one.
type Store struct {
	shape *Shape
	keys  int64 // of this subtask's key groups
	mine  int64 // share of the subtask's records that go to keys other than the hot one, in millionths

	records int64 // seen since the state was empty
	base    int64 // records at the start of the present history, whose share the ring no longer has
	ring    [buckets + 1]int64
	at      int64 // the bucket in which the ring's head lies, counted from time 0
	left    int64 // entries that have left, of which no Access has told yet
}

// Change is what records did to a store.
type Change struct {
	Old    int64 // writes that may replace an entry
	New    int64 // writes that make one
	Reads  int64
	Delete int64 // entries whose time is over
}

// NewStore is a subtask's empty part. keys is how many of the shape's keys are its own; mine, in millionths, the share of its
// records that are not of the hot key, whose entry takes all others.
func NewStore(shape *Shape, keys, mine int64) Store {
	s := Store{shape: shape, keys: keys, mine: mine}
	return s
}

// Shape is what the store was made of.
func (s *Store) Shape() *Shape { return s.shape }

// Keys is how many keys the store may hold, not counting those that are new.
func (s *Store) Keys() int64 { return s.keys }

// Records is how many records the state has seen.
func (s *Store) Records() int64 { return s.records }

// width is the time of a bucket.
func (s *Store) width() event.Time {
	if s.shape.Kind == Window {
		return s.shape.Size / max(1, s.shape.Windows())
	}
	return max(1, s.shape.Kept()/buckets)
}

// span is how many whole buckets an entry lives for.
func (s *Store) span() int64 {
	if s.shape.Kind == Window {
		return s.shape.Windows()
	}
	return buckets
}

// Fill is the state as it is after it has run for long: every key has been written, and with a retention rate records have come
// for every per ns.
func (s *Store) Fill(now event.Time, rate int64, per event.Time) {
	if s.shape.Kept() == 0 {
		s.records = s.keys * seenEach
		if w := s.writes(1_000_000); w > 0 && s.shape.WriteNum > 0 {
			s.records = Scale(s.records, s.shape.WriteDen, s.shape.WriteNum) + 1
		}
		s.base = s.records
		return
	}
	s.at = now / s.width()
	if rate == 0 || per == 0 {
		return
	}
	for b := int64(1); b <= s.span(); b++ { // of records that come further apart than parts, some parts have none
		n := Scale(b*s.width(), rate, per)
		s.ring[s.slot(s.at-b)] = n - s.records
		s.records = n
	}
	s.base = s.records
}

func (s *Store) slot(bucket int64) int64 {
	n := int64(len(s.ring))
	return ((bucket % n) + n) % n
}

// Access takes n records at now and says what they do.
func (s *Store) Access(now event.Time, n int64) Change {
	s.expire(now)
	c := Change{Delete: s.left}
	s.left = 0
	before := s.records
	s.records += n
	if s.shape.Kept() > 0 {
		s.ring[s.slot(s.at)] += n
	}
	written := (s.writes(s.records) - s.writes(before)) * s.shape.Windows()
	fresh := s.fresh(s.records) - s.fresh(before)
	c.New, c.Old = fresh, written-fresh
	if s.shape.Unique() {
		c.New, c.Old = written, 0
	}
	if s.shape.ReadNum > 0 {
		c.Reads = ratio(s.records, s.shape.ReadNum, s.shape.ReadDen) - ratio(before, s.shape.ReadNum, s.shape.ReadDen)
	}
	return c
}

// ratio is n * num / den; 0, 0 is 1, 1.
func ratio(n, num, den int64) int64 {
	if num == den || den == 0 {
		return n
	}
	return Scale(n, num, den)
}

// writes is how many writes the first n records make.
func (s *Store) writes(n int64) int64 { return ratio(n, s.shape.WriteNum, s.shape.WriteDen) }

// latest is how many writes the last n records made. Not writes(n): where a record makes less than a write or no whole number of them, it
// depends on those before which of them write, and what leaves has to be what came.
func (s *Store) latest(n int64) int64 { return s.writes(s.records) - s.writes(max(0, s.records-n)) }

// fresh is how many keys never seen before the records after the start up to the n-th bring.
func (s *Store) fresh(n int64) int64 {
	if s.shape.NewMill == 0 {
		return 0
	}
	return Scale(s.writes(max(0, n-s.base)), s.shape.NewMill, million)
}

// expire moves the ring on and counts the entries that left with the parts that are over: those that leave evenly within the oldest
// part count at its end.
func (s *Store) expire(now event.Time) {
	if s.shape.Kept() == 0 {
		return
	}
	head := now / s.width()
	if head <= s.at {
		return
	}
	before := s.held(s.at * s.width())
	if head-s.at > int64(len(s.ring)) {
		clear(s.ring[:])
	}
	for b := s.at + 1; b <= head && b-s.at <= int64(len(s.ring)); b++ {
		s.ring[s.slot(b)] = 0
	}
	s.at = head
	s.left += max(0, before-s.held(head*s.width()))
}

// sum is the records of the last n buckets before the head's, and the head's.
func (s *Store) sum(n int64) (total int64) {
	for b := int64(0); b <= min(n, buckets); b++ {
		total += s.ring[s.slot(s.at-b)]
	}
	return total
}

// held is how many entries the store has while its head is where it is.
func (s *Store) held(now event.Time) int64 {
	switch s.shape.Kind {
	case Window:
		return s.windows()
	case List, Join:
		return s.latest(s.inTime(now))
	}
	in := s.inTime(now)
	fresh := Scale(s.writes(in), s.shape.NewMill, million)
	return s.hit(in, fresh) + fresh
}

// inTime is the records not older than the time for which entries are kept: of the oldest bucket, which leaves evenly, a part.
func (s *Store) inTime(now event.Time) int64 {
	into := now - s.at*s.width()
	oldest := s.ring[s.slot(s.at-buckets)]
	return s.sum(buckets-1) + Scale(oldest, max(0, s.width()-into), s.width())
}

// windows is the entries of all open windows: each has the keys hit since it began.
func (s *Store) windows() (n int64) {
	records := int64(0)
	for b := int64(0); b < s.shape.Windows(); b++ {
		records += s.ring[s.slot(s.at-b)]
		n += s.hit(records, 0)
	}
	return n
}

// hit is how many keys of the population some records have written, whose writes brought so many fresh ones beside.
func (s *Store) hit(records, fresh int64) int64 {
	w := s.writes(records)
	w -= min(w, fresh)
	even := Scale(w, s.mine, million)
	n := Distinct(s.keys, even)
	if even < w && n < s.keys {
		n++ // the hot key
	}
	return n
}

// Entries is how many entries the store has at now.
func (s *Store) Entries(now event.Time) int64 {
	switch s.shape.Kind {
	case Operator, Union, Broadcast:
		return s.keys
	}
	if s.shape.Kept() > 0 {
		s.expire(now)
		return s.held(now)
	}
	if s.shape.Kind == List {
		return s.writes(s.records)
	}
	fresh := s.fresh(s.records)
	return s.hit(s.records, fresh) + fresh
}

// Bytes is the serialized size of all entries.
func (s *Store) Bytes(now event.Time) int64 { return s.Entries(now) * s.shape.EntryBytes() }

// Logged is how many bytes of changes the records from before on have made: what a changelog writes for them (in the recorded runs 3
// bytes a change more than the entry).
func (s *Store) Logged(before int64) int64 {
	return (s.writes(s.records) - s.writes(before)) * s.shape.Windows() * (s.shape.EntryBytes() + 3)
}

// Logs is Logged of the next n records.
func (s *Store) Logs(n int64) int64 {
	return (s.writes(s.records+n) - s.writes(s.records)) * s.shape.Windows() * (s.shape.EntryBytes() + 3)
}

// Turns is when the part of time ends in which now lies; event.Never if entries are kept forever.
func (s *Store) Turns(now event.Time) event.Time {
	if s.shape.Kept() == 0 {
		return event.Never
	}
	return (now/s.width() + 1) * s.width()
}

// Begin is the start from a snapshot: entries that had left by then are none that are replaced.
func (s *Store) Begin() { s.left = 0 }

// Take goes on with all that a store of the same shape has.
func (s *Store) Take(src *Store) {
	shape := s.shape
	*s = *src
	s.shape, s.left = shape, 0
}

// Empty is the state before the first record, as a restart without a checkpoint finds it.
func (s *Store) Empty() {
	shape, keys, mine := s.shape, s.keys, s.mine
	*s = NewStore(shape, keys, mine)
}

// Add adds num of den parts of another subtask's state, as a rescaling restore does. Subtasks store at different instants: of the one whose
// part of time is behind, what the other has forgotten is left out.
func (s *Store) Add(src *Store, num, den int64) {
	from := *src
	from.expire(s.at * s.width())
	s.expire(from.at * from.width())
	s.left = 0
	s.records += Scale(from.records, num, den)
	s.base += Scale(from.base, num, den)
	for i, n := range from.ring {
		s.ring[i] += Scale(n, num, den)
	}
}

// Deal divides a total among key groups by their weights: the parts sum to it exactly, and each is off its share by less than 1.
func Deal(total int64, weights, parts []int64) {
	var sum, before, upTo int64
	for _, w := range weights {
		sum += w
	}
	for i, w := range weights {
		if sum == 0 {
			parts[i] = 0
			continue
		}
		upTo += w
		to := Scale(total, upTo, sum)
		parts[i], before = to-before, to
	}
}
