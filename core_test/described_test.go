package core_test

import (
	"go/ast"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestEveryExportedNameIsDescribed: whoever meets a type, a function, a method or a constant of another room finds a comment at it.
func TestEveryExportedNameIsDescribed(t *testing.T) {
	seen := 0
	for _, root := range []string{"../core", "../scenarios", "../ops", "../render", "../cmd", "../web/companion", "../web/texts", "reference"} {
		for path, file := range sources(t, root) {
			for _, d := range file.Decls {
				n, missing := undescribed(d)
				seen += n
				for _, name := range missing {
					t.Errorf("%s: %s has no comment", path, name)
				}
			}
		}
	}
	if seen < 1000 {
		t.Errorf("only %d exported names were found", seen)
	}
}

// undescribed counts the exported names of a declaration and lists those without a comment. Constants and variables may share
// that of their block.
func undescribed(d ast.Decl) (n int, missing []string) {
	note := func(name *ast.Ident, docs ...*ast.CommentGroup) {
		if !name.IsExported() {
			return
		}
		n++
		for _, doc := range docs {
			if doc != nil {
				return
			}
		}
		missing = append(missing, name.Name)
	}
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil || ast.IsExported(receiver(d.Recv.List[0].Type)) {
			note(d.Name, d.Doc)
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				note(s.Name, d.Doc, s.Doc)
			case *ast.ValueSpec:
				for _, name := range s.Names {
					note(name, d.Doc, s.Doc, s.Comment)
				}
			}
		}
	}
	return n, missing
}

// receiver is the name of a receiver's type.
func receiver(of ast.Expr) string {
	for {
		switch e := of.(type) {
		case *ast.StarExpr:
			of = e.X
		case *ast.IndexExpr:
			of = e.X
		case *ast.Ident:
			return e.Name
		default:
			return ""
		}
	}
}

var (
	quoted = regexp.MustCompile("`([^`\n]+)`")
	braces = regexp.MustCompile(`\{([^}]*)\}`)
	path   = regexp.MustCompile(`^[a-z_][\w./*-]*$`)
	yours  = regexp.MustCompile(`NAME|Cnn`) // in the place of a name that the reader chooses
)

// TestTheGuidesNameWhatExists: what docs/architecture.md and docs/adding.md send a reader to is there: files, folders, and with
// ‘*’ or {a,b} each of several.
func TestTheGuidesNameWhatExists(t *testing.T) {
	seen := 0
	for _, guide := range []string{"architecture.md", "adding.md"} {
		text, err := os.ReadFile("../docs/" + guide)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range quoted.FindAllStringSubmatch(string(text), -1) {
			for _, name := range alternatives(m[1]) {
				top, _, inside := strings.Cut(name, "/")
				if _, err := os.Stat("../" + top); !inside || err != nil || !path.MatchString(name) {
					continue
				}
				seen++
				if found, err := filepath.Glob("../" + yours.ReplaceAllString(name, "*")); err != nil || len(found) == 0 {
					t.Errorf("docs/%s names %s, which does not exist", guide, name)
				}
			}
		}
	}
	if seen < 100 {
		t.Errorf("only %d files and folders were found", seen)
	}
}

// alternatives spells {a,b} out.
func alternatives(name string) []string {
	at := braces.FindStringSubmatchIndex(name)
	if at == nil {
		return []string{name}
	}
	var all []string
	for _, word := range strings.Split(name[at[2]:at[3]], ",") {
		all = append(all, alternatives(name[:at[0]]+word+name[at[1]:])...)
	}
	return all
}
