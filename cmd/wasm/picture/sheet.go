package picture

import (
	"cmp"
	"slices"
	"strings"

	"checkpointlab/render/figure"
	"checkpointlab/render/font"
	"checkpointlab/render/scene"
	"checkpointlab/render/token"
)

// Sheet is what a file says around the picture, where no document does.
type Sheet struct {
	Caption string   // above it
	Lanes   []string // above the pipelines of a comparison
	Source  string   // below it
}

// Distances of a sheet in px.
const (
	sheetMargin = 24.0
	sheetAir    = 14.0 // between picture and words
	sheetLine   = 24.0 // of the caption
	sourceLine  = 17.0
	mostGap     = 36.0 // between parts that stand below one another, where a document has controls and tables
	laneName    = 12.0 // from a lane's name to its pipeline
)

// Sheet is the picture as a file has it: with a margin and words around it, and without the room of the document's controls.
func (p *Picture) Sheet(about Sheet, s *scene.Scene) {
	kept := p.figure.Parts
	defer func() { p.figure.Parts = kept }()
	p.figure.Parts = slices.Clone(kept)
	panels := []Box{edge(p.place.Plot), edge(p.place.Gantt)}
	if bare(p.place.Mode) {
		closeGaps(p.figure.Parts)
		panels = nil
	}
	high := 0.0
	for _, part := range p.figure.Parts {
		high = max(high, part.Y+part.Scene.Height)
	}
	for _, b := range panels {
		high = max(high, b.Y+b.H)
	}
	var all scene.Scene
	p.figure.Join(&all, p.place.W, high, panels...)
	caption, source := wrap(about.Caption, p.place.W, token.T17), wrap(about.Source, p.place.W, token.T12)
	top := sheetMargin + sheetLine*float64(len(caption)) + sheetAir
	s.Reset(p.place.W+2*sheetMargin, top+high+sheetAir+sourceLine*float64(len(source))+sheetMargin-sourceLine/2)
	for i, line := range caption {
		s.Write(scene.ID{}, sheetMargin, sheetMargin+sheetLine*float64(i)+token.T17, token.T17, token.Ink, font.Regular, scene.Start, line)
	}
	s.Append(&all, sheetMargin, top)
	for _, part := range p.figure.Parts {
		if len(p.lanes) > 1 && part.Lane < len(about.Lanes) && p.pipeline(part) {
			s.Write(scene.ID{}, sheetMargin+part.X, top+part.Y-laneName, token.T13, token.Ink, font.Bold, scene.Start, about.Lanes[part.Lane])
		}
	}
	for i, line := range source {
		s.Write(scene.ID{}, sheetMargin, top+high+sheetAir+sourceLine*float64(i+1), token.T12, token.Ink3, font.Regular, scene.Start, line)
	}
}

// pipeline reports whether a part is a lane's pipeline: it stands in that one's box.
func (p *Picture) pipeline(part figure.Part) bool {
	return part.Lane < len(p.boxes.Pipelines) && part.X == p.boxes.Pipelines[part.Lane].X && part.Scene.Width == p.boxes.Pipelines[part.Lane].W
}

// closeGaps moves parts up that stand far below the one before.
func closeGaps(parts []figure.Part) {
	slices.SortStableFunc(parts, func(a, b figure.Part) int { return cmp.Compare(a.Y, b.Y) })
	bottom := 0.0
	for i := range parts {
		parts[i].Y = min(parts[i].Y, bottom+mostGap)
		bottom = max(bottom, parts[i].Y+parts[i].Scene.Height)
	}
}

// wrap breaks a text into lines of a width, between words, and a word that is wider within.
func wrap(text string, width, size float64) (lines []string) {
	line := ""
	fits := func(s string) bool { return font.Width(s, font.Regular, size) <= width }
	for word := range strings.FieldsSeq(text) {
		if next := strings.TrimSpace(line + " " + word); fits(next) {
			line = next
			continue
		}
		if line != "" {
			lines = append(lines, line)
		}
		for line = word; !fits(line); {
			cut := ""
			for _, r := range line {
				if !fits(cut + string(r)) {
					break
				}
				cut += string(r)
			}
			if cut == "" { // narrower than a letter
				break
			}
			lines, line = append(lines, cut), line[len(cut):]
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}
