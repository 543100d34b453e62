package scenarios

import (
	"regexp"
	"strings"

	"checkpointlab/core/option"

	"go.yaml.in/yaml/v3"
)

// What people paste beside configuration files: the dynamic properties of flink run, SQL's SET, the answer of the REST
// interface's /jobmanager/config, and a FlinkDeployment of the Kubernetes operator.

var (
	// dynamic is -Dkey=value or -yDkey=value, the value in quotes or up to the next blank.
	dynamic = made(`(?:^|\s)-y?D\s*["']?([A-Za-z0-9_$.-]+)=("[^"]*"|'[^']*'|[^\s"']+)`)
	// setSQL is SET 'key' = 'value'; of Flink's SQL client.
	setSQL = made(`(?im)^\s*SET\s+['"]([A-Za-z0-9_$.-]+)['"]\s*=\s*('[^']*'|"[^"]*")\s*;?\s*$`)
)

// bareSQL is a SET statement whatever its quotes.
var bareSQL = made(`(?i)^\s*SET\s+(\S+)\s*=\s*(.+?)\s*;?\s*$`)

// unquoted tells SET statements without the quotes that the SQL client needs.
func (p *paste) unquoted(text string) {
	for i, line := range strings.Split(text, "\n") {
		if m := bareSQL().FindStringSubmatch(line); m != nil && !setSQL().MatchString(line) {
			p.note(i+1, m[1], m[2], option.Warning, "Not read: the SQL client takes key and value in single quotes only.", "읽지 않았다. SQL 클라이언트는 작은따옴표로 감싼 키와 값만 받는다.")
		}
	}
}

// arguments reads dynamic properties and SET statements; nil if there are none.
func arguments(text string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	for _, pattern := range []*regexp.Regexp{dynamic(), setSQL()} {
		for _, m := range pattern.FindAllStringSubmatchIndex(text, -1) {
			line := 1 + strings.Count(text[:m[2]], "\n")
			key, value := text[m[2]:m[3]], strings.Trim(text[m[4]:m[5]], `"'`)
			n.Content = append(n.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: key, Line: line}, written(value, line))
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
