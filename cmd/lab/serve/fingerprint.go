package serve

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"regexp"
	"slices"
	"strings"
)

// quoted finds what may be the name of a file in a script, a style or a page.
var quoted = regexp.MustCompile("([\"'`(])((?:\\./)?[A-Za-z0-9_][A-Za-z0-9_./-]*)([\"'`)])")

// lasting reports whether a file keeps its name, since other people's pages or browsers ask for it by that.
func lasting(name string) bool {
	switch path.Ext(name) {
	case ".html", ".png":
		return true
	}
	folder, _, _ := strings.Cut(name, "/")
	return name == "checkpoint-lab.js" || slices.Contains([]string{stillsDir, oembedDir, examplesDir, revealDir}, folder)
}

// fingerprint gives every other file a name that changes with its content and with all it asks for, and writes the new names
// into the files that ask for them. So a browser keeps such a file for good, and never mixes two versions.
func (s *site) fingerprint() {
	refs := map[string][]string{}
	for name := range s.files {
		refs[name] = s.refs(name)
	}
	for name := range s.files {
		if !lasting(name) && name != wasmFile+".gz" && name != wasmFile+".js" {
			s.names[name] = hashed(name, s.hash(name, refs))
		}
	}
	for _, suffix := range []string{".gz", ".js"} { // named after the program, as its variants are
		s.names[wasmFile+suffix] = s.names[wasmFile] + suffix
	}
	renamed := map[string][]byte{}
	for name, data := range s.files {
		renamed[s.name(name)] = s.rewritten(name, data)
	}
	s.files = renamed
}

// name is the name of a file in the site.
func (s *site) name(name string) string {
	if other, ok := s.names[name]; ok {
		return other
	}
	return name
}

func hashed(name, hash string) string {
	ext := path.Ext(name)
	return strings.TrimSuffix(name, ext) + "." + hash + ext
}

// readable are the files that may name others.
func readable(name string) bool {
	return slices.Contains([]string{".js", ".css", ".html"}, path.Ext(name)) && name != wasmFile+".js"
}

// refs are the files that a file names: relative to its folder, or, in a script, to the page, which stands at the top.
func (s *site) refs(name string) (out []string) {
	if !readable(name) {
		return nil
	}
	for _, m := range quoted.FindAllSubmatch(s.files[name], -1) {
		if to := path.Clean(string(m[2])); s.files[to] != nil && to != name && !slices.Contains(out, to) {
			out = append(out, to)
		}
	}
	return out
}

// hash is made of a file's content and of all that can be reached from it; files may name each other in circles.
func (s *site) hash(name string, refs map[string][]string) string {
	seen := map[string]bool{}
	var reach func(string)
	reach = func(name string) {
		if !seen[name] {
			seen[name] = true
			for _, to := range refs[name] {
				reach(to)
			}
		}
	}
	reach(name)
	all := make([]string, 0, len(seen))
	for name := range seen {
		all = append(all, name)
	}
	slices.Sort(all)
	sum := sha256.New()
	for _, other := range all {
		sum.Write([]byte(other))
		sum.Write(s.files[other])
	}
	sum.Write([]byte(name))
	return hex.EncodeToString(sum.Sum(nil)[:5])
}

func (s *site) rewritten(name string, data []byte) []byte {
	if !readable(name) {
		return data
	}
	return quoted.ReplaceAllFunc(data, func(match []byte) []byte {
		m := quoted.FindSubmatch(match)
		ref := string(m[2])
		to, ok := s.names[path.Clean(ref)]
		if !ok {
			return match
		}
		if strings.HasPrefix(ref, "./") {
			to = "./" + to
		}
		return []byte(string(m[1]) + to + string(m[3]))
	})
}
