package scenarios

import (
	"slices"
	"strconv"
	"strings"

	"checkpointlab/core"
	"checkpointlab/core/option"
)

// checkKnob reports whether Set knows a key and the lab acts on it. The error is a *option.Mistake.
func (s *Scenario) checkKnob(key string) error {
	_, err := s.Knob(key)
	return err
}

// Has reports whether Set takes a key that acts: an option that the lab models, a field of the scenario that is there, or a whole action.
func (s *Scenario) Has(key string) bool {
	if o, ok := option.Find(key); ok {
		return o.Modelled
	}
	if isAction(key) {
		return true
	}
	if _, ok := describe(key); !ok { // locate would look for the nearest name to suggest
		return false
	}
	_, _, m := locate(s.root, key, false)
	return m == nil
}

// Knob is a setting as a control shows it.
type Knob struct {
	option.Option        // Key, Type, Range, Label, Effect …; Default is that of the chosen version
	Value         string // what holds now
	Given         bool   // whether the scenario says it
}

// Knob describes a key that Set takes. An unknown one, or one that does not act, is a *option.Mistake.
func (s *Scenario) Knob(key string) (Knob, error) {
	if o, ok := option.Find(key); ok && o.Modelled {
		k := Knob{Option: *o}
		k.Default = o.DefaultIn(s.Setup.Options.Version)
		k.Value = o.Get(&s.Setup.Options)
		for _, p := range pairsOf(valueOf(s.root, "flink")) {
			if f, ok := option.Find(p.Key); ok && f.Key == o.Key {
				k.Given = true
			}
		}
		return k, nil
	}
	if _, known := option.Known(key); known {
		return Knob{}, &option.Mistake{Key: key, OfKey: true, Problem: "is an option of Flink that the lab does not model", Remedy: "choose one that acts"}
	}
	holder, field, m := locate(s.root, key, false)
	if m != nil {
		return Knob{}, m
	}
	o, _ := describe(key)
	k := Knob{Option: named(o, key)}
	k.Default = s.standard(&k.Option)
	k.Value = k.Default
	if n := valueOf(holder, field); n != nil {
		k.Given, k.Value = true, n.Value
	}
	return k, nil
}

// standard is the default of a field in this scenario.
func (s *Scenario) standard(o *option.Option) string {
	field := o.Key[strings.LastIndexByte(o.Key, '.')+1:]
	parts := strings.Split(o.Key, ".")
	c := core.MeasuredControl()
	if i := slices.Index(controlFields, field); parts[0] == "control" && i >= 0 && i < len(spans(&c)) {
		return option.FormatDuration(*spans(&c)[i])
	}
	if len(parts) < 4 || parts[1] != "vertices" {
		return o.Default
	}
	for i := range s.Setup.Vertices {
		v := &s.Setup.Vertices[i]
		switch {
		case v.Name != parts[2]:
		case field == "parallelism":
			return strconv.Itoa(s.Setup.Options.Parallelism)
		case field == "partitions":
			return strconv.Itoa(v.Parallelism)
		}
	}
	return o.Default
}
