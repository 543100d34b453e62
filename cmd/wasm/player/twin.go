package player

import (
	"checkpointlab/core"
	"checkpointlab/render/scene"
)

// mostSaid is the number of subtasks of an operator up to which each is described by itself.
const mostSaid = 16

// twin is the picture in words, line by line: what the coordinator knows, where the oldest invisible record spent its
// time, and each source, subtask and sink in the words of its readout; of operators with many subtasks what they come to
// together, as in the picture.
func (s *speaker) twin() []string {
	lines := []string{s.coordinator()}
	add := func(what scene.What, a int32) {
		if line := s.readout(scene.ID{What: what, A: a}); line != "" {
			lines = append(lines, line)
		}
	}
	if s.v.Budget.Age > 0 {
		for part := range len(s.v.Budget.Exchanges) + 2 {
			add(scene.Budget, int32(part))
		}
	}
	for i := range s.v.Vertices {
		if w := &s.v.Vertices[i]; len(w.Tasks) > mostSaid {
			if w.Kind == core.Source {
				lines = append(lines, s.readout(scene.ID{What: scene.Log, A: w.Tasks[0].Task, B: 1}))
			}
			add(scene.Operator, int32(i))
			if w.Kind == core.Sink {
				lines = append(lines, s.readout(scene.ID{What: scene.Output, A: w.Tasks[0].Task, B: 1}))
			}
			continue
		}
		for j := range s.v.Vertices[i].Tasks {
			t := s.v.Vertices[i].Tasks[j].Task
			if s.v.Vertices[i].Kind == core.Source {
				add(scene.Log, t)
			}
			add(scene.Card, t)
			if s.v.Vertices[i].Kind == core.Sink {
				add(scene.Output, t)
			}
		}
	}
	return lines
}

// coordinator is the coordinator's strip as a sentence.
func (s *speaker) coordinator() string { return s.readout(scene.ID{What: scene.Coordinator}) }

func (s *speaker) readout(id scene.ID) string {
	return scene.Sentence(s.v, s.h, id, scene.ParseLang(s.Lang()))
}
