package font_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"checkpointlab/render/font"
)

func TestDigitsAreTabular(t *testing.T) {
	for w := font.Regular; w <= font.Bold; w++ {
		for d := '0'; d <= '9'; d++ {
			if got := font.Advance(d, w); got != font.Advance('0', w) {
				t.Errorf("weight %d: digit %c is %d wide, 0 is %d", w, d, got, font.Advance('0', w))
			}
		}
	}
}

func TestHangulIsFixedWidth(t *testing.T) {
	if got, want := font.Width("가힣", font.Regular, 100), 188.0; got != want {
		t.Errorf("two syllables at 100 px are %v wide, want %v", got, want)
	}
}

// Every syllable of a text that can reach the picture must be in the face that draws it; cut.py reads the same folders.
func TestFacesCoverTheTexts(t *testing.T) {
	hangul := regexp.MustCompile("[가-힣]")
	for pattern, w := range map[string]font.Weight{"../scene/words.go": font.Bold, "../plot/*.go": font.Bold,
		"../figure/*.go": font.Bold, "../*/*.go": font.Regular, "../../scenarios/*.yaml": font.Regular} {
		missing := map[string]bool{}
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range hangul.FindAllString(string(text), -1) {
				r := []rune(s)[0]
				if !missing[s] && (!font.Has(r, font.Regular) || !font.Has(r, w)) {
					missing[s] = true
				}
			}
		}
		if len(missing) > 0 {
			t.Errorf("%s: the faces lack %v: run python3 render/font/cut.py", pattern, keys(missing))
		}
	}
}

func keys(m map[string]bool) string {
	var b strings.Builder
	for k := range m {
		b.WriteString(k)
	}
	return b.String()
}

// Both faces are part of the page's download.
func TestFacesAreSmall(t *testing.T) {
	if n := len(font.Data(font.Regular)) + len(font.Data(font.Bold)); n > 350<<10 {
		t.Errorf("the faces are %d bytes, want at most %d", n, 350<<10)
	}
}
