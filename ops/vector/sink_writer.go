package vector

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"checkpointlab/core/event"
	"checkpointlab/core/sink"
)

// writerRun drives the writer's operator: unit writer. The connector makes one committable of each record.
type writerRun struct {
	sinkWords
	head     sink.Head
	prepared []int64
	saved    map[event.Checkpoint]sink.Head
	crashed  bool

	barriers      int
	beforeBarrier int              // messages emitted ahead of the first one
	buffered      map[string]int64 // by the event after which it was so
}

func runWriter(c Case) (Status, string) {
	g := struct {
		Unit      string
		Committer *bool
		Subtask   int32
	}{}
	if err := Decode(c.Given, &g); err != nil {
		return Unknown("given", err)
	}
	if g.Committer == nil {
		return Unknown("given", errors.New("whether there is a committer is not said"))
	}
	r := &writerRun{
		head: sink.Head{Subtask: g.Subtask, Commits: *g.Committer}, saved: map[event.Checkpoint]sink.Head{}, buffered: map[string]int64{},
	}
	return replayOn(r, c)
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
			r.emitted = r.head.PreBarrier(id, r.prepared, r.emitted)
			r.prepared = r.prepared[:0]
		}
	case verb == "endInput" && n == 0:
		r.emitted = r.head.EndInput(r.prepared, r.emitted)
		r.prepared = r.prepared[:0]
	case verb == "snapshot" && n == 1, verb == "restore" && n == 1:
		err = r.keep(verb, args)
	case verb == "crash" && n == 0:
		r.crashed, r.prepared = true, nil
	default:
		return Unknown(fmt.Sprintf("%s with %d arguments", verb, n), errUnknown)
	}
	if err != nil {
		return done(err)
	}
	if r.barriers == 0 {
		r.beforeBarrier = len(r.emitted)
	}
	r.buffered["bufferedAfter"+strings.ToUpper(verb[:1])+verb[1:]] = r.head.Buffered()
	return r.finish(f, fails)
}

// keep stores the writer with a checkpoint, or goes on from there.
func (r *writerRun) keep(verb string, args []json.RawMessage) error {
	var id event.Checkpoint
	if err := scan(args, &id); err != nil {
		return err
	}
	if verb == "snapshot" {
		r.saved[id] = r.head
		return nil
	}
	stored, ok := r.saved[id]
	if !ok || !r.crashed {
		return errors.New("a restore needs a crash and that snapshot")
	}
	r.crashed = false
	r.head.Restore(&stored)
	return nil
}

func (r *writerRun) value(key string, want json.RawMessage) (any, bool) {
	switch key {
	case "emitted":
		return r.messages(want)
	case "emittedCount":
		return len(r.emitted), true
	case "jobFails":
		return r.failed, true
	case "emittedBeforeBarrier":
		return r.beforeBarrier, true
	case "committablesEmitted":
		n := 0
		for _, m := range r.emitted {
			if m.Kind == sink.Committable {
				n++
			}
		}
		return n, true
	}
	n, ok := r.buffered[key]
	return n, ok
}
