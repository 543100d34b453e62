package companion

import (
	"os"
	"strings"
	"testing"

	"checkpointlab/web/texts"
)

// What is not modelled can be read in Korean, and so can the heads and verdicts of the tables of errors. A sentence that was
// changed since stays in English until somebody puts it into fidelity.ko.txt; few may.
func TestTheLimitsAreInKorean(t *testing.T) {
	data, err := os.ReadFile("../../docs/fidelity.md")
	if err != nil {
		t.Fatal(err)
	}
	ko := Fidelity(texts.Must("ko"), string(data))
	for _, want := range []string{"## 다루지 않는 것 {#what-is-not-modelled}", "| 실험 | 값 | 발표 | 시뮬레이션 | 허용 | 판정 |", "| 맞음 |", "<!-- generated: recorded-main -->"} {
		if !strings.Contains(ko, want) {
			t.Errorf("lacks %s", want)
		}
	}
	for _, list := range []string{"다루지 않는 것 {#what-is-not-modelled}", "다루는 것 {#what-is-modelled}"} {
		rows, english := 0, 0
		for line := range strings.Lines(between(ko, list, "\n## ")) {
			if !strings.HasPrefix(line, "| ") {
				continue
			}
			rows++
			if !hangul(line) {
				english++
				t.Logf("not in fidelity.ko.txt: %s", line)
			}
		}
		if rows < 25 || english > rows/5 {
			t.Errorf("%s: %d of %d rows are in English", list, english, rows)
		}
	}
	if en := Fidelity(texts.Must("en"), string(data)); en != string(data) {
		t.Error("the English text is changed")
	}
}

func hangul(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r >= '가' && r <= '힣' })
}
