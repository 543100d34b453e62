package player

import (
	"strconv"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/render/format"
	"checkpointlab/web/texts"
)

// speaker says sentences in the reader's language about one view.
type speaker struct {
	*texts.Table
	v *core.View
	h *core.History
}

func (s *speaker) span(t event.Time) string { return string(format.Span(nil, t)) }

func (s *speaker) seconds(t event.Time, decimals int) string {
	return string(format.Seconds(nil, t, decimals))
}

func (s *speaker) count(n int64) string { return string(format.Count(nil, n)) }

// task is a subtask's name: "map 1".
func (s *speaker) task(vertex, index int) string {
	return s.v.Vertices[vertex].Name + " " + strconv.Itoa(index)
}

// byID is the name of a task by its id; "" if the job has none such.
func (s *speaker) byID(id event.Task) string {
	for i := range s.v.Vertices {
		for j := range s.v.Vertices[i].Tasks {
			if t := &s.v.Vertices[i].Tasks[j]; t.Task == id {
				return s.task(i, t.Index)
			}
		}
	}
	return ""
}
