package companion

import (
	"bytes"
	"fmt"
	"html"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer"
	goldhtml "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"
)

// markdown turns a section's prose into HTML.
func (w *writer) markdown(prose string) (string, error) {
	md := goldmark.New(
		goldmark.WithExtensions(extension.Table),
		goldmark.WithRendererOptions(goldhtml.WithUnsafe(), renderer.WithNodeRenderers(util.Prioritized(&nodes{w}, 1))),
	)
	var out bytes.Buffer
	if err := md.Convert([]byte(prose), &out); err != nil {
		return "", err
	}
	return plainTables.Replace(out.String()), nil
}

// plainTables puts a table of the text into a box that scrolls by itself, with the keyboard too; one of runs has one.
var plainTables = strings.NewReplacer("<table>", scrolls+"<table>", "</tbody>\n</table>", "</tbody>\n</table></div>")

const scrolls = `<div class="scroll" tabindex="0" role="group">`

// nodes renders what the sections have beyond Markdown: links that run, tables of runs, formulas.
type nodes struct{ w *writer }

func (n *nodes) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindLink, n.link)
	r.Register(ast.KindFencedCodeBlock, n.block)
}

func (n *nodes) link(out util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		_, err := out.WriteString("</a>")
		return ast.WalkContinue, err
	}
	to := string(node.(*ast.Link).Destination)
	scenario, link, runs := n.w.section.Scenario, "", false
	if rest, ok := strings.CutPrefix(to, "?"); ok {
		link, runs = rest, true
	} else if rest, ok := strings.CutPrefix(to, "run:"); ok {
		scenario, link, _ = strings.Cut(rest, "?")
		runs = true
	}
	if !runs {
		fmt.Fprintf(out, `<a href="%s">`, html.EscapeString(to))
		return ast.WalkContinue, nil
	}
	if _, err := load(scenario, settingsOf(link)); err != nil {
		return ast.WalkStop, fmt.Errorf("the link (%s): %w", to, err)
	}
	f := fragment(scenario, link)
	fmt.Fprintf(out, `<a class="run" href="%s" data-run="%s">`, n.w.labHref(f), html.EscapeString(f))
	return ast.WalkContinue, nil
}

func (n *nodes) block(out util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	var text strings.Builder
	for i := range node.Lines().Len() {
		line := node.Lines().At(i)
		text.Write(line.Value(source))
	}
	switch kind := string(node.(*ast.FencedCodeBlock).Language(source)); kind {
	case "table":
		var b bytes.Buffer
		inner := *n.w
		inner.out = &b
		if err := inner.table(strings.TrimSpace(text.String())); err != nil {
			return ast.WalkStop, err
		}
		_, _ = out.Write(b.Bytes())
	case "math":
		plain, mathML, _ := strings.Cut(text.String(), "\n")
		fmt.Fprintf(out, `<div class="math" tabindex="0" role="group"><math display="block" aria-label="%s">%s</math><code>%s</code></div>`+"\n", html.EscapeString(plain), mathML, html.EscapeString(plain))
	default:
		fmt.Fprintf(out, "<pre><code>%s</code></pre>\n", html.EscapeString(text.String()))
	}
	return ast.WalkContinue, nil
}
