// Package task is the task's loop: mailbox, choice of input, work, output, and where a task's time goes.
//
// A task works in steps. A step is as many records as can be processed without anything having to be decided: up to the
// end of the run in hand, or to the record that fills an output buffer. What happens in between (a flush, a mail, a
// failure) settles the step: the records that are done by then are booked exactly, the rest goes on. So cost grows with
// buffers, and no instant is an approximation.
//
// Read Task, then loop.go (what the thread does next), step.go (how far it is), checkpoint.go (barriers and snapshots).
package task

import (
	"checkpointlab/core/barrier"
	"checkpointlab/core/event"
	"checkpointlab/core/network"
	"checkpointlab/core/state"
)

// Kind is what a task does with a record.
type Kind uint8

// The kinds.
const (
	Map Kind = iota
	Source
	Sink
)

// Thread is what the task's thread does (spec 4.4).
type Thread uint8

// The activities.
const (
	Idle Thread = iota
	Busy
	Soft // output is not available: no record begins, mails run
	Hard // blocked inside an emit: nothing runs
	Sync // in the synchronous part of a snapshot
	Off  // not running
	threads
)

// pressed reports whether the thread waits for output.
func (th Thread) pressed() bool { return th == Soft || th == Hard }

// Task is one subtask. The tasks of a wide job do not fit into a processor's caches, so what every tick, buffer and step
// looks at lies together, a cache line a paragraph, and the rest of a task elsewhere.
type Task struct {
	ID          event.Task
	Vertex      int32
	Log         int32  // sources: index into World.Logs
	Writer      int32  // sinks: index into World.Writers
	Size        int32  // bytes on the wire of a record that it makes; 0 = as it came in
	Gen         uint32 // counts restarts
	Kind        Kind
	Thread      Thread
	Turn        int8 // the gate whose record comes next
	Alive       bool
	locked      bool // a source that holds the lock until its first record has come, or its snapshot is read
	Burst       bool // EmitNum at once with every EmitDen-th record, else evenly
	windows     bool // it is a window operator
	asks        bool // it is an asynchronous operator
	debloats    bool
	over        bool // nothing is to be read any more, not even a barrier: mails alone run
	ran         bool // a DueRun is queued
	Pushes      bool // a source that emits under the checkpoint lock
	costChanges bool
	plain       bool    // its records come by one gate and nobody looks at each (isPlain); since its start
	hops        bool    // buffers may hop through it; since its start
	hopping     bool    // one does so with others
	Outs        []int32 // partitions, one per output edge

	Gates   []int32    // one per input edge
	Hands   []Hand     // by gate
	Cost    event.Time // of the records of the step in work
	waiting int        // channels with a record that waits for a segment: 0 or 1

	Step        Step
	FlushPeriod event.Time
	Since       event.Time
	Seen        int64 // records in, by the state: a restore sets it back; a source's is in its log

	Spent   [threads]event.Time
	In, Out int64 // records

	EmitNum, EmitDen int64      // records out per record in; 1, 1 passes on
	FirstAt          event.Time // when it had processed records for the first time, 0 = not yet
	mails            []mail
	log              *changelog // nil without one
	*seldom

	Working state.Working // the backend, if its accesses cost time; else nil
	Handler barrier.Handler
	mailed  int64      // mails that its thread has run
	probe   event.Time // when the next mail comes that measures how long it waits; Never = none does
	_       [16]byte   // whole lines
}

// seldom is what is looked at with a checkpoint, a failure or a state, or by operators of a certain kind.
type seldom struct {
	// Fixed at the start.
	Index           int32
	Manager         int32        // the task manager it runs in
	Group           int32        // tasks of one group put their channel state into one file
	Own             event.Time   // cost of a record on the thread without its accesses to the state
	ByGate          []event.Time // Own by gate, of an operator whose inputs cost differently; else nil
	inputs          []Input      // by gate, if apart
	Backend         state.Backend
	Change          int64      // bytes of state that a record changes, for the changelog
	Flush           event.Time // of a sink's writer, ahead of a barrier
	refuses         refusal
	owes            event.Checkpoint // a restored sink's: it has to be committed first; 0 = none
	Callback, Grows event.Time       // what it does when a checkpoint is complete takes so long, and so much longer each time
	LockedFirst     bool             // a source that is locked at its start
	LockedPast      bool             // … as long as there is something to read that was there at the start
	PausedFirst     bool             // a source that, once it is restored, reads nothing until its first snapshot

	// Changing.
	Retired      bool // a rescaling has left it out
	initializing bool // its restored input is not consumed
	awaits       bool // its first snapshot, PausedFirst
	draining     bool // a snapshot waits until no record waits for its state
	holds        hold
	batch        batch
	seenBy       []int64 // records in by gate, if apart: a restore sets them back as it does Seen
	Lost         bool    // its task manager is gone; nobody may know yet
	Latest       event.Checkpoint
	Uploads      []Upload         // asynchronous parts under way
	End          Ending           // where it stands with the end of its data
	happens      event.Time       // a DueBackend is queued for then; 0 = none
	idleSince    event.Time       // a source: since when it has had nothing to read
	longest      [2]event.Time    // soft and hard back pressure, since the gauges were updated
	beganAt      event.Time       // it has begun then to read what it starts from
	ranAt        event.Time       // it is RUNNING since then, if it is
	nextCost     event.Time       // Own from the next record on, if costChanges; -1 = as it is
	slow         int64            // a record takes so many times as long, per mille, because the task manager is throttled; 0 = as usual
	nextSlow     int64            // … from the next record on, if costChanges
	rest         event.Run        // what is made and not written to all outputs
	restAt       int              // outputs that have the first record of it
	held         []barrier.Effect // to be carried out after the synchronous part
	flow         flow             // of the checkpoint whose channel state is being stored
	syncing      Upload
	syncBegan    event.Time
	syncUntil    event.Time // the thread is held until then, if it is for a time
	async        event.Time // the least time of its asynchronous part
	flowFiles    int64      // files of channel state so far
	lastBorn     event.Time // an unlimited source: when it read its last record
	lastCost     event.Time // any other source: what its last record took if it read it as it arrived, else -1
	stood        event.Time // a source: for so long its process has stood still since it took the record in work
	time         eventTime
	window       window
	align        alignment
	requests     asyncIO
	debloat      []network.Debloater // by gate
	measure      []network.Throughput
}

// New is a task that reads from these gates and writes to these partitions, at 1 record out per record in.
func New(id event.Task, vertex, index int32, gates, outs []int32) Task {
	t := Task{
		ID: id, Vertex: vertex, Gates: gates, Outs: outs, Hands: make([]Hand, len(gates)), EmitNum: 1, EmitDen: 1, Thread: Off,
		Handler: barrier.None(), probe: event.Never, seldom: &seldom{Index: index, nextCost: -1, lastCost: -1},
	}
	for h := range t.Hands {
		t.Hands[h].Entry.Runs = event.EmptyRuns
	}
	return t
}

// Upload is the asynchronous part of one snapshot. Sizes in bytes.
type Upload struct {
	ID           event.Checkpoint
	Full, Stored int64      // the whole state, and what this snapshot adds
	fails        bool       // a piece of it is larger than its storage takes
	left         int        // of its least time and its files, what is still to come
	shares       bool       // its channel state, if only none, goes into the group's file, which is not stored yet
	shared       bool       // its channel state is complete
	flow         int64      // bytes of its channel state, once another checkpoint's is being stored
	timed        bool       // … and whether Rules.InFlight runs or is over
	until        event.Time // its least time, or Rules.InFlight, is over then
}

// Hand is the buffer of a gate whose records are being read: the deserializer keeps it until the record after its last
// whole one is asked for (mechanisms 3).
type Hand struct {
	Valid   bool
	Channel event.Channel
	Entry   network.Entry
}

type mail struct {
	kind   event.Mail
	id     int64
	sent   event.Time // of one from the coordinator
	urgent bool       // it goes ahead of those that are not
}

// CopyFrom copies the changing part of src.
func (t *Task) CopyFrom(src *Task) {
	hands, mails, handler, working, log, rest := t.Hands, t.mails, t.Handler, t.Working, t.log, t.seldom
	*t = *src
	t.Working, t.log, t.seldom = working, log, rest
	if log != nil {
		log.copyFrom(src.log)
	}
	t.Hands = append(hands[:0], src.Hands...)
	t.mails = append(mails[:0], src.mails...)
	t.Handler = handler
	t.Handler.CopyFrom(&src.Handler)
	t.seldom.copyFrom(src.seldom)
}

func (s *seldom) copyFrom(src *seldom) {
	seenBy := append(s.seenBy[:0], src.seenBy...)
	backend, held, debloat, measure, flow, uploads, time, win, pending := s.Backend, s.held, s.debloat, s.measure, s.flow, s.Uploads, s.time, s.window, s.requests
	*s = *src
	s.Backend, s.seenBy = backend, seenBy
	s.Backend.CopyFrom(src.Backend)
	s.Uploads = append(uploads[:0], src.Uploads...)
	s.held = append(held[:0], src.held...)
	s.debloat = append(debloat[:0], src.debloat...)
	s.measure = append(measure[:0], src.measure...)
	s.flow, s.time, s.requests, s.window = flow, time, pending, win
	s.flow.copyFrom(&src.flow)
	s.time.copyFrom(&src.time)
	s.requests.copyFrom(&src.requests)
	s.window.copyFrom(&src.window)
}

// become changes what the task's thread does.
func (t *Task) become(now event.Time, th Thread) {
	t.Spent[t.Thread] += now - t.Since
	t.Thread, t.Since = th, now
}

// SpentUntil is the time spent in each activity up to now, the present one included.
func (t *Task) SpentUntil(now event.Time) [threads]event.Time {
	s := t.Spent
	s[t.Thread] += now - t.Since
	return s
}
