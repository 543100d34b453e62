package core

import (
	"checkpointlab/core/event"
	"checkpointlab/core/task"
)

// Async makes a map an operator of asynchronous I/O (AsyncDataStream); Capacity 0 = it is none.
type Async struct {
	Capacity  int        // requests under way in a subtask
	Latency   event.Time // until an answer, at least
	Spread    event.Time // and up to so much more, drawn evenly
	Unordered bool       // answers are passed on as they come, but not past a watermark; else in the order of the records
}

const mostUnderWay = 100_000

func (a *Async) rule() task.AsyncRule {
	return task.AsyncRule{Ordered: !a.Unordered, Capacity: a.Capacity, Latency: a.Latency, Spread: a.Spread}
}

func (s *Setup) hasAsync() bool {
	for i := range s.Vertices {
		if s.Vertices[i].Async.Capacity > 0 {
			return true
		}
	}
	return false
}

func (v *Vertex) checkAsync(bad func(string, ...any)) {
	a := &v.Async
	switch {
	case a.Capacity == 0:
	case v.Kind != Map || v.Window.Size > 0 || !v.oneForOne() || v.Burst:
		bad("%s sends requests, but only a map that passes records on does so; put such a map there", v.Name)
	case a.Capacity < 0 || a.Capacity > mostUnderWay:
		bad("%s may have %d requests under way; give between 1 and %d", v.Name, a.Capacity, mostUnderWay)
	case a.Latency < 0 || a.Spread < 0 || a.Latency > maxCost || a.Spread > maxCost:
		bad("an answer to %s takes %d to %d ns more; give up to %d ns each", v.Name, a.Latency, a.Spread, maxCost)
	}
}
