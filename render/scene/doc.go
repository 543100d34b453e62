// Package scene turns a core.View into a picture: a list of marks that know what they stand for. It is pure Go, knows no
// window, no theme and no clock, and builds a second picture into the memory of the first.
//
// Reading order
//
//	var s scene.Scene                                  // keep it: its memory is reused
//	scene.Build(&view, history, scene.Options{Width: 1392, Lang: scene.Korean}, &s)
//	for i := range s.Marks { m := &s.Marks[i]; … }     // draw in order; colours are token.Token ids, texts s.Text(m)
//	if s.Fingerprint() == last { … }                   // nothing to draw
//	id, ok := scene.Hit(&s, x, y)                      // what lies under a point
//	text := scene.Readout(&view, history, id, lang)    // what to say about it
//	targets = scene.Targets(&s, &view, history, lang, targets[:0]) // focusable things in reading order
//
// # Grammar
//
// Ink is bytes: a cell is a buffer, its width the usable size, its height the fill. A hue belongs to a checkpoint
// (token.Hue); the id is always printed beside it. Dark lies ahead of the newest pending barrier, light behind it (cut.go).
// Left of the sources and right of the sinks stand the outside logs, in one scale. Positions come from the view alone:
// the same view gives the same picture.
//
// # Layout and level of detail
//
// Options.Layout is wide, medium, phone or embed, by default by the width. The level of detail is chosen by the largest
// parallelism: up to 4 subtasks every buffer is a cell, up to 16 channels are a matrix, up to 64 a compact one, above that
// operators and exchanges are sums. Scene.Height is what the picture needs.
//
// Options.Height makes the next level when cells would be higher than that; Options.Open shows one subtask of a merged
// operator with its direct neighbours cell by cell, under their own ids (Esc in the page sets it back to 0).
//
// Beside Build there are Gantt (four phases per subtask of one checkpoint), Caption (what to watch, when the scenario does
// not say) and Twin (the text of a view). Package plot draws the latency plot into a Scene, package figure joins all parts.
//
// # Motion
//
// A cell on the wire stands where Cell.Progress says; nothing here knows a clock. Options.Focus and Dim weaken what does not
// belong to a checkpoint. With Options.Motion queues slide, overtaking barriers fly and glyphs fade (motion.go): where a mark
// is on its way follows from the instants at which the trace has its events, and for how long they have been on the screen;
// without, all stand where the state has them. Least times on screen are the game loop's: it chooses the instant to draw.
//
// # Drawing
//
// Marks[:Static] change only with layout and language. All rectangles are axis-aligned; hatches, shapes and dashes are few and
// described in shape.go, so that a back end can prepare them.
package scene
