package truth

import (
	"math"
	"slices"
)

// Row is one measure of one run on both sides.
type Row struct {
	Run       string  `json:"run"`
	Class     string  `json:"class"`
	Measure   string  `json:"measure"`
	Unit      string  `json:"unit"`
	Real      float64 `json:"real"`
	Simulated float64 `json:"simulated"` // the mean over the seeds
	Ratio     float64 `json:"-"`         // simulated / real; 1 when both are 0, +Inf when only real is 0
	Counted   bool    `json:"counted"`   // the larger side reaches the floor of its class
	Modelled  bool    `json:"modelled"`
}

// Error is the relative error |ratio - 1|.
func (r Row) Error() float64 { return math.Abs(r.Ratio - 1) }

// ofState are the classes in which a run with keyed state shows the state backend, which is not modelled: its size, the
// time to write it, and the time of each access.
var ofState = []string{"state size", "checkpoint duration", "busy", "idle"}

// Compare joins the measures of a recorded run with the means of those of its simulations. A recorded measure that the simulation
// has no counterpart for is a row with Modelled false.
func Compare(recorded *Run, simulated []Run) []Row {
	sim := meanMeasures(simulated)
	var rows []Row
	for _, v := range recorded.Measures() {
		c := classes[classIndex(v.Class)]
		row := Row{Run: recorded.Setting.ID, Class: v.Class, Measure: v.Name, Unit: c.Unit, Real: v.Value}
		row.Simulated, row.Modelled = sim[v.Name]
		if recorded.Setting.keyed() && slices.Contains(ofState, v.Class) {
			row.Simulated, row.Modelled = 0, false
		}
		row.Ratio = ratio(row.Simulated, row.Real)
		row.Counted = row.Modelled && max(row.Simulated, row.Real) >= c.Floor
		rows = append(rows, row)
	}
	return rows
}

// meanMeasures is the mean of each measure over the runs that have it, by name.
func meanMeasures(runs []Run) map[string]float64 {
	sum, n := map[string]float64{}, map[string]float64{}
	for i := range runs {
		for _, v := range runs[i].Measures() {
			sum[v.Name] += v.Value
			n[v.Name]++
		}
	}
	for name := range sum {
		sum[name] /= n[name]
	}
	return sum
}

func ratio(simulated, real float64) float64 {
	if simulated == real {
		return 1
	}
	return simulated / real
}

// Summary is the error of one class over all runs.
type Summary struct {
	Class  string  `json:"class"`
	Unit   string  `json:"unit"`
	Floor  float64 `json:"floor"`
	Rows   int     `json:"rows"`  // rows that count
	Below  int     `json:"below"` // rows below the floor
	Median float64 `json:"-"`     // of |ratio - 1|
	P90    float64 `json:"-"`
	Worst  Row     `json:"worst"`
}

// Summarize condenses rows to one line a class, in the order of the classes; classes without rows are left out.
func Summarize(rows []Row) []Summary {
	var all []Summary
	for _, c := range classes {
		s := Summary{Class: c.Name, Unit: c.Unit, Floor: c.Floor}
		var errors []float64
		for _, r := range rows {
			switch {
			case r.Class != c.Name || !r.Modelled:
			case !r.Counted:
				s.Below++
			default:
				if len(errors) == 0 || r.Error() > s.Worst.Error() {
					s.Worst = r
				}
				errors = append(errors, r.Error())
			}
		}
		if len(errors) > 0 {
			s.Rows, s.Median, s.P90 = middle(errors)
		}
		if s.Rows+s.Below > 0 {
			all = append(all, s)
		}
	}
	return all
}

// middle sorts errors and tells how many they are, their median and their 90th percentile: NaN if there are none.
func middle(errors []float64) (n int, median, p90 float64) {
	if len(errors) == 0 {
		return 0, math.NaN(), math.NaN()
	}
	slices.Sort(errors)
	return len(errors), nearestRank(errors, 0.5), nearestRank(errors, 0.9)
}

// nearestRank is the smallest value with at least share q of the values at or below it. The slice is sorted and not empty.
func nearestRank(sorted []float64, q float64) float64 {
	i := int(math.Ceil(q*float64(len(sorted)))) - 1
	return sorted[max(i, 0)]
}
