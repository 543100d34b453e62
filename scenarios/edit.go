package scenarios

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"checkpointlab/core/option"

	"go.yaml.in/yaml/v3"
)

// Set changes one setting: an option of Flink by any of its spellings, or a field of the scenario by its path, such as
// job.vertices.sink.cost, job.edges.source.map.partition, script.1.cost, control.rpc, run.seed. An empty value takes the
// setting out, so that its default holds. After an error the scenario is as before.
func (s *Scenario) Set(key, value string) error {
	return s.SetAll([]option.Pair{{Key: key, Value: value}})
}

// SetAll makes several changes at once; only what they come to together must be right.
func (s *Scenario) SetAll(changes []option.Pair) error {
	root := copyTree(s.root)
	for _, c := range changes {
		if err := set(root, c.Key, c.Value); err != nil {
			return err
		}
	}
	return s.rebuild(root)
}

// set changes a document. The error is a *option.Mistake.
func set(root *yaml.Node, key, value string) error {
	key, value = strings.TrimSpace(key), strings.TrimSpace(value)
	if !utf8.ValidString(value) || strings.ContainsFunc(value, unprintable) || strings.Contains(value, "\n") {
		return &option.Mistake{Key: key, Problem: "has a value with a character that cannot be printed", Remedy: "remove it"}
	}
	if _, known := option.Known(key); known {
		setFlink(root, key, value)
		return nil
	}
	if isAction(key) {
		if m := setAction(root, key, value); m != nil {
			return m
		}
		return nil
	}
	holder, field, err := locate(root, key, value != "")
	if err != nil {
		err.Value = value
		return err
	}
	switch {
	case holder == nil: // nothing to take out
	case value == "":
		drop(holder, field)
	default:
		replace(holder, field, written(value, 0))
	}
	return nil
}

// written is a value as a node that is read back as the same text.
func written(value string, line int) *yaml.Node {
	n := scalar(value)
	n.Line = line
	if v := strings.ToLower(value); v == "" || v == "~" || v == "null" || v == "<<" {
		n.Tag = "!!str"
	}
	return n
}

// put adds an option to a mapping, key and value on a line.
func put(n *yaml.Node, key, value string, line int) {
	n.Content = append(n.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: key, Line: line}, written(value, line))
}

// setFlink replaces an option in all of its spellings.
func setFlink(root *yaml.Node, key, value string) {
	block := child(root, "flink", true)
	spellings := []string{key}
	if o, ok := option.Find(key); ok {
		spellings = append(append(spellings, o.Key), o.Old...)
	}
	var kept []*yaml.Node
	done := value == ""
	for i := 0; i+1 < len(block.Content); i += 2 {
		if !contains(spellings, block.Content[i].Value) {
			kept = append(kept, block.Content[i], block.Content[i+1])
		} else if !done {
			kept, done = append(kept, scalar(key), written(value, 0)), true
		}
	}
	if !done {
		kept = append(kept, scalar(key), written(value, 0))
	}
	block.Content = kept
}

// child is the mapping under a key, made if it is missing and wanted; else nil.
func child(n *yaml.Node, key string, make bool) *yaml.Node {
	c := valueOf(n, key)
	if c != nil && c.Kind == yaml.MappingNode {
		return c
	}
	if !make {
		return nil
	}
	c = &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	replace(n, key, c)
	return c
}

// replace gives a key of a mapping a value. A new key of the document goes to its place among the others.
func replace(n *yaml.Node, key string, value *yaml.Node) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			value.Style |= n.Content[i+1].Style & yaml.FlowStyle
			n.Content[i+1] = value
			return
		}
	}
	n.Content = append(n.Content, scalar(key), value)
	if !contains(topFields, key) {
		return
	}
	pairs := slices.Collect(slices.Chunk(n.Content, 2))
	slices.SortStableFunc(pairs, func(a, b []*yaml.Node) int {
		return cmp.Compare(slices.Index(topFields, a[0].Value), slices.Index(topFields, b[0].Value))
	})
	n.Content = slices.Concat(pairs...)
}

// drop takes a key out of a mapping.
func drop(n *yaml.Node, key string) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			n.Content = slices.Delete(n.Content, i, i+2)
			return
		}
	}
}

// locate finds the mapping and the field that a path names; the mapping is nil if it is missing and not to be made.
func locate(root *yaml.Node, key string, make bool) (*yaml.Node, string, *option.Mistake) {
	parts := strings.Split(key, ".")
	field := parts[len(parts)-1]
	line, ok := describe(key)
	if !ok {
		return nil, "", unknownKey(root, key)
	}
	switch {
	case len(parts) == 1:
		return root, field, nil
	case parts[0] == "control":
		return controlOf(root, make), field, nil
	case parts[0] == "script":
		return entry(root, parts[1], key)
	case parts[0] != "job":
		return child(root, parts[0], make), field, nil
	case len(parts) == 2:
		return child(root, "job", make), field, nil
	case parts[1] == "edges":
		return edge(root, parts[2], parts[3], key)
	}
	v, err := vertexNode(root, parts[2], key)
	if pattern := strings.Split(line.Key, "."); err == nil && contains(innerFields, pattern[len(pattern)-2]) {
		v = child(v, pattern[len(pattern)-2], make)
	}
	return v, field, err
}

func unknownKey(root *yaml.Node, key string) *option.Mistake {
	m := &option.Mistake{Key: key, OfKey: true, Problem: "is neither an option of Flink nor a field of the scenario",
		Remedy: "write a key such as execution.checkpointing.interval or job.vertices.sink.cost"}
	if vertex, field := ofVertex(root, key); field != "" {
		if whole := "job.vertices." + vertex + "." + field; whole == key {
			return &option.Mistake{Key: key, OfKey: true, Problem: "is a field that cannot be set as a whole", Remedy: ofWhole(whole)}
		}
		m.Remedy = "did you mean job.vertices." + vertex + "." + field + "?"
		return m
	}
	if near := option.Nearest(key); near != "" {
		m.Remedy = "did you mean " + near + "?"
	}
	fields := fieldsBeside(key)
	cut := strings.LastIndexByte(key, '.') + 1
	if near := option.Closest(key[cut:], fields); near != "" {
		m.Remedy = "did you mean " + key[:cut] + near + "?"
	} else if cut > 0 && len(fields) > 0 {
		m.Remedy = "the fields here are " + strings.Join(fields, ", ")
	}
	return m
}

// ofWhole says what can be done about a field of a vertex that is a mapping.
func ofWhole(key string) string {
	if inner := fieldsBeside(key + "."); len(inner) > 0 {
		return "set one of its fields, such as " + key + "." + inner[0]
	}
	return "change it in the file"
}

// controlOf makes the single times of the control plane visible before one of them is changed.
func controlOf(root *yaml.Node, make bool) *yaml.Node {
	n := valueOf(root, "control")
	if n == nil || n.Kind == yaml.MappingNode || !make || !strings.EqualFold(n.Value, "none") {
		return child(root, "control", make)
	}
	all := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Style: yaml.FlowStyle}
	for _, f := range controlFields {
		value := "0 ms"
		if f == "firstFails" {
			value = "false"
		}
		all.Content = append(all.Content, scalar(f), scalar(value))
	}
	replace(root, "control", all)
	return all
}

// entry is an action of the script by its number.
func entry(root *yaml.Node, number, key string) (*yaml.Node, string, *option.Mistake) {
	field := key[strings.LastIndexByte(key, '.')+1:]
	all := elements(root, "script")
	i, err := strconv.Atoi(number)
	if err != nil || i < 1 || i > len(all) {
		return nil, "", noAction(key, len(all))
	}
	return all[i-1], field, nil
}

// vertexNode is a vertex by its name.
func vertexNode(root *yaml.Node, name, key string) (*yaml.Node, *option.Mistake) {
	all, nodes := vertexNames(root)
	if i := slices.Index(all, name); i >= 0 {
		return nodes[i], nil
	}
	m := &option.Mistake{Key: key, OfKey: true, Problem: "names a vertex that the job does not have", Remedy: "the vertices are " + strings.Join(all, ", ")}
	if near := option.Closest(name, all); near != "" {
		m.Remedy = "did you mean " + near + "?"
	}
	return nil, m
}

// edge is an edge by its two vertices.
func edge(root *yaml.Node, from, to, key string) (*yaml.Node, string, *option.Mistake) {
	if n := valueOf(valueOf(root, "job"), "edges"); n != nil {
		for _, e := range n.Content {
			a, b := valueOf(e, "from"), valueOf(e, "to")
			if a != nil && b != nil && a.Value == from && b.Value == to {
				return e, "partition", nil
			}
		}
	}
	return nil, "", &option.Mistake{Key: key, OfKey: true, Problem: "names an edge that the job does not have", Remedy: "write job.edges.FROM.TO.partition"}
}
