package serve

import (
	"os"
	"strings"
	"testing"
)

func TestMarkdownBecomesAPage(t *testing.T) {
	got := document("# Fit *well*\n\nA `<b>` and\na **word**, see [there](x.md).\n\n<!-- generated: x -->\n\n| a | b |\n|---|---|\n| 1 | `2` |\n\n- one\n- two\n  lines\n")
	for _, want := range []string{
		`<h1 id="fit-well">Fit <em>well</em></h1>`, "<p>A <code>&lt;b&gt;</code> and a <strong>word</strong>, see there.</p>",
		"<tr><th>a</th><th>b</th></tr>", "<tr><td>1</td><td><code>2</code></td></tr>", "<li>one</li>", "<li>two lines</li>",
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
	if got := document(string(text)); !strings.Contains(got, `id="what-is-not-modelled"`) {
		t.Error("no list of what is not modelled")
	}
}
