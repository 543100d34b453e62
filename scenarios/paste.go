package scenarios

import (
	"iter"
	"strings"

	"checkpointlab/core/option"

	"go.yaml.in/yaml/v3"
)

// What people paste beside configuration files: the dynamic properties of flink run, SQL's SET, the answer of the REST
// interface's /jobmanager/config, and a FlinkDeployment of the Kubernetes operator.

// unquoted tells SET statements without the quotes that the SQL client needs.
func (p *paste) unquoted(text string) {
	for i, line := range strings.Split(text, "\n") {
		if key, value, ok := bareSQL(line); ok && !hasSQL(line) {
			p.note(i+1, key, value, option.Warning, "Not read: the SQL client takes key and value in single quotes only.", "읽지 않았다. SQL 클라이언트는 작은따옴표로 감싼 키와 값만 받는다.")
		}
	}
}

// arguments reads dynamic properties and SET statements; nil if there are none.
func arguments(text string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	for _, all := range []iter.Seq[assigned]{dynamic(text), setSQL(text)} {
		for f := range all {
			line := 1 + strings.Count(text[:f.at], "\n")
			put(n, f.key, strings.Trim(f.value, `"'`), line)
		}
	}
	if len(n.Content) == 0 {
		return nil
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
