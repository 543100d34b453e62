// Package keyed is what state an operator keeps: how many entries of how many bytes, from the records it has seen (spec 8).
//
// Read Shape (what a scenario says of one state), then Store (how it fills and empties). Keys are not simulated one by one: a
// store counts writes, and the entries follow from how even draws from a population of keys hit it. Sizes are exact in sum:
// the parts by key group add up to the whole.
package keyed

import (
	"fmt"

	"checkpointlab/core/event"
)

// Kind says how a state fills and empties.
type Kind uint8

// The kinds.
const (
	Value     Kind = iota // a value a key, rewritten
	List                  // an element a write, kept for Retention (0 = forever)
	Window                // a value a key and open window of Size that begins every Slide
	Join                  // each record is kept for Retention, as an interval join does
	Operator              // Keys elements of an operator's list state, split among the subtasks
	Broadcast             // Keys entries, all of them in every subtask
	Timers                // one pending timer a key for Retention after its last write
	Union                 // Keys elements of an operator's union list state: each subtask stores its own and is given all by a restore
)

// Kinds are the kinds' names in a scenario, in their order.
var Kinds = []string{"value", "list", "window", "join", "operator", "broadcast", "timers", "union"}

// Shape is one state of a vertex, as the scenario says it. It never changes in a run.
type Shape struct {
	Name       string
	Kind       Kind
	Keys       int64 // distinct keys (elements) of the whole job
	KeyBytes   int32 // serialized
	ValueBytes int32 // serialized, of one value or element
	WriteNum   int64 // writes for every WriteDen records; 0, 0 = 1, 1
	WriteDen   int64
	ReadNum    int64 // reads for every ReadDen records; 0, 0 = none
	ReadDen    int64
	LeftMill   int64 // per mille of the bytes that compression leaves; 0 = 1000: what cannot be compressed
	NewMill    int64 // share of the writes that bring a key never seen before, in millionths
	Filled     bool  // at the start every key has its value, every retention is full
	TTL        event.Time
	Retention  event.Time
	Size       event.Time
	Slide      event.Time // 0 = Size: tumbling
}

// buckets is into how many parts a time for which entries are kept is divided: entries leave evenly within each. It also bounds the
// windows that are open at once.
const buckets = 64

// MaxWindows is the most windows that a record may belong to.
const MaxWindows = buckets

// Keyed reports whether the state belongs to keys and moves with their key groups.
func (s *Shape) Keyed() bool { return s.Kind != Operator && s.Kind != Union && s.Kind != Broadcast }

// Windows is how many windows a record belongs to; 1 for other kinds.
func (s *Shape) Windows() int64 {
	if s.Kind != Window || s.Slide == 0 {
		return 1
	}
	return (s.Size + s.Slide - 1) / s.Slide
}

// Kept is for how long an entry is kept; 0 = forever.
func (s *Shape) Kept() event.Time {
	switch s.Kind {
	case Value:
		return s.TTL
	case Window:
		return s.Size
	case List, Join, Timers:
		return s.Retention
	}
	return 0
}

// Windowed reports whether entries leave after some time.
func (s *Shape) Windowed() bool { return s.Kept() > 0 }

// AtStart is at most how many entries the whole job has of the state before the first record, if so many records would have come
// in the time for which entries are kept; false if Store.Fill would count beyond what fits.
func (s *Shape) AtStart(records int64) (entries int64, ok bool) {
	if !s.Filled || s.Keys < 1 || s.Keys > maxKeys || s.WriteNum < 0 || s.WriteDen < 0 || s.Kind == Window && (s.Size < 1 || s.Slide < 0 || s.Slide > s.Size) {
		return 0, true // Check says what is wrong
	}
	num, den := max(1, s.WriteNum), max(1, s.WriteDen)
	if s.Kept() == 0 {
		written := s.Keys * seenEach
		if written/num > mostSeen/den {
			return 0, false
		}
		if s.Kind == List {
			return written + num/den + 1, true
		}
		return s.Keys, true
	}
	if records > mostSeen/s.Windows()/num*den {
		return 0, false
	}
	written := ratio(records, num, den) * s.Windows()
	if s.Unique() {
		return written, true
	}
	return min(written, s.Keys*s.Windows()), true
}

// Unique reports whether each write makes an entry of its own, so that none replaces another.
func (s *Shape) Unique() bool { return s.Kind == List || s.Kind == Join }

// EntryBytes is what an entry takes serialized: key group (1 byte up to 128 key groups, else 2), key, namespace, value (spec 8.2;
// in the recorded runs an entry of a 4-byte key and 1004 bytes of value takes 1009 and is written in so many).
func (s *Shape) EntryBytes() int64 {
	n := int64(s.KeyBytes) + int64(s.ValueBytes) + 1 // VoidNamespace
	switch s.Kind {
	case Window:
		n += 15 // TimeWindow: two longs instead
	case Join:
		n += 8 // the map's key: the timestamp
	case Timers:
		n += 8 // the time
	}
	return n
}

// Left is the per mille of the bytes that compression leaves.
func (s *Shape) Left() int64 {
	if s.LeftMill == 0 {
		return 1000
	}
	return s.LeftMill
}

// KeyPart is how much of an entry its key and namespace take.
func (s *Shape) KeyPart() int64 { return s.EntryBytes() - int64(s.ValueBytes) }

// Check finds what is wrong with a shape of the named vertex: a sentence naming field, value and remedy.
func (s *Shape) Check(vertex string, bad func(string, ...any)) {
	at := fmt.Sprintf("state %s of %s", s.Name, vertex)
	if s.Keys < 1 || s.Keys > maxKeys {
		bad("%s has %d keys; give between 1 and %d", at, s.Keys, int64(maxKeys))
	}
	if s.KeyBytes < 0 || s.ValueBytes < 0 || s.KeyBytes > maxBytes || s.ValueBytes > maxBytes {
		bad("%s has a key of %d and a value of %d bytes; give between 0 and 256 mb each", at, s.KeyBytes, s.ValueBytes)
	}
	for _, r := range [][2]int64{{s.WriteNum, s.WriteDen}, {s.ReadNum, s.ReadDen}} {
		if r[0] < 0 || r[1] < 0 || r[0] > 1000 || r[1] > 1_000_000 || (r[0] > 0) != (r[1] > 0) && r[0] > 0 {
			bad("%s is accessed %d times for %d records; give a ratio between 1/1000000 and 1000", at, r[0], r[1])
		}
	}
	if s.NewMill < 0 || s.NewMill > million || s.NewMill > 0 && s.Kind != Value {
		bad("%s brings new keys with %d of a million writes; give a share of 0 to 1, and only to a state of kind value", at, s.NewMill)
	}
	if s.LeftMill < 0 || s.LeftMill > 1000 {
		bad("%s is compressed to %d per mille; give a share of more than 0, up to 1", at, s.LeftMill)
	}
	s.checkTimes(at, bad)
}

func (s *Shape) checkTimes(at string, bad func(string, ...any)) {
	for _, t := range []struct {
		name  string
		value event.Time
		kinds []Kind
		must  bool
	}{
		{"ttl", s.TTL, []Kind{Value}, false}, {"retention", s.Retention, []Kind{List, Join, Timers}, s.Kind == Join || s.Kind == Timers},
		{"size", s.Size, []Kind{Window}, s.Kind == Window}, {"slide", s.Slide, []Kind{Window}, false},
	} {
		mine := false
		for _, k := range t.kinds {
			mine = mine || k == s.Kind
		}
		switch {
		case t.value != 0 && !mine:
			bad("%s is of kind %s, which has no %s; leave it out", at, Kinds[s.Kind], t.name)
		case t.must && t.value == 0:
			bad("%s is of kind %s and has no %s; write a time, such as 60 min", at, Kinds[s.Kind], t.name)
		case t.value < 0 || t.value > 0 && t.value < buckets*event.Millisecond && t.name != "slide" || t.value > maxKept:
			bad("%s has a %s of %d ns; give between 64 ms and 365 days", at, t.name, t.value)
		}
	}
	if s.Kind == Window && s.Slide > 0 && (s.Slide > s.Size || s.Windows() > MaxWindows) {
		bad("%s has windows of %d ns every %d ns; let the slide be at most the size and at least a %dth of it", at, s.Size, s.Slide, MaxWindows)
	}
}

// The lab's limits, so that every sum can be counted.
const (
	million  = 1_000_000
	maxKeys  = 1_000_000_000_000
	maxBytes = 256 << 20
	maxKept  = 365 * 24 * 3600 * event.Second
	mostSeen = 1 << 60 // records, and writes
	seenEach = 256     // writes of each key of a state that is full: Distinct has them all
)
