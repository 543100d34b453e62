package scene

import (
	"strconv"
	"strings"

	"checkpointlab/core"
)

// metrics names Flink's own metrics of what a mark stands for, with their values: " · busyTimeMsPerSecond 983"; "" if there are
// none. Those of a task are Flink's gauges over the last minute, so they lag behind the picture as they do in its UI.
func (r *reader) metrics(id ID) string {
	switch id.What {
	case Card:
		if _, _, t := r.task(id.A); t != nil {
			m := &t.Metrics
			return named("busyTimeMsPerSecond", m.BusyTimeMsPerSecond, "backPressuredTimeMsPerSecond", m.BackPressuredTimeMsPerSecond,
				"idleTimeMsPerSecond", m.IdleTimeMsPerSecond)
		}
	case Ack:
		if _, _, t := r.task(id.A); t != nil {
			return named("checkpointStartDelayNanos", t.Metrics.CheckpointStartDelayNanos, "checkpointAlignmentTime", t.Metrics.CheckpointAlignmentTime)
		}
	case Log:
		if _, _, t := r.task(id.A); t != nil {
			return named("pendingRecords", t.Log.Arrived-t.Log.Read)
		}
	case Channel, Gate, Wire:
		if _, c := r.find(id.A); c != nil {
			return named("outputQueueLength", int64(len(c.Sender)), "inputQueueLength", int64(len(c.Receiver)))
		}
	case Buffer:
		if e, c := r.find(id.A); c != nil {
			return named("debloatedBufferSize", r.v.Vertices[e.To].Tasks[c.To].Metrics.DebloatedBufferSize)
		}
	case Coordinator:
		c := &r.v.Coord
		return named("numberOfInProgressCheckpoints", int64(len(c.Pending)), "numberOfCompletedCheckpoints", c.Completed,
			"numberOfFailedCheckpoints", c.FailedTotal)
	case Checkpoint:
		if c := r.record(int64(id.A)); c != nil && c.Outcome == core.Completed && c.Ended <= r.v.At {
			return named("lastCheckpointDuration", c.Duration()/1e6)
		}
	}
	return ""
}

// named is pairs of a metric's name and its value.
func named(pairs ...any) string {
	var b strings.Builder
	for i := 0; i+1 < len(pairs); i += 2 {
		b.WriteString(map[bool]string{true: " · ", false: ", "}[i == 0])
		b.WriteString(pairs[i].(string) + " " + strconv.FormatInt(pairs[i+1].(int64), 10))
	}
	return b.String()
}
