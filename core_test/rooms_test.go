package core_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "checkpointlab/"

// leaves are the rooms that every other room may know.
var leaves = []string{"core/event", "core/sim", "core/option"}

// edges are the further rooms that a room may know (docs/architecture.md). A room without a line knows only the leaves.
var edges = map[string][]string{
	"core":               {"core/barrier", "core/checkpoint", "core/failover", "core/job", "core/metric", "core/network", "core/sink", "core/source", "core/state", "core/state/backend", "core/state/keyed", "core/state/storage", "core/task", "core/watermark"},
	"core/task":          {"core/network", "core/barrier", "core/state", "core/state/storage", "core/source", "core/sink", "core/watermark"},
	"core/checkpoint":    {"core/job", "core/state"},
	"core/failover":      {"core/job", "core/state"},
	"core/state":         {"core/state/keyed"},
	"core/state/lsm":     {"core/state/keyed"},
	"core/state/backend": {"core/state", "core/state/keyed", "core/state/lsm"},
	"core/timeline":      {"core"},
}

// pure is what the core may use of the standard library: nothing that sees a clock, a file, a network or a scheduler.
var pure = []string{"bytes", "cmp", "encoding/binary", "errors", "fmt", "iter", "maps", "math", "math/bits", "slices", "sort", "strconv", "strings"}

// TestCoreKnowsOnlyWhatItMay holds the imports of each room of the core to the list above.
func TestCoreKnowsOnlyWhatItMay(t *testing.T) {
	seen := map[string]bool{}
	for path, file := range sources(t, "../core") {
		room := filepath.ToSlash(filepath.Dir(path))
		room = strings.TrimPrefix(room, "../")
		seen[room] = true
		allowed := slices.Concat(leaves, edges[room])
		for _, imp := range importsOf(t, file) {
			inside, isInside := strings.CutPrefix(imp, module)
			switch {
			case isInside && inside != room && !slices.Contains(allowed, inside):
				t.Errorf("%s imports %s: %s may know only %v", path, inside, room, allowed)
			case !isInside && room == "core/sim" && imp == random:
				onlySeeded(t, path, file)
			case !isInside && !slices.Contains(pure, imp):
				t.Errorf("%s imports %s: the core uses only the pure part of the standard library", path, imp)
			}
		}
	}
	for room := range edges {
		if !seen[room] {
			t.Errorf("the list of edges names %s, which does not exist", room)
		}
	}
	if len(seen) < 10 {
		t.Errorf("only %d rooms were found", len(seen))
	}
}

// random is for core/sim alone, whose streams are seeded and copied with a snapshot.
const random = "math/rand/v2"

// onlySeeded allows the generator's type and its seeding, not the functions that draw from the global source.
func onlySeeded(t *testing.T, path string, file *ast.File) {
	t.Helper()
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if p, ok := s.X.(*ast.Ident); ok && p.Name == "rand" && s.Sel.Name != "PCG" && s.Sel.Name != "NewPCG" {
				t.Errorf("%s uses rand.%s, which may draw from the global source", path, s.Sel.Name)
			}
		}
		return true
	})
}

// TestCoreRunsOnOneThread finds no goroutine, channel or select in the core: the caller's thread does all the work.
func TestCoreRunsOnOneThread(t *testing.T) {
	for path, file := range sources(t, "../core") {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n.(type) {
			case *ast.GoStmt, *ast.ChanType, *ast.SelectStmt, *ast.SendStmt:
				t.Errorf("%s uses %T", path, n)
			}
			return true
		})
	}
}

// TestEveryPackageSaysWhatItIs: a reader finds at the head of each package what it is for.
func TestEveryPackageSaysWhatItIs(t *testing.T) {
	for _, root := range rooms {
		said := map[string]bool{}
		for path, file := range sources(t, root) {
			dir := filepath.Dir(path)
			said[dir] = said[dir] || file.Doc != nil
		}
		for dir, ok := range said {
			if !ok {
				t.Errorf("%s has no package comment", dir)
			}
		}
	}
}

// outside says what the rooms around the core may know of it: views and the shared words, not its parts.
var outside = map[string][]string{
	"render":    {"core", "core/event", "core/metric", "core/option", "core/timeline"},
	"scenarios": {"core", "core/event", "core/option", "core/metric"},
	"ops":       {"core", "core/event", "core/metric", "core/option", "core/timeline"},
	"cmd":       {"core", "core/event", "core/metric", "core/option", "core/timeline"},
}

// TestRoomsAroundTheCore holds the rooms outside to views. ops/vector is the exception: it drives the parts with facts.
func TestRoomsAroundTheCore(t *testing.T) {
	for top, allowed := range outside {
		for path, file := range sources(t, "../"+top) {
			if strings.HasPrefix(filepath.ToSlash(path), "../ops/vector/") {
				continue
			}
			for _, imp := range importsOf(t, file) {
				inside, isInside := strings.CutPrefix(imp, module)
				if isInside && strings.HasPrefix(inside, "core") && !slices.Contains(allowed, inside) {
					t.Errorf("%s imports %s: %s sees the core's views, not its parts", path, inside, top)
				}
				if isInside && strings.HasPrefix(inside, "render") && top == "ops" || isInside && strings.HasPrefix(inside, "ops") && top == "render" {
					t.Errorf("%s imports %s: drawing and observing do not know each other", path, inside)
				}
			}
		}
	}
}

// sources parses every Go file under a folder except tests, whatever its build constraints.
func sources(t *testing.T, root string) map[string]*ast.File {
	t.Helper()
	files := map[string]*ast.File{}
	set := token.NewFileSet()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution|parser.ParseComments)
		files[path] = file
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func importsOf(t *testing.T, file *ast.File) []string {
	t.Helper()
	var paths []string
	for _, i := range file.Imports {
		p, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, p)
	}
	return paths
}
