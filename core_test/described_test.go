package core_test

import (
	"go/ast"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var endings = []string{".go", ".md", ".js", ".css", ".html", ".json", ".yaml"}

var rooms = []string{"../core", "../scenarios", "../ops", "../render", "../cmd", "../web/companion", "../web/texts"}

// TestEveryExportedNameIsDescribed: whoever meets a type, a function, a method or a constant of another room finds a comment at it.
func TestEveryExportedNameIsDescribed(t *testing.T) {
	seen := 0
	for _, root := range append(rooms, "reference") {
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
	member = regexp.MustCompile(`^[A-Za-z]+\.[A-Za-z]+$`) // of a room or a type
	yours  = regexp.MustCompile(`NAME|Cnn`)               // in the place of a name that the reader chooses
)

// TestTheGuidesNameWhatExists: what docs/architecture.md and docs/adding.md send a reader to is there: files and folders, with
// ‘*’ or {a,b} each of several, and names of the code.
func TestTheGuidesNameWhatExists(t *testing.T) {
	seen, known := 0, membersOf(t, rooms)
	for _, guide := range []string{"architecture.md", "adding.md"} {
		text, err := os.ReadFile("../docs/" + guide)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range quoted.FindAllStringSubmatch(string(text), -1) {
			if member.MatchString(m[1]) && !slices.Contains(endings, filepath.Ext(m[1])) {
				if seen++; !known[m[1]] {
					t.Errorf("docs/%s names %s, which does not exist", guide, m[1])
				}
				continue
			}
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

// membersOf is what the sources under some folders declare: of a package, and of a type its methods and fields.
func membersOf(t *testing.T, roots []string) map[string]bool {
	t.Helper()
	members := map[string]bool{}
	for _, root := range roots {
		for _, file := range sources(t, root) {
			for _, d := range file.Decls {
				declare(d, file.Name.Name, members)
			}
		}
	}
	return members
}

func declare(d ast.Decl, room string, members map[string]bool) {
	if f, ok := d.(*ast.FuncDecl); ok {
		if f.Recv != nil {
			room = receiver(f.Recv.List[0].Type)
		}
		members[room+"."+f.Name.Name] = true
		return
	}
	for _, s := range d.(*ast.GenDecl).Specs {
		switch s := s.(type) {
		case *ast.ValueSpec:
			for _, name := range s.Names {
				members[room+"."+name.Name] = true
			}
		case *ast.TypeSpec:
			members[room+"."+s.Name.Name] = true
			if fields, ok := s.Type.(*ast.StructType); ok {
				for _, f := range fields.Fields.List {
					for _, name := range f.Names {
						members[s.Name.Name+"."+name.Name] = true
					}
				}
			}
		}
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
