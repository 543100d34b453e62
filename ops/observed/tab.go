package observed

import (
	"slices"
	"strings"
)

// overviewTab reads the overview of checkpoints of the web interface, copied as text: counts, then the latest of each kind, as words
// with colons, separated by tabs or lines. It is nil if the text is none.
func overviewTab(text string) *Seen {
	if !strings.Contains(text, "Triggered:") || !strings.Contains(text, "Completed:") || !strings.Contains(text, "Failed:") {
		return nil
	}
	s := &Seen{Form: "checkpoint overview, a table"}
	t := &tally{total: -1, completed: -1, failed: -1, running: -1, restored: -1}
	var latest []Checkpoint
	for one := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '\n' || r == '\t' }) {
		one = strings.TrimSpace(one)
		if status, ok := sections[one]; ok {
			c := nothing
			c.Status, c.Savepoint = status, one == "Latest Savepoint"
			latest = append(latest, c)
			continue
		}
		name, value, _ := strings.Cut(one, ":")
		value = strings.TrimSpace(value)
		if len(latest) == 0 {
			t.take(name, value)
		} else if i := slices.IndexFunc(columns, func(c column) bool { return strings.Contains(c.names, "|"+strings.ToLower(name)+"|") }); i >= 0 {
			columns[i].put(&latest[len(latest)-1], value)
		} else if name == "Cause" {
			latest[len(latest)-1].Failure = value
		}
	}
	for _, f := range []struct {
		name string
		n    int64
	}{{"total", t.total}, {"completed", t.completed}, {"failed", t.failed}, {"in_progress", t.running}, {"restored", t.restored}} {
		s.count("counts."+f.name, f.n)
	}
	latest = slices.DeleteFunc(latest, func(c Checkpoint) bool { return c.ID < 0 })
	for i := range latest {
		s.checkpoint("latest", &latest[i])
	}
	s.judge(latest, t)
	return s
}

// sections are the headings of the latest ones.
var sections = map[string]Status{"Latest Completed Checkpoint": Completed, "Latest Failed Checkpoint": Failed, "Latest Savepoint": Completed}

func (t *tally) take(name, value string) {
	for _, f := range []struct {
		name string
		to   *int64
	}{{"Triggered", &t.total}, {"In Progress", &t.running}, {"Completed", &t.completed}, {"Failed", &t.failed}, {"Restored", &t.restored}} {
		if name == f.name {
			integer(value, f.to)
		}
	}
}
