package vector

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"checkpointlab/core/event"
	"checkpointlab/core/sink"
)

// sinkWords is what the runners of sinks share: the case's names of committables, and what was done.
type sinkWords struct {
	names   []string // by id
	emitted []sink.Message
	failed  bool // some call failed
}

// endOfInputWord is how a case writes sink.EndOfInput.
const endOfInputWord = "end-of-input marker"

// idOf is a number for a name of the case; a name that comes twice is another committable.
func (w *sinkWords) idOf(name string) int64 {
	w.names = append(w.names, name)
	return int64(len(w.names) - 1)
}

// finish answers a call that was to fail or not: the word error behind an event's arguments says that it fails.
func (w *sinkWords) finish(f sink.Failure, fails bool) (Status, string) {
	w.failed = w.failed || f != sink.NoFailure
	switch {
	case fails && f == sink.NoFailure:
		return Differ("the call", "done", "error")
	case !fails && f != sink.NoFailure:
		return Differ("the call", f, "no error")
	}
	return Pass, ""
}

// failing cuts the word error off an event's arguments.
func failing(args []json.RawMessage) ([]json.RawMessage, bool) {
	if n := len(args); n > 0 && string(args[n-1]) == `"error"` {
		return args[:n-1], true
	}
	return args, false
}

// checkpointOf reads an id or the marker of the end of the input.
func checkpointOf(raw json.RawMessage) (id event.Checkpoint, err error) {
	var word string
	if json.Unmarshal(raw, &word) == nil {
		if word != endOfInputWord {
			return 0, fmt.Errorf("checkpoint %q", word)
		}
		return sink.EndOfInput, nil
	}
	return id, json.Unmarshal(raw, &id)
}

// messages are those emitted, with as much of each as the case asks for: a summary's keys, a committable's name.
func (w *sinkWords) messages(want json.RawMessage) (any, bool) {
	var asked [][]json.RawMessage
	if json.Unmarshal(want, &asked) != nil {
		return nil, false
	}
	got := make([][]any, 0, len(w.emitted))
	for i, m := range w.emitted {
		var like []json.RawMessage
		if i < len(asked) && len(asked[i]) > 0 {
			like = asked[i]
		}
		shown, ok := w.message(m, like)
		if !ok {
			return nil, false
		}
		got = append(got, shown)
	}
	return got, true
}

func (w *sinkWords) message(m sink.Message, like []json.RawMessage) (shown []any, ok bool) {
	if m.Kind == sink.Committable {
		if len(like) > 2 {
			return nil, false
		}
		if len(like) == 1 {
			return []any{"committable"}, true
		}
		return []any{"committable", w.names[m.ID]}, true
	}
	const failed = 0 // of what failed nobody keeps count since FLINK-36455 (SubtaskCommittableManager.getNumFailed)
	all := map[string]any{"cp": m.Checkpoint, "count": m.Count, "failed": failed, "subtask": m.Subtask}
	if m.Checkpoint == sink.EndOfInput {
		all["cp"] = endOfInputWord
	}
	var keys map[string]json.RawMessage
	if len(like) != 2 || json.Unmarshal(like[1], &keys) != nil { // it differs anyway; all is shown
		return []any{"summary", all}, true
	}
	asked := map[string]any{}
	for key := range keys {
		if asked[key], ok = all[key]; !ok {
			return nil, false
		}
	}
	return []any{"summary", asked}, true
}

// committerRun drives the committer's operator: unit committer.
type committerRun struct {
	sinkWords
	committer sink.Committer
	after     sink.CommitterConfig // of the one that is restored
	announced []sink.Message       // summaries, less what has come of them
	saved     map[event.Checkpoint]*sink.Committer
	answer    func(attempt int) sink.Answer
	crashed   bool

	commits []string
	at      []string // the verb of the event at which each was committed
	atEvent []string // … with its arguments
	before  int      // how many of them before the crash
	verb    string   // in work
	told    string   // … with its arguments
	out     []sink.Effect
}

func runCommitter(c Case) (Status, string) {
	g := struct {
		Unit, Committer                                  string
		PostCommitTopology, Batch                        bool
		Checkpointing                                    *bool
		Subtask, SubtaskBefore, SubtaskAfter             int32
		Parallelism, ParallelismBefore, ParallelismAfter int32 // of no effect on one subtask
		Retries                                          *int
	}{}
	if err := Decode(c.Given, &g); err != nil {
		return Unknown("given", err)
	}
	answer, known := committers[g.Committer]
	if !known {
		return Unknown("committer", fmt.Errorf("%q", g.Committer))
	}
	config := sink.CommitterConfig{
		Subtask: g.Subtask + g.SubtaskBefore, Retries: intOr(g.Retries, sink.DefaultRetries), PostCommit: g.PostCommitTopology,
		Checkpointing: !g.Batch && (g.Checkpointing == nil || *g.Checkpointing),
	}
	r := &committerRun{committer: sink.NewCommitter(config), after: config, answer: answer, saved: map[event.Checkpoint]*sink.Committer{}}
	if g.SubtaskAfter != 0 {
		r.after.Subtask = g.SubtaskAfter
	}
	return replayOn(r, c)
}

// committers are what the external system answers, by the words of given.committer.
var committers = map[string]func(attempt int) sink.Answer{
	"": func(int) sink.Answer { return sink.Success },
	"asks for a retry on the first call, succeeds afterwards": func(attempt int) sink.Answer {
		if attempt == 0 {
			return sink.Retry
		}
		return sink.Success
	},
	"always asks for a retry":     func(int) sink.Answer { return sink.Retry },
	"was committed before":        func(int) sink.Answer { return sink.Already },
	"fails for a known reason":    func(int) sink.Answer { return sink.FailedKnown },
	"fails for an unknown reason": func(int) sink.Answer { return sink.FailedUnknown },
}

// Attempt is the external system.
func (r *committerRun) Attempt(_ event.Time, _ sink.Message, attempt int) sink.Answer {
	return r.answer(attempt)
}

func (r *committerRun) event(verb string, args []json.RawMessage) (Status, string) {
	args, fails := failing(args)
	r.verb, r.told = verb, verb
	for _, arg := range args {
		r.told += " " + string(arg)
	}
	var f sink.Failure
	var err error
	switch n := len(args); {
	case verb == "summary" && n == 1:
		f, err = r.summary(args[0])
	case verb == "committable" && (n == 2 || n == 3):
		f, err = r.committable(args)
	case verb == "notifyComplete" && n == 1:
		var id event.Checkpoint
		if err = scan(args, &id); err == nil {
			r.out, f = r.committer.Complete(0, id, r, r.out[:0])
		}
	case verb == "endInput" && n == 0:
		r.out, f = r.committer.EndInput(0, r, r.out[:0])
	case verb == "crash" && n == 0:
		r.crashed, r.before = true, len(r.commits)
		r.committer.Reset()
	case verb == "snapshot" && n == 1:
		err = r.snapshot(args)
	case verb == "restore" && n == 1:
		f, err = r.restore(args)
	default:
		return Unknown(fmt.Sprintf("%s with %d arguments", verb, n), errUnknown)
	}
	if err != nil {
		return done(err)
	}
	r.take()
	return r.finish(f, fails)
}

func (r *committerRun) summary(raw json.RawMessage) (sink.Failure, error) {
	var s struct {
		CP            json.RawMessage
		Count         int32
		WriterSubtask int32
	}
	if err := Decode(raw, &s); err != nil {
		return 0, err
	}
	id, err := checkpointOf(s.CP)
	if err != nil {
		return 0, err
	}
	m := sink.Message{Kind: sink.Summary, Checkpoint: id, Subtask: s.WriterSubtask, Count: s.Count}
	r.announced = append(r.announced, m)
	return r.committer.Take(m), nil
}

// committable comes from the writer that is said, else from the first one that still owes one for its checkpoint, else from nobody
// known.
func (r *committerRun) committable(args []json.RawMessage) (sink.Failure, error) {
	var name word
	if err := scan(args[:1], &name); err != nil {
		return 0, err
	}
	id, err := checkpointOf(args[1])
	if err != nil {
		return 0, err
	}
	m := sink.Message{Kind: sink.Committable, Checkpoint: id, ID: r.idOf(string(name))}
	var from struct{ WriterSubtask *int32 }
	if len(args) == 3 {
		if err := Decode(args[2], &from); err != nil {
			return 0, err
		}
	}
	for i := range r.announced {
		if s := &r.announced[i]; s.Checkpoint == id && s.Count > 0 && (from.WriterSubtask == nil || *from.WriterSubtask == s.Subtask) {
			s.Count--
			m.Subtask = s.Subtask
			break
		}
	}
	return r.committer.Take(m), nil
}

func (r *committerRun) snapshot(args []json.RawMessage) error {
	var id event.Checkpoint
	if err := scan(args, &id); err != nil {
		return err
	}
	stored := sink.NewCommitter(r.committer.CommitterConfig)
	stored.CopyFrom(&r.committer)
	r.saved[id] = &stored
	return nil
}

func (r *committerRun) restore(args []json.RawMessage) (f sink.Failure, err error) {
	var id event.Checkpoint
	if err := scan(args, &id); err != nil {
		return 0, err
	}
	stored, ok := r.saved[id]
	if !ok || !r.crashed {
		return 0, errors.New("a restore needs a crash and that snapshot")
	}
	r.crashed = false
	r.committer = sink.NewCommitter(r.after)
	r.out, f = r.committer.Restore(0, id, r, r.out[:0], stored)
	return f, nil
}

// take remembers what was done.
func (r *committerRun) take() {
	for _, e := range r.out {
		switch e.Kind {
		case sink.Committed:
			r.commits, r.at = append(r.commits, r.names[e.ID]), append(r.at, r.verb)
			r.atEvent = append(r.atEvent, r.told)
		case sink.Emitted:
			r.emitted = append(r.emitted, e.Message)
		}
	}
	r.out = r.out[:0]
}

func (r *committerRun) value(key string, want json.RawMessage) (any, bool) {
	switch key {
	case "commits":
		return append([]string{}, r.commits...), true
	case "commitsBeforeCrash":
		return append([]string{}, r.commits[:r.before]...), true
	case "commitAt": // the verb, or the event with what it is about
		if at := strings.Join(distinct(r.atEvent), ", "); meansSame(at, want) {
			return at, true
		}
		return strings.Join(distinct(r.at), ", "), true
	case "when":
		return whenRestored(r.at), true
	case "emitted":
		return r.messages(want)
	case "emittedCount":
		return len(r.emitted), true
	case "pending":
		return r.committer.Metrics().Pending, true
	case "successful":
		return r.committer.Metrics().Successful, true
	case "already":
		return r.committer.Metrics().Already, true
	case "failed":
		return r.committer.Metrics().Failed, true
	case "retried":
		return r.committer.Metrics().Retried, true
	case "jobFails":
		return r.failed, true
	}
	return nil, false
}

// whenRestored says in the vectors' words that everything was committed by the restore.
func whenRestored(at []string) string {
	if d := distinct(at); len(d) == 1 && d[0] == "restore" {
		return "during state initialization, without waiting for a new checkpoint"
	}
	return "at " + strings.Join(distinct(at), ", ")
}

// distinct are the words without those that equal the one before.
func distinct(words []string) (d []string) {
	for i, w := range words {
		if i == 0 || w != words[i-1] {
			d = append(d, w)
		}
	}
	return d
}
