package reference

import (
	"maps"
	"math/big"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/state/keyed"
)

// entries is a subtask's part of one state of its operator. Keys are no values of their own, here as there: what is counted is records,
// and how many entries they have made follows from even draws (core/state/keyed).
type entries struct {
	shape *core.KeyedState
	keys  int64 // of the state's, this subtask's: elements of an operator's list, entries of a broadcast state
	even  int64 // of a million records, those that are not of the hot key
	seen  int64 // records
	past  int64 // of them, those ahead of the run, which bring no new keys
	by    map[int64]int64
	part  int64 // the latest part of time, of which by counts the records
}

// parts is into how many parts a time is divided for which entries are kept: those of the oldest leave evenly.
const parts = 64

func newEntries(shape *core.KeyedState, keys, even int64) *entries {
	return &entries{shape: shape, keys: keys, even: even, by: map[int64]int64{}}
}

func (e *entries) clone() *entries {
	c := *e
	c.by = maps.Clone(e.by)
	return &c
}

// kept is for how long, 0 = forever.
func (e *entries) kept() event.Time {
	switch s := e.shape; kind(s) {
	case "value":
		return s.TTL
	case "window":
		return s.Size
	case "list", "join", "timers":
		return s.Retention
	}
	return 0
}

func kind(s *core.KeyedState) string { return core.StateKinds()[s.Kind] }

func isKeyed(s *core.KeyedState) bool {
	k := kind(s)
	return k != "operator" && k != "union" && k != "broadcast"
}

// panes is how many windows a record belongs to.
func panes(s *core.KeyedState) int64 {
	if kind(s) != "window" || s.Slide == 0 {
		return 1
	}
	n := s.Size / s.Slide
	if n*s.Slide < s.Size {
		n++
	}
	return n
}

// width is the length of a part of time: what windows begin apart, or a 64th of what entries are kept for.
func (e *entries) width() event.Time {
	if kind(e.shape) == "window" {
		return e.shape.Size / panes(e.shape)
	}
	return e.kept() / parts
}

// bytes is what an entry takes: the key group, the key, the namespace and the value (CompositeKeySerializationUtils; spec 8.2).
func bytes(s *core.KeyedState) int64 {
	n := 1 + int64(s.KeyBytes) + int64(s.ValueBytes)
	switch kind(s) {
	case "window":
		n += 15 // TimeWindow
	case "join", "timers":
		n += 8 // a time
	}
	return n
}

// written is how many writes so many records make.
func (e *entries) written(records int64) int64 {
	return times(records, e.shape.WriteNum, e.shape.WriteDen)
}

func times(n, num, den int64) int64 {
	if den == 0 {
		return n
	}
	return n * num / den
}

// fresh is how many of the writes bring keys that were never seen.
func (e *entries) fresh(records int64) int64 {
	return e.written(records) * e.shape.NewMill / 1_000_000
}

// unique reports whether each write makes an entry of its own.
func (e *entries) unique() bool { return kind(e.shape) == "list" || kind(e.shape) == "join" }

// hit is how many keys so many records have written, of those that are not fresh: keys · (1 - e^(-n/keys)) of n even draws, and the hot
// one.
func (e *entries) hit(records, fresh int64) int64 {
	w := e.written(records)
	w -= min(w, fresh)
	even := w * e.even / 1_000_000
	n := distinct(e.keys, even)
	if even < w && n < e.keys {
		n++
	}
	return n
}

func distinct(keys, n int64) int64 {
	switch {
	case keys <= 0 || n <= 0:
		return 0
	case n/256 >= keys:
		return keys
	}
	x := newFloat(n)
	x.Quo(x, newFloat(keys*1024)) // e^-x = (e^(-x/1024))^1024
	sum, term := newFloat(1), newFloat(1)
	for i := int64(1); i < 60; i++ {
		term.Mul(term, x)
		term.Quo(term, newFloat(-i))
		sum.Add(sum, term)
	}
	for range 10 {
		sum.Mul(sum, sum)
	}
	left := sum.Mul(sum, newFloat(keys))
	whole, _ := left.Add(left, big.NewFloat(0.5)).Int64() // rounded
	return min(n, max(1, keys-whole))
}

func newFloat(n int64) *big.Float { return new(big.Float).SetPrec(200).SetInt64(n) }

// count is how many entries there are.
func (e *entries) count(now event.Time) int64 {
	switch {
	case !isKeyed(e.shape):
		return e.keys
	case e.kept() > 0:
		return e.at(now)
	case e.unique():
		return e.written(e.seen)
	}
	fresh := e.fresh(max(0, e.seen-e.past))
	return e.hit(e.seen, fresh) + fresh
}

// at is how many there are at an instant if entries are kept for a time.
func (e *entries) at(now event.Time) (n int64) {
	part, records := now/e.width(), int64(0)
	if kind(e.shape) == "window" { // each open one has the keys that were written since it began
		for i := range panes(e.shape) {
			records += e.by[part-i]
			n += e.hit(records, 0)
		}
		return n
	}
	for i := range int64(parts) {
		records += e.by[part-i]
	}
	records += e.by[part-parts] * (e.width() - now%e.width()) / e.width()
	if e.unique() { // of the latest records, which depends on how many came before where not each makes a whole number of writes
		return e.written(e.seen) - e.written(max(0, e.seen-records))
	}
	fresh := e.fresh(records)
	return e.hit(records, fresh) + fresh
}

// access is a record that writes to the state; it tells how many writes replace entries, and how many entries have left since the last
// one: those that leave within a part of time count at its end.
func (e *entries) access(now event.Time) (replaced, left int64) {
	if e.kept() > 0 {
		for last := now / e.width(); e.part < last; e.part++ {
			left += max(0, e.at(e.part*e.width())-e.at((e.part+1)*e.width()))
			delete(e.by, e.part-parts)
		}
		e.by[e.part]++
	}
	before := e.seen
	e.seen++
	if !e.unique() {
		replaced = (e.written(e.seen)-e.written(before))*panes(e.shape) - (e.fresh(max(0, e.seen-e.past)) - e.fresh(max(0, before-e.past)))
	}
	return replaced, left
}

// fill is the state as it is when the job has run for long: num records have come in every per.
func (e *entries) fill(now event.Time, num int64, per event.Time) {
	if e.kept() == 0 {
		e.seen = e.keys * 256 // draws that have hit each
		if s := e.shape; e.written(1_000_000) > 0 && s.WriteNum > 0 {
			e.seen = e.seen*s.WriteDen/s.WriteNum + 1
		}
		e.past = e.seen
		return
	}
	e.part = now / e.width()
	span := int64(parts)
	if kind(e.shape) == "window" {
		span = panes(e.shape)
	}
	for i := int64(1); i <= span; i++ {
		n := keyed.Scale(i*e.width(), num, per)
		e.by[e.part-i] = n - e.seen
		e.seen = n
	}
	e.past = e.seen
}

// add takes over mine of all that another subtask has had.
func (e *entries) add(o *entries, mine, all int64) {
	e.seen += o.seen * mine / all
	e.past += o.past * mine / all
	e.part = max(e.part, o.part)
	for part, n := range o.by {
		e.by[part] += n * mine / all
	}
}
