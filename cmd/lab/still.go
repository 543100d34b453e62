package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"checkpointlab/core/event"
	"checkpointlab/core/timeline"
	"checkpointlab/render/scene"
	"checkpointlab/render/still"
	"checkpointlab/render/still/bitmap"
	"checkpointlab/render/token"
)

// stillCmd draws a run at one instant.
type stillCmd struct {
	scenarioArgs
	At      string  `required:"" placeholder:"TIME" help:"The instant, such as 71.2s."`
	Output  string  `required:"" short:"o" placeholder:"FILE" help:"File to write; its ending says which: .svg or .png."`
	Theme   string  `enum:"light,dark" default:"light" help:"light or dark."`
	Lang    string  `enum:"en,ko" default:"en" help:"en or ko."`
	Scale   float64 `default:"2" help:"Pixels of a PNG per CSS px."`
	Caption string  `help:"What to watch; what happens at the instant if not given."`
	Whole   bool    `help:"Compute the whole run first, so that axes and faint future are those of the live figure."`
	Link    string  `help:"Address of the live figure, printed below."`
}

// leastScale and mostScale bound --scale: beyond them it is a mistake rather than a wish.
const leastScale, mostScale = 0.5, 8

// Run writes the picture.
func (c *stillCmd) Run(e *env) error {
	s, err := c.load(e)
	if err != nil {
		return err
	}
	at, err := c.check(s)
	if err != nil {
		return err
	}
	told := e.progress("still " + s.name)
	laidOut := told.during(s.layingOut())
	view, err := timeline.New(s.setup)
	laidOut()
	if err != nil {
		return err
	}
	for !c.enough(view, at) && !view.Extend(slice) {
		told.at(inSeconds(view.Computed()), inSeconds(s.setup.Duration), "s simulated")
	}
	if err := c.draw(view, at, s); err != nil {
		return err
	}
	if e.json {
		return e.printJSON(map[string]any{"file": c.Output, "scenario": s.name, "at_s": inSeconds(at)})
	}
	return nil
}

// enough reports whether the run is computed as far as the picture needs.
func (c *stillCmd) enough(run *timeline.Timeline, at event.Time) bool {
	return !c.Whole && run.Computed() > at
}

// check reads the instant and refuses what cannot be drawn before the run is computed.
func (c *stillCmd) check(s *scenario) (event.Time, error) {
	at, err := parseInstant(c.At)
	if err != nil {
		return 0, fmt.Errorf("--at: %w", err)
	}
	if at > s.setup.Duration {
		return 0, fmt.Errorf("--at %s is after the end of the run at %g s; write an earlier instant or --set run.duration", c.At, inSeconds(s.setup.Duration))
	}
	if end := c.ending(); end != ".svg" && end != ".png" {
		return 0, fmt.Errorf("-o %s: the ending %q is neither .svg nor .png; write one of them", c.Output, end)
	}
	if !(leastScale <= c.Scale && c.Scale <= mostScale) { // NaN is none, either
		return 0, fmt.Errorf("--scale %g is not a scale; write %g to %d", c.Scale, leastScale, mostScale)
	}
	return at, nil
}

func (c *stillCmd) ending() string { return strings.ToLower(filepath.Ext(c.Output)) }

// draw makes the whole picture before the file, so that a failure leaves no half of one.
func (c *stillCmd) draw(run *timeline.Timeline, at event.Time, s *scenario) error {
	page := still.Page{Title: s.title[c.Lang], Caption: c.Caption, Seed: s.setup.Seed, Link: c.Link}
	page.Figure.Lang = scene.ParseLang(c.Lang)
	page.Figure.Pipeline.Segment = s.setup.Options.SegmentSize
	if c.Theme == "dark" {
		page.Theme = token.Dark
	}
	view, history := run.At(at), run.Lab().History()
	var b bytes.Buffer
	var err error
	if c.ending() == ".png" {
		err = bitmap.WritePNG(&b, view, history, page, c.Scale)
	} else {
		err = still.WriteSVG(&b, view, history, page)
	}
	if err != nil {
		return err
	}
	if err := os.WriteFile(c.Output, b.Bytes(), 0o644); err != nil {
		return fmt.Errorf("-o %s cannot be written: %w; choose a file in a folder that exists and that you may write to", c.Output, cause(err))
	}
	return nil
}
