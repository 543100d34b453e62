package player

import (
	"strconv"

	"checkpointlab/core"
)

// twin is the picture in words, line by line: what the coordinator knows, where the oldest invisible record spent its
// time, and each source and sink. A screen reader's user gets the picture from it.
func (s *speaker) twin() []string {
	lines := []string{s.coordinator()}
	if s.v.Budget.Age > 0 {
		lines = append(lines, s.budget())
	}
	for i := range s.v.Vertices {
		for j := range s.v.Vertices[i].Tasks {
			lines = append(lines, s.taskLine(i, &s.v.Vertices[i].Tasks[j]))
		}
	}
	return lines
}

// coordinator is the coordinator's strip as a sentence.
func (s *speaker) coordinator() string {
	c := &s.v.Coord
	first := s.Say("twin.noPending")
	if len(c.Pending) > 0 {
		p := &c.Pending[0]
		acks := 0
		for _, a := range p.Acks {
			if a {
				acks++
			}
		}
		first = s.Say("twin.pending", "cp", strconv.FormatInt(p.Checkpoint, 10), "n", strconv.Itoa(acks),
			"all", strconv.Itoa(len(p.Acks)), "span", s.seconds(s.v.At-p.Triggered, 2), "timeout", s.span(p.Timeout))
	}
	if c.LastCompleted == 0 {
		return first + " " + s.Say("twin.noneCompleted")
	}
	return first + " " + s.Say("twin.completed", "cp", strconv.FormatInt(c.LastCompleted, 10), "span", s.span(c.LastDuration))
}

func (s *speaker) budget() string {
	b := &s.v.Budget
	buffers := int64(0)
	for _, t := range b.Exchanges {
		buffers += t
	}
	return s.Say("twin.budget", "age", s.seconds(b.Age, 1), "log", s.seconds(b.Log, 1), "buffers", s.seconds(buffers, 1),
		"output", s.seconds(b.Output, 1))
}

var stateKeys = [...]string{"running", "aligning", "syncing", "uploading", "restoring", "waiting", "failed"}

func (s *speaker) taskLine(vertex int, t *core.TaskView) string {
	line := s.Say("twin.task", "task", s.task(vertex, t.Index), "state", s.Say("state."+stateKeys[t.State]),
		"busy", percent(t.Busy), "pressed", percent(t.Soft+t.Hard))
	switch s.v.Vertices[vertex].Kind {
	case core.Source:
		line += " " + s.Say("twin.log", "lag", s.count(t.Log.Arrived-t.Log.Read), "again", s.count(t.Log.ReadAgain))
	case core.Sink:
		line += " " + s.Say("twin.output", "n", s.count(t.Output.Visible))
	}
	return line
}

func percent(mille int) string { return strconv.Itoa((mille+5)/10) + "\u202f%" }
