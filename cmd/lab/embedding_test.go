package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"checkpointlab/core/option"
)

var writeTable = flag.Bool("write", false, "write the table of short names into docs/embedding.md")

// TestShortNamesAreDocumented: the table of docs/embedding.md is that of core/option.
func TestShortNamesAreDocumented(t *testing.T) {
	const file, begin, end = "../../docs/embedding.md", "<!-- short names: begin -->\n", "<!-- short names: end -->"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok1 := strings.Cut(string(data), begin)
	table, after, ok2 := strings.Cut(rest, end)
	if !ok1 || !ok2 {
		t.Fatal("docs/embedding.md has no place for the table")
	}
	var want strings.Builder
	want.WriteString("| short | Flink's key | default in 2.3 |\n|---|---|---|\n")
	for _, s := range option.Shorts() {
		o, _ := option.Find(s.Key)
		fmt.Fprintf(&want, "| `%s` | `%s` | %s |\n", s.Name, s.Key, orNone(o.DefaultIn("2.3")))
	}
	if table == want.String() {
		return
	}
	if !*writeTable {
		t.Fatal("docs/embedding.md lists other short names than core/option: go test ./cmd/lab -run ShortNames -write")
	}
	if err := os.WriteFile(file, []byte(before+begin+want.String()+end+after), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestEveryParameterAndMethodIsDocumented: docs/embedding.md names what the embed's sources take.
func TestEveryParameterAndMethodIsDocumented(t *testing.T) {
	doc, err := os.ReadFile("../../docs/embedding.md")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("../../web/embed/own.js")
	if err != nil {
		t.Fatal(err)
	}
	_, methods, _ := strings.Cut(string(source), "const methods = {")
	methods, _, _ = strings.Cut(methods, "\n};")
	count := 0
	for line := range strings.Lines(methods) {
		if name, _, ok := strings.Cut(strings.TrimSpace(line), ": {"); ok {
			count++
			if !strings.Contains(string(doc), "`"+name+"`") {
				t.Errorf("docs/embedding.md does not name the method %s", name)
			}
		}
	}
	if count < 20 {
		t.Errorf("only %d methods were found", count)
	}
	for _, name := range strings.Fields("scenario seed t autoplay speed controls compare view knob lang theme motion api origin") {
		if !strings.Contains(string(doc), "| `"+name+"` |") {
			t.Errorf("docs/embedding.md does not describe the parameter %s", name)
		}
	}
}
