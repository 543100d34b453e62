package vector

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"checkpointlab/core/checkpoint"
	"checkpointlab/core/event"
	"checkpointlab/core/state"
)

// What acknowledges a checkpoint besides its tasks, and what tasks hand to it.

// sharedState are the shared files that tasks hand over with their acknowledgements: the registry has them, whatever becomes of the
// checkpoint, until no retained one is as old (CheckpointCoordinator#receiveAcknowledgeMessage, SharedStateRegistry#unregisterUnusedState).
type sharedState struct {
	registry  state.Registry
	names     []string // by key
	discarded []string
	next      []string // of the acknowledgement that comes
}

// sharedOf takes {shared: […]} off the end of an acknowledgement.
func sharedOf(verb string, args []json.RawMessage) ([]json.RawMessage, []string) {
	var with struct{ Shared []string }
	n := len(args)
	if verb != "ack" || n != 3 || !bytes.HasPrefix(args[n-1], []byte("{")) || Decode(args[n-1], &with) != nil {
		return args, nil
	}
	return args[:n-1], with.Shared
}

func (s *sharedState) register(id event.Checkpoint) {
	for _, name := range s.next {
		key := slices.Index(s.names, name)
		if key < 0 {
			key = len(s.names)
			s.names = append(s.names, name)
		}
		s.registry.Register(state.Handle{Key: int64(key), Bytes: 1}, id, false)
	}
}

// unregister drops what no retained checkpoint uses, oldest first.
func (s *sharedState) unregister(retained []event.Checkpoint) {
	if len(retained) == 0 {
		return
	}
	_, deleted := s.registry.Unregister(retained[0], nil, nil)
	for _, f := range deleted {
		s.discarded = append(s.discarded, s.names[f.Key])
	}
}

func (s *sharedState) kept() []string {
	return slices.DeleteFunc(slices.Clone(s.names), func(name string) bool { return slices.Contains(s.discarded, name) })
}

// coordinatorAnswers are the operators' coordinators that a trigger phase waits for, and which have answered, by checkpoint.
type coordinatorAnswers struct {
	names []string
	by    map[event.Checkpoint][]string
}

func (a *coordinatorAnswers) answer(id event.Checkpoint, name string) error {
	if !slices.Contains(a.names, name) {
		return fmt.Errorf("coordinator %s", name)
	}
	if a.by == nil {
		a.by = map[event.Checkpoint][]string{}
	}
	if !slices.Contains(a.by[id], name) {
		a.by[id] = append(a.by[id], name)
	}
	return nil
}

// left is how many have not answered.
func (a *coordinatorAnswers) left(id event.Checkpoint) int { return len(a.names) - len(a.by[id]) }

// unanswered is how many coordinators have not answered, by checkpoint.
func (r *lifecycleRun) unanswered(want json.RawMessage) (any, bool) {
	var asked map[string]json.RawMessage
	if json.Unmarshal(want, &asked) != nil {
		return nil, false
	}
	got := map[string]int{}
	for name := range asked {
		id, err := r.id(name)
		if err != nil {
			return nil, false
		}
		got[name] = r.answers.left(id)
	}
	return got, true
}

// settled tells by request whether it has come to an end, or of the only one: its checkpoint is complete or has failed. Asked for as a
// list, which have.
func (r *lifecycleRun) settled(want json.RawMessage) (any, bool) {
	if isList(want) {
		ended := slices.DeleteFunc(sortedKeys(r.requests), func(name string) bool { return !r.ended(name) })
		return numbered(ended, want), true
	}
	var asked map[string]json.RawMessage
	if json.Unmarshal(want, &asked) != nil || asked == nil {
		if len(r.requests) != 1 {
			return nil, false
		}
		return r.ended(sortedKeys(r.requests)[0]), true
	}
	got := map[string]bool{}
	for name := range asked {
		if _, ok := r.requests[name]; !ok {
			return nil, false
		}
		got[name] = r.ended(name)
	}
	return got, true
}

func (r *lifecycleRun) ended(name string) bool {
	if _, failed := r.failed[r.requests[name]]; failed {
		return true
	}
	id, begun := r.begun[r.requests[name]]
	return begun && slices.Contains(r.completed, id)
}

// newest is the highest of ids by its name, null if there is none (CheckpointStatsHistory#replacePendingCheckpointById).
func (r *lifecycleRun) newest(ids []event.Checkpoint, want json.RawMessage) any {
	if len(ids) == 0 {
		return nil
	}
	return one(r.symbol(slices.Max(ids)), want)
}

// tasksThat are those that have acknowledged, or have not.
func (r *lifecycleRun) tasksThat(p *checkpoint.Pending, acknowledged bool) []string {
	names := []string{}
	for t := range r.acks {
		if p.Acked(event.Task(t)) == acknowledged {
			names = append(names, r.tasks[t])
		}
	}
	return names
}

// listed are names in the order of the wanted list, which means nothing.
func listed(want json.RawMessage, names []string) any {
	got, ok := inOrderOf(want, names)
	if !ok {
		return names
	}
	return got
}
