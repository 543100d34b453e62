package serve

import (
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// fidelityFile is docs/fidelity.md as a page: what is modelled, what is not, and the tables of errors. It is the one list of it.
const fidelityFile = "fidelity.html"

// writeFidelity renders docs/fidelity.md into the page folder.
func writeFidelity(root, outDir string) error {
	text, err := os.ReadFile(filepath.Join(root, "docs", "fidelity.md"))
	if err != nil {
		return err
	}
	return writeIfChanged(filepath.Join(outDir, fidelityFile), []byte(withPolicy(document(string(text)))))
}

const frame = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Checkpoint Lab: how well it fits, and what is not modelled</title>
<meta name="color-scheme" content="light dark">
<link rel="icon" href="icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="tokens.css">
<link rel="stylesheet" href="prose.css">
</head>
<body>
<main>
`

// document is a text in the few marks of Markdown that the project's own use: headings, paragraphs, lists and tables.
func document(markdown string) string {
	var out strings.Builder
	out.WriteString(frame)
	for _, block := range strings.Split(strings.ReplaceAll(markdown, "\r\n", "\n"), "\n\n") {
		block = strings.TrimSpace(comments.ReplaceAllString(block, ""))
		lines := strings.Split(block, "\n")
		switch {
		case block == "":
		case strings.HasPrefix(block, "#"):
			heading(&out, lines[0])
		case strings.HasPrefix(block, "|"):
			table(&out, lines)
		case strings.HasPrefix(block, "- "), strings.HasPrefix(block, "* "):
			out.WriteString("<ul>\n")
			for _, item := range strings.Split("\n"+block, "\n"+block[:2])[1:] {
				out.WriteString("<li>" + inline(strings.Join(strings.Fields(item), " ")) + "</li>\n")
			}
			out.WriteString("</ul>\n")
		default:
			out.WriteString("<p>" + inline(strings.Join(lines, " ")) + "</p>\n")
		}
	}
	out.WriteString("</main>\n</body>\n</html>\n")
	return out.String()
}

var comments = regexp.MustCompile(`(?s)<!--.*?-->`)

// heading has a name to link to: its words with hyphens.
func heading(out *strings.Builder, line string) {
	level := strings.IndexFunc(line, func(c rune) bool { return c != '#' })
	text := strings.TrimSpace(line[level:])
	tag := "h" + string(rune('0'+min(level, 6)))
	name := strings.Trim(notWord.ReplaceAllString(strings.ToLower(text), "-"), "-")
	out.WriteString("<" + tag + ` id="` + name + `">` + inline(text) + "</" + tag + ">\n")
}

var notWord = regexp.MustCompile(`[^a-z0-9]+`)

// table is rows between pipes; the second one is a rule. A wide one scrolls by itself.
func table(out *strings.Builder, lines []string) {
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
			out.WriteString("<" + tag + ">" + inline(strings.TrimSpace(cell)) + "</" + tag + ">")
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
