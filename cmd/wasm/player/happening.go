package player

import (
	"strconv"

	"checkpointlab/core"
	"checkpointlab/core/event"
)

// Happening is a change in the world that the scenario's script makes, in a few words for the time axis.
type Happening struct {
	At   event.Time
	Text string
}

// Happenings lists the script of the newest run. It must not be changed.
func (p *Player) Happenings() []Happening { return p.describe().happenings }

func (p *Player) happenings() []Happening {
	s := &p.scenario.Setup
	words := speaker{Table: p.words}
	var out []Happening
	for i := range s.Script {
		out = append(out, Happening{s.Script[i].At, words.happening(s, i)})
	}
	return out
}

func (s *speaker) happening(setup *core.Setup, i int) string {
	a := &setup.Script[i]
	switch a.Do {
	case core.Slow:
		return setup.Vertices[a.Vertex].Name + " " + s.span(costBefore(setup, i)) + " → " + s.span(a.Cost)
	case core.RefuseCommits:
		return s.Say("happening.refuse", "task", whose(setup, a))
	case core.SlowFlush:
		return setup.Vertices[a.Vertex].Name + " flush → " + s.span(a.Cost)
	case core.Rate:
		return setup.Vertices[a.Vertex].Name + " " + s.rate(rateBefore(setup, i)) + " → " + s.rate(a.RateNum, a.RatePer)
	case core.Kill:
		if a.Subtask < 0 {
			return s.Say("happening.killAll", "task", setup.Vertices[a.Vertex].Name)
		}
		return s.Say("happening.kill", "task", whose(setup, a))
	case core.Hang:
		if a.InSync {
			return s.Say("happening.hangSync", "task", whose(setup, a))
		}
		return s.Say("happening.hang", "task", whose(setup, a))
	case core.Pause:
		if a.Master {
			return s.Raw("happening.pauseMaster")
		}
		return s.Say("happening.pause", "task", whose(setup, a))
	case core.Throttle:
		return s.Say("happening.throttle", "task", whose(setup, a), "times", strconv.FormatFloat(float64(a.Times)/1000, 'g', 3, 64))
	case core.Elect:
		return s.Raw("happening.elect")
	case core.Trigger:
		return s.Raw("happening.trigger")
	case core.Savepoint:
		return s.Raw("happening.savepoint")
	}
	return ""
}

// whose is the subtask that an action is about, or its vertex if it is about all of them.
func whose(setup *core.Setup, a *core.Action) string {
	name := setup.Vertices[a.Vertex].Name
	if a.Subtask >= 0 {
		name += " " + strconv.Itoa(a.Subtask)
	}
	return name
}

// costBefore is a vertex's cost when action i of the script comes.
func costBefore(setup *core.Setup, i int) event.Time {
	for k := i - 1; k >= 0; k-- {
		if a := &setup.Script[k]; a.Do == core.Slow && a.Vertex == setup.Script[i].Vertex {
			return a.Cost
		}
	}
	return setup.Vertices[setup.Script[i].Vertex].Cost
}

func rateBefore(setup *core.Setup, i int) (num int64, per event.Time) {
	for k := i - 1; k >= 0; k-- {
		if a := &setup.Script[k]; a.Do == core.Rate && a.Vertex == setup.Script[i].Vertex {
			return a.RateNum, a.RatePer
		}
	}
	v := &setup.Vertices[setup.Script[i].Vertex]
	return v.RateNum, v.RatePer
}

func (s *speaker) rate(num int64, per event.Time) string {
	if per <= 0 {
		return "max"
	}
	return s.count(num*event.Second/per) + "/s"
}
