package scene

import (
	"checkpointlab/core/event"
	"checkpointlab/render/token"
)

const overtakeW = 10

// overtaken draws the two chevrons behind a barrier that overtakes.
func (s *Scene) overtaken(id ID, right, y float64, checkpoint event.Checkpoint) {
	s.Sprite(id, Overtake, right-overtakeW+1, y-16, 8, 8, token.Hue(checkpoint))
}

// barrier draws a bar with its flag; x is the bar's middle. The flag of a barrier that overtakes is an arrow.
func (s *Scene) barrier(id ID, x, y float64, checkpoint event.Checkpoint, unaligned bool) {
	g, hue, h := s.plan.g, token.Hue(checkpoint), s.plan.g.barrierH
	if s.plan.tight {
		h = min(h, g.rowPitch-g.flag)
	}
	top := y + 2 - h
	s.Rect(id, x-1.5, top, token.BarrierW, h, hue)
	if unaligned {
		s.flag(id, ArrowFlag, x-1.5, top-g.flag, g.flag+2, g.flag-1, checkpoint)
		return
	}
	w := flagWidth(g.flag, checkpoint)
	s.flag(id, Flag, x-w/2, top-g.flag, w, g.flag, checkpoint)
}

// flagWidth makes room for the digits of an id.
func flagWidth(flag float64, checkpoint event.Checkpoint) float64 {
	for n := checkpoint; n >= 10; n /= 10 {
		flag += flagDigit
	}
	return flag
}

// Digits on flags are as large as the smallest label.
const (
	flagText  = 11.0
	flagDigit = 6.0
)

// flag draws a flag with its checkpoint's id, which is always printed beside the hue.
func (s *Scene) flag(id ID, shape Shape, x, y, w, h float64, checkpoint event.Checkpoint) {
	hue, ink := token.Hue(checkpoint), token.OnCP
	if shape == HollowFlag {
		ink = hue
		m := s.Frame(id, x, y, w, h, token.Panel, hue, 1.5)
		m.Radius = token.R1
	} else if shape == Flag {
		s.Rect(id, x, y, w, h, hue).Radius = token.R1
	} else {
		w = flagWidth(w, checkpoint)
		s.Sprite(id, shape, x, y, w, h, hue)
		w *= 0.8
	}
	s.label(id, x+w/2, y+h/2+3.7, flagText, ink).bold().plain(checkpoint).end(Middle)
}

// Flag draws a square flag with a checkpoint's id for other parts of the picture and returns its left end.
func (s *Scene) Flag(id ID, x, y float64, checkpoint event.Checkpoint) float64 {
	w := flagWidth(token.Flag, checkpoint)
	s.flag(id, Flag, x-w+token.Flag, y, w, token.Flag, checkpoint)
	return x - w + token.Flag
}
