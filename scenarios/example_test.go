package scenarios_test

import (
	"fmt"

	"checkpointlab/scenarios"
)

func ExampleScenario_Set() {
	s, err := scenarios.Load("backpressure")
	if err != nil {
		panic(err)
	}
	fmt.Println(s.Set("execution.checkpointing.interval", "2 s"), s.Set("job.vertices.sink.cost", "fast"))
	fmt.Println(s.Changes())
	fmt.Print(s.FlinkBlock())
	// Output:
	// <nil> job.vertices.sink.cost: "fast" is not a duration; write a whole number and a unit, such as 500 ms, 10 s or 2 min
	// [{execution.checkpointing.interval 2 s 0}]
	// execution.checkpointing.interval: 2 s
}
