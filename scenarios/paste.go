package scenarios

import (
	"iter"
	"slices"
	"strings"

	"checkpointlab/core/option"

	"go.yaml.in/yaml/v3"
)

// What people paste beside configuration files: the dynamic properties of flink run, SQL's SET, the answer of the REST
// interface's /jobmanager/config, and a FlinkDeployment of the Kubernetes operator.

// unquoted tells SET statements that Flink's parser refuses.
func (p *paste) unquoted(text string) {
	for i, line := range strings.Split(text, "\n") {
		if key, value, ok := bareSQL(line); ok && !hasSQL(line) && !taken(key, value) {
			p.note(i+1, key, value, option.Warning, "Not read: Flink takes SET with key and value in single quotes, or without quotes if neither has a blank.",
				"읽지 않았다. Flink의 SET은 키와 값을 작은따옴표로 감싸거나, 공백이 없으면 따옴표 없이 쓴다.")
		}
	}
}

// taken tells whether Flink takes SET key = value with a key that stands without quotes: the value is then in single quotes or has no
// blank (SetOperationParseStrategy of 1.13 to 2.3, SET\s+(?<key>[^'\s]+)\s*=\s*('(?<quotedVal>[^']*)'|(?<val>[^;\s]+))).
func taken(key, value string) bool {
	if strings.Contains(key, "'") {
		return false
	}
	if inner, rest, ok := cutQuoted(value); ok && inner[0] == '\'' {
		return rest == ""
	}
	return !strings.ContainsAny(value, blanks+";'")
}

// setBare are the statements SET key = value whose key stands without quotes, each on a line, if the text has a statement of an option.
func setBare(text string) iter.Seq[assigned] {
	return func(yield func(assigned) bool) {
		at := 0
		if !isSQL(text) {
			return
		}
		for line := range strings.Lines(text) {
			key, value, ok := bareSQL(strings.TrimSuffix(line, "\n"))
			if ok && strings.Contains(key, ".") && !hasSQL(line) && taken(key, value) && !yield(assigned{key, value, at + strings.Index(line, key)}) {
				return
			}
			at += len(line)
		}
	}
}

// isSQL tells whether a text sets an option by SQL, quoted or not.
func isSQL(text string) bool {
	for line := range strings.Lines(text) {
		if key, _, ok := bareSQL(line); ok && ofFlink(key) {
			return true
		}
	}
	return hasSQL(text)
}

// arguments reads dynamic properties and SET statements in the order of the text; nil if there are none.
func arguments(text string) *yaml.Node {
	var found []assigned
	for _, all := range []iter.Seq[assigned]{dynamic(text), setSQL(text), setBare(text)} {
		found = slices.AppendSeq(found, all)
	}
	if len(found) == 0 {
		return nil
	}
	slices.SortStableFunc(found, func(a, b assigned) int { return a.at - b.at })
	n := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	for _, f := range found {
		put(n, f.key, strings.Trim(f.value, `"'`), 1+strings.Count(text[:f.at], "\n"))
	}
	return n
}

// entries reads a list of {key: …, value: …}, as /jobmanager/config answers; nil if it is another list.
func entries(list *yaml.Node) *yaml.Node {
	if list == nil || list.Kind != yaml.SequenceNode || len(list.Content) == 0 {
		return nil
	}
	n := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: list.Line}
	for _, e := range list.Content {
		key, value := valueOf(e, "key"), valueOf(e, "value")
		if key == nil || value == nil || key.Kind != yaml.ScalarNode || value.Kind != yaml.ScalarNode {
			return nil
		}
		n.Content = append(n.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: key.Value, Line: key.Line}, written(value.Value, value.Line))
	}
	return n
}

// deployed is the configuration inside a document that has more: a flink: block alone, the spec of a FlinkDeployment, or what the
// REST interface says of checkpoints.
func deployed(n *yaml.Node) *yaml.Node {
	if rest := ofREST(n); rest != nil {
		return rest
	}
	if inner := valueOf(n, "flink"); inner != nil && len(n.Content) == 2 {
		return inner
	}
	spec := valueOf(n, "spec")
	if inner := valueOf(spec, "flinkConfiguration"); inner != nil {
		return inner
	}
	return n
}
