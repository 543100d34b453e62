package companion

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

//go:embed slides/*.md
var slideFiles embed.FS

// Slide is one slide of the lecture: a file that begins as a section does, with the text of the slide under <!-- ko --> and
// <!-- en --> and, after <!-- notes -->, what the speaker says. Both may have {name}: a number of the slide's run, or one of its
// settings, as in a scenario's explanation.
//
//	scenario: backpressure          # the live figure
//	link: t=71.2&x=1                # where it is shown: settings, t the instant, x the speed
//	table: a5.intervals             # a table of a section, or of tables: as a section has them; its rows open in the figure
//	predict: true                   # the scenario's question; the figure comes with its answer
//	knobs: [interval]               # settings at hand below the figure
//	view: plot                      # of the figure: picture, pipeline or plot
type Slide struct {
	ID       string           `yaml:"-"` // the file's name: its place and its own name, 05-intervals
	Scenario string           `yaml:"scenario"`
	Link     string           `yaml:"link"`
	Table    string           `yaml:"table"`
	Tables   map[string]Table `yaml:"tables"`
	Predict  bool             `yaml:"predict"`
	Knobs    []string         `yaml:"knobs"`
	View     string           `yaml:"view"`
	Section  string           `yaml:"section"` // the section that tells more

	text, notes map[string]string // by language
}

const inNotes = "<!-- notes -->\n"

// Slides reads all slides in their order, which is that of their files' names.
func Slides() ([]*Slide, error) {
	names, err := fs.Glob(slideFiles, "slides/*.md")
	if err != nil {
		return nil, err
	}
	var all []*Slide
	for _, name := range names {
		data, err := slideFiles.ReadFile(name)
		if err != nil {
			return nil, err
		}
		s, err := parseSlide(strings.TrimSuffix(path.Base(name), ".md"), data)
		if err != nil {
			return nil, fmt.Errorf("web/companion/%s: %w", name, err)
		}
		all = append(all, s)
	}
	return all, nil
}

func parseSlide(id string, data []byte) (*Slide, error) {
	s := &Slide{ID: id, notes: map[string]string{}}
	var err error
	if s.text, err = parseText(data, s); err != nil {
		return nil, err
	}
	for lang, text := range s.text {
		slide, notes, found := strings.Cut(text, inNotes)
		if !found || strings.TrimSpace(notes) == "" {
			return nil, fmt.Errorf("the text in %s has no notes: write what the speaker says under %s", lang, strings.TrimSpace(inNotes))
		}
		s.text[lang], s.notes[lang] = strings.TrimSpace(slide), strings.TrimSpace(notes)
	}
	switch {
	case s.Scenario == "":
		return nil, errors.New("there is no scenario: every slide has a live figure")
	case s.Predict && s.Table != "":
		return nil, errors.New("a slide asks a question or shows a table, not both")
	}
	return s, nil
}

// Title is the slide's heading.
func (s *Slide) Title(lang string) string { return heading(s.text[lang]) }
