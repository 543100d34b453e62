package still_test

import (
	"bytes"
	"encoding/xml"
	"flag"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"checkpointlab/render/caption"
	"checkpointlab/render/figure"
	"checkpointlab/render/internal/sample"
	"checkpointlab/render/plot"
	"checkpointlab/render/scene"
	"checkpointlab/render/still"
	"checkpointlab/render/still/bitmap"
	"checkpointlab/render/token"
	"checkpointlab/web/texts"
)

var rewrite = flag.Bool("rewrite", false, "write the golden files anew")

// The six moments of the design at medium size.
func TestMoments(t *testing.T) {
	names, views := sample.Moments()
	for i, v := range views {
		var s scene.Scene
		scene.Build(v, nil, scene.Options{Width: 928, Layout: scene.Medium}, &s)
		var b bytes.Buffer
		if err := still.SVG(&b, &s, token.Light, names[i]); err != nil {
			t.Fatal(err)
		}
		golden(t, filepath.Join("testdata", names[i]+".svg"), b.Bytes())
	}
}

func TestPlot(t *testing.T) {
	var s scene.Scene
	plot.Build(sample.History(), plot.Options{Width: 932, Now: 71_200_000_000, End: 90_000_000_000,
		Notes: []plot.Note{{At: 30_000_000_000, Text: "sink 50 → 200 µs"}}}, &s)
	var b bytes.Buffer
	if err := still.SVG(&b, &s, token.Light, "latency"); err != nil {
		t.Fatal(err)
	}
	golden(t, filepath.Join("testdata", "plot.svg"), b.Bytes())
}

func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if *rewrite {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs; look at the change, then go test -rewrite", file)
	}
}

func page(lang scene.Lang, theme token.Theme) still.Page {
	return still.Page{Title: `A <slow> sink & "one side" fuller`, Seed: 42, Link: "lab?s=slow-sink", Theme: theme,
		Figure: figure.Options{Lang: lang, Plot: plot.Options{Notes: []plot.Note{{At: 30_000_000_000, Text: "sink 50 → 200 µs"}}}}}
}

// A still of the 2 × 2 × 2 job is well-formed, at most 60 KB, and says caption, seed, clock and link.
func TestStillSVG(t *testing.T) {
	names, views := sample.Moments()
	for i, v := range views {
		for lang := scene.English; lang <= scene.Korean; lang++ {
			var b bytes.Buffer
			if err := still.WriteSVG(&b, v, sample.History(), page(lang, token.Theme(lang))); err != nil {
				t.Fatal(err)
			}
			if b.Len() > 60_000 {
				t.Errorf("%s: %d bytes, want at most 60 000", names[i], b.Len())
			}
			text := words(t, b.Bytes())
			for _, want := range []string{caption.Plain(caption.Of(texts.Must(lang.String()), v, sample.History(), 0)), "42", "lab?s=slow-sink"} {
				if !strings.Contains(text, want) {
					t.Errorf("%s: %q is missing", names[i], want)
				}
			}
		}
	}
}

// words is the text of a document, which must be well-formed.
func words(t *testing.T, doc []byte) string {
	t.Helper()
	var b strings.Builder
	d := xml.NewDecoder(bytes.NewReader(doc))
	for {
		tok, err := d.Token()
		if err == io.EOF {
			return b.String()
		}
		if err != nil {
			t.Fatal(err)
		}
		if c, ok := tok.(xml.CharData); ok {
			b.Write(c)
		}
	}
}

func TestStillPNG(t *testing.T) {
	for _, theme := range []token.Theme{token.Light, token.Dark} {
		var b bytes.Buffer
		if err := bitmap.WritePNG(&b, sample.Alignment(), sample.History(), page(scene.Korean, theme), 1); err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(&b)
		if err != nil {
			t.Fatal(err)
		}
		if s := img.Bounds().Size(); s.X != still.Width || s.Y != still.Height {
			t.Errorf("%v px, want %d × %d", s, still.Width, still.Height)
		}
		r, g, bl, _ := img.At(2, 2).RGBA()
		if want := token.Page.Color(theme); uint8(r>>8) != want.R || uint8(g>>8) != want.G || uint8(bl>>8) != want.B {
			t.Errorf("theme %d: the corner is not the page's ground", theme)
		}
		found := map[token.Token]bool{}
		for y := 0; y < still.Height; y++ {
			for x := 0; x < still.Width; x++ {
				r, g, bl, _ := img.At(x, y).RGBA()
				for _, c := range []token.Token{token.BufPre, token.BufPostFill, token.Hue(7), token.Hue(6), token.Busy} {
					if v := c.Color(theme); uint8(r>>8) == v.R && uint8(g>>8) == v.G && uint8(bl>>8) == v.B {
						found[c] = true
					}
				}
			}
		}
		if len(found) != 5 {
			t.Errorf("theme %d: of five inks only %v are in the picture", theme, found)
		}
	}
}

// A still is 1600 × 900 whatever the job: what is too high is drawn at the next level of detail.
func TestStillFits(t *testing.T) {
	for _, p := range []int{1, 4, 16, 64, 100} {
		s := still.Build(sample.Square(p), sample.History(), page(scene.English, token.Light))
		for i := range s.Marks {
			if _, y, _, h := s.Marks[i].Box(); y+h > still.Height {
				t.Errorf("%d subtasks: mark %v reaches %v", p, s.Marks[i].ID, y+h)
				break
			}
		}
	}
}

// A figure beside a text first shows a still that is laid out as it is itself: the pipeline, and the plot at its lower end.
func TestStillBeside(t *testing.T) {
	p := page(scene.English, token.Light)
	p.Beside = true
	s := still.Build(sample.Alignment(), sample.History(), p)
	if s.Width != still.BesideWidth {
		t.Errorf("%v px wide", s.Width)
	}
	low, cards := 0.0, 0
	for i := range s.Marks {
		if _, y, _, h := s.Marks[i].Box(); s.Marks[i].ID.What == scene.Scrub {
			low = max(low, y+h)
		}
		cards += map[scene.What]int{scene.Card: 1}[s.Marks[i].ID.What]
	}
	if low < s.Height-60 || low > s.Height {
		t.Errorf("the scrubber ends at %v of %v", low, s.Height)
	}
	if cards == 0 {
		t.Error("no subtask is drawn")
	}
}

// The few colours of a poster are chosen so that a checkpoint's hue stays its own where only a dot has it.
func TestPosterKeepsHues(t *testing.T) {
	for _, theme := range []token.Theme{token.Light, token.Dark} {
		var b bytes.Buffer
		s := still.Build(sample.Alignment(), sample.History(), page(scene.English, theme))
		if err := bitmap.Poster(&b, s, theme, 0.6); err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(&b)
		if err != nil {
			t.Fatal(err)
		}
		for hue := range int64(4) {
			want, found := token.Hue(hue).Color(theme), false
			for y := range img.Bounds().Dy() {
				for x := range img.Bounds().Dx() {
					r, g, bl, _ := img.At(x, y).RGBA()
					found = found || uint8(r>>8) == want.R && uint8(g>>8) == want.G && uint8(bl>>8) == want.B
				}
			}
			if !found {
				t.Errorf("theme %d: no pixel has the hue of checkpoint %d", theme, hue)
			}
		}
	}
}
