// Package source is the outside log that the sources read: arrivals, rates, positions, lag.
//
// The partitions of one subtask are read as one log: record i belongs to partition i mod n and is its record i div n,
// and arrivals of the partitions are evenly staggered. A log that is never short of history loses nothing: a record
// arrives whether it is read or not (truth/README, "rate").
package source

import (
	"math/bits"
	"sort"

	"checkpointlab/core/event"
)

// Log is what one source subtask reads. Positions count records from 0.
type Log struct {
	pieces []piece    // of constant rate, in order of time
	until  event.Time // growth ends; event.Never if it does not
	most   int64      // so many records arrive in all; noEnd if there is no such number
	bound  bool       // the source ends with the log
	Splits int64      // partitions that are read in turn, at least 1
	past   int64      // records that are there at the start
	Next   int64      // position: the next record to read
	Read   int64      // highest position ever read: what lies below was read before

	silent              int64 // so many splits, the first ones, fall silent …
	silentFrom, speakAt int64 // … from this position up to that one
}

// piece is a span of constant rate: record first arrives at start, then num records every per ns.
type piece struct {
	start event.Time
	first int64
	num   int64 // 0 = a record arrives the moment it can be read
	per   event.Time
}

// NewLog makes a log that grows by num records every per ns from start on, until until (0 = forever).
// num 0: a record arrives the moment it can be read.
func NewLog(start event.Time, num int64, per, until event.Time) Log {
	if until == 0 {
		until = event.Never
	}
	return Log{pieces: []piece{{start: start, num: num, per: per}}, until: until, most: noEnd}
}

// Begins makes a log with a rate begin with that many records, all present at its start.
func (l *Log) Begins(past int64) {
	first := l.pieces[0]
	if l.past = past; past == 0 || first.num == 0 {
		return
	}
	later := first
	later.start, later.first = first.start+1, past
	first.num, first.per = past, 1
	l.pieces = append(l.pieces[:0], first, later)
}

// Empty makes a log to which nothing arrives, because no partition belongs to the subtask.
func (l *Log) Empty() { l.most = 0 }

// Behindhand reports whether records that were there at the start are still unread.
func (l *Log) Behindhand() bool { return l.Next < l.past }

// Unread counts the records that were there at the start and are still unread.
func (l *Log) Unread() int64 { return max(0, l.past-l.Next) }

// noEnd is more records than any log holds.
const noEnd = 1 << 62

// Bound makes the source end with the log: when the log has stopped growing and everything is read or, if most is above 0,
// after that many records.
func (l *Log) Bound(most int64) {
	l.bound = true
	if most > 0 {
		l.most = most
	}
}

// Ends is when the growth of a bounded log ends; event.Never if no time says so.
func (l *Log) Ends() event.Time {
	if !l.bound {
		return event.Never
	}
	return l.until
}

// Over reports whether a bounded log is read to its end at now.
func (l *Log) Over(now event.Time) bool {
	switch {
	case !l.bound || l.Next < l.Read && l.Unlimited():
		return false
	case l.Next >= l.most:
		return true
	case now < l.until:
		return false
	}
	return l.Unlimited() || l.Arrival(l.Next) == event.Never
}

// CopyFrom makes l a deep copy of src.
func (l *Log) CopyFrom(src *Log) {
	pieces := append(l.pieces[:0], src.pieces...)
	*l = *src
	l.pieces = pieces
}

// Unlimited reports whether a record arrives the moment it can be read.
func (l *Log) Unlimited() bool { return l.pieces[len(l.pieces)-1].num == 0 }

// Ended reports whether an unlimited log has nothing to read at now: its growth is over, and what was read before is read
// again.
func (l *Log) Ended(now event.Time) bool {
	return (now >= l.until || l.Next >= l.most) && l.Next >= l.Read
}

// Readable is how many records of an unlimited log can be read one after another, each in the given time: those that were
// read before, else as many as begin before the growth ends.
func (l *Log) Readable(now, each event.Time) int64 {
	switch {
	case l.Next < l.Read:
		return l.Read - l.Next
	case now >= l.until:
		return 0
	case l.until == event.Never:
		return min(1<<40, l.most-l.Next)
	}
	return min((l.until-now+each-1)/each, l.most-l.Next)
}

// Keeping is how many records ahead can be read as they arrive, if each takes the given time: a reader that is slower lags
// behind the first one.
func (l *Log) Keeping(each event.Time) int64 {
	if each > l.spacing() {
		return 1
	}
	n, _, _ := l.Span(1 << 40)
	return n
}

// Behind is how many records can be read one after another, each in the given time, before one has not arrived yet. The
// next one has arrived.
func (l *Log) Behind(now, each event.Time) int64 {
	n := l.Arrived(now) - l.Next
	if p := l.pieceOf(l.Next); (p.per+p.num-1)/p.num <= each { // it never catches up
		n = 1 << 40
	}
	n, _, _ = l.Span(n)
	return n
}

// spacing is the least distance of arrivals from the next record on.
func (l *Log) spacing() event.Time {
	p := l.pieceOf(l.Next)
	return p.per / p.num
}

// Even reports whether the records of the piece in which the next one arrives do so at a distance of whole ns: Span has it.
func (l *Log) Even() bool {
	p := l.pieceOf(l.Next)
	return p.num > 0 && p.per%p.num == 0
}

// Steady reports whether the log continues at one rate forever, as far as is known, with records at least so far apart.
func (l *Log) Steady(apart event.Time) bool {
	last := &l.pieces[len(l.pieces)-1]
	if last.num == 0 || last.first > l.Next || l.until != event.Never || l.most != noEnd {
		return false
	}
	n, _, step := l.Span(2)
	return n == 2 && step/event.Fine >= apart
}

// Rate is the present one: num records every per ns.
func (l *Log) Rate() (num int64, per event.Time) {
	p := &l.pieces[len(l.pieces)-1]
	return p.num, p.per
}

// SetRate changes the rate from now on: the next record to arrive does so now. begun is how many records ahead of Next a reader
// has begun. What was read of an unlimited log counts as having arrived evenly since its start, so that it can be read again.
// Records that the log begins with come first.
func (l *Log) SetRate(now event.Time, num int64, per event.Time, begun int64) {
	if l.most == 0 { // it is empty forever
		return
	}
	last := &l.pieces[len(l.pieces)-1]
	if now < last.start {
		last.start, last.num, last.per = max(now, l.pieces[len(l.pieces)-2].start+1), num, per
		return
	}
	first := l.Arrived(now)
	if last.start >= l.until && last.num > 0 { // behind the end nothing arrives: only what the rate would be is known
		last.num, last.per = num, per
		return
	}
	if last.num == 0 {
		first = max(last.first, l.Read, l.Next+begun)
		last.num, last.per = first-last.first, max(1, min(now, l.until)-last.start)
	}
	l.pieces = append(l.pieces, piece{start: now, first: first, num: num, per: per})
}

// There makes all records up to a position count as arrived by now, because somebody has read them from the partitions that
// were joined into this log. The rate continues after them.
func (l *Log) There(now event.Time, position int64) {
	there := l.Arrived(now)
	if position <= there || l.Unlimited() {
		return
	}
	now = min(now, l.until-2)
	for len(l.pieces) > 1 && l.pieces[len(l.pieces)-1].start > now { // a rate behind the end
		l.pieces = l.pieces[:len(l.pieces)-1]
	}
	next := l.pieces[len(l.pieces)-1]
	next.start, next.first = l.Arrival(position), position
	l.pieces = append(l.pieces, piece{start: now, first: there, num: position - there, per: 1}, next)
}

// Arrived is how many records are in the log at now; for an unlimited log, those that were read.
func (l *Log) Arrived(now event.Time) int64 {
	if now >= l.until {
		now = l.until - 1
	}
	i := l.pieceAt(now)
	p := &l.pieces[i]
	switch {
	case p.num == 0:
		return max(l.Read, p.first)
	case now < p.start:
		return p.first
	}
	n := min(l.most, p.first+mulDiv(now-p.start, p.num, p.per)+1)
	if i+1 < len(l.pieces) {
		n = min(n, l.pieces[i+1].first)
	}
	return n
}

// pieceAt is the index of the piece that holds at now.
func (l *Log) pieceAt(now event.Time) int {
	i := len(l.pieces) - 1
	for ; i > 0 && l.pieces[i].start > now; i-- {
		if i < len(l.pieces)-nearPieces {
			return max(0, sort.Search(i, func(k int) bool { return l.pieces[k].start > now })-1)
		}
	}
	return i
}

// indexOf is the index of the piece in which record i arrives.
func (l *Log) indexOf(i int64) int {
	k := len(l.pieces) - 1
	for ; k > 0 && l.pieces[k].first > i; k-- {
		if k < len(l.pieces)-nearPieces {
			return max(0, sort.Search(k, func(p int) bool { return l.pieces[p].first > i })-1)
		}
	}
	return k
}

// nearPieces is how many of the last pieces are looked at one by one: a source reads what has just arrived, unless it lags behind.
const nearPieces = 8

// pieceOf is the piece in which record i arrives.
func (l *Log) pieceOf(i int64) *piece { return &l.pieces[l.indexOf(i)] }

// Arrival is when record i arrives, event.Never if it does not under today's rate; undefined for an unlimited log.
func (l *Log) Arrival(i int64) event.Time {
	p := l.pieceOf(i)
	if p.num == 0 || i >= l.most {
		return event.Never
	}
	after := mulDivUp(i-p.first, p.per, p.num)
	if after >= event.Never-p.start || p.start+after >= l.until {
		return event.Never
	}
	return p.start + after
}

// Span is a stretch of records ahead of Next with even arrivals: at most limit of them, all in one piece of the rate.
// Born and BornStep are in event.Fine.
func (l *Log) Span(limit int64) (n, born, step int64) {
	k := l.indexOf(l.Next)
	p := &l.pieces[k]
	if k+1 < len(l.pieces) {
		limit = min(limit, l.pieces[k+1].first-l.Next)
	}
	if l.until != event.Never {
		limit = min(limit, l.Arrived(l.until)-l.Next)
	}
	limit = min(limit, l.most-l.Next)
	if step = mulDiv(p.per, event.Fine, p.num); step > silent {
		limit, step = min(limit, 1), 0
	}
	return limit, l.Arrival(l.Next) * event.Fine, step
}

// silent is a distance of records, in event.Fine, beyond which none follows another: the times of several would overflow.
const silent = 24 * 3600 * event.Second * event.Fine

// Take moves the position on by n records.
func (l *Log) Take(n int64) {
	l.Next += n
	l.Read = max(l.Read, l.Next)
}

// Begin notes that a record is in work that will not be finished; it must be in the log.
func (l *Log) Begin() { l.Read = max(l.Read, l.Next+1) }

// Rewind sets the position back to what a checkpoint stored.
func (l *Log) Rewind(to int64) { l.Next = to }

// mulDiv is a*b/c for non-negative values without overflow in between.
func mulDiv(a, b, c int64) int64 {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	q, _ := bits.Div64(hi, lo, uint64(c))
	return int64(q)
}

// mulDivUp is mulDiv rounded up; what does not fit is event.Never.
func mulDivUp(a, b, c int64) int64 {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	if hi >= uint64(c) {
		return event.Never
	}
	q, r := bits.Div64(hi, lo, uint64(c))
	if r > 0 {
		q++
	}
	return int64(min(q, uint64(event.Never)))
}

// Fetch reads ahead what reading on needs; the result means nothing.
func (l *Log) Fetch() int { return int(l.until) + int(l.Next) + int(l.pieces[len(l.pieces)-1].num) }
