package truth

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"checkpointlab/core/event"
)

// plainRun is a record of a setting: three seconds of a small job, with these fields of the setting and these of the record beside.
func plainRun(t *testing.T, setting, beside string) *Run {
	t.Helper()
	text := `{"setting": {"id": "made-up", "warm": 1, "seconds": 3, "rate": 500, "flink": {"execution.checkpointing.interval": "500 ms"}` + setting + `}` + beside + `}`
	runs, err := Parse("made up", strings.NewReader(strings.ReplaceAll(text, "\n", " ")))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return &runs[0]
}

// TestEveryFieldOfASettingActs: what the recording program takes changes the simulated setup, alone or beside what it needs.
func TestEveryFieldOfASettingActs(t *testing.T) {
	acts := map[string]string{
		"seconds": `, "seconds": 2`, "warm": `, "warm": 2`, "flink": `, "flink": {}`, "sources": `, "sources": 2`, "maps": `, "maps": 2`, "sinks": `, "sinks": 2`,
		"rate": `, "rate": 0`, "rate2": `, "rate2": 0`, "bytes": `, "bytes": 0`, "mapMicros": `, "mapMicros": 300`, "sinkMicros": `, "sinkMicros": 12.5`,
		"syncMillis": `, "syncMillis": 40`, "valueBytes": `, "valueBytes": 1000`, "immediate": `, "immediate": 0`, "noMap": `, "noMap": false`,
		"rebalance": `, "rebalance": null`, "rebalance2": `, "rebalance2": "no"`, "failAt": `, "failAt": 1`, "keys": `, "keys": 7`, "hotShare": `, "hotShare": 0.25`,
	}
	base := plainRun(t, "", "")
	plain, _, err := base.Setup()
	if err != nil {
		t.Fatal(err)
	}
	fields := reflect.TypeFor[Setting]()
	for i := range fields.NumField() {
		key := fields.Field(i).Tag.Get("json")
		if key == "id" || key == "-" {
			continue
		}
		if acts[key] == "" {
			t.Errorf("no record has %s", key)
			continue
		}
		r := plainRun(t, acts[key], `, "checkpoints": []`)
		s, notes, err := r.Setup()
		if err != nil || len(notes) > 0 || reflect.DeepEqual(s, plain) && r.fails() == base.fails() {
			t.Errorf("%s does not act: %v, %v", acts[key], notes, err)
		}
		all, _, err := Simulate(r)
		if err != nil || !(*all[0].Throughput > 0) {
			t.Errorf("%s: %v", acts[key], err)
		}
		if rows := Compare(r, all); !slices.ContainsFunc(rows, func(r Row) bool { return r.Measure == "checkpoints completed" }) {
			t.Errorf("%s: %v", acts[key], rows)
		}
	}
}

// TestSettingsThatTheProgramLeavesOut: keyed state belongs to a map with one input, which then has a HASH exchange.
func TestSettingsThatTheProgramLeavesOut(t *testing.T) {
	for of, same := range map[string]string{
		`, "rate2": 5, "valueBytes": 10`:     `, "rate2": 5`,
		`, "noMap": 1, "valueBytes": 10`:     `, "noMap": 1`,
		`, "noMap": 1, "rate2": 5`:           `, "rate2": 5`,
		`, "noMap": 1, "rebalance": 1`:       `, "noMap": 1`,
		`, "rate2": 5, "rebalance": 1`:       `, "rate2": 5`,
		`, "valueBytes": 9, "rebalance": 1`:  `, "valueBytes": 9`,
		`, "rate": -3`:                       `, "rate": 0`,
		`, "sinkMicros": 0.3`:                ``,
		`, "hotShare": 3`:                    `, "hotShare": 1`,
		`, "sinks": "2", "maps": 2.9`:        `, "sinks": 2, "maps": 2`,
		`, "rate2": null, "bytes": null`:     `, "rate2": 0, "bytes": 0`,
		`, "syncMillis": true, "Rate": 9000`: `, "syncMillis": 1`,
	} {
		a, _, err := plainRun(t, of, "").Setup()
		b, _, _ := plainRun(t, same, "").Setup()
		if err != nil || !reflect.DeepEqual(a, b) {
			t.Errorf("%s is not as %s: %v", of, same, err)
		}
	}
	var s Run
	if s.until() != warmDelay+50*event.Second {
		t.Errorf("without a length a run ends at %d", s.until())
	}
}

// TestWhatFlinkRefusedIsRefused: of a record of an error nothing is left out (truth README).
func TestWhatFlinkRefusedIsRefused(t *testing.T) {
	for _, options := range []string{
		`"execution.checkpointing.interval": "5 ms"`,
		`"execution.checkpointing.interval": "1 s", "execution.checkpointing.unaligned.enabled": "true", "execution.checkpointing.max-concurrent-checkpoints": "2"`,
	} {
		setting := `, "flink": {` + options + `}`
		if _, _, err := Simulate(plainRun(t, setting, `, "error": "refused"`)); err == nil {
			t.Errorf("%s was not refused", options)
		}
		if _, notes, err := Simulate(plainRun(t, setting, "")); err != nil || len(notes) == 0 {
			t.Errorf("%s: what ran is refused: %v, or not noted: %v", options, err, notes)
		}
	}
}

// TestSlowRates: a rate need not be whole, nor large.
func TestSlowRates(t *testing.T) {
	for rate, want := range map[float64][2]int64{1000: {1000, 1}, 0.25: {25, 100}, 333.3: {3333, 10}, 0.0001: {1, 10_000}, 1e300: {1e12, 1}} {
		if num, per := rateOf(rate); num != want[0] || per != want[1]*event.Second {
			t.Errorf("%v a second is %d in %d ns", rate, num, per)
		}
	}
}

// TestFailuresOfAnyForm: with and without an instant, a number, a record that tells of it; one that did not come.
func TestFailuresOfAnyForm(t *testing.T) {
	for _, c := range []struct {
		setting, beside string
		down            bool
		refused         string
	}{
		{`, "failAt": 1`, `, "failure": {"failed_at_s": 1.2, "reread": 200, "duplicates": 0, "committed": 9, "downtime_ms": 1015}`, true, ""},
		{`, "failAt": 1`, `, "failure": {"failed_at_s": 1.2}`, true, ""},
		{`, "failAt": 1`, `, "failure": {}`, true, ""},
		{`, "failAt": 1`, ``, true, ""},
		{``, `, "failure": {"failed_at_s": 1.2, "reread": 3}`, true, ""},
		{`, "failAt": 99`, ``, false, ""},
		{`, "failAt": 2.9`, `, "failure": {"failed_at_s": -123456.7, "reread": 0, "duplicates": 0, "committed": 9, "downtime_ms": 0}`, false, ""},
		{``, `, "failure": {"reread": 3}`, false, "neither"},
		{``, `, "failure": {"failed_at_s": 1e15, "reread": 3}`, false, "outside"},
	} {
		r := plainRun(t, c.setting, c.beside)
		all, _, err := Simulate(r)
		if c.refused != "" {
			if err == nil || !strings.Contains(err.Error(), c.refused) {
				t.Errorf("%s%s: %v", c.setting, c.beside, err)
			}
			continue
		}
		if err != nil || (all[0].Failure != nil && all[0].Failure.DowntimeMs != nil) != c.down {
			t.Errorf("%s%s: %+v, %v", c.setting, c.beside, all, err)
		}
	}
}

// TestWhatIsNotToldIsNotCompared: absent numbers are none, not 0.
func TestWhatIsNotToldIsNotCompared(t *testing.T) {
	r := plainRun(t, "", `, "throughput": "NaN", "failure": {"failed_at_s": 1, "downtime_ms": -5}, "visibility_ms": {"count": 0}, "counts": null,
		"metrics_mean": {"sink": {"a.inPoolUsage": "NaN"}}, "per_second_sum_over_subtasks": {"sink": {}}, "checkpoints": [
		{"status": "COMPLETED", "vertices": {"sink": [{"status": "completed", "alignment": 4}, {"status": "completed", "start_delay": 2}, {}]}},
		{"status": "COMPLETED", "end_to_end_duration": 8}, {"end_to_end_duration": null}]`)
	got := map[string]float64{}
	for _, v := range r.Measures() {
		got[v.Name] = v.Value
	}
	if want := map[string]float64{"checkpoint duration": 8, "checkpoints completed": 2, "checkpoints failed": 0, "sink alignment": 4, "sink start delay": 2}; !reflect.DeepEqual(got, want) {
		t.Errorf("%v, expected %v", got, want)
	}
}

// TestAJobThatWentBackHasNoCounters: they began again, whatever made it fail.
func TestAJobThatWentBackHasNoCounters(t *testing.T) {
	counters := `, "per_second_sum_over_subtasks": {"sink": {"numRecordsIn": -5}}, "counts": {"restored": `
	if rows := plainRun(t, "", counters+`0}`).Measures(); !slices.ContainsFunc(rows, func(v Value) bool { return v.Class == "records" }) {
		t.Errorf("no counter in %v", rows)
	}
	if rows := plainRun(t, "", counters+`1}`).Measures(); slices.ContainsFunc(rows, func(v Value) bool { return v.Class == "records" }) {
		t.Errorf("counters in %v", rows)
	}
}

// TestWhatIsUnknownIsSaid, wherever it stands; what the recording program writes beside is known.
func TestWhatIsUnknownIsSaid(t *testing.T) {
	r := plainRun(t, `, "novel": 1`, `, "later": {}, "failure": {"failed_at_s": 1, "cost": 1}, "metrics_mean": {"sink": {"Shuffle.Netty.Input.0.estimatedTimeToConsumeBuffersMs": 1, "x.heat": 2}},
		"per_second_sum_over_subtasks": {"sink": {"numBuffersOut": 1, "numSplits": 1}}, "checkpoints": [{"status": "COMPLETED", "num_subtasks": 1, "mood": 1, "vertices": {"other": [{"status": "completed", "e2e": 1, "age": 2}]}}]`)
	_, notes, err := r.Setup()
	if want := []string{"setting novel is not known and does not act",
		"checkpoints.mood, checkpoints.vertices.age, failure.cost, later, metrics_mean.x.heat, per_second_sum_over_subtasks.numSplits is not known and compared with nothing"}; err != nil || !slices.Equal(notes, want) {
		t.Errorf("%q, %v", notes, err)
	}
	all, err2 := Recorded()
	for i := range all {
		if len(all[i].Unknown) > 0 || err2 != nil {
			t.Errorf("%s: %v, %v", all[i].Setting.ID, all[i].Unknown, err2)
		}
	}
}

// FuzzRecord: whatever a line holds, it is refused or becomes a setup and measures that compare with themselves.
func FuzzRecord(f *testing.F) {
	for _, line := range []string{
		`{"setting": {"id": "a", "rate": 1e300, "keys": -1, "sinks": 1e9, "flink": {"x": null}}, "throughput": "NaN"}`,
		`{"setting": {"id": 5, "bytes": null, "noMap": null, "failAt": -1e300}, "failure": {"failed_at_s": "NaN"}, "counts": {"failed": -1}}`,
		`{"setting": {"id": "v120-x", "mapMicros": 1e308, "warm": -1e308, "seconds": 1e308}, "checkpoints": [{"status": "COMPLETED", "vertices": {"": [null]}}, null]}`,
		`{"setting": {"id": "s", "flink": 7}, "error": "e"}`, `{"setting": null}`, `{"setting": {"id": "s", "hotShare": "0.5", "maps": "x"}}`,
	} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		runs, err := Parse("fuzz", strings.NewReader(line))
		if err != nil {
			return
		}
		for i := range runs {
			_, _, _ = runs[i].Setup()
			rows := Compare(&runs[i], runs[i:i+1])
			for _, r := range rows {
				if r.Modelled && r.Ratio != 1 || math.IsNaN(r.Real) {
					t.Errorf("%+v", r)
				}
			}
			Measure(runs, rows)
		}
	})
}
