package bitmap

import (
	"cmp"
	"image"
	"image/color"
	"image/png"
	"io"
	"maps"
	"math"
	"slices"

	"checkpointlab/render/raster"
	"checkpointlab/render/scene"
	"checkpointlab/render/token"
)

// mostColours is what a poster has of colours: as many as the eye tells apart in a picture of few hues and the edges of its letters; 256
// take a fifth more of bytes.
const mostColours = 64

// Poster writes a scene as PNG does, in its most frequent colours only, which makes a third of it: a page shows it while its program
// loads. An SVG is smaller, but its text is laid out by the thread that has the program to start.
func Poster(w io.Writer, s *scene.Scene, theme token.Theme, scale float64) error {
	return poster(w, s, theme, scale, token.Page)
}

// Overlay is Poster without a ground: a page shows it on its own panels.
func Overlay(w io.Writer, s *scene.Scene, theme token.Theme, scale float64) error {
	return poster(w, s, theme, scale, token.None)
}

func poster(w io.Writer, s *scene.Scene, theme token.Theme, scale float64, ground token.Token) error {
	c := raster.New(int(math.Ceil(s.Width*scale)), int(math.Ceil(s.Height*scale)), scale, theme)
	if ground != token.None {
		c.Fill(ground)
	}
	c.Scene(s)
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	return encoder.Encode(w, paletted(c.Image, theme))
}

// paletted is an image in its most frequent colours; each of the others becomes the one that is nearest. The theme's own colours
// come before all others, however few pixels they have: a checkpoint's hue in a dot is what says whose dot it is.
func paletted(from *image.RGBA, theme token.Theme) *image.Paletted {
	counts := map[color.RGBA]int{}
	for i := 0; i < len(from.Pix); i += 4 {
		counts[rgba(from.Pix[i:])]++
	}
	for t := token.None + 1; t < token.Count; t++ {
		counts[t.Color(theme)] += len(from.Pix)
	}
	all := slices.SortedFunc(maps.Keys(counts), func(a, b color.RGBA) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(word(a), word(b)))
	})
	out := image.NewPaletted(from.Rect, nil)
	for _, c := range all[:min(len(all), mostColours)] {
		out.Palette = append(out.Palette, c)
	}
	index := map[color.RGBA]uint8{}
	for _, c := range all {
		index[c] = uint8(out.Palette.Index(c))
	}
	for i := range out.Pix {
		out.Pix[i] = index[rgba(from.Pix[4*i:])]
	}
	return out
}

func rgba(pixel []byte) color.RGBA { return color.RGBA{pixel[0], pixel[1], pixel[2], pixel[3]} }

func word(c color.RGBA) uint32 {
	return uint32(c.R)<<24 | uint32(c.G)<<16 | uint32(c.B)<<8 | uint32(c.A)
}
