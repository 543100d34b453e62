package core

import (
	"checkpointlab/core/checkpoint"
	"checkpointlab/core/event"
	"checkpointlab/core/failover"
	"checkpointlab/core/metric"
	"checkpointlab/core/sim"
	"checkpointlab/core/state"
	"checkpointlab/core/task"
	"checkpointlab/core/watermark"
)

// Lab is one run. It is not safe for concurrent use.
type Lab struct {
	plan *plan

	now          event.Time
	queue        sim.Queue
	feed         event.Feed
	world        task.World
	coord        checkpoint.Coordinator
	strategy     failover.Strategy
	random       sim.Stream
	job          jobState
	shown        task.Save       // the latest checkpoint whose records all sinks have made visible
	firstShown   event.Time      // when the first sink showed a newer one, 0 = none has
	lagging      int             // index of the sink that was found last to show no newer one
	overtaken    []event.Time    // by task: arrival of the oldest record that the last committed barrier overtook; Never = none
	behind       []bool          // by task: the source works off a backlog, as far as the coordinator knows
	initializing []bool          // by task: it has started, but the coordinator does not know yet that it runs
	ended        []bool          // by task: the coordinator knows that it has come to the end of its data
	align        watermark.Group // what the source coordinators know, by task
	rates        []baseRate      // by task, of sources with a load
	shares       shares
	gauges       []gauges           // by task
	latencies    []metric.Histogram // of mailboxes, by task; none in a wide job
	storing      storing
	back         comebacks
	stalls       stalls
	throttles    []throttled // by task manager
	lastDuration event.Time  // of the checkpoint that completed last
	fetched      fetched
	aboard       aboard
	begun        bool // all tasks of a wide job have started, and nobody has looked yet whether it may run express

	effects   []checkpoint.Effect // reused
	byManager []int64             // reused
	scratch   []piece             // reused
	ofParts   []*state.Part       // reused
	asked     []event.Task        // reused
	rec       *recorder           // nil: nothing is recorded
}

// jobState is the state of the job as a whole.
type jobState struct {
	running  bool
	starting int              // tasks that have started and are not known to run: INITIALIZING
	fresh    event.Time       // until then a trigger may find a task that is not RUNNING; before now = it does not
	unbroken bool             // no task of this execution graph has failed
	heard    bool             // the scheduler stops when the job leaves RUNNING (2.3)
	failed   bool             // no restart is left
	finished bool             // every task has
	stopping bool             // a savepoint is under way with which the job stops
	request  int64            // … the number of that request
	stopped  bool             // it is complete
	rescale  int              // the action of the script that it is for, from 1; 0 = none
	repeats  bool             // the job failed or was cancelled after the savepoint that it was stopped with, or took a last checkpoint behind it: what the sinks committed then is written again
	last     event.Checkpoint // the savepoint with which the job stopped
	unfit    event.Task       // a task that cannot read its state and so fails at every start; -1 = none
	backlog  bool             // a source works off a backlog
	left     int              // tasks that are not known to have finished
	apart    int              // of them, those that failed while the savepoint that the job stops with was pending (stopsWithJob)
	restarts int64            // numRestarts: by failures, and by rescaling
	rescales int64            // numRescales, which 2.x has: without a failure
	why      event.Cause      // of the last failure
	gen      uint32           // of the last restart that began
	led      event.Time       // since when the JobManager leads; -1 = since the start
	times    jobTimes
	restored event.Time // when a checkpoint was restored last; -1 = never
}

// Setup is what the run was made from, with defaults filled in; a vertex that is rescaled has the largest number of subtasks
// that it ever has. It must not be changed.
func (l *Lab) Setup() *Setup { return l.plan.layout }

// Managers is the number of task managers.
func (l *Lab) Managers() int { return l.plan.managers }

// Now is the instant up to which the run is computed.
func (l *Lab) Now() event.Time { return l.now }

// History is what was recorded so far; nil for a run that was restored from a snapshot.
func (l *Lab) History() *History {
	if l.rec == nil {
		return nil
	}
	return &l.rec.history
}

// Hash is the 64-bit trace hash of everything that happened up to Now.
func (l *Lab) Hash() uint64 { return l.feed.Hash }

// Events counts what has happened up to Now: the unit of Step.
func (l *Lab) Events() uint64 { return l.feed.Count }

// Advance computes the run up to until, handling at most budget events (0 = no limit), and reports whether until was reached.
// The run does not depend on how it is cut into calls.
func (l *Lab) Advance(until event.Time, budget int) bool {
	l.queue.Limit(until)
	if !l.world.Wide {
		return l.advanceNarrow(until, budget)
	}
	l.board(l.now)
	for n := 0; ; n++ {
		if l.world.Riding() && (budget == 0 || n < budget) {
			n += l.express(until, max(0, budget-n))
		}
		if budget > 0 && n == budget {
			l.alight() // whoever counts looks
			if l.queue.Quiet(until) {
				l.now = max(l.now, until)
				return true
			}
			return false
		}
		next := l.queue.PopUntil(until)
		if next == nil {
			l.now = max(l.now, until)
			return true
		}
		l.now = next.At
		sampled := next.Kind == event.DueSample
		l.fetch(next)
		l.handle(next)
		if l.now = l.queue.Now(); sampled || l.begun && l.queue.Quiet(l.now) {
			l.board(l.now)
		}
	}
}

// advanceNarrow is Advance for a job whose buffers do not hop and which does not run express.
func (l *Lab) advanceNarrow(until event.Time, budget int) bool {
	for n := 0; budget == 0 || n < budget; n++ {
		next := l.queue.PopUntil(until)
		if next == nil {
			l.now = max(l.now, until)
			return true
		}
		l.now = next.At
		switch next.Kind {
		case event.DueStep: // the most frequent kinds are dispatched without another call
			l.world.StepEnd(next.At, next.A, next.Gen)
		case event.DueRun:
			if next.At < l.stalls.last && l.putOff(next) {
				continue
			}
			l.world.Run(next.At, next.A, next.Gen)
		default:
			l.handle(next)
		}
		l.now = l.queue.Now()
	}
	if l.queue.Quiet(until) {
		l.now = max(l.now, until)
		return true
	}
	return false
}

// Step handles events until something visible has happened, and reports whether anything did before the end.
func (l *Lab) Step() bool {
	l.alight()
	l.queue.Limit(-1)
	for before := l.feed.Count; l.feed.Count == before; {
		next := l.queue.PopUntil(l.plan.setup.Duration)
		if next == nil {
			return false
		}
		l.now = next.At
		l.handle(next)
	}
	return true
}

// handle dispatches whatever falls due to the room it belongs to (event/due.go lists the kinds).
func (l *Lab) handle(it *sim.Item) {
	w, now := &l.world, it.At
	if now < l.stalls.last && l.putOff(it) {
		return
	}
	switch it.Kind {
	// The tasks' threads.
	case event.DueRun:
		w.Run(now, it.A, it.Gen)
	case event.DueStep:
		w.StepEnd(now, it.A, it.Gen)
	case event.DueFlush:
		w.Flush(now, it.A, it.Gen)
	case event.DueMail:
		if w.Tasks[it.A].Gen == it.Gen {
			w.Mail(now, it.A, it.B, it.ID)
		}
	case event.DueSync:
		w.SyncEnd(now, it.A, it.Gen)
	case event.DueSyncLate:
		w.SyncLate(now, it.A, it.ID, it.Gen)
	case event.DueAsync:
		w.AsyncEnd(now, it.A, it.ID, it.Gen)
	case event.DueEnd:
		w.LogEnds(now, it.A, it.Gen)
	case event.DueBackend:
		w.BackendEvent(now, it.A, it.Gen)
	case event.DueDebloat:
		w.Debloat(now, it.A, it.Gen)
	case event.DueLoad:
		l.load(now, int(it.A))
	case event.DueReport:
		w.ReportPeriod(now, it.A, it.Gen)
	case event.DueReported:
		l.reportedMark(it)
	case event.DueAnnounce:
		l.announce(now, int(it.A))
	case event.DueMark:
		w.MarkPeriod(now, it.A, it.Gen)
	case event.DueFail:
		if t := &w.Tasks[it.A]; t.Alive && t.Gen == it.Gen {
			l.taskFails(now, it.A, event.Cause(it.B))
		}

	// The network.
	case event.DueDeliver:
		if l.reaches(it) {
			if w.Deliver(now, it.A); w.Hopping() {
				l.hop(now)
			}
		}
	case event.DueCredit:
		if l.reaches(it) {
			w.Credit(now, it.A, int(it.B))
		}
	case event.DueBacklog, event.DueResume, event.DueSize, event.DueProcessed, event.DueAsked:
		if l.reaches(it) {
			l.network(now, it)
		}
	case event.DueSend:
		w.Net.SendOn(now, it.A, it.Gen)
	case event.DueTimedOut:
		if l.reaches(it) {
			l.timedOut(now, it.A, it.B == 1)
		}

	// The storage.
	case event.DueRequest:
		l.stored(now, w.Store.Request(now, it.A, it.Gen))
	case event.DueFlow:
		l.stored(now, w.Store.Flow(now, it.Gen))
	case event.DueOrder:
		l.stored(now, w.Store.Empty(it.A, it.Gen))
	case event.DueLog:
		w.LogDue(now, it.A, it.ID, it.Gen)
	case event.DueMaterialize:
		w.Materialize(now, it.A, it.Gen)
	case event.DueRetry:
		w.Store.Retry(now, it.A, it.Gen)

	// The coordinator.
	case event.DueTick:
		l.carry(now, l.coord.Tick(now, it.ID, l.effects[:0]))
	case event.DueExpire:
		l.carry(now, l.coord.Expire(now, it.ID, l.effects[:0]))
	case event.DueFinalized:
		l.carry(now, l.coord.Finalized(now, it.ID, event.NoReason, l.effects[:0]))
	case event.DueAck:
		l.acknowledge(now, it)
	case event.DueDecline:
		if w.Tasks[it.A].Gen == it.Gen {
			l.carry(now, l.coord.Decline(now, it.ID, it.A, event.Reason(it.B), l.effects[:0]))
		}

	case event.DueCaughtUp:
		l.caughtUp(now, it.A, it.Gen)
	case event.DueFatal:
		l.fatal(now, it.A)
	case event.DueStartFails:
		if l.back.of[it.A] == it.Gen && l.back.isIn(it.A) {
			l.failStarting(now, it.A, event.Cause(it.B))
		}
	case event.DueNoSlots:
		l.noSlots(now, it.Gen)
	case event.DueDetect:
		l.detect(now, it.A, event.Cause(it.B))
	case event.DueFaster:
		l.faster(now, int(it.A))
	case event.DueGoOn:
		l.goOn(now, it.A)
	case event.DueMissed:
		l.missed(now, it.A, it.ID, it.B == 1)
	case event.DueEnded:
		l.taskEnded(now, it.A, it.Gen)
	case event.DueFinished:
		l.taskFinished(now, it.A, it.Gen)

	// The job as a whole.
	case event.DueScript:
		l.script(now, int(it.A))
	case event.DueRestart:
		l.redeploy(now, it.Gen)
	case event.DueRunning:
		l.runAll(now, it.Gen)
	case event.DueInitialized:
		l.initialized(now, it.A, it.Gen)
	case event.DueSample:
		l.sample(now)
	case event.DueGauge:
		l.gauge(now)
	}
}

// network handles a message other than a buffer or credit that arrives at one end of a channel.
func (l *Lab) network(now event.Time, it *sim.Item) {
	net := l.world.Net
	switch it.Kind {
	case event.DueBacklog:
		net.TakeBacklog(now, it.A, int(it.B))
	case event.DueResume:
		net.Resumed(now, it.A)
	case event.DueSize:
		l.world.Resize(now, it.A, it.B)
	case event.DueProcessed:
		l.world.Answered(now, it.A)
	case event.DueAsked:
		net.Asked(now, it.A)
	}
}

// reaches reports whether a message's channel is still the one it was sent on; messages under way when its tasks were cancelled
// are dropped.
func (l *Lab) reaches(it *sim.Item) bool {
	net := l.world.Net
	return int(it.A) < len(net.Channels) && net.Channels[it.A].Gen == it.Gen // the channel may belong to a wider phase
}

// Buffers counts the buffers that were sent up to Now.
func (l *Lab) Buffers() uint64 { return l.feed.Buffers }
