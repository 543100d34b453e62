package picture

import (
	"strings"

	"checkpointlab/core/event"
	"checkpointlab/render/figure"
	"checkpointlab/render/scene"
)

// Target is something that can be focused, with what it reads.
type Target struct {
	ID    string `json:"id"`
	Group string `json:"group"`
	Box   Box    `json:"box"`
	Label string `json:"label"`
}

var groups = [...]string{scene.Pipeline: "pipeline", scene.PlotGroup: "plot", scene.StripGroup: "strip"}

// laneNames are those of the page; a mark of a lane after the first has its letter in front of its name.
const laneNames = "ABCD"

func (m mark) String() string {
	if m.lane == 0 {
		return m.id.String()
	}
	return laneNames[m.lane:m.lane+1] + ":" + m.id.String()
}

// parse reads what String wrote; a name that is none is no mark.
func (p *Picture) parse(name string) mark {
	lane := 0
	if before, after, ok := strings.Cut(name, ":"); ok {
		if lane, name = strings.Index(laneNames, before), after; lane < 0 || lane >= max(1, len(p.lanes)) {
			return mark{}
		}
	}
	id, err := scene.ParseID(name)
	if err != nil {
		return mark{}
	}
	return mark{lane, id}
}

// Targets lists what can be focused, in reading order; what two parts show is listed where it comes first.
func (p *Picture) Targets() []Target {
	out := []Target{}
	seen := map[mark]bool{}
	for i := range p.figure.Parts {
		part := &p.figure.Parts[i]
		l := &p.lanes[part.Lane]
		p.targets = scene.Targets(part.Scene, l.View, l.History, p.lang, p.targets[:0])
		for i := range p.targets {
			t := &p.targets[i]
			m := mark{part.Lane, t.ID}
			if seen[m] {
				continue
			}
			seen[m] = true
			out = append(out, Target{m.String(), p.group(t.Group, part.Lane), Box{X: t.X + part.X, Y: t.Y + part.Y, W: t.W, H: t.H}, p.label(m, t.Label)})
		}
	}
	return out
}

// label is what a mark reads: what the view says, or a point of the sweep.
func (p *Picture) label(m mark, text string) string {
	w := p.sweep
	if m.id.What == scene.Moment {
		text += p.note(m)
	}
	if m.id.What != scene.SweepPoint {
		return p.named(m.lane, text)
	}
	if w == nil || int(m.id.A) >= len(w.Panels) || int(m.id.B) >= len(w.Values) {
		return ""
	}
	panel := &w.Panels[m.id.A]
	return w.Title + " " + w.Values[m.id.B] + ": " + panel.Title + " " + panel.Texts[m.id.B]
}

// note is what a step of the script changes, in the words of the time axis; "" if it has none.
func (p *Picture) note(m mark) string {
	all := p.lanes[m.lane].History.Moments
	if int(m.id.A) >= len(all) || all[m.id.A].Kind != event.ScriptDone {
		return ""
	}
	for i := range p.notes {
		if p.notes[i].At == all[m.id.A].At {
			return ": " + p.notes[i].Text
		}
	}
	return ""
}

// group is one tab stop; each lane's pipeline has its own.
func (p *Picture) group(g scene.Group, lane int) string {
	if lane == 0 {
		return groups[g]
	}
	return groups[g] + laneNames[lane:lane+1]
}

// named puts the lane in front of what is read, where there are several.
func (p *Picture) named(lane int, text string) string {
	if len(p.lanes) > 1 && text != "" {
		return laneNames[lane:lane+1] + ", " + text
	}
	return text
}

// Hover says which point of the stage the pointer is at; a negative one is none. It reports whether something else is
// hovered than before.
func (p *Picture) Hover(x, y float64) bool {
	before := p.hovered
	p.hovered = mark{}
	if x >= 0 && y >= 0 {
		for i := range p.figure.Parts {
			part := &p.figure.Parts[i]
			if id, ok := scene.Hit(part.Scene, x-part.X, y-part.Y); ok {
				p.hovered = mark{part.Lane, id}
			}
		}
	}
	return p.hovered != before
}

// Focus says which target has the focus; a name that is none takes it away.
func (p *Picture) Focus(name string) { p.focused = p.parse(name) }

// Pin keeps what is named, or what is hovered, in view, and opens a merged subtask; the same one again, or a name that is
// none, unpins and closes. It reports whether the pipeline is laid out anew.
func (p *Picture) Pin(name string) (laidOut bool) {
	m := p.parse(name)
	if name == "hover" {
		m = p.hovered
	}
	if m.id.What == scene.Nothing || m == p.pinned {
		laidOut = p.opened != 0
		p.pinned, p.opened = mark{}, 0
		return laidOut
	}
	p.pinned = m
	if task := p.merged(m); task != 0 {
		p.opened = task
		return true
	}
	return false
}

// merged is the task of a mark in a pipeline whose subtasks are merged plus one, 0 if there is none.
func (p *Picture) merged(m mark) event.Task {
	if len(p.lanes) == 0 || m.id.What != scene.Card || scene.LevelFor(p.lanes[m.lane].View) == scene.Cells {
		return 0
	}
	return m.id.A + 1
}

// Opened reports whether a merged subtask is shown with its neighbours.
func (p *Picture) Opened() bool { return p.opened != 0 }

// Forget drops what belongs to the run that was shown.
func (p *Picture) Forget() { p.hovered, p.focused, p.pinned, p.opened = mark{}, mark{}, mark{}, 0 }

// Reading is what is read out now and where the foot of its box may stand: in the line of the heads above the pipeline, or
// in the title of the plot; there it covers no data. An empty text is nothing.
func (p *Picture) Reading() (text string, at Box) {
	for _, m := range []mark{p.hovered, p.focused, p.pinned} {
		if m.id.What == scene.Nothing || m.lane >= len(p.lanes) {
			continue
		}
		l := &p.lanes[m.lane]
		if text := p.label(m, scene.Readout(l.View, l.History, m.id, p.lang)); text != "" {
			return text, p.beside(m)
		}
	}
	return "", Box{}
}

// beside is the free line nearest to a mark.
func (p *Picture) beside(m mark) Box {
	for i := range p.figure.Parts {
		part := &p.figure.Parts[i]
		if part.Lane != m.lane {
			continue
		}
		for k := range part.Scene.Marks {
			mk := &part.Scene.Marks[k]
			if mk.ID != m.id {
				continue
			}
			x, _, w, _ := mk.Box()
			return Box{X: part.X + x, Y: part.Y + p.freeLine(part, i), W: w}
		}
	}
	return Box{}
}

// Where the heads of the pipeline and the titles of the other parts end, from their top.
const headFoot, bareFoot, titleFoot = 60, 24, 22

func (p *Picture) freeLine(part *figure.Part, i int) float64 {
	switch {
	case i >= len(p.lanes):
		return titleFoot
	case len(p.lanes) > 1:
		return bareFoot
	}
	return headFoot
}
