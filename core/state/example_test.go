package state_test

import (
	"fmt"

	"checkpointlab/core/state"
)

// Three checkpoints of a backend that flushes a file between them; the second one expires, so its file is uploaded again.
func ExampleIncremental() {
	backend := state.NewIncremental(0)
	live := []state.SST{{Number: 1, Handle: state.Handle{Bytes: 100}}}
	for id := int64(1); id <= 3; id++ {
		_, size := backend.Snapshot(id, live, 0, state.ForwardBackward, nil)
		fmt.Println("checkpoint", id, "uploads", size.Checkpointed, "of", size.Full)
		if id == 2 {
			backend.Abort(id)
		} else {
			backend.Complete(id)
		}
		live = append(live, state.SST{Number: id + 1, Handle: state.Handle{Bytes: 100}})
	}
	// Output:
	// checkpoint 1 uploads 100 of 100
	// checkpoint 2 uploads 100 of 200
	// checkpoint 3 uploads 200 of 300
}

// A file is deleted once no retained checkpoint uses it.
func ExampleRegistry() {
	registry := state.NewRegistry()
	registry.Register(state.Handle{Key: 1}, 1, false)
	registry.Register(state.Handle{Key: 2}, 1, false)
	registry.Register(state.Handle{Key: 2, Reused: true}, 2, false)
	_, deleted := registry.Unregister(2, nil, nil)
	for _, f := range deleted {
		fmt.Println("delete file", f.Key)
	}
	// Output: delete file 1
}

// A checkpoint of a changelog uploads the tail of the log only.
func ExampleChangelog() {
	log := state.NewChangelog(state.ChangelogConfig{Preemptive: 5 << 20, MaxInFlight: 100 << 20}, 0)
	for id := int64(1); id <= 2; id++ {
		log.Append(0, 1000, nil)
		for _, e := range log.Persist(0, id, nil) {
			fmt.Println("checkpoint", id, "uploads", e.Bytes)
			for _, s := range log.Uploaded(e.Number, nil) {
				fmt.Println("stored:", s.Size.Full)
			}
		}
	}
	// Output:
	// checkpoint 1 uploads 1000
	// stored: 1000
	// checkpoint 2 uploads 1000
	// stored: 2000
}
