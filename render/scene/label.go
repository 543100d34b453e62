package scene

import (
	"strconv"
	"unicode/utf8"

	"checkpointlab/core/event"
	"checkpointlab/render/font"
	"checkpointlab/render/format"
	"checkpointlab/render/token"
)

// label is the text mark under construction: the last mark of the scene. Its parts go straight into the scene's text.
type label struct{ s *Scene }

func (s *Scene) label(id ID, x, y, size float64, colour token.Token) label {
	at := int32(len(s.text))
	s.add(Mark{Kind: Text, ID: id, X: float32(x), Y: float32(y), Size: float32(size), Fill: colour, lo: at, hi: at})
	return label{s}
}

func (l label) mark() *Mark { return &l.s.Marks[len(l.s.Marks)-1] }

func (l label) bold() label { return l.weigh(font.Bold) }

func (l label) weigh(w font.Weight) label { l.mark().Bold = w == font.Bold; return l }

func (l label) str(t string) label { l.s.text = append(l.s.text, t...); return l }

func (l label) int(n int64) label { l.s.text = format.Count(l.s.text, n); return l }

func (l label) plain(n int64) label { l.s.text = strconv.AppendInt(l.s.text, n, 10); return l }

func (l label) short(n int64) label { l.s.text = format.Short(l.s.text, n); return l }

func (l label) seconds(t event.Time, decimals int) label {
	l.s.text = format.Seconds(l.s.text, t, decimals)
	return l
}

func (l label) span(t event.Time) label { l.s.text = format.Span(l.s.text, t); return l }

// wait is a time that runs down: in tenths of a second, from two minutes on as the caption says it.
func (l label) wait(t event.Time) label {
	if t < 120*event.Second {
		return l.seconds(t, 1)
	}
	return l.span(t)
}

func (l label) bytes(n int64) label { l.s.text = format.Bytes(l.s.text, n); return l }

func (l label) percent(mille int) label { l.s.text = format.Percent(l.s.text, mille); return l }

// end fixes the width, moves the text so that its anchor stands at X, and returns the right end.
func (l label) end(a Anchor) float64 {
	m := l.mark()
	m.hi = int32(len(l.s.text))
	w := font.Regular
	if m.Bold {
		w = font.Bold
	}
	width := font.Width(l.s.Text(m), w, float64(m.Size))
	m.W, m.Anchor = float32(width), a
	switch a {
	case Middle:
		m.X -= float32(width / 2)
	case End:
		m.X -= float32(width)
	}
	return float64(m.X) + width
}

// within ends the label if it ends before x; else it takes the label away and reports false.
func (l label) within(x float64) bool {
	if l.end(Start) <= x {
		return true
	}
	l.s.text = l.s.text[:l.mark().lo]
	l.s.Marks = l.s.Marks[:len(l.s.Marks)-1]
	return false
}

// cut shortens the label so that it ends before x: its last letters become an ellipsis.
func (l label) cut(x float64) float64 {
	right := l.end(Start)
	if right <= x {
		return right
	}
	m := l.mark()
	w := font.Regular
	if m.Bold {
		w = font.Bold
	}
	room := x - float64(m.X) - font.Width("…", w, float64(m.Size))
	text, keep := l.s.Text(m), 0
	for i, r := range text {
		room -= float64(font.Advance(r, w)) * float64(m.Size) / 1000
		if room < 0 {
			break
		}
		keep = i + utf8.RuneLen(r)
	}
	l.s.text = append(l.s.text[:int(m.lo)+keep], "…"...)
	return l.end(Start)
}
