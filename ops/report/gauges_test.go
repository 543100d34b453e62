package report

import (
	"maps"
	"testing"

	"checkpointlab/core"
)

// What only some operators have is told of those alone, under Flink's names (spec 11).
func TestGaugesOfAKind(t *testing.T) {
	none := core.TaskMetrics{CurrentInputWatermark: core.NoWatermark, CurrentOutputWatermark: core.NoWatermark}
	for name, c := range map[string]struct {
		kind core.VertexKind
		task core.TaskView
		want map[string]int64
	}{
		"a source that lags": {core.Source, core.TaskView{Metrics: core.TaskMetrics{CurrentInputWatermark: core.NoWatermark, CurrentOutputWatermark: 41}, Log: core.LogView{Arrived: 50, Read: 43}, Thread: core.ThreadSoft},
			map[string]int64{"pendingRecords": 7, "isBackPressured": 1, "currentOutputWatermark": 41}},
		"a sink before its commit": {core.Sink, core.TaskView{Metrics: none, Output: core.OutputView{Transactions: []core.TransactionView{{Checkpoint: 3}, {}}}, Thread: core.ThreadBusy},
			map[string]int64{"pendingCommittables": 1, "isBackPressured": 0}},
		"a window": {core.Map, core.TaskView{Metrics: none, Window: core.WindowView{Open: 2, Fired: 9, Late: 1}, Thread: core.ThreadHard},
			map[string]int64{"numFiredTimers": 9, "numLateRecordsDropped": 1, "isBackPressured": 1}},
	} {
		got := map[string]int64{}
		if kindGauges(got, c.kind, &c.task); !maps.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
