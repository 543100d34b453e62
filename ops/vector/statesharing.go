package vector

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"checkpointlab/core/event"
	"checkpointlab/core/state"
)

// registryRun drives the coordinator's registry of shared files: unit sharedStateRegistry.
type registryRun struct {
	registry  state.Registry
	names     []string // by key
	discarded []string
	deleted   []state.Handle
	inUse     []event.Checkpoint // what the last unregistration has said of restored checkpoints
}

// restoredKinds are the words of given.restored.kind.
var restoredKinds = map[string]state.Kind{
	"retained checkpoint": state.Checkpoint, "checkpoint": state.Checkpoint, "native savepoint": state.NativeSavepoint, "canonical savepoint": state.CanonicalSavepoint,
}

// claimModes are Flink's words for whose a restored checkpoint is; the value is whether the job may delete it.
var claimModes = map[string]bool{"": false, "NO_CLAIM": false, "LEGACY": false, "CLAIM": true}

func runRegistry(c Case) (Status, string) {
	var g struct {
		Unit     string
		Restored *struct {
			ID         event.Checkpoint
			Kind, Mode string
			Format     string // of a savepoint
			States     []string
		}
	}
	if err := Decode(c.Given, &g); err != nil {
		return Unknown("given", err)
	}
	r := &registryRun{registry: state.NewRegistry()}
	if from := g.Restored; from != nil {
		if fold(from.Kind) == "savepoint" {
			from.Kind = from.Format
		} else if from.Format != "" {
			return Unknown("restored", fmt.Errorf("a %q of a format", from.Kind))
		}
		kind, known := restoredKinds[from.Kind]
		claimed, knownMode := claimModes[from.Mode]
		if !known || !knownMode {
			return Unknown("restored", fmt.Errorf("a %q in mode %q", from.Kind, from.Mode))
		}
		for _, name := range from.States {
			r.register(name, from.ID, false)
		}
		r.registry.Restored(from.ID, kind, claimed)
	}
	return replayOn(r, c)
}

// register notes a use of the named state.
func (r *registryRun) register(name string, id event.Checkpoint, pins bool) {
	key := slices.Index(r.names, name)
	if key < 0 {
		key = len(r.names)
		r.names = append(r.names, name)
	}
	r.registry.Register(state.Handle{Key: int64(key), Bytes: 1}, id, pins)
}

func (r *registryRun) event(verb string, args []json.RawMessage) (Status, string) {
	var id event.Checkpoint
	switch n := len(args); {
	case verb == "register" && (n == 2 || n == 3):
		var more struct{ PreventDiscardingCreatedCheckpoint bool }
		var names oneOrMore
		if err := scan(args[:2], &names, &id); err != nil {
			return done(err)
		}
		if n == 3 {
			if err := Decode(args[2], &more); err != nil {
				return done(err)
			}
		}
		for _, name := range names {
			r.register(name, id, more.PreventDiscardingCreatedCheckpoint)
		}
	case verb == "checkpointCompleted" && n == 1: // since FLINK-29913 it changes nothing
		return done(scan(args, &id))
	case verb == "unregisterUnusedBelow" && (n == 1 || n == 2):
		if err := scan(args[:1], &id); err != nil {
			return done(err)
		}
		return r.unregister(id, args[1:])
	default:
		return Unknown(fmt.Sprintf("%s with %d arguments", verb, n), errUnknown)
	}
	return Pass, ""
}

// unregister drops what is not used, and holds what is reported as in use against what the case says.
func (r *registryRun) unregister(lowest event.Checkpoint, want []json.RawMessage) (Status, string) {
	var asked struct{ InUse *[]event.Checkpoint }
	if len(want) == 1 {
		if err := Decode(want[0], &asked); err != nil {
			return done(err)
		}
	}
	var inUse []event.Checkpoint
	inUse, r.deleted = r.registry.Unregister(lowest, nil, r.deleted[:0])
	for _, f := range r.deleted {
		r.discarded = append(r.discarded, r.names[f.Key])
	}
	r.inUse = append([]event.Checkpoint{}, inUse...)
	if asked.InUse == nil {
		return Pass, ""
	}
	if expected := slices.Sorted(slices.Values(*asked.InUse)); !slices.Equal(inUse, expected) {
		return Differ("in use", inUse, expected)
	}
	return Pass, ""
}

func (r *registryRun) value(key string, want json.RawMessage) (any, bool) {
	switch key {
	case "discarded":
		return inOrderOf(want, r.discarded)
	case "notDiscarded", "kept":
		kept := []string{}
		for key, name := range r.names {
			if r.registry.Has(int64(key)) {
				kept = append(kept, name)
			}
		}
		return inOrderOf(want, kept)
	case "inUse": // behind an unregistration
		return r.inUse, r.inUse != nil
	case "bytes":
		return r.registry.Bytes(), true
	}
	return nil, false
}

// incrementalRun drives what an incremental snapshot uploads: unit rocksdbIncremental. Each file has one byte, the metadata
// of a snapshot has one, too.
type incrementalRun struct {
	snapshots state.Incremental
	live      []state.SST
	next      int64
	sizes     map[event.Checkpoint]state.Size
	bases     map[event.Checkpoint]event.Checkpoint
	out       []state.SST
}

func runIncremental(c Case) (Status, string) {
	var g struct {
		Unit     string
		SSTFiles int64
	}
	if err := Decode(c.Given, &g); err != nil {
		return Unknown("given", err)
	}
	r := &incrementalRun{sizes: map[event.Checkpoint]state.Size{}, bases: map[event.Checkpoint]event.Checkpoint{}}
	r.flush(g.SSTFiles)
	return replayOn(r, c)
}

// flush adds files to the backend.
func (r *incrementalRun) flush(files int64) {
	for range files {
		r.next++
		r.live = append(r.live, state.SST{Number: r.next, Handle: state.Handle{Bytes: 1}})
	}
}

// sharings are the words for how a snapshot shares files, behind its id; without one it is a checkpoint.
var sharings = map[string]state.Sharing{
	"checkpoint": state.ForwardBackward, "full checkpoint": state.Forward, "native savepoint": state.NoSharing,
}

func (r *incrementalRun) event(verb string, args []json.RawMessage) (Status, string) {
	var id event.Checkpoint
	word := "checkpoint"
	switch n := len(args); {
	case verb == "snapshot" && (n == 1 || n == 2):
		if err := scan(args, []any{&id, &word}[:n]...); err != nil {
			return done(err)
		}
		sharing, known := sharings[word]
		if !known {
			return Unknown("snapshot", fmt.Errorf("a %q", word))
		}
		r.bases[id] = r.snapshots.Base()
		r.out, r.sizes[id] = r.snapshots.Snapshot(id, r.live, 1, sharing, r.out[:0])
	case verb == "notifyComplete" && (n == 1 || n == 2): // the second one only says what it was, in a word or as {savepoint: true}
		var what struct{ Savepoint bool }
		if n == 2 && Decode(args[1], &what) == nil {
			args = args[:1]
		}
		if err := scan(args, []any{&id, &word}[:len(args)]...); err != nil {
			return done(err)
		}
		r.snapshots.Complete(id)
	case verb == "notifyAborted" && n == 1:
		if err := scan(args, &id); err != nil {
			return done(err)
		}
		r.snapshots.Abort(id)
	case verb == "flush" && n == 1:
		if err := scan(args, &id); err != nil {
			return done(err)
		}
		r.flush(id)
	case verb == "compact" && n == 0: // all files become one
		r.live = r.live[:0]
		r.flush(1)
	case verb == "restore" && n == 1:
		if err := scan(args, &id); err != nil {
			return done(err)
		}
		r.snapshots.Restore(id, r.out)
	case verb == "restoreCanonicalSavepoint" && n == 0:
		r.snapshots.Restore(0, nil)
	default:
		return Unknown(fmt.Sprintf("%s with %d arguments", verb, n), errUnknown)
	}
	return Pass, ""
}

// sizeKeys are the keys that compare two sizes, and those that are one.
var (
	sizeRelation = regexp.MustCompile(`^(fullSize|checkpointedSize)Of(\d+)(GreaterThan|EqualTo|Equals|LessThan)(FullSize|CheckpointedSize)Of(\d+)$`)
	sizeOfOne    = regexp.MustCompile(`^(uploadedFiles|newFiles|files|reusedFiles)Of(\d+)$`)
	baseOfOne    = regexp.MustCompile(`^base(?:Checkpoint)?Of(\d+)$`)
)

func (r *incrementalRun) value(key string, _ json.RawMessage) (any, bool) {
	if m := sizeRelation.FindStringSubmatch(key); m != nil {
		a, err := r.size(m[1] == "fullSize", m[2])
		b, errB := r.size(m[4] == "FullSize", m[5])
		switch {
		case errors.Join(err, errB) != nil:
			return nil, false
		case m[3] == "GreaterThan":
			return a > b, true
		case m[3] == "LessThan":
			return a < b, true
		}
		return a == b, true
	}
	if m := sizeOfOne.FindStringSubmatch(key); m != nil {
		n, err := r.size(m[1] == "files", m[2])
		if m[1] == "reusedFiles" {
			all, _ := r.size(true, m[2])
			return all - n, err == nil
		}
		return n - 1, err == nil // without the metadata
	}
	if m := baseOfOne.FindStringSubmatch(key); m != nil {
		id, err := strconv.ParseInt(m[1], 10, 64)
		base, taken := r.bases[id]
		return base, err == nil && taken
	}
	if key == "base" {
		return r.snapshots.Base(), true
	}
	return nil, false
}

// size is the full or the checkpointed size of a snapshot that was taken.
func (r *incrementalRun) size(full bool, digits string) (int64, error) {
	id, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return 0, err
	}
	s, taken := r.sizes[id]
	switch {
	case !taken:
		return 0, fmt.Errorf("no snapshot %d", id)
	case full:
		return s.Full, nil
	}
	return s.Checkpointed, nil
}
