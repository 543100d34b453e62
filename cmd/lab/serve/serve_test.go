package serve

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/andybalholm/brotli"

	"checkpointlab/web/texts"
)

func page() fstest.MapFS {
	return fstest.MapFS{
		"index.html":            {Data: []byte("<p>page</p>")},
		"checkpointlab.wasm":    {Data: []byte("plain")},
		"checkpointlab.wasm.br": {Data: []byte("brotli")},
		"checkpointlab.wasm.gz": {Data: []byte("gzip")},
		"texts/ko.json":         {Data: []byte("{}")},
	}
}

func get(t *testing.T, target, accept string, header ...string) *http.Response {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, target, nil)
	r.Header.Set("Accept-Encoding", accept)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	Handler(page()).ServeHTTP(w, r)
	return w.Result()
}

func TestBestVariantIsSent(t *testing.T) {
	for _, c := range []struct{ accept, encoding, body string }{
		{"gzip, deflate, br, zstd", "br", "brotli"},
		{"gzip", "gzip", "gzip"},
		{"", "", "plain"},
		{"br;q=0, gzip;q=0.5", "gzip", "gzip"},
	} {
		res := get(t, "/checkpointlab.wasm", c.accept)
		body, _ := io.ReadAll(res.Body)
		if got := res.Header.Get("Content-Encoding"); got != c.encoding || string(body) != c.body {
			t.Errorf("accept %q: encoding %q body %q, want %q %q", c.accept, got, body, c.encoding, c.body)
		}
		if got := res.Header.Get("Content-Type"); got != "application/wasm" {
			t.Errorf("type %q: a browser compiles a stream only as application/wasm", got)
		}
	}
}

func TestEveryAnswerIsSecured(t *testing.T) {
	for _, target := range []string{"/", "/texts/ko.json", "/nothing", "/../secret"} {
		res := get(t, target, "br")
		csp := res.Header.Get("Content-Security-Policy")
		if csp == "" || strings.Contains(csp, "unsafe-inline") || strings.Contains(csp, "http") {
			t.Errorf("%s: policy %q", target, csp)
		}
		if res.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s may be sniffed", target)
		}
	}
}

func TestFoldersTagsAndMissingFiles(t *testing.T) {
	res := get(t, "/", "")
	if res.StatusCode != http.StatusOK || !strings.HasPrefix(res.Header.Get("Content-Type"), "text/html") {
		t.Fatalf("/: %s %s", res.Status, res.Header.Get("Content-Type"))
	}
	tag := res.Header.Get("ETag")
	if got := get(t, "/index.html", "", "If-None-Match", tag).StatusCode; got != http.StatusNotModified {
		t.Errorf("with its tag: %d, want 304", got)
	}
	for _, target := range []string{"/none.js", "/checkpointlab.wasm.br", "/texts", "/texts/"} {
		if got := get(t, target, "br").StatusCode; got != http.StatusNotFound {
			t.Errorf("%s: %d, want 404", target, got)
		}
	}
}

func TestOnlyReading(t *testing.T) {
	w := httptest.NewRecorder()
	Handler(page()).ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/", nil))
	if w.Code != http.StatusMethodNotAllowed {
		t.Errorf("POST: %d", w.Code)
	}
}

func TestRunNamesWhatIsWrong(t *testing.T) {
	if err := Run(context.Background(), Options{Dir: t.TempDir()}); err == nil || !strings.Contains(err.Error(), "build the page first") {
		t.Errorf("empty folder: %v", err)
	}
	dir := pageDir(t)
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	port := taken.Addr().(*net.TCPAddr).Port
	if err := Run(context.Background(), Options{Dir: dir, Port: port}); err == nil || !strings.Contains(err.Error(), "PORT=") {
		t.Errorf("taken port: %v", err)
	}
	if err := Run(context.Background(), Options{Dir: dir, Port: 70000}); err == nil || !strings.Contains(err.Error(), "PORT=70000 is not a port") {
		t.Errorf("no port: %v", err)
	}
}

func TestRunStopsWithItsContext(t *testing.T) {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := free.Addr().(*net.TCPAddr).Port
	free.Close()
	ctx, stop := context.WithCancel(context.Background())
	told := &firstLine{line: make(chan string, 1)}
	done := make(chan error, 1)
	go func() { done <- Run(ctx, Options{Dir: pageDir(t), Port: port, Out: told}) }()
	address := <-told.line
	url := address[strings.Index(address, "http"):strings.LastIndex(address, " (")]
	res, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	stop()
	if err := <-done; err != nil {
		t.Errorf("stopped with %v", err)
	}
}

type firstLine struct{ line chan string }

func (f *firstLine) Write(p []byte) (int, error) {
	f.line <- string(p)
	return len(p), nil
}

func pageDir(t *testing.T) string {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "index.html"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestThePageRendersInBothLanguages(t *testing.T) {
	for _, page := range pages {
		source, err := os.ReadFile("../../../web/" + page)
		if err != nil {
			t.Fatal(err)
		}
		for _, lang := range texts.Languages() {
			table := texts.Must(lang)
			out, err := Render(string(source), table)
			if err != nil {
				t.Fatalf("%s: %v", page, err)
			}
			wanted := []string{`<html lang="` + lang + `"`, table.Raw("page.brand") + "</", `aria-label="` + table.Raw("controls.play") + `"`}
			if page == lecturePage {
				wanted = []string{`<html lang="` + lang + `"`, table.Raw("lecture.title") + "</"}
			}
			for _, want := range wanted {
				if !strings.Contains(out, want) {
					t.Errorf("%s, %s: no %q in the page", page, lang, want)
				}
			}
		}
	}
}

func TestRenderRefusesUnknownKeysAndOwnContent(t *testing.T) {
	table := texts.Must("en")
	if _, err := Render(`<p data-t="no.such"></p>`, table); err == nil || !strings.Contains(err.Error(), "no.such") {
		t.Errorf("unknown key: %v", err)
	}
	if _, err := Render(`<p data-t="page.brand">x</p>`, table); err == nil || !strings.Contains(err.Error(), "leave the element empty") {
		t.Errorf("own content: %v", err)
	}
}

func TestCompressedVariantsHoldTheFile(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.js")
	want := []byte(strings.Repeat("checkpoint ", 500))
	if err := os.WriteFile(file, want, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := quick.compressAll(dir, func(string) {}); err != nil {
		t.Fatal(err)
	}
	br, err := os.ReadFile(file + ".br")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(brotli.NewReader(bytes.NewReader(br))); err != nil || !bytes.Equal(got, want) {
		t.Errorf("brotli: %v", err)
	}
	gz, err := os.ReadFile(file + ".gz")
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(gz))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(z); err != nil || !bytes.Equal(got, want) {
		t.Errorf("gzip: %v", err)
	}
	if err := writeIfChanged(file, []byte("new")); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(file + ".br"); err == nil {
		t.Error("a stale variant stays beside a changed file")
	}
}

// What waits for the program is a PNG, what may stay is an SVG (stillsDir).
func TestStillsThatWaitArePNG(t *testing.T) {
	still := regexp.MustCompile(`stills/[a-z.{}-]+\.(svg|png)`)
	for name, want := range map[string]string{"index.html": "png png png png", "embed.html": "svg"} {
		page, err := os.ReadFile(filepath.Join("..", "..", "..", "web", name))
		if err != nil {
			t.Fatal(err)
		}
		var ends []string
		for _, found := range still.FindAllStringSubmatch(string(page), -1) {
			ends = append(ends, found[1])
		}
		if got := strings.Join(ends, " "); got != want {
			t.Errorf("%s has stills as %q, want %q", name, got, want)
		}
	}
	for script, want := range map[string]string{"embed/first.js": ".png`", "element/element.js": ".svg`"} {
		text, err := os.ReadFile(filepath.Join("..", "..", "..", "web", script))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), want) {
			t.Errorf("%s asks for no still that ends in %s", script, want)
		}
	}
}
