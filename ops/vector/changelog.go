package vector

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"checkpointlab/core/event"
	"checkpointlab/core/state"
)

// changelogRun drives one subtask's log of state changes: units FsStateChangelogWriter and BatchingStateChangeUploadScheduler. The
// case is the storage: uploads end when it says so.
type changelogRun struct {
	log      state.Changelog
	now      event.Time
	tick     event.Time // the end of a batch's delay; Never = none waits
	persists event.Checkpoint

	uploading []int64 // segments that are on their way
	submitted []int64 // bytes of each, by upload
	seen      int     // of these, before the last look
	stored    []event.Checkpoint
	size      state.Size // of the last that was stored
	truncated int64
	failed    bool
}

func runChangelog(c Case) (Status, string) {
	var g struct {
		Unit                                         string
		PreemptivePersistThreshold, PersistThreshold *int64
		PersistDelayMs                               event.Time
		MaxInFlight                                  *int64
		MaxFailures                                  int
	}
	if err := Decode(c.Given, &g); err != nil {
		return Unknown("given", err)
	}
	or := func(n *int64, other int64) int64 {
		if n == nil {
			return other
		}
		return *n
	}
	return replayOn(&changelogRun{tick: event.Never, log: state.NewChangelog(state.ChangelogConfig{
		Preemptive: or(g.PreemptivePersistThreshold, math.MaxInt64), BatchSize: or(g.PersistThreshold, math.MaxInt64),
		BatchDelay: g.PersistDelayMs * event.Millisecond, MaxInFlight: or(g.MaxInFlight, math.MaxInt64), MaxFailures: g.MaxFailures,
	}, 0)}, c)
}

// event knows append bytes, persist [checkpoint], upload bytes (both in one), advance ms, uploaded (the oldest upload is stored),
// uploadedAll, abort checkpoint, materialize and materialized, with the word error behind it if that failed.
func (r *changelogRun) event(verb string, args []json.RawMessage) (Status, string) {
	args, fails := failing(args)
	var n int64
	if len(args) > 1 || fails && verb != "materialized" {
		return Unknown(fmt.Sprintf("%s with %d arguments", verb, len(args)), errUnknown)
	}
	if len(args) == 1 {
		if err := scan(args, &n); err != nil {
			return done(err)
		}
	}
	switch verb {
	case "append":
		r.take(r.log.Append(r.now, n, nil))
	case "upload":
		r.take(r.log.Append(r.now, n, nil))
		r.persist(0)
	case "persist":
		r.persist(n)
	case "advance":
		r.advance(r.now + n*event.Millisecond)
	case "uploaded":
		return done(r.uploaded())
	case "uploadedAll":
		for len(r.uploading) > 0 {
			if err := r.uploaded(); err != nil {
				return done(err)
			}
		}
	case "abort":
		r.take(r.log.Abort(n, nil))
	case "materialize":
		if _, ok := r.log.Materialize(r.now); !ok {
			return Unknown(verb, errors.New("one is under way"))
		}
	case "materialized":
		r.take(r.log.Materialized(!fails, nil))
	default:
		return Unknown(verb, errUnknown)
	}
	return Pass, ""
}

// persist is the asynchronous part of a checkpoint, 0 = the next one.
func (r *changelogRun) persist(id event.Checkpoint) {
	if id == 0 {
		id = r.persists + 1
	}
	r.persists = id
	r.take(r.log.Persist(r.now, id, nil))
}

func (r *changelogRun) advance(then event.Time) {
	if r.tick <= then {
		r.now = r.tick
		r.tick = event.Never
		r.take(r.log.Tick(r.now, nil))
	}
	r.now = then
}

func (r *changelogRun) uploaded() error {
	if len(r.uploading) == 0 {
		return errors.New("nothing is on its way")
	}
	number := r.uploading[0]
	r.uploading = r.uploading[1:]
	r.log.Freed(number)
	r.take(r.log.Uploaded(number, nil))
	return nil
}

func (r *changelogRun) take(out []state.ChangelogEffect) {
	for _, e := range out {
		switch e.Kind {
		case state.ArmBatch:
			r.tick = e.At
		case state.Upload:
			r.uploading, r.submitted = append(r.uploading, e.Number), append(r.submitted, e.Bytes)
		case state.Stored:
			r.stored, r.size = append(r.stored, e.ID), e.Size
		case state.Truncate:
			r.truncated = e.To
		case state.FailTask:
			r.failed = true
		}
	}
}

func (r *changelogRun) value(key string, _ json.RawMessage) (any, bool) {
	switch key {
	case "uploads": // bytes of each so far
		return append([]int64{}, r.submitted...), true
	case "uploadsSince": // … since the last look
		return append([]int64{}, r.submitted[r.seen:]...), true
	case "uploadedBytes":
		var bytes int64
		for _, n := range r.submitted {
			bytes += n
		}
		return bytes, true
	case "onTheirWay":
		return len(r.uploading), true
	case "isAvailable":
		return !r.log.Blocked(), true
	case "stored":
		return append([]event.Checkpoint{}, r.stored...), true
	case "checkpointedSize":
		return r.size.Checkpointed, len(r.stored) > 0
	case "fullSize":
		return r.size.Full, len(r.stored) > 0
	case "logBytes": // behind the last materialization
		return r.log.Length(), true
	case "truncatedTo":
		return r.truncated, true
	case "taskFails":
		return r.failed, true
	}
	return nil, false
}

// looked moves on what uploadsSince counts from.
func (r *changelogRun) looked(keys map[string]json.RawMessage) {
	if _, asked := keys["uploadsSince"]; asked {
		r.seen = len(r.submitted)
	}
}
