package reference

import (
	"slices"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/failover"
	"checkpointlab/core/job"
)

// startAnew is somebody who wants another parallelism, or starts a new version: the job is cancelled and goes back to its
// last checkpoint, or it stops with a savepoint and goes back to that.
func (r *Run) startAnew(action int) {
	a := &r.setup.Script[action]
	switch {
	case r.failed || r.jobFinished:
	case a.FromSavepoint:
		if r.stop(a); r.stopping {
			r.rescale = action + 1
		}
	default:
		r.cancelAll()
		id, _ := r.coordinator.LatestCompleted()
		r.goBack(action, id)
	}
}

// cancelAll ends all tasks with what is on the way between them, and what the coordinator has begun.
func (r *Run) cancelAll() {
	wasRunning := r.running
	r.running, r.stopping, r.stopped, r.rescale = false, false, false, 0
	for _, t := range r.tasks {
		t.stop()
		t.knownEnded, t.knownFinished = false, false
		r.coordinator.Revive(t.id)
	}
	if wasRunning {
		r.carryOut(r.coordinator.Stop(r.now, event.CheckpointCoordinatorSuspend, nil))
	}
	r.dropInFlight(r.tasks)
	r.attempt++
}

// goBack lets the job begin with what an action changes: what a checkpoint's transactions hold is committed, and what it has
// of positions, state and data in flight is dealt to the new subtasks (spec 10.4). All old ones are down.
func (r *Run) goBack(action int, id event.Checkpoint) {
	a, savepoint := &r.setup.Script[action], r.stopped && r.savepoint == id && id != 0
	for _, t := range r.tasks {
		if t.writer != nil {
			t.recover(id)
		}
	}
	from := r.saves[id]
	if from == nil {
		from = newSave()
	}
	if why := r.refusal(action, from, id); why != core.NotRefused {
		r.tell(event.Event{Kind: event.RescaleRefused, Checkpoint: id, A: int64(action), N: int64(why)})
		r.rescale, r.stopping, r.failed, r.running = 0, false, true, false
		r.attempt++
		r.carryOut(r.coordinator.Shutdown(r.now, nil))
		r.tell(event.Event{Kind: event.JobFailed})
		return
	}
	again := r.readFrom(nil)
	next := deal{run: r, old: r.phase(), by: r.versions(action), at: action}
	setup := next.setup()
	r.enter(setup)
	r.saves = map[event.Checkpoint]*save{}
	to := next.save(from)
	if id != 0 {
		r.saves[id] = to
	}
	if savepoint || a.Do == core.RestoreJob {
		r.coordinator.Resubmit(id)
	}
	if a.Do == core.RestoreJob {
		r.strategy = failover.New(&r.setup.Options)
	}
	r.version = action + 1
	r.restored, r.stopped, r.stopping, r.rescale = id, false, false, 0
	for _, t := range r.all {
		t.reported, t.behind, t.seen = nil, false, to.next[t] // those that retire stay there
		if t.writer != nil {
			t.writer.last = max(t.writer.last, id)
		}
	}
	r.retire()
	r.tell(event.Event{Kind: event.Rescaled, Checkpoint: id, A: int64(action), N: again - r.readFrom(to)})
	for _, t := range r.tasks {
		e := event.Event{Kind: event.TaskRestored, Task: t.id, Checkpoint: id}
		if id != 0 {
			e.A = to.next[t]
		}
		r.tell(e)
	}
	r.attempt++
	attempt := r.attempt
	r.agenda.after(r.now+r.setup.Control.Restore, func() { r.startTasks(attempt) })
}

// readFrom adds the positions of the sources up: those of a checkpoint, or nil = where they stand.
func (r *Run) readFrom(s *save) (sum int64) {
	for _, t := range r.tasks {
		switch {
		case t.log == nil:
		case s == nil:
			sum += t.log.next
		default:
			sum += s.next[t]
		}
	}
	return sum
}

// refusal is why the job cannot start from a checkpoint with what an action changes.
func (r *Run) refusal(action int, s *save, id event.Checkpoint) core.Refusal {
	for _, a := range r.versions(action) {
		if a.Do != core.RestoreJob || id == 0 {
			continue
		}
		v := &r.setup.Vertices[max(0, a.Vertex)]
		keeps := v.Kind != core.Map || v.Snapshot.Size > 0 || v.Window.Size > 0 || v.Async.Capacity > 0
		switch {
		case a.Renamed && keeps && !r.setup.Options.IgnoreUnclaimed:
			return core.UnclaimedState
		case a.MaxParallel > 0 && a.MaxParallel != r.setup.MaxParallel:
			return core.OtherMaxParallelism
		}
	}
	changes := func(e int) bool {
		edge := &r.setup.Edges[e]
		return r.becomes(action, edge.From) != r.setup.Vertices[edge.From].Parallelism || r.becomes(action, edge.To) != r.setup.Vertices[edge.To].Parallelism
	}
	for _, f := range s.flow {
		e := f.channel.partition.edge
		if changes(e) && !r.setup.Edges[e].Partition.Partitioner().CarriesUnaligned() {
			return core.InFlight
		}
		for o, other := range r.setup.Edges { // FLINK-38267
			if r.setup.Options.Version < "2.3" && f.output && o != e && other.From == r.setup.Edges[e].From &&
				!other.Partition.Partitioner().CarriesUnaligned() && changes(o) {
				return core.InFlight
			}
		}
	}
	return core.NotRefused
}

// versions are the actions behind that of the present version up to another: what they were to change holds, whether the
// job came to it or not.
func (r *Run) versions(action int) (all []*core.Action) {
	for i := r.version; i <= action; i++ {
		if a := &r.setup.Script[i]; a.Do == core.RescaleJob || a.Do == core.RestoreJob {
			all = append(all, a)
		}
	}
	return all
}

// becomes is the parallelism that a vertex has behind an action.
func (r *Run) becomes(action, v int) int {
	n := r.setup.Vertices[v].Parallelism
	for _, a := range r.versions(action) {
		if a.Parallelism > 0 && (a.Vertex < 0 || a.Vertex == v) {
			n = a.Parallelism
		}
	}
	return n
}

// phase is what a job was like before it is dealt anew.
type phase struct {
	setup   *core.Setup
	tasks   map[int][]*task
	outs    map[*task][]*partition
	keys    map[*task]int64
	channel map[*channel][2]int // the indexes of both ends
}

func (r *Run) phase() phase {
	p := phase{setup: r.setup, tasks: map[int][]*task{}, outs: map[*task][]*partition{}, keys: map[*task]int64{}, channel: map[*channel][2]int{}}
	for _, t := range r.tasks {
		p.tasks[t.vertexIndex] = append(p.tasks[t.vertexIndex], t)
		p.outs[t] = t.outs
		p.keys[t] = t.keys()
	}
	for _, c := range r.channels {
		p.channel[c] = [2]int{c.partition.producer.index, c.gate.consumer.index}
	}
	return p
}

// enter builds the job once more with another setup. Tasks keep what they have counted; all take the cost that the first
// subtask of their vertex has.
func (r *Run) enter(s *core.Setup) {
	for _, c := range r.channels {
		c.life++
	}
	r.setup = s
	first := map[int]*task{}
	for _, t := range r.all {
		if first[t.vertexIndex] == nil {
			copied := *t
			first[t.vertexIndex] = &copied
		}
		t.life++
		t.vertex = &s.Vertices[t.vertexIndex]
		t.end, t.lost, t.willLook = ending{}, false, false
		t.nextCost = first[t.vertexIndex].nextCost
		if t.costs = nil; first[t.vertexIndex].costs != nil {
			t.costs = r.costsOf(t.vertexIndex, t.atLeast(t.ownCost()))
		}
		t.size = t.stateSize()
	}
	r.employ()
	r.buildExchanges()
}

// deal is a checkpoint being dealt to other subtasks.
type deal struct {
	run *Run
	old phase
	by  []*core.Action
	at  int // the last one's index
}

// setup is the job's with what the action changes.
func (d *deal) setup() *core.Setup {
	s := *d.old.setup
	s.Vertices = slices.Clone(s.Vertices)
	for v := range s.Vertices {
		s.Vertices[v].Parallelism = d.run.becomes(d.at, v)
	}
	return &s
}

// drops tells whether a vertex begins anew, for it has another uid.
func (d *deal) drops(v int) bool {
	return slices.ContainsFunc(d.by, func(a *core.Action) bool { return a.Do == core.RestoreJob && a.Renamed && a.Vertex == v })
}

// save deals all of a checkpoint.
func (d *deal) save(from *save) *save {
	to := newSave()
	for _, t := range d.run.all {
		to.next[t] = from.next[t]
	}
	for v := range d.old.setup.Vertices {
		x := &d.old.setup.Vertices[v]
		if x.Kind == core.Source {
			d.dealLog(v, from, to)
		}
		if x.Window.Size > 0 {
			d.dealWindows(v, from, to)
		}
		if x.Async.Capacity > 0 {
			d.dealRequests(v, from, to)
		}
	}
	for _, t := range d.run.tasks {
		for k, p := range t.outs {
			switch was := d.old.outs[t]; {
			case t.log != nil:
				to.emitted[p] = to.next[t]
			case k < len(was):
				to.emitted[p] = from.emitted[was[k]]
			case !t.usesWindows() && !t.asks():
				to.emitted[p] = t.made(to.next[t])
			}
		}
	}
	d.dealFlow(from, to)
	return to
}

// dealLog moves the partitions of a log with their positions: partition p is read by subtask p mod parallelism, which reads
// its partitions in turn.
func (d *deal) dealLog(v int, from, to *save) {
	partitions := d.old.setup.Vertices[v].Partitions
	sum := func(of func(*task) int64) map[*task]int64 {
		position, sums := make([]int64, partitions), map[*task]int64{}
		for _, t := range d.old.tasks[v] {
			own := int64(0)
			for p := t.index; p < partitions; p += len(d.old.tasks[v]) {
				own++
			}
			for i := range of(t) {
				position[t.index+int(i%own)*len(d.old.tasks[v])]++
			}
		}
		for p, at := range position {
			sums[d.run.subtasks(v)[p%len(d.run.subtasks(v))]] += at
		}
		return sums
	}
	next := sum(func(t *task) int64 {
		if d.drops(v) {
			return 0
		}
		return from.next[t]
	})
	read := sum(func(t *task) int64 { return t.log.read })
	for _, t := range d.run.all {
		if t.vertexIndex != v {
			continue
		}
		to.next[t] = next[t]
		if len(d.old.tasks[v]) != len(d.run.subtasks(v)) {
			t.log = newLog(t.vertex, t.index)
			t.repeatRates(d.at)
			t.log.there(d.run.now, read[t])
			t.log.read = read[t]
		}
		t.log.next = next[t]
	}
}

// repeatRates gives a log the rates that it would have had so far: those of the script before an action, and what its load
// made of them.
func (t *task) repeatRates(action int) {
	r := t.run
	t.baseNum, t.basePer, t.factor = t.vertex.RateNum*t.log.partitions, t.vertex.RatePer, 1_000_000
	if t.log.partitions == 0 {
		return
	}
	now, load, loaded := r.now, event.Time(0), t.vertex.Load != core.Load{}
	defer func() { r.now = now }()
	loadUntil := func(end event.Time) {
		for ; loaded && load < end; load = nextChange(&t.vertex.Load, load) {
			if f := factor(&t.vertex.Load, load, t.index); f != t.factor {
				t.factor, r.now = f, load
				t.setRate()
			}
		}
	}
	for i := range action {
		if a := &r.setup.Script[i]; a.Do == core.Rate && a.Vertex == t.vertexIndex {
			loadUntil(a.At)
			t.baseNum, t.basePer, r.now = a.RateNum*t.log.partitions, a.RatePer, a.At
			t.setRate()
		}
	}
	loadUntil(now + 1)
}

// dealWindows deals the windows of a vertex by key groups; of subtasks that have fired differently far the one that is
// behind counts, which only watermarks that barriers do not wait for let happen.
func (d *deal) dealWindows(v int, from, to *save) {
	old, now := len(d.old.tasks[v]), len(d.run.subtasks(v))
	for _, t := range d.run.subtasks(v) {
		if to.windows[t] = from.windows[t]; old != now || d.drops(v) {
			to.windows[t] = map[int64]pane{}
		}
	}
	if old == now || d.drops(v) {
		return
	}
	for _, t := range d.old.tasks[v] {
		readers, shares := d.readers(v, t.index)
		all, before := int64(0), int64(0)
		for _, s := range shares {
			all += s
		}
		for i, o := range readers {
			part := func(n int64) int64 { return n*(before+shares[i])/all - n*before/all }
			for end, p := range from.windows[t] {
				own, some := to.windows[o][end]
				if !some {
					own.slices = map[int64]int64{}
				}
				own.fired += part(p.fired)
				for at, n := range p.slices {
					if got := part(n); got > 0 {
						own.slices[at] += got
						own.records += got
					}
				}
				if own.records > 0 {
					to.windows[o][end] = own
				}
			}
			before += shares[i]
		}
	}
}

// readers is who reads what an old subtask of a vertex has by key, and how much of it.
func (d *deal) readers(v, index int) (readers []*task, shares []int64) {
	old, now, most := len(d.old.tasks[v]), d.run.subtasks(v), d.old.setup.MaxParallel
	weights := job.KeyWeights(d.old.setup.Keys, d.old.setup.HotShareMill, most)
	share, all := make([]int64, len(now)), int64(0)
	for g, w := range weights {
		if job.SubtaskOf(g, old, most) == index {
			share[job.SubtaskOf(g, len(now), most)] += w
			all += w
		}
	}
	for j, t := range now {
		if !slices.Contains(job.Range.OldSubtasks(j, old, len(now), nil), index) {
			continue
		}
		if all == 0 {
			share[j] = 1
		}
		readers, shares = append(readers, t), append(shares, share[j])
	}
	return readers, shares
}

// dealRequests deals what is asked for: one list, of which each subtask gets as much, the first ones what is left over.
func (d *deal) dealRequests(v int, from, to *save) {
	var all []record
	for _, t := range d.old.tasks[v] {
		all = append(all, from.asked[t]...)
	}
	now := d.run.subtasks(v)
	if len(now) == len(d.old.tasks[v]) && !d.drops(v) {
		for _, t := range now {
			to.asked[t] = from.asked[t]
		}
		return
	}
	if d.drops(v) {
		all = nil
	}
	for i, t := range now {
		n := len(all) / (len(now) - i)
		if len(all)%(len(now)-i) > 0 {
			n++
		}
		to.asked[t], all = all[:n:n], all[n:]
	}
}

// dealFlow deals the data in flight. Output goes to subtask i mod the new parallelism of its producer's vertex; what several
// new consumers read is dealt record by record, by the key groups of the old one, and watermarks go to all of them.
func (d *deal) dealFlow(from, to *save) {
	s, ways := d.old.setup, map[[2]int]*way{}
	for _, f := range from.flow {
		e, ends := f.channel.partition.edge, d.old.channel[f.channel]
		edge := &s.Edges[e]
		producers, consumers := d.run.subtasks(edge.From), d.run.subtasks(edge.To)
		producer := producers[ends[0]%len(producers)]
		readers := []int{ends[1]}
		if old := s.Vertices[edge.To].Parallelism; old != len(consumers) {
			readers = nil
			for j := range consumers {
				if slices.Contains(edge.Partition.Partitioner().Mapper().OldSubtasks(j, old, len(consumers), nil), ends[1]) {
					readers = append(readers, j)
				}
			}
		}
		if len(readers) == 1 {
			d.put(to, e, producer, readers[0], f.output, f.records...)
			continue
		}
		w := ways[[2]int{e, ends[1]}]
		if w == nil {
			w = d.newWay(e, ends[1], len(consumers))
			ways[[2]int{e, ends[1]}] = w
		}
		dealt := map[int][]record{}
		for _, one := range f.records {
			if one.mark != nil {
				for _, j := range readers {
					dealt[j] = append(dealt[j], one)
				}
				continue
			}
			j := w.dealing.Channel(w.dealt)
			w.dealt++
			dealt[j] = append(dealt[j], one)
		}
		for j := range consumers {
			if len(dealt[j]) > 0 {
				d.put(to, e, producer, j, f.output, dealt[j]...)
			}
		}
	}
}

// way is where the records go that were on the way to an old subtask.
type way struct {
	dealing job.Dealing
	dealt   int64
}

func (d *deal) newWay(e, to, now int) *way {
	s := d.old.setup
	old := s.Vertices[s.Edges[e].To].Parallelism
	weights, all := job.KeyWeights(s.Keys, s.HotShareMill, s.MaxParallel), int64(0)
	for g := range weights {
		if job.SubtaskOf(g, old, s.MaxParallel) != to {
			weights[g] = 0
		}
		all += weights[g]
	}
	for g := range weights {
		if all == 0 && job.SubtaskOf(g, old, s.MaxParallel) == to {
			weights[g] = 1
		}
	}
	return &way{dealing: job.NewHashDealing(weights, s.MaxParallel, now, dealingPeriod, s.Seed*1_000_003+uint64(e)*4099+uint64(to))}
}

// put adds records to the state of the channel of two subtasks.
func (d *deal) put(to *save, e int, producer *task, consumer int, output bool, records ...record) {
	for _, c := range d.run.channels {
		if c.partition.edge != e || c.partition.producer != producer || c.gate.consumer.index != consumer {
			continue
		}
		for _, f := range to.flow {
			if f.channel == c && f.output == output {
				f.records = append(f.records, records...)
				return
			}
		}
		to.flow = append(to.flow, &stored{c, output, slices.Clone(records)})
	}
}
