package player

import (
	"slices"
	"strconv"
	"strings"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
	"checkpointlab/render/caption"
	"checkpointlab/render/format"
	"checkpointlab/scenarios"
)

// Lane is one run of a comparison as the document shows it.
type Lane struct {
	Tag      string    `json:"tag"`   // A to D
	Title    string    `json:"title"` // what it is, in a few words
	Selected bool      `json:"selected"`
	Settings []Setting `json:"settings"` // in which the lanes differ, with this lane's value
	Rows     []Row     `json:"rows"`     // its numbers at the playhead, the same rows in every lane
}

// Setting is a setting's key, its name and its value.
type Setting struct {
	Key   string `json:"key"`
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Row is a number with its name.
type Row struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// lanesShown describes the lanes; it is empty as long as there is one run.
func (p *Player) lanesShown() []Lane {
	if len(p.lanes) < 2 {
		return []Lane{}
	}
	p.telling()
	out := make([]Lane, len(p.lanes))
	for i, l := range p.lanes {
		out[i] = Lane{Tag: laneNames[i : i+1], Title: p.told.titles[i], Selected: l == p.lane, Settings: p.told.settings[i], Rows: p.rows(l)}
	}
	return out
}

// told is what the lanes are called; it is made again when a scenario or the language changes.
type told struct {
	lang      string
	scenarios []*scenarios.Scenario
	titles    []string
	settings  [][]Setting
}

func (p *Player) telling() {
	var now []*scenarios.Scenario
	for _, l := range p.lanes {
		now = append(now, l.scenario)
	}
	if p.told.lang == p.words.Lang() && slices.Equal(now, p.told.scenarios) {
		return
	}
	p.told = told{lang: p.words.Lang(), scenarios: now}
	keys := p.differing()
	for _, l := range p.lanes {
		settings := []Setting{}
		for _, key := range keys {
			settings = append(settings, p.setting(l, key))
		}
		p.told.settings = append(p.told.settings, settings)
		p.told.titles = append(p.told.titles, p.titleOf(l, settings))
	}
}

// differing are the keys in which some lane differs from the first; of lanes with other scenarios that does not say much.
func (p *Player) differing() (keys []string) {
	for _, l := range p.lanes[1:] {
		if l.scenario.Name != p.lanes[0].scenario.Name {
			continue
		}
		for _, c := range l.scenario.ChangesFrom(p.lanes[0].scenario) {
			if !slices.Contains(keys, c.Key) && !silent(c.Key) {
				keys = append(keys, c.Key)
			}
		}
	}
	return keys
}

// setting is the value of a key in a lane; an action of the script has none where it is missing.
func (p *Player) setting(l *lane, key string) Setting {
	k, err := l.scenario.Knob(key)
	if err != nil {
		return Setting{Key: key, Name: p.words.Raw("compare.action"), Value: p.actionOf(l, key)}
	}
	value := k.Value
	if value == "" {
		value = p.words.Raw("settings.none")
	}
	if k.Type == option.Bool {
		value = p.words.Raw(map[string]string{"true": "settings.on", "false": "settings.off"}[value])
	}
	return Setting{key, k.Label[p.words.Lang()], value}
}

// actionOf says an action script.N of a lane in a few words.
func (p *Player) actionOf(l *lane, key string) string {
	for _, c := range l.scenario.Changes() {
		if c.Key == key && c.Value != "" {
			return strings.Trim(c.Value, "{}")
		}
	}
	return p.words.Raw("settings.none")
}

// titleOf is the first setting in which a lane differs, or its scenario if the lanes have different ones.
func (p *Player) titleOf(l *lane, settings []Setting) string {
	for _, o := range p.lanes {
		if o.scenario.Name != l.scenario.Name || len(settings) == 0 {
			if title := l.scenario.Title[p.words.Lang()]; title != "" {
				return title
			}
			return p.words.Raw("scenario.own")
		}
	}
	return settings[0].Name + ": " + settings[0].Value
}

// rows are a lane's numbers at the playhead.
func (p *Player) rows(l *lane) []Row {
	s := speaker{p.words, l.view(p.at), l.film.History()}
	say := func(key string) string { return s.Raw("lane." + key) }
	none := say("none")
	rows := []Row{{say("checkpoint"), none}, {say("acks"), none}, {say("last"), none}, {say("stored"), none}}
	if c := s.newestCheckpoint(); c != nil {
		rows[0].Value = s.standing(c)
		rows[1].Value = s.acknowledged(c)
	}
	if c := s.lastCompleted(); c != nil {
		rows[2].Value = s.Say("lane.took", "cp", strconv.FormatInt(c.ID, 10), "span", s.span(c.Duration()))
		rows[3].Value = string(format.Bytes(nil, persisted(c)))
	}
	again, lag := int64(0), int64(0)
	for i := range s.v.Vertices {
		for j := range s.v.Vertices[i].Tasks {
			log := &s.v.Vertices[i].Tasks[j].Log
			again, lag = again+log.ReadAgain, lag+log.Arrived-log.Read
		}
	}
	return append(rows, Row{say("again"), s.count(again)}, Row{say("lag"), s.count(lag)}, Row{say("oldest"), s.span(s.v.Budget.Age)}, Row{say("peak"), s.peak()})
}

// newestCheckpoint is the last one that was triggered by now; nil if none was.
func (s *speaker) newestCheckpoint() *core.CheckpointRecord {
	for i := len(s.h.Checkpoints) - 1; i >= 0; i-- {
		if c := &s.h.Checkpoints[i]; c.Triggered <= s.v.At && c.ID != 0 {
			return c
		}
	}
	return nil
}

func (s *speaker) lastCompleted() *core.CheckpointRecord {
	for i := len(s.h.Checkpoints) - 1; i >= 0; i-- {
		if c := &s.h.Checkpoints[i]; c.Outcome == core.Completed && c.Ended <= s.v.At {
			return c
		}
	}
	return nil
}

// standing says how a checkpoint stands now.
func (s *speaker) standing(c *core.CheckpointRecord) string {
	pairs := []string{"cp", strconv.FormatInt(c.ID, 10), "span", s.span(c.Duration())}
	switch {
	case c.Outcome == core.InProgress || c.Ended > s.v.At:
		pairs[3] = s.span(s.v.At - c.Triggered)
		return s.Say("lane.progress", pairs...)
	case c.Outcome == core.Completed:
		return s.Say("lane.completed", pairs...)
	}
	return s.Say("lane.failed", pairs...)
}

func (s *speaker) acknowledged(c *core.CheckpointRecord) string {
	n := 0
	for i := range c.Tasks {
		if at := c.Tasks[i].Acked; at >= 0 && at <= s.v.At {
			n++
		}
	}
	return s.Say("lane.of", "n", strconv.Itoa(n), "all", strconv.Itoa(len(c.Tasks)))
}

func persisted(c *core.CheckpointRecord) (sum int64) {
	for i := range c.Tasks {
		sum += c.Tasks[i].Persisted
	}
	return sum
}

// peak is the greatest latency of the records that became visible last.
func (s *speaker) peak() string {
	for i := len(s.h.Commits) - 1; i >= 0; i-- {
		if c := &s.h.Commits[i]; c.At <= s.v.At && c.Records > 0 {
			return s.span(c.Max)
		}
	}
	return s.Raw("lane.none")
}

// sideBySide is the caption of a comparison: how the newest checkpoint stands in every lane.
func (p *Player) sideBySide() string {
	id := event.Checkpoint(0)
	for _, l := range p.lanes {
		s := speaker{p.words, l.view(p.at), l.film.History()}
		if c := s.newestCheckpoint(); c != nil {
			id = max(id, c.ID)
		}
	}
	if id == 0 {
		return p.words.Raw("compare.none")
	}
	var parts []string
	for i, l := range p.lanes {
		s := speaker{p.words, l.view(p.at), l.film.History()}
		parts = append(parts, s.Say("compare.lane", "lane", laneNames[i:i+1], "state", s.stateOf(id)))
	}
	return p.words.Say("compare.caption", "cp", caption.Flag(id), "lanes", strings.Join(parts, "; "))
}

// stateOf says how checkpoint id stands in a lane.
func (s *speaker) stateOf(id event.Checkpoint) string {
	for i := range s.h.Checkpoints {
		c := &s.h.Checkpoints[i]
		if c.ID != id || c.Triggered > s.v.At {
			continue
		}
		switch {
		case c.Outcome == core.InProgress || c.Ended > s.v.At:
			return s.Say("compare.runs", "span", s.said(s.v.At-c.Triggered), "acks", s.acknowledged(c))
		case c.Outcome == core.Completed:
			return s.Say("compare.done", "span", s.said(c.Duration()))
		}
		return s.Say("compare.broken", "span", s.said(c.Duration()))
	}
	return s.Raw("compare.waits")
}
