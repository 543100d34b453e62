package fidelity

import (
	"fmt"
	"strings"

	"checkpointlab/core"
	"checkpointlab/ops/closedform"
)

// instantsPerRow is how many instants of failure are read from each run of the chapter's table, as the chapter repeats.
const instantsPerRow = 1000

// ClosedRow is one interval of the chapter's table: exact, simulated, and simulated with Flink's own first trigger and the
// measured times of the control plane. Latencies in s.
type ClosedRow struct {
	Interval  float64  `json:"interval_s"`
	Exact     Chapter  `json:"exact"`
	Simulated Chapter  `json:"simulated"`
	Flink     Chapter  `json:"simulated_as_flink_starts"`
	Wrong     []string `json:"wrong"`
}

// Chapter is one row of the table.
type Chapter struct {
	Mean        float64 `json:"visibility_mean"`
	P50         float64 `json:"visibility_p50"`
	P99         float64 `json:"visibility_p99"`
	Max         float64 `json:"visibility_max"`
	Reprocessed float64 `json:"reprocessed_mean"`
}

// ClosedForms runs the chapter's table. told hears of each row done.
func ClosedForms(told func(done, all int)) ([]ClosedRow, error) {
	exact := closedform.Exact()
	rows := make([]ClosedRow, len(exact))
	for i, e := range exact {
		s, err := ChapterSetup(e.Interval)
		if err != nil {
			return nil, err
		}
		if rows[i], err = closedRow(s, e); err != nil {
			return nil, err
		}
		told(i+1, len(exact))
	}
	return rows, nil
}

func closedRow(s core.Setup, exact closedform.Row) (ClosedRow, error) {
	m, err := closedform.Measure(s, instantsPerRow, s.Seed)
	if err != nil {
		return ClosedRow{}, err
	}
	s.FirstTrigger, s.Control = core.AtRunning, core.MeasuredControl()
	asFlink, err := closedform.Measure(s, instantsPerRow, s.Seed)
	if err != nil {
		return ClosedRow{}, err
	}
	return ClosedRow{
		Interval: inSeconds(exact.Interval),
		Exact:    chapter(exact), Simulated: chapter(m.Row), Flink: chapter(asFlink.Row),
		Wrong: append([]string{}, m.Check(exact)...),
	}, nil
}

func chapter(r closedform.Row) Chapter { return Chapter{r.Mean, r.P50, r.P99, r.Max, r.Reprocessed} }

// FailedClosedForms counts the rows that differ from the exact ones.
func FailedClosedForms(rows []ClosedRow) (n int) {
	for i := range rows {
		if len(rows[i].Wrong) > 0 {
			n++
		}
	}
	return n
}

// ClosedTable has a line per interval.
func ClosedTable(rows []ClosedRow) Table {
	t := Table{Name: "closed-forms", Title: "The chapter's table: exact / simulated / simulated with Flink's first trigger and measured control times", Columns: []string{
		"interval", "visibility mean (s)", "p50 (s)", "p99 (s)", "max (s)", "reprocessed, mean", "verdict"}}
	three := func(format string, a, b, c float64) string {
		return fmt.Sprintf(format+" / "+format+" / "+format, a, b, c)
	}
	for i := range rows {
		r := &rows[i]
		verdict := "equal"
		if len(r.Wrong) > 0 {
			verdict = strings.Join(r.Wrong, "; ")
		}
		e, s, f := &r.Exact, &r.Simulated, &r.Flink
		t.Rows = append(t.Rows, []string{
			fmt.Sprintf("%g s", r.Interval), three("%.4f", e.Mean, s.Mean, f.Mean), three("%.3f", e.P50, s.P50, f.P50),
			three("%.3f", e.P99, s.P99, f.P99), three("%.3f", e.Max, s.Max, f.Max), three("%.0f", e.Reprocessed, s.Reprocessed, f.Reprocessed), verdict,
		})
	}
	return t
}
