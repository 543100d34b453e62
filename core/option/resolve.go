package option

import (
	"cmp"
	"errors"
	"slices"
)

// Pair is one line of a configuration: a key in any spelling and its value as text. Line is 1-based, 0 if there is none.
type Pair struct {
	Key, Value string
	Line       int
}

// Resolve turns the options of a configuration into a Config for a version of Flink ("" = 2.3), all others at their defaults.
// Where a key is given in today's and in an old spelling, today's wins; the same spelling twice is a mistake, as in Flink's
// strict parser. The notes say what is given but does not act, or acts in another way than it seems. The error joins all
// mistakes (*Mistake), in the order of the pairs; the Config is then of no use.
func Resolve(version string, pairs []Pair) (Config, []Note, error) {
	v, m := parseVersion(version)
	if m != nil {
		m.Key = "flinkVersion"
		return Config{}, nil, m
	}
	r := &resolver{version: v, cfg: base(v), pairs: pairs, chosen: make([]int, len(table))}
	r.choose()
	for i := range table {
		if r.chosen[i] >= 0 {
			r.take(&table[i], r.chosen[i])
		}
	}
	if len(r.mistakes) == 0 {
		r.rules()
	}
	return r.outcome()
}

// take sets an option's field to the value of the pair that counts.
func (r *resolver) take(o *Option, pair int) {
	r.current = pair
	if !o.Modelled {
		r.unmodelled(o)
		return
	}
	if m := o.set(r, r.pairs[pair].Value); m != nil {
		r.wrong(pair, m)
	}
}

// resolver is the work of one Resolve.
type resolver struct {
	version int
	cfg     Config
	pairs   []Pair
	chosen  []int // by line of the table: which pair counts, -1 = none
	current int   // the pair whose value is being read

	notes    []placed[Note]
	mistakes []placed[*Mistake]
}

// placed remembers the pair that something is about, so that it can be told in the reader's order.
type placed[T any] struct {
	pair int
	what T
}

func (r *resolver) outcome() (Config, []Note, error) {
	if len(r.mistakes) > 0 {
		var all []error
		for _, m := range inOrder(r.mistakes) {
			all = append(all, m)
		}
		return Config{}, nil, errors.Join(all...)
	}
	return r.cfg, inOrder(r.notes), nil
}

func inOrder[T any](list []placed[T]) []T {
	slices.SortStableFunc(list, func(a, b placed[T]) int { return cmp.Compare(a.pair, b.pair) })
	var out []T
	for _, p := range list {
		out = append(out, p.what)
	}
	return out
}

// wrong keeps a mistake about a pair.
func (r *resolver) wrong(pair int, m *Mistake) {
	r.mistakes = append(r.mistakes, placed[*Mistake]{pair, m.at(r.pairs[pair])})
}

// note keeps a note about the current pair.
func (r *resolver) note(s Severity, en, ko string) {
	p := r.pairs[r.current]
	r.notes = append(r.notes, placed[Note]{r.current, Note{Key: p.Key, Value: p.Value, Line: p.Line, Text: en, Ko: ko, Severity: s}})
}

// choose finds for each option the pair that counts and says what becomes of the others.
func (r *resolver) choose() {
	for i := range r.chosen {
		r.chosen[i] = -1
	}
	seen := make(map[string]int, len(r.pairs))
	for i, p := range r.pairs {
		r.current = i
		if first, twice := seen[p.Key]; twice {
			r.wrong(i, &Mistake{Problem: "is given a second time" + onLine(r.pairs[first].Line), Remedy: "keep one of the two", OfKey: true})
			continue
		}
		seen[p.Key] = i
		info, known := Known(p.Key)
		switch {
		case p.Key == keySyncPhase:
			r.unreleased()
		case elsewhere(p.Key) != nil && (!known || elsewhere(p.Key).alone):
			r.foreign(elsewhere(p.Key))
		case !known:
			r.wrong(i, unknown(p.Key))
		case info.mask&(1<<r.version) == 0:
			r.unread(p.Key, info)
		default:
			r.read(i, p.Key, info)
		}
	}
}

// read gives a pair that the version reads to its option.
func (r *resolver) read(pair int, key string, info KeyInfo) {
	i, listed := index[key]
	if !listed {
		r.unmodelled(nil)
		r.renamed(info.New)
		if key == keyEntropy {
			r.entropy()
		}
		return
	}
	o := &table[i]
	if other := r.chosen[i]; other >= 0 {
		if rank(o, key) > rank(o, r.pairs[other].Key) {
			r.lost(r.pairs[other].Key)
			return
		}
		r.current = other
		r.lost(key)
		r.current = pair
	}
	r.chosen[i] = pair
	if key != o.Key && r.reads(o.Key) {
		r.renamed(o.Key)
	}
}

// rank is the place of a spelling in the order in which Flink looks for them.
func rank(o *Option, key string) int { return slices.Index(o.spellings(), key) }

// reads reports whether the version reads a spelling.
func (r *resolver) reads(key string) bool {
	info, ok := Known(key)
	return ok && info.mask&(1<<r.version) != 0
}

// given reports whether an option's value came from the text, and makes its pair the current one.
func (r *resolver) given(key string) bool {
	pair := r.chosen[index[key]]
	if pair < 0 {
		return false
	}
	r.current = pair
	return true
}

func onLine(line int) string {
	if line == 0 {
		return ""
	}
	return " (first on line " + itoa(line) + ")"
}

func unknown(key string) *Mistake {
	m := &Mistake{Problem: "is not an option of Flink, which would ignore it in silence", Remedy: "remove it", OfKey: true}
	if near := Nearest(key); near != "" {
		m.Remedy = "did you mean " + near + "?"
	}
	return m
}
