package picture

// plotPart is the plot with the strip and the scrubber.
type plotPart struct{}

func plotHeight(mode string) float64 {
	if mode == "phone" {
		return 150
	}
	return 290
}

func (p *Picture) buildPlot() {}

// Scrub is where the scrubber's line runs.
func (p *Picture) Scrub() Box {
	b := p.place.Plot
	return Box{b.X + 60, b.Y + b.H - 36, b.W - 100, 0}
}
