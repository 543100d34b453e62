package truth

import "checkpointlab/core"

// gauges averages what the recording program read from Flink's metrics: means over subtasks and readings, and the growth
// of counters per second, summed over subtasks.
type gauges struct {
	setup    *core.Setup
	vertices []vertexGauges
	readings float64 // of gauges
	seconds  float64 // whole ones, of task times
}

type vertexGauges struct {
	name        string
	subtasks    float64
	gates       int // input gates of one subtask
	inputs      int // channels into one subtask, over all gates
	means       map[string]float64
	busy, back  float64 // thousandths of a second, over the subtasks
	first, last counters
}

type counters struct{ recordsIn, recordsOut, bytesOut, buffersOut int64 }

func newGauges(v *core.View, s *core.Setup) *gauges {
	g := &gauges{setup: s, vertices: make([]vertexGauges, len(v.Vertices))}
	for i := range g.vertices {
		x := &v.Vertices[i]
		g.vertices[i] = vertexGauges{name: x.Name, subtasks: float64(len(x.Tasks)), means: map[string]float64{}, first: countersOf(x)}
	}
	for i := range v.Exchanges {
		to := &g.vertices[v.Exchanges[i].To]
		to.gates++
		to.inputs += len(v.Exchanges[i].Channels) / int(to.subtasks)
	}
	return g
}

// read takes one reading; wholeSecond says that a second has passed since the last one, for which the task times hold.
func (g *gauges) read(v *core.View, wholeSecond bool) {
	g.readings++
	if wholeSecond {
		g.seconds++
	}
	for i := range v.Vertices {
		g.vertices[i].readTasks(&v.Vertices[i], wholeSecond, g.setup.Options.Debloat)
	}
	for i := range v.Exchanges {
		e := &v.Exchanges[i]
		g.readExchange(e, &g.vertices[e.From], &g.vertices[e.To])
	}
}

func (x *vertexGauges) readTasks(v *core.VertexView, wholeSecond, debloat bool) {
	x.last = countersOf(v)
	for k := range v.Tasks {
		t := &v.Tasks[k]
		if wholeSecond {
			x.busy += float64(t.Busy)
			x.back += float64(t.Soft + t.Hard)
		}
		x.means["inPoolUsage"] += share(t.InUsed, t.InTotal) / x.subtasks
		x.means["outPoolUsage"] += share(t.OutUsed, t.OutTotal) / x.subtasks
		if debloat && x.inputs > 0 {
			x.means["debloatedBufferSize"] += float64(t.Metrics.DebloatedBufferSize) / x.subtasks
		}
	}
}

// readExchange counts what stands at the senders and receivers. Events wait in the queues, too, but hold no buffer of a pool.
func (g *gauges) readExchange(e *core.ExchangeView, from, to *vertexGauges) {
	var out, in queue
	var exclusive, floating int
	for i := range e.Channels {
		c := &e.Channels[i]
		out.add(c.Sender)
		in.add(c.Receiver)
		for k := range c.Receiver {
			countBuffer(&c.Receiver[k], &exclusive, &floating)
		}
		if c.Holding {
			countBuffer(&c.Current, &exclusive, &floating)
		}
	}
	from.means["outputQueueLength"] += float64(out.length) / from.subtasks
	from.means["outputQueueSize"] += float64(out.bytes) / from.subtasks
	to.means["inputQueueLength"] += float64(in.length) / to.subtasks
	to.means["inputQueueSize"] += float64(in.bytes) / to.subtasks
	o := &g.setup.Options
	to.means["inputExclusiveBuffersUsage"] += share(exclusive, to.inputs*o.BuffersPerChannel) / to.subtasks
	to.means["inputFloatingBuffersUsage"] += share(floating, to.gates*o.FloatingPerGate) / to.subtasks
}

type queue struct {
	length int
	bytes  int64
}

func (q *queue) add(cells []core.Cell) {
	q.length += len(cells)
	for i := range cells {
		q.bytes += int64(cells[i].Bytes)
	}
}

func countBuffer(c *core.Cell, exclusive, floating *int) {
	switch {
	case c.Kind != core.Data:
	case c.Exclusive:
		*exclusive++
	default:
		*floating++
	}
}

func countersOf(v *core.VertexView) (c counters) {
	for k := range v.Tasks {
		m := &v.Tasks[k].Metrics
		if v.Kind != core.Source { // the recorded reader counts none (RateLimitedSourceReader)
			c.recordsIn += m.NumRecordsIn
		}
		c.recordsOut += m.NumRecordsOut
		c.bytesOut += m.NumBytesOut
		c.buffersOut += m.NumBuffersOut
	}
	return c
}

func share(used, total int) float64 {
	if total == 0 {
		return 0
	}
	return float64(used) / float64(total)
}

// means are the averages under the last word of Flink's metric names.
func (g *gauges) means() map[string]map[string]Number {
	all := map[string]map[string]Number{}
	for i := range g.vertices {
		x := &g.vertices[i]
		all[x.name] = map[string]Number{}
		for k, sum := range x.means {
			all[x.name][k] = Number(sum / g.readings)
		}
	}
	return all
}

// perSecond are the task times and counters, summed over subtasks.
func (g *gauges) perSecond() map[string]map[string]Number {
	all := map[string]map[string]Number{}
	for i := range g.vertices {
		x := &g.vertices[i]
		busy, back := x.busy/g.seconds, x.back/g.seconds
		growth := func(last, first int64) Number { return Number(float64(last-first) / g.readings * readingsPerSecond) }
		all[x.name] = map[string]Number{
			"accumulateBusyTimeMs":          Number(busy),
			"accumulateBackPressuredTimeMs": Number(back),
			"accumulateIdleTimeMs":          Number(1000*x.subtasks - busy - back),
			"numRecordsIn":                  growth(x.last.recordsIn, x.first.recordsIn),
			"numRecordsOut":                 growth(x.last.recordsOut, x.first.recordsOut),
			"numBytesOut":                   growth(x.last.bytesOut, x.first.bytesOut),
			"numBuffersOut":                 growth(x.last.buffersOut, x.first.buffersOut),
		}
	}
	return all
}
