// Package still draws a scene without a browser: as SVG and as PNG. The drawing instructions are those of the canvas.
package still

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"checkpointlab/render/scene"
	"checkpointlab/render/token"
)

// family is the stack of a still's text; widths are pinned by textLength, so that another face does not overlap.
const family = `Inter,"Noto Sans KR",NanumGothic,"Apple SD Gothic Neo",system-ui,sans-serif`

// SVG writes a scene as one SVG document in a theme. The title is read by screen readers.
func SVG(w io.Writer, s *scene.Scene, theme token.Theme, title string) error {
	out := bufio.NewWriter(w)
	d := drawing{s: s, theme: theme, w: out}
	var body strings.Builder
	d.w = &body
	for i := range s.Marks {
		d.mark(&s.Marks[i])
	}
	d.flush()
	fmt.Fprintf(out, `<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" viewBox="0 0 %[1]s %[2]s" role="img">`+"\n",
		number(s.Width), number(s.Height))
	fmt.Fprintf(out, "<title>%s</title>\n", escape(title))
	d.head(out)
	fmt.Fprintf(out, `<rect width="100%%" height="100%%" class="f%d"/>`+"\n", token.Page)
	io.WriteString(out, body.String())
	io.WriteString(out, "</svg>\n")
	return out.Flush()
}

// drawing writes marks and remembers which colours, hatches and text styles it used. Neighbouring marks of the same style
// become one path.
type drawing struct {
	s       *scene.Scene
	theme   token.Theme
	w       io.Writer
	fills   [token.Count]bool
	strokes [token.Count]bool
	hatches [scene.Hatches][token.Count]bool
	sizes   [32]bool // whole px
	style   string
	path    strings.Builder
}

// head writes the used classes and patterns.
func (d *drawing) head(w io.Writer) {
	io.WriteString(w, "<style>text{font-family:"+family+";font-variant-numeric:tabular-nums}.b{font-weight:600}.l{fill:none;stroke-linejoin:round}")
	d.fills[token.Page] = true
	for t := token.Token(1); t < token.Count; t++ {
		if d.fills[t] {
			fmt.Fprintf(w, ".f%d{fill:%s}", t, hex(t, d.theme))
		}
		if d.strokes[t] {
			fmt.Fprintf(w, ".s%d{stroke:%s}", t, hex(t, d.theme))
		}
	}
	for size := range d.sizes {
		if d.sizes[size] {
			fmt.Fprintf(w, ".t%d{font-size:%[1]dpx}", size)
		}
	}
	io.WriteString(w, "</style>\n<defs>")
	for h := scene.Hatch(1); h < scene.Hatches; h++ {
		for t := token.Token(1); t < token.Count; t++ {
			if d.hatches[h][t] {
				d.pattern(w, h, t)
			}
		}
	}
	io.WriteString(w, "</defs>\n")
}

// pattern is a hatch as an SVG pattern, with the measures of web/tokens.css.
func (d *drawing) pattern(w io.Writer, h scene.Hatch, t token.Token) {
	c, ground := hex(t, d.theme), hex(token.Hatch, d.theme)
	turn, inner := "", ""
	switch h {
	case scene.Backpressured:
		turn, inner = "45", fmt.Sprintf(`<rect width="4" height="4" fill="%s"/><rect width="1.5" height="4" fill="%s"/>`, c, ground)
	case scene.Dots:
		inner = fmt.Sprintf(`<rect width="4" height="4" fill="%s"/><rect x="1" y="1" width="1.4" height="1.4" fill="%s"/>`, c, ground)
	case scene.Stored:
		turn, inner = "-45", fmt.Sprintf(`<rect width="4" height="4" fill="%s" opacity=".25"/><rect width="2" height="4" fill="%[1]s"/>`, c)
	case scene.Alignment:
		turn, inner = "45", fmt.Sprintf(`<rect width="1.2" height="4" fill="%s"/>`, c)
	case scene.Replay:
		inner = fmt.Sprintf(`<rect width="1.4" height="4" fill="%s"/>`, c)
	case scene.Dotted:
		fmt.Fprintf(w, `<pattern id="h%d-%d" width="3.5" height="4" patternUnits="userSpaceOnUse"><rect width="1.5" height="4" fill="%s"/></pattern>`, h, t, c)
		return
	}
	if turn != "" {
		turn = ` patternTransform="rotate(` + turn + `)"`
	}
	fmt.Fprintf(w, `<pattern id="h%d-%d" width="4" height="4" patternUnits="userSpaceOnUse"%s>%s</pattern>`, h, t, turn, inner)
}

func (d *drawing) mark(m *scene.Mark) {
	switch m.Kind {
	case scene.Rect:
		d.rect(m)
	case scene.Line:
		d.add(d.stroke(m.Fill, m.Stroke, m.Dash, m.Alpha), "M"+xy(m.X, m.Y)+lineTo(m.W, m.H))
	case scene.Text:
		d.text(m)
	case scene.Sprite:
		d.sprite(m)
	case scene.Path:
		d.polygon(m)
	case scene.Grid:
		d.grid(m)
	}
}

// rect fills, then draws the edge inside the box; a plain box with an edge is one outline with both.
func (d *drawing) rect(m *scene.Mark) {
	if m.Fill != token.None && m.Edge != token.None {
		h := m.Stroke / 2
		d.add(d.both(m), box(m.X+h, m.Y+h, max(0, m.W-2*h), max(0, m.H-2*h), float32(m.Radius)))
		return
	}
	if m.Fill != token.None {
		d.add(d.fill(m.Fill, m.Hatch, m.Alpha), box(m.X, m.Y, m.W, m.H, float32(m.Radius)))
	}
	if m.Edge != token.None {
		h := m.Stroke / 2
		d.add(d.stroke(m.Edge, m.Stroke, m.Dash, m.Alpha), box(m.X+h, m.Y+h, max(0, m.W-2*h), max(0, m.H-2*h), float32(m.Radius)))
	}
}

func (d *drawing) fill(t token.Token, h scene.Hatch, alpha uint8) string {
	if h != scene.Solid {
		d.hatches[h][t] = true
		return fmt.Sprintf(`fill="url(#h%d-%d)"`, h, t) + opacity(alpha)
	}
	d.fills[t] = true
	return fmt.Sprintf(`class="f%d"`, t) + opacity(alpha)
}

func (d *drawing) stroke(t token.Token, width float32, dash scene.Dash, alpha uint8) string {
	d.strokes[t] = true
	style := fmt.Sprintf(`class="l s%d"`, t)
	if width != 1 {
		style += ` stroke-width="` + number(float64(width)) + `"`
	}
	if on, off := dash.Pattern(); on > 0 {
		style += ` stroke-dasharray="` + number(float64(on)) + " " + number(float64(off)) + `"`
	}
	return style + opacity(alpha)
}

// both is the style of a box that is filled and edged.
func (d *drawing) both(m *scene.Mark) string {
	edge := d.stroke(m.Edge, m.Stroke, m.Dash, m.Alpha)
	if m.Hatch != scene.Solid {
		return d.fill(m.Fill, m.Hatch, scene.Opaque) + " " + strings.Replace(edge, `"l s`, `"s`, 1)
	}
	d.fills[m.Fill] = true
	return strings.Replace(edge, `"l s`, fmt.Sprintf(`"f%d s`, m.Fill), 1)
}

func opacity(alpha uint8) string {
	if alpha == scene.Opaque {
		return ""
	}
	return ` opacity="` + strings.TrimPrefix(number(float64(int(alpha)*100/255)/100), "0") + `"`
}

// add puts an outline into the open path or begins a new one.
func (d *drawing) add(style, outline string) {
	if style != d.style {
		d.flush()
		d.style = style
	}
	d.path.WriteString(outline)
}

// flush ends the open path.
func (d *drawing) flush() {
	if d.path.Len() > 0 {
		fmt.Fprintf(d.w, `<path %s d="%s"/>`+"\n", d.style, d.path.String())
	}
	d.path.Reset()
	d.style = ""
}

func (d *drawing) text(m *scene.Mark) {
	d.flush()
	d.fills[m.Fill], d.sizes[int(m.Size)] = true, true
	class := fmt.Sprintf("f%d t%d", m.Fill, int(m.Size))
	if m.Bold {
		class += " b"
	}
	x, anchor := m.X, ""
	switch m.Anchor {
	case scene.Middle:
		x, anchor = m.X+m.W/2, ` text-anchor="middle"`
	case scene.End:
		x, anchor = m.X+m.W, ` text-anchor="end"`
	}
	text := d.s.Text(m)
	pinned := ""
	if len(text) > 3 {
		pinned = ` textLength="` + number(float64(m.W)) + `"`
	}
	space := ""
	if strings.HasPrefix(text, " ") || strings.HasSuffix(text, " ") {
		space = ` xml:space="preserve"`
	}
	fmt.Fprintf(d.w, `<text class="%s" x="%s" y="%s"%s%s%s%s>%s</text>`+"\n", class, number(float64(x)),
		number(float64(m.Y)), anchor, pinned, space, opacity(m.Alpha), escape(text))
}

// sprite draws a shape's outline in its box.
func (d *drawing) sprite(m *scene.Mark) {
	width, stroked := m.Shape.Stroked()
	style := ""
	if stroked {
		style = d.stroke(m.Fill, width, scene.Unbroken, m.Alpha)
	} else {
		style = d.fill(m.Fill, scene.Solid, m.Alpha)
	}
	parts := ""
	for _, part := range m.Shape.Outline() {
		parts += polyline(part, m.X, m.Y, m.W, m.H, !stroked)
	}
	d.add(style, parts)
	if m.Edge != token.None {
		edge := ""
		for _, part := range m.Shape.Outline() {
			edge += polyline(part, m.X, m.Y, m.W, m.H, true)
		}
		d.add(d.stroke(m.Edge, m.Stroke, scene.Unbroken, m.Alpha), edge)
	}
}

func (d *drawing) polygon(m *scene.Mark) {
	if m.Fill != token.None {
		d.add(d.fill(m.Fill, m.Hatch, m.Alpha), polyline(d.s.Points(m), 0, 0, 1, 1, true))
		return
	}
	d.add(d.stroke(m.Edge, m.Stroke, m.Dash, m.Alpha), polyline(d.s.Points(m), 0, 0, 1, 1, false))
}

// grid draws the cells of each colour as one path, joined along the rows.
func (d *drawing) grid(m *scene.Mark) {
	cells, cols := d.s.Cells(m), int(m.Cols)
	w, h := m.W/float32(cols), m.H/float32(len(cells)/cols)
	for t := token.Token(1); t < token.Count; t++ {
		for i := 0; i < len(cells); i++ {
			if cells[i] != t {
				continue
			}
			n := 1
			for (i+n)%cols != 0 && cells[i+n] == t {
				n++
			}
			d.add(d.fill(t, scene.Solid, m.Alpha), box(m.X+float32(i%cols)*w, m.Y+float32(i/cols)*h, float32(n)*w, h, 0))
			i += n - 1
		}
	}
}
