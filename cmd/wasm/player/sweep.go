package player

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
	"checkpointlab/render/format"
	"checkpointlab/render/plot"
	"checkpointlab/scenarios"
)

// sweep is a run for each value of one setting, computed one after the other while nothing else is to be computed.
type sweep struct {
	key    string
	of     *scenarios.Scenario // the scenario whose setting it is, with the changes of its time
	values []string
	setups []*scenarios.Scenario // by value
	found  [][]float64           // by value, then by measure; nil = not computed
	late   []bool                // by value: its run ends before what it makes visible could be seen
	film   film                  // the one that is computed
	halted bool
}

// swept are the measures of a sweep.
var swept = []struct {
	measure, key string
	visible      bool // it tells of checkpoints that are worth a run, see late
}{
	{"visibility.p99", "sweep.p99", true}, {"checkpoint.duration.mean", "sweep.duration", true},
	{"checkpoint.stored.mean", "sweep.stored", true}, {"throughput", "sweep.throughput", false},
}

// late reports whether a run ends while more than half of it is still to become visible: a checkpoint at its very start, and
// none within it, would otherwise pass for the shortest latency of all.
func late(h *core.History, end event.Time) bool {
	if len(h.Samples) == 0 {
		return false
	}
	shown := event.Time(0)
	for i := range h.Commits {
		shown = max(shown, h.Commits[i].Max)
	}
	age := h.Samples[len(h.Samples)-1].OldestAge
	return age > end/2 && age > 2*shown
}

// mostValues bounds a sweep; each is a whole run.
const mostValues = 40

// SweepState is what the document shows of a sweep.
type SweepState struct {
	Key      string `json:"key"`
	Values   string `json:"values"` // those of the key, to be changed
	Done     int    `json:"done"`
	All      int    `json:"all"`
	Running  bool   `json:"running"`
	Progress string `json:"progress"`
}

// Sweep computes the selected lane's run for each value of a setting: a list with commas; an empty one takes values
// around the present one.
func (p *Player) Sweep(key, list string) Result {
	w := sweep{key: key, of: p.scenario}
	for _, v := range strings.Split(list, ",") {
		if v = strings.TrimSpace(v); v != "" {
			w.values = append(w.values, v)
		}
	}
	if len(w.values) == 0 {
		w.values = p.proposed(key)
	}
	if len(w.values) > mostValues {
		return Result{Error: p.words.Say("sweep.many", "n", strconv.Itoa(len(w.values)), "most", strconv.Itoa(mostValues))}
	}
	var wrong []error
	for _, v := range w.values {
		s := p.scenario.Clone()
		k, value := p.typed(key, v)
		if err := s.Set(k, value); err != nil {
			wrong = append(wrong, err)
			continue
		}
		w.setups = append(w.setups, s)
	}
	if len(wrong) > 0 {
		return p.refused(errors.Join(wrong...))
	}
	w.found, w.late = make([][]float64, len(w.values)), make([]bool, len(w.values))
	p.sweep = w
	p.touch()
	return Result{OK: true}
}

// CancelSweep stops computing; what is computed stays.
func (p *Player) CancelSweep() {
	p.sweep.halted, p.sweep.film = true, nil
	p.touch()
}

// sweeping reports whether runs of the sweep are still to be computed.
func (p *Player) sweeping() bool { return !p.sweep.halted && p.sweep.done() < len(p.sweep.values) }

func (w *sweep) done() (n int) {
	for _, f := range w.found {
		if f != nil {
			n++
		}
	}
	return n
}

// sweepOn computes on at the sweep, once the lanes are complete.
func (p *Player) sweepOn(spend func() bool) {
	w := &p.sweep
	for p.sweeping() && p.allComplete() && spend() {
		i := w.done()
		if w.film == nil {
			f, err := p.make(w.setups[i].Setup)
			if err != nil { // such as a job that a page cannot hold
				w.found[i] = slices.Repeat([]float64{math.NaN()}, len(swept))
				continue
			}
			w.film = f
		}
		if w.film.Extend(slice) {
			w.late[i] = late(w.film.History(), w.film.Duration())
			for _, m := range swept {
				v := scenarios.Measure(m.measure, w.film.Setup(), w.film.History(), w.film.Duration())
				if w.late[i] && m.visible {
					v = math.NaN()
				}
				w.found[i] = append(w.found[i], v)
			}
			w.film = nil
			p.touch()
		}
	}
}

// proposed are values around the present one: the marks of a slider, the words of a choice, or halves and doubles.
func (p *Player) proposed(key string) []string {
	k, err := p.scenario.Knob(key)
	switch {
	case err != nil:
		return []string{""}
	case stops[k.Key] != nil:
		return slices.Clone(stops[k.Key])
	case k.Type == option.Bool:
		return []string{"false", "true"}
	case k.Type == option.Enum:
		return slices.Clone(k.Enum)
	}
	value := k.Value
	if value == "" {
		value = k.Default
	}
	values := scaled(value)
	if len(values) == 1 {
		values = append(values, usual[k.Type]...)
	}
	return p.accepted(key, values)
}

// usual are values for a setting of which nothing is halved or doubled: it is nothing, none, or a share.
var usual = map[option.Type][]string{
	option.Duration: {"0 ms", "10 us", "100 us", "1 ms", "10 ms", "100 ms", "1 s", "10 s"},
	option.Float:    {"0", "0.1", "0.2", "0.3", "0.5", "0.8"},
	option.Int:      {"1", "2", "4", "8", "16"},
	option.Size:     {"1 kb", "64 kb", "1 mb", "16 mb", "256 mb"},
}

// accepted are those of the values, each once, with which the scenario runs.
func (p *Player) accepted(key string, values []string) (out []string) {
	for _, v := range values {
		if !slices.Contains(out, v) && p.scenario.Clone().Set(key, v) == nil {
			out = append(out, v)
		}
	}
	return out
}

// scaled are an eighth to eight times a number with its unit; a value that is none stands alone.
func scaled(value string) []string {
	number := strings.TrimRight(value, " abcdefghijklmnopqrstuvwxyzµ/%")
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n <= 0 {
		return []string{value}
	}
	var out []string
	for _, f := range []int64{8, 4, 2} {
		if n%f == 0 {
			out = append(out, strconv.FormatInt(n/f, 10)+value[len(number):])
		}
	}
	for _, f := range []int64{1, 2, 4, 8} {
		out = append(out, strconv.FormatInt(n*f, 10)+value[len(number):])
	}
	return out
}

func (p *Player) sweepState() SweepState {
	w := &p.sweep
	s := SweepState{Key: w.key, Values: strings.Join(w.values, ", "), Done: w.done(), All: len(w.values), Running: p.sweeping()}
	if s.All > 0 {
		s.Progress = p.words.Say("sweep.progress", "n", strconv.Itoa(s.Done), "all", strconv.Itoa(s.All))
	}
	return s
}

// SweepPlot is the sweep as a picture; nil unless it is shown.
func (p *Player) SweepPlot() *plot.Sweep {
	if p.Face() != FaceSweep {
		return nil
	}
	w := &p.sweep
	out := &plot.Sweep{Title: p.words.Raw("sweep.none"), Current: -1}
	if len(w.values) == 0 {
		return out
	}
	out.Values, out.Note = w.values, p.sweepState().Progress
	out.Title = w.key
	if k, err := w.of.Knob(w.key); err == nil {
		out.Title = k.Label[p.words.Lang()]
		out.Current = slices.Index(w.values, k.Value)
	}
	if w.of != p.scenario {
		out.Note += " " + p.words.Raw("sweep.former")
	}
	s := speaker{Table: p.words}
	for m := range swept {
		panel := plot.Panel{Title: p.words.Raw(swept[m].key)}
		for i := range w.values {
			v, text := math.NaN(), ""
			if w.found[i] != nil {
				v = w.found[i][m]
				text = s.value(swept[m].measure, v)
			}
			if w.late[i] && swept[m].visible {
				text = p.words.Raw("sweep.late")
			}
			panel.Points, panel.Texts = append(panel.Points, v), append(panel.Texts, text)
		}
		out.Panels = append(out.Panels, panel)
	}
	return out
}

// value is a measure's value in words.
func (s *speaker) value(measure string, v float64) string {
	if math.IsNaN(v) {
		return s.Raw("lane.none")
	}
	switch scenarios.UnitOf(measure) {
	case scenarios.Bytes:
		return string(format.Bytes(nil, int64(math.Round(v))))
	case scenarios.PerSecond:
		return s.count(int64(math.Round(v))) + "/s"
	case scenarios.Records:
		return s.count(int64(math.Round(v)))
	}
	return s.span(event.Time(math.Round(v)))
}

// sweepLines is the sweep in words, a line for each value that is computed.
func (p *Player) sweepLines() (lines []string) {
	w := p.SweepPlot()
	if w == nil {
		return nil
	}
	for i, v := range w.Values {
		if p.sweep.found[i] == nil {
			continue
		}
		line := w.Title + " " + v + ": "
		for m := range w.Panels {
			line += w.Panels[m].Title + " " + w.Panels[m].Texts[i] + "; "
		}
		lines = append(lines, strings.TrimSuffix(line, "; "))
	}
	return lines
}
