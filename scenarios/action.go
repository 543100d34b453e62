package scenarios

import (
	"strconv"
	"strings"

	"checkpointlab/core/event"
	"checkpointlab/core/option"

	"go.yaml.in/yaml/v3"
)

// isAction reports whether a key names a whole action of the script: script.N. Its value is the action as a file has it,
// such as {at: 71.2 s, do: kill, vertex: map, subtask: 1}; an empty one takes it out.
func isAction(key string) bool {
	rest, ok := strings.CutPrefix(key, "script.")
	return ok && !strings.Contains(rest, ".")
}

// setAction changes, adds or takes out one action.
func setAction(root *yaml.Node, key, value string) *option.Mistake {
	all := elements(root, "script")
	n, err := strconv.Atoi(strings.TrimPrefix(key, "script."))
	if err != nil || n < 1 || n > len(all)+1 || n > len(all) && value == "" {
		return noAction(key, len(all))
	}
	list := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
	list.Content = append(list.Content, all...)
	switch {
	case value == "":
		list.Content = append(list.Content[:n-1], list.Content[n:]...)
	default:
		action, m := readAction(key, value)
		if m != nil {
			return m
		}
		list.Content = append(list.Content[:n-1], append([]*yaml.Node{action}, list.Content[min(n, len(all)):]...)...)
	}
	replace(root, "script", list)
	return nil
}

// noAction is the mistake of a key that counts beyond a script of so many actions.
func noAction(key string, count int) *option.Mistake {
	return &option.Mistake{Key: key, OfKey: true, Problem: "names an action that the script does not have",
		Remedy: "the script has " + strconv.Itoa(count) + "; the next one is script." + strconv.Itoa(count+1)}
}

// readAction reads an action from one line.
func readAction(key, value string) (*yaml.Node, *option.Mistake) {
	r := &reader{}
	if n := r.yaml([]byte(value)); n != nil && n.Kind == yaml.MappingNode {
		if clean := r.clean(n); len(r.mistakes) == 0 {
			clean.Style |= yaml.FlowStyle
			return clean, nil
		}
	}
	return nil, &option.Mistake{Key: key, Value: value, Problem: "is not an action", Remedy: "write {at: 30 s, do: kill, vertex: map}"}
}

// Act adds an action at the end of the script: its fields and their values, in the order of a file.
func (s *Scenario) Act(fields ...option.Pair) error {
	var parts []string
	for _, f := range fields {
		parts = append(parts, f.Key+": "+f.Value)
	}
	return s.Set("script."+strconv.Itoa(len(elements(s.root, "script"))+1), "{"+strings.Join(parts, ", ")+"}")
}

// scriptChanges are the actions in which a script differs from a former one: those that were taken out, the last one
// first, and those that are new or of another kind. Of actions of one kind, leaves lists the fields.
func scriptChanges(before, now *yaml.Node) (out, in []option.Pair) {
	a, b := elements(before, "script"), elements(now, "script")
	for i := len(a); i > len(b); i-- {
		out = append(out, option.Pair{Key: "script." + strconv.Itoa(i)})
	}
	for i := range b {
		if i >= len(a) || !alike(a[i], b[i]) {
			in = append(in, option.Pair{Key: "script." + strconv.Itoa(i+1), Value: oneLine(b[i])})
		}
	}
	return out, in
}

// alike reports whether two actions have the same fields and differ at most in those that Set takes.
func alike(a, b *yaml.Node) bool {
	if len(a.Content) != len(b.Content) {
		return false
	}
	for i := 0; i+1 < len(a.Content); i += 2 {
		field := a.Content[i].Value
		v := valueOf(b, field)
		if v == nil {
			return false
		}
		if _, ok := describe("script.1." + field); !ok && v.Value != a.Content[i+1].Value {
			return false
		}
	}
	return true
}

// oneLine is an action as a file has it, in a line.
func oneLine(n *yaml.Node) string {
	flow := copyTree(n)
	flow.Style = yaml.FlowStyle
	return strings.Join(strings.Fields(string(encode(flow))), " ")
}

// ActionLine is an action of the script as it was written.
type ActionLine struct {
	At   event.Time
	Text string
}

// Actions lists the script in the order in which it is written, which is that of the keys script.N.
func (s *Scenario) Actions() []ActionLine {
	var out []ActionLine
	for _, n := range elements(s.root, "script") {
		at, _ := option.ParseDuration(text(n, "at")) // it was read before
		out = append(out, ActionLine{at, strings.Trim(oneLine(n), "{}")})
	}
	return out
}

// Born is the scenario as it was loaded, without any change.
func (s *Scenario) Born() *Scenario {
	b, err := build(s.file, s.born, s.born)
	if err != nil {
		panic(err) // it was read before
	}
	b.Name = s.Name
	return b
}
