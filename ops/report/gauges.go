package report

import (
	"fmt"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/metric"
)

// SubtaskGauges are one subtask's metrics at the end of a run under Flink's names (spec 11).
type SubtaskGauges struct {
	Vertex  string `json:"vertex"`
	Subtask int    `json:"subtask"`
	Metrics Values `json:"metrics"`
}

// Values are metrics by name: an int64 where Flink's is a Long, an Integer or a Boolean, a float64 where it is a Float or a Double.
type Values map[string]any

func (m Values) add(all map[string]int64) {
	for name, n := range all {
		m[name] = n
	}
}

func taskMetrics(v *core.View) []SubtaskGauges {
	all := []SubtaskGauges{}
	for i := range v.Vertices {
		for k := range v.Vertices[i].Tasks {
			t := &v.Vertices[i].Tasks[k]
			m := Values{}
			timeGauges(m, &t.Metrics)
			ioGauges(m, &t.Metrics)
			poolGauges(m, v, i, k)
			if len(v.Latencies) > 0 {
				mailboxGauges(m, &v.Latencies[t.Task])
			}
			kindGauges(m, v.Vertices[i].Kind, t)
			if t.HasChangelog {
				changelogGauges(m, &t.Changelog)
			}
			if t.Stateful {
				stateGauges(m, &t.Keyed)
			}
			all = append(all, SubtaskGauges{Vertex: v.Vertices[i].Name, Subtask: t.Index, Metrics: m})
		}
	}
	return all
}

// timeGauges are where a task's time goes, and what its thread has to do between two records.
func timeGauges(m Values, t *core.TaskMetrics) {
	m.add(map[string]int64{
		"idleTimeMsPerSecond":              t.IdleTimeMsPerSecond,
		"backPressuredTimeMsPerSecond":     t.BackPressuredTimeMsPerSecond,
		"softBackPressuredTimeMsPerSecond": t.SoftBackPressuredTimeMsPerSecond,
		"hardBackPressuredTimeMsPerSecond": t.HardBackPressuredTimeMsPerSecond,
		"changelogBusyTimeMsPerSecond":     t.ChangelogBusyTimeMsPerSecond,
		"maxSoftBackPressureTimeMs":        t.MaxSoftBackPressureTimeMs,
		"maxHardBackPressureTimeMs":        t.MaxHardBackPressureTimeMs,
		"accumulateIdleTimeMs":             t.AccumulateIdleTimeMs,
		"accumulateBackPressuredTimeMs":    t.AccumulateBackPressuredTimeMs,
		"initializationTime":               t.InitializationTime,
		"checkpointAlignmentTime":          t.CheckpointAlignmentTime,
		"checkpointStartDelayNanos":        t.CheckpointStartDelayNanos,
		"mailboxQueueSize":                 t.MailboxQueueSize,
	})
	if t.BusyTimeMsPerSecond >= 0 { // else NaN
		m["busyTimeMsPerSecond"] = t.BusyTimeMsPerSecond
	}
	if t.AccumulateBusyTimeMs >= 0 { // else NaN
		m["accumulateBusyTimeMs"] = t.AccumulateBusyTimeMs
	}
	m["mailboxMailsPerSecond"] = t.MailboxMailsPerSecond
}

// mailboxGauges are the histogram of a mailbox's latencies, by the names of the REST interface (MetricStore).
func mailboxGauges(m Values, h *metric.Histogram) {
	const name = "mailboxLatencyMs_"
	s := h.Summary()
	m[name+"min"], m[name+"max"], m[name+"mean"], m[name+"median"] = s.Min, s.Max, s.Mean, s.Median
	m[name+"p75"], m[name+"p95"], m[name+"p98"], m[name+"p99"], m[name+"p999"] = s.P75, s.P95, s.P98, s.P99, s.P999
}

// ioGauges are what a task reads and writes.
func ioGauges(m Values, t *core.TaskMetrics) {
	m.add(map[string]int64{
		"numRecordsIn":                    t.NumRecordsIn,
		"numRecordsOut":                   t.NumRecordsOut,
		"numBytesIn":                      t.NumBytesIn,
		"numBytesInLocal":                 t.NumBytesInLocal,
		"numBytesInRemote":                t.NumBytesInRemote,
		"numBytesOut":                     t.NumBytesOut,
		"numBuffersInLocal":               t.NumBuffersInLocal,
		"numBuffersInRemote":              t.NumBuffersInRemote,
		"numBuffersOut":                   t.NumBuffersOut,
		"debloatedBufferSize":             t.DebloatedBufferSize,
		"estimatedTimeToConsumeBuffersMs": t.EstimatedTimeToConsumeBuffersMs,
	})
	for name, rate := range map[string]float64{
		"numRecordsInPerSecond":       t.NumRecordsInPerSecond,
		"numRecordsOutPerSecond":      t.NumRecordsOutPerSecond,
		"numBytesInPerSecond":         t.NumBytesInPerSecond,
		"numBytesInLocalPerSecond":    t.NumBytesInLocalPerSecond,
		"numBytesInRemotePerSecond":   t.NumBytesInRemotePerSecond,
		"numBytesOutPerSecond":        t.NumBytesOutPerSecond,
		"numBuffersInLocalPerSecond":  t.NumBuffersInLocalPerSecond,
		"numBuffersInRemotePerSecond": t.NumBuffersInRemotePerSecond,
		"numBuffersOutPerSecond":      t.NumBuffersOutPerSecond,
	} {
		m[name] = rate
	}
}

// kindGauges adds what only some operators have: a source's reader, a sink's committer, watermarks where there are any, the timers of a
// window.
func kindGauges(m Values, kind core.VertexKind, t *core.TaskView) {
	switch kind {
	case core.Source:
		m["pendingRecords"] = t.Log.Arrived - t.Log.Read
		sourceGauges(m, &t.Metrics.Source)
	case core.Sink:
		sinkGauges(m, t)
	}
	m["isBackPressured"] = flag(t.Thread == core.ThreadSoft || t.Thread == core.ThreadHard)
	m.known("currentInputWatermark", t.Metrics.CurrentInputWatermark)
	for i, mark := range t.InputWatermarks {
		m.known(fmt.Sprintf("currentInput%dWatermark", i+1), mark)
	}
	m.known("currentOutputWatermark", t.Metrics.CurrentOutputWatermark)
	if w := &t.Window; w.Fired > 0 || w.Open > 0 {
		m["numFiredTimers"], m["numFiredTimersPerSecond"], m["numLateRecordsDropped"] = t.Metrics.NumFiredTimers, t.Metrics.NumFiredTimersPerSecond, w.Late
	}
}

// known adds a gauge of event time, if there is one yet.
func (m Values) known(name string, ms int64) {
	if ms != core.NoWatermark {
		m[name] = ms
	}
}

// sourceGauges are those of FLIP-33 (SourceReaderMetricGroup).
func sourceGauges(m Values, s *core.SourceMetrics) {
	m["sourceIdleTime"] = s.SourceIdleTime
	m.known("currentEmitEventTimeLag", s.CurrentEmitEventTimeLag)
	m.known("watermarkLag", s.WatermarkLag)
	m.known("watermarkAlignmentDrift", s.WatermarkAlignmentDrift)
}

// sinkGauges are a writer's, and its committer's if it has one (SinkWriterMetricGroup, SinkCommitterMetricGroup).
func sinkGauges(m Values, t *core.TaskView) {
	m["numRecordsSend"] = t.Metrics.NumRecordsOut
	if t.Output.Guarantee != core.ExactlyOnce {
		return
	}
	c := &t.Output.Commits
	m["pendingCommittables"], m["successfulCommittables"], m["alreadyCommittedCommittables"] = c.Pending, c.Successful, c.Already
}

// changelogGauges are those of the state changelog of the running attempt (ChangelogStorageMetricGroup,
// ChangelogMaterializationMetricGroup, ChangelogStateBackendMetricGroup).
func changelogGauges(m Values, c *core.LogCounts) {
	m["ChangelogMaterialization.lastDurationOfMaterialization"] = int64(-1)
	if c.Completed > 0 {
		m["ChangelogMaterialization.lastDurationOfMaterialization"] = c.Duration / event.Millisecond
	}
	m.add(map[string]int64{
		"ChangelogStorage.numberOfUploadRequests":                c.UploadRequests,
		"ChangelogStorage.numberOfUploadFailures":                c.UploadFailures,
		"ChangelogMaterialization.startedMaterialization":        c.Started,
		"ChangelogMaterialization.completedMaterialization":      c.Completed,
		"ChangelogMaterialization.failedMaterialization":         c.Failed,
		"ChangelogStateBackend.lastFullSizeOfMaterialization":    c.FullMaterialized,
		"ChangelogStateBackend.lastFullSizeOfNonMaterialization": c.FullLogged,
		"ChangelogStateBackend.lastIncSizeOfNonMaterialization":  c.IncLogged,
	})
}
