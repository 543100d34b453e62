package scenarios

import (
	"strings"

	"checkpointlab/core/option"

	"go.yaml.in/yaml/v3"
)

// A configuration inside of another text: a ConfigMap of Kubernetes, the environment of a container.

// carriers are the names under which a whole configuration stands as text.
var carriers = []string{"flink-conf.yaml", "config.yaml", "flinkConfiguration", "FLINK_PROPERTIES"}

const properties = "FLINK_PROPERTIES="

// inside reads the configuration that a text carries; nil if it carries none.
func inside(text string) *paste {
	r := &reader{}
	if n := r.yaml([]byte(text)); n != nil && n.Kind == yaml.MappingNode {
		if carrier, inner, line := carried("", n); carrier != "" {
			return within(carrier, inner, line)
		}
	}
	if inner, at, ok := shell(text); ok {
		return within("FLINK_PROPERTIES", inner, strings.Count(text[:at], "\n"))
	}
	return nil
}

// carried finds the first text in a document that is a configuration: its carrier, itself, and how many lines stand before it.
func carried(key string, n *yaml.Node) (carrier, inner string, line int) {
	switch n.Kind {
	case yaml.ScalarNode:
		at := n.Line - 1
		if n.Style == yaml.LiteralStyle || n.Style == yaml.FoldedStyle {
			at = n.Line
		}
		if rest, ok := strings.CutPrefix(strings.TrimLeft(n.Value, " \n"), properties); ok {
			return strings.TrimSuffix(properties, "="), rest, at
		}
		for _, c := range carriers {
			if key == c && strings.Contains(n.Value, ":") {
				return c, n.Value, at
			}
		}
	case yaml.MappingNode:
		if name := valueOf(n, "name"); name != nil && name.Value+"=" == properties && valueOf(n, "value") != nil {
			return carried(name.Value, valueOf(n, "value"))
		}
		for i := 0; i+1 < len(n.Content); i += 2 {
			if carrier, inner, line = carried(n.Content[i].Value, n.Content[i+1]); carrier != "" {
				return carrier, inner, line
			}
		}
	case yaml.SequenceNode:
		for _, e := range n.Content {
			if carrier, inner, line = carried(key, e); carrier != "" {
				return carrier, inner, line
			}
		}
	}
	return "", "", 0
}

// within reads a text that stands behind so many lines of another.
func within(carrier, inner string, lines int) *paste {
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
