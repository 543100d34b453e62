package fidelity

import (
	"fmt"
	"strings"
)

func beginMarker(name string) string { return "<!-- generated: " + name + " -->" }

const endMarker = "<!-- end of generated -->"

// Rewrite replaces what stands between the markers of each table in a document; the rest stays as it is.
// A table whose markers are missing is an error that names them.
func Rewrite(document string, tables []Table) (string, error) {
	for i := range tables {
		begin := beginMarker(tables[i].Name)
		before, rest, ok := strings.Cut(document, begin)
		if !ok {
			return "", fmt.Errorf("the document has no marker %q; add it and %q where the table %q belongs", begin, endMarker, tables[i].Title)
		}
		_, after, ok := strings.Cut(rest, endMarker)
		if !ok {
			return "", fmt.Errorf("the document has no %q behind %q", endMarker, begin)
		}
		document = before + begin + "\n\n" + tables[i].Markdown() + "\n" + endMarker + after
	}
	return document, nil
}
