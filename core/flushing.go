package core

import "checkpointlab/core/event"

// leastFlushing is the fraction (1/leastFlushing) of a thread's time below which a flusher is ignored: recorded runs could not
// show it.
const leastFlushing = 100

// flushing is the processor time that a subtask's flusher takes in each of its periods, since it visits every channel whether
// there is anything to flush or not (OutputFlusher, ResultPartition.flushAll, which locks every subpartition). 0: too little to
// be noticed.
func (p *plan) flushing(id event.Task, period event.Time) event.Time {
	if p.setup.Options.BufferTimeout <= 0 {
		return 0
	}
	channels := event.Time(0)
	for _, out := range p.outs[id] {
		channels += event.Time(p.net.Partitions[out].Count)
	}
	if d := channels * p.setup.Control.Flush; d*leastFlushing >= period+d {
		return d
	}
	return 0
}

// shared is what a record costs a subtask whose thread competes with its flusher, which works, sleeps for its period and works
// again.
func (p *plan) shared(v int, id event.Task, cost event.Time) event.Time {
	period := p.flushPeriod(v)
	d := p.flushing(id, period)
	return cost + cost*d/period
}
