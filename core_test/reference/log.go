package reference

import (
	"math/bits"

	"checkpointlab/core"
	"checkpointlab/core/event"
)

// record is one record on its way.
type record struct {
	source   event.Task
	position int64      // in the log of its source
	born     event.Time // arrival in the log
	ahead    event.Time // its event time is so much later: a window's result, made at the end of the data before the window's end
	size     int32      // bytes on the wire
	mark     *mark      // of a watermark, which is no record of the log
}

// log is what one source subtask reads: partition p of the vertex belongs to subtask p mod parallelism, and what the
// partitions of a subtask hold is read as one log. A record arrives whether it is read or not (truth/README, "rate").
type log struct {
	partitions int64
	past       int64 // records that are there at the start
	rates      []rate
	until      event.Time // no record arrives from then on
	most       int64      // so many records arrive in all
	bounded    bool       // the source ends with the log
	next       int64      // position to be read
	read       int64      // highest position that was read, or begun with

	silent              int64 // partitions, the first ones, that get nothing …
	silentFrom, speakAt int64 // … from this position up to that one
}

// partitionOf is the partition of a record, which come in turn.
func (l *log) partitionOf(position int64) int64 {
	if l.silentFrom <= position && position < l.speakAt {
		return l.silent + (position-l.silentFrom)%(l.partitions-l.silent)
	}
	return position % l.partitions
}

// rate holds from a time on: record first arrives then, and further ones num in per ns.
type rate struct {
	from  event.Time
	first int64
	num   int64 // 0 = a record arrives the moment it can be read
	per   event.Time
}

func newLog(v *core.Vertex, index int) *log {
	total := v.Partitions
	if total == 0 {
		total = v.Parallelism
	}
	l := &log{until: v.Until}
	for p := range total {
		if p%v.Parallelism == index {
			l.partitions++
		}
	}
	if v.EndsAt > 0 && (l.until == 0 || v.EndsAt < l.until) {
		l.until = v.EndsAt
	}
	if l.until == 0 {
		l.until = event.Never
	}
	l.most, l.bounded = 1<<62, v.EndsAt > 0 || v.EndsAfter > 0
	if v.EndsAfter > 0 {
		l.most = v.EndsAfter * l.partitions
	}
	l.rates = []rate{{num: v.RateNum * l.partitions, per: v.RatePer}}
	if past := v.History * l.partitions; past > 0 && v.RateNum > 0 {
		l.past = past
		l.rates = []rate{{num: past, per: 1}, {from: 1, first: past, num: v.RateNum * l.partitions, per: v.RatePer}}
	}
	if l.partitions == 0 {
		l.most, l.rates = 0, []rate{{num: 1, per: event.Second}}
	}
	return l
}

// setRate changes the rate: the next record that has not arrived yet arrives now, or, as long as what the log begins with
// is not there, behind that.
func (l *log) setRate(now event.Time, num int64, per event.Time) {
	if l.partitions == 0 {
		return
	}
	if last := &l.rates[len(l.rates)-1]; now < last.from {
		last.from, last.num, last.per = max(now, l.rates[len(l.rates)-2].from+1), num, per
		return
	}
	first := l.read
	if !l.unlimited() {
		first = l.arrived(now)
	}
	l.rates = append(l.rates, rate{from: now, first: first, num: num, per: per})
}

// there lets all records up to a position have arrived: somebody has read them. The rate goes on behind them.
func (l *log) there(now event.Time, position int64) {
	if l.unlimited() {
		return
	}
	there := l.arrived(min(now, l.until-1))
	if position <= there {
		return
	}
	now = min(now, l.until-2)
	for len(l.rates) > 1 && l.rates[len(l.rates)-1].from > now {
		l.rates = l.rates[:len(l.rates)-1]
	}
	next := l.rates[len(l.rates)-1]
	next.from, next.first = l.arrival(now, position), position
	l.rates = append(l.rates, rate{from: now, first: there, num: position - there, per: 1}, next)
}

func (l *log) unlimited() bool { return l.rates[len(l.rates)-1].num == 0 }

// arrival is when the record at a position arrives; event.Never if it does not.
func (l *log) arrival(now event.Time, position int64) event.Time {
	last := l.rates[len(l.rates)-1]
	for i := len(l.rates) - 1; i > 0 && position < last.first; i-- {
		last = l.rates[i-1]
	}
	at := now // it can be read now
	switch {
	case position < l.read: // it was there before
		if last.num > 0 {
			return last.arrival(position)
		}
		return now
	case last.num > 0:
		at = last.arrival(position)
	}
	if at >= l.until || position >= l.most {
		return event.Never
	}
	return at
}

// over reports whether a bounded log is read to its end: its last record, or the time at which it ends.
func (l *log) over(now event.Time) bool {
	if !l.bounded || l.next < l.most && now < l.until {
		return false
	}
	return l.arrival(now, l.next) == event.Never
}

// arrival is from + (position - first) · per / num, rounded up.
func (r *rate) arrival(position int64) event.Time {
	hi, lo := bits.Mul64(uint64(position-r.first), uint64(r.per))
	at, rest := bits.Div64(hi, lo, uint64(r.num))
	if rest > 0 {
		at++
	}
	return r.from + event.Time(at)
}

// arrived counts the records that are in the log by its present rate.
func (l *log) arrived(now event.Time) int64 {
	n := l.rates[len(l.rates)-1].first
	for l.arrival(now, n) <= now {
		n++
	}
	return n
}
