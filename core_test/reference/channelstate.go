package reference

import (
	"checkpointlab/core/barrier"
	"checkpointlab/core/event"
)

// upload is a task's asynchronous part of one checkpoint: it is over when the state is written and nothing that is in
// flight has to be stored any more (spec 3.4, 3.5).
type upload struct {
	begun   bool  // the synchronous part is over
	left    int   // of the least time and the task's own files, how many are not over
	inputs  bool  // barriers are still to come
	outputs int   // channels whose timeoutable barrier still waits in the output
	bytes   int64 // of channel state
	timed   bool  // its time to be written runs or is over

	full, stored int64 // bytes of all of the state, and of what is stored for this checkpoint

	sync, async event.Time // that its parts take at least

	tooLarge bool // the storage does not take it
	shares   bool // its channel state belongs in a file with others', which is not stored …
	shared   bool // … and is there
}

// stored is the channel state of one end of a channel.
type stored struct {
	channel *channel
	output  bool
	records []record
}

// upload is the task's part of a checkpoint, made when it is first spoken of.
func (t *task) upload(id event.Checkpoint) *upload {
	if t.uploads[id] == nil {
		t.uploads[id] = &upload{}
	}
	return t.uploads[id]
}

// flows reports whether data in flight is still to be stored.
func (u *upload) flows() bool { return u.inputs || u.outputs > 0 }

// beginFlow is channel state of a checkpoint that begins: one of which some is still to come is given up.
func (t *task) beginFlow(id event.Checkpoint) {
	for other, u := range t.uploads {
		if other != id && u.flows() {
			t.giveUp(other)
		}
	}
}

// giveUp drops a checkpoint: the asynchronous part is cancelled (spec 2.5).
func (t *task) giveUp(id event.Checkpoint) {
	if v, u := t.run.vault, t.uploads[id]; v != nil && u != nil && u.begun {
		v.store.Cancel(t.run.now, t.id, id)
		v.plan()
		v.leave(t, id)
	}
	delete(t.uploads, id)
	if t.hashmap != nil {
		t.hashmap.written(id)
	}
	if t.logged != nil {
		t.logged.aborted(id)
		return
	}
	t.state.aborted(id)
}

// partStored is the least time or the files of a snapshot being over.
func (t *task) partStored(u *upload, id event.Checkpoint) {
	if u.left--; u.left == 0 && t.hashmap != nil {
		t.hashmap.written(id)
	}
	t.uploaded(id)
}

// uploaded acknowledges when nothing is missing.
func (t *task) uploaded(id event.Checkpoint) {
	u := t.uploads[id]
	if u == nil || !u.begun || u.left > 0 || u.flows() || u.shares {
		return
	}
	if wait := t.run.setup.Control.InFlight; wait > 0 && t.run.vault == nil && u.bytes > 0 && !u.timed {
		u.timed = true
		u.left++
		t.takes(wait, func() {
			if t.uploads[id] == u {
				u.left--
				t.uploaded(id)
			}
		})
		return
	}
	delete(t.uploads, id)
	held := u.bytes
	if s := t.run.saves[id]; s != nil {
		held += t.keeps(s.windows[t])
		for _, r := range s.asked[t] {
			held += int64(r.size)
		}
	}
	t.run.tell(event.Event{Kind: event.TaskStored, Task: t.id, Checkpoint: id, A: u.full + held, N: u.stored + held, B: u.bytes})
	t.tellCoordinator(func() { t.run.acknowledged(t, id) })
	t.mayBeOver()
}

// store adds a buffer's records to the channel state. A record belongs to the buffer in which it ends.
func (t *task) store(id event.Checkpoint, c *channel, output bool, bytes int64, records []record) {
	s := t.run.saves[id]
	if s == nil {
		return // given up meanwhile
	}
	t.upload(id).bytes += bytes + 4 // its length is written ahead of it
	for _, f := range s.flow {
		if f.channel == c && f.output == output {
			f.records = append(f.records, records...)
			return
		}
	}
	s.flow = append(s.flow, &stored{c, output, append([]record(nil), records...)})
}

// storeOutput stores what is not sent of a buffer that a barrier overtakes.
func (t *task) storeOutput(id event.Checkpoint, c *channel, b *buffer) {
	t.store(id, c, true, int64(b.written-b.sent), b.records)
}

// storeInput stores a buffer that was received.
func (t *task) storeInput(id event.Checkpoint, c *channel, b *buffer) {
	t.store(id, c, false, int64(b.written), b.records)
}

// storeUnread stores what the deserializers have taken and not given out: the rest of the buffers in hand, and the
// beginnings of records whose end has not come.
func (t *task) storeUnread(id event.Checkpoint) {
	for _, g := range t.gates {
		for _, c := range g.channels {
			var rest []record
			if c == g.handFrom {
				rest = g.hand.data.records
			}
			if c.unread > 0 {
				t.store(id, c, false, c.unread, rest)
			}
		}
	}
}

// storeQueued stores the data ahead of the barrier in a receive queue; what comes until the barrier does follows as it comes.
func (t *task) storeQueued(id event.Checkpoint, c *channel) {
	from, to, ok := c.received.Start(id)
	if !ok {
		return
	}
	t.beginFlow(id)
	for i := from; i < to; i++ {
		if m := c.messages[c.received.At(i).Sequence]; m.data != nil {
			t.storeInput(id, c, m.data)
		}
	}
}

// alignmentEnded is the last barrier of an unaligned checkpoint.
func (t *task) alignmentEnded(e barrier.Effect) {
	bytes := int64(0)
	u := t.uploads[e.ID]
	if u != nil {
		bytes = u.bytes
	}
	t.run.tell(event.Event{Kind: event.TaskAligned, Task: t.id, Checkpoint: e.ID, A: e.Alignment, N: e.Bytes, B: bytes})
	if u != nil {
		u.inputs = false
		t.flowDone(e.ID)
	}
}

// barrierLeft is a timeoutable barrier that was handed out: there is no output state for it.
func (t *task) barrierLeft(id event.Checkpoint) {
	if u := t.uploads[id]; u != nil {
		u.outputs--
		t.flowDone(id)
	}
}

// outputTimedOut is the alignment timeout of a task's own barriers: those that still wait become unaligned.
func (t *task) outputTimedOut(id event.Checkpoint) {
	u := t.uploads[id]
	if u == nil || u.outputs == 0 {
		return
	}
	for _, p := range t.outs {
		for _, c := range p.channels {
			if c.timeOut(id) {
				u.outputs--
			}
		}
	}
	t.flowDone(id)
}

// flowDone goes on when all data in flight is there.
func (t *task) flowDone(id event.Checkpoint) {
	if u := t.uploads[id]; u != nil && !u.flows() && t.run.vault != nil {
		t.run.vault.share(t, id)
	}
	t.uploaded(id)
}

// refill puts the channel state of tasks that are back where it was: output behind its producer, input in front of its
// consumer (spec 9.3); or all of it in front of the consumer, what was input first.
func (r *Run) refill(s *save, back map[*task]bool) {
	for _, output := range []bool{false, true} {
		for _, f := range s.flow {
			if !back[f.channel.gate.consumer] || f.output != output {
				continue
			}
			if output && !r.setup.Options.RecoverDownstream {
				f.channel.restoreOutput(r.pack(f.records))
			} else {
				f.channel.restoreInput(r.pack(f.records))
			}
		}
	}
}

func (c *channel) restoreOutput(buffers []*buffer) {
	for _, b := range buffers {
		c.queue = append(c.queue, &message{data: b})
	}
	c.send()
}

func (c *channel) restoreInput(buffers []*buffer) {
	for _, b := range buffers {
		c.queueUp(&message{data: b})
		c.gate.lineUp(c, false)
		if !c.run.setup.Options.DuringRecovery {
			c.gate.restored++
		}
	}
}

// pack fills buffers of a segment's size with records; one that does not fit goes on in the next.
func (r *Run) pack(records []record) []*buffer {
	var all []*buffer
	last := &buffer{}
	for _, one := range records {
		for left := one.size; left > 0; {
			if last.written == last.usable {
				last = &buffer{usable: r.segment(), finished: true, restored: true}
				all = append(all, last)
			}
			n := min(left, last.usable-last.written)
			last.written += n
			left -= n
		}
		last.records = append(last.records, one)
	}
	return all
}

// segment is the usable size of a buffer at the start.
func (r *Run) segment() int32 {
	o := &r.setup.Options
	if o.Debloat {
		return min(o.SegmentSize, o.StartingSegmentSize)
	}
	return o.SegmentSize
}
