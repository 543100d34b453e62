package still

import (
	"fmt"
	"strconv"
	"strings"

	"checkpointlab/render/scene"
	"checkpointlab/render/token"
)

func polyline(points []scene.Point, x, y, w, h float32, closed bool) string {
	var b strings.Builder
	for i, p := range points {
		b.WriteByte("LM"[flag(i == 0)])
		b.WriteString(xy(x+p.X*w, y+p.Y*h))
	}
	if closed {
		b.WriteByte('z')
	}
	return b.String()
}

func flag(b bool) int {
	if b {
		return 1
	}
	return 0
}

// box is a rectangle as a path, rounded by r.
func box(x, y, w, h, r float32) string {
	if r > 0 && w > 2*r && h > 2*r {
		n := number(float64(r))
		arc := func(dx, dy float32) string { return "a" + n + " " + n + " 0 0 1 " + xy(dx, dy) }
		return "M" + xy(x+r, y) + "h" + number(float64(w-2*r)) + arc(r, r) + "v" + number(float64(h-2*r)) + arc(-r, r) +
			"h" + number(float64(2*r-w)) + arc(-r, -r) + "v" + number(float64(2*r-h)) + arc(r, -r) + "z"
	}
	return "M" + xy(x, y) + "h" + number(float64(w)) + "v" + number(float64(h)) + "h" + number(float64(-w)) + "z"
}

func lineTo(dx, dy float32) string {
	switch {
	case dy == 0:
		return "h" + number(float64(dx))
	case dx == 0:
		return "v" + number(float64(dy))
	}
	return "l" + xy(dx, dy)
}

func xy(x, y float32) string {
	b := number(float64(y))
	if b[0] == '-' {
		return number(float64(x)) + b
	}
	return number(float64(x)) + " " + b
}

// number writes a coordinate with at most one decimal.
func number(v float64) string {
	text := strconv.FormatFloat(v, 'f', 1, 64)
	text = strings.TrimSuffix(text, ".0")
	if text == "-0" {
		return "0"
	}
	return text
}

func hex(t token.Token, theme token.Theme) string {
	c := t.Color(theme)
	return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B)
}

func escape(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace(text)
}
