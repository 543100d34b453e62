package serve

import (
	"os"
	"strings"
	"testing"

	"checkpointlab/web/companion"
	"checkpointlab/web/texts"
)

func TestMarkdownBecomesAPage(t *testing.T) {
	got := document("# Fit *well*\n\nA `<b>` and\na **word**, see [there](x.md).\n\n<!-- generated: x -->\n\n| a | b |\n|---|---|\n| 1 | `2` |\n\n- one\n- two\n  lines\n\n## 다른 이름 {#own-name}\n\nplain words stay\n", "ko")
	for _, want := range []string{
		`<h1 id="fit-well">Fit <em>well</em></h1>`, `<p lang="en">A <code>&lt;b&gt;</code> and a <strong>word</strong>, see there.</p>`,
		"<tr><th>a</th><th>b</th></tr>", "<tr><td>1</td><td><code>2</code></td></tr>", "<li>one</li>", `<li lang="en">two lines</li>`, `<h2 id="own-name">다른 이름</h2>`, `<p lang="en">plain words stay</p>`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("lacks %s:\n%s", want, got)
		}
	}
	if strings.Contains(got, "generated") {
		t.Error("a comment is shown")
	}
}

// The page links to two headings by name.
func TestTheFidelityPageHasWhatThePageLinksTo(t *testing.T) {
	text, err := os.ReadFile("../../../docs/fidelity.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, lang := range texts.Languages() {
		if got := document(companion.Fidelity(texts.Must(lang), string(text)), lang); !strings.Contains(got, `id="what-is-not-modelled"`) {
			t.Errorf("%s: no list of what is not modelled", lang)
		}
	}
}
