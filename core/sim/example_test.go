package sim_test

import (
	"fmt"

	"checkpointlab/core/sim"
)

// Of two items at the same instant, the one pushed first comes first.
func ExampleQueue() {
	var q sim.Queue
	q.Push(sim.Item{At: 20, ID: 1})
	q.Push(sim.Item{At: 10, ID: 2})
	q.Push(sim.Item{At: 10, ID: 3})
	for it, ok := q.Pop(); ok; it, ok = q.Pop() {
		fmt.Println(it.At, it.ID)
	}
	// Output:
	// 10 2
	// 10 3
	// 20 1
}
