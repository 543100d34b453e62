package serve

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/andybalholm/brotli"
)

// worth are the suffixes that shrink.
var worth = []string{".html", ".css", ".js", ".json", ".svg", ".wasm"}

// effort is how hard variants are squeezed.
type effort struct {
	name         string
	brotli, gzip int // levels
}

var (
	quick = effort{"", 9, 6}
	small = effort{" to its smallest, which takes minutes", brotli.BestCompression, gzip.BestCompression}
)

// compressAll writes the variants of every file that is newer than its own.
func (e effort) compressAll(dir string, progress func(string)) error {
	return filepath.WalkDir(dir, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !slices.Contains(worth, filepath.Ext(file)) || strings.HasSuffix(file, ".wasm.js") {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		return e.compress(file, info, progress)
	})
}

func (e effort) compress(file string, info fs.FileInfo, progress func(string)) error {
	if e == quick && fresh(file+".br", info) && fresh(file+".gz", info) {
		return nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	program := strings.HasSuffix(file, ".wasm")
	if program {
		progress("compressing the program" + e.name)
	}
	br, err := squeeze(data, func(w io.Writer) io.WriteCloser {
		return brotli.NewWriterOptions(w, brotli.WriterOptions{Quality: e.brotli, LGWin: 24})
	})
	if err != nil {
		return err
	}
	gz, err := gzipped(data, e.gzip)
	if err != nil {
		return err
	}
	if program {
		progress(fmt.Sprintf("program: %.1f MB, %.2f MB as brotli", float64(len(data))/1e6, float64(len(br))/1e6))
	}
	if err := os.WriteFile(file+".br", br, 0o644); err != nil {
		return err
	}
	return os.WriteFile(file+".gz", gz, 0o644)
}

// fresh reports whether a variant was made from the file as it is.
func fresh(variant string, source fs.FileInfo) bool {
	info, err := os.Stat(variant)
	return err == nil && !info.ModTime().Before(source.ModTime())
}

func gzipped(data []byte, level int) ([]byte, error) {
	return squeeze(data, func(w io.Writer) io.WriteCloser {
		z, _ := gzip.NewWriterLevel(w, level) // the level is valid
		return z
	})
}

func squeeze(data []byte, to func(io.Writer) io.WriteCloser) ([]byte, error) {
	var out bytes.Buffer
	w := to(&out)
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
