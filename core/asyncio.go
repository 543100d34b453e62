package core

import (
	"checkpointlab/core/task"
)

// Async makes a map an operator of asynchronous I/O (AsyncDataStream); Capacity 0 = not asynchronous.
type Async = task.AsyncRule

const (
	mostUnderWay = 100_000
	mostRetries  = 100
)

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
	case a.Errors < 0 || a.Errors > 1_000_000 || a.Retries < 0 || a.Retries > mostRetries || a.Backoff < 0 || a.Backoff > maxCost || a.Timeout < 0 || a.Timeout > maxCost:
		bad("%d millionths of the requests of %s fail and are tried %d times again, %d ns apart, for %d ns; give up to 1000000, %d and %d ns", a.Errors, v.Name, a.Retries, a.Backoff, a.Timeout, mostRetries, maxCost)
	}
}
