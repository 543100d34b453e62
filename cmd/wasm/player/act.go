package player

import (
	"strconv"
	"strings"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
	"checkpointlab/scenarios"
)

// Acting is what a reader can do to the run at the playhead. What is done becomes an action of the script, so that a link
// carries it.
type Acting struct {
	Vertices []Actor  `json:"vertices"`
	Actions  []Action `json:"actions"`
}

// Actor is a vertex that can be killed, slowed or sped up.
type Actor struct {
	Name     string `json:"name"`
	Kind     string `json:"kind"` // source, map or sink
	Subtasks int    `json:"subtasks"`
	Now      string `json:"now"` // its cost or, of a source, its rate
}

// Action is an action of the script.
type Action struct {
	Key  string  `json:"key"` // for Set; an empty value takes it out
	At   float64 `json:"at"`
	Text string  `json:"text"`
}

// acting lists what can be done, and the script's actions.
func (p *Player) acting() Acting {
	out := Acting{Vertices: []Actor{}, Actions: []Action{}}
	s := &p.scenario.Setup
	for i := range s.Vertices {
		v := &s.Vertices[i]
		a := Actor{Name: v.Name, Kind: [...]string{core.Map: "map", core.Source: "source", core.Sink: "sink"}[v.Kind], Subtasks: v.Parallelism}
		a.Now = option.FormatDuration(max(0, p.costAt(i)))
		if v.Kind == core.Source {
			a.Now = rateText(p.rateAt(i))
		}
		out.Vertices = append(out.Vertices, a)
	}
	for i, line := range p.scenario.Actions() {
		out.Actions = append(out.Actions, Action{"script." + strconv.Itoa(i+1), seconds(line.At), line.Text})
	}
	return out
}

// costAt is a vertex's cost at the playhead.
func (p *Player) costAt(vertex int) event.Time {
	s := &p.scenario.Setup
	cost := s.Vertices[vertex].Cost
	if v := p.View(); cost < 0 && vertex < len(v.Vertices) {
		cost = v.Vertices[vertex].Cost
	}
	for i := range s.Script {
		if a := &s.Script[i]; a.Do == core.Slow && a.Vertex == vertex && a.At <= p.at {
			cost = a.Cost
		}
	}
	return cost
}

func (p *Player) rateAt(vertex int) (num int64, per event.Time) {
	s := &p.scenario.Setup
	num, per = s.Vertices[vertex].RateNum, s.Vertices[vertex].RatePer
	for i := range s.Script {
		if a := &s.Script[i]; a.Do == core.Rate && a.Vertex == vertex && a.At <= p.at {
			num, per = a.RateNum, a.RatePer
		}
	}
	return num, per
}

// rateText is a rate as a scenario file has it.
func rateText(num int64, per event.Time) string {
	switch {
	case num <= 0 || per <= 0:
		return "max"
	case num*event.Second%per == 0:
		return strconv.FormatInt(num*event.Second/per, 10) + "/s"
	}
	return strconv.FormatInt(num, 10) + "/" + option.FormatDuration(per)
}

// Act does something to the selected lane at the playhead: it kills a subtask, slows a vertex, changes a rate, or triggers a
// checkpoint or a savepoint. value is the new cost or rate.
func (p *Player) Act(do, vertex string, subtask int, value string) Result {
	p.stop()
	fields := []option.Pair{{Key: "at", Value: option.FormatDuration(p.at)}, {Key: "do", Value: do}}
	switch do {
	case "kill":
		if name := p.notRunning(vertex, subtask); name != "" {
			return Result{Error: p.words.Say("act.notRunning", "task", name, "at", p.clockText(p.at))}
		}
		fields = append(fields, option.Pair{Key: "vertex", Value: vertex}, option.Pair{Key: "subtask", Value: strconv.Itoa(subtask)})
	case "slow":
		fields = append(fields, option.Pair{Key: "vertex", Value: vertex}, option.Pair{Key: "cost", Value: quoted(value)})
	case "rate":
		fields = append(fields, option.Pair{Key: "vertex", Value: vertex}, option.Pair{Key: "rate", Value: quoted(value)})
	}
	return p.change(func(s *scenarios.Scenario) error { return s.Act(fields...) })
}

// quoted keeps what a reader typed one value of the action.
func quoted(value string) string { return strconv.Quote(strings.TrimSpace(value)) }

// notRunning is the name of a subtask that does not run at the playhead, so that nothing would happen; "" if it does.
func (p *Player) notRunning(vertex string, subtask int) string {
	v := p.View()
	for i := range v.Vertices {
		for _, name := range strings.Split(v.Vertices[i].Name, " → ") {
			if name == vertex && subtask >= 0 && subtask < len(v.Vertices[i].Tasks) && v.Vertices[i].Tasks[subtask].State >= core.Restoring {
				return vertex + " " + strconv.Itoa(subtask)
			}
		}
	}
	return ""
}

// Reset takes back all changes of the selected lane's scenario and goes to the start.
func (p *Player) Reset() Result {
	p.stop()
	born := p.scenario.Born()
	p.loop, p.zoom = [2]event.Time{}, [2]event.Time{}
	r := p.begin(born, nil)
	p.Seek(0)
	return r
}

// Repeat marks the start of a span, then its end, from when on the span repeats, and then removes it.
func (p *Player) Repeat() {
	switch {
	case p.loop[1] > 0:
		p.loop = [2]event.Time{}
		p.looping = false
	case p.looping && p.at > p.loop[0]:
		p.loop[1], p.looping = p.at, false
	default:
		p.loop, p.looping = [2]event.Time{p.at, 0}, true
	}
	p.touch()
}

// Span is the span that repeats; 0, 0 if there is none.
func (p *Player) Span() [2]event.Time {
	if p.loop[1] == 0 {
		return [2]event.Time{}
	}
	return p.loop
}

// Zoom shows less of the time axis around the playhead for a positive by, more for a negative one, all of it for 0.
func (p *Player) Zoom(by int) {
	all := p.duration()
	shown := p.zoom[1] - p.zoom[0]
	if shown == 0 {
		shown = all
	}
	switch {
	case by == 0:
		shown = all
	case by > 0:
		shown = max(shown/2, leastAxis)
	default:
		shown = min(shown*2, all)
	}
	if p.zoom = [2]event.Time{}; shown < all {
		p.zoom[0] = min(max(0, p.at-shown/2), all-shown)
		p.zoom[1] = p.zoom[0] + shown
	}
	p.touch()
}

// leastAxis is the shortest stretch that a zoomed axis shows.
const leastAxis = event.Millisecond

// Axis is the part of the run that the time axis shows; 0, 0 is all of it. It moves on with the playhead by whole lengths.
func (p *Player) Axis() [2]event.Time {
	length := p.zoom[1] - p.zoom[0]
	if length <= 0 || length >= p.duration() {
		return [2]event.Time{}
	}
	if p.at < p.zoom[0] || p.at > p.zoom[1] {
		from := min(max(0, p.at-length/8), p.duration()-length)
		p.zoom = [2]event.Time{from, from + length}
	}
	return p.zoom
}
