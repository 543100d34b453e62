package serve

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// The page's program is linked with a copy of Ebitengine that leaves out what the page never does: compiling shaders that are
// not Ebitengine's own, telling about itself while debugging, and keys, which are the page's. With the compiler goes text/template, because of which the
// linker keeps every method that has a name in capitals: together a fifth of the download and of what a browser compiles before
// the first picture. The copy's own shaders are compiled by Ebitengine itself, here. The parser of YAML is a copy, too, which
// compiles no regular expressions before it has read anything, and so is the reader of fonts, without the tables of the world's
// character sets.
//
//go:embed lean/*.txt lean/yaml/match.go
var leanFiles embed.FS

const (
	ebitengine     = "github.com/hajimehoshi/ebiten/v2"
	yamlParser     = "go.yaml.in/yaml/v3"
	fontReader     = "golang.org/x/image"
	leanGenerator  = "internal/lean/main.go"
	leanPrograms   = "internal/graphics/programs.go"
	leanModuleFile = "lean.mod"
)

// leanChanges are the files of the copy that are written anew; "" takes one away. Each must be there: another version of
// Ebitengine that has its parts elsewhere is told and not guessed.
var leanChanges = map[string]string{
	"internal/builtinshader/shader.go":     "builtin.go.txt",
	"internal/builtinshader/defs.go":       "",
	"internal/graphics/shader.go":          "compile.go.txt",
	"internal/shaderir/program.go":         "program.go.txt",
	"internal/shaderir/check.go":           "",
	"internal/shaderir/glsl/glsl.go":       "glsl.go.txt",
	"internal/shaderir/glsl/type.go":       "",
	"internal/debug/caller.go":             "caller.go.txt",
	"internal/graphicscommand/image_js.go": "dump.go.txt",
	"internal/ui/keys_js.go":               "keys.go.txt",
}

// leanEdit is a piece of a file that is another one in a copy.
type leanEdit struct{ file, old, with string }

// leanEdits are pieces of the copy that are others, for the page keeps its pixels and draws what has changed: the screen is not
// cleared before each frame; and a part of it is where it says, which OpenGL counts from the foot. No frame asks for game pads.
var leanEdits = []leanEdit{
	{"internal/ui/ui_js.go", "\tif err := gamepad.Update(); err != nil {\n\t\treturn err\n\t}\n", ""},
	{"internal/ui/ui_js.go", "\t\"github.com/hajimehoshi/ebiten/v2/internal/gamepad\"\n", ""},
	{"internal/graphicsdriver/opengl/graphics.go", "NeedsClearingScreen() bool {\n\treturn true\n", "NeedsClearingScreen() bool {\n\treturn false\n"},
	{"internal/graphicsdriver/opengl/graphics.go", "\tfor _, dstRegion := range dstRegions {\n", `	for _, dstRegion := range dstRegions {
		if destination.screen {
			part := &dstRegion.Region
			part.Min.Y, part.Max.Y = destination.height-part.Max.Y, destination.height-part.Min.Y
		}
`},
}

// yamlEdits are pieces of the parser's copy: its two patterns are those of lean/yaml.
var yamlEdits = []leanEdit{
	{"resolve.go", "\t\"regexp\"\n", ""},
	{"resolve.go", "var yamlStyleFloat = regexp.MustCompile(`^[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)\n", "var yamlStyleFloat styleFloat\n"},
	{"encode.go", "\t\"regexp\"\n", ""},
	{"encode.go", "var base60float = regexp.MustCompile(`^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\\.[0-9_]*)?$`)\n", "var base60float base60\n"},
}

// fontEdits are pieces of the font reader's copy: the page's fonts have neither a map of letters nor names in the Macintosh's character
// set, of which it knows what ASCII has.
var fontEdits = []leanEdit{
	{"font/sfnt/cmap.go", "\t\"golang.org/x/text/encoding/charmap\"\n", ""},
	{"font/sfnt/cmap.go", "x, ok := charmap.Macintosh.EncodeRune(r)", "x, ok := r, r < 0x80"},
	{"font/sfnt/sfnt.go", "\t\"golang.org/x/text/encoding/charmap\"\n", ""},
	{"font/sfnt/sfnt.go", "\t\t\ts, _ := charmap.Macintosh.NewDecoder().Bytes(b)\n\t\t\treturn string(s), nil\n", "\t\t\treturn \"\", errUnsupportedPlatformEncoding\n"},
}

// leanModule is a module file beside the source tree's own in which Ebitengine, the parser of YAML and the reader of fonts are the copies.
func leanModule(root string) (modFile string, err error) {
	dir, err := leanCopy(root, ebitengine, "ebitengine", makeLean)
	if err != nil {
		return "", err
	}
	yaml, err := leanCopy(root, yamlParser, "yaml", makeYAML)
	if err != nil {
		return "", err
	}
	fonts, err := leanCopy(root, fontReader, "image", makeFonts)
	if err != nil {
		return "", err
	}
	return writeModule(root, dir, map[string]string{ebitengine: dir, yamlParser: yaml, fontReader: fonts})
}

// leanCopy is the folder of a module's copy, which is made if it is not there.
func leanCopy(root, module, name string, write func(root, from, dir string) error) (string, error) {
	list := exec.Command("go", "list", "-m", "-f", "{{.Dir}} {{.Version}}", module)
	list.Dir = root
	out, err := list.Output()
	if err != nil {
		return "", fmt.Errorf("go list: %s", reason(err))
	}
	from, version, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
	own, err := digest([]byte(version), filepath.Join(root, "go.mod"), filepath.Join(root, "go.sum"), filepath.Join(root, "cmd", "lab", "serve", "lean.go"))
	if err != nil {
		return "", err
	}
	k := kept{filepath.Join(root, "build", "kept"), own}
	of, err := filepath.Glob(filepath.Join(root, "cmd", "lab", "serve", "lean", "*.txt"))
	if err != nil {
		return "", err
	}
	of = append(of, filepath.Join(root, "cmd", "lab", "serve", filepath.FromSlash(yamlMatch)))
	dir, err := k.piece(name, of, func(dir string) error { return write(root, from, dir) })
	if err != nil {
		return "", fmt.Errorf("the page's part of %s %s: %w", module, version, err)
	}
	return dir, nil
}

// yamlMatch is what the parser's copy has more.
const yamlMatch = "lean/yaml/match.go"

// makeYAML copies the parser of YAML and changes the copy.
func makeYAML(_, from, dir string) error {
	if err := copyModule(from, dir); err != nil {
		return err
	}
	match, err := leanFiles.ReadFile(yamlMatch)
	if err != nil {
		return err
	}
	return errors.Join(editAll(dir, yamlEdits), os.WriteFile(filepath.Join(dir, path.Base(yamlMatch)), match, 0o644))
}

// makeFonts copies the reader of fonts and changes the copy.
func makeFonts(_, from, dir string) error {
	if err := copyModule(from, dir); err != nil {
		return err
	}
	return editAll(dir, fontEdits)
}

// makeLean copies Ebitengine and changes the copy.
func makeLean(root, from, dir string) error {
	if err := copyModule(from, dir); err != nil {
		return err
	}
	if err := writeLean(dir, leanGenerator, "generate.go.txt"); err != nil {
		return err
	}
	modFile, err := writeModule(root, dir, map[string]string{ebitengine: dir})
	if err != nil {
		return err
	}
	// Ebitengine's internals can be used from inside its own path only, so the generator stands in the copy.
	run := exec.Command("go", "run", "-modfile="+modFile, ebitengine+"/"+path.Dir(leanGenerator))
	run.Dir = root
	programs, err := run.Output()
	if err != nil {
		return fmt.Errorf("compiling its shaders: %s", reason(err))
	}
	for name, with := range leanChanges {
		if err := writeLean(dir, name, with); err != nil {
			return err
		}
	}
	return errors.Join(editAll(dir, leanEdits),
		os.RemoveAll(filepath.Join(dir, filepath.FromSlash(path.Dir(leanGenerator)))),
		os.WriteFile(filepath.Join(dir, filepath.FromSlash(leanPrograms)), programs, 0o644))
}

// writeLean writes a file of the copy, or takes it away.
func writeLean(dir, name, with string) error {
	target := filepath.Join(dir, filepath.FromSlash(name))
	if name == leanGenerator {
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
	} else if _, err := os.Stat(target); err != nil {
		return fmt.Errorf("it has no %s: see leanChanges in cmd/lab/serve/lean.go", name)
	}
	if with == "" {
		return os.Remove(target)
	}
	data, err := leanFiles.ReadFile("lean/" + with)
	if err != nil {
		return err
	}
	return os.WriteFile(target, data, 0o644)
}

// editAll makes the edits of a copy.
func editAll(dir string, edits []leanEdit) error {
	for _, edit := range edits {
		if err := editLean(filepath.Join(dir, filepath.FromSlash(edit.file)), edit.old, edit.with); err != nil {
			return err
		}
	}
	return nil
}

// editLean replaces a piece that the file must have once.
func editLean(file, old, with string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if bytes.Count(data, []byte(old)) != 1 {
		return fmt.Errorf("%s has not exactly one %q: see the edits in cmd/lab/serve/lean.go", filepath.Base(file), old)
	}
	return os.WriteFile(file, bytes.Replace(data, []byte(old), []byte(with), 1), 0o644)
}

// copyModule copies a module without its tests and its examples.
func copyModule(from, to string) error {
	return filepath.WalkDir(from, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(from, file)
		if err != nil {
			return err
		}
		switch {
		case entry.IsDir():
			if name == "examples" || name == "cmd" || name == "exp" || entry.Name() == "testdata" {
				return fs.SkipDir
			}
			return os.MkdirAll(filepath.Join(to, name), 0o755)
		case strings.HasSuffix(name, "_test.go"):
			return nil
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, name), data, 0o644)
	})
}

// writeModule writes the source tree's module file with some modules replaced by folders, and its sums, into a folder.
func writeModule(root, dir string, replaced map[string]string) (string, error) {
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return "", err
	}
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, leanModuleFile)
	for _, module := range slices.Sorted(maps.Keys(replaced)) {
		mod = fmt.Appendf(mod, "\nreplace %s => %q\n", module, replaced[module])
	}
	return file, errors.Join(os.WriteFile(file, mod, 0o644), os.WriteFile(strings.TrimSuffix(file, ".mod")+".sum", sum, 0o644))
}
