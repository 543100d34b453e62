package truth

import (
	"math"
	"testing"
)

func TestCompareOfARunWithItselfHasNoError(t *testing.T) {
	runs, err := Recorded()
	if err != nil {
		t.Fatal(err)
	}
	for i := range runs {
		rows := Compare(&runs[i], runs[i:i+1])
		if len(rows) < 40 {
			t.Errorf("%s has only %d measures", runs[i].Setting.ID, len(rows))
		}
		for _, r := range rows {
			ofState := runs[i].Setting.ValueBytes > 0 && (r.Class == "state size" || r.Class == "checkpoint duration" || r.Class == "busy" || r.Class == "idle")
			if r.Modelled == ofState || r.Modelled && r.Ratio != 1 || r.Counted && ofState {
				t.Errorf("%s %s: ratio %v, modelled %v", r.Run, r.Measure, r.Ratio, r.Modelled)
			}
		}
	}
}

func TestCompareTakesTheMeanOverTheSeeds(t *testing.T) {
	of := func(throughput Number, downtime *Number) Run {
		return Run{Throughput: &throughput, Failure: &Failure{DowntimeMs: downtime}}
	}
	down := Number(1000)
	recorded := of(100, &down)
	got := map[string]float64{}
	for _, r := range Compare(&recorded, []Run{of(90, nil), of(96, &down)}) {
		got[r.Measure] = r.Simulated
	}
	if got["throughput"] != 93 || got["downtime"] != 1000 {
		t.Errorf("%v", got)
	}
}

func TestMeasuresAverageCompletedCheckpointsOnly(t *testing.T) {
	sub := func(delay Number) map[string][]Subtask {
		return map[string][]Subtask{"Source: source": {{Status: "completed", StartDelay: delay}}}
	}
	run := Run{Checkpoints: []Checkpoint{
		{Status: "COMPLETED", Duration: 10, Vertices: sub(2)}, {Status: "COMPLETED", Duration: 30, Vertices: sub(6)},
		{Status: "FAILED", Duration: 1000, Vertices: sub(1000)}, {Status: "IN_PROGRESS", Duration: 1000, Vertices: sub(1000)},
	}}
	want := map[string]float64{"checkpoint duration": 20, "checkpoints completed": 2, "checkpoints failed": 1, "source start delay": 4}
	for _, v := range run.Measures() {
		if w, ok := want[v.Name]; ok && v.Value != w {
			t.Errorf("%s is %v, expected %v", v.Name, v.Value, w)
		}
		delete(want, v.Name)
	}
	if len(want) > 0 {
		t.Errorf("missing %v", want)
	}
}

func TestTimesAreScaledToASecond(t *testing.T) {
	run := Run{PerSecond: map[string]map[string]Number{"sink": {"accumulateBusyTimeMs": 300, "accumulateIdleTimeMs": 100}}}
	for _, v := range run.Measures() {
		if v.Name == "sink busy" && v.Value != 750 {
			t.Errorf("busy is %v", v.Value)
		}
	}
}

func TestSummarizeLeavesNoiseOutAndKeepsTheWorst(t *testing.T) {
	rows := []Row{
		{Run: "a", Class: "alignment", Ratio: 3, Modelled: true}, // below the floor
		{Run: "b", Class: "alignment", Ratio: 1.1, Counted: true, Modelled: true},
		{Run: "c", Class: "alignment", Ratio: 0.7, Counted: true, Modelled: true},
		{Run: "d", Class: "alignment", Ratio: 1, Counted: true, Modelled: true},
		{Run: "e", Class: "alignment", Ratio: 9}, // not modelled
	}
	got := Summarize(rows)
	if len(got) != 1 {
		t.Fatalf("%d classes", len(got))
	}
	s := got[0]
	if s.Rows != 3 || s.Below != 1 || s.Worst.Run != "c" || math.Abs(s.Median-0.1) > 1e-9 || math.Abs(s.P90-0.3) > 1e-9 {
		t.Errorf("%+v", s)
	}
}

func TestRatioOfZeroes(t *testing.T) {
	if ratio(0, 0) != 1 || !math.IsInf(ratio(1, 0), 1) || ratio(1, 2) != 0.5 {
		t.Error("ratio is wrong at zero")
	}
}
