package serve

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"checkpointlab/web/texts"
)

// ErrNoModule says that Build was not started inside the source tree.
var ErrNoModule = errors.New("the page is built from source: start the command inside the checkpointlab module")

const (
	wasmFile = "checkpointlab.wasm"
	glueFile = "wasm_exec.js" // Go's own loader; it belongs to the toolchain that built the program
)

// pages are the files of web/ that are rendered in each language.
var pages = []string{"index.html", "lab.html", "embed.html", "lecture.html"}

// made are the pages whose text web/companion makes, and what puts it there.
var made = map[string]func(root, page string, words *texts.Table) (string, error){companionPage: withCompanion, lecturePage: withLecture}

// pageName is where a page stands in a language: the Korean one under its own name, lab.html as lab.en.html, index.html as en.html.
func pageName(page, lang string) string {
	stem := strings.TrimSuffix(page, ".html")
	switch {
	case lang == "ko":
		return page
	case stem == "index":
		return lang + ".html"
	}
	return stem + "." + lang + ".html"
}

// copied are the suffixes of web/ that a browser asks for.
var copied = []string{".css", ".js", ".json", ".svg", ".html"}

// Build makes the page folder outDir from the source tree around the working directory: the program, Go's loader, the
// pages in both languages, and a .br and a .gz beside each file that shrinks. It needs the go command and tells progress
// line by line; nil is silent. Variants are made quickly, and kept when their file has not changed; Site makes them small.
func Build(outDir string, progress func(string)) error {
	if progress == nil {
		progress = func(string) {}
	}
	if err := Assemble(outDir, progress); err != nil {
		return err
	}
	return quick.compressAll(outDir, progress)
}

// Assemble is Build without compressed variants, for tests and for a look at one's own change.
func Assemble(outDir string, progress func(string)) error {
	if progress == nil {
		progress = func(string) {}
	}
	root, err := moduleRoot()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(outDir, 0o755); err != nil {
		return fmt.Errorf("page folder: %w", err)
	}
	progress("compiling cmd/wasm for the browser")
	modFile, err := leanModule(root)
	if err != nil {
		return err
	}
	program, err := compile(root, "./cmd/wasm", "-modfile="+modFile)
	if err != nil {
		return err
	}
	program, lines, err := lighter(program)
	if err != nil {
		return err
	}
	if lines {
		progress("the program keeps the lines of its instructions: this Go writes them in a way that is not known here")
	}
	if err := writeIfChanged(filepath.Join(outDir, wasmFile), program); err != nil {
		return err
	}
	progress("writing the pages")
	goroot, err := toolchain()
	if err != nil {
		return err
	}
	if err := copyGlue(goroot, outDir); err != nil {
		return err
	}
	web := filepath.Join(root, "web")
	if err := bundle(web, goroot, outDir); err != nil {
		return err
	}
	if err := copyWeb(root, os.DirFS(web), outDir); err != nil {
		return err
	}
	if err := copyDeck(web, outDir); err != nil {
		return err
	}
	if err := writeFidelity(root, outDir); err != nil {
		return err
	}
	progress("drawing the stills")
	if err := writeLectureStills(root, outDir); err != nil {
		return err
	}
	return writeStills(root, outDir, false)
}

func moduleRoot() (string, error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Path}} {{.Dir}}").Output()
	if err != nil {
		return "", fmt.Errorf("%w (the go command answered: %s)", ErrNoModule, reason(err))
	}
	name, dir, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
	if name != "checkpointlab" {
		return "", ErrNoModule
	}
	return dir, nil
}

// Compile makes a program for the browser of a package, named from the module's root, as the lab's own is made but with all of
// Ebitengine. It leaves the target untouched when the same program comes out.
func Compile(name, target string) error {
	root, err := moduleRoot()
	if err != nil {
		return err
	}
	program, err := compile(root, name)
	if err != nil {
		return err
	}
	return writeIfChanged(target, program)
}

func compile(root, name string, flags ...string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "checkpointlab-program-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	target := filepath.Join(dir, wasmFile)
	// Functions are inlined in the core and where every mark of every frame passes: elsewhere it makes nothing faster that a reader
	// waits for, and a sixth of the download. The option table is made once: inlined, it was a quarter of a megabyte that the browser
	// compiles before the first picture.
	cmd := exec.Command("go", slices.Concat([]string{"build", "-trimpath", "-tags", "minimal", "-ldflags", "-s -w -buildid=",
		"-gcflags=all=-l", "-gcflags=checkpointlab/core/...=", "-gcflags=checkpointlab/core/option=-l",
		"-gcflags=checkpointlab/render/canvas=", "-gcflags=checkpointlab/render/damage="}, flags, []string{"-o", target, name})...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s does not compile: %w\n%s", name, err, bytes.TrimSpace(out))
	}
	return os.ReadFile(target)
}

// toolchain is the folder of the Go that builds the program.
func toolchain() (string, error) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "", fmt.Errorf("go env GOROOT: %s", reason(err))
	}
	return strings.TrimSpace(string(out)), nil
}

func readGlue(goroot string) ([]byte, error) {
	data, err := os.ReadFile(filepath.Join(goroot, "lib", "wasm", glueFile))
	if err != nil {
		return nil, fmt.Errorf("the Go toolchain has no %s: %w", glueFile, err)
	}
	return data, nil
}

func copyGlue(goroot, outDir string) error {
	data, err := readGlue(goroot)
	if err != nil {
		return err
	}
	return writeIfChanged(filepath.Join(outDir, glueFile), data)
}

// left are the folders of web/ that are not copied: tests, packages, and what bundles are made of.
var left = []string{"test", "node_modules", "dist", "embed", "element", "companion"}

// copyWeb renders the pages and copies the rest of web/.
func copyWeb(root string, web fs.FS, outDir string) error {
	return fs.WalkDir(web, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			if slices.Contains(left, entry.Name()) {
				return fs.SkipDir
			}
			return nil
		case !wanted(name):
			return nil
		}
		data, err := fs.ReadFile(web, name)
		if err != nil {
			return err
		}
		return copyFile(root, name, data, outDir)
	})
}

func copyFile(root, name string, data []byte, outDir string) error {
	if slices.Contains(pages, name) {
		return renderPage(root, name, string(data), outDir)
	}
	if strings.HasSuffix(name, ".html") {
		data = []byte(withPolicy(string(data)))
	}
	target := filepath.Join(outDir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return err
	}
	return writeIfChanged(target, data)
}

// examplesDir holds pages of somebody else's that use embeds; revealDir is what their decks and the lecture are shown by.
const examplesDir, revealDir = "examples", "reveal"

// copyDeck puts reveal.js beside the pages, if the packages of web/ are installed; only decks need it.
func copyDeck(web, outDir string) error {
	for _, name := range []string{"reveal.js", "reveal.css"} {
		data, err := os.ReadFile(filepath.Join(web, "node_modules", "reveal.js", "dist", name))
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err == nil {
			err = os.MkdirAll(filepath.Join(outDir, revealDir), 0o755)
		}
		if err == nil {
			err = writeIfChanged(filepath.Join(outDir, revealDir, name), data)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func renderPage(root, name, page, outDir string) error {
	for _, lang := range texts.Languages() {
		table, err := texts.Load(lang)
		if err != nil {
			return err
		}
		html, err := Render(page, table)
		if err != nil {
			return fmt.Errorf("web/%s: %w", name, err)
		}
		if with := made[name]; with != nil {
			if html, err = with(root, html, table); err != nil {
				return err
			}
		}
		if err := writeIfChanged(filepath.Join(outDir, pageName(name, lang)), []byte(withPolicy(html))); err != nil {
			return err
		}
	}
	return nil
}

func wanted(name string) bool {
	base := filepath.Base(name)
	if strings.HasPrefix(base, ".") || strings.HasPrefix(base, "package") || strings.HasPrefix(base, "jsconfig") {
		return false
	}
	for _, suffix := range copied {
		if strings.HasSuffix(base, suffix) {
			return true
		}
	}
	return false
}

// writeIfChanged leaves a file alone that has the content already, so that its compressed variants stay good, and
// drops the variants of one that changes.
func writeIfChanged(target string, data []byte) error {
	if old, err := os.ReadFile(target); err == nil && bytes.Equal(old, data) {
		return nil
	}
	for _, v := range variants {
		if err := os.Remove(target + v.suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return os.WriteFile(target, data, 0o644)
}

func reason(err error) string {
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && len(exit.Stderr) > 0 {
		return strings.TrimSpace(string(exit.Stderr))
	}
	return err.Error()
}
