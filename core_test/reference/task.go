package reference

import (
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
	awaits    bool        // a restored source that reads nothing until its first snapshot
	locked    bool        // a source that holds the lock until its first record has come
	nextDeaf  bool        // no interrupt ends that:
	next      *event.Time // how much longer its next synchronous part takes, 0 = forever; nil = no longer
	deafUntil event.Time  // it hangs until then, and no interrupt ends that; 0 = it does not
	callbacks int64       // of completed checkpoints so far
	refusal   refusal
	size      int64  // bytes of its state
	files     uint64 // of snapshots, so far
	state     changes
	stopped   bool       // it reads nothing more behind an event, for too much of its log is to be uploaded
	logged    *changelog // of the changes of its state, nil = it keeps none
	hashmap   *hashmap   // its state in hashmap, nil = it has none there
	diskSince event.Time // what it has stored since then is on its task manager's disk, too
	flowFiles int64      // of channel state, so far
	baseNum   int64      // its rate without its load
	basePer   event.Time // …
	factor    int64      // what the load makes of it, in millionths
	silent    int64      // partitions that get nothing
	behind    bool       // it works off a backlog, as far as the coordinator knows
	reported  *int64     // the watermark that its coordinator has been told last

	cost, nextCost event.Time   // of a record; of the next record
	costs          []event.Time // by input, if they differ
	slow, nextSlow int64        // all of that takes so many times as long, per mille; 0 = as long
	turn           int          // the gate to be asked first
	in, out        int64        // records, as its counters show them
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

// setCost changes what a record costs, from the next one on.
func (t *task) setCost(cost event.Time) {
	t.nextCost, t.costs = t.atLeast(cost), nil
	t.heeds()
}

// heeds lets a thread that waits look at what is different.
func (t *task) heeds() {
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

// RecordsOf is how many records the running attempt of a task has taken in and put out: a record counts as in once its processing begins,
// and as out once it is written whole to every output. runs: there is one.
func (r *Run) RecordsOf(id event.Task) (in, out int64, runs bool) {
	t := r.all[id]
	if t.asking.yields && !t.asking.ending { // one is in the middle of processElement
		return t.in + 1, t.out, t.alive
	}
	return t.in, t.out, t.alive
}
