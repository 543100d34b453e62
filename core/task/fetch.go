package task

import "checkpointlab/core/event"

// Batch is how many tasks or channels are read ahead together: enough to fetch their memory in parallel, few enough for a
// first-level cache to keep it.
const Batch = 16

// fetching is the reused memory of one batch.
type fetching struct {
	tasks    [Batch]event.Task
	channels [Batch]event.Channel
	outs     [Batch]int32
	read     int
}

// FetchFlushes reads what the ticks of tasks' flushers need (network/fetch.go).
func (w *World) FetchFlushes(tasks []event.Task) {
	w.fetchTasks(tasks)
	w.fetchOutputs(tasks)
}

// FetchDeliveries reads what the arrival of buffers needs.
func (w *World) FetchDeliveries(channels []event.Channel) {
	f := &w.fetching
	tasks := f.tasks[:0]
	for _, c := range channels {
		tasks = append(tasks, w.Net.Wires[c].Consumer)
	}
	w.Net.FetchGates(channels)
	w.Net.FetchArrivals(channels)
	w.fetchTasks(tasks)
	sum := 0
	for _, id := range tasks {
		t := &w.Tasks[id]
		sum += int(t.Gates[0]) + int(t.Hands[0].Channel) + int(t.Hands[0].Entry.Left)
		if t.Kind == Sink {
			sum += w.Writers[t.Writer].Fetch()
		}
	}
	f.read += sum
	w.fetchOutputs(tasks)
}

// fetchTasks reads every cache line of the tasks.
func (w *World) fetchTasks(tasks []event.Task) {
	sum := 0
	for _, id := range tasks {
		t := &w.Tasks[id]
		sum += int(t.ID) + int(t.Cost) + int(t.Seen) + int(t.In) + int(t.FirstAt)
		if t.Working != nil {
			sum++
		}
	}
	for _, id := range tasks {
		if t := &w.Tasks[id]; t.Kind == Source {
			sum += w.Logs[t.Log].Fetch()
		}
	}
	w.fetching.read += sum
}

// fetchOutputs reads the first outputs of the tasks.
func (w *World) fetchOutputs(tasks []event.Task) {
	f := &w.fetching
	outs := f.outs[:0]
	for _, id := range tasks {
		if t := &w.Tasks[id]; len(t.Outs) > 0 {
			outs = append(outs, t.Outs[0])
		}
	}
	w.Net.FetchOpen(w.Net.FetchOutputs(outs, f.channels[:0]))
}
