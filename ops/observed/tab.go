package observed

import (
	"slices"
	"strings"
)

// overviewTab reads the overview of checkpoints of the web interface, copied as text: counts, then the latest of each kind, as words
// with colons, separated by tabs or lines. It is nil if the text is none.
func overviewTab(text string) *Seen {
	said := map[string]bool{}
	parts := pieces(text)
	for _, one := range parts {
		name, _, _ := strings.Cut(one, ":")
		said[inEnglish(name)] = true
	}
	if !said["triggered"] || !said["completed"] || !said["failed"] {
		return nil
	}
	s := &Seen{Form: "checkpoint overview, a table"}
	t := &tally{total: -1, completed: -1, failed: -1, running: -1, restored: -1}
	var latest []Checkpoint
	for _, one := range parts {
		if status, ok := sections[inEnglish(one)]; ok {
			c := nothing
			c.Status, c.Savepoint = status, inEnglish(one) == "latest savepoint"
			latest = append(latest, c)
			continue
		}
		name, value, _ := strings.Cut(one, ":")
		name, value = inEnglish(name), strings.TrimSpace(value)
		if len(latest) == 0 {
			t.take(name, value)
		} else if i := slices.IndexFunc(columns, func(c column) bool { return strings.Contains(c.names, "|"+name+"|") }); i >= 0 {
			columns[i].put(&latest[len(latest)-1], value)
		} else if name == "cause" {
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
		kind := "completed"
		switch c := &latest[i]; {
		case c.Savepoint:
			kind = "savepoint"
		case c.Status == Failed:
			kind = "failed"
		}
		s.checkpoint("latest."+kind, &latest[i])
	}
	s.judge(latest, t)
	return s
}

// sections are the headings of the latest ones.
var sections = map[string]Status{"latest completed checkpoint": Completed, "latest failed checkpoint": Failed, "latest savepoint": Completed}

// pieces are the words with colons and the headings of a text: its lines, cut at tabs, at two blanks and more, and at slashes between blanks.
func pieces(text string) (all []string) {
	text = strings.NewReplacer("：", ": ", "\t", "\n", "  ", "\n", " / ", "\n").Replace(text)
	for one := range strings.Lines(text) {
		if one = strings.TrimSpace(one); one != "" {
			all = append(all, one)
		}
	}
	return all
}

func (t *tally) take(name, value string) {
	for _, f := range []struct {
		name string
		to   *int64
	}{{"triggered", &t.total}, {"in progress", &t.running}, {"completed", &t.completed}, {"failed", &t.failed}, {"restored", &t.restored}} {
		if name == f.name {
			integer(value, f.to)
		}
	}
}
