package player

import (
	"strconv"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/ops/sustain"
	"checkpointlab/render/format"
)

// costs are what checkpoints have cost up to the instant in view, and what a failure at it would; empty without a storage.
func (p *Player) costs(v *core.View, h *core.History) []string {
	a := &v.Account
	if !a.On || v.At == 0 {
		return []string{}
	}
	s := speaker{p.words, v, h}
	bytes := func(n int64) string { return string(format.Bytes(nil, n)) }
	written, requests := perCheckpoint(v.At, h)
	hour := func(n int64) int64 { return int64(float64(n) * float64(3600*event.Second) / float64(v.At)) }
	r := &a.Recovery
	all := []string{
		s.Say("costs.each", "bytes", bytes(written), "requests", s.count(requests), "hourBytes", bytes(hour(a.Written+a.Read)), "hourRequests", s.count(hour(a.Writes+a.Reads+a.Deletes))),
		s.Say("costs.kept", "bytes", bytes(a.Bytes), "files", s.count(a.Files)),
		s.Say("costs.work", "sync", string(format.Percent(nil, int(a.SyncMill))), "cores", decimal(a.CoresMill), "disk", string(format.Percent(nil, int(a.DiskMill)))),
		s.Say("costs.recovery", "total", s.said(r.Total), "backoff", s.said(r.Backoff), "bytes", bytes(r.Bytes), "reading", s.said(r.Reading), "reread", s.count(r.Reread)),
	}
	return append(all, p.leastInterval())
}

// perCheckpoint is the mean bytes and requests of the checkpoints that were complete by now.
func perCheckpoint(now event.Time, h *core.History) (bytes, requests int64) {
	n := int64(0)
	for i := range h.Checkpoints {
		if c := &h.Checkpoints[i]; c.Outcome == core.Completed && c.Ended <= now {
			n, bytes, requests = n+1, bytes+c.Written, requests+c.Requests
		}
	}
	return bytes / max(1, n), requests / max(1, n)
}

func decimal(mill int64) string { return strconv.FormatFloat(float64(mill)/1000, 'f', 2, 64) }

// leastInterval is the smallest interval that is kept up, by the closed form of a run that is computed to its end, and what binds it.
func (p *Player) leastInterval() string {
	if p.learned.film == nil || p.learned.film != p.film || p.next != nil {
		return p.words.Raw("costs.leastWaits")
	}
	if p.learned.least == 0 {
		return p.words.Raw("costs.noLeast")
	}
	return p.words.Say("costs.least", "interval", string(format.Span(nil, p.learned.least)), "binding", p.words.Raw("costs."+p.learned.binding))
}

// learnCosts keeps the closed form of a finished run.
func (p *Player) learnCosts(managers int) {
	if form, ok := sustain.Closed(p.film.Setup(), p.film.History(), managers); ok {
		p.learned.least, p.learned.binding = form.Interval, form.Binding
	}
}
