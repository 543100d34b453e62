// Package bitmap writes stills as PNG. It stands apart because a page draws its PNG itself: with the encoder the program would get a decoder, too.
package bitmap

import (
	"image/png"
	"io"
	"math"

	"checkpointlab/core"
	"checkpointlab/render/raster"
	"checkpointlab/render/scene"
	"checkpointlab/render/still"
	"checkpointlab/render/token"
)

// PNG writes a scene as an image of scale device pixels per CSS px in a theme.
func PNG(w io.Writer, s *scene.Scene, theme token.Theme, scale float64) error {
	c := raster.New(int(math.Ceil(s.Width*scale)), int(math.Ceil(s.Height*scale)), scale, theme)
	c.Fill(token.Page)
	c.Scene(s)
	return png.Encode(w, c.Image)
}

// WritePNG writes the still of a view as PNG with scale device pixels per CSS px.
func WritePNG(w io.Writer, v *core.View, h *core.History, p still.Page, scale float64) error {
	return PNG(w, still.Build(v, h, p), p.Theme, scale)
}
