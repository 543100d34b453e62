package companion

import (
	"bytes"
	"fmt"
	"html"
	"strings"

	"checkpointlab/cmd/wasm/player"
	"checkpointlab/scenarios"
	"checkpointlab/web/texts"
)

// writer writes one section.
type writer struct {
	out     *bytes.Buffer
	section *Section
	words   *texts.Table
	lang    string
}

func (w *writer) write() error {
	s := w.section
	title, prose, _ := strings.Cut(s.text[w.lang], "\n")
	body, err := w.markdown(prose)
	if err != nil {
		return err
	}
	class, run := "back", ""
	if s.Scenario != "" {
		class, run = "part", ` data-run="`+html.EscapeString(s.Run())+`"`
	}
	fmt.Fprintf(w.out, `<section class="%s" id="%s"%s>`+"\n", class, s.Anchor(), run)
	fmt.Fprintf(w.out, `<h2>%s%s</h2>`+"\n", w.mark(), html.EscapeString(strings.TrimPrefix(title, "# ")))
	w.out.WriteString(body)
	if s.Scenario != "" {
		if err := w.try(); err != nil {
			return err
		}
	}
	w.out.WriteString("</section>\n")
	return nil
}

// mark is the section's number in the chapter, a link to itself; sections at the end have none.
func (w *writer) mark() string {
	if w.section.Scenario == "" {
		return ""
	}
	name := w.section.Anchor()
	return `<a class="anchor" href="#` + name + `"><span class="no">` + strings.ToUpper(name) + `</span> </a>`
}

// try is the scenario's own part: its question, the prediction, what the run shows, what to do, and the still.
func (w *writer) try() error {
	r, err := load(w.section.Scenario, w.section.settings())
	if err != nil {
		return err
	}
	s := r.scenario
	o := w.out
	fmt.Fprintf(o, `<div class="try panel"><p class="q"><b>%s</b> %s</p>`, w.words.Raw("companion.question"), html.EscapeString(s.Question[w.lang]))
	if p := s.Predict; p != nil {
		fmt.Fprintf(o, `<div class="ask"><p><b>%s</b> %s</p><ol>`, w.words.Raw("predict.first"), html.EscapeString(p.Ask[w.lang]))
		for _, c := range p.Choices {
			fmt.Fprintf(o, "<li>%s</li>", html.EscapeString(c[w.lang]))
		}
		fmt.Fprintf(o, `</ol><details><summary>%s</summary><p><b>%s</b> %s</p></details></div>`, w.words.Raw("companion.answer"),
			html.EscapeString(p.Choices[p.Answer][w.lang]), html.EscapeString(p.Why[w.lang]))
	}
	fmt.Fprintf(o, `<p class="said"><b>%s</b> <span class="explain">%s</span></p>`, w.words.Raw("companion.shown"),
		html.EscapeString(s.Explained(w.lang, r.lab.Setup(), r.lab.History(), player.Words{Lang: w.lang})))
	if len(s.Tasks) > 0 {
		fmt.Fprintf(o, `<div class="do"><b>%s</b><ul class="tasks">`, w.words.Raw("companion.tasks"))
		for i := range s.Tasks {
			fmt.Fprintf(o, "<li>%s</li>", html.EscapeString(s.Tasks[i].Do[w.lang]))
		}
		o.WriteString("</ul></div>")
	}
	w.knobs(s)
	fmt.Fprintf(o, `<p class="more"><a class="run" href="%s" data-run="%s">%s</a> <a href="%s">%s</a></p>`, w.labHref(w.section.Run()), html.EscapeString(w.section.Run()),
		w.words.Raw("companion.again"), w.labHref(w.section.Run()), w.words.Raw("companion.lab"))
	fmt.Fprintf(o, `</div><img class="paper-still" loading="lazy" width="900" height="780" alt="%s" src="stills/%s.%s.paper.svg">`+"\n",
		html.EscapeString(w.words.Say("companion.still", "title", s.Title[w.lang])), s.Name, w.lang)
	return nil
}

// knobs is the place for the scenario's settings; without a script it says what they are.
func (w *writer) knobs(s *scenarios.Scenario) {
	w.out.WriteString(`<div class="turn">`)
	for _, key := range s.Knobs[:min(4, len(s.Knobs))] {
		if k, err := s.Knob(key); err == nil {
			fmt.Fprintf(w.out, `<span class="turned" data-key="%s"><span title="%s">%s</span> <b>%s</b></span>`, html.EscapeString(k.Key), html.EscapeString(k.Key), html.EscapeString(k.Label[w.lang]), html.EscapeString(k.Value))
		}
	}
	w.out.WriteString("</div>")
}

// labHref is the lab's own page with a run.
func (w *writer) labHref(fragment string) string {
	return w.words.Raw("companion.labPage") + html.EscapeString(fragment)
}
