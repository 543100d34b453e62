package serve

import (
	"fmt"
	"html"
	"regexp"
	"strings"

	"checkpointlab/core/option"
	"checkpointlab/scenarios"
	"checkpointlab/web/texts"
)

var (
	openTag = regexp.MustCompile(`<[a-z][a-z0-9]*\b[^<>]*\bdata-(?:t[a-z-]*|option)="[^<>]*>`)
	optKey  = regexp.MustCompile(`\bdata-option="([^"]*)"`)
	textKey = regexp.MustCompile(`\bdata-t="([^"]*)"`)
	attrKey = regexp.MustCompile(`\bdata-t-(label|title|content|placeholder|failed|alt|href)="([^"]*)"`)
	pageTag = regexp.MustCompile(`<html lang="[a-z]*"`)
)

// attributes are the attributes that a data-t-… fills.
var attributes = map[string]string{"label": "aria-label", "title": "title", "content": "content", "placeholder": "placeholder", "failed": "data-failed", "alt": "alt", "href": "href"}

// Render writes the sentences of a table into a page: data-t="key" is the text of its empty element, data-t-label,
// data-t-title, data-t-content, data-t-placeholder, data-t-failed, data-t-alt and data-t-href are attributes, {lang} is the
// language and {scenarios} the names of all scenarios. The marks stay, for the page's own change of language. data-option="key" is the label of one of Flink's options. A key that the table lacks and an element that is
// not empty are errors.
func Render(page string, table *texts.Table) (string, error) {
	page = pageTag.ReplaceAllString(page, `<html lang="`+table.Lang()+`"`)
	page = strings.NewReplacer("{lang}", table.Lang(), "{scenarios}", strings.Join(scenarios.Names(), " ")).Replace(page)
	var out strings.Builder
	last := 0
	for _, at := range openTag.FindAllStringIndex(page, -1) {
		tag := page[at[0]:at[1]]
		filled, text, err := fillTag(tag, table)
		if err != nil {
			return "", err
		}
		if text != "" && !strings.HasPrefix(page[at[1]:], "</") {
			return "", fmt.Errorf("%s has a content of its own: leave the element empty", tag)
		}
		out.WriteString(page[last:at[0]])
		out.WriteString(filled)
		out.WriteString(html.EscapeString(text))
		last = at[1]
	}
	out.WriteString(page[last:])
	return out.String(), nil
}

// fillTag adds the attributes to an opening tag and returns the text that follows it.
func fillTag(tag string, table *texts.Table) (filled, text string, err error) {
	extra := ""
	for _, m := range attrKey.FindAllStringSubmatch(tag, -1) {
		if !table.Has(m[2]) {
			return "", "", missing(m[2], table)
		}
		extra += " " + attributes[m[1]] + `="` + html.EscapeString(table.Raw(m[2])) + `"`
	}
	if m := textKey.FindStringSubmatch(tag); m != nil {
		if !table.Has(m[1]) {
			return "", "", missing(m[1], table)
		}
		text = table.Raw(m[1])
	}
	if m := optKey.FindStringSubmatch(tag); m != nil {
		o, ok := option.Find(m[1])
		if !ok {
			return "", "", fmt.Errorf("names the option %q, which core/option lacks", m[1])
		}
		text = o.Label[table.Lang()]
	}
	return strings.TrimSuffix(tag, ">") + extra + ">", text, nil
}

func missing(key string, table *texts.Table) error {
	return fmt.Errorf("asks for the text %q, which web/texts/%s.json lacks: add it there", key, table.Lang())
}
