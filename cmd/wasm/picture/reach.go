package picture

import (
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

// Targets lists what can be focused, in reading order; what two parts show is listed where it comes first.
func (p *Picture) Targets() []Target {
	out := []Target{}
	seen := map[scene.ID]bool{}
	for _, part := range p.parts {
		p.targets = scene.Targets(part.scene, p.view, p.history, p.lang, p.targets[:0])
		for i := range p.targets {
			t := &p.targets[i]
			if seen[t.ID] {
				continue
			}
			seen[t.ID] = true
			out = append(out, Target{t.ID.String(), groups[t.Group], Box{t.X + part.x, t.Y + part.y, t.W, t.H}, t.Label})
		}
	}
	return out
}

// Hover says which point of the stage the pointer is at; a negative one is none. It reports whether something else is
// hovered than before.
func (p *Picture) Hover(x, y float64) bool {
	before := p.hovered
	p.hovered = scene.ID{}
	if x >= 0 && y >= 0 {
		for _, part := range p.parts {
			if id, ok := scene.Hit(part.scene, x-part.x, y-part.y); ok {
				p.hovered = id
			}
		}
	}
	return p.hovered != before
}

// Focus says which target has the focus; a name that is none takes it away.
func (p *Picture) Focus(name string) {
	id, err := scene.ParseID(name)
	if err != nil {
		id = scene.ID{}
	}
	p.focused = id
}

// Pin keeps what is named, or what is hovered, in view; the same one again, or a name that is none, unpins.
func (p *Picture) Pin(name string) {
	id, err := scene.ParseID(name)
	if name == "hover" {
		id, err = p.hovered, nil
	}
	if err != nil || id == p.pinned {
		id = scene.ID{}
	}
	p.pinned = id
}

// Reading is what is read out now and where the foot of its box may stand: in the line of the heads above the pipeline, or
// in the title of the plot; there it covers no data. An empty text is nothing.
func (p *Picture) Reading() (text string, at Box) {
	for _, id := range []scene.ID{p.hovered, p.focused, p.pinned} {
		if id.What == scene.Nothing {
			continue
		}
		if text := scene.Readout(p.view, p.history, id, p.lang); text != "" {
			return text, p.beside(id)
		}
	}
	return "", Box{}
}

// beside is the free line nearest to a mark.
func (p *Picture) beside(id scene.ID) Box {
	for i, part := range p.parts {
		for k := range part.scene.Marks {
			m := &part.scene.Marks[k]
			if m.ID != id {
				continue
			}
			x, _, w, _ := m.Box()
			line := part.y + titleFoot
			if i == 0 {
				line = part.y + headFoot
			}
			return Box{X: part.x + x, Y: line, W: w}
		}
	}
	return Box{}
}

// Where the heads of the pipeline and the titles of the other parts end, from their top.
const headFoot, titleFoot = 60, 22
