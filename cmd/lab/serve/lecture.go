package serve

import (
	"fmt"
	"os"
	"path/filepath"

	"checkpointlab/render/still"
	"checkpointlab/render/token"
	"checkpointlab/web/companion"
	"checkpointlab/web/texts"
)

// lecturePage is the page whose slides web/companion makes.
const lecturePage = "lecture.html"

// withLecture puts the slides into the page.
func withLecture(root, page string, words *texts.Table) (string, error) {
	dir, err := keepLecture(root)
	if err != nil {
		return "", err
	}
	slides, err := os.ReadFile(filepath.Join(dir, words.Lang()))
	if err != nil {
		return "", err
	}
	return fill(lecturePage, page, "lecture: slides", slides)
}

// writeLectureStills brings the stills of the slides into a page folder.
func writeLectureStills(root, outDir string) error {
	dir, err := keepLecture(root)
	if err != nil {
		return err
	}
	to := filepath.Join(outDir, companion.LectureDir)
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	return copyInto(to, filepath.Join(dir, companion.LectureDir))
}

// keepLecture is the folder with the slides in each language and their stills. They are made anew when the sources or a scenario
// have changed: slides and notes hold what runs come to.
func keepLecture(root string) (string, error) {
	k, err := keep(root, "./web/companion", "./render/still")
	if err != nil {
		return "", err
	}
	own := filepath.Join(root, "cmd", "lab", "serve")
	return k.piece("lecture", append(scenarioFiles(root), filepath.Join(own, "lecture.go"), filepath.Join(own, "stills.go")), makeLecture)
}

func makeLecture(dir string) error {
	shown, err := companion.Lecture()
	if err != nil {
		return err
	}
	for _, lang := range texts.Languages() {
		slides, err := companion.WriteLecture(texts.Must(lang), shown)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, lang), []byte(slides), 0o644); err != nil {
			return err
		}
	}
	stills := filepath.Join(dir, companion.LectureDir)
	if err := os.Mkdir(stills, 0o755); err != nil {
		return err
	}
	for _, s := range shown {
		if err := drawSlide(s, stills); err != nil {
			return fmt.Errorf("still of the slide %s: %w", s.Slide.ID, err)
		}
	}
	return nil
}

// sharp is how many device px of a slide's still a CSS px has: slides fill a wall.
const sharp = 2

// drawSlide draws a slide's run at its instant in the size of its figure, light for paper and for the light lecture, and dark. PNGs,
// since printing thirty drawings takes a browser minutes.
func drawSlide(s *companion.Shown, dir string) error {
	width, height := s.Slide.Size()
	for _, lang := range texts.Languages() {
		page := stillPage(s.Scenario, lang)
		page.Frame, page.Plot = still.Size{W: float64(width), H: float64(height)}, s.Slide.View == "plot"
		for end, theme := range map[string]token.Theme{"": token.Light, ".dark": token.Dark} {
			page.Theme = theme
			if err := writePoster(filepath.Join(dir, s.Slide.ID+"."+lang+end+".png"), s.Run, s.At, page, float64(sharp*width)); err != nil {
				return err
			}
		}
	}
	return nil
}
