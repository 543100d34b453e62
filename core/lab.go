package core

import (
	"checkpointlab/core/checkpoint"
	"checkpointlab/core/event"
	"checkpointlab/core/failover"
	"checkpointlab/core/network"
	"checkpointlab/core/option"
	"checkpointlab/core/sim"
	"checkpointlab/core/sink"
	"checkpointlab/core/source"
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
	shown        task.Save       // the last checkpoint whose records every sink has made visible
	firstShown   event.Time      // when the first sink showed a newer one, 0 = none has
	lagging      int             // index of the sink that was found last to show no newer one
	overtaken    []event.Time    // by task: arrival of the oldest record that the last committed barrier overtook; Never = none
	behind       []bool          // by task: the source works off a backlog, as far as the coordinator knows
	ended        []bool          // by task: the coordinator knows that it has come to the end of its data
	align        watermark.Group // what the source coordinators know, by task
	rates        []baseRate      // by task, of sources with a load
	shares       shares
	gauges       gauges
	storing      storing
	lastDuration event.Time // of the checkpoint that completed last
	fetched      fetched
	aboard       aboard
	begun        bool // all tasks of a wide job have started, and nobody has looked yet whether it may run express

	effects   []checkpoint.Effect // reused
	byManager []int64             // reused
	scratch   []piece             // reused
	asked     []event.Task        // reused
	rec       *recorder           // nil: nothing is recorded
}

// jobState is where the job as a whole stands.
type jobState struct {
	running  bool
	fresh    bool             // no checkpoint was planned since all tasks run
	failed   bool             // no restart is left
	finished bool             // every task has
	stopping bool             // a savepoint is under way with which the job stops
	stopped  bool             // it is complete
	rescale  int              // the action of the script that it is for, from 1; 0 = none
	repeats  bool             // the job failed or was cancelled behind the savepoint that it stopped with: what the sinks have committed with it is written again
	last     event.Checkpoint // the savepoint with which the job stopped
	culprit  event.Task       // whose failure the back-off that runs is for; -1 = of the job as a whole
	unfit    event.Task       // a task that cannot read its state fails whenever it starts; -1 = none
	backlog  bool             // a source works off a backlog
	left     int              // tasks that are not known to have finished
	restarts int64            // numRestarts
	why      event.Cause      // of the last failure
	gen      uint32
	goneAt   event.Time       // the tasks of a lost task manager are known to be gone
	slotsAt  event.Time       // the slots of a lost task manager are there again
	until    event.Time       // end of the back-off, 0 = none runs
	began    event.Time       // of the last attempt to start: the end of its back-off
	restored event.Checkpoint // what the tasks went back to last
}

// New prepares a run at time 0 and records it. A mistake in the setup is an error that names what, the value and the
// remedy.
func New(s Setup) (*Lab, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	l := fromPlan(newPlan(s.withDefaults()))
	l.rec = newRecorder(l)
	l.begin()
	return l, nil
}

// fromPlan makes a run that has not begun.
func fromPlan(p *plan) *Lab {
	s := &p.setup
	l := &Lab{plan: p, feed: event.NewFeed(), random: sim.NewStream(s.Seed, "control")}
	parts := append([]network.Partition(nil), p.net.Partitions...)
	net := p.net
	net.Partitions = parts
	l.world = task.World{
		Net:   network.New(net, &l.queue, &l.feed, &l.world),
		Queue: &l.queue, Feed: &l.feed, Slab: event.NewSlab(), Rules: rulesOf(s),
	}
	l.addTasks()
	l.world.Committed = l.noteCommit
	l.newStorage()
	l.job.unfit, l.job.culprit = -1, -1
	cfg := checkpoint.FromOptions(&s.Options, p.tasks)
	cfg.SlowFinalize, cfg.SlowCleaning = s.Storage.On || s.Control.Finalize > 0, s.Storage.On
	l.coord = checkpoint.New(cfg)
	l.strategy = failover.New(&s.Options)
	l.shown = task.Save{Next: make([]int64, p.tasks), At: make([]event.Time, p.tasks), Emitted: make([]int64, len(parts))}
	l.overtaken, l.ended, l.behind = make([]event.Time, p.tasks), make([]bool, p.tasks), make([]bool, p.tasks)
	l.job.left, l.world.Wide = len(p.active), p.tasks > wideTasks || len(p.net.Wires) > wideChannels
	l.retire()
	l.mergeRegions()
	l.noteOvertaken(&l.shown)
	l.align, l.rates = watermark.NewGroup(p.tasks), make([]baseRate, p.tasks)
	l.shares, l.gauges = newShares(p.tasks), newGauges(p.tasks)
	return l
}

// addTasks makes the tasks of all phases, as they are in this one.
func (l *Lab) addTasks() {
	s, heaps := &l.plan.setup, l.plan.machines()
	l.world.Tasks = make([]task.Task, 0, l.plan.tasks)
	for v := range s.Vertices {
		for i := range l.plan.layout.Vertices[v].Parallelism {
			t := l.plan.taskOf(v, i)
			t.Retired = i >= s.Vertices[v].Parallelism
			l.plan.equip(&t, &heaps)
			l.addTask(t, &s.Vertices[v])
		}
	}
}

// retire lets the coordinator do without the tasks that this phase does not have.
func (l *Lab) retire() {
	for t := range l.world.Tasks {
		l.ended[t] = l.world.Tasks[t].Retired
		l.coord.Revive(event.Task(t))
		if l.world.Tasks[t].Retired {
			l.coord.Finish(event.Task(t))
		}
	}
}

func (l *Lab) addTask(t task.Task, v *Vertex) {
	switch v.Kind {
	case Source:
		t.Log = int32(len(l.world.Logs))
		share := partitionsOf(v, int(t.Index))
		l.world.Logs = append(l.world.Logs, logOf(v, share))
		l.world.Logs[t.Log].Splits = max(1, share)
		if q := &v.Load; q.Quiet && q.QuietSplits > 0 && q.QuietSubtask == int(t.Index) {
			l.world.Logs[t.Log].MaySilence(int64(q.QuietSplits))
		}
	case Sink:
		t.Writer = int32(len(l.world.Writers))
		channels := 0
		for _, g := range t.Gates {
			channels += len(l.plan.net.GateInputs[g])
		}
		w := sink.NewWriter(v.Guarantee == ExactlyOnce, channels, l.plan.tasks)
		w.ByCount = l.plan.setup.Options.Mode == option.ExactlyOnce
		w.Retry(l.plan.setup.Options.CommitRetries)
		if v.TransactionTimeout > 0 {
			w.Timeout = v.TransactionTimeout
		}
		l.world.Writers = append(l.world.Writers, w)
	}
	l.world.Tasks = append(l.world.Tasks, t)
}

// logOf is what a source subtask with that many partitions reads.
func logOf(v *Vertex, partitions int64) source.Log {
	until := v.Until
	if v.EndsAt > 0 && (until == 0 || v.EndsAt < until) {
		until = v.EndsAt
	}
	if partitions == 0 {
		log := source.NewLog(0, 1, event.Second, 0)
		log.Empty()
		if v.EndsAt > 0 || v.EndsAfter > 0 {
			log.Bound(0) // a reader that is told of no more splits ends at once (SourceReaderBase.handleNoMoreSplits)
		}
		return log
	}
	log := source.NewLog(0, v.RateNum*partitions, v.RatePer, until)
	log.Begins(v.History * partitions)
	if v.EndsAt > 0 || v.EndsAfter > 0 {
		log.Bound(v.EndsAfter * partitions)
	}
	return log
}

// partitionsOf is how many partitions of v's log subtask i reads: partition p belongs to subtask p mod parallelism.
func partitionsOf(v *Vertex, i int) int64 {
	n := v.Logs()
	if i >= n || i >= v.Parallelism {
		return 0
	}
	return int64((n - i + v.Parallelism - 1) / v.Parallelism)
}

func rulesOf(s *Setup) task.Rules {
	o := &s.Options
	r := task.Rules{
		Seed: s.Seed, RPC: s.Control.RPC, Wake: s.Control.Wake, InFlight: s.Control.InFlight, BufferTimeout: o.BufferTimeout, Options: o,
	}
	r.BuildOn, r.SyncTimeout = o.ClaimMode == option.Legacy, s.SyncTimeout
	s.eventTime(&r)
	s.alignRules(&r)
	return r
}

// begin schedules what the run starts with: tasks, script, series.
func (l *Lab) begin() {
	s := &l.plan.setup
	l.queue.Push(sim.Item{At: s.Control.LogLead, Kind: event.DueRunning})
	for i := range s.Script {
		l.queue.Push(sim.Item{At: s.Script[i].At, Kind: event.DueScript, A: int32(i)})
	}
	l.beginAlignment()
	l.beginLoads()
	l.queue.Push(sim.Item{At: 0, Kind: event.DueSample})
	l.queue.Push(sim.Item{At: gaugePeriod, Kind: event.DueGauge})
}

// Setup is what the run was made from, with defaults filled in; a vertex that is rescaled has the most subtasks that it ever
// has. It must not be changed.
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

// Advance computes the run up to until, handling at most budget events (0 = no limit); it reports whether until was
// reached. It can be cut anywhere: the run does not depend on how it is cut.
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

// advanceNarrow is Advance of a job whose buffers do not hop and which does not run express.
func (l *Lab) advanceNarrow(until event.Time, budget int) bool {
	for n := 0; budget == 0 || n < budget; n++ {
		next := l.queue.PopUntil(until)
		if next == nil {
			l.now = max(l.now, until)
			return true
		}
		l.now = next.At
		l.handle(next)
		l.now = l.queue.Now()
	}
	if l.queue.Quiet(until) {
		l.now = max(l.now, until)
		return true
	}
	return false
}

// Step handles events until one that can be seen has happened, and reports whether there was one before the end.
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

// handle is the whole of what can fall due.
func (l *Lab) handle(it *sim.Item) {
	w, now := &l.world, it.At
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
			l.fail(now, l.regionOf(it.A), it.A, event.Cause(it.B))
		}

	// The network.
	case event.DueDeliver, event.DueCredit, event.DueBacklog, event.DueResume, event.DueSize, event.DueProcessed:
		l.network(now, it)
	case event.DueSend:
		w.Net.SendOn(now, it.A, it.Gen)

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
		l.carry(now, l.coord.Finalized(now, it.ID, true, l.effects[:0]))
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
		if it.Gen == l.job.gen {
			l.failStarting(now, it.A, event.Cause(it.B))
		}
	case event.DueNoSlots:
		l.noSlots(now, it.Gen)
	case event.DueDetect:
		l.detect(now, it.A)
	case event.DueEnded:
		l.taskEnded(now, it.A, it.Gen)
	case event.DueFinished:
		l.taskFinished(now, it.A, it.Gen)

	// The world around.
	case event.DueScript:
		l.script(now, int(it.A))
	case event.DueRestart:
		l.redeploy(now, it.Gen)
	case event.DueRunning:
		l.runAll(now, it.Gen)
	case event.DueSample:
		l.sample(now)
	case event.DueGauge:
		l.gauge(now)
	}
}

// network is a message arriving at one end of a channel; what was under way when its tasks were cancelled is dropped.
func (l *Lab) network(now event.Time, it *sim.Item) {
	if !l.reaches(it) {
		return
	}
	net := l.world.Net
	switch it.Kind {
	case event.DueDeliver:
		if l.world.Deliver(now, it.A); l.world.Hopping() {
			l.hop(now)
		}
	case event.DueCredit:
		l.world.Credit(now, it.A, int(it.B))
	case event.DueBacklog:
		net.TakeBacklog(now, it.A, int(it.B))
	case event.DueResume:
		net.Resumed(now, it.A)
	case event.DueSize:
		l.world.Resize(now, it.A, it.B)
	case event.DueProcessed:
		l.world.Answered(now, it.A)
	}
}

// reaches tells whether a message comes to a channel as it was when it was sent.
func (l *Lab) reaches(it *sim.Item) bool {
	net := l.world.Net
	return int(it.A) < len(net.Channels) && net.Channels[it.A].Gen == it.Gen // the first: not of a wider phase
}

// Buffers counts the buffers that were sent up to Now.
func (l *Lab) Buffers() uint64 { return l.feed.Buffers }
