package task

import (
	"checkpointlab/core/barrier"
	"checkpointlab/core/event"
	"checkpointlab/core/network"
	"checkpointlab/core/sim"
)

// flow is how far a task is with storing data in flight for one checkpoint (spec 3.4, 3.5). Checkpoints with channel state are
// never concurrent (spec 3.7), so one is enough.
type flow struct {
	id      event.Checkpoint
	inputs  bool    // barriers are still to come on inputs
	outputs int     // channels whose timeoutable barrier the network has not taken
	written bool    // the snapshot's own state is stored, the acknowledgement waits for the rest
	timed   bool    // Rules.InFlight runs or is over
	bytes   int64   // of channel state
	numbers []int64 // by slot: 1 + the sequence number of its announced barrier as it is counted, 0 = none was announced
}

// open reports whether the asynchronous part has to wait.
func (f *flow) open() bool { return f.inputs || f.outputs > 0 }

// beginFlow makes id the checkpoint whose channel state is stored. An older one that is still incomplete is given up; one that
// is complete goes on with its asynchronous part (ChannelStateWriteRequestDispatcherImpl: a start fails the writer that is not
// done).
func (w *World) beginFlow(now event.Time, t *Task, id event.Checkpoint) {
	f := &t.flow
	if f.id == id {
		return
	}
	if u := t.find(f.id); f.open() {
		w.giveUp(now, t, f.id)
	} else if u != nil {
		u.flow, u.timed = f.bytes, f.timed
	}
	*f = flow{id: id, numbers: f.numbers}
}

// closeFlow gives up the channel state of id.
func (t *Task) closeFlow(id event.Checkpoint) {
	f := &t.flow
	if f.id != id {
		return
	}
	f.inputs, f.outputs, f.written, f.timed, f.bytes = false, 0, false, false, 0
}

// await notes channels whose barrier may still overtake.
func (w *World) await(now event.Time, t *Task, id event.Checkpoint, channels int) {
	w.beginFlow(now, t, id)
	t.flow.outputs += channels
}

func (f *flow) bytesOf(id event.Checkpoint) int64 {
	if f.id != id {
		return 0
	}
	return f.bytes
}

// flowBytes is the channel state of a checkpoint whose asynchronous part is u.
func (t *Task) flowBytes(u *Upload) int64 {
	if t.flow.id == u.ID {
		return t.flow.bytes
	}
	return u.flow
}

// announce remembers where the announced barrier of a slot stands.
func (f *flow) announce(slot, sequence int32) {
	for int(slot) >= len(f.numbers) {
		f.numbers = append(f.numbers, 0)
	}
	f.numbers[slot] = 1 + int64(uint32(sequence))
}

func (f *flow) sequence(slot int32) int32 {
	if int(slot) >= len(f.numbers) || f.numbers[slot] == 0 {
		panic("task: a barrier that was not announced cannot be made urgent")
	}
	return int32(f.numbers[slot] - 1)
}

func (f *flow) copyFrom(src *flow) {
	numbers := append(f.numbers[:0], src.numbers...)
	*f = *src
	f.numbers = numbers
}

// openFlow begins channel state. For an unaligned checkpoint, what the deserializers have taken but not read belongs to it: the
// unread rest of the buffer in hand, and the beginnings of records whose end has not come.
func (w *World) openFlow(now event.Time, t *Task, e *barrier.Effect) {
	if e.Barrier.Alignment != barrier.Unaligned {
		return
	}
	w.beginFlow(now, t, e.ID)
	for i, g := range t.Gates {
		h := &t.Hands[i]
		for _, c := range w.Net.Gates[g].First {
			rest := network.Entry{Bytes: int32(w.Net.Channels[c].Unread), Runs: event.EmptyRuns}
			if h.Valid && h.Channel == c {
				rest.Runs, h.Entry.ID = h.Entry.Runs, e.ID
			}
			if rest.Bytes > 0 {
				w.store(now, t, e.ID, c, false, &rest)
			}
		}
	}
}

// storeInput stores what is queued in a channel ahead of its barrier; what arrives before the barrier follows as it comes.
func (w *World) storeInput(now event.Time, t *Task, id event.Checkpoint, c event.Channel) {
	q := &w.Net.Channels[c].Input
	from, to, ok := q.Start(id)
	if !ok {
		return
	}
	w.beginFlow(now, t, id)
	for i := from; i < to; i++ {
		if r := q.At(i); r.Kind == network.Data {
			w.store(now, t, id, c, false, r)
		}
	}
}

// keep makes the function that stores overtaken output of a task.
func (w *World) keep(now event.Time, t *Task, id event.Checkpoint) func(event.Channel, *network.Entry) {
	w.beginFlow(now, t, id)
	return func(c event.Channel, e *network.Entry) { w.store(now, t, id, c, true, e) }
}

// storedLength is what is written ahead of a stored buffer, in bytes: its length (ChannelStateSerializerImpl.writeData).
const storedLength = 4

// store adds one buffer to the channel state of a checkpoint.
func (w *World) store(now event.Time, t *Task, id event.Checkpoint, c event.Channel, output bool, e *network.Entry) {
	s := w.saveOf(t, id)
	if s == nil {
		return
	}
	w.beginFlow(now, t, id)
	t.flow.bytes += int64(e.Bytes-e.Sent) + storedLength
	e.ID = id
	at := s.part(c, output)
	for i := e.Runs.First(); i >= 0; i = w.Net.Slab.Next(i) {
		w.Slab.Append(&s.Flow[at].Runs, w.Net.Slab.At(i))
	}
}

// part is the index in Flow of a channel's input or output state, which begins empty.
func (s *Save) part(c event.Channel, output bool) int {
	i := partKey(c, output)
	if i < len(s.parts) {
		if at := int(s.parts[i]); at < len(s.Flow) && s.Flow[at].Channel == c && s.Flow[at].Output == output {
			return at
		}
	}
	s.Flow = append(s.Flow, Stored{Channel: c, Output: output, Runs: event.EmptyRuns})
	s.notePart(len(s.Flow) - 1)
	return len(s.Flow) - 1
}

// notePart makes the entry at an index of Flow known to part.
func (s *Save) notePart(at int) {
	i := partKey(s.Flow[at].Channel, s.Flow[at].Output)
	for len(s.parts) <= i {
		s.parts = append(s.parts, 0)
	}
	s.parts[i] = int32(at)
}

func partKey(c event.Channel, output bool) int {
	if output {
		return 2*int(c) + 1
	}
	return 2 * int(c)
}

// aligned handles the last barrier of an unaligned checkpoint.
func (w *World) aligned(now event.Time, t *Task, e *barrier.Effect) {
	w.Feed.Emit(event.Event{At: now, Kind: event.TaskAligned, Task: t.ID, Checkpoint: e.ID, A: e.Alignment, N: e.Bytes, B: t.flow.bytesOf(e.ID)})
	if t.flow.id == e.ID {
		t.flow.inputs = false
		w.flowDone(now, t)
	}
}

// Stores reports whether the task's part of a checkpoint has channel state or may get some.
func (t *Task) Stores(id event.Checkpoint) bool { return t.flow.id == id && t.flow.inputs }

// Passed is called when the network has taken a timeoutable barrier: its output state is decided.
func (w *World) Passed(now event.Time, id event.Task, cp event.Checkpoint) {
	t := &w.Tasks[id]
	if t.flow.id == cp && t.flow.outputs > 0 {
		t.flow.outputs--
		w.flowDone(now, t)
	}
}

// Displaced is called when a newer timeoutable barrier meets a waiting one in an output: the older checkpoint's output state
// fails, and with it the asynchronous part (spec 3.7: such checkpoints are not concurrent).
func (w *World) Displaced(now event.Time, id event.Task, cp event.Checkpoint) {
	t := &w.Tasks[id]
	w.Queue.Push(sim.Item{At: now + w.Rules.RPC, Kind: event.DueDecline, A: t.ID, B: int32(event.CheckpointAsyncException), ID: cp, Gen: t.Gen})
}

// outputTimeOut handles the alignment timeout of a task's own barriers that still wait in its outputs.
func (w *World) outputTimeOut(now event.Time, t *Task, id event.Checkpoint) {
	if t.flow.id != id || t.flow.outputs == 0 {
		return
	}
	for _, p := range t.Outs {
		t.flow.outputs -= w.Net.TimeOut(now, p, id, w.keep(now, t, id))
	}
	w.flowDone(now, t)
}

// flowDone acknowledges the checkpoint once nothing is missing.
func (w *World) flowDone(now event.Time, t *Task) {
	if t.flow.open() {
		return
	}
	w.shareFlow(now, t, t.flow.id)
	if t.flow.written {
		w.complete(now, t, t.flow.id)
	}
}

// DropFlow drops the channel state of a checkpoint; its records are lost.
func (w *World) DropFlow(s *Save) {
	for i := range s.Flow {
		w.Slab.Clear(&s.Flow[i].Runs)
	}
	s.Flow = s.Flow[:0]
}
