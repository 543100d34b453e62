// Package font holds the two faces that the canvas and the stills draw with, and their widths.
//
// The faces are subsets of NanumGothic (see cut.py and OFL.txt): ASCII, the project's signs, Hangul. Digits are tabular.
// The page itself uses the reader's fonts; only the picture needs one of its own, because it must be the same everywhere.
package font

import (
	_ "embed"

	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// Weight chooses a face.
type Weight uint8

// The weights.
const (
	Regular Weight = iota
	Bold
)

//go:embed regular.ttf
var regular []byte

//go:embed bold.ttf
var bold []byte

// Family is the name of the faces.
const Family = "Lab Gothic"

// Data is the TrueType file of a weight.
func Data(w Weight) []byte {
	if w == Bold {
		return bold
	}
	return regular
}

// unitsPerEm of both faces; every Hangul syllable is hangulAdvance wide.
const (
	unitsPerEm    = 1000
	hangulAdvance = 940
	missing       = 500
	signFrom      = 0x80
)

var (
	ascii = [2][signFrom]int32{advances(Regular), advances(Bold)}
	signs = signAdvances()
)

// Signs are the characters beyond ASCII and Hangul that the faces have.
const Signs = "→←↑↓×·≥≤…–—≈±°µ−§“”‘’•∞\u00a0\u202f"

type sign struct {
	r rune
	w int32
}

// Advance is the width of a character in thousandths of the size.
func Advance(r rune, w Weight) int32 {
	switch {
	case r < signFrom:
		return ascii[w][r]
	case IsHangul(r):
		return hangulAdvance
	}
	for _, s := range signs {
		if s.r == r {
			return s.w
		}
	}
	return missing
}

// IsHangul reports whether r is a Hangul syllable.
func IsHangul(r rune) bool { return r >= '가' && r <= '힣' }

// Width is the width of a text in px at a size in px. It does not allocate.
func Width(text string, w Weight, size float64) float64 {
	var sum int32
	for _, r := range text {
		sum += Advance(r, w)
	}
	return float64(sum) * size / unitsPerEm
}

func advances(w Weight) (table [signFrom]int32) {
	f, b := parse(w), new(sfnt.Buffer)
	for r := range table {
		table[r], _ = advance(f, b, rune(r))
	}
	return table
}

func signAdvances() (all []sign) {
	f, b := parse(Regular), new(sfnt.Buffer)
	for _, r := range Signs {
		w, ok := advance(f, b, r)
		if !ok {
			panic("font: the face lacks " + string(r))
		}
		all = append(all, sign{r, w})
	}
	return all
}

func parse(w Weight) *sfnt.Font {
	f, err := sfnt.Parse(Data(w))
	if err != nil {
		panic(err)
	}
	return f
}

func advance(f *sfnt.Font, b *sfnt.Buffer, r rune) (int32, bool) {
	i, err := f.GlyphIndex(b, r)
	if err != nil || i == 0 {
		return missing, false
	}
	a, err := f.GlyphAdvance(b, i, fixed.I(unitsPerEm), font.HintingNone)
	if err != nil {
		panic(err)
	}
	return int32(a.Round()), true
}

// Has reports whether a face can draw r. It parses the face: for tests and atlases, not for frames.
func Has(r rune, w Weight) bool {
	_, ok := advance(parse(w), new(sfnt.Buffer), r)
	return ok
}
