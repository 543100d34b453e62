package companion

import (
	"bytes"
	"fmt"
	"html"
	"regexp"
	"strconv"
	"strings"

	"checkpointlab/cmd/wasm/player"
	"checkpointlab/core/event"
	"checkpointlab/core/timeline"
	"checkpointlab/render/caption"
	"checkpointlab/scenarios"
	"checkpointlab/web/texts"
)

// LectureDir is the folder of the slides' stills: ID.LANG.png, and ID.LANG.dark.png.
const LectureDir = "lecture"

// Size is that of the slide's figure in px, as ../lecture.css lays it out: beside a question or a table, else as wide as the slide's text.
func (s *Slide) Size() (width, height int) {
	if s.Predict || s.Table != "" {
		return 744, 525
	}
	return 1216, 525
}

// Shown is the run of a slide at the instant that it shows.
type Shown struct {
	Slide    *Slide
	Scenario *scenarios.Scenario // with the slide's settings
	Run      *timeline.Timeline  // computed to its end
	At       event.Time
}

// Lecture computes the runs of all slides.
func Lecture() ([]*Shown, error) {
	slides, err := Slides()
	if err != nil {
		return nil, err
	}
	var all []*Shown
	for _, s := range slides {
		shown, err := s.run()
		if err != nil {
			return nil, fmt.Errorf("web/companion/slides/%s.md: %w", s.ID, err)
		}
		all = append(all, shown)
	}
	return all, nil
}

func (s *Slide) run() (*Shown, error) {
	scenario, err := scenarios.Load(s.Scenario)
	if err != nil {
		return nil, err
	}
	if err := scenario.SetAll(settingsOf(s.Link)); err != nil {
		return nil, err
	}
	run, err := timeline.New(scenario.Setup)
	if err != nil {
		return nil, err
	}
	for !run.Extend(1 << 20) {
	}
	at, err := strconv.ParseFloat(linked(s.Link, "t"), 64)
	if err != nil {
		return nil, fmt.Errorf("the link %s lacks t, the instant in s", s.Link)
	}
	return &Shown{s, scenario, run, event.Time(at * float64(event.Second))}, nil
}

// linked is what a link says of a key; "" if nothing.
func linked(link, key string) string {
	for pair := range strings.SplitSeq(link, "&") {
		if k, value, ok := strings.Cut(pair, "="); ok && k == key {
			return value
		}
	}
	return ""
}

// WriteLecture makes the slides in a language: the sections of a reveal.js deck.
func WriteLecture(words *texts.Table, all []*Shown) (string, error) {
	sections, err := Sections()
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	for _, s := range all {
		w := &slideWriter{writer{out: &out, words: words, lang: words.Lang()}, s}
		if err := w.write(sections); err != nil {
			return "", fmt.Errorf("web/companion/slides/%s.md: %w", s.Slide.ID, err)
		}
	}
	return out.String(), nil
}

// slideWriter writes one slide.
type slideWriter struct {
	writer
	shown *Shown
}

func (w *slideWriter) write(sections []*Section) error {
	s := w.shown.Slide
	told := find(sections, s.Section)
	if told == nil {
		return fmt.Errorf("there is no section %q that tells more", s.Section)
	}
	w.section = &Section{ID: s.ID, Scenario: s.Scenario, Link: s.Link, Tables: s.Tables}
	title, err := w.filled(s.Title(w.lang))
	if err != nil {
		return err
	}
	_, prose, _ := strings.Cut(s.text[w.lang], "\n")
	lead, err := w.prose(prose)
	if err != nil {
		return err
	}
	fmt.Fprintf(w.out, `<section id="%s"><div class="slide">`+"\n<h2>%s</h2>\n<div class=\"lead\">%s</div>\n", s.name(), html.EscapeString(title), lead)
	if err := w.body(sections); err != nil {
		return err
	}
	fmt.Fprintf(w.out, `<p class="more"><a href="%s#%s">%s %s</a></p>`+"\n</div>\n", w.words.Raw("lecture.home"), told.Anchor(), strings.ToUpper(told.Anchor()), html.EscapeString(told.Title(w.lang)))
	if err := w.notes(); err != nil {
		return err
	}
	w.out.WriteString("</section>\n")
	return nil
}

// name is the slide's anchor: 05-modes is modes.
func (s *Slide) name() string {
	_, name, _ := strings.Cut(s.ID, "-")
	return name
}

func find(sections []*Section, anchor string) *Section {
	for _, s := range sections {
		if s.Anchor() == anchor {
			return s
		}
	}
	return nil
}

// body is the figure alone, or a question or a table beside it.
func (w *slideWriter) body(sections []*Section) error {
	s := w.shown.Slide
	switch {
	case s.Predict:
		w.out.WriteString(`<div class="body beside"><div class="left">`)
		if err := w.predict(); err != nil {
			return err
		}
		w.out.WriteString(`</div><div class="fragment" data-fragment-index="0">`)
		w.figure()
		w.out.WriteString("</div></div>\n")
	case s.Table != "":
		w.out.WriteString(`<div class="body beside"><div class="left">`)
		if err := w.liveTable(sections); err != nil {
			return err
		}
		w.out.WriteString("</div>")
		w.figure()
		w.out.WriteString("</div>\n")
	default:
		w.out.WriteString(`<div class="body">`)
		w.figure()
		w.out.WriteString("</div>\n")
	}
	return nil
}

// predict is the scenario's question; its answer comes with the figure.
func (w *slideWriter) predict() error {
	p := w.shown.Scenario.Predict
	if p == nil {
		return fmt.Errorf("the scenario %s asks nothing", w.shown.Slide.Scenario)
	}
	fmt.Fprintf(w.out, `<p class="q">%s</p><ol>`, html.EscapeString(p.Ask[w.lang]))
	for i, c := range p.Choices {
		class := ""
		if i == p.Answer {
			class = ` class="right"`
		}
		fmt.Fprintf(w.out, `<li%s>%s</li>`, class, html.EscapeString(c[w.lang]))
	}
	fmt.Fprintf(w.out, `</ol><p class="fragment why" data-fragment-index="0"><b>%s</b> %s</p>`, html.EscapeString(p.Choices[p.Answer][w.lang]), html.EscapeString(p.Why[w.lang]))
	return nil
}

// liveTable is a table of the slide or of a section, whose rows open in the slide's figure.
func (w *slideWriter) liveTable(sections []*Section) error {
	inner := w.writer
	anchor, name, elsewhere := strings.Cut(w.shown.Slide.Table, ".")
	if !elsewhere {
		return inner.table(anchor)
	}
	if inner.section = find(sections, anchor); inner.section == nil {
		return fmt.Errorf("there is no section %q with a table %q", anchor, name)
	}
	return inner.table(name)
}

// capital is what the name of an attribute cannot have.
var capital = regexp.MustCompile("[A-Z]")

// figure is the live figure, which shows the slide's still until it is live and on paper. The dark one is fetched when it is seen.
func (w *slideWriter) figure() {
	s := w.shown.Slide
	fmt.Fprintf(w.out, `<checkpoint-lab lang="%s" theme="light" scenario="%s"`, w.lang, html.EscapeString(s.Scenario))
	for pair := range strings.SplitSeq(s.Link, "&") {
		key, value, _ := strings.Cut(pair, "=")
		if key == "x" {
			key = "speed"
		}
		key = capital.ReplaceAllStringFunc(key, func(c string) string { return "-" + strings.ToLower(c) })
		fmt.Fprintf(w.out, ` %s="%s"`, html.EscapeString(key), html.EscapeString(value))
	}
	if s.View != "" {
		fmt.Fprintf(w.out, ` view="%s"`, html.EscapeString(s.View))
	}
	if len(s.Knobs) > 0 {
		fmt.Fprintf(w.out, ` knob="%s"`, html.EscapeString(strings.Join(s.Knobs, ",")))
	}
	if s.Predict {
		w.out.WriteString(` autoplay="1"`)
	}
	title := html.EscapeString(w.shown.Scenario.Title[w.lang])
	width, height := s.Size()
	fmt.Fprintf(w.out, ` title="%s"><a href="%s">`, title, w.labHref(w.section.Run()))
	for _, img := range []string{`class="light" src="%s/%s.%s.png"`, `class="dark" loading="lazy" src="%s/%s.%s.dark.png"`} {
		fmt.Fprintf(w.out, `<img `+img+` width="%d" height="%d" alt="%s">`, LectureDir, s.ID, w.lang, width, height, html.EscapeString(w.words.Say("companion.still", "title", w.shown.Scenario.Title[w.lang])))
	}
	w.out.WriteString(`</a></checkpoint-lab>`)
}

// notes are what the speaker says, and what the figure shows in words.
func (w *slideWriter) notes() error {
	notes, err := w.prose(w.shown.Slide.notes[w.lang])
	if err != nil {
		return err
	}
	run := w.shown.Run
	view := run.At(w.shown.At)
	fmt.Fprintf(w.out, "<aside class=\"notes\">%s<p class=\"twin\"><b>%s</b> %s</p>", notes, w.words.Say("lecture.at", "time", player.Words{Lang: w.lang}.Value(scenarios.Nanoseconds, float64(w.shown.At))),
		html.EscapeString(caption.Twin(w.words, view, run.Lab().History())))
	if told := w.shown.Scenario.Explained(w.lang, run.Lab().Setup(), run.Lab().History(), player.Words{Lang: w.lang}); told != "" {
		fmt.Fprintf(w.out, "<p><b>%s</b> %s</p>", w.words.Raw("companion.shown"), html.EscapeString(told))
	}
	w.out.WriteString("</aside>\n")
	return nil
}

// prose is Markdown with the run's numbers.
func (w *slideWriter) prose(text string) (string, error) {
	filled, err := w.filled(text)
	if err != nil {
		return "", err
	}
	return w.markdown(filled)
}

func (w *slideWriter) filled(text string) (string, error) {
	run := w.shown.Run.Lab()
	return w.shown.Scenario.Filled(text, run.Setup(), run.History(), player.Words{Lang: w.lang})
}
