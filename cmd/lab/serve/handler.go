package serve

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"
)

// types are set here and not asked of the machine, whose table may not know .wasm or .mjs.
var types = map[string]string{
	".html": "text/html; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".mjs":  "text/javascript; charset=utf-8",
	".json": "application/json; charset=utf-8",
	".yaml": "text/yaml; charset=utf-8",
	".txt":  "text/plain; charset=utf-8",
	".md":   "text/markdown; charset=utf-8",
	".svg":  "image/svg+xml",
	".png":  "image/png",
	".ico":  "image/x-icon",
	".wasm": "application/wasm",
	".woff": "font/woff2",
}

// variants are tried in order of preference.
var variants = []struct{ encoding, suffix string }{{"br", ".br"}, {"gzip", ".gz"}}

// Handler serves the files of dir: index.html for a folder, the .br or .gz beside a file where the browser takes it.
// Files may change under it; each answer carries a tag of its content, and a browser that has that content gets 304.
func Handler(dir fs.FS) http.Handler {
	return &handler{dir: dir, tags: map[string]tag{}}
}

type handler struct {
	dir fs.FS

	mu   sync.Mutex
	tags map[string]tag // by file name
}

// tag is the entity tag of a file as it was at that time.
type tag struct {
	at    time.Time
	size  int64
	value string
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "This server only hands out files: use GET.", http.StatusMethodNotAllowed)
		return
	}
	name := fileName(r.URL.Path)
	secure(w.Header(), name)
	if !fs.ValidPath(name) || compressed(name) {
		notFound(w, r)
		return
	}
	h.send(w, r, name)
}

func fileName(urlPath string) string {
	name := strings.TrimPrefix(path.Clean("/"+urlPath), "/")
	if name == "" || strings.HasSuffix(urlPath, "/") {
		name = path.Join(name, "index.html")
	}
	return name
}

func compressed(name string) bool {
	return strings.HasSuffix(name, ".br") || strings.HasSuffix(name, ".gz")
}

func (h *handler) send(w http.ResponseWriter, r *http.Request, name string) {
	accept := r.Header.Get("Accept-Encoding")
	for _, v := range variants {
		if accepts(accept, v.encoding) && h.sendFile(w, r, name, name+v.suffix, v.encoding) {
			return
		}
	}
	if !h.sendFile(w, r, name, name, "") {
		notFound(w, r)
	}
}

// sendFile answers with the file's content and reports whether there is such a file.
func (h *handler) sendFile(w http.ResponseWriter, r *http.Request, name, file, encoding string) bool {
	info, err := fs.Stat(h.dir, file)
	if err != nil || info.IsDir() {
		return false
	}
	data, err := fs.ReadFile(h.dir, file)
	if err != nil {
		return false
	}
	kind, known := types[path.Ext(name)]
	if !known {
		kind = "application/octet-stream"
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("ETag", h.tag(file, info, data))
	if encoding != "" {
		w.Header().Set("Content-Encoding", encoding)
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
	return true
}

func (h *handler) tag(file string, info fs.FileInfo, data []byte) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	if t, ok := h.tags[file]; ok && t.at.Equal(info.ModTime()) && t.size == info.Size() {
		return t.value
	}
	sum := sha256.Sum256(data)
	t := tag{info.ModTime(), info.Size(), `"` + hex.EncodeToString(sum[:12]) + `"`}
	h.tags[file] = t
	return t.value
}

// accepts reads an Accept-Encoding header; "br;q=0" refuses.
func accepts(header, encoding string) bool {
	for part := range strings.SplitSeq(header, ",") {
		name, q, _ := strings.Cut(strings.TrimSpace(part), ";")
		if name == encoding {
			return strings.ReplaceAll(q, " ", "") != "q=0"
		}
	}
	return false
}

func notFound(w http.ResponseWriter, r *http.Request) {
	http.Error(w, "There is no "+r.URL.Path+" here. The pages are / and /lab.html, in English /en.html and /lab.en.html.", http.StatusNotFound)
}
