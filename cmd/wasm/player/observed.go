package player

import (
	"strings"

	"checkpointlab/ops/observed"
)

// observed explains a text that a running Flink wrote: an answer of the REST interface, a log, metrics. Read is "" if it is none.
func (p *Player) observed(text string) Result {
	all, err := observed.Read(text)
	if err != nil {
		return Result{} // it may be a configuration all the same, which says what is wrong with it
	}
	var forms []string
	r := Result{OK: true}
	for i := range all {
		s := &all[i]
		if s.Settings != "" {
			r.Notes = append(r.Notes, p.words.Say("paste.settings"))
			continue
		}
		forms = append(forms, s.Form)
		for _, n := range s.Notes {
			r.Notes = append(r.Notes, p.noted(n))
		}
		if facts := numbers(s.Facts); facts != "" {
			r.Notes = append(r.Notes, facts)
		}
	}
	r.Read = strings.Join(forms, ", ")
	return r
}

// mostNumbers is how many facts are shown of one document.
const mostNumbers = 40

// numbers are the facts of a document in one line, under the names that Flink has for them.
func numbers(facts []observed.Fact) string {
	var all []string
	for _, f := range facts[:min(len(facts), mostNumbers)] {
		all = append(all, f.Name+" "+f.Text)
	}
	if len(facts) > mostNumbers {
		all = append(all, "…")
	}
	return strings.Join(all, " · ")
}
