package companion

import (
	"bytes"
	"fmt"
	"net/url"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Section is one section of the page: a file that begins with YAML between two lines of three hyphens, followed by the text
// under <!-- ko --> and under <!-- en -->, each beginning with its heading.
//
//	scenario: backpressure          # the run beside the text; none: the section stands at the end
//	link: t=71.2&x=1                # where it is shown: settings, t the instant, x the speed
//	tables: {name: …}               # shown where a fenced block of the kind table names it
//
// A link that begins with ? changes settings of the section's run, [every 2 s](<?execution.checkpointing.interval=2 s>);
// one that begins with run: shows another scenario, (<run:chapter?t=60>). A fenced block of the kind math has the formula as
// text in its first line and as MathML below.
type Section struct {
	ID       string           `yaml:"-"` // the file's name: its place and its anchor, 05-a5
	Scenario string           `yaml:"scenario"`
	Link     string           `yaml:"link"`
	Tables   map[string]Table `yaml:"tables"`

	text map[string]string // by language
}

// Anchor is what the book points to: a5.
func (s *Section) Anchor() string {
	_, anchor, _ := strings.Cut(s.ID, "-")
	return anchor
}

// Title is the section's heading.
func (s *Section) Title(lang string) string { return heading(s.text[lang]) }

func heading(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return strings.TrimSpace(strings.TrimPrefix(line, "#"))
}

// Run is the fragment of the lab's address that shows the section's run.
func (s *Section) Run() string { return fragment(s.Scenario, s.Link) }

const (
	fence = "---\n"
	inKo  = "<!-- ko -->\n"
	inEn  = "<!-- en -->\n"
)

func parse(id string, data []byte) (*Section, error) {
	s := &Section{ID: id}
	var err error
	s.text, err = parseText(data, s)
	return s, err
}

// parseText reads a file: its head into a struct, and its text by language.
func parseText(data []byte, into any) (map[string]string, error) {
	rest, ok := strings.CutPrefix(string(data), fence)
	head, body, closed := strings.Cut(rest, "\n"+fence)
	_, both, ko := strings.Cut(body, inKo)
	korean, english, en := strings.Cut(both, inEn)
	if !ok || !closed || !ko || !en {
		return nil, fmt.Errorf("write the head between two lines ---, then the text under %sand under %s", inKo, strings.TrimSpace(inEn))
	}
	decoder := yaml.NewDecoder(bytes.NewReader([]byte(head)))
	decoder.KnownFields(true)
	if err := decoder.Decode(into); err != nil {
		return nil, err
	}
	all := map[string]string{"ko": strings.TrimSpace(korean), "en": strings.TrimSpace(english)}
	for lang, text := range all {
		if !strings.HasPrefix(text, "# ") {
			return nil, fmt.Errorf("the text in %s does not begin with its heading, # …", lang)
		}
	}
	return all, nil
}

// fragment is the lab's fragment of a scenario with settings, "a=b&t=1".
func fragment(scenario, settings string) string {
	out := "#s=" + url.QueryEscape(scenario)
	for pair := range strings.SplitSeq(settings, "&") {
		if key, value, ok := strings.Cut(pair, "="); ok {
			out += "&" + url.QueryEscape(key) + "=" + url.QueryEscape(value)
		}
	}
	return out
}
