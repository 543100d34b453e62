package scenarios

import (
	"bytes"

	"go.yaml.in/yaml/v3"
)

// Title is the title of an embedded scenario by language, nil for a name that is none. A list of all of them needs no more of a
// file than that: reading the rest, too, would be a third of the page's start.
func Title(name string) (title map[string]string) {
	data, err := files.ReadFile(name + ".yaml")
	if err != nil {
		return nil
	}
	var head struct {
		Title map[string]string `yaml:"title"`
	}
	if err := yaml.Unmarshal(block(data, "title:"), &head); err != nil {
		return nil
	}
	return head.Title
}

// block is a field at the left edge with all that is indented below it.
func block(data []byte, field string) []byte {
	var out []byte
	inside := false
	for line := range bytes.Lines(data) {
		if line[0] != ' ' && line[0] != '\n' {
			inside = bytes.HasPrefix(line, []byte(field))
		}
		if inside {
			out = append(out, line...)
		}
	}
	return out
}
