package companion

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"checkpointlab/web/texts"
)

// The page has every section of the chapter at its anchor in both languages, each beside a run, with the answers that a reader
// without a script needs.
func TestEverySectionIsThere(t *testing.T) {
	fidelity, err := os.ReadFile("../../docs/fidelity.md")
	if err != nil {
		t.Fatal(err)
	}
	all, err := Sections()
	if err != nil {
		t.Fatal(err)
	}
	for _, lang := range texts.Languages() {
		page, err := Build(texts.Must(lang), string(fidelity))
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range all {
			if s.Scenario == "" {
				continue
			}
			_, rest, found := strings.Cut(page.Sections, `id="`+s.Anchor()+`"`)
			section, _, _ := strings.Cut(rest, "</section>")
			for _, want := range []string{`data-run="#s=`, `class="explain"`, `class="tasks"`, "<details>", "stills/" + s.Scenario + "." + lang} {
				if !found || !strings.Contains(section, want) {
					t.Errorf("%s, %s: no %s", s.ID, lang, want)
				}
			}
			if strings.Contains(section, "–") && strings.Contains(section, `class="explain">–`) {
				t.Errorf("%s, %s: the explanation lacks its numbers", s.ID, lang)
			}
		}
		for _, want := range []string{`id="limits"`, `id="sources"`, "<table>"} {
			if !strings.Contains(page.Back, want) {
				t.Errorf("%s: the end of the page lacks %s", lang, want)
			}
		}
	}
}

func TestMistakesNameTheirPlace(t *testing.T) {
	for text, want := range map[string]string{
		"no head": "write the head",
		"---\nscenario: chapter\n---\n<!-- ko -->\n# 가\n<!-- en -->\nno heading": "does not begin with its heading",
		"---\nscenarios: chapter\n---\n<!-- ko -->\n# 가\n<!-- en -->\n# a":       "scenarios",
	} {
		if _, err := parse("00-x", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	s, err := parse("00-x", []byte("---\nscenario: chapter\n---\n<!-- ko -->\n# 가\n[x](?no.such=1)\n<!-- en -->\n# a\n"))
	if err != nil {
		t.Fatal(err)
	}
	w := &writer{section: s, words: texts.Must("ko"), lang: "ko"}
	if _, err := w.markdown(s.text["ko"]); err == nil || !strings.Contains(err.Error(), "no.such") {
		t.Errorf("a link that changes nothing known: %v", err)
	}
}

// Every slide's texts name numbers that its run has, its table and its section exist, and its notes tell them.
func TestSlidesAreWhole(t *testing.T) {
	if testing.Short() {
		t.Skip("computes the run of every slide")
	}
	all, err := Lecture()
	if err != nil {
		t.Fatal(err)
	}
	for _, lang := range texts.Languages() {
		html, err := WriteLecture(texts.Must(lang), all)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(html, "<aside class=\"notes\">"); got != len(all) {
			t.Errorf("%s: %d notes of %d slides", lang, got, len(all))
		}
		for _, s := range all {
			if want := fmt.Sprintf(`<section id="%s">`, s.Slide.name()); strings.Count(html, want) != 1 {
				t.Errorf("%s: no %s", lang, want)
			}
			if s.At <= 0 || s.At > s.Run.Computed() {
				t.Errorf("%s: the instant %d lies outside of its run", s.Slide.ID, s.At)
			}
		}
	}
}

func TestASlidesMistakesNameTheirPlace(t *testing.T) {
	const body = "---\n<!-- ko -->\n# 가\n나\n<!-- notes -->\n다\n<!-- en -->\n# a\nb\n<!-- notes -->\nc %s\n"
	for head, want := range map[string]string{
		"scenario: chapter\npredict: true\ntable: a5.intervals": "not both",
		"view: plot":              "no scenario",
		"scenarios: chapter":      "scenarios",
		"scenario: chapter\nx: 1": "x",
	} {
		if _, err := parseSlide("01-x", []byte("---\n"+head+"\n"+body)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", head, err, want)
		}
	}
	for text, want := range map[string]string{"{no.such}": "no.such", "{visibility.mean}": ""} {
		s, err := parseSlide("01-x", []byte("---\nscenario: chapter\nlink: t=150\nsection: a5\n"+strings.Replace(body, "%s", text, 1)))
		if err != nil {
			t.Fatal(err)
		}
		shown, err := s.run()
		if err != nil {
			t.Fatal(err)
		}
		if _, err = WriteLecture(texts.Must("en"), []*Shown{shown}); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
