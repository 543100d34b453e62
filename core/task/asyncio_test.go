package task

import (
	"testing"

	"checkpointlab/core/event"
)

// A watermark has a place in the queue of requests like a record (StreamElementQueue.tryPut), but is none under way.
func TestWatermarksTakeRoom(t *testing.T) {
	x := asyncIO{rule: AsyncRule{Capacity: 2}, queue: []request{{run: event.MarkRun(5)}}}
	if x.full() {
		t.Error("full with one of two")
	}
	x.queue = append(x.queue, request{run: event.Run{Count: 1}})
	if !x.full() || x.records() != 1 {
		t.Errorf("full is %v with a watermark and a record in two places, %d records", x.full(), x.records())
	}
}
