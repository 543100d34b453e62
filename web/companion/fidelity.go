package companion

import (
	_ "embed"
	"regexp"
	"strings"
	"sync"

	"checkpointlab/web/texts"
)

//go:embed fidelity.ko.txt
var fidelityKo string

// fidelityIn are the lines of fidelity.ko.txt.
var fidelityIn = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	for line := range strings.Lines(fidelityKo) {
		if en, ko, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " => "); ok && !strings.HasPrefix(line, "#") {
			all[en] = ko
		}
	}
	return all
})

// Fidelity is Markdown of docs/fidelity.md in the language of a table: headings, paragraphs, lists and cells of tables of which
// fidelity.ko.txt has the Korean; all else stays in English. A heading keeps its English name to link to, {#name}.
func Fidelity(words *texts.Table, markdown string) string {
	if words.Lang() != "ko" {
		return markdown
	}
	blocks := strings.Split(strings.ReplaceAll(markdown, "\r\n", "\n"), "\n\n")
	for i, block := range blocks {
		blocks[i] = blockInKorean(strings.TrimSpace(block))
	}
	return strings.Join(blocks, "\n\n")
}

func blockInKorean(block string) string {
	switch {
	case strings.HasPrefix(block, "<!--"):
		return block
	case strings.HasPrefix(block, "#"):
		marks, title, _ := strings.Cut(block, " ")
		return marks + " " + inKorean(title) + " {#" + Slug(title) + "}"
	case strings.HasPrefix(block, "|"):
		lines := strings.Split(block, "\n")
		for i, line := range lines {
			lines[i] = rowInKorean(line)
		}
		return strings.Join(lines, "\n")
	case strings.HasPrefix(block, "- "):
		items := strings.Split("\n"+block, "\n- ")[1:]
		for i, item := range items {
			items[i] = "- " + inKorean(strings.Join(strings.Fields(item), " "))
		}
		return strings.Join(items, "\n")
	}
	return inKorean(strings.Join(strings.Split(block, "\n"), " "))
}

func rowInKorean(line string) string {
	cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
	for i, cell := range cells {
		if cell = strings.TrimSpace(cell); strings.Trim(cell, "-") != "" {
			cells[i] = " " + inKorean(cell) + " "
		}
	}
	return "|" + strings.Join(cells, "|") + "|"
}

func inKorean(english string) string {
	if ko, ok := fidelityIn()[english]; ok {
		return ko
	}
	return english
}

var notWord = regexp.MustCompile(`[^a-z0-9]+`)

// Slug is the name of a heading to link to: its words with hyphens.
func Slug(title string) string {
	return strings.Trim(notWord.ReplaceAllString(strings.ToLower(title), "-"), "-")
}
