package scenarios

import (
	"strconv"
	"strings"

	"checkpointlab/core/event"
	"checkpointlab/core/option"

	"go.yaml.in/yaml/v3"
)

// object reads the fields of one mapping and keeps the mistakes in them.
type object struct {
	r      *reader
	path   string // "job.vertices.sink." or ""
	node   *yaml.Node
	values map[string]*yaml.Node
}

// object checks that n is a mapping of the given fields, each at most once. n may be nil: no fields.
func (r *reader) object(n *yaml.Node, path string, fields ...string) object {
	o := object{r: r, path: path, node: n, values: map[string]*yaml.Node{}}
	if path != "" {
		o.path += "."
	}
	if n == nil {
		return o
	}
	if n.Kind != yaml.MappingNode {
		r.bad(n, path, n.Value, "is not a mapping", "write its fields: "+strings.Join(fields, ", "))
		return o
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if key.Kind != yaml.ScalarNode || key.Value == "" {
			r.bad(key, path, "", map[bool]string{true: "the file "}[path == ""]+"has a key that is not a word", "the fields here are "+strings.Join(fields, ", "))
			continue
		}
		if !contains(fields, key.Value) {
			r.unknownField(n, key, o.path, fields)
			continue
		}
		if first, twice := o.values[key.Value]; twice {
			r.bad(key, o.path+key.Value, "", "is given a second time (first on line "+strconv.Itoa(first.Line)+")", "keep one of the two")
			continue
		}
		o.values[key.Value] = n.Content[i+1]
	}
	return o
}

func contains(words []string, word string) bool {
	for _, w := range words {
		if w == word {
			return true
		}
	}
	return false
}

func (r *reader) unknownField(of, key *yaml.Node, path string, fields []string) {
	remedy := "the fields here are " + strings.Join(fields, ", ")
	if place := belongs(of, key.Value); path == "" && place != "" {
		remedy = place
	} else if near := option.Closest(key.Value, fields); near != "" {
		remedy = "did you mean " + near + "?"
	} else if _, known := option.Known(key.Value); known {
		remedy = "an option of Flink belongs under flink:"
	}
	r.bad(key, path+key.Value, "", "is not a field of a scenario", remedy)
}

// has reports whether a field is given.
func (o *object) has(field string) bool { return o.values[field] != nil }

// at is where a field stands, or else the object.
func (o *object) at(field string) *yaml.Node {
	if n := o.values[field]; n != nil {
		return n
	}
	return o.node
}

// raw is a scalar's text, "" if it is not given.
func (o *object) raw(field string) string {
	if n := o.values[field]; n != nil && n.Kind == yaml.ScalarNode {
		return n.Value
	}
	return ""
}

// bad keeps a mistake about a field.
func (o *object) bad(field, problem, remedy string) {
	o.r.bad(o.at(field), o.path+field, o.raw(field), problem, remedy)
}

// refuse keeps a mistake for each of the fields that is given but does not belong.
func (o *object) refuse(problem string, fields ...string) {
	for _, f := range fields {
		if o.has(f) {
			o.r.mistake(o.at(f), &option.Mistake{Key: o.path + f, Value: o.raw(f), Problem: problem, Remedy: "remove it", OfKey: true})
		}
	}
}

// scalar is a field's text; ok is false if it is not given or is no single value.
func (o *object) scalar(field, remedy string) (string, bool) {
	n := o.values[field]
	switch {
	case n == nil:
		return "", false
	case n.Kind != yaml.ScalarNode:
		o.bad(field, "is not a single value", remedy)
		return "", false
	case n.Tag == "!!null" || strings.TrimSpace(n.Value) == "":
		o.bad(field, "has no value", remedy)
		return "", false
	}
	return strings.TrimSpace(n.Value), true
}

// read gives a field's text to parse, which returns a mistake without a key.
func (o *object) read(field, remedy string, parse func(string) error) bool {
	text, ok := o.scalar(field, remedy)
	if !ok {
		return false
	}
	if err := parse(text); err != nil {
		m := *err.(*option.Mistake)
		m.Key, m.Value = o.path+field, text
		o.r.mistake(o.at(field), &m)
		return false
	}
	return true
}

// span is a duration of least to most ns; unset if it is not given or wrong.
func (o *object) span(field string, unset, least, most event.Time) event.Time {
	d := unset
	o.read(field, "write a number and a unit, such as 10 s", func(text string) error {
		x, err := option.ParseDuration(text)
		if err != nil {
			return err
		}
		if m := outside(x, least, most, option.FormatDuration); m != nil {
			return m
		}
		d = x
		return nil
	})
	return d
}

// size is a number of bytes.
func (o *object) size(field string, unset, least, most int64) int64 {
	n := unset
	o.read(field, "write a number and a unit, such as 1 mb", func(text string) error {
		x, err := option.ParseSize(text)
		if err != nil {
			return err
		}
		if m := outside(x, least, most, option.FormatSize); m != nil {
			return m
		}
		n = x
		return nil
	})
	return n
}

// number is a whole number; ok says that it is given and right.
func (o *object) number(field string, least, most int64) (n int64, ok bool) {
	ok = o.read(field, "write a whole number", func(text string) error {
		x, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return &option.Mistake{Problem: "is not a whole number", Remedy: "write digits only"}
		}
		if m := outside(x, least, most, decimal); m != nil {
			return m
		}
		n = x
		return nil
	})
	return n, ok
}

func decimal(n int64) string { return strconv.FormatInt(n, 10) }

func outside(x, least, most int64, format func(int64) string) error {
	switch {
	case x < least:
		return &option.Mistake{Problem: "is less than " + format(least), Remedy: "write " + format(least) + " or more"}
	case x > most:
		return &option.Mistake{Problem: "is more than " + format(most), Remedy: "write " + format(most) + " or less"}
	}
	return nil
}

// word is the index of a field's value among words, in any case; unset if it is not given or wrong.
func (o *object) word(field string, unset int, words ...string) int {
	i := unset
	o.read(field, "write "+list(words), func(text string) error {
		for k, w := range words {
			if strings.EqualFold(w, text) {
				i = k
				return nil
			}
		}
		remedy := "write " + list(words)
		if near := option.Closest(text, words); near != "" {
			remedy = "did you mean " + near + "?"
		}
		return &option.Mistake{Problem: "is not known here", Remedy: remedy}
	})
	return i
}

// flag is true or false.
func (o *object) flag(field string, unset bool) bool {
	return o.word(field, boolIndex(unset), "false", "true") == 1
}

func boolIndex(b bool) int {
	if b {
		return 1
	}
	return 0
}

// items are the elements of a list; none if the field is not given.
func (o *object) items(field string) []*yaml.Node {
	n := o.values[field]
	if n == nil {
		return nil
	}
	if n.Kind != yaml.SequenceNode {
		o.bad(field, "is not a list", "write its entries on lines that begin with -")
		return nil
	}
	return n.Content
}

// strings are the elements of a list of texts.
func (o *object) strings(field string) (out []string) {
	for i, n := range o.items(field) {
		if n.Kind != yaml.ScalarNode || n.Value == "" {
			o.r.bad(n, o.path+field+"."+strconv.Itoa(i+1), "", "is not a text", "write one on the line")
			continue
		}
		out = append(out, n.Value)
	}
	return out
}

// say is a text by language: a mapping of en and ko, or one text for both.
func (o *object) say(field string) map[string]string {
	return o.r.say(o.values[field], o.path+field)
}

func (r *reader) say(n *yaml.Node, path string) map[string]string {
	switch {
	case n == nil:
		return nil
	case n.Kind == yaml.ScalarNode && n.Value != "":
		return map[string]string{"en": n.Value, "ko": n.Value}
	}
	o := r.object(n, path, "en", "ko")
	en, inEnglish := o.scalar("en", "write a text")
	ko, inKorean := o.scalar("ko", "write a text")
	if n.Kind == yaml.MappingNode && !inEnglish && !inKorean && len(n.Content) == 0 {
		r.bad(n, path, "", "has no text", "write en: and ko:")
	}
	if !inEnglish {
		en = ko
	}
	if !inKorean {
		ko = en
	}
	return map[string]string{"en": en, "ko": ko}
}
