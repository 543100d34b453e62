package barrier_test

import (
	"fmt"

	"checkpointlab/core/barrier"
	"checkpointlab/core/event"
)

// A task with two channels begins aligned; the second barrier is late, so the timer turns the checkpoint unaligned.
func ExampleHandler() {
	h := barrier.New(barrier.AlternatingKind, 2, true)
	b := barrier.Barrier{ID: 1, Alignment: barrier.TimeoutableAligned, Timeout: 100 * event.Millisecond}
	var out []barrier.Effect
	out = h.OnBarrier(20*event.Millisecond, 0, b, out)
	out = h.OnTimer(100*event.Millisecond, 1, out)
	out = h.OnBarrier(130*event.Millisecond, 1, b.AsUnaligned(), out)
	for _, e := range out {
		fmt.Println(e.Kind, e.Channel)
	}
	fmt.Println(h.AlignmentDuration(0) / event.Millisecond)
	// Output:
	// RegisterTimer -1
	// Block 0
	// Start -1
	// StoreInput 1
	// Snapshot -1
	// StopStoring 1
	// Resume 0
	// AlignmentEnded -1
	// 110
}
