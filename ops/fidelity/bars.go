package fidelity

import (
	"fmt"

	"checkpointlab/ops/truth"
)

// BarRow is one group of measures beside how near to a real Flink it has to be. Errors are |ln(simulated / real)|, or ms
// a second for times; null stands for infinite or no values.
type BarRow struct {
	Group     string   `json:"group"`
	Unit      string   `json:"unit"`
	Values    int      `json:"values"`
	Median    *float64 `json:"median_error"`
	P90       *float64 `json:"p90_error"`
	BarMedian float64  `json:"bar_median"`
	BarP90    float64  `json:"bar_p90"`
	Repeats   int      `json:"repeats"`
	Spread    float64  `json:"spread_median"`
	SpreadP90 float64  `json:"spread_p90"`
	Passes    bool     `json:"passes"`
	Worst     string   `json:"worst"`
}

func barRows(results []truth.BarResult) []BarRow {
	var all []BarRow
	for _, b := range results {
		r := BarRow{Group: b.Name, Unit: "ln", Values: b.Values, BarMedian: b.Bar.Median, BarP90: b.Bar.P90,
			Repeats: b.Repeats, Spread: b.Spread, SpreadP90: b.SpreadP90, Passes: b.Passes}
		if b.Absolute {
			r.Unit = "ms/s"
		}
		if b.Values > 0 {
			r.Median, r.P90 = finite(b.Error), finite(b.ErrorP90)
			r.Worst = fmt.Sprintf("%s: %s %.4g, simulated %.4g", b.Worst.Run, b.Worst.Measure, b.Worst.Real, b.Worst.Simulated)
		}
		all = append(all, r)
	}
	return all
}

// BarTable has a line per group: its error, its bar, the spread of the repeats.
func BarTable(r *Recorded) Table {
	return barTable(r, "recorded-bars", "Recorded runs: error |ln(simulated / real)|, median / 90th percentile")
}

// HeldOutTable is BarTable for the runs that nothing was measured by.
func HeldOutTable(r *Recorded) Table {
	return barTable(r, "held-out-bars", "Held-out runs of a busier machine: error |ln(simulated / real)|, median / 90th percentile")
}

func barTable(r *Recorded, name, title string) Table {
	t := Table{Name: name, Title: title, Columns: []string{
		"group", "values", "error", "bar", "spread of repeats", "verdict", "worst"}}
	for _, b := range r.Bars {
		pair := func(median, p90 *float64) string {
			if b.Values == 0 {
				return ""
			}
			return b.amount(median) + " / " + b.amount(p90)
		}
		spread := ""
		if b.Repeats > 0 {
			spread = fmt.Sprintf("%s / %s of %d", b.amount(&b.Spread), b.amount(&b.SpreadP90), b.Repeats)
		}
		verdict := "within"
		if !b.Passes {
			verdict = "beyond"
		}
		t.Rows = append(t.Rows, []string{b.Group, fmt.Sprint(b.Values), pair(b.Median, b.P90), b.amount(&b.BarMedian) + " / " + b.amount(&b.BarP90), spread, verdict, b.Worst})
	}
	return t
}

func (b *BarRow) amount(v *float64) string {
	switch {
	case v == nil:
		return "∞"
	case b.Unit == "ln":
		return fmt.Sprintf("%.1f %%", 100**v)
	default:
		return fmt.Sprintf("%.0f ms/s", *v)
	}
}
