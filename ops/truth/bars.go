package truth

import (
	"math"
	"strings"
)

// Bar is how near to a real Flink a group of measures has to be: the error |ln(simulated / real)| of its values, or for
// absolute bars their distance. A group passes where its error is within its bar or within the spread of the repeats, that
// is, the same error between two recordings of one setting.
type Bar struct {
	Name        string
	Median, P90 float64
	Absolute    bool
	of          func(r *Row, load load) bool
}

// load is what kind of run a row stems from.
type load struct{ congested, debloated, failed bool }

// congestion is the back pressure in ms a second from which on a run counts as congested: Flink's own limit between OK and
// LOW (spec 4.4).
const congestion = 100

var bars = []Bar{
	{Name: "throughput", Median: 0.003, P90: 0.01, of: plain(isThroughput)},
	{Name: "visibility (mean, p50, p99)", Median: 0.01, P90: 0.04, of: plain(latencyOf("visibility"))},
	{Name: "pipeline latency, congested (mean, p50, p99)", Median: 0.015, P90: 0.05, of: plain(congested(latencyOf("pipeline")))},
	{Name: "checkpoint duration ≥ 100 ms", Median: 0.015, P90: 0.04, of: plain(isDuration)},
	{Name: "start delay ≥ 100 ms, by vertex", Median: 0.04, P90: 0.12, of: plain(isStartDelay)},
	{Name: "stored in-flight data, by vertex", Median: 0.03, P90: 0.10, of: plain(isStored)},
	{Name: "all of these with debloating", Median: 0.05, P90: 0.10, of: func(r *Row, l load) bool {
		return l.debloated && (isThroughput(r, l) || latencyOf("visibility")(r, l) || congested(latencyOf("pipeline"))(r, l) ||
			isDuration(r, l) || isStartDelay(r, l) || isStored(r, l))
	}},
	{Name: "records and bytes per second, by vertex", Median: 0.01, P90: 0.03, of: func(r *Row, _ load) bool { return r.Class == "records" || r.Class == "bytes" }},
	{Name: "busy and back-pressured time (ms/s), by vertex", Median: 30, P90: 30, Absolute: true, of: func(r *Row, l load) bool {
		return !l.failed && (r.Class == "busy" || r.Class == "back-pressured") // after a failure the real counters start again
	}},
	{Name: "duplicates and downtime", Median: 0.10, P90: 0.10, of: func(r *Row, _ load) bool { return r.Class == "duplicates" || r.Class == "downtime" }},
}

func isThroughput(r *Row, _ load) bool { return r.Class == "throughput" }
func isDuration(r *Row, _ load) bool   { return r.Class == "checkpoint duration" && r.Real >= 100 }
func isStartDelay(r *Row, _ load) bool { return r.Class == "start delay" && r.Real >= 100 }
func isStored(r *Row, _ load) bool     { return r.Class == "persisted data" && r.Counted }

func latencyOf(what string) func(*Row, load) bool {
	return func(r *Row, _ load) bool {
		q, ok := strings.CutPrefix(r.Measure, what+" ")
		return ok && (q == "mean" || q == "p50.0" || q == "p99.0")
	}
}

func congested(of func(*Row, load) bool) func(*Row, load) bool {
	return func(r *Row, l load) bool { return l.congested && of(r, l) }
}

func plain(of func(*Row, load) bool) func(*Row, load) bool {
	return func(r *Row, l load) bool { return !l.debloated && of(r, l) }
}

// BarResult is how near the values of one bar are.
type BarResult struct {
	Bar
	Values            int
	Error, ErrorP90   float64 // NaN without values
	Repeats           int
	Spread, SpreadP90 float64 // of the repeats; 0 if there are none
	Worst             Row
	Passes            bool // true without values
}

// Measure compares rows (of these runs) with every bar, in order.
func Measure(runs []Run, rows []Row) []BarResult {
	loads := loadsOf(runs, rows)
	var all []BarResult
	for _, b := range bars {
		res := BarResult{Bar: b}
		var errors []float64
		worst := 0.0
		for i := range rows {
			r := &rows[i]
			if !r.Modelled || !b.of(r, loads[r.Run]) || max(r.Real, r.Simulated) <= 0 {
				continue
			}
			e := b.error(r.Real, r.Simulated)
			if len(errors) == 0 || e > worst {
				worst, res.Worst = e, *r
			}
			errors = append(errors, e)
		}
		res.Values, res.Error, res.ErrorP90 = middle(errors)
		spread := b.spread(rows, loads)
		if len(spread) > 0 {
			res.Repeats, res.Spread, res.SpreadP90 = middle(spread)
		}
		res.Passes = len(errors) == 0 || res.Error <= max(b.Median, res.Spread) && res.ErrorP90 <= max(b.P90, res.SpreadP90)
		all = append(all, res)
	}
	return all
}

func (b *Bar) error(a, c float64) float64 {
	if b.Absolute {
		return math.Abs(a - c)
	}
	return math.Abs(math.Log(a / c)) // +Inf if one of them is 0
}

// spread is the error between each recording and its repeat; two failures never come at the same instant.
func (b *Bar) spread(rows []Row, loads map[string]load) []float64 {
	first := map[[2]string]float64{}
	for i := range rows {
		first[[2]string{rows[i].Run, rows[i].Measure}] = rows[i].Real
	}
	var all []float64
	for i := range rows {
		r := &rows[i]
		original := originalOf(r.Run)
		if a, ok := first[[2]string{original, r.Measure}]; ok && original != r.Run && !loads[r.Run].failed && b.of(r, loads[r.Run]) && max(a, r.Real) > 0 {
			all = append(all, b.error(a, r.Real))
		}
	}
	return all
}

// originalOf is the run that one with that id repeats, or itself (truth: ids that end in -again or -b).
func originalOf(id string) string {
	return strings.TrimSuffix(strings.TrimSuffix(id, "-again"), "-b")
}

// loadsOf is what kind of run each is, by id; rows are their measures.
func loadsOf(runs []Run, rows []Row) map[string]load {
	loads := map[string]load{}
	for i := range runs {
		s := &runs[i].Setting
		loads[s.ID] = load{failed: runs[i].restarted(), debloated: s.Flink["taskmanager.network.memory.buffer-debloat.enabled"] == "true"}
	}
	for i := range rows {
		if r := &rows[i]; r.Class == "back-pressured" && r.Real >= congestion {
			l := loads[r.Run]
			l.congested = true
			loads[r.Run] = l
		}
	}
	return loads
}
