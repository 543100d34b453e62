package vector

import (
	"encoding/json"
	"fmt"

	"checkpointlab/core/event"
	"checkpointlab/core/sink"
)

// sinkWords is what the runners of sinks share: the case's names of committables, and what was done.
type sinkWords struct {
	names   []string // by id
	emitted []sink.Message
	failure sink.Failure // of some call, the last one
	mayFail bool         // a case says of its calls as a whole whether they fail
	pending bool         // summaries are of what is to be committed, not of what was
}

// exceptions are what a sink's failures are in Flink 2.3: of CheckpointCommittableManagerImpl, CommitRequestImpl and SinkWriterOperator.
var exceptions = map[sink.Failure]thrown{
	sink.Incomplete: illegalArgument, sink.RetriesExhausted: "IOException", sink.CommitFailed: illegalState,
	sink.SummaryTwice: unsupported, sink.NotAnnounced: "NullPointerException", sink.InputEnded: illegalState,
}

// thrown is the exception of the last call that failed; nil if it is not known.
func (w *sinkWords) thrown() any {
	if t, ok := exceptions[w.failure]; ok || w.failure == sink.NoFailure {
		return t
	}
	return true
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
	if f != sink.NoFailure {
		w.failure = f
	}
	switch {
	case w.mayFail && !fails:
	case fails && f == sink.NoFailure:
		return Differ("the call", "done", "error")
	case !fails && f != sink.NoFailure:
		return Differ("the call", f, "no error")
	}
	return Pass, ""
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
		switch len(like) {
		case 1:
			return []any{"committable"}, true
		case 3: // with what else is known of it
			asked, ok := askedOf(like[2], map[string]any{"cp": checkpointWord(m.Checkpoint), "subtask": m.Subtask})
			return []any{"committable", w.names[m.ID], asked}, ok && like[2][0] == '{'
		}
		return []any{"committable", w.names[m.ID]}, len(like) <= 2
	}
	const failed = 0 // of what failed nobody keeps count since FLINK-36455 (SubtaskCommittableManager.getNumFailed)
	all := map[string]any{"cp": checkpointWord(m.Checkpoint), "count": m.Count, "failed": failed, "subtask": m.Subtask, "pending": 0}
	if w.pending {
		all["pending"] = m.Count
	}
	if len(like) != 2 { // it differs anyway; all is shown
		return []any{"summary", all}, true
	}
	asked, ok := askedOf(like[1], all)
	return []any{"summary", asked}, ok
}

// checkpointWord is an id as a case writes it.
func checkpointWord(id event.Checkpoint) any {
	if id == sink.EndOfInput {
		return endOfInputWord
	}
	return id
}

// askedOf is as much of what is known as an object asks for; ok is false if it asks for more. What is no object differs anyway: all is
// shown.
func askedOf(like json.RawMessage, all map[string]any) (asked map[string]any, ok bool) {
	var keys map[string]json.RawMessage
	if json.Unmarshal(like, &keys) != nil {
		return all, true
	}
	asked = map[string]any{}
	for key := range keys {
		if asked[key], ok = all[key]; !ok {
			return nil, false
		}
	}
	return asked, true
}
