package companion

import (
	"fmt"
	"html"
	"regexp"
	"strings"

	"checkpointlab/cmd/wasm/player"
	"checkpointlab/render/format"
)

// Say is a text in both languages.
type Say struct {
	Ko string `yaml:"ko"`
	En string `yaml:"en"`
}

func (s Say) in(lang string) string {
	if lang == "ko" {
		return s.Ko
	}
	return s.En
}

// Table has a row per run and a column per number. A click on a row shows its run.
type Table struct {
	Caption Say      `yaml:"caption"`
	First   Say      `yaml:"first"` // heading of the rows' names
	Columns []Column `yaml:"columns"`
	Rows    []Row    `yaml:"rows"`
}

// Column is a number of the row's run, or what the rows give themselves.
type Column struct {
	As     Say    `yaml:"as"`
	Number string `yaml:"number"` // a measure over the whole run, or one of the scenario's numbers
	Vertex string `yaml:"vertex"` // of a number that is one of a vertex at the end of the run
	Given  string `yaml:"given"`  // a key of the rows' given: of all rows, or beside a number of those that run nothing
}

// Row is a run.
type Row struct {
	As       Say               `yaml:"as"`
	Scenario string            `yaml:"scenario"` // default the section's
	Link     string            `yaml:"link"`     // settings, t and x, as in the section's
	Still    bool              `yaml:"still"`    // nothing to run: all its columns are given
	Given    map[string]string `yaml:"given"`    // what no run says: a formula's value, a published one
}

func (w *writer) table(name string) error {
	t, ok := w.section.Tables[name]
	if !ok {
		return fmt.Errorf("the text names the table %q, which the head lacks", name)
	}
	o := w.out
	fmt.Fprintf(o, `<div class="scroll"><table class="runs"><caption>%s</caption><thead><tr><th scope="col">%s</th>`, html.EscapeString(t.Caption.in(w.lang)), html.EscapeString(t.First.in(w.lang)))
	for _, c := range t.Columns {
		fmt.Fprintf(o, `<th scope="col">%s</th>`, html.EscapeString(c.As.in(w.lang)))
	}
	o.WriteString("</tr></thead><tbody>\n")
	for i := range t.Rows {
		if err := w.row(&t, &t.Rows[i]); err != nil {
			return fmt.Errorf("table %s, row %d: %w", name, i+1, err)
		}
	}
	o.WriteString("</tbody></table></div>\n")
	return nil
}

func (w *writer) row(t *Table, row *Row) error {
	scenario := row.Scenario
	if scenario == "" {
		scenario = w.section.Scenario
	}
	name := html.EscapeString(row.As.in(w.lang))
	if row.Still {
		fmt.Fprintf(w.out, `<tr><th scope="row">%s</th>`, name)
	} else {
		link := fragment(scenario, row.Link)
		fmt.Fprintf(w.out, `<tr data-run="%s"><th scope="row"><a class="run" href="%s" data-run="%s">%s</a></th>`, html.EscapeString(link), w.labHref(link), html.EscapeString(link), name)
	}
	for _, c := range t.Columns {
		cell, err := w.cell(&c, row, scenario)
		if err != nil {
			return err
		}
		fmt.Fprintf(w.out, "<td>%s</td>", html.EscapeString(cell))
	}
	w.out.WriteString("</tr>\n")
	return nil
}

// joined is a number and its unit, which no line parts.
var joined = regexp.MustCompile(`(\d) (ms|s|min|h|[kKMGT]?i?B|%)(\W|$)`)

func (w *writer) cell(c *Column, row *Row, scenario string) (string, error) {
	if row.Still || c.Number == "" {
		text := row.Given[c.Given]
		if ko, en, both := strings.Cut(text, " | "); both {
			text = Say{ko, en}.in(w.lang)
		}
		return joined.ReplaceAllString(text, "$1"+format.Space+"$2$3"), nil
	}
	r, err := load(scenario, settingsOf(row.Link))
	if err != nil {
		return "", err
	}
	if c.Vertex != "" {
		unit, value, err := r.scenario.AtEnd(c.Number, c.Vertex, r.lab)
		return player.Words{}.Value(unit, value), err
	}
	n, ok := r.scenario.Number(c.Number)
	if !ok {
		return "–", nil
	}
	return player.Words{}.Value(n.Unit, n.Of(r.lab.Setup(), r.lab.History())), nil
}
