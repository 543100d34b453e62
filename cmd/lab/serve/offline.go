package serve

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"path"
	"slices"
	"strings"
)

// workerScript keeps the pages for when there is no network; the site's list of files goes before it.
//
//go:embed worker.js
var workerScript string

// offlineScript starts the worker, once a page has what it needs.
//
//go:embed offline.js
var offlineScript string

// worker is the service worker with what it keeps from the start: all but stills, packed forms and what pages of others ask
// for. The program comes later, as the page got it.
func (s *site) worker() string {
	var keep []string
	sum := sha256.New()
	for _, name := range s.sorted() {
		sum.Write([]byte(name))
		if folder, _, inside := strings.Cut(name, "/"); inside && lasting(name) && folder != revealDir {
			continue
		}
		if readable(name) || path.Ext(name) == ".json" || path.Ext(name) == ".svg" {
			keep = append(keep, name)
		}
		if path.Ext(name) == ".html" { // their names stay
			sum.Write(s.files[name])
		}
	}
	program := s.name(wasmFile)
	keep = slices.DeleteFunc(keep, func(name string) bool { return name == program+".js" })
	var out bytes.Buffer
	for _, v := range []struct {
		name  string
		value any
	}{{"version", hex.EncodeToString(sum.Sum(nil)[:8])}, {"files", keep}, {"program", []string{program, program + ".gz"}}} {
		data, err := json.Marshal(v.value)
		if err != nil {
			panic(err) // texts can be written
		}
		out.WriteString("const " + v.name + " = " + string(data) + ";\n")
	}
	return out.String() + workerScript
}

// headers is what hosts that read such a file are to send, as Handler does.
func (s *site) headers() string {
	var out strings.Builder
	out.WriteString("/*\n  X-Content-Type-Options: nosniff\n  Referrer-Policy: no-referrer\n")
	out.WriteString("  Access-Control-Allow-Origin: *\n  Cross-Origin-Resource-Policy: cross-origin\n")
	for _, name := range s.sorted() {
		switch {
		case path.Ext(name) == ".html":
			out.WriteString("/" + name + "\n  Content-Security-Policy: " + policyOf(name) + "\n  Cache-Control: no-cache\n")
		case !lasting(name) && name != "sw.js":
			out.WriteString("/" + name + "\n  Cache-Control: public, max-age=31536000, immutable\n")
		}
	}
	return out.String()
}
