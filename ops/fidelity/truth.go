package fidelity

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"sync/atomic"

	"checkpointlab/ops/parallel"
	"checkpointlab/ops/truth"
)

// Recorded is the comparison with recorded runs.
type Recorded struct {
	Runs    []RecordedRun `json:"runs"`
	Summary []ClassError  `json:"summary"`
	Bars    []BarRow      `json:"bars"`
}

// RecordedRun is one recorded run beside its simulation.
type RecordedRun struct {
	Run   string       `json:"run"`
	Error string       `json:"error,omitempty"` // why it could not be simulated
	Notes []string     `json:"notes"`           // what of its setting is not modelled
	Rows  []MeasureRow `json:"measures"`
}

// MeasureRow is one measure on both sides. Ratio is null when the real value is 0 and the simulated one is not, or when
// the measure is not modelled.
type MeasureRow struct {
	truth.Row
	Ratio *float64 `json:"ratio"`
}

// ClassError is the error |ratio - 1| of one class of measures over all runs; null stands for infinite.
type ClassError struct {
	Class  string   `json:"class"`
	Rows   int      `json:"rows"`
	Below  int      `json:"below_floor"`
	Floor  float64  `json:"floor"`
	Unit   string   `json:"unit"`
	Median *float64 `json:"median_error"`
	P90    *float64 `json:"p90_error"`
	Worst  string   `json:"worst"`
}

// Truth simulates each recorded run and compares. told hears how many are done, from several goroutines.
func Truth(runs []truth.Run, told func(done, all int)) Recorded {
	out := Recorded{Runs: make([]RecordedRun, len(runs))}
	rows := make([][]truth.Row, len(runs))
	var done atomic.Int64
	parallel.Each(len(runs), func(i int) {
		out.Runs[i], rows[i] = compareRun(&runs[i])
		told(int(done.Add(1)), len(runs))
	})
	out.Summary = classErrors(truth.Summarize(slices.Concat(rows...)))
	out.Bars = barRows(truth.Measure(runs, slices.Concat(rows...)))
	return out
}

func compareRun(r *truth.Run) (RecordedRun, []truth.Row) {
	out := RecordedRun{Run: r.Setting.ID, Notes: []string{}, Rows: []MeasureRow{}}
	simulated, notes, err := truth.Simulate(r)
	switch {
	case r.Error != "" && err != nil:
		out.Error = "refused by the real Flink (" + r.Error + ") and here (" + err.Error() + ")"
		return out, nil
	case r.Error != "":
		out.Error = "the real run failed (" + r.Error + "), the simulated one did not"
		return out, nil
	case err != nil:
		out.Error = err.Error()
		return out, nil
	}
	out.Notes = append(out.Notes, notes...)
	rows := truth.Compare(r, simulated)
	for _, row := range rows {
		m := MeasureRow{Row: row}
		if row.Modelled {
			m.Ratio = finite(row.Ratio)
		}
		out.Rows = append(out.Rows, m)
	}
	return out, rows
}

func classErrors(summaries []truth.Summary) []ClassError {
	var all []ClassError
	for _, s := range summaries {
		c := ClassError{Class: s.Class, Rows: s.Rows, Below: s.Below, Unit: s.Unit, Floor: s.Floor}
		if s.Rows > 0 {
			c.Median, c.P90 = finite(s.Median), finite(s.P90)
			c.Worst = fmt.Sprintf("%s: %s %.4g, simulated %.4g", s.Worst.Run, s.Worst.Measure, s.Worst.Real, s.Worst.Simulated)
		}
		all = append(all, c)
	}
	return all
}

func finite(v float64) *float64 {
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return nil
	}
	return &v
}

// TruthSummaryTable has a line per class of measures.
func TruthSummaryTable(r *Recorded) Table {
	t := Table{Name: "recorded-summary", Title: "Recorded runs of a real Flink: relative error |simulated / real - 1|", Columns: []string{
		"measure", "values", "median", "90th percentile", "worst", "below the floor"}}
	for _, c := range r.Summary {
		floor := fmt.Sprintf("%d (< %g %s)", c.Below, c.Floor, c.Unit)
		if c.Below == 0 {
			floor = "0"
		}
		t.Rows = append(t.Rows, []string{c.Class, strconv.Itoa(c.Rows), percent(c.Median, c.Rows), percent(c.P90, c.Rows), c.Worst, floor})
	}
	return t
}

func percent(v *float64, rows int) string {
	switch {
	case rows == 0:
		return ""
	case v == nil:
		return "∞"
	default:
		return fmt.Sprintf("%.1f %%", 100**v)
	}
}

// TruthRowTable has a line per run and measure.
func TruthRowTable(r *Recorded) Table {
	t := Table{Name: "recorded-runs", Title: "Run by run", Columns: []string{"run", "measure", "unit", "real", "simulated", "ratio"}}
	for i := range r.Runs {
		run := &r.Runs[i]
		t.Notes = append(t.Notes, run.remarks()...)
		for _, m := range run.Rows {
			t.Rows = append(t.Rows, measureLine(&m))
		}
	}
	return t
}

// remarks are why the run was not simulated, or what of its setting is not modelled.
func (r *RecordedRun) remarks() []string {
	var all []string
	if r.Error != "" {
		all = append(all, r.Run+" was not simulated: "+r.Error)
	}
	for _, n := range r.Notes {
		all = append(all, r.Run+": "+n)
	}
	return all
}

func measureLine(m *MeasureRow) []string {
	line := []string{m.Run, m.Measure, m.Unit, fmt.Sprintf("%.5g", m.Real), "not modelled", ""}
	if m.Modelled {
		line[4], line[5] = fmt.Sprintf("%.5g", m.Simulated), "∞"
		if m.Ratio != nil {
			line[5] = fmt.Sprintf("%.3f", *m.Ratio)
		}
		if !m.Counted {
			line[5] += " (below the floor)"
		}
	}
	return line
}

// TruthMainTable has a line per run with the measures that matter most: real / simulated.
func TruthMainTable(r *Recorded) Table {
	main := []string{"throughput", "visibility mean", "visibility p99.0", "pipeline mean", "pipeline p99.0", "checkpoint duration", "checkpoints completed"}
	t := Table{Name: "recorded-main", Title: "Each run: real / simulated (times in ms)", Columns: append([]string{"run"}, main...)}
	for i := range r.Runs {
		run := &r.Runs[i]
		t.Notes = append(t.Notes, run.remarks()...)
		line := make([]string, 1+len(main))
		line[0] = run.Run
		for _, m := range run.Rows {
			for k, name := range main {
				if m.Measure == name && m.Modelled {
					line[1+k] = fmt.Sprintf("%s / %s", short(m.Real), short(m.Simulated))
				}
			}
		}
		t.Rows = append(t.Rows, line)
	}
	return t
}

func short(v float64) string {
	if math.Abs(v) >= 100 {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.3g", v)
}
