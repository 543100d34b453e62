package serve

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// manifestFile lists the files that the last Site wrote into a folder, so that the next one takes away what it does not write.
const manifestFile = "site-files.txt"

// SiteOptions choose how a site is made.
type SiteOptions struct {
	Address string // where it will stand, for the links that other pages show; "" leaves them relative
	Quick   bool   // compressed quickly, a sixth larger
}

// Site makes a folder for any static host, from a sub-path as well as from a root: relative links, names that change with the
// contents, a .br and a .gz beside each file that shrinks, the program also packed for hosts that do not compress, a service
// worker that keeps the pages for when there is no network, stills as PNG, and what other pages ask for to show a link (Open
// Graph, oEmbed). It takes minutes, since it compresses as far as it goes.
func Site(outDir string, o SiteOptions, progress func(string)) error {
	if progress == nil {
		progress = func(string) {}
	}
	staging, err := os.MkdirTemp("", "checkpointlab-site-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(staging)
	if err := Assemble(staging, progress); err != nil {
		return err
	}
	root, err := moduleRoot()
	if err != nil {
		return err
	}
	if err := writeStills(root, staging, true); err != nil {
		return err
	}
	s, err := readSite(staging)
	if err != nil {
		return err
	}
	if err := s.finish(o.Address); err != nil {
		return err
	}
	if err := s.write(outDir); err != nil {
		return err
	}
	if o.Quick {
		return quick.compressAll(outDir, progress)
	}
	return small.compressAll(outDir, progress)
}

// site is the files of a page folder by their paths, with slashes.
type site struct {
	files map[string][]byte
	names map[string]string // of files whose names change
}

func readSite(dir string) (*site, error) {
	s := &site{files: map[string][]byte{}, names: map[string]string{}}
	return s, filepath.WalkDir(dir, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, file)
		if err != nil {
			return err
		}
		s.files[filepath.ToSlash(name)], err = os.ReadFile(file)
		return err
	})
}

// programAhead asks for the program before any script runs. A site does not: where its host does not compress, the whole program would come
// for nothing, for web/program.js takes the packed one.
const programAhead = `<link rel="preload" href="checkpointlab.wasm" as="fetch" crossorigin>` + "\n"

// finish makes the site of the page folder.
func (s *site) finish(address string) error {
	if err := s.pack(); err != nil {
		return err
	}
	s.files["offline.js"] = []byte(offlineScript)
	if err := s.share(address); err != nil {
		return err
	}
	s.eachPage(func(name, page string) string {
		if shown(name) {
			page = strings.Replace(page, "</head>", `<script src="offline.js" defer></script>`+"\n</head>", 1)
		}
		page = strings.Replace(page, programAhead, "", 1)
		return strings.Replace(page, "<html ", "<html data-packed ", 1)
	})
	s.fingerprint()
	s.files["sw.js"] = []byte(s.worker())
	s.files["_headers"] = []byte(s.headers())
	return nil
}

// pack adds the program packed, and as a script for frames that may read nothing.
func (s *site) pack() error {
	packed, err := gzipped(s.files[wasmFile], small.gzip)
	if err != nil {
		return err
	}
	s.files[wasmFile+".gz"] = packed
	s.files[wasmFile+".js"] = []byte(`checkpointLabProgram("` + base64.StdEncoding.EncodeToString(packed) + "\")\n")
	return nil
}

// shown reports whether a page is for readers: neither the picture's own document nor an example.
func shown(name string) bool { return name != "stage.html" && !strings.Contains(name, "/") }

// eachPage changes the HTML files.
func (s *site) eachPage(change func(name, page string) string) {
	for name, data := range s.files {
		if strings.HasSuffix(name, ".html") {
			s.files[name] = []byte(change(name, string(data)))
		}
	}
}

// sorted lists the files in order.
func (s *site) sorted() []string {
	all := make([]string, 0, len(s.files))
	for name := range s.files {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}

// write writes the files and takes away what a former site left.
func (s *site) write(outDir string) error {
	if err := sweep(outDir, s.files); err != nil {
		return err
	}
	names := s.sorted()
	for _, name := range names {
		target := filepath.Join(outDir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		if err := writeIfChanged(target, s.files[name]); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(outDir, manifestFile), []byte(strings.Join(names, "\n")+"\n"), 0o644)
}

// sweep removes the files that the last site wrote and this one does not have, with their variants. A folder that holds
// anything else is refused.
func sweep(outDir string, kept map[string][]byte) error {
	entries, err := os.ReadDir(outDir)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	list, err := os.ReadFile(filepath.Join(outDir, manifestFile))
	if err != nil {
		return fmt.Errorf("%s has files in it and is no site of before: choose a folder that is empty or missing", outDir)
	}
	for _, name := range strings.Fields(string(list)) {
		if _, ok := kept[name]; ok || !fs.ValidPath(name) {
			continue
		}
		for _, suffix := range []string{"", ".br", ".gz"} {
			if err := os.Remove(filepath.Join(outDir, filepath.FromSlash(name+suffix))); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	return nil
}
