package player

import (
	"fmt"
	"strconv"
	"strings"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/render/caption"
	"checkpointlab/render/format"
	"checkpointlab/scenarios"
)

// State is everything that the document shows beside the picture. Times are in seconds.
type State struct {
	Scenario string          `json:"scenario"`
	Title    string          `json:"title"`
	Seed     string          `json:"seed"`
	Time     float64         `json:"time"`
	Clock    string          `json:"clock"`
	TimeText string          `json:"timeText"`
	Duration float64         `json:"duration"`
	Computed float64         `json:"computed"`
	Playing  bool            `json:"playing"`
	Speed    float64         `json:"speed"`
	Speeds   []Speed         `json:"speeds"`
	Caption  []caption.Piece `json:"caption"`
	Twin     []string        `json:"twin"`
	Said     string          `json:"said"`
	Settings int             `json:"settings"` // says which knobs Settings has
	Hash     string          `json:"hash"`     // once the run is computed to its end
	Ghost    bool            `json:"ghost"`
	Predict  *Predict        `json:"predict"`

	Pace    string     `json:"pace"` // the speed at which it plays now, where that is slower than the chosen one; else empty
	Even    bool       `json:"even"` // no slow motion at moments worth seeing
	Loop    string     `json:"loop"` // what the next press on the loop's button does: begin, end or clear
	Changed bool       `json:"changed"`
	Version string     `json:"version"` // of Flink
	Acting  Acting     `json:"acting"`
	Zoomed  bool       `json:"zoomed"`
	Sweep   SweepState `json:"sweep"`
	Face    string     `json:"face"` // of the plot's panel
	File    string     `json:"file"` // what an exported file is called, without its ending

	Lanes       []Lane   `json:"lanes"`       // of a comparison, else empty
	Differences []string `json:"differences"` // how they differ from the first
	Input       string   `json:"input"`       // whether they have the same input
	Explain     string   `json:"explain"`     // "" until the run is computed
	Tasks       []Task   `json:"tasks"`
	Idea        string   `json:"idea"`
	Question    string   `json:"question"`
	Costs       []string `json:"costs"`    // of the selected lane's run up to now; empty without a storage
	Findings    []string `json:"findings"` // of the selected lane's run; null until it is computed
	Ahead       []string `json:"ahead"`    // links that are expected and held ready
}

// Named is a scenario of the list.
type Named struct {
	ID    string `json:"id"`
	Title string `json:"title"`
}

// ownScenario stands in the list for one that was pasted.
const ownScenario = "own"

// State describes the player as it is.
func (p *Player) State() State {
	v := p.View()
	s := speaker{p.words, v, p.History()}
	watch := p.caption(&s)
	st := State{
		Scenario: p.scenario.Name, Title: p.scenario.Title[p.words.Lang()],
		Seed: strconv.FormatUint(p.scenario.Setup.Seed, 10),
		Time: seconds(p.at), Duration: seconds(p.duration()), Computed: seconds(p.computed()),
		Clock:   p.clockText(p.at),
		Playing: p.playing, Speed: p.speed, Speeds: speeds,
		Caption: caption.Pieces(watch), Twin: append([]string{caption.Plain(watch)}, s.twin()...),
		Settings: p.describe().id, Ghost: p.ghost != nil, Predict: p.predict(),
		Explain: p.explanation(), Tasks: p.tasks(), Idea: p.scenario.Idea[p.words.Lang()], Question: p.scenario.Question[p.words.Lang()], Findings: p.findings(),
		Costs: p.costs(v, p.History()), Ahead: p.held(),
	}
	st.TimeText = p.words.Say("controls.scrubText", "time", st.Clock, "duration", string(format.Fixed(nil, p.duration(), event.Second, 0)))
	st.Said = caption.Plain(watch) + " " + s.coordinator()
	if st.Scenario == "" {
		st.Scenario = ownScenario
	}
	st.Hash = p.hash()
	st.Even, st.Changed, st.Zoomed = p.even, p.describe().changed, p.Axis() != [2]event.Time{}
	st.Pace, st.Loop, st.Acting = p.paceText(), p.loopState(), p.acting()
	st.Sweep, st.Version = p.sweepState(), p.scenario.Setup.Options.Version
	st.Face, st.File = p.Face(), p.FileName()
	p.compare(&st)
	st.Twin = append(st.Twin, p.sweepLines()...)
	return st
}

// compare adds what is said of several lanes.
func (p *Player) compare(st *State) {
	st.Lanes, st.Differences = p.lanesShown(), p.Differences()
	if len(p.lanes) < 2 {
		return
	}
	st.Input = p.words.Raw("compare.sameInput")
	if !p.SameInput() {
		st.Input = p.words.Raw("compare.otherInput")
	}
	watch := p.sideBySide()
	st.Caption = caption.Pieces(watch)
	st.Twin = append([]string{caption.Plain(watch)}, st.Differences...)
	for _, l := range st.Lanes {
		for _, r := range l.Rows {
			st.Twin = append(st.Twin, l.Tag+", "+r.Name+": "+r.Value)
		}
	}
	st.Said = caption.Plain(watch)
}

// hash is that of every run, once all are computed to their ends.
func (p *Player) hash() string {
	if !p.allComplete() {
		return ""
	}
	var all []string
	for _, l := range p.lanes {
		all = append(all, fmt.Sprintf("%016x", l.film.Hash()))
	}
	return strings.Join(all, "+")
}

// paceText is the speed of the slow motion that holds now.
func (p *Player) paceText() string {
	if !p.playing {
		return ""
	}
	speed, _ := p.slowed(p.at)
	if speed >= p.speed {
		return ""
	}
	return strconv.FormatFloat(speed, 'g', 1, 64) + "×"
}

func (p *Player) loopState() string {
	switch {
	case p.loop[1] > 0:
		return "clear"
	case p.looping:
		return "end"
	}
	return "begin"
}

func seconds(t event.Time) float64 { return float64(t) / float64(event.Second) }

// clockText has the decimals that the speed makes readable: milliseconds, in slow motion microseconds.
func (p *Player) clockText(t event.Time) string {
	decimals := 3
	if p.speed < 0.01 {
		decimals = 6
	}
	return string(format.Fixed(nil, t, event.Second, decimals))
}

// List is all scenarios, and last one that was pasted.
func (p *Player) List() []Named {
	var out []Named
	for _, name := range scenarios.Names() {
		out = append(out, Named{name, p.title(name)})
	}
	if p.scenario.Name == "" {
		title := p.scenario.Title[p.words.Lang()]
		if title == "" {
			title = p.words.Raw("scenario.own")
		}
		out = append(out, Named{ownScenario, title})
	}
	return out
}

// title reads a scenario's title once per language.
func (p *Player) title(name string) string {
	key := p.words.Lang() + "/" + name
	if t, ok := p.titles[key]; ok {
		return t
	}
	if p.titles == nil {
		p.titles = map[string]string{}
	}
	p.titles[key] = scenarios.Title(name)[p.words.Lang()]
	return p.titles[key]
}

// commitHold is for how long on the screen a commit stays the thing to watch.
const commitHold = 1500 * event.Millisecond

// caption is the scenario's own word for a moment, its question at the start, or what the state shows. The words for the
// moments tell of the run as it was written, numbers included: after a change they would be wrong.
func (p *Player) caption(s *speaker) string {
	hold := event.Time(float64(commitHold) * p.speed)
	lang := p.words.Lang()
	if p.at == 0 && !p.playing && p.scenario.Question[lang] != "" {
		return p.scenario.Question[lang]
	}
	if m := p.moment(s.h); m != nil {
		return m.Say[lang]
	}
	return caption.Of(p.words, s.v, s.h, hold)
}

// moment is the scenario's moment that the caption tells of, the newest one; nil if there is none, or the run is not as it was written.
func (p *Player) moment(h *core.History) *scenarios.Moment {
	if p.describe().changed {
		return nil
	}
	var told *scenarios.Moment
	newest, lasts := event.Time(-1), 2*event.Time(float64(commitHold)*p.speed)
	for i := range p.scenario.Moments {
		m := &p.scenario.Moments[i]
		if at, ok := m.In(h); ok && at > newest && at <= p.at && p.at-at <= lasts && m.Say[p.words.Lang()] != "" {
			told, newest = m, at
		}
	}
	return told
}
