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

// pressed tells whether the thread waits for output.
func (th Thread) pressed() bool { return th == Soft || th == Hard }

// Task is one subtask.
type Task struct {
	// Fixed at the start.
	ID          event.Task
	Vertex      int32
	Index       int32
	Kind        Kind
	Gates       []int32 // one per input edge
	Outs        []int32 // partitions, one per output edge
	Log         int32   // sources: index into World.Logs
	Writer      int32   // sinks: index into World.Writers
	Size        int32   // bytes on the wire of a record that it makes; 0 = as it came in
	FlushPeriod event.Time
	Manager     int32 // the task manager it runs in
	Group       int32 // tasks of one group put their channel state into one file

	Own              event.Time // cost of a record on the thread without its accesses to the state
	EmitNum, EmitDen int64      // records out per record in; 1, 1 passes on
	Burst            bool       // EmitNum at once with every EmitDen-th record, else evenly
	Backend          state.Backend
	Change           int64         // bytes of state that a record changes, for the changelog
	Working          state.Working // the backend, if its accesses cost time; else nil

	// Changing.
	Cost    event.Time // of the records of the step in work
	Alive   bool
	Retired bool   // a rescaling has left it out
	Lost    bool   // its task manager is gone; nobody may know yet
	Gen     uint32 // counts restarts
	Thread  Thread
	Since   event.Time
	Step    Step
	Turn    int32  // the gate whose record comes next
	Hands   []Hand // by gate
	Handler barrier.Handler
	Spent   [threads]event.Time
	In, Out int64 // records
	Seen    int64 // records in, by the state: a restore sets it back; a source's is in its log
	Latest  event.Checkpoint
	FirstAt event.Time // when it had processed records for the first time, 0 = not yet
	Uploads []Upload   // asynchronous parts under way

	End Ending // where it stands with the end of its data

	draining    bool       // a snapshot waits until no record waits for its state
	ran         bool       // a DueRun is queued
	happens     event.Time // a DueBackend is queued for then; 0 = none
	nextCost    event.Time // from the next record on, if costChanges
	costChanges bool
	rest        event.Run // what is made and not written to all outputs
	restAt      int       // outputs that have the first record of it
	waiting     int       // channels with a record that waits for a segment: 0 or 1
	mails       []mail
	held        []barrier.Effect // to be carried out after the synchronous part
	flow        flow             // of the checkpoint whose channel state is being stored
	syncing     Upload
	syncBegan   event.Time
	async       event.Time // the least time of its asynchronous part
	log         *changelog // nil without one
	flowFiles   int64      // files of channel state so far
	lastBorn    event.Time // an unlimited source: when it read its last record
	time        eventTime
	window      window
	align       alignment
	requests    asyncIO
	debloat     []network.Debloater // by gate
	measure     []network.Throughput
}

// Upload is the asynchronous part of one snapshot. Sizes in bytes.
type Upload struct {
	ID           event.Checkpoint
	Full, Stored int64 // the whole state, and what this snapshot adds
	fails        bool  // a piece of it is larger than its storage takes
	left         int   // of its least time and its files, what is still to come
	shares       bool  // its channel state, if only none, goes into the group's file, which is not stored yet
	shared       bool  // its channel state is complete
}

// Hand is the buffer of a gate whose records are being read: the deserializer keeps it until the record after its last
// whole one is asked for (mechanisms 3).
type Hand struct {
	Valid   bool
	Channel event.Channel
	Entry   network.Entry
}

type mail struct {
	kind event.Mail
	id   int64
	sent event.Time // of one from the coordinator
}

// CopyFrom copies the changing part of src.
func (t *Task) CopyFrom(src *Task) {
	hands, mails, held, debloat, measure, handler, flow, uploads, time, win, pending := t.Hands, t.mails, t.held, t.debloat, t.measure, t.Handler, t.flow, t.Uploads, t.time, t.window, t.requests
	backend, working, log := t.Backend, t.Working, t.log
	*t = *src
	t.Backend, t.Working, t.log = backend, working, log
	if log != nil {
		log.copyFrom(src.log)
	}
	t.Backend.CopyFrom(src.Backend)
	t.Hands = append(hands[:0], src.Hands...)
	t.mails = append(mails[:0], src.mails...)
	t.Uploads = append(uploads[:0], src.Uploads...)
	t.held = append(held[:0], src.held...)
	t.debloat = append(debloat[:0], src.debloat...)
	t.measure = append(measure[:0], src.measure...)
	t.flow = flow
	t.flow.copyFrom(&src.flow)
	t.time = time
	t.time.copyFrom(&src.time)
	t.requests = pending
	t.requests.copyFrom(&src.requests)
	t.window = win
	t.window.copyFrom(&src.window)
	t.Handler = handler
	t.Handler.CopyFrom(&src.Handler)
}

// turn to another activity.
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
