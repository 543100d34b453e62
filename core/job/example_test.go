package job_test

import (
	"fmt"

	"checkpointlab/core/job"
)

// How the first thousand records of a source are dealt to two subtasks behind a keyBy.
func ExampleDealing() {
	weights := job.KeyWeights(1024, 0, 128)
	d := job.NewHashDealing(weights, 128, 2, 1024, 1)
	fmt.Println(d.Count(0, 0, 1024), d.Count(1, 0, 1024))
	third := d.Position(1, 100, 2)
	fmt.Println(d.Count(1, 100, third), d.Channel(third))
	// Output:
	// 523 501
	// 2 1
}
