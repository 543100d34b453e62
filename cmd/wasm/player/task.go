package player

import (
	"math"
	"strconv"

	"checkpointlab/core/event"
	"checkpointlab/core/option"
	"checkpointlab/ops/finding"
	"checkpointlab/render/format"
	"checkpointlab/scenarios"
	"checkpointlab/web/texts"
)

// Task is something that the reader can bring about. A task that was done stays ticked until another scenario is loaded.
type Task struct {
	Do   string `json:"do"`
	Done bool   `json:"done"`
	Off  bool   `json:"off"` // it means nothing with the settings as they are
}

// learned is what a run has taught once it is computed to its end.
type learned struct {
	film     film
	lang     string
	explain  string
	findings []string
	least    event.Time // interval that is kept up, by the closed form; 0 = there is none
	binding  string     // what it waits for most
}

// learn reads the finished run in view: its explanation, what it shows at its end, and which tasks it does.
func (p *Player) learn() {
	if !p.lane.complete || p.next != nil || p.learned.film == p.film && p.learned.lang == p.words.Lang() {
		return
	}
	setup, h := p.film.Setup(), p.film.History()
	p.learned = learned{film: p.film, lang: p.words.Lang(), explain: p.scenario.Explained(p.words.Lang(), setup, h, Words{p.words.Lang()})}
	end := p.view(p.film.Duration())
	p.learnCosts(end.Account.Managers)
	for _, found := range finding.Of(setup, h, end) {
		p.learned.findings = append(p.learned.findings, p.words.Finding(found))
	}
	if len(p.done) != len(p.scenario.Tasks) {
		p.done = make([]bool, len(p.scenario.Tasks))
	}
	for i := range p.scenario.Tasks {
		p.done[i] = p.done[i] || p.scenario.Tasks[i].Done(p.scenario, setup, h)
	}
}

// explanation is "" as long as the run is computed.
func (p *Player) explanation() string {
	if p.learned.film != p.film || p.next != nil {
		return ""
	}
	return p.learned.explain
}

// findings are what the run shows at its end; nil as long as it is computed, and empty if nothing is to be said.
func (p *Player) findings() []string {
	if p.learned.film == nil || p.learned.film != p.film || p.next != nil {
		return nil
	}
	return append([]string{}, p.learned.findings...)
}

func (p *Player) tasks() []Task {
	out := []Task{}
	for i := range p.scenario.Tasks {
		out = append(out, Task{p.scenario.Tasks[i].Do[p.words.Lang()], i < len(p.done) && p.done[i], p.scenario.Tasks[i].Unfit})
	}
	return out
}

// Words writes the values of a text for a reader of the page. Lang is the language of the sentences that they stand in; with none
// they stand by themselves, as in a table.
type Words struct{ Lang string }

// Value is a number with its unit, in three or four digits.
func (w Words) Value(u scenarios.Unit, v float64) string { return w.Setting(valued(u, v)) }

// Setting is a value as a sentence says it: 10초 for 10 s in Korean.
func (w Words) Setting(value string) string {
	if w.Lang == "ko" {
		return option.Korean(value)
	}
	return value
}

// valued is a number with its unit by itself.
func valued(u scenarios.Unit, v float64) string {
	switch {
	case math.IsNaN(v):
		return "–"
	case u == scenarios.Nanoseconds:
		return string(format.Span(nil, event.Time(v+0.5)))
	case u == scenarios.PerSecond:
		return string(format.Count(nil, int64(v+0.5))) + "/s"
	case u == scenarios.Bytes:
		return string(format.Bytes(nil, int64(v+0.5)))
	case u == scenarios.Share:
		return strconv.FormatFloat(100*v, 'f', 1, 64) + format.Space + "%"
	}
	return string(format.Count(nil, int64(v+0.5)))
}

// Particle is texts.Particle.
func (Words) Particle(word, pair string) string { return texts.Particle(word, pair) }
