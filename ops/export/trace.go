package export

import (
	"encoding/json"
	"io"

	"checkpointlab/core"
	"checkpointlab/core/event"
)

// traced is one line of the trace event format: ts and dur in µs, pid the job, tid the subtask plus one, 0 the coordinator.
// See "Trace Event Format" of the Chromium project.
type traced struct {
	Name  string         `json:"name"`
	Phase string         `json:"ph"`
	At    float64        `json:"ts"`
	Took  *float64       `json:"dur,omitempty"`
	Job   int            `json:"pid"`
	Line  int            `json:"tid"`
	ID    int            `json:"id,omitempty"`
	Bind  string         `json:"bp,omitempty"`
	Scope string         `json:"s,omitempty"`
	Args  map[string]any `json:"args,omitempty"`
}

func micros(t event.Time) float64 { return float64(t) / float64(event.Microsecond) }

// Trace writes a run as a trace: a line per subtask with the phases of every checkpoint, arrows for barriers, marks for
// what happened.
func Trace(w io.Writer, h *core.History, tasks []string) error {
	all := []traced{{Name: "thread_name", Phase: "M", Args: map[string]any{"name": "coordinator"}}}
	for i, name := range tasks {
		all = append(all, traced{Name: "thread_name", Phase: "M", Line: i + 1, Args: map[string]any{"name": name}})
	}
	span := func(name string, line int, from, took event.Time, id event.Checkpoint) {
		if took < 0 {
			return
		}
		d := micros(took)
		all = append(all, traced{Name: name, Phase: "X", At: micros(from), Took: &d, Line: line, Args: map[string]any{"checkpoint": id}})
	}
	for i := range h.Checkpoints {
		c := &h.Checkpoints[i]
		if c.Outcome != core.InProgress {
			span("checkpoint "+word(c.ID)+" "+outcomes[c.Outcome], 0, c.Triggered, c.Ended-c.Triggered, c.ID)
		}
		for k := range c.Tasks {
			p := &c.Tasks[k]
			span("start delay", k+1, c.Triggered, p.StartDelay, c.ID)
			span("alignment", k+1, c.Triggered+max(0, p.StartDelay), p.Alignment, c.ID)
			if p.SyncEnded >= 0 {
				span("sync", k+1, p.SyncEnded-max(0, p.Sync), p.Sync, c.ID)
				span("async", k+1, p.SyncEnded, p.Async, c.ID)
			}
		}
	}
	for i := range h.Passages {
		p := &h.Passages[i]
		name := "barrier " + word(p.Checkpoint)
		all = append(all, traced{Name: name, Phase: "s", At: micros(p.Sent), Line: int(p.From) + 1, ID: i + 1},
			traced{Name: name, Phase: "f", Bind: "e", At: micros(p.Received), Line: int(p.To) + 1, ID: i + 1})
	}
	for i := range h.Failures {
		f := &h.Failures[i]
		all = append(all, traced{Name: "failure", Phase: "i", At: micros(f.At), Scope: "g", Args: map[string]any{"restored_to": f.RestoredTo, "records_read_again": f.Reread}})
	}
	return json.NewEncoder(w).Encode(map[string]any{"displayTimeUnit": "ms", "traceEvents": all})
}
