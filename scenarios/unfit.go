package scenarios

import (
	"fmt"

	"checkpointlab/core/option"

	"go.yaml.in/yaml/v3"
)

// spoken are the lists of a scenario that tell of its runs.
var spoken = []string{"expect", "tasks"}

// unfit drops the mistakes since before if they come of changed settings, such as a shorter run, and reports whether there
// were any: what a file says of its own run must not refuse the reader's.
func (r *reader) unfit(before int) bool {
	if !r.changed || len(r.mistakes) == before {
		return false
	}
	r.mistakes = r.mistakes[:before]
	return true
}

// tellUnfit notes how much of what the file says does not apply to the changed settings.
func (r *reader) tellUnfit(s *Scenario) {
	tell := func(key string, unfit, all int) {
		if unfit > 0 {
			s.Notes = append(s.Notes, option.Note{Key: key,
				Text: fmt.Sprintf("%d of %d do not apply to these settings", unfit, all),
				Ko:   fmt.Sprintf("%d개 가운데 %d개는 이 설정에 해당하지 않는다", all, unfit)})
		}
	}
	tasks, expect := 0, 0
	for i := range s.Tasks {
		if s.Tasks[i].Unfit {
			tasks++
		}
	}
	for i := range s.Expect {
		if s.Expect[i].Unfit {
			expect++
		}
	}
	tell("tasks", tasks, len(s.Tasks))
	tell("expect", expect, len(s.Expect))
}

// fit takes out of a changed document what cannot be read with it any more, so that it can be read as a file.
func fit(root *yaml.Node) {
	fits := func() bool { _, err := build("", root, nil); return err == nil }
	if fits() {
		return
	}
	without := map[string]*yaml.Node{}
	for _, field := range spoken {
		if n := valueOf(root, field); n != nil {
			without[field] = n
			drop(root, field)
		}
	}
	for _, field := range []string{"explain", "numbers", "knobs", "moments", "predict"} {
		if !fits() {
			drop(root, field)
		}
	}
	for _, field := range spoken {
		n := without[field]
		if n == nil {
			continue
		}
		kept := *n
		kept.Content = nil
		for _, item := range n.Content {
			one := kept
			one.Content = []*yaml.Node{item}
			replace(root, field, &one)
			if fits() {
				kept.Content = append(kept.Content, item)
			}
		}
		if drop(root, field); len(kept.Content) > 0 {
			replace(root, field, &kept)
		}
	}
}
