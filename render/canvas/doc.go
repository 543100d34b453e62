// Package canvas draws a scene with Ebitengine in the browser.
//
//	var p canvas.Painter                        // keep it: it holds the atlas
//	p.Draw(screen, &figure.Scene, token.Light, ratio, rows)
//
// Letters, sprites, hatches and one white texel share an atlas, so that a frame is one batch of triangles; they are baked
// in software on first use by package raster, per pixel ratio, as white masks that the theme's colours tint. A frame paints
// the parts that differ from the one before (package damage), so the screen must keep its pixels and Forget be told when it
// has lost them. All boxes are snapped to device pixels. It is the game loop's business not to call Draw when
// Scene.Fingerprint, theme and ratio are as before.
package canvas
