package texts_test

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"checkpointlab/core/option"
	"checkpointlab/scenarios"
	"checkpointlab/web/texts"
)

// Every sentence about a mistake that the sources hold has its Korean.
func TestEveryMistakeIsSaidInKorean(t *testing.T) {
	n := 0
	for _, room := range []string{"core", "core/option", "scenarios", "ops/observed", "ops/rebuild", "cmd/wasm/player"} {
		for sentence, where := range mistakesOf(t, filepath.Join("..", "..", room)) {
			n++
			if ko := texts.Translate(sentence); ko == sentence || !strings.ContainsFunc(ko, func(r rune) bool { return unicode.Is(unicode.Hangul, r) }) {
				t.Errorf("%s: web/texts/mistakes.ko.txt has no Korean of\n%s", where, sentence)
			}
		}
	}
	if n < 250 {
		t.Errorf("only %d sentences were found", n)
	}
}

// Every finding, and every part that is put into one, has its Korean.
func TestEveryFindingIsSaidInKorean(t *testing.T) {
	all := sentencesIn(t, filepath.Join("..", "..", "ops", "finding"), func(n ast.Node) []ast.Expr {
		switch x := n.(type) {
		case *ast.CallExpr:
			if name := nameOf(x.Fun); name == "say" || name == "Sprintf" {
				return x.Args
			}
		case *ast.AssignStmt:
			return x.Rhs
		}
		return nil
	})
	if len(all) < 30 {
		t.Errorf("only %d sentences were found", len(all))
	}
	hangul := func(r rune) bool { return unicode.Is(unicode.Hangul, r) }
	for sentence, where := range all {
		if sentence == "{} bytes" || strings.HasSuffix(sentence, " gb") || strings.HasSuffix(sentence, " mb") {
			continue // sizes
		}
		if ko := texts.Translate(sentence); ko == sentence || !strings.ContainsFunc(ko, hangul) {
			t.Errorf("%s: web/texts/findings.ko.txt has no Korean of\n%s", where, sentence)
		}
	}
}

func TestAFindingInKorean(t *testing.T) {
	words := texts.Must("ko")
	for found, want := range map[string]string{
		"bottleneck: sink is busy for 1000 ms a second, and map before it is back-pressured for 930: it sets the throughput, and barriers wait in front of it": "병목: sink가 초당 1000 ms 바쁘고, 그 앞의 map은 초당 930 ms 백프레셔를 받는다. 처리량은 여기서 정해지고 배리어도 그 앞에서 기다린다.",
		"not acknowledging: subtask 1 of map has not acknowledged any of the last 3 checkpoints: its barriers came after 2 s, but its asynchronous part did not end within the timeout of 8 s. " +
			"The state is too large for the storage's rate: incremental checkpoints, a faster storage or a longer timeout help; this is no back pressure": "확인 없음: map의 서브태스크 1이 마지막 체크포인트 3개를 하나도 확인하지 않았다. 배리어는 2초 뒤에 왔지만 timeout 8초 안에 비동기 단계가 끝나지 않았다. " +
			"저장소의 속도에 견주어 상태가 너무 크다: 증분 체크포인트, 더 빠른 저장소, 더 긴 timeout이 도움이 된다. 백프레셔가 아니다.",
	} {
		if got := words.Finding(found); got != want {
			t.Errorf("%s\n got %s\nwant %s", found, got, want)
		}
	}
	if got := texts.Must("en").Finding("failed: x"); got != "failed: x." {
		t.Errorf("in English: %q", got)
	}
}

func TestAMistakeInKorean(t *testing.T) {
	words := texts.Must("ko")
	m := &option.Mistake{Line: 3, Key: "execution.checkpointing.interval", Value: "5 ms", Problem: "is shorter than 10 ms, which Flink refuses", Remedy: "write 10 ms or more"}
	for _, c := range []struct {
		err  error
		want string
	}{
		{m, `3행: execution.checkpointing.interval: "5 ms": 10 ms보다 짧아서 Flink가 거절한다. 10 ms 이상으로 쓴다.`},
		{&option.Mistake{Key: "mode", Value: "x", Problem: "is no value of this option", Remedy: "write EXACTLY_ONCE or AT_LEAST_ONCE"}, `mode: "x": 이 옵션이 받지 않는 값이다. EXACTLY_ONCE, AT_LEAST_ONCE 가운데에서 쓴다.`},
		{&option.Mistake{Key: "a.b", Problem: "is not a field of a scenario", Remedy: "did you mean rate?", OfKey: true}, `a.b: 시나리오 필드가 아니다. rate를 뜻했는가?`},
		{errors.New("action 2 of the script names subtask 7 of map, which has 2"), `스크립트의 동작 2: map의 서브태스크 7을 가리키는데, 2개뿐이다.`},
		{errors.New("nobody knows this"), "nobody knows this."},
	} {
		if got := words.Mistakes(c.err); len(got) != 1 || got[0] != c.want {
			t.Errorf("%v\n got %q\nwant %q", c.err, got, c.want)
		}
	}
	if got := texts.Must("en").Mistakes(errors.Join(m, m)); len(got) != 2 || got[0] != m.Error()+"." {
		t.Errorf("in English: %q", got)
	}
}

// What a reader can type wrong in the page comes out in Korean, with nothing English left but names and values.
func TestRefusedSettingsAreToldInKorean(t *testing.T) {
	english := regexp.MustCompile(`\b(write|is|the|which|give|has|or|not|of)\b`)
	s, err := scenarios.Load("backpressure")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range [][2]string{
		{"execution.checkpointing.interval", "soon"}, {"execution.checkpointing.interval", "1 ms"}, {"execution.checkpointing.mode", "TWICE"},
		{"taskmanager.memory.segment-size", "3 kb"}, {"job.vertices.sink.cost", "-1 s"}, {"job.vertices.source.rate", "many"},
		{"job.vertices.map.parallelism", "0"}, {"run.duration", "0 s"}, {"run.seed", "x"}, {"nothing.at.all", "1"}, {"flinkVersion", "9"},
		{"restart-strategy.fixed-delay.attempts", "1.5"}, {"taskmanager.network.memory.buffer-debloat.enabled", "maybe"}, {"job.hotShare", "2"},
		{"script.7.cost", "1 ms"}, {"execution.checkpointing.intervall", "1 s"}, {"job.vertices.nobody.cost", "1 ms"}, {"job.keys", "many"},
	} {
		err := s.Clone().Set(c[0], c[1])
		if err == nil {
			t.Errorf("%s=%s is taken", c[0], c[1])
			continue
		}
		for _, sentence := range texts.Must("ko").Mistakes(err) {
			if english.MatchString(sentence) {
				t.Errorf("%s=%s: %s", c[0], c[1], sentence)
			}
		}
	}
}

// mistakesOf are the sentences that a package gives to mistakes.
func mistakesOf(t *testing.T, dir string) map[string]string { return sentencesIn(t, dir, sentencesOf) }

// sentencesIn are sentences of a package's sources, with {} for what they put in, and where. of finds their expressions.
func sentencesIn(t *testing.T, dir string, of func(ast.Node) []ast.Expr) map[string]string {
	t.Helper()
	found := map[string]string{}
	fset := token.NewFileSet()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(names) == 0 {
		t.Fatal(dir, err)
	}
	var all []*ast.File
	constants := map[string]string{}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") || strings.HasPrefix(filepath.Base(name), "audit") {
			continue
		}
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		f, err := parser.ParseFile(fset, name, data, 0)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, f)
		for _, d := range f.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.CONST {
				for _, spec := range g.Specs {
					v := spec.(*ast.ValueSpec)
					for i := range min(len(v.Names), len(v.Values)) {
						if text := literal(v.Values[i], constants); text != "{}" {
							constants[v.Names[i].Name] = text
						}
					}
				}
			}
		}
	}
	for _, f := range all {
		ast.Inspect(f, func(n ast.Node) bool {
			for _, e := range of(n) {
				text := literal(e, constants)
				// A single word names a field, and a value alone is whatever somebody passes on.
				if words := strings.ReplaceAll(text, "{}", ""); strings.Contains(words, " ") && strings.ContainsFunc(words, unicode.IsLetter) {
					found[text] = fset.Position(e.Pos()).String()
				}
			}
			return true
		})
	}
	return found
}

// sentencesOf are the expressions of a node that may be sentences about a mistake: fields of a Mistake, and arguments of the
// functions that make one.
func sentencesOf(n ast.Node) []ast.Expr {
	switch x := n.(type) {
	case *ast.KeyValueExpr:
		if k, ok := x.Key.(*ast.Ident); ok && (k.Name == "Problem" || k.Name == "Remedy") {
			return []ast.Expr{x.Value}
		}
	case *ast.AssignStmt:
		if len(x.Lhs) != len(x.Rhs) {
			return nil
		}
		var out []ast.Expr
		for i, l := range x.Lhs {
			if name := nameOf(l); strings.EqualFold(name, "remedy") || strings.EqualFold(name, "problem") {
				out = append(out, x.Rhs[i])
			}
		}
		return out
	case *ast.CallExpr:
		switch nameOf(x.Fun) {
		case "bad", "refuse", "need", "scalar", "read":
			return x.Args
		}
	}
	return nil
}

func nameOf(e ast.Expr) string {
	switch x := e.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		return x.Sel.Name
	}
	return ""
}

var verbs = regexp.MustCompile(`%(\.\d)?[sdvqf]`)

// literal is a text with {} for every part that is known only when the program runs.
func literal(e ast.Expr, constants map[string]string) string {
	switch x := e.(type) {
	case *ast.BasicLit:
		if x.Kind == token.STRING {
			if s, err := strconv.Unquote(x.Value); err == nil {
				return verbs.ReplaceAllString(s, "{}")
			}
		}
	case *ast.BinaryExpr:
		if x.Op == token.ADD {
			return literal(x.X, constants) + literal(x.Y, constants)
		}
	case *ast.Ident:
		if s, ok := constants[x.Name]; ok {
			return s
		}
	case *ast.ParenExpr:
		return literal(x.X, constants)
	}
	return "{}"
}
