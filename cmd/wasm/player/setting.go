package player

import (
	"slices"
	"strings"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
	"checkpointlab/scenarios"
)

// Knob is one setting as a control of the page shows it.
type Knob struct {
	Key      string   `json:"key"`
	Name     string   `json:"name"`
	Group    string   `json:"group"` // its heading
	Value    string   `json:"value"`
	Standard string   `json:"standard"` // the default
	Unit     string   `json:"unit"`
	Changed  bool     `json:"changed"`
	Main     bool     `json:"main"`
	Kind     string   `json:"kind"` // switch, choice or text
	Stops    []string `json:"stops"`
	Stop     int      `json:"stop"`
	Choices  []Choice `json:"choices"`
	Why      string   `json:"why"`
}

// Choice is one value of a knob of kind choice.
type Choice struct {
	Value string `json:"value"`
	Label string `json:"label"`
}

// The settings that are always at hand.
const (
	keyInterval      = "execution.checkpointing.interval"
	keyBufferTimeout = "execution.buffer-timeout.interval"
	keyDebloat       = "taskmanager.network.memory.buffer-debloat.enabled"
)

var mainKeys = []string{keyInterval, keyBufferTimeout, keyDebloat}

// stops are the marks of a slider; a value between two gets a mark of its own.
var stops = map[string][]string{
	keyInterval:      {"100 ms", "200 ms", "500 ms", "1 s", "2 s", "5 s", "10 s", "20 s", "30 s", "1 min", "2 min", "5 min", "10 min"},
	keyBufferTimeout: {"0 ms", "1 ms", "2 ms", "5 ms", "10 ms", "20 ms", "50 ms", "100 ms", "200 ms", "500 ms", "1 s"},
}

// described is what the scenario says in a language; it is made again when either changes.
type described struct {
	id         int // another one each time that it is made
	scenario   *scenarios.Scenario
	lang       string
	changed    bool   // it is no longer as it was written
	knobs      []Knob // nil as long as nobody has asked: they take longer than all else of a changed setting
	happenings []Happening
}

// describe returns the descriptions of the scenario as it is.
func (p *Player) describe() *described {
	d := &p.described
	if d.scenario != p.scenario || d.lang != p.words.Lang() {
		p.descriptions++
		*d = described{p.descriptions, p.scenario, p.words.Lang(), len(p.scenario.Changes()) > 0, nil, p.happenings()}
	}
	return d
}

// Settings are the knobs that State.Settings counts.
func (p *Player) Settings() []Knob {
	d := p.describe()
	if d.knobs == nil {
		d.knobs = p.knobs()
	}
	return d.knobs
}

// knobs lists the settings of a scenario: the three main ones, those the scenario names, then every option of its version
// that acts, and what the job itself is made of.
func (p *Player) knobs() []Knob {
	var out []Knob
	seen := map[string]bool{}
	add := func(key, group string) {
		if k, err := p.scenario.Knob(key); err == nil && !seen[k.Key] {
			seen[k.Key] = true
			out = append(out, p.knob(&k, group))
		}
	}
	for _, key := range mainKeys {
		add(key, "main")
	}
	for _, key := range p.scenario.Knobs {
		add(key, "scenario")
	}
	for _, o := range option.All() {
		if o.Modelled && p.acts(&o) {
			add(o.Key, groupOf(o.Key))
		}
	}
	for _, key := range p.jobKeys() {
		add(key, "job")
	}
	return out
}

// acts leaves out what the chosen version or restart strategy does not read.
func (p *Player) acts(o *option.Option) bool {
	options := &p.scenario.Setup.Options
	version := func(v string) int { return slices.Index(option.Versions[:], v) }
	now := version(options.Version)
	if o.Since != "" && version(o.Since) > now || o.Until != "" && version(o.Until) < now {
		return false
	}
	strategy, found := strings.CutPrefix(o.Key, "restart-strategy.")
	if !found || strategy == "type" {
		return true
	}
	chosen := map[option.RestartKind]string{
		option.RestartFixedDelay: "fixed-delay", option.RestartFailureRate: "failure-rate",
		option.RestartExponentialDelay: "exponential-delay", option.RestartDefault: "exponential-delay",
	}[options.Restart]
	return chosen != "" && strings.HasPrefix(strategy, chosen+".")
}

func groupOf(key string) string {
	switch {
	case strings.HasPrefix(key, "execution.checkpointing."):
		return "checkpoint"
	case strings.HasPrefix(key, "taskmanager."), strings.HasPrefix(key, "execution.buffer-timeout."):
		return "network"
	case strings.HasPrefix(key, "restart-strategy."):
		return "restart"
	}
	return "job"
}

// jobKeys are the settings that have no key in Flink; of a vertex, those that its kind has.
func (p *Player) jobKeys() []string {
	keys := []string{"flinkVersion", "run.duration", "job.keys", "job.hotShare"}
	for i := range p.scenario.Setup.Vertices {
		v := &p.scenario.Setup.Vertices[i]
		path := "job.vertices." + v.Name + "."
		keys = append(keys, path+"parallelism")
		if v.Kind == core.Source {
			keys = append(keys, path+"rate", path+"record")
		} else {
			keys = append(keys, path+"cost")
		}
		if v.Kind == core.Sink {
			keys = append(keys, path+"guarantee")
		}
		keys = append(keys, path+"snapshot.sync", path+"snapshot.async")
	}
	return keys
}

func (p *Player) knob(k *scenarios.Knob, group string) Knob {
	lang := p.words.Lang()
	out := Knob{
		Key: k.Key, Name: k.Label[lang], Group: p.words.Raw("group." + group), Value: k.Value, Standard: k.Default, Unit: k.Unit,
		Changed: k.Given && k.Value != k.Default, Main: group == "main", Kind: "text", Why: k.Effect[lang], Stops: []string{}, Choices: []Choice{},
	}
	if k.Range != "" {
		out.Why += " (" + k.Range + ")"
	}
	switch {
	case k.Type == option.Bool:
		out.Kind = "switch"
		out.Choices = []Choice{{"true", p.words.Raw("settings.on")}, {"false", p.words.Raw("settings.off")}}
	case k.Type == option.Enum:
		out.Kind = "choice"
		for _, v := range k.Enum {
			out.Choices = append(out.Choices, Choice{v, v})
		}
	}
	p.slide(&out)
	if out.Standard == "" {
		out.Standard = p.words.Raw("settings.none")
	}
	return out
}

// slide gives a main knob its stops, with the value among them. The interval can be off, which is Flink's default.
func (p *Player) slide(k *Knob) {
	marks, ok := stops[k.Key]
	if !ok {
		return
	}
	k.Stops = slices.Clone(marks)
	if v, err := option.ParseDuration(k.Value); err == nil && k.Value != "" {
		at, found := slices.BinarySearchFunc(k.Stops, v, func(s string, v event.Time) int { return compareSpans(s, v) })
		if !found {
			k.Stops = slices.Insert(k.Stops, at, k.Value)
		}
		k.Stop = at
	}
	if k.Key == keyInterval {
		off := p.words.Raw("settings.off")
		k.Stops = append(k.Stops, off)
		if k.Value == "" {
			k.Value, k.Stop = off, len(k.Stops)-1
		}
	}
}

// compareSpans orders a stop, which is known to be a duration, against a span.
func compareSpans(stop string, v event.Time) int {
	s, _ := option.ParseDuration(stop)
	switch {
	case s < v:
		return -1
	case s > v:
		return 1
	}
	return 0
}

// typed is what a control's text means to the scenario: the words for "off" and "none" take a setting out.
func (p *Player) typed(key, value string) (string, string) {
	if key == "seed" {
		key = "run.seed"
	}
	value = strings.TrimSpace(value)
	for _, word := range []string{"settings.off", "settings.none"} {
		if strings.EqualFold(value, p.words.Raw(word)) {
			value = ""
		}
	}
	return key, value
}
