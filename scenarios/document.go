package scenarios

import (
	"bytes"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"checkpointlab/core/option"

	"go.yaml.in/yaml/v3"
)

// MostBytes bounds a file; the largest embedded one has a few kb.
const MostBytes = 1 << 20

// reader collects the mistakes of one reading.
type reader struct {
	file     string
	changed  bool // the file was read before, and settings may have changed since: what it says of its run may not fit this one
	mistakes []error
}

// bad keeps a mistake. n gives the line, nil = none.
func (r *reader) bad(n *yaml.Node, key, value, problem, remedy string) {
	r.mistake(n, &option.Mistake{Key: key, Value: value, Problem: problem, Remedy: remedy})
}

func (r *reader) mistake(n *yaml.Node, m *option.Mistake) {
	m.File = r.file
	if n != nil {
		m.Line = n.Line
	}
	r.mistakes = append(r.mistakes, m)
}

// document parses YAML into a tree that holds only what the format allows.
func (r *reader) document(data []byte) *yaml.Node {
	root := r.yaml(data)
	if root == nil {
		return nil
	}
	if root.Kind != yaml.MappingNode {
		r.bad(root, "", "", "the file is not a scenario: it has no fields at its top", "begin with title:, job: and flink:")
		return nil
	}
	clean := r.clean(root)
	if n := valueOf(clean, "flink"); n != nil {
		r.flatten(n)
	}
	return clean
}

// yaml parses a text of one document; nil means that a mistake was kept.
func (r *reader) yaml(data []byte) *yaml.Node {
	switch {
	case len(data) > MostBytes:
		r.bad(nil, "", "", "the file has "+option.FormatSize(int64(len(data))), "give a scenario of at most 1 mb")
		return nil
	case !utf8.Valid(data):
		r.bad(nil, "", "", "the file is not UTF-8 text", "save it as UTF-8")
		return nil
	case strings.TrimSpace(strings.TrimPrefix(string(data), "\ufeff")) == "":
		r.bad(nil, "", "", "the file is empty", "write a scenario, or start from one that lab scenarios lists")
		return nil
	}
	var doc yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	if err := decoder.Decode(&doc); err != nil && err != io.EOF {
		r.notYAML(err)
		return nil
	}
	var second yaml.Node
	if err := decoder.Decode(&second); err == nil {
		r.bad(&second, "", "", "the file holds a second document", "keep one, without a line ---")
		return nil
	} else if err != io.EOF {
		r.notYAML(err)
		return nil
	}
	if len(doc.Content) == 0 {
		r.bad(nil, "", "", "the file holds only comments", "write a scenario, or start from one that lab scenarios lists")
		return nil
	}
	return doc.Content[0]
}

// notYAML turns the parser's words into a mistake.
func (r *reader) notYAML(err error) {
	text := strings.ReplaceAll(err.Error(), "\n", " ")
	at := &yaml.Node{}
	if after, ok := strings.CutPrefix(text, "yaml: "); ok {
		text = after
		if line, after, ok := strings.Cut(strings.TrimPrefix(text, "line "), ": "); ok && strings.HasPrefix(text, "line ") {
			if n, err := strconv.Atoi(line); err == nil {
				at.Line, text = n, after
			}
		}
		if at.Line > 0 && strings.HasPrefix(text, "did not find expected") {
			at.Line++ // the parser counts these lines from 0
		}
	}
	r.bad(at, "", "", "the file is not YAML: "+text, "check the indentation, the colons and the quotes")
}

// clean copies a tree without comments and refuses what the format does not use.
func (r *reader) clean(n *yaml.Node) *yaml.Node {
	c := &yaml.Node{Kind: n.Kind, Tag: n.ShortTag(), Value: n.Value, Line: n.Line, Style: n.Style & yaml.FlowStyle}
	switch {
	case n.Kind == yaml.AliasNode || n.Anchor != "":
		r.bad(n, "", "", "anchors and aliases are not part of the format", "write the value out")
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Line: n.Line}
	case !strings.HasPrefix(c.Tag, "!!") || c.Tag == "!!binary" || c.Tag == "!!merge":
		r.bad(n, "", c.Tag, "is a YAML tag, and tags are not part of the format", "remove it")
	case n.Kind == yaml.ScalarNode && strings.ContainsFunc(n.Value, unprintable):
		r.bad(n, "", "", "a value contains a character that cannot be printed", "remove it")
	}
	if n.Kind == yaml.ScalarNode && strings.Contains(n.Value, "\n") {
		c.Style = yaml.DoubleQuotedStyle
	}
	for _, child := range n.Content {
		c.Content = append(c.Content, r.clean(child))
	}
	return c
}

func unprintable(c rune) bool { return c != '\n' && !unicode.IsPrint(c) || c == '\ufeff' }

// valueOf is the value of a key in a mapping, nil if it has none.
func valueOf(n *yaml.Node, key string) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

// copyTree is a deep copy.
func copyTree(n *yaml.Node) *yaml.Node {
	c := *n
	c.Content = make([]*yaml.Node, len(n.Content))
	for i, child := range n.Content {
		c.Content[i] = copyTree(child)
	}
	return &c
}

// Marshal is the whole scenario as YAML. Parse makes the same Setup of it; comments are lost.
//
// What does not fit changed settings any more is left out, so that the text can be read again.
func (s *Scenario) Marshal() []byte {
	if s.text == nil {
		s.text = s.marshal()
	}
	return bytes.Clone(s.text)
}

func (s *Scenario) marshal() []byte {
	root := copyTree(s.root)
	if s.root != s.born {
		fit(root)
	}
	if valueOf(root, "format") == nil {
		root.Content = append([]*yaml.Node{scalar("format"), scalar(strconv.Itoa(Format))}, root.Content...)
	}
	return encode(root)
}

func encode(n *yaml.Node) []byte {
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(n); err != nil {
		panic(err) // a cleaned tree can be written
	}
	return b.Bytes()
}

func scalar(value string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Value: value} }

// Shared is the scenario without the options of Flink for which leave holds.
func (s *Scenario) Shared(leave func(key string) bool) *Scenario {
	root := copyTree(s.root)
	block := valueOf(root, "flink")
	for _, p := range pairsOf(block) {
		if leave(p.Key) {
			drop(block, p.Key)
		}
	}
	shared := *s
	shared.root, shared.text = root, nil
	return &shared
}
