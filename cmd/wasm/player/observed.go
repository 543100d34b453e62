package player

import (
	"slices"
	"strings"

	"checkpointlab/ops/observed"
	"checkpointlab/ops/rebuild"
	"checkpointlab/scenarios"
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
	if slices.Contains(forms, observed.JobDetails) {
		_, err := observed.Gather(text)
		r.Job = err == nil
	}
	return r
}

// Rebuild shows a scenario of the job that a pasted text tells of. The notes say what was assumed; what came out beside what was
// observed is the scenario's explanation, when its run is computed.
func (p *Player) Rebuild(text string) Result {
	made, err := rebuild.Of([]string{text}, "")
	if err != nil {
		return p.refused(err)
	}
	s, err := scenarios.Parse(made.YAML(p.words.Lang()))
	if err != nil {
		return p.refused(err)
	}
	r := p.begin(s, nil)
	if !r.OK {
		return r
	}
	var told []string
	for _, n := range made.Notes {
		told = append(told, n.Words(p.words.Lang()))
	}
	r.Notes = append(told, r.Notes...)
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
