package scenarios

import (
	"slices"
	"strconv"
	"strings"

	"checkpointlab/core/option"

	"go.yaml.in/yaml/v3"
)

// A configuration inside of another text: a ConfigMap of Kubernetes, the environment of a container.

// carriers are the names under which a whole configuration stands as text.
var carriers = []string{"flink-conf.yaml", "config.yaml", "flinkConfiguration", "FLINK_PROPERTIES"}

const properties = "FLINK_PROPERTIES="

// carried is a text inside of another that is a configuration.
type carried struct {
	carrier, inner string
	lines          int // before it
}

// inside reads the configurations that a text carries; nil if it carries none.
func inside(text string) *paste {
	r := &reader{}
	var found []carried
	if n := r.yaml([]byte(text)); n != nil && n.Kind == yaml.MappingNode {
		found = carriedBy("", n, nil)
	}
	if len(found) == 0 {
		if inner, at, ok := shell(text); ok {
			found = []carried{{"FLINK_PROPERTIES", inner, strings.Count(text[:at], "\n")}}
		}
	}
	var all *paste
	for _, c := range found {
		switch p := within(c); {
		case p == nil:
		case all == nil:
			all = p
		default:
			all.beyond(p)
		}
	}
	if all != nil {
		all.image(text)
	}
	return all
}

// carriedBy finds the texts in a document that are configurations.
func carriedBy(key string, n *yaml.Node, all []carried) []carried {
	switch n.Kind {
	case yaml.ScalarNode:
		at := n.Line - 1
		if n.Style == yaml.LiteralStyle || n.Style == yaml.FoldedStyle {
			at = n.Line
		}
		if rest, ok := strings.CutPrefix(strings.TrimLeft(n.Value, " \n"), properties); ok {
			return append(all, carried{strings.TrimSuffix(properties, "="), rest, at})
		}
		if slices.Contains(carriers, key) && strings.Contains(n.Value, ":") || n.Style == yaml.LiteralStyle && settingIn(n.Value) {
			return append(all, carried{key, n.Value, at})
		}
	case yaml.MappingNode:
		if name := valueOf(n, "name"); name != nil && name.Value+"=" == properties && valueOf(n, "value") != nil {
			return carriedBy(name.Value, valueOf(n, "value"), all)
		}
		for i := 0; i+1 < len(n.Content); i += 2 {
			all = carriedBy(n.Content[i].Value, n.Content[i+1], all)
		}
	case yaml.SequenceNode:
		for _, e := range n.Content {
			all = carriedBy(key, e, all)
		}
	}
	return all
}

// settingIn tells whether a line of a text is a setting of Flink.
func settingIn(text string) bool {
	for line := range strings.Lines(text) {
		if key, _, ok := flatLine(strings.TrimSuffix(line, "\n")); ok && ofFlink(key) {
			return true
		}
	}
	return false
}

// beyond adds what another process of the cluster is given: its own settings act there alone.
func (p *paste) beyond(other *paste) {
	for _, q := range other.pairs {
		i := slices.IndexFunc(p.pairs, func(mine option.Pair) bool { return mine.Key == q.Key })
		switch {
		case i < 0:
			p.pairs = append(p.pairs, q)
		case p.pairs[i].Value != q.Value:
			p.note(q.Line, q.Key, q.Value, option.Warning, "Not read: line "+strconv.Itoa(p.pairs[i].Line)+" gives another process another value; the JobManager's counts for checkpoints.",
				"읽지 않았다. "+strconv.Itoa(p.pairs[i].Line)+"번째 줄에서 다른 프로세스에 다른 값을 준다. 체크포인트에는 JobManager의 값이 쓰인다.")
		}
	}
	p.notes = append(p.notes, other.notes...)
}

// image reads the version of Flink's image that a text starts, as flink:1.20.1-java17.
func (p *paste) image(text string) {
	for at, line := range strings.Split(text, "\n") {
		for word := range strings.FieldsSeq(line) {
			name, tag, ok := strings.Cut(strings.Trim(word, `"'`), ":")
			if !ok || name != "flink" && !strings.HasSuffix(name, "/flink") {
				continue
			}
			number := tag[:len(tag)-len(strings.TrimLeft(tag, "0123456789."))]
			if parts := strings.Split(number, "."); len(parts) > 1 && parts[0] != "" && parts[1] != "" {
				p.version = p.nearestVersion(parts[0]+"."+parts[1], at+1)
				return
			}
		}
	}
}

// within reads a text that stands behind so many lines of another.
func within(c carried) *paste {
	carrier, inner, lines := c.carrier, c.inner, c.lines
	p := tree(inner)
	if p == nil {
		p = flatText(inner)
	}
	if p == nil {
		return nil
	}
	for i := range p.pairs {
		p.pairs[i].Line += lines
	}
	for i := range p.notes {
		p.notes[i].Line += lines
	}
	p.form = carrier
	p.note(lines+1, "", "", option.Info, "The settings are those of "+carrier+" inside.", "설정은 안에 든 "+carrier+"의 것이다.")
	return p
}
