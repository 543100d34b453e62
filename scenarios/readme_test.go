package scenarios

import (
	"os"
	"slices"
	"strings"
	"testing"

	"checkpointlab/core"
)

// README.md names every field, every word and every measure.
func TestReadme(t *testing.T) {
	data, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	readme := string(data)
	for _, word := range slices.Concat(topFields, jobFields, vertexFields, edgeFields, snapFields, watermarkFields, windowFields, keeps, asyncFields, loadFields, orders, givenUp, stateFields, diskFields, core.StateKinds(), clusterFields, runFields, controlFields, actionFields, expectFields, taskFields, callFields, locks,
		kinds, guarantees, partitions, actions, firstTriggers, phases, []string{"when", "say", "ask", "choices", "answer", "why"}) {
		if !strings.Contains(readme, "`"+word+"`") {
			t.Errorf("README.md does not name %s", word)
		}
	}
	for _, name := range Measures() {
		group, last := name[:strings.LastIndexByte(name, '.')+1], name[strings.LastIndexByte(name, '.')+1:]
		if name == "visibility.p99.9" || name == "pipeline.p99.9" {
			group, last = name[:len(name)-5], "p99.9"
		}
		if !strings.Contains(readme, "`"+name+"`") && !(strings.Contains(readme, "`"+group+"`") && strings.Contains(readme, "`"+last+"`")) {
			t.Errorf("README.md does not name %s", name)
		}
	}
	for _, h := range happenings {
		if !strings.Contains(readme, "`"+h.word+"`") {
			t.Errorf("README.md does not name %s", h.word)
		}
	}
}

// Its example is right.
func TestReadmeExample(t *testing.T) {
	data, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	var example []string
	for _, line := range strings.Split(string(data), "\n") {
		if code, ok := strings.CutPrefix(line, "    "); ok {
			example = append(example, code)
		}
	}
	if s, err := Parse([]byte(strings.Join(example, "\n"))); err != nil || len(s.Setup.Vertices) != 3 {
		t.Error(err)
	}
}
