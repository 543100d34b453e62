package truth

import (
	"math"
	"slices"
	"strings"
)

// Class groups measures of one kind; the summary has a line per class.
type Class struct {
	Name string
	Unit string
	// Floor is the value below which both sides are noise of the recording machine (mechanisms, "Not predictable"):
	// a row counts in the summary when the larger side reaches it.
	Floor float64
}

// The classes, in the order of the report. Floors of times: a few ms of control plane and one buffer's time are noise.
var classes = []Class{
	{"throughput", "records/s", 0},
	{"visibility mean", "ms", 10},
	{"visibility quantiles", "ms", 10},
	{"pipeline mean", "ms", 10},
	{"pipeline quantiles", "ms", 10},
	{"checkpoint duration", "ms", 10},
	{"checkpoints completed", "", 3},
	{"checkpoints failed", "", 3},
	{"state size", "bytes", 1},
	{"start delay", "ms", 10},
	{"alignment", "ms", 10},
	{"processed data", "bytes", 4096},
	{"persisted data", "bytes", 4096},
	{"busy", "ms/s", 20},
	{"back-pressured", "ms/s", 20},
	{"idle", "ms/s", 20},
	{"records", "1/s", 1},
	{"bytes", "1/s", 1},
	{"buffers", "1/s", 1},
	{"pool usage", "", 0.05},
	{"queue length", "buffers", 0.5},
	{"queue size", "bytes", 4096},
	{"debloated size", "bytes", 1},
	{"duplicates", "records", 1},
	{"downtime", "ms", 10},
}

// Value is one measure of a run.
type Value struct {
	Class string
	Name  string // unique in a run
	Value float64
}

// Measures lays a run out as named values, in the order of the classes.
func (r *Run) Measures() []Value {
	var m measures
	if r.Throughput != nil {
		m.add("throughput", "throughput", float64(*r.Throughput))
	}
	m.latencies("visibility", r.Visibility)
	m.latencies("pipeline", r.Pipeline)
	if r.Checkpoints != nil {
		m.checkpoints(r.Checkpoints)
	}
	if r.Setting.keyed() {
		size, full := r.meanSize()
		m.add("state size", "checkpointed size", size)
		m.add("state size", "full size", full)
	}
	m.times(r.PerSecond)
	m.gauges(r.MetricsMean)
	if f := r.Failure; f != nil {
		if f.Duplicates != nil {
			m.add("duplicates", "duplicates", float64(*f.Duplicates))
		}
		if f.DowntimeMs != nil && *f.DowntimeMs > 0 { // without a record that was read again it is not
			m.add("downtime", "downtime", float64(*f.DowntimeMs))
		}
	}
	if !r.restarted() {
		m.counters(r.PerSecond) // after a failure the real counters start again from 0
	}
	return m.inOrder()
}

// restarted reports whether the job failed, or went back to a checkpoint by itself.
func (r *Run) restarted() bool { return r.Failure != nil || r.Counts["restored"] > 0 }

type measures []Value

func (m *measures) add(class, name string, v float64) {
	if !math.IsNaN(v) {
		*m = append(*m, Value{class, name, v})
	}
}

func (m *measures) latencies(what string, ms map[string]Number) {
	for _, q := range sortedKeys(ms) {
		switch q {
		case "count":
		case "mean":
			m.add(what+" mean", what+" mean", float64(ms[q]))
		default:
			m.add(what+" quantiles", what+" "+q, float64(ms[q]))
		}
	}
}

// checkpoints averages over the completed checkpoints and their subtasks.
func (m *measures) checkpoints(cs []Checkpoint) {
	var completed, failed int
	var duration mean
	parts := map[string]*part{}
	for i := range cs {
		switch c := &cs[i]; c.Status {
		case "FAILED":
			failed++
		case "COMPLETED":
			completed++
			duration.add(c.Duration)
			for v, subtasks := range c.Vertices {
				partOf(parts, v).add(subtasks)
			}
		}
	}
	m.add("checkpoint duration", "checkpoint duration", duration.value()) // without a completed one: no row
	m.add("checkpoints completed", "checkpoints completed", float64(completed))
	m.add("checkpoints failed", "checkpoints failed", float64(failed))
	for _, v := range sortedKeys(parts) {
		p := parts[v]
		m.add("start delay", v+" start delay", p.delay.value())
		m.add("alignment", v+" alignment", p.alignment.value())
		m.add("processed data", v+" processed data", p.processed.value())
		m.add("persisted data", v+" persisted data", p.persisted.value())
	}
}

// meanSize is the mean of the bytes that a completed checkpoint stored, and of all it refers to.
func (r *Run) meanSize() (size, full float64) {
	var stored, all mean
	for i := range r.Checkpoints {
		if c := &r.Checkpoints[i]; c.Status == "COMPLETED" {
			stored.add(c.Size)
			all.add(c.Full)
		}
	}
	return stored.value(), all.value()
}

// mean is of the numbers that were told; NaN without one.
type mean struct {
	sum float64
	n   int
}

func (m *mean) add(v Number) {
	if !math.IsNaN(float64(v)) {
		m.sum, m.n = m.sum+float64(v), m.n+1
	}
}

func (m *mean) value() float64 { return m.sum / float64(m.n) }

// part is what one vertex's subtasks did in all completed checkpoints.
type part struct{ delay, alignment, processed, persisted mean }

func partOf(parts map[string]*part, vertex string) *part {
	name := vertexName(vertex)
	if parts[name] == nil {
		parts[name] = &part{}
	}
	return parts[name]
}

func (p *part) add(subtasks []Subtask) {
	for i := range subtasks {
		s := &subtasks[i]
		if s.Status != "completed" {
			continue
		}
		p.delay.add(s.StartDelay)
		p.alignment.add(s.Alignment)
		p.processed.add(s.Processed)
		p.persisted.add(s.Persisted)
	}
}

// times turns the three time counters into ms per second of one subtask: they are scaled by their sum, because the
// recorded ones restart with the tasks and do not always sum to 1000.
func (m *measures) times(perSecond map[string]map[string]Number) {
	for _, v := range sortedKeys(perSecond) {
		var sum float64
		for _, t := range taskTimes {
			sum += float64(perSecond[v][t.counter])
		}
		for _, t := range taskTimes {
			m.add(t.class, vertexName(v)+" "+t.class, 1000*float64(perSecond[v][t.counter])/sum)
		}
	}
}

// taskTimes are the three states a task's time is divided into.
var taskTimes = []struct{ class, counter string }{
	{"busy", "accumulateBusyTimeMs"},
	{"back-pressured", "accumulateBackPressuredTimeMs"},
	{"idle", "accumulateIdleTimeMs"},
}

// counters are records, bytes and buffers per second, summed over a vertex's subtasks. What the sink wrote outside is left out: the
// recorded job throws it away and counts nothing.
func (m *measures) counters(perSecond map[string]map[string]Number) {
	for _, v := range sortedKeys(perSecond) {
		for _, c := range sortedKeys(perSecond[v]) {
			if vertexName(v) == "sink" && c == "numRecordsOut" {
				continue
			}
			if class := counterClass(c); class == "records" || class == "bytes" || class == "buffers" {
				m.add(class, vertexName(v)+" "+c, float64(perSecond[v][c]))
			}
		}
	}
}

// gauges are the means of Flink's buffer metrics; a metric that is there twice (job and gate scope) counts once.
func (m *measures) gauges(mean map[string]map[string]Number) {
	for _, v := range sortedKeys(mean) {
		for _, g := range sortedKeys(mean[v]) {
			class := gaugeClass(g)
			if class == "" {
				continue
			}
			m.add(class, vertexName(v)+" "+shortName(g), float64(mean[v][g]))
		}
	}
}

// gaugeClass is the class of a mean of a gauge; none of estimatedTimeToConsumeBuffersMs, whose recorded means hold values near the
// largest long.
func gaugeClass(name string) string {
	for _, of := range [...]struct{ suffix, class string }{
		{"Usage", "pool usage"}, {"QueueLength", "queue length"}, {"QueueSize", "queue size"}, {"debloatedBufferSize", "debloated size"},
	} {
		if strings.HasSuffix(name, of.suffix) {
			return of.class
		}
	}
	return ""
}

// counterClass is the class of a counter's growth.
func counterClass(name string) string {
	switch name {
	case "numRecordsIn", "numRecordsOut":
		return "records"
	case "numBytesOut":
		return "bytes"
	case "numBuffersOut":
		return "buffers"
	}
	for _, t := range taskTimes {
		if t.counter == name {
			return t.class
		}
	}
	return ""
}

// inOrder sorts by class, keeping the order within one.
func (m measures) inOrder() []Value {
	slices.SortStableFunc(m, func(a, b Value) int { return classIndex(a.Class) - classIndex(b.Class) })
	return m
}

func classIndex(name string) int {
	return slices.IndexFunc(classes, func(c Class) bool { return c.Name == name })
}

// vertexName is the name of a vertex without Flink's "Source: " in front.
func vertexName(recorded string) string { return strings.TrimPrefix(recorded, "Source: ") }

// shortName is a metric's last word, which is unique among the buffer metrics.
func shortName(metric string) string { return metric[strings.LastIndexByte(metric, '.')+1:] }

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
