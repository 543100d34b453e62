package core

import (
	"slices"

	"checkpointlab/core/checkpoint"
	"checkpointlab/core/event"
	"checkpointlab/core/failover"
	"checkpointlab/core/network"
	"checkpointlab/core/option"
	"checkpointlab/core/sim"
	"checkpointlab/core/sink"
	"checkpointlab/core/source"
	"checkpointlab/core/state/keyed"
	"checkpointlab/core/task"
	"checkpointlab/core/watermark"
)

// New prepares a run at time 0 and records it. It fails if the setup has mistakes or the run needs more than Setup.MostMemory;
// the error names what, the value and the remedy.
func New(s Setup) (*Lab, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	if err := s.checkMemory(); err != nil {
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
	l.job.unfit, l.job.unbroken, l.job.restored, l.job.led = -1, true, -1, -1
	l.notesRestore(0, 0)
	cfg := checkpoint.FromOptions(&s.Options, p.tasks)
	cfg.SlowFinalize = s.Storage.On || s.Control.Finalize > 0 || slices.ContainsFunc(s.Vertices, func(v Vertex) bool { return v.has(keyed.Union) })
	cfg.SlowCleaning = s.Storage.On
	l.coord = checkpoint.New(cfg)
	l.strategy = failover.New(&s.Options)
	l.shown = task.Save{Next: make([]int64, p.tasks), At: make([]event.Time, p.tasks), Emitted: make([]int64, len(parts))}
	l.overtaken, l.ended, l.behind = make([]event.Time, p.tasks), make([]bool, p.tasks), make([]bool, p.tasks)
	l.throttles = make([]throttled, p.mostManagers())
	l.initializing, l.back, l.stalls = make([]bool, p.tasks), newComebacks(p.tasks, p.mostManagers()), newStalls(p.mostManagers())
	l.job.left, l.world.Wide = len(p.active), (p.tasks > wideTasks || len(p.net.Wires) > wideChannels) && !s.pauses()
	l.retire()
	l.mergeRegions()
	l.noteOvertaken(&l.shown)
	l.align, l.rates = watermark.NewGroup(p.tasks), make([]baseRate, p.tasks)
	l.measureMailboxes()
	l.shares, l.gauges = newShares(p.tasks), make([]gauges, p.tasks)
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

// retire tells the coordinator which tasks this phase does not have.
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
		w := sink.NewWriter(v.Guarantee == ExactlyOnce, channels)
		w.ByCount = l.plan.setup.Options.Mode == option.ExactlyOnce
		w.Retry(l.plan.setup.Options.CommitRetries, l.plan.setup.Options.Version == "1.18")
		w.Timeout = v.OpenAtMost()
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
			log.Bound(0) // a reader without splits ends at once (SourceReaderBase.handleNoMoreSplits)
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
		Seed: s.Seed, RPC: s.Control.RPC, Wake: s.Control.Wake, WakeOutput: s.Control.WakeOutput, WakeSpread: s.Control.WakeSpread,
		InFlight: s.Control.InFlight, BufferTimeout: o.BufferTimeout, Options: o,
	}
	r.BuildOn, r.SyncTimeout = o.ClaimMode == option.Legacy, s.SyncTimeout
	s.eventTime(&r)
	s.alignRules(&r)
	return r
}

// begin schedules what starts the run: tasks, script, series.
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
