package token_test

import (
	"bytes"
	"math"
	"os"
	"testing"

	"checkpointlab/render/token"
	"checkpointlab/render/token/tokengen"
)

func TestTableIsFresh(t *testing.T) {
	css, err := os.ReadFile("../../web/tokens.css")
	if err != nil {
		t.Fatal(err)
	}
	want, err := tokengen.Generate(css)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("tokens_gen.go")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("tokens_gen.go is stale: run go generate ./render/token")
	}
}

// The design computes contrast instead of judging it: text 4.5:1, marks 3:1 (web/tokens.css, first comment).
func TestContrast(t *testing.T) {
	text := []token.Token{token.Ink, token.Ink2, token.Ink3}
	marks := []token.Token{token.BufPre, token.BufPost, token.Line, token.CP0, token.CP1, token.CP2, token.CP3, token.Ok,
		token.Fail, token.Focus, token.Pipe, token.BusyEdge, token.BPEdge, token.IdleEdge}
	for _, theme := range []token.Theme{token.Light, token.Dark} {
		for _, ground := range []token.Token{token.Panel, token.Page} {
			for _, c := range text {
				atLeast(t, theme, c, ground, 4.5)
			}
			for _, c := range marks {
				atLeast(t, theme, c, ground, 3)
			}
			for c := token.CP0; c <= token.CP3; c++ {
				atLeast(t, theme, c, ground, 4.5) // "blocked" and the ids are text in the hue
			}
		}
		for c := token.CP0; c <= token.CP3; c++ {
			atLeast(t, theme, token.OnCP, c, 4.5)
		}
		atLeast(t, theme, token.Ink, token.Band, 4.5)
		atLeast(t, theme, token.Ink2, token.Band, 4.5)
	}
}

// With more contrast all text has 7:1, what a line is for 4.5:1, and a hairline 3:1; the hues stay, for they tell checkpoints apart.
func TestMoreContrast(t *testing.T) {
	for _, theme := range []token.Theme{token.Light | token.More, token.Dark | token.More} {
		for _, ground := range []token.Token{token.Panel, token.Page, token.Band} {
			for _, c := range []token.Token{token.Ink, token.Ink2, token.Ink3} {
				atLeast(t, theme, c, ground, 7)
			}
		}
		for _, ground := range []token.Token{token.Panel, token.Page} {
			atLeast(t, theme, token.Line, ground, 4.5)
			atLeast(t, theme, token.BufPost, ground, 4.5)
			atLeast(t, theme, token.Rule, ground, 3)
		}
		for c := token.CP0; c <= token.CP3; c++ {
			if c.Color(theme) != c.Color(theme&^token.More) {
				t.Errorf("theme %d: %v is another colour", theme, c)
			}
		}
	}
}

func atLeast(t *testing.T, theme token.Theme, a, b token.Token, want float64) {
	t.Helper()
	if got := contrast(theme, a, b); got < want {
		t.Errorf("theme %d: %v on %v has contrast %.2f, want at least %.1f", theme, a, b, got, want)
	}
}

// contrast is WCAG 2's ratio.
func contrast(theme token.Theme, a, b token.Token) float64 {
	x, y := luminance(theme, a), luminance(theme, b)
	return (math.Max(x, y) + 0.05) / (math.Min(x, y) + 0.05)
}

func luminance(theme token.Theme, t token.Token) float64 {
	c := t.Color(theme)
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}

func linear(v uint8) float64 {
	s := float64(v) / 255
	if s <= 0.04045 {
		return s / 12.92
	}
	return math.Pow((s+0.055)/1.055, 2.4)
}

func TestGenerateNamesTheMistake(t *testing.T) {
	css := `:root { --a: #000000; } @media (prefers-color-scheme: dark) { :root:not([data-theme="light"]) { --a: #ffffff; } }
		:root[data-theme="dark"] { --a: #fffff0; }`
	if _, err := tokengen.Generate([]byte(css)); err == nil {
		t.Error("two dark values that differ were accepted")
	}
}
