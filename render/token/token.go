// Package token holds the design's colours as ids with a light and a dark value, and its measures as constants.
// Both come from web/tokens.css through go generate; a picture names ids only, so that a theme is one table.
package token

import "image/color"

//go:generate go run checkpointlab/cmd/gen-tokens ../../web/tokens.css tokens_gen.go

// Token is the id of a colour.
type Token uint8

// Theme chooses a table.
type Theme uint8

// The themes.
const (
	Light Theme = iota
	Dark

	// More is added to one of them for readers who ask for more contrast (prefers-contrast): what is weaker than ink is as strong as
	// ink, and a hairline as strong as a line, as web/lab.css has it around the picture.
	More
)

// Color is the token's value in a theme, opaque; None is transparent.
func (t Token) Color(theme Theme) color.RGBA {
	if theme&More != 0 {
		t = strengthened(t)
	}
	return tables[theme&^More][t]
}

// strengthened is the token whose colour stands for another one with more contrast.
func strengthened(t Token) Token {
	switch t {
	case Ink2, Ink3:
		return Ink
	case Rule:
		return Line
	case Line, BufPost:
		return Ink2
	}
	return t
}

// String is the name of the custom property without its dashes.
func (t Token) String() string { return names[t] }

// Hue is the colour of a checkpoint: four hues that cycle with the id, the first checkpoint (id 1) in the first; the id is
// always printed beside them.
func Hue(checkpoint int64) Token { return CP0 + Token(uint64(checkpoint+3)%4) }

// IsHue reports whether t belongs to a checkpoint.
func (t Token) IsHue() bool { return t >= CP0 && t <= CP3 }
