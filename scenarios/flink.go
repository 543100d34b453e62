package scenarios

import (
	"errors"
	"regexp"
	"strings"
	"unicode/utf8"

	"checkpointlab/core/option"

	"go.yaml.in/yaml/v3"
)

// flatten turns the nested maps of a config.yaml into dotted keys, in place. Lists are joined with ";", as Flink does (spec 1.0).
func (r *reader) flatten(n *yaml.Node) {
	if n.Kind == yaml.ScalarNode && n.Tag == "!!null" {
		n.Kind, n.Tag, n.Value = yaml.MappingNode, "!!map", ""
		return
	}
	if n.Kind != yaml.MappingNode {
		r.bad(n, "flink", n.Value, "is not a list of options", "write key: value lines under it")
		return
	}
	var flat []*yaml.Node
	r.flattenInto(n, "", &flat)
	n.Content, n.Style = flat, 0
}

func (r *reader) flattenInto(n *yaml.Node, prefix string, flat *[]*yaml.Node) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		if k.Kind != yaml.ScalarNode || k.Value == "" {
			r.bad(k, "flink", "", "has a key that is not a word", "write the name of an option")
			continue
		}
		key := prefix + k.Value
		switch v.Kind {
		case yaml.MappingNode:
			r.flattenInto(v, key+".", flat)
			continue
		case yaml.SequenceNode:
			v = r.join(key, v)
		}
		if v.Tag == "!!null" {
			v = written("", v.Line)
		}
		*flat = append(*flat, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: key, Line: k.Line}, v)
	}
}

func (r *reader) join(key string, list *yaml.Node) *yaml.Node {
	parts := make([]string, len(list.Content))
	for i, n := range list.Content {
		if n.Kind != yaml.ScalarNode {
			r.bad(n, key, "", "has a list of more than words", "write a simple list")
		}
		parts[i] = n.Value
	}
	return written(strings.Join(parts, ";"), list.Line)
}

// flink resolves the options of the document.
func (r *reader) flink(top *object, s *Scenario) {
	version, _ := top.scalar("flinkVersion", "write 1.18, 1.20 or 2.3")
	config, notes, err := option.Resolve(version, pairsOf(valueOf(s.root, "flink")))
	s.Setup.Options, s.Notes = config, notes
	for _, e := range unjoin(err) {
		m := *e.(*option.Mistake)
		m.File = r.file
		if m.Key == "flinkVersion" {
			m.Line = top.at("flinkVersion").Line
		}
		r.mistakes = append(r.mistakes, &m)
	}
}

// unjoin is the parts of a joined error.
func unjoin(err error) []error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return joined.Unwrap()
	}
	if err == nil {
		return nil
	}
	return []error{err}
}

func pairsOf(n *yaml.Node) (pairs []option.Pair) {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		pairs = append(pairs, option.Pair{Key: n.Content[i].Value, Value: n.Content[i+1].Value, Line: n.Content[i].Line})
	}
	return pairs
}

// FlinkBlock is the options that are given, as "key: value" lines of a config.yaml; all others have Flink's defaults.
// ApplyFlink reads it back.
func (s *Scenario) FlinkBlock() string {
	n := valueOf(s.root, "flink")
	if n == nil || len(n.Content) == 0 {
		return ""
	}
	return string(encode(n))
}

// ApplyFlink replaces all of Flink's options by those of a text: a flink: block, the flat lines of a flink-conf.yaml or the
// nested ones of a config.yaml, also those of a FlinkDeployment, as JSON, as -Dkey=value or as SQL's SET. After an error, which names line, key and remedy, the scenario is as before.
func (s *Scenario) ApplyFlink(text string) error {
	r := &reader{}
	block := r.flinkText(text)
	if err := r.err(); err != nil {
		return err
	}
	root := copyTree(s.root)
	replace(root, "flink", block)
	return s.rebuild(root)
}

// flinkText reads a pasted configuration into a flat mapping; an empty one has no options.
func (r *reader) flinkText(text string) *yaml.Node {
	empty := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n")
	if !utf8.ValidString(text) || len(text) > mostBytes || strings.TrimSpace(text) == "" {
		if text != "" && strings.TrimSpace(text) != "" {
			r.bad(nil, "", "", "the text is not a configuration", "paste UTF-8 text of at most 1 mb")
		}
		return empty
	}
	trial := &reader{}
	n := trial.yaml([]byte(text))
	if n == nil || n.Kind != yaml.MappingNode {
		if onlyComments(text) {
			return empty
		}
		if n == nil && legacy(text) {
			return r.flatLines(text)
		}
		if found := arguments(text); found != nil {
			return found
		}
		if found := entries(n); found != nil {
			return r.clean(found)
		}
		if n == nil {
			r.mistakes = append(r.mistakes, trial.mistakes...)
			return empty
		}
		r.bad(n, "", "", "the text holds no option", "write key: value lines, with a space after the colon")
		return empty
	}
	clean := deployed(r.clean(n))
	r.flatten(clean)
	return clean
}

func onlyComments(text string) bool {
	for _, line := range strings.Split(text, "\n") {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			return false
		}
	}
	return true
}

// flatLine is a line of a flink-conf.yaml, whose parser is no YAML parser: the value goes to the end of the line or to a " #".
var flatLine = regexp.MustCompile(`^\s*([A-Za-z0-9_$.-]+)\s*:\s+(.*?)\s*(?:\s#.*)?$`)

// legacy reports whether each line that says something is flat.
func legacy(text string) bool {
	for _, line := range strings.Split(text, "\n") {
		if !onlyComments(line) && !flatLine.MatchString(line) {
			return false
		}
	}
	return true
}

func (r *reader) flatLines(text string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	for i, line := range strings.Split(text, "\n") {
		if m := flatLine.FindStringSubmatch(line); m != nil && !onlyComments(line) {
			value := strings.Trim(m[2], `"'`)
			if strings.ContainsFunc(value, unprintable) {
				r.bad(&yaml.Node{Line: i + 1}, m[1], "", "has a value with a character that cannot be printed", "remove it")
			}
			n.Content = append(n.Content,
				&yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: m[1], Line: i + 1},
				written(value, i+1))
		}
	}
	return n
}

// rebuild makes the scenario of a changed document; after an error it is as before.
func (s *Scenario) rebuild(root *yaml.Node) error {
	next, err := build(s.file, root)
	if err != nil {
		return withoutFile(err)
	}
	next.Name, next.born = s.Name, s.born
	*s = *next
	return nil
}

// withoutFile takes the file from mistakes that were made after it was read.
func withoutFile(err error) error {
	var all []error
	for _, e := range unjoin(err) {
		if m, ok := e.(*option.Mistake); ok {
			m.File = ""
		}
		all = append(all, e)
	}
	return errors.Join(all...)
}
