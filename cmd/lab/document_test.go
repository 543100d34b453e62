package main

import (
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"checkpointlab/ops/report"
)

// TestEveryFieldIsDocumented: docs/command.md names every field that a verb prints as JSON, and every verb and flag.
func TestEveryFieldIsDocumented(t *testing.T) {
	data, err := os.ReadFile("../../docs/command.md")
	if err != nil {
		t.Fatal(err)
	}
	words := map[string]bool{}
	for _, code := range regexp.MustCompile("`[^`]+`").FindAllString(string(data), -1) {
		for _, w := range regexp.MustCompile(`[a-zA-Z][a-zA-Z0-9_.]*|p99\.9`).FindAllString(code, -1) {
			words[w] = true
			for _, part := range strings.Split(w, ".") {
				words[part] = true
			}
		}
	}
	fields := map[string]bool{}
	for _, v := range []any{report.Report{}, verified{}, sweepRun{}, optionInfo{}, sustained{}, rebuiltInfo{}} {
		jsonFields(reflect.TypeOf(v), fields)
	}
	if len(fields) < 80 {
		t.Errorf("only %d fields were found", len(fields))
	}
	for f := range fields {
		if !words[f] {
			t.Errorf("docs/command.md does not name the field %s", f)
		}
	}
	_, help, _ := lab("", "--help")
	for _, verb := range regexp.MustCompile(`(?m)^  ([a-z-]+) {2,}[A-Z]`).FindAllStringSubmatch(help, -1) {
		if !strings.Contains(string(data), "`"+verb[1]) {
			t.Errorf("docs/command.md does not name the verb %s", verb[1])
		}
	}
}

// jsonFields collects the names under which a type and what it holds are printed.
func jsonFields(typ reflect.Type, fields map[string]bool) {
	switch typ.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		jsonFields(typ.Elem(), fields)
	case reflect.Struct:
		for i := range typ.NumField() {
			f := typ.Field(i)
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if name == "-" || !f.IsExported() {
				continue
			}
			if name != "" {
				fields[name] = true
			}
			jsonFields(f.Type, fields)
		}
	}
}
