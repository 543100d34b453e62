// Package finding says what a run shows that its numbers do not say by themselves: which subtask holds checkpoints up and by what,
// whether a restart came from checkpointing, what a restore has cost. A finding is a sentence with the numbers it rests on; there
// is none where nothing is to be said. They are read off what a real job shows, too: acknowledgements, gauges, sizes and times.
package finding

import (
	"fmt"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
)

// run is what is looked at.
type run struct {
	s     *core.Setup
	h     *core.History
	v     *core.View
	first []int // by vertex: its first task
	all   []string
}

// Of lists what a run shows at its end, the most telling first. v is its last view.
func Of(s *core.Setup, h *core.History, v *core.View) []string {
	r := &run{s: s, h: h, v: v}
	n := 0
	for i := range s.Vertices {
		r.first = append(r.first, n)
		n += s.Vertices[i].Parallelism
	}
	r.gaveUp()
	r.lingering()
	r.refused()
	r.finalizing()
	r.missing()
	r.declined()
	r.paused()
	r.stood()
	r.restarts()
	r.restores()
	r.letGo()
	r.firstFull()
	r.standstill()
	r.uncovered()
	r.downtime()
	r.oldFailures()
	r.unseen()
	r.late()
	r.deleting()
	r.savepoints()
	r.aligned()
	r.full()
	r.growing()
	r.skewed()
	r.callbacks()
	r.bottleneck()
	r.behind()
	r.answers()
	r.phases()
	r.spikes()
	r.held()
	r.flushes()
	r.inFlight()
	r.transactions()
	r.cache()
	r.stalled()
	r.disks()
	r.silent()
	r.ended()
	r.floor()
	r.unused()
	r.noFault()
	return r.all
}

func (r *run) say(format string, a ...any) { r.all = append(r.all, fmt.Sprintf(format, a...)) }

func span(d event.Time) string {
	switch {
	case d >= 10*event.Second:
		d -= d % event.Second
	case d >= event.Millisecond:
		d -= d % event.Millisecond
	default:
		d -= d % event.Microsecond
	}
	return option.FormatDuration(d)
}

func bytes(n int64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.1f gb", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.1f mb", float64(n)/(1<<20))
	default:
		return fmt.Sprintf("%d bytes", n)
	}
}

// vertexOf is the vertex and the subtask of a task.
func (r *run) vertexOf(task int) (v, i int) {
	for v+1 < len(r.first) && r.first[v+1] <= task {
		v++
	}
	return v, task - r.first[v]
}

func (r *run) name(task int) string {
	v, i := r.vertexOf(task)
	return fmt.Sprintf("subtask %d of %s", i, r.s.Vertices[v].Name)
}

func (r *run) view(task int) *core.TaskView {
	v, i := r.vertexOf(task)
	if v >= len(r.v.Vertices) || i >= len(r.v.Vertices[v].Tasks) {
		return nil
	}
	return &r.v.Vertices[v].Tasks[i]
}

// periodic are the last checkpoints, newest first; savepoints are left out.
func (r *run) periodic(most int) (list []*core.CheckpointRecord) {
	for i := len(r.h.Checkpoints) - 1; i >= 0 && len(list) < most; i-- {
		if c := &r.h.Checkpoints[i]; !c.Savepoint && c.ID > 0 {
			list = append(list, c)
		}
	}
	return list
}

// history is how many checkpoints Flink's own page remembers (web.checkpoints.history).
const history = 10
