package vector

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"checkpointlab/core/event"
	"checkpointlab/core/sink"
)

// committerRun drives the committer's operator: unit committer.
type committerRun struct {
	sinkWords
	committer sink.Committer
	after     sink.CommitterConfig // of the one that is restored
	announced []sink.Message       // summaries, less what has come of them
	saved     map[event.Checkpoint]*sink.Committer
	answer    func(id int64, attempt int) sink.Answer
	tries     map[[2]int64]bool // calls of the external system, by event and attempt
	crashed   bool
	only      *event.Checkpoint // the checkpoint of what does not say one: a manager of one checkpoint's committables

	commits []string
	at      []string // the verb of the event at which each was committed
	atEvent []string // … with its arguments
	before  int      // how many of them before the crash
	verb    string   // in work
	told    string   // … with its arguments
	events  []string // verbs so far
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
		CheckpointID                                     *event.Checkpoint
	}{}
	if err := Decode(c.Given, &g); err != nil {
		return Unknown("given", err)
	}
	answer, err := answersOf(g.Committer)
	if err != nil {
		return Unknown("committer", err)
	}
	config := sink.CommitterConfig{
		Subtask: g.Subtask + g.SubtaskBefore, Retries: intOr(g.Retries, sink.DefaultRetries), PostCommit: g.PostCommitTopology,
		Checkpointing: !g.Batch && (g.Checkpointing == nil || *g.Checkpointing),
	}
	r := &committerRun{
		committer: sink.NewCommitter(config), after: config, answer: answer, only: g.CheckpointID,
		saved: map[event.Checkpoint]*sink.Committer{}, tries: map[[2]int64]bool{},
	}
	r.mayFail = expectsError(c)
	if g.SubtaskAfter != 0 {
		r.after.Subtask = g.SubtaskAfter
	}
	return replayOn(r, c)
}

// What given.committer says of the external system.
var (
	retriesFirst = regexp.MustCompile(`^(?:asks for a retry|asks for retry|retries|signals retryLater|fails)(?: on| for)? the first (?:(\w+) )?(?:calls?|attempts?|tries|try|time)(?:, |,| and |$)(?:then )?(?:succeeds|commits)?(?: afterwards| then)?$`)
	retriesOnce  = regexp.MustCompile(`^(?:retry|retries|asks for a retry|asks for retry|signals retryLater) once(?:, (?:then )?succeeds(?: afterwards| then)?)?$`)
	failsOne     = regexp.MustCompile(`^fails (?:the )?(\w+)(?: committable)? (?:with|for) an? (known|unknown) reason$`)
	ordinals     = map[string]int{"": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5}
	failReasons  = map[string]sink.Answer{"known": sink.FailedKnown, "unknown": sink.FailedUnknown}
)

// committers are what the external system answers to everything, by the words of given.committer.
var committers = map[string]sink.Answer{
	"": sink.Success, "succeeds": sink.Success, "always succeeds": sink.Success, "always asks for a retry": sink.Retry, "asks for a retry on every call": sink.Retry,
	"was committed before": sink.Already, "signals already committed": sink.Already, "fails for a known reason": sink.FailedKnown, "fails for an unknown reason": sink.FailedUnknown,
}

// answersOf is what the external system answers to an attempt at a committable.
func answersOf(words string) (func(id int64, attempt int) sink.Answer, error) {
	if a, ok := committers[words]; ok {
		return func(int64, int) sink.Answer { return a }, nil
	}
	if retriesOnce.MatchString(words) {
		words = "asks for a retry on the first call"
	}
	if m := retriesFirst.FindStringSubmatch(words); m != nil {
		if n, ok := ordinalOf(m[1]); ok {
			return func(_ int64, attempt int) sink.Answer {
				if attempt < n {
					return sink.Retry
				}
				return sink.Success
			}, nil
		}
	}
	if m := failsOne.FindStringSubmatch(words); m != nil {
		if n, ok := ordinalOf(m[1]); ok {
			return func(id int64, _ int) sink.Answer {
				if id == int64(n-1) {
					return failReasons[m[2]]
				}
				return sink.Success
			}, nil
		}
	}
	return nil, fmt.Errorf("%q", words)
}

func ordinalOf(word string) (int, bool) {
	if n, ok := ordinals[word]; ok {
		return n, true
	}
	n, err := strconv.Atoi(word)
	return n, err == nil
}

// Attempt is the external system.
func (r *committerRun) Attempt(_ event.Time, m sink.Message, attempt int) sink.Answer {
	r.tries[[2]int64{int64(len(r.events)), int64(attempt)}] = true
	return r.answer(m.ID, attempt)
}

func (r *committerRun) event(verb string, args []json.RawMessage) (Status, string) {
	args, fails := failing(args)
	r.verb, r.told = verb, verb
	r.events = append(r.events, verb)
	for _, arg := range args {
		r.told += " " + string(arg)
	}
	var f sink.Failure
	var err error
	switch n := len(args); {
	case verb == "summary" && n == 1:
		f, err = r.summary(args[0])
	case verb == "committable" && n >= 1 && n <= 3:
		f, err = r.committable(args)
	case verb == "notifyComplete" && n == 1:
		var id event.Checkpoint
		if err = scan(args, &id); err == nil {
			r.out, f = r.committer.Complete(0, id, r, r.out[:0])
		}
	case verb == "commit" && n == 0 && r.only != nil:
		r.out, f = r.committer.Complete(0, *r.only, r, r.out[:0])
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
		Subtask       *int32 // likewise, for a manager has none itself
	}
	if err := Decode(raw, &s); err != nil {
		return 0, err
	}
	if s.Subtask != nil {
		s.WriterSubtask = *s.Subtask
	}
	id, err := r.checkpointOf(s.CP)
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
	var from struct{ WriterSubtask, Subtask *int32 }
	if rest := args[1:]; len(rest) > 0 && Decode(rest[len(rest)-1], &from) == nil {
		if args = args[:len(args)-1]; from.WriterSubtask == nil {
			from.WriterSubtask = from.Subtask
		}
	}
	id, err := r.checkpointOf(append(args, nil)[1])
	if err != nil {
		return 0, err
	}
	m := sink.Message{Kind: sink.Committable, Checkpoint: id, ID: r.idOf(string(name))}
	for i := range r.announced {
		if s := &r.announced[i]; s.Checkpoint == id && s.Count > 0 && (from.WriterSubtask == nil || *from.WriterSubtask == s.Subtask) {
			s.Count--
			m.Subtask = s.Subtask
			break
		}
	}
	return r.committer.Take(m), nil
}

// checkpointOf is the checkpoint that is said, or the only one.
func (r *committerRun) checkpointOf(raw json.RawMessage) (event.Checkpoint, error) {
	switch {
	case raw != nil:
		return checkpointOf(raw)
	case r.only != nil:
		return *r.only, nil
	}
	return 0, errors.New("no checkpoint is said")
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
	case "successful": // how many, or which
		if bytes.HasPrefix(want, []byte("[")) {
			return inOrderOf(want, r.commits)
		}
		return r.committer.Metrics().Successful, true
	case "already":
		return r.committer.Metrics().Already, true
	case "failed":
		return r.committer.Metrics().Failed, true
	case "retried":
		return r.committer.Metrics().Retried, true
	case "jobFails", "error":
		return r.thrown(), true
	case "commitCalls":
		return len(r.tries), true
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
