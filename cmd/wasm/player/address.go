package player

import (
	"slices"
	"strings"

	"checkpointlab/core/option"
)

// Address is the result of opening the query of an embed's address.
type Address struct {
	Result
	Unknown []string `json:"unknown"` // parameters that mean nothing here: for the log
	Knobs   []string `json:"knobs"`   // the settings that are to be at hand, by key
}

// The parameters of an address that are no settings; docs/embedding.md describes them.
const (
	paramScenario = "scenario"
	paramSeed     = "seed"
	paramSpeed    = "speed"
	paramKnob     = "knob"
	paramCompare  = "compare"
)

// pageParams are read by the document (web/embed/params.js).
var pageParams = []string{"autoplay", "controls", "view", "lang", "theme", "motion", "api", "origin"}

// fieldNames are the short names of fields of a scenario; those of Flink's options are in core/option.
var fieldNames = []option.Short{
	{Name: "duration", Key: "run.duration"}, {Name: "flink", Key: "flinkVersion"}, {Name: "keys", Key: "job.keys"}, {Name: "hot-share", Key: "job.hotShare"},
}

// OpenAddress shows what a query says, paused: ?scenario=backpressure&t=71.2&interval=5s&sink.cost=1ms&compare=unaligned=true.
// A setting is named by its short name, its whole key, or VERTEX.FIELD. Each compare adds a lane, with settings separated by
// commas. A value that cannot be used is reported and left out; the rest holds.
func (p *Player) OpenAddress(query string) Address {
	l, lists, damage := parseAddress(query)
	p.single()
	wrong := append(p.tell(damage), p.openScenario(&l)...)
	a := Address{Unknown: []string{}, Knobs: []string{}}
	l.changes = slices.DeleteFunc(l.changes, func(c [2]string) bool {
		_, ok := p.spelled(c[0])
		if !ok {
			a.Unknown = append(a.Unknown, c[0])
		}
		return !ok
	})
	for i := range l.changes {
		l.changes[i][0], _ = p.spelled(l.changes[i][0])
	}
	for _, name := range words(strings.Join(lists[paramKnob], ",")) {
		key, ok := p.spelled(name)
		if _, err := p.scenario.Knob(key); !ok || err != nil { // a whole action has no control
			wrong = append(wrong, p.words.Say("address.knob", "part", option.Quote(name)))
			continue
		}
		a.Knobs = append(a.Knobs, key)
	}
	for _, list := range lists[paramCompare] {
		fragment, bad := p.laneOf(list)
		wrong = append(wrong, bad...)
		l.lanes = append(l.lanes, fragment)
	}
	a.Result = p.arrive(&l, wrong)
	return a
}

// words are the parts of a list.
func words(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
}

// laneOf is the fragment of a lane that differs from the first by a list such as unaligned=true,interval=5s.
func (p *Player) laneOf(list string) (fragment string, wrong []string) {
	l := link{}
	for part := range strings.SplitSeq(list, ",") {
		name, value, ok := strings.Cut(strings.TrimSpace(part), "=")
		key, known := p.spelled(name)
		switch {
		case part == "":
		case ok && name == paramScenario:
			l.scenario = value
		case !ok || !known:
			wrong = append(wrong, p.words.Say("address.compare", "part", option.Quote(part)))
		default:
			l.changes = append(l.changes, [2]string{key, value})
		}
	}
	return l.String(), wrong
}

// parseAddress reads a query as a link; names of settings stay as they are written, and so do the parameters that are lists.
func parseAddress(query string) (l link, lists map[string][]string, damage []damaged) {
	lists = map[string][]string{}
	parts, damage := partsOf(strings.TrimPrefix(query, "?"))
	for _, part := range parts {
		key, value, ok := cutPair(part)
		switch {
		case !ok && !strings.Contains(part, "="):
			continue // a bare word, such as a cache buster
		case !ok:
			damage = append(damage, damaged{part, "link.unreadable"})
		case slices.Contains(pageParams, key):
		case key == paramKnob || key == paramCompare:
			lists[key] = append(lists[key], value)
		default:
			if key, bad := l.takeParam(key, value); bad != "" {
				damage = append(damage, damaged{key + "=" + value, bad})
			}
		}
	}
	return l, lists, damage
}

// takeParam puts one parameter into the link; bad is the text that says what is wrong with it.
func (l *link) takeParam(key, value string) (_, bad string) {
	switch key {
	case paramScenario:
		l.scenario = value
		return key, ""
	case paramSeed:
		l.changes = append(l.changes, [2]string{"run.seed", value})
		return key, ""
	case paramSpeed:
		_, bad = l.take(keySpeed, strings.TrimRight(value, "x× "))
		return key, bad
	case keyTime:
		return l.take(keyTime, strings.TrimRight(value, "s "))
	}
	l.changes = append(l.changes, [2]string{key, value})
	return key, ""
}

// spelled is the key that a name in an address stands for; ok is false if it stands for nothing.
func (p *Player) spelled(name string) (key string, ok bool) {
	if key, ok := option.Long(name); ok {
		return key, true
	}
	for _, f := range fieldNames {
		if f.Name == name {
			return f.Key, true
		}
	}
	if _, known := option.Known(name); known {
		return name, true
	}
	for _, path := range []string{name, "job.vertices." + name, joined(name), "job.vertices." + joined(name)} {
		if p.scenario.Has(path) {
			return path, true
		}
	}
	return "", false
}

// joined is a path whose last part is written with hyphens, as it must be in an attribute of HTML, which has no capitals:
// sink.transaction-timeout is sink.transactionTimeout.
func joined(name string) string {
	at := strings.LastIndexByte(name, '.') + 1
	parts := strings.Split(name[at:], "-")
	for i, part := range parts[1:] {
		if part != "" {
			parts[i+1] = strings.ToUpper(part[:1]) + part[1:]
		}
	}
	return name[:at] + strings.Join(parts, "")
}

// Key is the key that a name in an address stands for; the name itself if it stands for nothing.
func (p *Player) Key(name string) string {
	if key, ok := p.spelled(name); ok {
		return key
	}
	return name
}
