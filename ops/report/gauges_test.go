package report

import (
	"reflect"
	"testing"

	"checkpointlab/core"
)

// What only some operators have is told of those alone, under Flink's names (spec 11).
func TestGaugesOfAKind(t *testing.T) {
	none := core.TaskMetrics{CurrentInputWatermark: core.NoWatermark, CurrentOutputWatermark: core.NoWatermark}
	for name, c := range map[string]struct {
		kind core.VertexKind
		task core.TaskView
		want Values
	}{
		"a source that lags": {core.Source, core.TaskView{Metrics: core.TaskMetrics{CurrentInputWatermark: core.NoWatermark, CurrentOutputWatermark: 41, Source: core.SourceMetrics{SourceIdleTime: 4, CurrentEmitEventTimeLag: 9, WatermarkLag: 12, WatermarkAlignmentDrift: core.NoWatermark}}, Log: core.LogView{Arrived: 50, Read: 43}, Thread: core.ThreadSoft},
			Values{"pendingRecords": int64(7), "isBackPressured": int64(1), "currentOutputWatermark": int64(41), "sourceIdleTime": int64(4), "currentEmitEventTimeLag": int64(9), "watermarkLag": int64(12)}},
		"a sink before its commit": {core.Sink, core.TaskView{Metrics: none, Output: core.OutputView{Guarantee: core.ExactlyOnce, Commits: core.Commits{Pending: 1, Successful: 5}, Transactions: []core.TransactionView{{Checkpoint: 3}, {}}}, Thread: core.ThreadBusy},
			Values{"pendingCommittables": int64(1), "successfulCommittables": int64(5), "alreadyCommittedCommittables": int64(0), "numRecordsSend": int64(0), "isBackPressured": int64(0)}},
		"a window": {core.Map, core.TaskView{Metrics: core.TaskMetrics{CurrentInputWatermark: core.NoWatermark, CurrentOutputWatermark: core.NoWatermark, NumFiredTimers: 9, Rates: core.Rates{NumFiredTimersPerSecond: 0.15}}, Window: core.WindowView{Open: 2, Fired: 9, Late: 1}, Thread: core.ThreadHard},
			Values{"numFiredTimers": int64(9), "numFiredTimersPerSecond": 0.15, "numLateRecordsDropped": int64(1), "isBackPressured": int64(1)}},
	} {
		got := Values{}
		if kindGauges(got, c.kind, &c.task); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
