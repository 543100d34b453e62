package player

import (
	"io"
	"strconv"
	"strings"

	"checkpointlab/core/event"
	"checkpointlab/ops/export"
)

// The faces of the plot's panel.
const (
	FaceLatency = "latency" // visibility latency over time
	FaceSpace   = "space"   // one checkpoint in space and time
	FaceSweep   = "sweep"   // a measure over one setting
)

// Turn shows a face of the plot's panel; an unknown name means latency.
func (p *Player) Turn(face string) {
	if face != FaceSpace && face != FaceSweep {
		face = FaceLatency
	}
	p.face = face
	p.touch()
}

// Face is the one that is shown.
func (p *Player) Face() string {
	if p.face == "" {
		return FaceLatency
	}
	return p.face
}

const (
	dimFor   = 200 // ms until all that does not belong to a checkpoint is weak
	dimAbove = 2.0 // nothing dims when it plays faster
)

// cue moves the focus on the barrier that travels: in slow motion what does not belong to its checkpoint grows weak, unless the caption
// tells of something else, which has to be seen.
func (p *Player) cue(since float64) {
	target := 0.0
	if p.playing && !p.reduced {
		if speed, _ := p.slowed(p.at); speed < p.speed && speed <= dimAbove && !p.elsewhere() {
			if v := p.View(); len(v.Coord.Pending) > 0 {
				p.focus = v.Coord.Pending[len(v.Coord.Pending)-1].Checkpoint
				target = 1
			}
		}
	}
	if !p.playing {
		p.dim = 0 // a paused picture is the exact still
	}
	step := since / dimFor
	before := p.dim
	p.dim = min(max(target, p.dim-step), p.dim+step)
	if p.dim != before {
		p.clock.stale = true
	}
}

// elsewhere reports whether the caption tells of a moment that is no barrier's.
func (p *Player) elsewhere() bool {
	if len(p.lanes) > 1 {
		return false // it compares them
	}
	m := p.moment(p.film.History())
	return m != nil && (m.At >= 0 || m.Kind != event.ChannelBlocked)
}

// Cue is the checkpoint in focus, and how much everything else is dimmed, 0 to 1.
func (p *Player) Cue() (event.Checkpoint, float64) { return p.focus, p.dim }

// Motion is for how many ms an instant up to the playhead has been on the screen, where marks are drawn on their way, or, in steps,
// where something tells that they went it, as under reduced motion. It is nil, and all stand where the state has them, while nothing
// plays, and when it plays faster than that is seen.
func (p *Player) Motion() (since func(event.Time) (ms float64), steps bool) {
	if !p.playing {
		return nil, false
	}
	if speed, _ := p.pace(p.at); speed > leastBelow {
		return nil, false
	}
	return p.sinceShown, p.reduced
}

// Export writes what is recorded of the selected lane: one of export's series as csv or json, or the trace.
func (p *Player) Export(w io.Writer, what, format string) error {
	h, tasks := p.film.History(), p.taskNames()
	if what == "trace" {
		return export.Trace(w, h, tasks)
	}
	for _, name := range export.Names() {
		if name != what {
			continue
		}
		if s := export.Of(name, h, tasks); format == "json" {
			return s.JSON(w)
		} else {
			return s.CSV(w)
		}
	}
	return nil
}

// taskNames are the subtasks' names by id.
func (p *Player) taskNames() []string {
	var names []string
	v := p.View()
	for i := range v.Vertices {
		for j := range v.Vertices[i].Tasks {
			names = append(names, v.Vertices[i].Name+" "+strconv.Itoa(j))
		}
	}
	return names
}

// FileName is what an exported file of the run is called, without its ending.
func (p *Player) FileName() string {
	name := p.scenario.Name
	if name == "" {
		name = ownScenario
	}
	return "checkpointlab-" + name + "-" + strings.ReplaceAll(secondsText(p.at), ".", "_") + "s"
}
