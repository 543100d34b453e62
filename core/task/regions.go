package task

import "checkpointlab/core/event"

// saveOf is the entry of a checkpoint that a task's part goes into; nil if it was given up, or goes without the task's region.
func (w *World) saveOf(t *Task, id event.Checkpoint) *Save {
	if s := w.Save(id); s != nil && s.From[t.ID] == 0 {
		return s
	}
	return nil
}

// Reuse puts a task's part of an earlier checkpoint into s. What the task has under way for s is given up.
func (w *World) Reuse(now event.Time, s, from *Save, id event.Task) {
	t := &w.Tasks[id]
	s.From[id] = from.ID
	if earlier := from.From[id]; earlier != 0 {
		s.From[id] = earlier
	}
	s.Parts[id].CopyFrom(&from.Parts[id])
	if t.Alive { // which may delete files that only its own part named
		w.giveUp(now, t, s.ID)
	}
	s.Next[id], s.At[id] = from.Next[id], from.At[id]
	if int(id) < len(from.By) {
		s.countBy(t, from.By[id])
	}
	for _, p := range t.Outs {
		s.Emitted[p] = from.Emitted[p]
	}
	if w.Rules.Windows {
		s.Windows[id].Panes.CopyFrom(&from.Windows[id].Panes)
		s.Windows[id].Made = from.Windows[id].Made
	}
	if w.Rules.Async {
		s.Async[id].copyFrom(&from.Async[id])
	}
}

// ReuseFlow puts the channel state that an earlier checkpoint has of some tasks into s in place of its own.
func (w *World) ReuseFlow(s, from *Save, mine func(event.Task) bool) {
	kept := s.Flow[:0]
	for i := range s.Flow {
		if f := &s.Flow[i]; mine(w.Net.Wires[f.Channel].Producer) {
			w.Slab.Clear(&f.Runs)
			continue
		}
		kept = append(kept, s.Flow[i])
	}
	s.Flow = kept
	for i := range from.Flow {
		f := &from.Flow[i]
		if !mine(w.Net.Wires[f.Channel].Producer) {
			continue
		}
		runs := event.EmptyRuns
		for k := f.Runs.First(); k >= 0; k = w.Slab.Next(k) {
			r := *w.Slab.At(k)
			w.Slab.Append(&runs, &r)
		}
		s.Flow = append(s.Flow, Stored{Channel: f.Channel, Output: f.Output, Runs: runs})
	}
	for i := range s.Flow {
		s.notePart(i)
	}
}
