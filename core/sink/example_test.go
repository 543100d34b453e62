package sink_test

import (
	"fmt"

	"checkpointlab/core/event"
	"checkpointlab/core/sink"
)

// willing commits whatever it is asked for.
type willing struct{}

func (willing) Attempt(event.Time, sink.Message, int) sink.Answer { return sink.Success }

// A writer hands two transactions over, checkpoint 1 is given up, checkpoint 2 completes: both are committed in order.
func ExampleCommitter() {
	head := sink.Head{Commits: true}
	committer := sink.NewCommitter(sink.CommitterConfig{Retries: sink.DefaultRetries, Checkpointing: true})
	messages := head.PreBarrier(1, []int64{41}, nil)
	messages = head.PreBarrier(2, []int64{42}, messages)
	for _, m := range messages {
		committer.Take(m)
	}
	effects, failure := committer.Complete(0, 2, willing{}, nil)
	for _, e := range effects {
		fmt.Println("commit", e.ID, "of checkpoint", e.Checkpoint)
	}
	fmt.Println(failure == sink.NoFailure)
	// Output:
	// commit 41 of checkpoint 1
	// commit 42 of checkpoint 2
	// true
}

// Records of a transactional sink are visible once their checkpoint completes.
func ExampleWriter() {
	w := sink.NewWriter(true, 1)
	w.Write(0, []event.Run{{Count: 100, Size: 100}}, 100)
	w.PreCommit(event.Second, 1)
	fmt.Println(w.Written, w.Visible)
	w.Commit(2*event.Second, 1, func(*sink.Contents) {})
	fmt.Println(w.Written, w.Visible)
	// Output:
	// 100 0
	// 100 100
}
