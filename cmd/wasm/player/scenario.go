package player

import (
	"slices"
	"strconv"
	"strings"

	"checkpointlab/core/event"
	"checkpointlab/core/option"
	"checkpointlab/scenarios"
	"checkpointlab/web/texts"
)

// Result is the answer to a change: what is wrong with it, in one sentence per mistake, or what it is worth knowing.
type Result struct {
	OK    bool     `json:"ok"`
	Error string   `json:"error,omitempty"`
	Notes []string `json:"notes,omitempty"`
	Read  string   `json:"read,omitempty"` // what a pasted text was that is explained, not applied
	Job   bool     `json:"job,omitempty"`  // it tells of a job, of which Rebuild makes a scenario

	why string // Error without what it says of the state, for links, which say that in words of their own
}

// ModelVersion is the version of the model that a link names: runs of another version may differ.
const ModelVersion = "1"

// first is the scenario shown to a reader who comes without a link: the one in which every part of the picture moves.
const first = "backpressure"

// New makes a player that shows the first scenario.
func New(lang string) *Player {
	p := Blank(lang)
	if r := p.Load(first); !r.OK {
		panic("player: " + r.Error) // it is part of the program, and tested
	}
	return p
}

// Blank makes a player that shows nothing yet: Load, Open or OpenAddress must follow. Reading a scenario is a large part of the
// page's start, so a page that opens a link reads only that one. Until then only Lang, Reduced and Tick may be called.
func Blank(lang string) *Player {
	l := &lane{}
	return &Player{words: texts.Must(lang), make: newRun, lane: l, lanes: []*lane{l}}
}

// Lang changes the language of all that is said; an unknown one is Korean.
func (p *Player) Lang(lang string) {
	if lang == p.words.Lang() {
		return
	}
	t, err := texts.Load(lang)
	if err != nil {
		t = texts.Must(texts.Languages()[0])
	}
	p.words = t
	p.touch()
}

// Load shows a scenario from its start: one of the lab's own by name, or the text of a whole one.
func (p *Player) Load(nameOrText string) Result {
	s, err := read(nameOrText)
	if err != nil {
		return p.refused(err)
	}
	return p.begin(s, nil)
}

// showFor is the longest time that a scenario plays on the screen, slow motion aside, unless somebody chooses another speed:
// together with the text it takes a reader at most a minute and a half (TestAScenarioTakesAMinuteAndAHalf).
const showFor = 36 * event.Second

func read(nameOrText string) (*scenarios.Scenario, error) {
	if strings.ContainsAny(nameOrText, ":\n") {
		return scenarios.Parse([]byte(nameOrText))
	}
	return scenarios.Load(nameOrText)
}

// begin shows a scenario in the selected lane and drops the run before it, since another question has no ghost. If there are
// other lanes the clock stays. told are the notes that the reader has read.
func (p *Player) begin(s *scenarios.Scenario, told []option.Note) Result {
	f, err := p.make(s.Setup)
	if err != nil {
		return p.refused(err)
	}
	*p.lane = lane{scenario: s, film: f, chosen: -1}
	if len(p.lanes) > 1 {
		p.follow()
		return Result{OK: true, Notes: p.notes(s.Notes, told)}
	}
	p.at, p.wanted, p.parked = 0, 0, nil
	p.loop, p.looping, p.zoom = [2]event.Time{}, false, [2]event.Time{}
	p.speed = speedFor(s.Setup.Duration, showFor)
	p.stop()
	return Result{OK: true, Notes: p.notes(s.Notes, told)}
}

// Set changes one setting and keeps the playhead; an empty value takes the setting out, so that its default holds. After
// an error all is as before.
func (p *Player) Set(key, value string) Result {
	key, value = p.typed(key, value)
	return p.change(func(s *scenarios.Scenario) error { return s.Set(key, value) })
}

// Apply takes a pasted text: a whole scenario, or a configuration that replaces all of Flink's options; what a running Flink wrote
// is explained and changes nothing. The notes say by line
// what Flink passes over and what does not act here.
func (p *Player) Apply(text string) Result {
	if whole(text) {
		return p.Load(text)
	}
	if r := p.observed(text); r.Read != "" {
		return r
	}
	r := p.change(func(s *scenarios.Scenario) error { return s.ApplyFlink(text) })
	if r.OK {
		r.Notes = nil
		for _, n := range p.scenario.Notes {
			r.Notes = append(r.Notes, p.noted(n))
		}
	}
	return r
}

// noted is a note on a pasted text, with its line.
func (p *Player) noted(n option.Note) string {
	if n.Line > 0 {
		return p.words.Say("paste.line", "n", strconv.Itoa(n.Line)) + " " + n.In(p.words.Lang())
	}
	return n.In(p.words.Lang())
}

// whole reports whether a text is a whole scenario and not a configuration: it has a job.
func whole(text string) bool {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "job:") || strings.HasPrefix(line, "title:") {
			return true
		}
	}
	return false
}

func (p *Player) change(by func(*scenarios.Scenario) error) Result {
	s := p.scenario.Clone()
	if err := by(s); err != nil {
		return p.refused(err)
	}
	before := p.scenario.Notes
	if err := p.show(s.Setup); err != nil {
		return p.refused(err)
	}
	p.scenario, p.intro = s, 0
	return Result{OK: true, Notes: p.notes(s.Notes, before)}
}

// notes are those that the reader has not been told before.
func (p *Player) notes(now, before []option.Note) []string {
	var out []string
	for _, n := range now {
		if slices.Contains(before, n) {
			continue
		}
		out = append(out, n.In(p.words.Lang()))
	}
	return out
}

// refused is the answer to a mistake: each in a sentence of its own.
func (p *Player) refused(err error) Result {
	why := strings.Join(p.words.Mistakes(err), " ")
	return Result{Error: p.words.Say("refused", "error", why), why: why}
}

// FlinkBlock is the options that are set, as lines of a config.yaml.
func (p *Player) FlinkBlock() string { return p.scenario.FlinkBlock() }

// ScenarioText is the whole scenario with all changes.
func (p *Player) ScenarioText() string { return string(p.scenario.Marshal()) }

// Link is the state as the fragment of an address. While the run is still being computed it names the instant that the reader
// wants.
func (p *Player) Link() string {
	l := p.lanes[0].link()
	l.at, l.speed, l.model = max(p.at, p.wanted), p.speed, ModelVersion
	l.loop, l.zoom, l.face = p.Span(), p.Axis(), p.face
	if l.face == FaceLatency {
		l.face = ""
	}
	for _, other := range p.lanes[1:] {
		o := other.link()
		if o.scenario == p.lanes[0].scenario.Name {
			o.scenario = ""
		}
		l.lanes = append(l.lanes, o.String())
	}
	return l.String()
}

// link is the lane's scenario with its changes. What changes nothing here stays out of links, for it may be a secret.
func (ln *lane) link() link {
	l := link{scenario: ln.scenario.Name}
	if l.scenario == "" {
		l.document = string(ln.scenario.Shared(silent).Marshal())
		return l
	}
	for _, c := range ln.scenario.Changes() {
		if !silent(c.Key) {
			l.changes = append(l.changes, [2]string{c.Key, c.Value})
		}
	}
	return l
}

// silent reports whether a key is one of Flink's that changes nothing here: it stays out of links, for it may be a secret.
func silent(key string) bool {
	if o, ok := option.Find(key); ok {
		return !o.Modelled
	}
	_, known := option.Known(key)
	return known
}

// Open shows the state of a link; parts that cannot be read are reported and left out. An empty link is a first visit.
func (p *Player) Open(fragment string) Result {
	if strings.TrimPrefix(fragment, "#") == "" {
		if p.film == nil {
			p.Load(first)
		}
		p.Intro()
		return Result{OK: true}
	}
	if r, ok := p.adopt(fragment); ok {
		return r
	}
	l, damage := parseLink(fragment)
	p.single()
	wrong := append(p.tell(damage), p.openScenario(&l)...)
	r := p.arrive(&l, wrong)
	if l.model != "" && l.model != ModelVersion {
		r.Notes = append(r.Notes, p.words.Say("link.model", "model", l.model, "now", ModelVersion))
	}
	return r
}

// single forgets the other lanes.
func (p *Player) single() { p.lanes, p.parked = []*lane{p.lane}, nil }

// tell says what is wrong with each damaged part of a link.
func (p *Player) tell(damage []damaged) (wrong []string) {
	for _, d := range damage {
		wrong = append(wrong, p.words.Say(d.text, "part", option.Quote(d.part)))
	}
	return wrong
}

// arrive makes the changes of a link to its scenario, which is open, shows its other lanes and moves the playhead; wrong is
// what is told already.
func (p *Player) arrive(l *link, wrong []string) Result {
	wrong = append(wrong, p.openChanges(l)...)
	for _, fragment := range l.lanes {
		wrong = append(wrong, p.openLane(fragment)...)
	}
	p.lane = p.lanes[0]
	p.settle()
	if l.speed > 0 {
		p.SetSpeed(l.speed)
	}
	p.face = l.face
	if end := p.duration(); l.loop[1] <= end {
		p.loop = l.loop
	}
	if end := p.duration(); l.zoom[1] <= end {
		p.zoom = l.zoom
	}
	p.Seek(min(l.at, p.duration()))
	return Result{OK: len(wrong) == 0, Error: p.foremost(wrong)}
}

// mostTold is how many sentences about a link a reader is told at once.
const mostTold = 10

// foremost are the first sentences, and how many more there are.
func (p *Player) foremost(wrong []string) string {
	if more := len(wrong) - mostTold; more > 0 {
		wrong = append(wrong[:mostTold:mostTold], p.words.Say("link.more", "n", strconv.Itoa(more)))
	}
	return strings.Join(wrong, " ")
}

func (p *Player) openScenario(l *link) (wrong []string) {
	name := l.document
	if name == "" {
		name = l.scenario
	}
	if name == "" {
		name = first
	}
	if r := p.Load(name); !r.OK {
		wrong = append(wrong, p.words.Say("link.scenario", "error", r.why))
		p.Load(first)
	}
	return wrong
}

// openLane shows one more lane of a link.
func (p *Player) openLane(fragment string) (wrong []string) {
	l, damage := parseLink(fragment)
	wrong = p.tell(damage)
	if l.scenario == "" && l.document == "" {
		if l.scenario = p.lanes[0].scenario.Name; l.scenario == "" {
			l.document = string(p.lanes[0].scenario.Marshal())
		}
	}
	if len(l.lanes) > 0 || !p.AddLane() {
		return append(wrong, p.words.Say("link.unreadable", "part", option.Quote(fragment)))
	}
	return append(append(wrong, p.openScenario(&l)...), p.openChanges(&l)...)
}

// openChanges makes a link's changes: together, since some are right only so, else one by one, so that the right ones hold.
func (p *Player) openChanges(l *link) (wrong []string) {
	if p.changeAll(l.changes) {
		return nil
	}
	for _, c := range l.changes {
		if r := p.Set(c[0], c[1]); !r.OK {
			wrong = append(wrong, p.words.Say("link.change", "error", r.why))
		}
	}
	return wrong
}

// changeAll makes changes at once; false: not all can be used, and nothing has changed.
func (p *Player) changeAll(changes [][2]string) bool {
	if len(changes) < 2 {
		return len(changes) == 0
	}
	return p.change(func(s *scenarios.Scenario) error {
		var all []option.Pair
		for _, c := range changes {
			key, value := p.typed(c[0], c[1])
			all = append(all, option.Pair{Key: key, Value: value})
		}
		return s.SetAll(all)
	}).OK
}

// settle brings the newest run into view at once and without a ghost: a link shows one state, not the way to it.
func (p *Player) settle() {
	for _, l := range p.lanes {
		l.film, l.next, l.ghost, l.complete = l.newest(), nil, nil, false
	}
	p.at, p.wanted = 0, 0
	p.touch()
}

// Duration is the run's length.
func (p *Player) Duration() event.Time { return p.duration() }
