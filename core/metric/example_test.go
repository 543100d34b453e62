package metric_test

import (
	"fmt"

	"checkpointlab/core/event"
	"checkpointlab/core/metric"
)

// A commit at 1 s shows 1000 records that had arrived a millisecond apart.
func ExampleSelection() {
	var l metric.Latencies
	l.Add(event.Second, event.Second*metric.Unit, -event.Millisecond*metric.Unit, 1000)
	var s metric.Selection
	s.Select(&l, metric.Everything())
	fmt.Println(s.Mean(), s.Quantile(0.99), s.Max())
	s.Select(&l, metric.Window{SeenTo: event.Second, ArrivedFrom: 900 * event.Millisecond})
	fmt.Println(s.Count(), s.Max())
	// Output:
	// 500500000 991000000 1000000000
	// 100 100000000
}
