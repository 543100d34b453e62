// Package companion makes the text of the companion page: the chapter's sections in order, each beside a run.
//
// A section is one file of sections/, in Markdown, with its Korean and its English text; section.go describes it. Page turns
// all of them into HTML: prose, formulas, tables whose numbers are read off runs, and the question, the explanation and the
// tasks of the section's scenario, so that a reader whose browser runs nothing has them, too. The page's script brings the
// same places to life.
package companion

import (
	"bytes"
	"embed"
	"fmt"
	"html"
	"io/fs"
	"path"
	"strings"

	"checkpointlab/scenarios"
	"checkpointlab/web/texts"
)

//go:embed sections/*.md
var files embed.FS

// Page is the text of the companion in one language, as HTML.
type Page struct {
	Contents string // the list of sections
	Sections string
	Back     string // glossary, sources, limits, how to cite, licences
}

// Sections reads all sections in their order, which is that of their files' names.
func Sections() ([]*Section, error) {
	names, err := fs.Glob(files, "sections/*.md")
	if err != nil {
		return nil, err
	}
	var all []*Section
	for _, name := range names {
		data, err := files.ReadFile(name)
		if err != nil {
			return nil, err
		}
		s, err := parse(strings.TrimSuffix(path.Base(name), ".md"), data)
		if err != nil {
			return nil, fmt.Errorf("web/companion/%s: %w", name, err)
		}
		all = append(all, s)
	}
	return all, nil
}

// Build makes the page in a language. fidelity is the text of docs/fidelity.md, where the lab's limits are listed.
func Build(words *texts.Table, fidelity string) (Page, error) {
	all, err := Sections()
	if err != nil {
		return Page{}, err
	}
	var page Page
	var contents, body, back bytes.Buffer
	for _, s := range all {
		w := &writer{out: &body, section: s, words: words, lang: words.Lang()}
		if s.Scenario == "" {
			w.out = &back
		}
		if err := w.write(); err != nil {
			return Page{}, fmt.Errorf("web/companion/sections/%s.md: %w", s.ID, err)
		}
		fmt.Fprintf(&contents, `<li><a href="#%s">%s</a></li>`+"\n", s.Anchor(), html.EscapeString(s.Title(words.Lang())))
	}
	page.Contents, page.Sections = contents.String(), body.String()
	page.Back = back.String() + limits(words, fidelity) + sources(words, all)
	return page, nil
}

// sources lists where the facts of every scenario of the page are from.
func sources(words *texts.Table, all []*Section) string {
	var out strings.Builder
	fmt.Fprintf(&out, `<section class="back" id="sources"><h2>%s</h2><ul class="sources">`, words.Raw("companion.sources"))
	seen := map[string]bool{}
	for _, section := range all {
		s, err := scenarios.Load(section.Scenario)
		if err != nil {
			continue // checked when the section was written
		}
		for _, line := range s.Sources {
			if !seen[line] {
				seen[line] = true
				fmt.Fprintf(&out, `<li><a href="#%s">%s</a> %s</li>`+"\n", section.Anchor(), strings.ToUpper(section.Anchor()), html.EscapeString(line))
			}
		}
	}
	out.WriteString("</ul></section>\n")
	return out.String()
}
