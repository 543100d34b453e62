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
	case Card, Ack, Log, LogFlag, Output, OutputFlag:
		if v, _, t := r.task(id.A); t != nil {
			return r.ofTask(id, &r.v.Vertices[v], t)
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
			return alignment(t.Metrics.CheckpointStartDelayNanos, t.Metrics.CheckpointAlignmentTime)
		}
	case Phases:
		if c := r.record(int64(id.B)); c != nil && int(id.A) < len(c.Tasks) && c.Tasks[id.A].StartDelay >= 0 {
			return alignment(c.Tasks[id.A].StartDelay, max(0, c.Tasks[id.A].Alignment))
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
			"numberOfFailedCheckpoints", c.FailedTotal, "numRestarts", c.Restarts)
	case Commit:
		if i := int(id.A); r.h != nil && i < len(r.h.Commits) {
			return duration(r.record(r.h.Commits[i].Checkpoint))
		}
	case Checkpoint:
		if c := r.record(int64(id.A)); c != nil && c.Ended <= r.v.At {
			return duration(c)
		}
	}
	return ""
}

// ofTask is what stands at a task, or where a mark is of all subtasks of its operator (B is 1), theirs together.
func (r *reader) ofTask(id ID, v *core.VertexView, t *core.TaskView) string {
	m, merged := &t.Metrics, id.B == 1
	switch id.What {
	case Card:
		return named("busyTimeMsPerSecond", measured(m.BusyTimeMsPerSecond), "backPressuredTimeMsPerSecond", m.BackPressuredTimeMsPerSecond,
			"idleTimeMsPerSecond", m.IdleTimeMsPerSecond) + strings.Replace(usage("inPoolUsage", t.InUsed, t.InTotal), " · ", ", ", 1) +
			strings.Replace(usage("outPoolUsage", t.OutUsed, t.OutTotal), " · ", ", ", 1) +
			strings.Replace(named("mailboxQueueSize", m.MailboxQueueSize), " · ", ", ", 1)
	case Ack:
		if merged {
			return slowest(v)
		}
		return alignment(m.CheckpointStartDelayNanos, m.CheckpointAlignmentTime)
	case Log:
		if merged {
			sum := sumLogs(v)
			return named("pendingRecords", sum.Arrived-sum.Read)
		}
		return named("pendingRecords", t.Log.Arrived-t.Log.Read)
	case LogFlag: // the Kafka connector's names; here summed over the partitions of the subtask
		for i := range t.Log.Marks {
			if m := &t.Log.Marks[i]; m.Checkpoint == int64(id.B) && m.Completed {
				return named("committedOffset", m.Position)
			}
		}
		return named("currentOffset", t.Log.Read)
	case Output:
		if merged {
			return received(v)
		}
	}
	return named("numRecordsIn", m.NumRecordsIn, "numRecordsInPerSecond", int64(m.NumRecordsInPerSecond), "numBytesIn", m.NumBytesIn)
}

// slowest is the greatest of an operator's subtasks.
func slowest(v *core.VertexView) string {
	delay, aligned := int64(0), int64(0)
	for i := range v.Tasks {
		m := &v.Tasks[i].Metrics
		delay, aligned = max(delay, m.CheckpointStartDelayNanos), max(aligned, m.CheckpointAlignmentTime)
	}
	return alignment(delay, aligned)
}

// received is what an operator's subtasks have received together.
func received(v *core.VertexView) string {
	records, bytes := int64(0), int64(0)
	for i := range v.Tasks {
		m := &v.Tasks[i].Metrics
		records, bytes = records+m.NumRecordsIn, bytes+m.NumBytesIn
	}
	return named("numRecordsIn", records, "numBytesIn", bytes)
}

func alignment(delay, aligned int64) string {
	return named("checkpointStartDelayNanos", delay, "checkpointAlignmentTime", aligned)
}

// duration is that of a checkpoint that completed.
func duration(c *core.CheckpointRecord) string {
	if c == nil || c.Outcome != core.Completed {
		return ""
	}
	return named("lastCheckpointDuration", c.Duration()/1e6)
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
	return named("busyTimeMsPerSecond", measured(busy/n), "backPressuredTimeMsPerSecond", pressed/n, "idleTimeMsPerSecond", idle/n)
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

// measured is a time, or NaN as Flink shows that of a SourceFunction.
func measured(ms int64) any {
	if ms < 0 {
		return "NaN"
	}
	return ms
}

// named is pairs of a metric's name and its value.
func named(pairs ...any) string {
	var b strings.Builder
	for i := 0; i+1 < len(pairs); i += 2 {
		b.WriteString(map[bool]string{true: " · ", false: ", "}[i == 0])
		b.WriteString(pairs[i].(string) + " ")
		if n, ok := pairs[i+1].(int64); ok {
			b.WriteString(strconv.FormatInt(n, 10))
		} else {
			b.WriteString(pairs[i+1].(string))
		}
	}
	return b.String()
}
