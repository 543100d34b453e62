package serve

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"checkpointlab/core/event"
	"checkpointlab/core/timeline"
	"checkpointlab/ops/parallel"
	"checkpointlab/render/scene"
	"checkpointlab/render/still"
	"checkpointlab/render/still/bitmap"
	"checkpointlab/render/token"
	"checkpointlab/scenarios"
	"checkpointlab/web/texts"
)

// stillsDir is the folder of the stills: NAME.LANG.THEME.svg of every scenario, as .png in the layout of an embed, NAME.LANG.THEME.narrow.svg
// for a column, also as .png, NAME.LANG.THEME.beside.svg for a figure beside a text, for that of the companion's first section as .png, too,
// NAME.LANG.THEME.lab.png and .lab.medium.png in the place of the lab page's picture, NAME.LANG.paper.svg for
// a page of text on paper, and in a site NAME.LANG.png. Their names are for other people's pages and stay as they are.
//
// One rule says which a page takes. A still that stands only until the program draws is the PNG: it is decoded beside the thread that
// starts the program. One that may be all that a reader ever gets, without a script, on paper or in an element that is not live, is the
// SVG, which is sharp at any size.
const stillsDir = "stills"

// Widths in device px: of what an embed shows first, and of a column on a phone with two of them a CSS px.
const posterWidth, narrowWidth = still.EmbedWidth, 2 * still.NarrowWidth

// first is the scenario beside the companion's first words.
const first = "backpressure"

// mostStill is how large an SVG may be, in bytes: it is the first thing that a reader waits for.
const mostStill = 60_000

var errTooLarge = errors.New("choose another last moment of the scenario")

var themes = map[string]token.Theme{"light": token.Light, "dark": token.Dark}

// writeStills draws every scenario at its last moment: in both languages and themes, and with raster also as PNG for pages that
// show links. A scenario that was drawn before by the same sources is not computed again.
func writeStills(root, outDir string, raster bool) error {
	if err := os.MkdirAll(filepath.Join(outDir, stillsDir), 0o755); err != nil {
		return err
	}
	k, err := keep(root, "./render/still", "./core/timeline", "./scenarios", "./web/texts")
	if err != nil {
		return err
	}
	own := filepath.Join(root, "cmd", "lab", "serve", "stills.go")
	names := scenarios.Names()
	errs := make([]error, len(names))
	parallel.Each(len(names), func(i int) {
		scenario := filepath.Join(root, "scenarios", names[i]+".yaml")
		if err := writeStillsOf(k, names[i], []string{own, scenario}, outDir, raster); err != nil {
			errs[i] = fmt.Errorf("still of %s: %w", names[i], err)
		}
	})
	return errors.Join(errs...)
}

func writeStillsOf(k kept, name string, of []string, outDir string, raster bool) error {
	piece := "still-" + name
	if raster {
		piece = "raster-" + name
	}
	dir, err := k.piece(piece, of, func(dir string) error { return drawStills(name, dir, raster) })
	if err != nil {
		return err
	}
	return copyInto(filepath.Join(outDir, stillsDir), dir)
}

// drawStills computes a scenario and draws its stills into a folder: as SVG, or as PNG.
func drawStills(name, dir string, raster bool) error {
	s, err := scenarios.Load(name)
	if err != nil {
		return err
	}
	run, err := timeline.New(s.Setup)
	if err != nil {
		return err
	}
	for !run.Extend(1 << 20) {
	}
	at := posterInstant(s, run)
	for _, lang := range texts.Languages() {
		page := stillPage(s, lang)
		if raster {
			if err := writePNG(filepath.Join(dir, name+"."+lang+".png"), run, at, page); err != nil {
				return err
			}
			continue
		}
		if err := writePaper(filepath.Join(dir, name+"."+lang+".paper.svg"), run, at, page); err != nil {
			return err
		}
		for theme, colours := range themes {
			file := filepath.Join(dir, name+"."+lang+"."+theme)
			page.Theme = colours
			if err := drawThemed(file, run, at, page, name == first); err != nil {
				return err
			}
		}
	}
	return nil
}

// writePaper draws the still for a page of text on paper.
func writePaper(file string, run *timeline.Timeline, at event.Time, page still.Page) error {
	page.Paper = true
	err := writeSVG(file, run, at, page)
	if errors.Is(err, errTooLarge) {
		page.Figure.Pipeline.Level = scene.Matrix
		err = writeSVG(file, run, at, page)
	}
	return err
}

// drawThemed draws the stills of a scenario in one language and theme.
func drawThemed(file string, run *timeline.Timeline, at event.Time, page still.Page, first bool) error {
	narrow, embed, wide := page, page, page
	narrow.Narrow, embed.Embed, wide.Stage = true, true, true
	medium := wide
	medium.Figure.Layout = scene.Medium
	return errors.Join(writeSVG(file+".svg", run, at, page), writePoster(file+".png", run, at, embed, posterWidth),
		writeSVG(file+".narrow.svg", run, at, narrow), writePoster(file+".narrow.png", run, at, narrow, narrowWidth),
		writeBeside(file+".beside", run, at, page, first),
		writePoster(file+".lab.png", run, at, wide, still.StageWidth), writePoster(file+".lab.medium.png", run, at, medium, still.MediumWidth))
}

// besideHigh is how high a pipeline beside a text may be if all its buffers would make the still too large, in CSS px.
const besideHigh = 360

// writeBeside draws the still for a figure beside a text.
func writeBeside(file string, run *timeline.Timeline, at event.Time, page still.Page, poster bool) error {
	page.Beside = true
	err := writeSVG(file+".svg", run, at, page)
	if errors.Is(err, errTooLarge) {
		page.Figure.Pipeline.Height = besideHigh
		err = writeSVG(file+".svg", run, at, page)
	}
	if poster {
		err = errors.Join(err, writePoster(file+".png", run, at, page, still.BesideWidth))
	}
	return err
}

// stillPage is a scenario's still in a language, light and wide.
func stillPage(s *scenarios.Scenario, lang string) still.Page {
	page := still.Page{Title: s.Title[lang], Seed: s.Setup.Seed}
	page.Figure.Lang = scene.ParseLang(lang)
	page.Figure.Pipeline.Segment = s.Setup.Options.SegmentSize
	return page
}

// posterInstant is what the scenario says shows the most, the last of its moments that happens, else the middle of the run.
func posterInstant(s *scenarios.Scenario, run *timeline.Timeline) event.Time {
	if s.Show > 0 {
		return s.Show
	}
	for i := len(s.Moments) - 1; i >= 0; i-- {
		if at, ok := s.Moments[i].In(run.Lab().History()); ok && at <= run.Computed() {
			return at
		}
	}
	return run.Computed() / 2
}

func writeSVG(file string, run *timeline.Timeline, at event.Time, page still.Page) error {
	var b bytes.Buffer
	if err := still.WriteSVG(&b, run.At(at), run.Lab().History(), page); err != nil {
		return err
	}
	if b.Len() > mostStill {
		return fmt.Errorf("%s has %d bytes, more than %d: %w", filepath.Base(file), b.Len(), mostStill, errTooLarge)
	}
	return writeIfChanged(file, b.Bytes())
}

// writePoster writes a still as PNG, so many device px wide.
func writePoster(file string, run *timeline.Timeline, at event.Time, page still.Page, width float64) error {
	draw, s := bitmap.Poster, still.Build(run.At(at), run.Lab().History(), page)
	if page.Stage {
		draw = bitmap.Overlay
	}
	var b bytes.Buffer
	if err := draw(&b, s, page.Theme, width/s.Width); err != nil {
		return err
	}
	return writeIfChanged(file, b.Bytes())
}

func writePNG(file string, run *timeline.Timeline, at event.Time, page still.Page) error {
	var b bytes.Buffer
	if err := bitmap.WritePNG(&b, run.At(at), run.Lab().History(), page, 1); err != nil {
		return err
	}
	return writeIfChanged(file, b.Bytes())
}
