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
				"idleTimeMsPerSecond", m.IdleTimeMsPerSecond) + strings.Replace(usage("inPoolUsage", t.InUsed, t.InTotal), " · ", ", ", 1) +
				strings.Replace(usage("outPoolUsage", t.OutUsed, t.OutTotal), " · ", ", ", 1)
		}
	case Ack:
		if v, _, t := r.task(id.A); t != nil && id.B == 1 { // the greatest of the operator's
			var most core.TaskMetrics
			for i := range r.v.Vertices[v].Tasks {
				m := &r.v.Vertices[v].Tasks[i].Metrics
				most.CheckpointStartDelayNanos = max(most.CheckpointStartDelayNanos, m.CheckpointStartDelayNanos)
				most.CheckpointAlignmentTime = max(most.CheckpointAlignmentTime, m.CheckpointAlignmentTime)
			}
			return named("checkpointStartDelayNanos", most.CheckpointStartDelayNanos, "checkpointAlignmentTime", most.CheckpointAlignmentTime)
		} else if t != nil {
			return named("checkpointStartDelayNanos", t.Metrics.CheckpointStartDelayNanos, "checkpointAlignmentTime", t.Metrics.CheckpointAlignmentTime)
		}
	case Log:
		if v, _, t := r.task(id.A); t != nil && id.B == 1 {
			sum := sumLogs(&r.v.Vertices[v])
			return named("pendingRecords", sum.Arrived-sum.Read)
		} else if t != nil {
			return named("pendingRecords", t.Log.Arrived-t.Log.Read)
		}
	case LogFlag: // the Kafka connector's names; here summed over the partitions of the subtask
		if _, _, t := r.task(id.A); t != nil {
			for i := range t.Log.Marks {
				if m := &t.Log.Marks[i]; m.Checkpoint == int64(id.B) && m.Completed {
					return named("committedOffset", m.Position)
				}
			}
			return named("currentOffset", t.Log.Read)
		}
	case Output, OutputFlag:
		if v, _, t := r.task(id.A); t != nil && id.What == Output && id.B == 1 {
			records, bytes := int64(0), int64(0)
			for i := range r.v.Vertices[v].Tasks {
				m := &r.v.Vertices[v].Tasks[i].Metrics
				records, bytes = records+m.NumRecordsIn, bytes+m.NumBytesIn
			}
			return named("numRecordsIn", records, "numBytesIn", bytes)
		} else if t != nil {
			return named("numRecordsIn", t.Metrics.NumRecordsIn, "numBytesIn", t.Metrics.NumBytesIn)
		}
	case Pool:
		if g := r.gate(id); g != nil {
			return usage("inputFloatingBuffersUsage", g.Floating-g.FloatingFree, g.Floating)
		}
	case Channel, Gate, Wire, Credits:
		if _, c := r.find(id.A); c != nil {
			return named("outputQueueLength", int64(len(c.Sender)), "inputQueueLength", int64(len(c.Receiver)))
		}
	case Barrier, Passage:
		if t := r.receiver(id); t != nil {
			return named("checkpointStartDelayNanos", t.Metrics.CheckpointStartDelayNanos, "checkpointAlignmentTime", t.Metrics.CheckpointAlignmentTime)
		}
	case Phases:
		if c := r.record(int64(id.B)); c != nil && int(id.A) < len(c.Tasks) && c.Tasks[id.A].StartDelay >= 0 {
			return named("checkpointStartDelayNanos", c.Tasks[id.A].StartDelay, "checkpointAlignmentTime", max(0, c.Tasks[id.A].Alignment))
		}
	case Operator:
		return r.ofOperator(int(id.A))
	case Exchange:
		return r.ofExchange(int(id.A))
	case Buffer:
		if e, c := r.find(id.A); c != nil {
			return named("debloatedBufferSize", r.v.Vertices[e.To].Tasks[c.To].Metrics.DebloatedBufferSize)
		}
	case Coordinator:
		c := &r.v.Coord
		return named("numberOfInProgressCheckpoints", int64(len(c.Pending)), "numberOfCompletedCheckpoints", c.Completed,
			"numberOfFailedCheckpoints", c.FailedTotal)
	case Commit:
		if i := int(id.A); r.h != nil && i < len(r.h.Commits) {
			if c := r.record(r.h.Commits[i].Checkpoint); c != nil && c.Outcome == core.Completed {
				return named("lastCheckpointDuration", c.Duration()/1e6)
			}
		}
	case Checkpoint:
		if c := r.record(int64(id.A)); c != nil && c.Outcome == core.Completed && c.Ended <= r.v.At {
			return named("lastCheckpointDuration", c.Duration()/1e6)
		}
	}
	return ""
}

// gate is the gate that a pool belongs to; nil if there is none.
func (r *reader) gate(id ID) *core.GateView {
	if int(id.A) >= len(r.v.Exchanges) || int(id.B) >= len(r.v.Exchanges[id.A].Gates) {
		return nil
	}
	return &r.v.Exchanges[id.A].Gates[id.B]
}

// receiver is the task that a barrier goes to; nil if there is none.
func (r *reader) receiver(id ID) *core.TaskView {
	if id.What == Passage {
		if r.h == nil || int(id.A) >= len(r.h.Passages) {
			return nil
		}
		_, _, t := r.task(r.h.Passages[id.A].To)
		return t
	}
	if e, c := r.find(id.A); c != nil {
		return &r.v.Vertices[e.To].Tasks[c.To]
	}
	return nil
}

// ofOperator is the mean of an operator's subtasks, as Flink's page shows it of a vertex.
func (r *reader) ofOperator(vertex int) string {
	if vertex >= len(r.v.Vertices) || len(r.v.Vertices[vertex].Tasks) == 0 {
		return ""
	}
	busy, pressed, idle := int64(0), int64(0), int64(0)
	tasks := r.v.Vertices[vertex].Tasks
	for i := range tasks {
		m := &tasks[i].Metrics
		busy, pressed, idle = busy+m.BusyTimeMsPerSecond, pressed+m.BackPressuredTimeMsPerSecond, idle+m.IdleTimeMsPerSecond
	}
	n := int64(len(tasks))
	return named("busyTimeMsPerSecond", busy/n, "backPressuredTimeMsPerSecond", pressed/n, "idleTimeMsPerSecond", idle/n)
}

// ofExchange is what stands in all queues of an exchange.
func (r *reader) ofExchange(exchange int) string {
	if exchange >= len(r.v.Exchanges) {
		return ""
	}
	out, in := int64(0), int64(0)
	for i := range r.v.Exchanges[exchange].Channels {
		c := &r.v.Exchanges[exchange].Channels[i]
		out, in = out+int64(len(c.Sender)), in+int64(len(c.Receiver))
	}
	return named("outputQueueLength", out, "inputQueueLength", in)
}

// usage is a metric that is a share from 0 to 1.
func usage(name string, used, all int) string {
	if all == 0 {
		return ""
	}
	return " · " + name + " " + strconv.FormatFloat(float64(used)/float64(all), 'f', 2, 64)
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
