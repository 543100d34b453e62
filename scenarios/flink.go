package scenarios

import (
	"errors"
	"slices"
	"strconv"
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

// ApplyFlink replaces all of Flink's options by those of a configuration as people paste it (ReadSettings): like Flink it passes
// over what is no option, and Notes then say what was passed over and why. A text without any option is a mistake, and so is a value with which
// Flink does not start; then the scenario is as before.
func (s *Scenario) ApplyFlink(text string) error {
	read, err := s.readFlink(text)
	if err != nil {
		return err
	}
	root := copyTree(s.root)
	replace(root, "flink", blockOf(read.Given))
	if read.Version != s.Setup.Options.Version {
		replace(root, "flinkVersion", written(read.Version, 0))
	}
	if err := s.rebuild(root); err != nil {
		return err
	}
	if len(read.Notes) > 0 {
		s.Notes = read.Notes
	}
	return nil
}

// readFlink reads a text by the scenario's own version of Flink, unless it names another. An empty block has no options.
func (s *Scenario) readFlink(text string) (Settings, error) {
	version := s.Setup.Options.Version
	if bare := strings.TrimPrefix(text, "\ufeff"); utf8.ValidString(bare) && (onlyComments(bare) || strings.TrimSpace(bare) == "flink:") {
		return Settings{Version: version}, nil
	}
	all, err := readSettings(text, "", version)
	if err != nil {
		return Settings{}, err
	}
	read := all[0]
	if len(all) > 1 {
		read.note(0, "", "", "Of "+strconv.Itoa(len(all))+" commands the first one is taken.", "명령 "+strconv.Itoa(len(all))+"개 가운데 첫째 것을 쓴다.")
	}
	for _, b := range read.Beside {
		read.note(b.Line, b.Key, b.Value, "Not taken: the job of this scenario keeps its own.", "가져오지 않는다. 이 시나리오의 잡은 제 것을 그대로 쓴다.")
	}
	read.Given = slices.DeleteFunc(read.Given, func(p option.Pair) bool {
		odd := strings.ContainsFunc(p.Value, unprintable)
		if odd {
			read.note(p.Line, p.Key, "", "Not taken: its value has a character that cannot be printed.", "가져오지 않는다. 값에 인쇄할 수 없는 문자가 있다.")
		}
		return odd
	})
	switch {
	case len(read.Fatal) > 0:
		return read, errors.Join(read.Fatal...)
	case len(read.Given) == 0:
		return read, read.nothing()
	}
	return read, nil
}

// nothing says what a text without any option of Flink has instead.
func (s *Settings) nothing() error {
	var all []error
	for _, n := range s.Notes {
		if _, known := option.Known(n.Key); n.Key == "" || known || n.Severity != option.Warning {
			continue
		}
		m := &option.Mistake{Line: n.Line, Key: n.Key, Value: n.Value, OfKey: true, Problem: "is not an option of Flink, which would ignore it in silence", Remedy: "remove it"}
		if near := option.Nearest(n.Key); near != "" {
			m.Remedy = "did you mean " + near + "?"
		}
		all = append(all, m)
	}
	if len(all) == 0 {
		all = append(all, &option.Mistake{Problem: "the text holds no option", Remedy: "write key: value lines, with a space after the colon"})
	}
	return errors.Join(all...)
}

func (s *Settings) note(line int, key, value, en, ko string) {
	s.Notes = append(s.Notes, option.Note{Key: key, Value: value, Line: line, Text: en, Ko: ko, Severity: option.Info})
}

// blockOf is options as the flink: block of a scenario.
func blockOf(pairs []option.Pair) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	for _, p := range pairs {
		put(n, p.Key, p.Value, p.Line)
	}
	return n
}

func onlyComments(text string) bool {
	for _, line := range strings.Split(text, "\n") {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			return false
		}
	}
	return true
}

// legacy reports whether each line that says something is flat.
func legacy(text string) bool {
	for _, line := range strings.Split(text, "\n") {
		if _, _, flat := flatLine(line); !flat && !onlyComments(line) {
			return false
		}
	}
	return true
}

// rebuild makes the scenario of a changed document; after an error it is as before.
func (s *Scenario) rebuild(root *yaml.Node) error {
	next, err := build(s.file, root, s.born)
	if err != nil {
		return withoutFile(err)
	}
	next.Name = s.Name
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
