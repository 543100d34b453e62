package serve

import (
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"checkpointlab/web/companion"
	"checkpointlab/web/texts"
)

// fidelityPage is docs/fidelity.md as a page: what is modelled, what is not, and the tables of errors. It is the one list of it.
const fidelityPage = "fidelity.html"

// writeFidelity renders docs/fidelity.md into the page folder, in each language.
func writeFidelity(root, outDir string) error {
	text, err := os.ReadFile(filepath.Join(root, "docs", "fidelity.md"))
	if err != nil {
		return err
	}
	for _, lang := range texts.Languages() {
		words := texts.Must(lang)
		head, err := Render(frame, words)
		if err != nil {
			return err
		}
		page := head + document(companion.Fidelity(words, string(text)), lang)
		if err := writeIfChanged(filepath.Join(outDir, pageName(fidelityPage, lang)), []byte(withPolicy(page))); err != nil {
			return err
		}
	}
	return nil
}

const frame = `<!doctype html>
<html lang="ko">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title data-t="fidelity.title"></title>
<meta name="color-scheme" content="light dark">
<link rel="icon" href="icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="tokens.css">
<link rel="stylesheet" href="prose.css">
</head>
<body>
<main>
<p><a data-t="page.brand" data-t-href="companion.labPage"></a> · <a lang="ko" hreflang="ko" href="fidelity.html">한국어</a> · <a lang="en" hreflang="en" href="fidelity.en.html">English</a></p>
`

// document is a text in the few marks of Markdown that the project's own use: headings, paragraphs, lists and tables. What is
// English in a page of another language is marked as such.
func document(markdown, lang string) string {
	var out strings.Builder
	for _, block := range strings.Split(strings.ReplaceAll(markdown, "\r\n", "\n"), "\n\n") {
		block = strings.TrimSpace(comments.ReplaceAllString(block, ""))
		lines := strings.Split(block, "\n")
		switch {
		case block == "":
		case strings.HasPrefix(block, "#"):
			heading(&out, lines[0])
		case strings.HasPrefix(block, "|"):
			table(&out, lines, lang)
		case strings.HasPrefix(block, "- "), strings.HasPrefix(block, "* "):
			out.WriteString("<ul>\n")
			for _, item := range strings.Split("\n"+block, "\n"+block[:2])[1:] {
				text := strings.Join(strings.Fields(item), " ")
				out.WriteString("<li" + english(text, lang) + ">" + inline(text) + "</li>\n")
			}
			out.WriteString("</ul>\n")
		default:
			text := strings.Join(lines, " ")
			out.WriteString("<p" + english(text, lang) + ">" + inline(text) + "</p>\n")
		}
	}
	out.WriteString("</main>\n</body>\n</html>\n")
	return out.String()
}

var comments = regexp.MustCompile(`(?s)<!--.*?-->`)

// english is the attribute of a text that is English, though its page is not.
func english(text, lang string) string {
	if lang == "en" || !twoWords.MatchString(text) || hangul.MatchString(text) {
		return ""
	}
	return ` lang="en"`
}

var (
	twoWords = regexp.MustCompile(`[A-Za-z]{2,}\W+[a-z]{2,}`)
	hangul   = regexp.MustCompile(`[가-힣]`)
)

// heading has a name to link to: its words with hyphens, or the one that stands behind it, {#name}.
func heading(out *strings.Builder, line string) {
	level := strings.IndexFunc(line, func(c rune) bool { return c != '#' })
	text := strings.TrimSpace(line[level:])
	name := companion.Slug(text)
	if before, own, ok := strings.Cut(strings.TrimSuffix(text, "}"), " {#"); ok {
		text, name = before, own
	}
	tag := "h" + string(rune('0'+min(level, 6)))
	out.WriteString("<" + tag + ` id="` + name + `">` + inline(text) + "</" + tag + ">\n")
}

// table is rows between pipes; the second one is a rule. A wide one scrolls by itself.
func table(out *strings.Builder, lines []string, lang string) {
	out.WriteString("<div class=\"wide\" tabindex=\"0\" role=\"group\"><table>\n")
	for i, line := range lines {
		if i == 1 {
			continue
		}
		tag := "td"
		if i == 0 {
			tag = "th"
		}
		out.WriteString("<tr>")
		for _, cell := range strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|") {
			cell = strings.TrimSpace(cell)
			out.WriteString("<" + tag + english(cell, lang) + ">" + inline(cell) + "</" + tag + ">")
		}
		out.WriteString("</tr>\n")
	}
	out.WriteString("</table></div>\n")
}

var (
	code     = regexp.MustCompile("`([^`]+)`")
	strong   = regexp.MustCompile(`\*\*([^*]+)\*\*`)
	emphasis = regexp.MustCompile(`\*([^*]+)\*`)
	links    = regexp.MustCompile(`\[([^\]]+)\]\([^)]*\)`) // to files that a page folder does not have: their words stay
)

func inline(text string) string {
	text = html.EscapeString(text)
	text = links.ReplaceAllString(text, "$1")
	text = code.ReplaceAllString(text, "<code>$1</code>")
	text = strong.ReplaceAllString(text, "<strong>$1</strong>")
	return emphasis.ReplaceAllString(text, "<em>$1</em>")
}
