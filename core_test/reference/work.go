package reference

import (
	"slices"

	"checkpointlab/core"
	"checkpointlab/core/event"
)

// emission is one record to be written to one output.
type emission struct {
	record record
	to     *partition
	last   bool     // the record is written whole with it
	begun  *channel // chosen at the first byte

	only    *channel // of a watermark: it goes to every channel, each by itself
	flushes bool     // … and this is the last of the output
}

// begin takes the record that was found.
func (t *task) begin() {
	if t.log != nil {
		if t.vertex.Lock == core.NoLock { // a SourceFunction counts none
			t.in++
		}
		t.inWork = record{source: t.id, position: t.log.next, born: t.log.arrival(t.run.now, t.log.next), size: t.vertex.Payload + t.run.setup.Overhead}
		t.log.next++
		t.log.read = max(t.log.read, t.log.next) // it is in the log, whether its work is finished or not
		return
	}
	t.from = t.gates[t.turn]
	if t.costs != nil {
		t.cost = t.slowed(t.costs[t.turn]) + t.accessCost()
	}
	if t.inWork = t.from.hand.data.records[0]; t.inWork.mark == nil {
		t.in++
	}
	t.turn = (t.turn + 1) % len(t.gates)
}

// process is the end of a record: it is read off its input, and what it makes is written.
func (t *task) process() {
	switch {
	case t.windows.timer != nil:
		t.fired()
	case t.inWork.mark != nil:
		t.from.take()
		t.hear(t.from.handFrom, *t.inWork.mark)
	case t.log != nil:
		t.locked = t.locked && t.holdsLock(false)
		t.note(t.inWork)
		t.caughtUp()
		t.emit(t.inWork, 1)
	case t.writer != nil:
		t.takeIn()
		t.writeOut(t.inWork)
		t.out++
	case t.usesWindows():
		t.takeIn()
		t.collect(t.inWork)
	case t.asks():
		t.takeIn()
		t.sendRequest(t.inWork)
	default:
		before := t.made(t.seen, t.seenBy)
		t.takeIn()
		t.emit(t.inWork, t.made(t.seen, t.seenBy)-before)
	}
	t.write()
}

// holdsLock tells whether a source holds the lock between two records: until the first one, or until what was there at the start is
// read.
func (t *task) holdsLock(none bool) bool {
	return t.vertex.Lock == core.LockFirst && none || t.vertex.Lock == core.LockSnapshot && t.log.next < t.log.past
}

// takeIn counts the record in work as seen and takes it out of the buffer in hand.
func (t *task) takeIn() {
	t.seen++
	t.seenBy[t.inputInWork()]++
	t.access()
	t.from.take()
}

// inputInWork is which input the record in work came by.
func (t *task) inputInWork() int { return slices.Index(t.gates, t.from) }

// accessCost is what the record in work takes for its accesses to the state.
func (t *task) accessCost() event.Time {
	if t.hashmap == nil {
		return 0
	}
	return t.slowed(t.hashmap.takes())
}

// edge is the exchange that an input belongs to.
func (t *task) edge(input int) *core.Edge {
	return &t.run.setup.Edges[t.gates[input].channels[0].partition.edge]
}

// made is how many records are out after so many in: of all inputs together, unless one of them makes records of its own.
func (t *task) made(seen int64, by []int64) (n int64) {
	apart := false
	for i := range t.gates {
		if e := t.edge(i); e.EmitDen > 0 || e.Payload > 0 {
			apart = true
		}
	}
	num, den := t.vertex.EmitNum, t.vertex.EmitDen
	if den == 0 {
		num, den = 1, 1
	}
	if !apart {
		return made(seen, num, den, t.vertex.Burst)
	}
	for i := range t.gates {
		e := t.edge(i)
		switch {
		case i >= len(by):
		case e.EmitDen > 0:
			n += made(by[i], e.EmitNum, e.EmitDen, t.vertex.Burst)
		default:
			n += made(by[i], num, den, t.vertex.Burst)
		}
	}
	return n
}

func made(n, num, den int64, burst bool) int64 {
	if burst {
		return n / den * num
	}
	return n * num / den
}

// emit makes n records like r, each for every output.
func (t *task) emit(r record, n int64) {
	payload := t.vertex.Payload
	if i := t.inputInWork(); i >= 0 && t.edge(i).Payload > 0 {
		payload = t.edge(i).Payload
	}
	if payload > 0 {
		r.size = payload + t.run.setup.Overhead
	}
	for range n {
		for i, p := range t.outs {
			t.writing = append(t.writing, emission{record: r, to: p, last: i == len(t.outs)-1})
		}
	}
}

// write goes on writing what the last record made; false: it waits for a segment.
func (t *task) write() bool {
	for len(t.writing) > 0 {
		if !t.writing[0].write() {
			return false
		}
		if t.writing[0].last {
			t.out++
		}
		t.writing = t.writing[1:]
	}
	return true
}
