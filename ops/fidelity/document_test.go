package fidelity

import (
	"strings"
	"testing"
)

func TestRewriteReplacesOnlyBetweenMarkers(t *testing.T) {
	doc := "a\n<!-- generated: x -->\nold\n<!-- end of generated -->\nb\n<!-- generated: y -->\n<!-- end of generated -->\nc\n"
	tables := []Table{{Name: "y", Columns: []string{"k"}, Rows: [][]string{{"a|b"}}}, {Name: "x", Columns: []string{"p", "q"}, Rows: [][]string{{"1", "2"}}}}
	got, err := Rewrite(doc, tables)
	if err != nil {
		t.Fatal(err)
	}
	want := "a\n<!-- generated: x -->\n\n| p | q |\n|---|---|\n| 1 | 2 |\n\n<!-- end of generated -->\nb\n<!-- generated: y -->\n\n| k |\n|---|\n| a\\|b |\n\n<!-- end of generated -->\nc\n"
	if got != want {
		t.Errorf("got\n%s", got)
	}
	if again, _ := Rewrite(got, tables); again != got {
		t.Error("a second rewrite changes the document")
	}
}

func TestRewriteNamesTheMissingMarker(t *testing.T) {
	for _, doc := range []string{"", "<!-- generated: x -->"} {
		if _, err := Rewrite(doc, []Table{{Name: "x"}}); err == nil || !strings.Contains(err.Error(), "generated") {
			t.Errorf("%q: %v", doc, err)
		}
	}
}
