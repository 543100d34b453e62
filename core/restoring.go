package core

import (
	"fmt"
	"slices"

	"checkpointlab/core/event"
	"checkpointlab/core/option"
	"checkpointlab/core/state"
	"checkpointlab/core/task"
)

// A new version of a job starts from a snapshot of the old one: RestoreJob of the script. What it changes decides whether it can.

// Refusal says why a job could not start from a snapshot.
type Refusal uint8

// The reasons.
const (
	NotRefused     Refusal = iota
	InFlight               // data in flight cannot be dealt to another parallelism (case C18)
	UnclaimedState         // there is state for an operator that the job does not have
	OtherMaxParallelism
	OtherBackend // state in the format of another backend; tasks fail at their start, again and again
)

// checkRestore refuses what Flink refuses before anything runs. False: nothing else of the action needs checking.
func (s *Setup) checkRestore(i int, bad func(string, ...any)) bool {
	a, o := &s.Script[i], &s.Options
	switch {
	case !a.FromSavepoint && o.Retention != option.RetainOnCancel:
		bad("action %d of the script starts a job from the last checkpoint of one that is cancelled, and execution.checkpointing.externalized-checkpoint-retention is %s: the checkpoint is deleted with the job; set it to RETAIN_ON_CANCELLATION, or start from: SAVEPOINT", i+1, o.Retention)
	case o.Changelog && s.Storage.On && o.ClaimMode == option.NoClaim:
		bad("action %d of the script starts a job with state.changelog.enabled from a snapshot, and execution.state-recovery.claim-mode is NO_CLAIM: the changelog cannot store a full first checkpoint, and its tasks fail at it; set the claim mode to CLAIM", i+1)
	case a.Renamed && a.Vertex < 0:
		bad("action %d of the script gives no vertex another uid; name one", i+1)
	case a.MaxParallel < 0 || a.MaxParallel > maxParallelism:
		bad("action %d of the script gives a max parallelism of %d; give 1 to %d", i+1, a.MaxParallel, maxParallelism)
	case a.Parallelism < 0 || a.Backend < 0 || a.Backend > len(option.BackendNames()):
		bad("action %d of the script gives a negative parallelism or a state backend that does not exist", i+1)
	default:
		return true
	}
	return false
}

// hasState reports whether a checkpoint holds anything of a vertex. A map without state has nothing to lose.
func (v *Vertex) hasState() bool {
	return v.Kind != Map || v.stateful() || v.Snapshot.Size > 0 || v.Window.Size > 0 || v.Async.Capacity > 0
}

// refusal is why the job cannot start from a snapshot as its next phase (Checkpoints.loadAndValidateCheckpoint).
func (l *Lab) refusal(next *plan, s *task.Save) Refusal {
	for _, a := range next.since(l.plan) {
		if why := l.plan.setup.refuses(a); why != NotRefused && s.ID != 0 {
			return why
		}
	}
	return NotRefused
}

// refuses is why a new version that has what an action changes cannot start from a snapshot of this job.
func (s *Setup) refuses(a *Action) Refusal {
	switch {
	case a.Do != RestoreJob:
	case a.Renamed && !s.Options.IgnoreUnclaimed && s.Vertices[a.Vertex].hasState():
		return UnclaimedState
	case a.MaxParallel > 0 && a.MaxParallel != s.MaxParallel:
		return OtherMaxParallelism
	}
	return NotRefused
}

// refused is the action that a refusal is about when action i was requested: that one, or an earlier one that it has overtaken.
func (l *Lab) refused(i int, why Refusal) *Action {
	for _, a := range l.plan.phaseOf(i).since(l.plan) {
		if l.plan.setup.refuses(a) == why {
			return a
		}
	}
	return &l.plan.setup.Script[i]
}

// unreadable is a task whose backend cannot read the state of a snapshot, -1 if there is none: only canonical savepoints are in
// no backend's own format (StateUtil.unexpectedStateHandleException).
func (l *Lab) unreadable(s *task.Save) event.Task {
	if s.Kind == state.CanonicalSavepoint || l.plan.phases[s.Phase].setup.Options.Backend == l.plan.setup.Options.Backend {
		return -1
	}
	for v := range l.plan.setup.Vertices {
		if l.plan.setup.Vertices[v].stateful() && !l.dropped(v, s) {
			return l.plan.first[v]
		}
	}
	return -1
}

// Words states the refusal with key, value and remedy. The action is the one that it is about.
func (r Refusal) Words(s *Setup, a *Action, id event.Checkpoint) string {
	switch r {
	case InFlight:
		return fmt.Sprintf("checkpoint %d has data in flight on an exchange that cannot be dealt to another parallelism; rescale from a savepoint, or take an aligned checkpoint first", id)
	case UnclaimedState:
		return fmt.Sprintf("checkpoint %d has state of %s, whose uid is another one in the new version, so that no operator takes it; give it its former uid, or set execution.state-recovery.ignore-unclaimed-state to true (--allowNonRestoredState) and lose that state", id, s.Vertices[a.Vertex].Name)
	case OtherMaxParallelism:
		return fmt.Sprintf("pipeline.max-parallelism is %d, and the state of checkpoint %d was stored with %d; set it to %d", a.MaxParallel, id, s.MaxParallel, s.MaxParallel)
	case OtherBackend:
		return fmt.Sprintf("state.backend.type is %s, and checkpoint %d is in the format of another backend; change the backend with a savepoint in the CANONICAL format", option.BackendNames()[s.Options.Backend], id)
	}
	return ""
}

// claim makes a snapshot what the new job starts from: it then belongs to the job or to the user, by the claim mode (spec 8.2).
// What else the old job has retained is the user's if the job was cancelled, and was deleted when it finished
// (CheckpointProperties).
func (l *Lab) claim(now event.Time, id event.Checkpoint, finished bool) {
	o := &l.plan.setup.Options
	s := l.world.Save(id)
	l.coord.ForceFull(o.ClaimMode == option.NoClaim && id != 0)
	for t := range l.storing.since {
		l.storing.since[t] = now // local copies are of the old job
	}
	if l.world.Store == nil {
		l.forgetOthers(id)
		return
	}
	if id != 0 {
		l.recoverRegistries([]event.Checkpoint{id})
	}
	if id != 0 && o.ClaimMode != option.Claim {
		s.Foreign = true
		l.coord.Disown(id)
		l.keepFiles(id)
	}
	if !finished {
		l.letOthersGo(id)
	}
	l.forgetOthers(id)
}

// recoverRegistries makes the registry of shared files anew, with those of the checkpoints that a job or another JobManager begins with,
// oldest first (SharedStateRegistry.DEFAULT_FACTORY, CheckpointCoordinator.restoreSavepoint). Unless the job claims what it starts from
// none of these files is ever deleted, be the checkpoints its own (SharedStateRegistryImpl.registerAllAfterRestored, FLINK-26985).
func (l *Lab) recoverRegistries(ids []event.Checkpoint) {
	registries, o := l.storing.registries, &l.plan.setup.Options
	for t := range registries {
		registries[t] = state.NewRegistry()
	}
	for _, id := range ids {
		s := l.world.Save(id)
		for t := range min(len(registries), len(s.Parts)) {
			registerPart(&registries[t], &s.Parts[t], id, s.Kind, o.Changelog && s.Savepoint)
			registries[t].Restored(id, s.Kind, o.ClaimMode == option.Claim)
		}
		for t := range min(len(registries), len(s.Parts)) {
			l.registerKept(event.Task(t), &s.Parts[t], id)
		}
	}
}

// registerPart registers the new files that later checkpoints may use: all of them if a changelog continues from the snapshot.
func registerPart(r *state.Registry, p *state.Part, id event.Checkpoint, kind state.Kind, logged bool) {
	for _, f := range p.Upload {
		if f.Shared || logged || kind == state.NativeSavepoint && p.Threads > 0 {
			r.Register(state.Handle{Key: int64(f.ID), Bytes: f.Bytes}, id, logged)
		}
	}
}

// letOthersGo leaves what a cancelled job has retained beside snapshot id to its user.
func (l *Lab) letOthersGo(id event.Checkpoint) {
	for i := range l.world.Saves {
		if s := &l.world.Saves[i]; s.ID != id && s.ID != 0 && !s.Foreign {
			l.keepFiles(s.ID)
		}
	}
}

// forgetOthers leaves one snapshot to go back to.
func (l *Lab) forgetOthers(id event.Checkpoint) {
	for i := range l.world.Saves {
		if other := l.world.Saves[i].ID; other != id && !slices.Contains(l.storing.held, other) {
			l.world.Forget(other)
		}
	}
}
