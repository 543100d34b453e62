package player

import (
	"checkpointlab/core"
	"checkpointlab/render/scene"
)

// twin is the picture in words, line by line: what the coordinator knows, where the oldest invisible record spent its
// time, and each source, subtask and sink in the words of its readout.
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
