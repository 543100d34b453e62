package vector

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"

	"checkpointlab/core/event"
	"checkpointlab/core/sink"
	"checkpointlab/core/watermark"
)

// writerRun drives the writer's operator: unit writer. The connector makes one committable of each record.
type writerRun struct {
	sinkWords
	head     sink.Head
	prepared []int64
	saved    map[event.Checkpoint]sink.Head
	crashed  bool

	holds    bool       // it hands out nothing before the end of the input (BufferingSinkWriter), or before its timer
	timer    event.Time // 0: none
	now      event.Time
	stateful bool // what it holds is part of its state
	held     []int64
	states   map[event.Checkpoint][]int64

	valve      watermark.Valve
	watermarks []int64

	restored      *event.Checkpoint // null before a restore
	lastSnapshot  event.Checkpoint
	restoredNames []string

	barriers      int
	beforeBarrier int // messages emitted ahead of the first one
}

func runWriter(c Case) (Status, string) {
	g := struct {
		Unit      string
		Committer *bool
		Subtask   int32
		Writer    string
		Stateful  bool
		HoldMs    event.Time
	}{HoldMs: 1000} // TestSinkV2's timer
	if err := Decode(c.Given, &g); err != nil {
		return Unknown("given", err)
	}
	if g.Committer == nil {
		return Unknown("given", errors.New("whether there is a committer is not said"))
	}
	if m := everyMs.FindStringSubmatch(g.Writer); m != nil {
		g.Writer, g.HoldMs = "time-based", event.Time(digits(m[1], 0))
	}
	if err := known("writer", g.Writer, "", "buffering", "time-based"); err != nil {
		return Unknown("given", err)
	}
	r := &writerRun{ // that with state holds what it is given back (TestSinkV2, SnapshottingBufferingSinkWriter)
		holds: g.Writer != "" || g.Stateful, valve: watermark.NewValve(1), lastSnapshot: -1, stateful: g.Stateful, states: map[event.Checkpoint][]int64{},
		head: sink.Head{Subtask: g.Subtask, Commits: *g.Committer}, saved: map[event.Checkpoint]sink.Head{},
	}
	if g.Writer == "time-based" {
		r.timer = g.HoldMs * event.Millisecond
	}
	r.pending, r.mayFail = true, expectsError(c)
	return replayOn(r, c)
}

// everyMs says of a writer that a timer has it hand out what it holds.
var everyMs = regexp.MustCompile(`every (\d+) ms`)

// handed is what the connector gives for a barrier, or at the end of the input.
func (r *writerRun) handed(end bool) []int64 {
	if r.holds && !end && (r.timer == 0 || r.now < r.timer) {
		r.held = append(r.held, r.prepared...)
		return nil
	}
	return append(r.held, r.prepared...)
}

func (r *writerRun) event(verb string, args []json.RawMessage) (Status, string) {
	args, fails := failing(args)
	var f sink.Failure
	var err error
	switch n := len(args); {
	case verb == "write" && n == 1:
		var name word
		if err = scan(args, &name); err == nil {
			if f = r.head.Write(1); f == sink.NoFailure {
				r.prepared = append(r.prepared, r.idOf(string(name)))
			}
		}
	case verb == "preBarrier" && n == 1:
		var id event.Checkpoint
		if err = scan(args, &id); err == nil {
			r.barriers++
			r.emitted = r.head.PreBarrier(id, r.handed(false), r.emitted)
			r.settle()
		}
	case verb == "endInput" && n == 0:
		r.emitted = r.head.EndInput(r.handed(true), r.emitted)
		r.held = nil
		r.settle()
	case (verb == "clockMs" || verb == "advance") && n == 1:
		var ms event.Time
		if err = scan(args, &ms); verb == "clockMs" {
			r.now = 0
		}
		r.now += ms * event.Millisecond
	case verb == "watermark" && n == 1: // it goes on as that of the task's only channel
		var mark int64
		if err = scan(args, &mark); err == nil {
			if out := r.valve.Mark(0, mark); out.Moved {
				r.watermarks = append(r.watermarks, out.Mark)
			}
		}
	case verb == "snapshot" && n == 1, verb == "restore" && n == 1:
		err = r.keep(verb, args)
	case verb == "crash" && n == 0:
		r.crashed, r.prepared, r.held = true, nil, nil
	default:
		return Unknown(fmt.Sprintf("%s with %d arguments", verb, n), errUnknown)
	}
	if err != nil {
		return done(err)
	}
	if r.barriers == 0 {
		r.beforeBarrier = len(r.emitted)
	}
	return r.finish(f, fails)
}

// settle is behind what was handed out.
func (r *writerRun) settle() {
	if r.timer != 0 && r.now >= r.timer {
		r.held = nil
	}
	r.prepared = r.prepared[:0]
}

// keep stores the writer with a checkpoint, or goes on from there.
func (r *writerRun) keep(verb string, args []json.RawMessage) error {
	var id event.Checkpoint
	if err := scan(args, &id); err != nil {
		return err
	}
	if verb == "snapshot" {
		r.saved[id] = r.head
		if r.stateful {
			r.lastSnapshot = id
			r.states[id] = slices.Clone(append(r.held, r.prepared...))
		}
		return nil
	}
	stored, ok := r.saved[id]
	if !ok || !r.crashed {
		return errors.New("a restore needs a crash and that snapshot")
	}
	r.crashed = false
	r.head.Restore(&stored)
	r.held, r.restored = slices.Clone(r.states[id]), &id
	for _, n := range r.held {
		r.restoredNames = append(r.restoredNames, r.names[n])
	}
	return nil
}

func (r *writerRun) value(key string, want json.RawMessage) (any, bool) {
	switch key {
	case "emitted":
		return r.messages(want)
	case "restoredCheckpoint": // as the writer is told (WriterInitContext#getRestoredCheckpointId)
		return r.restored, true
	case "restoredElements":
		return append([]string{}, r.restoredNames...), true
	case "emittedCount":
		return len(r.emitted), true
	case "jobFails", "error":
		return r.thrown(), true
	case "lastCheckpointId": // as a stateful writer was asked for its state; -1 if it never was (TestSink)
		return r.lastSnapshot, true
	case "recordsInState":
		if r.restored != nil {
			return len(r.restoredNames), true
		}
		return len(r.names), true
	case "watermarksOfWriter", "watermarksEmitted": // the writer is told of those that go on
		return append([]int64{}, r.watermarks...), true
	case "emittedBeforeBarrier":
		return r.beforeBarrier, true
	case "buffered":
		return r.head.Buffered(), true
	case "committablesEmitted":
		n := 0
		for _, m := range r.emitted {
			if m.Kind == sink.Committable {
				n++
			}
		}
		return n, true
	}
	return nil, false
}
