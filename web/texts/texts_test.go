package texts

import (
	"regexp"
	"slices"
	"sort"
	"strings"
	"testing"
)

var placeholder = regexp.MustCompile(`\{([a-z0-9]+)[^}]*\}`)

func placeholders(s string) []string {
	var names []string
	for _, m := range placeholder.FindAllStringSubmatch(s, -1) {
		names = append(names, m[1])
	}
	sort.Strings(names)
	return slices.Compact(names)
}

func TestBothLanguagesSayTheSameThings(t *testing.T) {
	ko, en := Must("ko"), Must("en")
	for key, s := range ko.sentences {
		if !en.Has(key) {
			t.Errorf("%s is only in ko.json", key)
			continue
		}
		if a, b := placeholders(s), placeholders(en.Raw(key)); !slices.Equal(a, b) {
			t.Errorf("%s: ko has placeholders %v, en %v", key, a, b)
		}
		if strings.TrimSpace(s) == "" || strings.TrimSpace(en.Raw(key)) == "" {
			t.Errorf("%s is empty", key)
		}
	}
	for key := range en.sentences {
		if !ko.Has(key) {
			t.Errorf("%s is only in en.json", key)
		}
	}
}

func TestSayFillsAndChoosesParticles(t *testing.T) {
	for _, c := range []struct{ word, pair, want string }{
		{"map 1", "이/가", "이"}, {"map 0", "이/가", "이"}, {"map 2", "이/가", "가"}, {"sink", "을/를", "를"},
		{"map", "을/를", "을"}, {"체크포인트", "은/는", "는"}, {"채널", "으로/로", "로"}, {"7", "으로/로", "로"},
		{"3", "으로/로", "으로"}, {"버퍼 4개", "이/가", "가"}, {"source 0(정렬)", "과/와", "과"}, {"", "이/가", "가"},
	} {
		if got := Particle(c.word, c.pair); got != c.want {
			t.Errorf("after %q of %s: %q, want %q", c.word, c.pair, got, c.want)
		}
	}
	if got := fill("{a:이/가} {b}", "k", []string{"a", "map 1", "b", "x"}); got != "map 1이 x" {
		t.Errorf("filled: %q", got)
	}
}

func TestUnknownLanguageIsAnError(t *testing.T) {
	if _, err := Load("fr"); err == nil || !strings.Contains(err.Error(), "ko and en") {
		t.Errorf("error %v does not name the languages", err)
	}
}
