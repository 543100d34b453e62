package vector

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"checkpointlab/core/event"
	"checkpointlab/core/sim"
	"checkpointlab/core/state"
	"checkpointlab/core/state/storage"
)

// mergingRun drives small files that are put together: unit fileMerging. What a checkpoint refers to is registered as the coordinator
// does it, and what nothing refers to any more is deleted.
type mergingRun struct {
	store    *storage.Storage
	queue    sim.Queue
	now      event.Time
	registry state.Registry
	files    []mergedFile // their keys are their places
	deleted  []state.Handle
}

// mergedFile is a piece of state as a snapshot knows it, a logical file in Flink's words.
type mergedFile struct {
	name    word
	subtask int32
	id      event.Checkpoint
	bytes   int64
	gone    bool
}

func runMerging(c Case) (Status, string) {
	g := struct {
		Unit              string
		AcrossCheckpoints bool
		MaxFileBytes      int64
		Subtasks          int
	}{MaxFileBytes: 32 << 20, Subtasks: 1}
	if err := Decode(c.Given, &g); err != nil {
		return Unknown("given", err)
	}
	if err := errors.Join(atLeast("subtasks", g.Subtasks, 1), atLeast("maxFileBytes", int(g.MaxFileBytes), 1)); err != nil {
		return Unknown("given", err)
	}
	r := &mergingRun{registry: state.NewRegistry()}
	r.store = storage.New(storage.Config{
		Managers: 1, Owners: g.Subtasks, Merge: storage.Merging{Size: g.MaxFileBytes, Across: g.AcrossCheckpoints},
	}, &r.queue)
	return replayOn(r, c)
}

// event knows write name checkpoint, with its bytes and {subtask} if they are said, reuse checkpoint [names], complete and abort
// checkpoint, and subsume checkpoint: all up to it.
func (r *mergingRun) event(verb string, args []json.RawMessage) (Status, string) {
	var id event.Checkpoint
	var names []word
	switch n := len(args); {
	case verb == "write" && n >= 2 && n <= 4:
		return done(r.write(args))
	case verb == "reuse" && n == 2:
		if err := scan(args, &id, &names); err != nil {
			return done(err)
		}
		for _, name := range names {
			key := r.find(name)
			if key < 0 {
				return done(fmt.Errorf("%s is not there", name))
			}
			r.registry.Register(state.Handle{Key: int64(key), Bytes: r.files[key].bytes}, id, false)
		}
	case verb == "complete" && n == 1: // it changes nothing of the files
		return done(scan(args, &id))
	case verb == "subsume" && n == 1:
		if err := scan(args, &id); err != nil {
			return done(err)
		}
		_, r.deleted = r.registry.Unregister(id+1, nil, r.deleted[:0])
		keys := make([]int, len(r.deleted))
		for i, h := range r.deleted {
			keys[i] = int(h.Key)
		}
		r.remove(keys)
	case verb == "abort" && n == 1: // what it has written, it alone uses
		if err := scan(args, &id); err != nil {
			return done(err)
		}
		var keys []int
		for key, f := range r.files {
			if f.id == id && !f.gone {
				keys = append(keys, key)
			}
		}
		r.remove(keys)
	default:
		return Unknown(fmt.Sprintf("%s with %d arguments", verb, n), errUnknown)
	}
	return Pass, ""
}

func (r *mergingRun) find(name word) int {
	return slices.IndexFunc(r.files, func(f mergedFile) bool { return f.name == name && !f.gone })
}

func (r *mergingRun) write(args []json.RawMessage) error {
	f := mergedFile{bytes: 1}
	var of struct{ Subtask int32 }
	if err := scan(args[:2], &f.name, &f.id); err != nil {
		return err
	}
	for _, more := range args[2:] {
		if json.Unmarshal(more, &f.bytes) != nil {
			if err := Decode(more, &of); err != nil {
				return err
			}
		}
	}
	f.subtask = of.Subtask
	if r.find(f.name) >= 0 {
		return fmt.Errorf("%s twice", f.name)
	}
	key := len(r.files)
	r.files = append(r.files, f)
	o := r.store.Place(storage.Head{Op: storage.Write, Purpose: storage.Snapshot, Client: f.subtask, ID: f.id})
	r.store.Add(o, storage.Item{Owner: f.subtask, Shared: true, ID: uint64(key), Bytes: f.bytes})
	r.store.Start(r.now, o)
	r.run()
	r.registry.Register(state.Handle{Key: int64(key), Bytes: f.bytes}, f.id, false)
	return nil
}

// remove deletes files.
func (r *mergingRun) remove(keys []int) {
	o := r.store.Place(storage.Head{Op: storage.Delete, Purpose: storage.Cleaning, Client: storage.Master, Manager: storage.Master})
	for _, key := range keys {
		r.files[key].gone = true
		r.store.Add(o, storage.Item{Owner: r.files[key].subtask, Shared: true, ID: uint64(key)})
	}
	r.store.Start(r.now, o)
	r.run()
}

// run lets the storage do what is under way.
func (r *mergingRun) run() {
	for it, ok := r.queue.Peek(); ok; it, ok = r.queue.Peek() {
		r.queue.Pop()
		r.now = it.At
		switch it.Kind {
		case event.DueRequest:
			r.store.Request(r.now, it.A, it.Gen)
		case event.DueRetry:
			r.store.Retry(r.now, it.A, it.Gen)
		case event.DueFlow:
			r.store.Flow(r.now, it.Gen)
		case event.DueOrder:
			r.store.Empty(it.A, it.Gen)
		}
		r.store.Told()
	}
}

func (r *mergingRun) value(key string, _ json.RawMessage) (any, bool) {
	switch key {
	case "physicalFiles":
		return r.store.Stats().Files, true
	case "logicalFiles":
		return r.store.Stats().Logical, true
	case "bytes":
		return r.store.Stats().Bytes, true
	}
	return nil, false
}
