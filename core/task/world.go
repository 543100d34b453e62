package task

import (
	"checkpointlab/core/barrier"
	"checkpointlab/core/event"
	"checkpointlab/core/network"
	"checkpointlab/core/option"
	"checkpointlab/core/sim"
	"checkpointlab/core/sink"
	"checkpointlab/core/source"
	"checkpointlab/core/state"
	"checkpointlab/core/state/storage"
)

// World is every task of the job with what they read from, write to and are joined by.
type World struct {
	Tasks   []Task
	Net     *network.Network
	Logs    []source.Log
	Writers []sink.Writer
	Slab    event.Slab // runs in checkpoints
	Saves   []Save     // what the tasks stored, by checkpoint

	Store      *storage.Storage              // nil: what is stored takes the time that the backend says
	Inline     int64                         // with a Store: files up to so many bytes go into the metadata instead
	MaxPiece   int64                         // a larger file fails the snapshot; 0 = none is too large
	Offsets    sim.Stream                    // of the first materializations
	Registered func(event.Task, uint64) bool // whether the coordinator knows a shared file, and so deletes it
	Groups     [][]event.Task                // of tasks that put their channel state into one file
	Wide       bool                          // its memory is fetched beforehand, and buffers hop
	Phase      int                           // of the run: a new version of the job, or another parallelism, begins another one

	// PartsOf appends the parts of a checkpoint that hold a task's state. own: it is the task's own, all of it, and nothing else.
	PartsOf func(t event.Task, s *Save, out []*state.Part) (parts []*state.Part, own bool)
	// Inherit fills in what a task's changelog goes on from: the base, its files as Reused, and the log from there on.
	Inherit func(t event.Task, s *Save, p *state.Part)

	Queue *sim.Queue
	Feed  *event.Feed
	Rules Rules

	// Probed tells that a mail has waited for so many ms (mailboxLatencyMs).
	Probed func(t event.Task, ms int64)

	// Processed and Shown tell recorders of records that a sink has processed, or processed and made visible: the first one was
	// done at the instant done, and the others so long after each other. Revealed tells of those that it has committed. They may be
	// nil and must not change the run.
	Processed, Shown func(now event.Time, t *Task, done, each event.Time, runs []event.Run)
	Revealed         func(now event.Time, t *Task, runs []event.Arrivals)

	// Fired tells recorders of n timers of windows that fire one after the other: how long after the windows' ends, first,
	// first+step, … in event.Fine.
	Fired func(now event.Time, t *Task, first, step, n int64)

	// Committed tells that a sink has committed up to a checkpoint.
	Committed func(now event.Time)

	awake    event.Task   // 1 + the thread in its loop, 0 = none
	woken    event.Task   // with late: 1 + a thread that is to look, 0 = none
	late     bool         // what wakes a thread is still under way
	lookAt   event.Time   // when a thread looked last; of those that did so at that instant:
	lookTurn int64        // the latest turn, -1 = of none,
	lookers  []event.Task // and those that are not in it yet
	fetching fetching
	hopping  hopping
	express  express
	effects  []barrier.Effect        // reused
	logged   []state.ChangelogEffect // reused
	parts    []*state.Part           // reused
	lost     state.Part              // of a checkpoint that was given up already
	given    state.Part              // reused
	taken    []event.Run             // reused
	shares   []channelFile           // of channel state that several tasks put together
	triggers [remembered]trigger     // the last checkpoints that were triggered, by their ids
}

// Rules is what holds for all tasks.
type Rules struct {
	Seed          uint64 // of the run
	RPC, Wake     event.Time
	WakeOutput    event.Time // until a thread that waited for a segment goes on …
	WakeSpread    event.Time // … and up to that much more, drawn anew each time
	InFlight      event.Time // until data in flight is written where no storage times that
	BufferTimeout event.Time // -1 = off, 0 = after each record
	Debloat       event.Time // period, 0 = off
	Options       *option.Config
	EventTime     bool        // some source makes watermarks
	Marks         []MarkRule  // by vertex
	Align         []AlignRule // by vertex; nil if no source is in a group
	MutedAtEnd    bool        // a source that is over reports no watermark any more
	Async         bool        // some task is an asynchronous operator
	Windows       bool        // some task is a window operator
	BuildOn       bool        // checkpoints may build on files that are the user's (claim mode LEGACY)
	Interruptible bool        // a mail comes in between two timers
	MarkPeriod    event.Time  // pipeline.auto-watermark-interval
	SyncTimeout   event.Time  // a synchronous part that takes longer fails its task; 0 = never
	PausedClock   bool        // a source's idleness does not count while it is back-pressured
	NewestAsIdle  bool        // a source says the watermark of its newest record as all of its splits turn idle
}

// MarkRule is how the sources of a vertex make watermarks.
type MarkRule struct {
	On     bool
	Bound  int64      // ms that a record may be late
	Idle   event.Time // without a record until a source counts as idle; 0 = never
	Behind event.Time // how far a record's event time lies behind its arrival
}

// Save is the part of a checkpoint that decides how the job goes on from it.
type Save struct {
	ID        event.Checkpoint
	Began     event.Time
	Next      []int64            // by task: position of a source, records that another one has seen
	By        [][]int64          // by task: Next by gate, of one whose inputs make records of their own; else nil
	Emitted   []int64            // by partition: position in the dealer's sequence
	At        []event.Time       // by task: when it took its snapshot
	From      []event.Checkpoint // by task: the earlier checkpoint whose part it is; 0 = its own (region checkpoints, not in Flink)
	Windows   []WindowSave       // by task, of window operators; nil if there are none
	Async     []AsyncSave        // by task, of asynchronous operators; nil if there are none
	Flow      []Stored           // data in flight, of an unaligned one
	parts     []int32            // by channel, input and output: where it is in Flow, if it is there
	Parts     []state.Part       // by task
	Savepoint bool
	Kind      state.Kind
	Foreign   bool // its files are the user's: the job never deletes them
	Phase     int  // of the run in which its parts were stored
}

// Of is the checkpoint whose part a task has in it: this one or an earlier one, the same for all tasks of its region.
func (s *Save) Of(t event.Task) event.Checkpoint {
	if int(t) < len(s.From) && s.From[t] != 0 {
		return s.From[t]
	}
	return s.ID
}

// Stored is one channel's part of a checkpoint's channel state.
type Stored struct {
	Channel event.Channel
	Output  bool // output state of the producer, else input state of the consumer
	Runs    event.Runs
}

// CopyFrom copies the changing part of src, which must be built alike.
func (w *World) CopyFrom(src *World) {
	for i := range src.Tasks {
		w.Tasks[i].CopyFrom(&src.Tasks[i])
	}
	w.Net.CopyFrom(src.Net)
	for i := range src.Logs {
		w.Logs[i].CopyFrom(&src.Logs[i])
	}
	for i := range src.Writers {
		w.Writers[i].CopyFrom(&src.Writers[i])
	}
	w.Slab.CopyFrom(&src.Slab)
	w.copyShares(src)
	w.triggers = src.triggers
	w.lookAt, w.lookTurn, w.lookers = src.lookAt, src.lookTurn, append(w.lookers[:0], src.lookers...)
	for len(w.Saves) < len(src.Saves) {
		w.Saves = append(w.Saves, Save{})
	}
	w.Saves = w.Saves[:len(src.Saves)]
	for i := range src.Saves {
		w.Saves[i].CopyFrom(&src.Saves[i])
	}
}

// CopyFrom makes s a deep copy of src.
func (s *Save) CopyFrom(src *Save) {
	by := s.By
	next, emitted, at, from, flow, parts, windows, async, index := s.Next, s.Emitted, s.At, s.From, s.Flow, s.Parts, s.Windows, s.Async, s.parts
	*s = *src
	for len(async) < len(src.Async) {
		async = append(async, AsyncSave{})
	}
	s.Async = async[:len(src.Async)]
	for i := range src.Async {
		s.Async[i].copyFrom(&src.Async[i])
	}
	for len(windows) < len(src.Windows) {
		windows = append(windows, WindowSave{})
	}
	s.Windows = windows[:len(src.Windows)]
	for i := range src.Windows {
		s.Windows[i].Panes.CopyFrom(&src.Windows[i].Panes)
		s.Windows[i].Made = src.Windows[i].Made
	}
	s.By = by
	s.CopyBy(src)
	s.Next = append(next[:0], src.Next...)
	s.Emitted = append(emitted[:0], src.Emitted...)
	s.At = append(at[:0], src.At...)
	s.From = append(from[:0], src.From...)
	s.Flow, s.parts = append(flow[:0], src.Flow...), index
	for i := range s.Flow {
		s.notePart(i)
	}
	s.Parts = parts
	for len(s.Parts) < len(src.Parts) {
		s.Parts = append(s.Parts, state.Part{})
	}
	for i := range src.Parts {
		s.Parts[i].CopyFrom(&src.Parts[i])
	}
}

// Save is the entry of a checkpoint, nil if there is none.
func (w *World) Save(id event.Checkpoint) *Save {
	for i := range w.Saves {
		if w.Saves[i].ID == id {
			return &w.Saves[i]
		}
	}
	return nil
}

// Open begins the entry of a snapshot of a kind that was triggered at began.
func (w *World) Open(id event.Checkpoint, began event.Time, kind state.Kind) {
	w.triggers[id%remembered] = trigger{id, began}
	s := w.Save(0)
	if s == nil {
		w.Saves = append(w.Saves, Save{
			Next: make([]int64, len(w.Tasks)), At: make([]event.Time, len(w.Tasks)), Emitted: make([]int64, len(w.Net.Partitions)),
			From: make([]event.Checkpoint, len(w.Tasks)), Parts: make([]state.Part, len(w.Tasks)),
		})
		s = &w.Saves[len(w.Saves)-1]
	}
	if w.Rules.Windows && len(s.Windows) < len(w.Tasks) {
		s.Windows = make([]WindowSave, len(w.Tasks))
	}
	if w.Rules.Async && len(s.Async) < len(w.Tasks) {
		s.Async = make([]AsyncSave, len(w.Tasks))
	}
	if len(s.Emitted) != len(w.Net.Partitions) { // it was of another phase
		s.Emitted = make([]int64, len(w.Net.Partitions))
	}
	s.ID, s.Began, s.Kind, s.Foreign, s.Phase = id, began, kind, false, w.Phase
	s.Savepoint = kind == state.CanonicalSavepoint || kind == state.NativeSavepoint
	for i := range s.At {
		s.At[i], s.From[i] = -1, 0
		s.Parts[i].Reset()
		if t := &w.Tasks[i]; t.End.Finished || t.Retired { // its part is what it came to
			w.put(s, t, t.End.At)
		}
	}
}

// put notes in s where a task stands.
func (w *World) put(s *Save, t *Task, at event.Time) {
	s.At[t.ID], s.Next[t.ID] = at, t.Seen
	s.countBy(t, t.seenBy)
	t.saveWindows(s)
	t.saveAsync(s)
	for _, p := range t.Outs {
		s.Emitted[p] = w.Net.Partitions[p].Emitted
	}
}

// Forget frees the entry of a checkpoint that is neither pending nor retained.
func (w *World) Forget(id event.Checkpoint) {
	if s := w.Save(id); s != nil && id != 0 {
		s.ID = 0
		w.ClearFlow(s)
	}
}

// ClearFlow drops a checkpoint's channel state.
func (w *World) ClearFlow(s *Save) {
	for i := range s.Flow {
		w.Slab.Clear(&s.Flow[i].Runs)
	}
	s.Flow = s.Flow[:0]
}
