package task

// Input is what a record of one input of an operator with several makes (CoProcessFunction, KeyedBroadcastProcessFunction): its
// processElement1 and processElement2 are two functions.
type Input struct {
	EmitNum, EmitDen int64 // records out per record in; 0, 1 = none
	Size             int32 // bytes on the wire of what it makes; 0 = as it came in
}

// UseInputs lets each input make records of its own, by gate.
func (t *Task) UseInputs(all []Input) {
	t.Step.apart, t.inputs, t.seenBy = true, all, make([]int64, len(all))
}

// ofOneInput limits the step to its first input, whose records have their own cost and make records of their own; after one record
// it is the next input's turn.
func (t *Task) ofOneInput() {
	s := &t.Step
	if s.K > 1 {
		s.K, s.N = 1, 1
	}
	g := s.Gates[0]
	if t.ByGate != nil {
		own := t.ByGate[g]
		t.Cost += t.slowed(own) - t.slowed(t.Own)
		t.Own = own
	}
	if t.Step.apart {
		in := &t.inputs[g]
		t.EmitNum, t.EmitDen, t.Size = in.EmitNum, in.EmitDen, in.Size
	}
}

// turned is how many records in decide what the next one makes: those of the step's input where each counts by itself.
func (t *Task) turned() int64 {
	if t.Step.apart {
		return t.seenBy[t.Step.Gates[0]]
	}
	return t.Seen
}

// made is how many records have been made by the state: seen records in all, seenBy by gate.
func (t *Task) made(seen int64, seenBy []int64) (n int64) {
	if !t.Step.apart {
		return t.emitted(seen)
	}
	for g, in := range t.inputs {
		if g < len(seenBy) {
			n += emitted(seenBy[g], in.EmitNum, in.EmitDen, t.Burst)
		}
	}
	return n
}

// Counted is how many records of each input the state counts; nil if they are not told apart. It must not be changed.
func (t *Task) Counted() []int64 { return t.seenBy }

// Count sets how many records the state counts: those that a checkpoint says, none without one.
func (t *Task) Count(s *Save) {
	clear(t.seenBy)
	if t.Seen = 0; s == nil {
		return
	}
	if t.Seen = s.Next[t.ID]; int(t.ID) < len(s.By) {
		copy(t.seenBy, s.By[t.ID])
	}
}

// MadeBy is how many records have been made when a checkpoint was taken.
func (t *Task) MadeBy(s *Save) int64 {
	var by []int64
	if int(t.ID) < len(s.By) {
		by = s.By[t.ID]
	}
	return t.made(s.Next[t.ID], by)
}

// countBy stores what each input has seen.
func (s *Save) countBy(t *Task, by []int64) {
	if !t.Step.apart {
		return
	}
	for int(t.ID) >= len(s.By) {
		s.By = append(s.By, nil)
	}
	s.By[t.ID] = append(s.By[t.ID][:0], by...)
}

// CopyBy copies what each task's inputs have seen.
func (s *Save) CopyBy(src *Save) {
	for len(s.By) < len(src.By) {
		s.By = append(s.By, nil)
	}
	s.By = s.By[:len(src.By)]
	for t := range src.By {
		s.By[t] = append(s.By[t][:0], src.By[t]...)
	}
}
