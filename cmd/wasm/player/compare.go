package player

import (
	"math"
	"strconv"
	"strings"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/render/format"
	"checkpointlab/scenarios"
)

// A comparison says in words how lanes differ, from the runs' own numbers.

// kind is how a difference of a measure is told.
type kind uint8

const (
	shorter kind = iota // a time: "41 % shorter"
	lower               // a latency or a rate: "41 % lower"
	size                // "1.7 MiB more"
	fewer               // a count: "2 more"
)

// compared are the measures of a comparison, the most important first.
var compared = []struct {
	measure, key string
	kind         kind
}{
	{"visibility.p99", "compare.p99", lower},
	{"visibility.mean", "compare.mean", lower},
	{"checkpoint.duration.mean", "compare.duration", shorter},
	{"checkpoint.stored.mean", "compare.stored", size},
	{"throughput", "compare.throughput", lower},
	{"lag.end", "compare.lag", fewer},
	{"checkpoints.failed", "compare.failed", fewer},
	{"reread", "compare.reread", fewer},
	{"duplicates", "compare.duplicates", fewer},
}

// verdict is what was found for certain runs, so that it is not measured anew for each picture.
type verdict struct {
	lang      string
	to        event.Time
	histories []*core.History
	sentences []string
}

// Differences compares every lane with the first, over what is computed of all of them: a sentence each.
func (p *Player) Differences() []string {
	if len(p.lanes) < 2 {
		return []string{}
	}
	v := verdict{lang: p.words.Lang(), to: p.computed()}
	for _, l := range p.lanes {
		v.histories = append(v.histories, l.film.History())
	}
	if p.verdict.same(&v) {
		return p.verdict.sentences
	}
	s := speaker{Table: p.words}
	for i := 1; i < len(p.lanes); i++ {
		v.sentences = append(v.sentences, s.compared(p.lanes[0], p.lanes[i], i, v.to))
	}
	p.verdict = v
	return v.sentences
}

func (v *verdict) same(o *verdict) bool {
	if v.lang != o.lang || v.to != o.to || len(v.histories) != len(o.histories) {
		return false
	}
	for i := range v.histories {
		if v.histories[i] != o.histories[i] {
			return false
		}
	}
	return true
}

// compared says how lane b, the i-th, differs from lane a up to an instant.
func (s *speaker) compared(a, b *lane, i int, to event.Time) string {
	var found []string
	for _, c := range compared {
		x := a.measured(c.measure, to)
		y := b.measured(c.measure, to)
		if by := s.difference(c.kind, x, y); by != "" {
			found = append(found, s.Say(c.key, "by", by))
		}
	}
	pairs := []string{"lane", laneNames[i : i+1], "first", laneNames[:1], "span", s.said(to)}
	if len(found) == 0 {
		return s.Say("compare.alike", pairs...)
	}
	return s.Say("compare.differs", append(pairs, "list", strings.Join(found, ", "))...)
}

func (l *lane) measured(name string, to event.Time) float64 {
	return scenarios.Measure(name, l.film.Setup(), l.film.History(), to)
}

// A difference of less than a two-hundredth is not reported; when a value is at least three times the other, or at most a tenth
// of it, both values say more than a percentage.
const (
	leastDifference = 0.005
	mostPercent     = 3.0
	leastPercent    = 0.1
)

// difference says how y differs from x; "" if the difference is negligible or one of them could not be measured.
func (s *speaker) difference(k kind, x, y float64) string {
	if math.IsNaN(x) || math.IsNaN(y) || math.Abs(y-x) <= leastDifference*max(math.Abs(x), math.Abs(y)) {
		return ""
	}
	up := y > x
	word := func(more, less string) string {
		if up {
			return more
		}
		return less
	}
	d := int64(math.Round(math.Abs(y - x)))
	switch k {
	case size:
		return s.Say(word("compare.more", "compare.less"), "n", string(format.Bytes(nil, d)))
	case fewer:
		return s.Say(word("compare.more", "compare.fewer"), "n", s.count(d))
	}
	if x == 0 || y/x >= mostPercent || y/x <= leastPercent {
		return s.Say("compare.from", "a", s.measure(k, x), "b", s.measure(k, y))
	}
	percent := strconv.Itoa(max(1, int(math.Round(100*math.Abs(y-x)/x)))) + format.Space + "%"
	if k == shorter {
		return s.Say(word("compare.longer", "compare.shorter"), "n", percent)
	}
	return s.Say(word("compare.higher", "compare.lower"), "n", percent)
}

func (s *speaker) measure(k kind, v float64) string {
	if v > 0 && v < 1 {
		return strconv.FormatFloat(v, 'g', 2, 64)
	}
	return s.span(event.Time(math.Round(v)))
}

// SameInput reports whether all lanes read the same records at the same times.
func (p *Player) SameInput() bool {
	for _, l := range p.lanes[1:] {
		if !sameInput(p.lanes[0].newest().Setup(), l.newest().Setup()) {
			return false
		}
	}
	return true
}

// sameInput compares what the outside world sends: logs, keys and the seed.
func sameInput(a, b *core.Setup) bool {
	if a.Seed != b.Seed || a.Keys != b.Keys || a.HotShareMill != b.HotShareMill {
		return false
	}
	x, y := inputs(a), inputs(b)
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		if x[i] != y[i] {
			return false
		}
	}
	return true
}

// input is one log, or a change of its rate.
type input struct {
	at, per, until event.Time
	num            int64
	partitions     int
	payload        int32
	source         int
}

func inputs(s *core.Setup) (all []input) {
	sources := map[int]int{} // place among the sources, by vertex
	for i := range s.Vertices {
		v := &s.Vertices[i]
		if v.Kind != core.Source {
			continue
		}
		sources[i] = len(all)
		all = append(all, input{0, v.RatePer, v.Until, v.RateNum, v.Logs(), v.Payload, len(all)})
	}
	for i := range s.Script {
		if a := &s.Script[i]; a.Do == core.Rate {
			all = append(all, input{at: a.At, per: a.RatePer, num: a.RateNum, partitions: a.Subtask, source: sources[a.Vertex]})
		}
	}
	return all
}
