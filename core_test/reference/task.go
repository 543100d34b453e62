package reference

import (
	"slices"

	"checkpointlab/core"
	"checkpointlab/core/barrier"
	"checkpointlab/core/event"
)

// activity is what a task's thread does (spec 4.4).
type activity int

const (
	idle activity = iota
	busy
	soft // no output to begin a record with: mails run
	hard // blocked in the middle of a record: nothing runs
	syncing
	off
	activities
)

// task is one subtask.
type task struct {
	run         *Run
	id          event.Task
	vertex      *core.Vertex
	vertexIndex int
	index       int
	gates       []*gate
	inputs      []*channel // of all gates
	outs        []*partition
	log         *log    // sources
	writer      *writer // sinks
	flushPeriod event.Time
	flush       event.Time // of a sink's writer, ahead of a barrier

	alive bool
	life  int // counts restarts: what an earlier one has scheduled is void
	doing activity
	since event.Time
	spent [activities]event.Time

	attempt   *attempt    // in which it is about to start, nil = it has started
	reading   bool        // it reads what it starts from
	goneAt    event.Time  // it is gone, and known to be from then on
	retired   bool        // this phase of the run does without it
	lost      bool        // gone with its task manager, and not restarted yet
	locked    bool        // a source that holds the lock until its first record has come
	nextDeaf  bool        // no interrupt ends that:
	next      *event.Time // how much longer its next synchronous part takes, 0 = forever; nil = no longer
	deafUntil event.Time  // it hangs until then, and no interrupt ends that; 0 = it does not
	callbacks int64       // of completed checkpoints so far
	refusal   refusal
	size      int64      // bytes of its state
	files     uint64     // of snapshots, so far
	flowFiles int64      // of channel state, so far
	baseNum   int64      // its rate without its load
	basePer   event.Time // …
	factor    int64      // what the load makes of it, in millionths
	silent    int64      // partitions that get nothing
	behind    bool       // it works off a backlog, as far as the coordinator knows
	reported  *int64     // the watermark that its coordinator has been told last

	cost, nextCost event.Time   // of a record; of the next record
	costs          []event.Time // by input, if they differ
	turn           int          // the gate to be asked first
	seen           int64        // records in, by the state
	seenBy         []int64      // of them, by input
	working        bool         // on a record that takes time
	inWork         record
	from           *gate         // that the record in work came by
	writing        []emission    // what the record in work has made and is not written
	willLook       bool          // a look of the thread is scheduled
	awake          bool          // the thread is looking
	waits          int           // counts waits for arrivals
	ends           []*event.Time // of the work under way: of the record, of a hold, of the asynchronous parts of snapshots

	time    eventTime
	windows windows
	asking  asking
	mailbox []mail
	batch   batch
	handler barrier.Handler
	held    []barrier.Effect // to be carried out after the synchronous part
	uploads map[event.Checkpoint]*upload

	end                       ending
	knownEnded, knownFinished bool // to the coordinator
}

// emission is one record to be written to one output.
type emission struct {
	record record
	to     *partition
	begun  *channel // chosen at the first byte

	only    *channel // of a watermark: it goes to every channel, each by itself
	flushes bool     // … and this is the last of the output
}

// do turns the thread to another activity. Back pressure begins and ends here.
func (t *task) do(a activity) {
	t.spent[t.doing] += t.run.now - t.since
	t.since = t.run.now
	before, after := pressed(t.doing), pressed(a)
	t.doing = a
	if before && !after {
		t.run.tell(event.Event{Kind: event.BackPressured, Task: t.id})
	}
	if after && !before {
		t.run.tell(event.Event{Kind: event.BackPressured, Task: t.id, A: 1})
	}
}

func pressed(a activity) bool { return a == soft || a == hard }

// look is the mailbox loop (spec 4.4): what the last record made is written, mails are read, then the outputs are tested,
// then the next record is taken.
func (t *task) look() {
	t.awake = true
	t.goOn()
	t.awake = false
}

func (t *task) goOn() {
	for {
		t.cost = t.nextCost
		if !t.write() {
			t.do(hard)
			return
		}
		taken := false // a record that has waited for room is not taken anew
		if t.asks() {
			if t.passAnswers(); len(t.writing) > 0 {
				t.do(hard)
				return
			}
			if t.asking.yields {
				taken = !t.asking.ending
				if t.yield() {
					return
				}
			}
		}
		if t.windows.firing && (len(t.mailbox) == 0 || !t.interruptible()) {
			if t.fire() {
				return
			}
			continue
		}
		first := t.recordFirst()
		if !taken && !t.locked && !first {
			if t.readMails() {
				return
			}
			first = t.recordFirst()
		}
		if len(t.writing) > 0 { // a mail is in the middle of writing a watermark
			t.do(hard)
			return
		}
		if t.windows.firing {
			continue
		}
		if t.end.input {
			t.leave()
			return
		}
		if !taken && !t.available() {
			if t.do(soft); first {
				continue
			}
			return
		}
		found := t.nextRecord()
		switch {
		case t.doing == syncing:
			return
		case t.asking.ending:
			continue
		case !found && t.sayLast():
			continue
		case !found && t.nothingLeft():
			t.end.input, t.locked = true, false
			continue
		case !taken && !t.locked && !(first && found) && len(t.mailbox) > 0: // an event that was read has put a mail there
			continue
		case !found:
			t.do(idle)
			return
		case t.asks() && t.full():
			t.asking.yields = true
			continue
		}
		t.begin()
		t.do(busy)
		if t.cost > 0 && t.inWork.mark == nil {
			t.takesRecord(t.cost)
			return
		}
		t.process()
	}
}

// finish is the end of a record that took time.
func (t *task) finish() {
	t.working = false
	t.process()
	t.wake(t.run.now)
}

// inThisLife is do, unless the task is cancelled before.
func (t *task) inThisLife(do func()) func() {
	life := t.life
	return func() {
		if t.life == life {
			do()
		}
	}
}

// later schedules what ends with the task.
func (t *task) later(at event.Time, do func()) {
	t.run.agenda.afterIn(t.home(), at, t.inThisLife(do))
}

// wake lets the thread look for something to do; once is enough.
func (t *task) wake(at event.Time) {
	if t.willLook {
		return
	}
	t.willLook = true
	t.run.agenda.look(at, t, t.inThisLife(func() {
		t.willLook = false
		if t.alive && !t.working && t.doing != syncing {
			t.look()
		}
	}))
}

// nextRecord looks for the next record to work on.
func (t *task) nextRecord() bool {
	if t.log != nil {
		return t.end.stop == 0 && !t.time.paused && t.readLog()
	}
	return t.readGates()
}

// begin takes the record that was found.
func (t *task) begin() {
	if t.log != nil {
		t.inWork = record{source: t.id, position: t.log.next, born: t.log.arrival(t.run.now, t.log.next), size: t.vertex.Payload + t.run.setup.Overhead}
		t.log.next++
		t.log.read = max(t.log.read, t.log.next) // it is in the log, whether its work is finished or not
		return
	}
	t.from = t.gates[t.turn]
	if t.costs != nil {
		t.cost = t.costs[t.turn]
	}
	t.inWork = t.from.hand.data.records[0]
	t.turn = (t.turn + 1) % len(t.gates)
}

// readLog looks for the next record of the log, or waits for its arrival.
func (t *task) readLog() bool {
	at := t.log.arrival(t.run.now, t.log.next)
	if at > t.run.now {
		t.waitFor(at)
		return false
	}
	return true
}

func (t *task) waitFor(at event.Time) {
	t.waits++
	wait := t.waits
	if at == event.Never {
		return
	}
	t.run.agenda.look(at, t, t.inThisLife(func() {
		if t.waits == wait && t.doing == idle {
			t.look()
		}
	}))
}

// logChanged is another rate: a source that waits looks again.
func (t *task) logChanged() {
	if t.doing == idle {
		t.wake(t.run.now)
	}
}

// readGates asks the gates in turn, one record each (truth/mechanisms 14).
func (t *task) readGates() bool {
	for i := range t.gates {
		k := (t.turn + i) % len(t.gates)
		g := t.gates[k]
		if t.ask(g) {
			t.turn = k
			return true
		}
		if t.doing == syncing || t.asking.ending {
			return false
		}
	}
	return false
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
	t.from.take()
}

// inputInWork is which input the record in work came by.
func (t *task) inputInWork() int { return slices.Index(t.gates, t.from) }

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
		for _, p := range t.outs {
			t.writing = append(t.writing, emission{record: r, to: p})
		}
	}
}

// write goes on writing what the last record made; false: it waits for a segment.
func (t *task) write() bool {
	for len(t.writing) > 0 {
		if !t.writing[0].write() {
			return false
		}
		t.writing = t.writing[1:]
	}
	return true
}

// available tests every output before a record begins (truth/mechanisms 2); a source that emits under the lock does not ask.
func (t *task) available() bool {
	if t.vertex.Lock != core.NoLock {
		return true
	}
	for _, p := range t.outs {
		if !p.pool.Available() {
			return false
		}
	}
	return true
}

// segmentFree tells a thread that waits for output that a segment came back.
func (t *task) segmentFree() {
	if t.awake {
		return
	}
	if t.doing == hard || t.doing == soft && t.available() {
		c := &t.run.setup.Control
		t.wake(t.run.now + c.WakeOutput + event.Wait(t.run.setup.Seed, t.run.now, t.id, c.WakeSpread))
	}
}

// setCost changes what a record costs, from the next one on.
func (t *task) setCost(cost event.Time) {
	t.nextCost, t.costs = t.atLeast(cost), nil
	if t.doing == idle || t.doing == soft {
		t.wake(t.run.now)
	}
}

// atLeast lets a source take 1 ns for a record, so that no record arrives and is read at the same instant.
func (t *task) atLeast(cost event.Time) event.Time {
	if t.vertex.Kind == core.Source {
		return max(1, cost)
	}
	return cost
}

// flushAt makes what is written and not full readable, repeatedly (spec 4.2).
func (t *task) flushAt(at event.Time) {
	t.later(at, func() {
		if !t.alive {
			return
		}
		for _, p := range t.outs {
			p.flush()
		}
		t.flushAt(t.run.now + t.flushPeriod)
	})
}

// Tasks is the number of tasks.
func (r *Run) Tasks() int { return len(r.all) }

// Read is the position of a source subtask: the records that it has finished reading.
func (r *Run) Read(id event.Task) int64 {
	t := r.all[id]
	if t.working {
		return t.log.next - 1
	}
	return t.log.next
}

// TimeOf is how long a task was idle, busy (with the synchronous parts of snapshots), soft and hard back-pressured up to
// now.
func (r *Run) TimeOf(id event.Task) (idling, working, softly, hardly event.Time) {
	t := r.all[id]
	spent := t.spent
	spent[t.doing] += r.now - t.since
	return spent[idle], spent[busy] + spent[syncing], spent[soft], spent[hard]
}
