// Package closedform holds the table that the chapter's simplified job has exactly, and measures the same on the
// simulation: 1,000 records/s for 600 s, barriers at multiples of the interval, each checkpoint complete 0.5 s later.
package closedform

import (
	_ "embed"
	"encoding/json"

	"checkpointlab/core/event"
)

// Horizon is how long records arrive; Spacing is the distance of two records, to which the table is exact.
const (
	Horizon = 600 * event.Second
	Spacing = event.Millisecond
)

// Row is the exact values for one interval. Latencies in s.
type Row struct {
	Interval    event.Time
	Mean        float64
	P50         float64
	P95         float64
	P99         float64
	Max         float64
	Reprocessed float64 // mean records read again after a failure at a uniform instant of the horizon
}

//go:embed testdata/tables.json
var tables []byte

// Exact is the table by interval, shortest first. It panics if the embedded table cannot be read.
func Exact() []Row {
	var t struct {
		Visibility []struct {
			I     event.Time
			Exact struct{ Mean, P50, P95, P99, Max float64 }
		}
		Failure []struct {
			ExactMean float64 `json:"exact_mean"`
		}
	}
	if err := json.Unmarshal(tables, &t); err != nil {
		panic("closedform: embedded table: " + err.Error())
	}
	rows := make([]Row, len(t.Visibility))
	for i, v := range t.Visibility {
		e := v.Exact
		rows[i] = Row{v.I * event.Second, e.Mean, e.P50, e.P95, e.P99, e.Max, t.Failure[i].ExactMean}
	}
	return rows
}
