package scenarios

import (
	"strconv"
	"strings"

	"checkpointlab/core/option"

	"go.yaml.in/yaml/v3"
)

// Changes are the settings in which the scenario differs from what was loaded: SetAll of them makes the same scenario of the
// loaded one. First come those that were taken out, with an empty value. The caller must not write into them.
func (s *Scenario) Changes() []option.Pair {
	if c := &s.changes; c.from != s.born || c.to != s.root || c.from == nil {
		*c = changes{s.born, s.root, differences(s.born, s.root)}
	}
	return s.changes.pairs
}

// changes are the differences of two documents, kept as long as a scenario has these: a page asks for them many times a second.
type changes struct {
	from, to *yaml.Node
	pairs    []option.Pair
}

// ChangesFrom are the settings in which the scenario differs from another one of the same vertices.
func (s *Scenario) ChangesFrom(o *Scenario) []option.Pair { return differences(o.root, s.root) }

func differences(from, to *yaml.Node) []option.Pair {
	if from == to {
		return nil
	}
	out, in := scriptChanges(from, to)
	whole := func(key string) bool { // an action that is listed as a whole
		action, _, _ := strings.Cut(strings.TrimPrefix(key, "script."), ".")
		_, gone := find(out, "script."+action)
		_, new := find(in, "script."+action)
		return strings.HasPrefix(key, "script.") && (gone || new)
	}
	before, now := leaves(from), leaves(to)
	for _, p := range before {
		if _, ok := find(now, p.Key); !ok && !whole(p.Key) {
			out = append(out, option.Pair{Key: p.Key})
		}
	}
	var single []option.Pair
	for _, p := range now {
		if v, ok := find(before, p.Key); (!ok || v != p.Value) && !whole(p.Key) {
			single = append(single, p)
		}
	}
	return append(append(out, single...), in...)
}

func find(pairs []option.Pair, key string) (string, bool) {
	for _, p := range pairs {
		if p.Key == key {
			return p.Value, true
		}
	}
	return "", false
}

// leaves lists every setting of a document by the key that Set takes.
func leaves(root *yaml.Node) []option.Pair {
	var out []option.Pair
	add := func(path string, n *yaml.Node) {
		for i := 0; n != nil && n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
			key := path + n.Content[i].Value
			if _, ok := describe(key); ok && n.Content[i+1].Kind == yaml.ScalarNode {
				out = append(out, option.Pair{Key: key, Value: n.Content[i+1].Value})
			}
		}
	}
	job := valueOf(root, "job")
	add("", root)
	add("run.", valueOf(root, "run"))
	add("cluster.", valueOf(root, "cluster"))
	add("storage.", valueOf(root, "storage"))
	add("control.", valueOf(root, "control"))
	add("job.", job)
	for _, v := range elements(job, "vertices") {
		path := "job.vertices." + text(v, "name") + "."
		add(path, v)
		for _, inner := range innerFields {
			add(path+inner+".", valueOf(v, inner))
		}
	}
	for _, e := range elements(job, "edges") {
		add("job.edges."+text(e, "from")+"."+text(e, "to")+".", e)
	}
	for i, a := range elements(root, "script") {
		add("script."+strconv.Itoa(i+1)+".", a)
	}
	for _, p := range pairsOf(valueOf(root, "flink")) {
		out = append(out, option.Pair{Key: p.Key, Value: p.Value})
	}
	return out
}

func elements(n *yaml.Node, key string) []*yaml.Node {
	if list := valueOf(n, key); list != nil && list.Kind == yaml.SequenceNode {
		return list.Content
	}
	return nil
}

func text(n *yaml.Node, key string) string {
	if v := valueOf(n, key); v != nil {
		return v.Value
	}
	return ""
}
