package core

import (
	"checkpointlab/core/event"
	"checkpointlab/core/sim"
	"checkpointlab/core/task"
)

// fetched says for how many items of a lane, from its head on, the memory was read ahead.
type fetched struct {
	left     [sim.Lanes]int
	tasks    [task.Batch]event.Task
	channels [task.Batch]event.Channel
}

// wideTasks and wideChannels are the sizes from which reading ahead pays: what the items touch no longer fits into a core's own
// caches.
const (
	wideTasks    = 500
	wideChannels = 5000
)

// fetch reads what the next items of a lane will need, so that their memory is under way while this item is handled. It has no
// other effect.
func (l *Lab) fetch(it *sim.Item) {
	lane := event.LaneNetwork
	switch it.Kind {
	case event.DueFlush:
		lane = event.LaneFlush + int(l.world.Tasks[it.A].Vertex)%event.FlushLanes
	case event.DueDeliver, event.DueResume, event.DueCredit:
	default:
		return
	}
	f := &l.fetched
	if f.left[lane]--; f.left[lane] > 0 {
		return
	}
	n := 0
	for ; n < task.Batch; n++ {
		next := l.queue.Upcoming(lane, n)
		if next == nil {
			break
		}
		f.tasks[n], f.channels[n] = next.A, next.A
	}
	switch f.left[lane] = n; it.Kind {
	case event.DueFlush:
		l.world.FetchFlushes(f.tasks[:n])
	case event.DueDeliver:
		l.world.FetchDeliveries(f.channels[:n])
	default:
		l.world.Net.FetchChannels(f.channels[:n])
	}
}
