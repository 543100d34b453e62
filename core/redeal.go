package core

import (
	"checkpointlab/core/event"
	"checkpointlab/core/job"
	"checkpointlab/core/task"
	"checkpointlab/core/watermark"
)

// dealWindows deals what window operators keep to the subtasks of another phase, by key groups: slices of event time, and the
// timers of a window that is firing. If subtasks had fired to different points, which aligned barriers behind watermarks do not
// let happen, the one furthest behind counts.
func (l *Lab) dealWindows(out, s *task.Save, next *plan) {
	if s.Windows == nil {
		return
	}
	out.Windows = s.Windows
	for v := range next.setup.Vertices {
		if w := &next.setup.Vertices[v].Window; w.Size > 0 {
			l.dealWindow(out, s, next, v)
		}
	}
}

func (l *Lab) dealWindow(out, s *task.Save, next *plan, v int) {
	old, now := l.plan.setup.Vertices[v].Parallelism, next.setup.Vertices[v].Parallelism
	first := l.plan.first[v]
	dropped := next.renames(l.plan, v)
	if old == now && !dropped {
		return
	}
	dealt := make([]watermark.Windows, now)
	for j := range dealt {
		r := next.setup.Vertices[v].windowRule(j, next.keys[v])
		dealt[j] = watermark.NewWindows(r.Size, r.Slide, r.Keys)
	}
	for k := 0; k < old && !dropped; k++ {
		readers := job.Range.NewSubtasks(k, old, now, nil)
		shares, all := l.sharesOf(readers, k, old, now)
		from := int64(0)
		for i, j := range readers {
			dealt[j].Take(&s.Windows[first+event.Task(k)].Panes, from, from+shares[i], all)
			from += shares[i]
		}
	}
	for j := range dealt {
		t := first + event.Task(j)
		dealt[j].Count(out.Next[t])
		out.Windows[t].Panes.CopyFrom(&dealt[j])
		if j >= old {
			out.Windows[t].Made = 0
		}
	}
}

// dealRequests deals the requests that asynchronous operators have under way: a list in their state (job.SplitList).
func (l *Lab) dealRequests(out, s *task.Save, next *plan) {
	if s.Async == nil {
		return
	}
	out.Async = s.Async
	for v := range next.setup.Vertices {
		if next.setup.Vertices[v].Async.Capacity == 0 {
			continue
		}
		old, now := l.plan.setup.Vertices[v].Parallelism, next.setup.Vertices[v].Parallelism
		first := l.plan.first[v]
		var all []event.Run
		for k := range old {
			all = append(all, s.Async[first+event.Task(k)].Records...)
		}
		dropped := next.renames(l.plan, v)
		if old == now && !dropped {
			continue
		}
		if dropped {
			all = nil
		}
		shares, _ := job.SplitList(len(all), now, 0, nil)
		for j := range max(old, now) {
			t := first + event.Task(j)
			x := &out.Async[t]
			x.Records = nil
			if j >= old {
				x.Made, x.Dropped = 0, 0
			}
			if j < now {
				x.Records, all = append(x.Records, all[:shares[j]]...), all[shares[j]:]
			}
			out.Next[t] = x.Made + x.Dropped + int64(len(x.Records))
		}
	}
}
