package reference

import (
	"checkpointlab/core"
	"checkpointlab/core/checkpoint"
	"checkpointlab/core/event"
	"checkpointlab/core/failover"
	"checkpointlab/core/sim"
)

// Run is one run of a setup.
type Run struct {
	// Listen gets every event as it happens.
	Listen func(event.Event)
	// Processed and Shown get the latency of each record that a sink has processed or made visible, in ns. They may be nil.
	Processed, Shown func(sink event.Task, latency event.Time)

	setup   *core.Setup // of the present phase
	first   *core.Setup // of the first one
	now     event.Time
	agenda  agenda
	offsets sim.Stream // of first materializations
	random  sim.Stream // flusher phases, first triggers, jitter

	reading event.Time // receivers' network threads read what has left its senders until then

	all        []*task // by their ids
	tasks      []*task // of the present phase
	downstream []*task // downstream tasks first: the order in which tasks start
	partitions []*partition
	channels   []*channel

	coordinator checkpoint.Coordinator
	strategy    failover.Strategy
	saves       map[event.Checkpoint]*save
	vault       *vault           // where they are kept, nil = nowhere: storing takes the time that is given
	running     bool             // all tasks run
	starting    map[*task]bool   // have started, and the coordinator does not know that they run
	fresh       event.Time       // until then a task may not run after all
	intact      bool             // no task of this execution graph has failed
	heard       bool             // the scheduler stops when one does
	failed      bool             // no restart is left
	stopping    bool             // a savepoint is under way with which the job stops
	asks        int64            // … the number of its request
	stopped     bool             // it is complete
	apart       int              // tasks that failed under it while it was pending
	savepoint   event.Checkpoint // that one
	jobFinished bool
	attempts    int64
	slotsAt     map[int]event.Time // by task manager: its slots are there again
	throttles   map[int]throttling // by task manager
	processes   map[int]*process   // by task manager; -1 = the JobManager's
	version     int                // the action of the script, from 1, that the present version began with
	backlog     bool               // a source works one off, as the coordinator was told last
	phaseNumber int                // counts how often the job began anew with something changed
	elected     event.Time         // when the present JobManager was
	rescale     int                // the action of the script, from 1, that the job stops for; 0 = none
}

// New prepares a run at time 0. The setup must have its defaults filled in. layout is the same with the most subtasks that
// each vertex ever has, as core's Lab.Setup returns it.
func New(s, layout *core.Setup) *Run {
	r := &Run{
		Listen: func(event.Event) {}, setup: s, first: s, random: sim.NewStream(s.Seed, "control"), offsets: sim.NewStream(s.Seed, "materialization"),
		strategy: failover.New(&s.Options), saves: map[event.Checkpoint]*save{}, starting: map[*task]bool{}, slotsAt: map[int]event.Time{}, throttles: map[int]throttling{}, processes: map[int]*process{}, intact: true, elected: -1, agenda: agenda{seed: s.Seed},
	}
	r.buildTasks(layout)
	r.employ()
	r.buildExchanges()
	for _, t := range r.all {
		t.giveState()
	}
	cfg := checkpoint.FromOptions(&s.Options, len(r.all))
	cfg.SlowFinalize, cfg.SlowCleaning = s.Storage.On || s.Control.Finalize > 0 || r.hasUnions(), s.Storage.On
	r.coordinator = checkpoint.New(cfg)
	r.vault = r.newVault()
	r.retire()
	first := r.again(r.tasks)
	r.agenda.afterIn(r.master(), s.Control.LogLead, func() { r.startTasks(first) })
	for i := range s.Script {
		var in *process
		if asksMaster(s.Script[i].Do) {
			in = r.master()
		}
		r.agenda.afterIn(in, s.Script[i].At, func() { r.act(i) })
	}
	r.startCoordinators()
	r.startLoads()
	return r
}

// Advance runs until an instant, included.
func (r *Run) Advance(until event.Time) {
	for d, ok := r.agenda.next(until); ok; d, ok = r.agenda.next(until) {
		if r.now = d.at; !r.agenda.putOff(d) {
			d.do()
		}
	}
	r.now = until
}

// tell is one line of the feed.
func (r *Run) tell(e event.Event) {
	e.At = r.now
	r.Listen(e)
}

// act does one action of the script.
func (r *Run) act(i int) {
	a := &r.setup.Script[i]
	if asksMaster(a.Do) && a.At != r.now && r.elected >= a.At { // the JobManager that was asked never read it
		return
	}
	switch a.Do {
	case core.Trigger:
		f := checkpoint.Canonical
		if a.Full {
			f = checkpoint.Full
		}
		r.carryOut(r.coordinator.RequestAs(r.now, checkpoint.Checkpoint, f, nil))
	case core.Savepoint:
		format := checkpoint.Canonical
		if a.Native {
			format = checkpoint.Native
		}
		r.carryOut(r.coordinator.RequestAs(r.now, checkpoint.Savepoint, format, nil))
	case core.Stop:
		r.stop(a)
	case core.StorageFault:
		r.vault.change(a)
		r.tell(event.Event{Kind: event.ScriptDone, A: int64(i)})
		return
	case core.Lose:
		r.lose(a)
	case core.Backlog:
		r.sayBacklog(a)
	case core.RescaleJob, core.RestoreJob:
		r.startAnew(i)
	case core.Pause:
		r.pause(a)
		r.tell(event.Event{Kind: event.ScriptDone, A: int64(i)})
		return
	case core.Throttle:
		r.throttle(a)
		r.tell(event.Event{Kind: event.ScriptDone, A: int64(i)})
		return
	case core.Elect:
		r.elect(a.For)
		r.tell(event.Event{Kind: event.ScriptDone, A: int64(i)})
		return
	}
	for _, t := range r.tasks {
		if t.vertexIndex != a.Vertex || a.Subtask >= 0 && a.Subtask != t.index {
			continue
		}
		switch a.Do {
		case core.Slow:
			t.setCost(a.Cost)
		case core.RefuseCommits:
			t.refusal.till, t.refusal.each = r.now+a.For, a.Cost
		case core.SlowFlush:
			t.flush = a.Cost
		case core.Rate:
			t.baseNum, t.basePer = a.RateNum*t.log.partitions, a.RatePer
			t.loadChanged()
		case core.Hang:
			if a.InSync {
				if t.alive {
					t.next, t.nextDeaf = &a.For, a.Deaf
				}
				continue
			}
			t.mail(mail{kind: event.MailHang, span: a.For, deaf: a.Deaf})
		case core.Kill:
			switch {
			case !t.alive:
			case r.anyStill():
				t.fails()
			default:
				r.fail(r.region(t), t.id)
			}
		}
	}
	r.tell(event.Event{Kind: event.ScriptDone, A: int64(i)})
}
