package companion

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"

	"checkpointlab/web/texts"
)

// limits shows what docs/fidelity.md says of the lab: what is modelled, what is not, and how far off it is from recorded runs.
func limits(words *texts.Table, fidelity string) string {
	var out strings.Builder
	fmt.Fprintf(&out, `<section class="back" id="limits"><h2>%s</h2><p>%s</p>`, words.Raw("companion.limits"), words.Raw("companion.limitsLead"))
	md := goldmark.New(goldmark.WithExtensions(extension.Table))
	for _, part := range []struct{ key, text string }{
		{"companion.notModelled", between(fidelity, "## What is not modelled", "\n## ")},
		{"companion.modelled", between(fidelity, "## What is modelled", "\n## ")},
		{"companion.errors", between(fidelity, "<!-- generated: recorded-summary -->", "<!-- end of generated -->")},
	} {
		var b bytes.Buffer
		if err := md.Convert([]byte(Fidelity(words, part.text)), &b); err != nil {
			panic(err) // a buffer takes everything
		}
		fmt.Fprintf(&out, "<h3>%s</h3>"+scrolls+"%s</div>", words.Raw(part.key), b.String())
	}
	out.WriteString("</section>\n")
	return out.String()
}

// between is the text after from and before to.
func between(text, from, to string) string {
	_, rest, _ := strings.Cut(text, from)
	inside, _, _ := strings.Cut(rest, to)
	return strings.TrimSpace(inside)
}
