package core_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/metric"
	"checkpointlab/core/state/storage"
	"checkpointlab/core_test/reference"

	"pgregory.net/rapid"
)

// TestReference: the simulation, which books records by runs and in steps, tells the same events at the same nanosecond as
// the reference, which takes every record by itself. Eighty random jobs of each kind; more with -rapid.checks.
func TestReference(t *testing.T) {
	cases(t, 80)
	seen, met := map[event.Kind]int{}, map[string]int{}
	for _, c := range []struct {
		name string
		wide
	}{
		{"aligned", wide{}}, {"failing", wide{script: true}}, {"unaligned", wide{script: true, unaligned: true}},
		{"rescaled", wide{script: true, rescaled: true}}, {"rescaled, unaligned", wide{script: true, unaligned: true, rescaled: true}},
		{"windows", wide{script: true, windows: true}}, {"windows, unaligned", wide{script: true, unaligned: true, windows: true}},
		{"stored", wide{script: true, storage: true}}, {"stored, unaligned", wide{script: true, unaligned: true, storage: true}},
		{"stored, rescaled", wide{script: true, storage: true, rescaled: true}}, {"stored, rescaled, unaligned", wide{script: true, unaligned: true, storage: true, rescaled: true}},
		{"changing", wide{script: true, changing: true}}, {"changing, stored", wide{script: true, storage: true, changing: true}},
		{"changing, rescaled", wide{script: true, unaligned: true, storage: true, changing: true, rescaled: true}},
		{"hashmap", wide{script: true, state: true}}, {"hashmap, stored", wide{script: true, storage: true, state: true}},
		{"hashmap, stored, rescaled", wide{script: true, unaligned: true, storage: true, state: true, rescaled: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				s := drawSetup(t, c.wide)
				events, lab := compare(t, s)
				for kind := range kindsOf(events) {
					seen[kind]++
				}
				meet(met, &s, lab)
				meetFiles(met, &s, events)
				meetPause(met, &s, events)
				meetState(met, &s, lab, events)
			})
		})
	}
	for kind := event.BufferSent; kind <= event.Watermark; kind++ {
		if seen[kind] == 0 && !t.Failed() && !testing.Short() { // rapid draws fewer jobs in short mode
			t.Errorf("no run had %s: the drawn jobs are too tame", kindNames[kind])
		}
	}
	for _, what := range worthMeeting {
		if met[what] == 0 && !t.Failed() && !testing.Short() {
			t.Errorf("no run had %s: the drawn jobs are too tame", what)
		}
	}
	t.Log(met)
}

// worthMeeting is what no event tells by itself.
var worthMeeting = []string{
	"a backlog", "a writer that looks", "timers", "requests", "a source that waits for its group", "a load", "silent partitions", "refused commits", "a lock", "a lock for a snapshot", "sources that wait for a checkpoint", "a callback", "a lost task manager", "a thread that hangs", "a process that stands still", "a JobManager that stands still", "a synchronous part that hangs", "another leader",
	"a storage", "a file of channel state", "a restore from files", "a restore that cannot read them", "metadata that failed",
	"a restore from files that others have stored", "a restore from local copies", "files that are used again", "a snapshot that stays its user's",
	"a collection of the heap", "an OutOfMemoryError", "lists that are dealt anew",
}

// meet counts what a run had of it.
func meet(met map[string]int, s *core.Setup, lab *core.Lab) {
	had := map[string]bool{}
	var v core.View
	lab.View(&v)
	for i := range v.Vertices {
		x := &s.Vertices[i]
		for k := range v.Vertices[i].Tasks {
			t := &v.Vertices[i].Tasks[k]
			had["timers"] = had["timers"] || t.Window.Fired > 0
			had["a source that waits for its group"] = had["a source that waits for its group"] || t.State == core.Paused
			had["requests"] = had["requests"] || x.Async.Capacity > 0 && t.Metrics.NumRecordsIn > 0
		}
		had["a backlog"] = had["a backlog"] || x.History > 0 && s.Options.IntervalDuringBacklog >= 0 && s.Options.Interval > 0
		had["a load"] = had["a load"] || x.Load != (core.Load{})
		had["silent partitions"] = had["silent partitions"] || x.Load.QuietSplits > 0 && x.Watermarks.On && x.Load.QuietFrom < lab.Now()
		had["a lock"] = had["a lock"] || x.Lock != core.NoLock
		had["a lock for a snapshot"] = had["a lock for a snapshot"] || x.Lock == core.LockSnapshot
		had["a callback"] = had["a callback"] || x.Callback != (core.Callback{}) && v.Coord.Completed > 0
	}
	for _, e := range s.Edges {
		deals := e.Partition == core.Rebalance || e.Partition == core.Rescale && s.Vertices[e.From].Parallelism < s.Vertices[e.To].Parallelism
		had["a writer that looks"] = had["a writer that looks"] || s.Options.AdaptivePartitioner && deals && s.Vertices[e.To].Parallelism > 1
	}
	for _, a := range s.Script {
		had["a lost task manager"] = had["a lost task manager"] || a.Do == core.Lose && a.At < lab.Now()
		had["refused commits"] = had["refused commits"] || a.Do == core.RefuseCommits && a.At < lab.Now()
		had["a process that stands still"] = had["a process that stands still"] || a.Do == core.Pause && a.At < lab.Now()
		had["a JobManager that stands still"] = had["a JobManager that stands still"] || a.Do == core.Pause && a.Master && a.At < lab.Now()
		had["another leader"] = had["another leader"] || a.Do == core.Elect && a.At < lab.Now()
		had["a synchronous part that hangs"] = had["a synchronous part that hangs"] || a.Do == core.Hang && a.InSync && a.At < lab.Now()
		had["a thread that hangs"] = had["a thread that hangs"] || a.Do == core.Hang && a.At < lab.Now()
	}
	for what, yes := range had {
		if yes {
			met[what]++
		}
	}
}

// meetPause counts runs in which a restored source waits for a checkpoint.
func meetPause(met map[string]int, s *core.Setup, events []event.Event) {
	if s.Options.PauseSources && slices.ContainsFunc(events, func(e event.Event) bool { return e.Kind == event.TaskRestored && e.Checkpoint > 0 }) {
		met["sources that wait for a checkpoint"]++
	}
}

// compare runs a setup in both ways. It returns what happened, and the run.
func compare(t rapid.TB, s core.Setup) (events []event.Event, lab *core.Lab) {
	t.Helper()
	lab, err := core.New(s)
	if err != nil {
		t.Fatal(err)
	}
	p := pair{lab: lab, ref: reference.New(atStart(lab.Setup(), &s), lab.Setup())}
	p.listen()
	const piece, enough = event.Millisecond, 50_000
	for at := event.Time(0); at < s.Duration && len(p.want) < enough; {
		at = min(at+piece, s.Duration)
		p.ref.Advance(at)
		lab.Advance(at, 0)
		p.sameEvents(t)
		p.sameTimes(t)
		p.sameCounts(t)
	}
	p.sameRecords(t)
	p.sameFiles(t)
	return p.want, lab
}

// kindsOf is the kinds of events.
func kindsOf(events []event.Event) map[event.Kind]bool {
	kinds := map[event.Kind]bool{}
	for _, e := range events {
		kinds[e.Kind] = true
	}
	return kinds
}

// atStart is a setup with its defaults as the run begins with it: with the parallelism that is given.
func atStart(layout, given *core.Setup) *core.Setup {
	s := *layout
	s.Vertices = slices.Clone(s.Vertices)
	for v := range s.Vertices {
		s.Vertices[v].Parallelism = given.Vertices[v].Parallelism
	}
	return &s
}

// pair is a run in both ways, with what each told.
type pair struct {
	lab       *core.Lab
	ref       *reference.Run
	got, want []event.Event
	same      int // events that were compared

	processed, shown map[event.Task][]event.Time // latencies in the reference, by sink
}

func (p *pair) listen() {
	p.ref.Listen = func(e event.Event) { p.want = append(p.want, e) }
	p.lab.Listen(func(e event.Event) { p.got = append(p.got, e) })
	p.processed, p.shown = map[event.Task][]event.Time{}, map[event.Task][]event.Time{}
	p.ref.Processed = func(sink event.Task, l event.Time) { p.processed[sink] = append(p.processed[sink], l) }
	p.ref.Shown = func(sink event.Task, l event.Time) { p.shown[sink] = append(p.shown[sink], l) }
}

// sameEvents compares the events since the last comparison.
func (p *pair) sameEvents(t rapid.TB) {
	t.Helper()
	for p.same < len(p.want) && p.same < len(p.got) && p.want[p.same] == p.got[p.same] {
		p.same++
	}
	if p.same < len(p.want) || p.same < len(p.got) {
		t.Fatalf("event %d differs; before it:\n%score:\n%sreference:\n%s", p.same,
			show(p.want, p.same-20, p.same), show(p.got, p.same, p.same+20), show(p.want, p.same, p.same+20))
	}
}

// sameTimes compares where the tasks' time went, to the nanosecond.
func (p *pair) sameTimes(t rapid.TB) {
	t.Helper()
	for id := range event.Task(p.ref.Tasks()) {
		idle, busy, soft, hard := p.lab.TimeOf(id)
		got := [...]event.Time{idle, busy, soft, hard}
		idle, busy, soft, hard = p.ref.TimeOf(id)
		if want := [...]event.Time{idle, busy, soft, hard}; got != want {
			t.Fatalf("at %d ns task %d was idle, busy, soft and hard back-pressured %v, in the reference %v", p.lab.Now(), id, got, want)
		}
	}
}

// sameCounts compares the counters of records of tasks that run: they belong to one attempt.
func (p *pair) sameCounts(t rapid.TB) {
	t.Helper()
	for id := range event.Task(p.ref.Tasks()) {
		in, out := p.lab.RecordsOf(id)
		if wantIn, wantOut, runs := p.ref.RecordsOf(id); runs && (in != wantIn || out != wantOut) {
			t.Fatalf("at %d ns task %d has taken in %d records and put out %d, in the reference %d and %d", p.lab.Now(), id, in, out, wantIn, wantOut)
		}
	}
}

// sameRecords compares what was read, written and made visible, and the latencies.
func (p *pair) sameRecords(t rapid.TB) {
	t.Helper()
	var v core.View
	p.lab.View(&v)
	var processed, shown []event.Time
	viewed := map[event.Task]bool{}
	for i := range v.Vertices {
		for k := range v.Vertices[i].Tasks {
			task := &v.Vertices[i].Tasks[k]
			viewed[task.Task] = true
			switch v.Vertices[i].Kind {
			case core.Source:
				if read := p.ref.Read(task.Task); task.Log.Read != read {
					t.Fatalf("source task %d has read %d records, in the reference %d", task.Task, task.Log.Read, read)
				}
			case core.Sink:
				visible, written := p.ref.Sink(task.Task)
				if out := &task.Output; out.Visible != visible || out.Written != written {
					t.Fatalf("sink task %d shows %d records and has written %d, in the reference %d and %d", task.Task, out.Visible, out.Written, visible, written)
				}
				booked := p.lab.Booked(task.Task) // those of the step in work have no latency yet
				processed = append(processed, p.processed[task.Task][:booked]...)
				if task.Output.Guarantee == core.ExactlyOnce {
					booked = int64(len(p.shown[task.Task]))
				}
				shown = append(shown, p.shown[task.Task][:booked]...)
			}
		}
	}
	for id := range event.Task(p.ref.Tasks()) { // those that a rescaling has left out have booked all
		if !viewed[id] {
			processed, shown = append(processed, p.processed[id]...), append(shown, p.shown[id]...)
		}
	}
	p.sameLatencies(t, "pipeline", &p.lab.History().Pipeline, processed)
	p.sameLatencies(t, "visibility", &p.lab.History().Visible, shown)
}

// sameFiles compares what was written, read and deleted, and what is left.
func (p *pair) sameFiles(t rapid.TB) {
	t.Helper()
	var v core.View
	p.lab.View(&v)
	a := &v.Account
	want, orphaned := p.ref.Storage()
	got := storage.Stats{
		Writes: a.Writes, Reads: a.Reads, Deletes: a.Deletes, Refused: a.Refused, Failed: a.Failed, Written: a.Written, ReadBytes: a.Read,
		Files: a.Files, Bytes: a.Bytes, Savepoints: a.Savepoints, Logical: a.Logical,
	}
	if got != want || a.Orphaned != orphaned {
		t.Fatalf("the storage has done and has %+v, of it %d bytes for ever, in the reference %+v and %d", got, a.Orphaned, want, orphaned)
	}
}

// sameLatencies: as many, and the same mean to 20 times the distance of two records in the log, and what chance does to dealing
// (unevenness). They are not the same to the nanosecond by design: a run that is dealt to several channels is thinned evenly,
// whichever of its records went where. Of 3,000 random runs half were within a hundredth of that distance, 99 % within 0.7 of it, and the
// worst was 4.5 off; a sink that reads one buffer of small records behind SHUFFLE, and no more, was 32 off.
func (p *pair) sameLatencies(t rapid.TB, name string, got *metric.Latencies, want []event.Time) {
	t.Helper()
	var s metric.Selection
	s.Select(got, metric.Everything())
	if s.Count() != int64(len(want)) {
		t.Fatalf("%d %s latencies, in the reference %d", s.Count(), name, len(want))
	}
	distance, exact := distanceOfRecords(p.lab.Setup())
	if len(want) == 0 || !exact {
		return
	}
	var sum event.Time
	for _, l := range want {
		sum += l
	}
	off := (20 + unevenness(p.lab.Setup())) * distance
	if mean := sum / event.Time(len(want)); max(mean-s.Mean(), s.Mean()-mean) > off+1 {
		t.Fatalf("mean %s latency %d ns, in the reference %d ns; records arrive every %d ns", name, s.Mean(), mean, distance)
	}
}

// unevenness is how many records the mean place of those that chance deals to one of c channels may be off the middle, if a buffer
// holds k of them: four times its standard deviation, √(kc(c-1)/12). Where they go in turn, or all go, it is 0.
func unevenness(s *core.Setup) (records int64) {
	size := s.Options.SegmentSize
	least := func(payload int32) {
		if payload > 0 {
			size = min(size, payload+s.Overhead)
		}
	}
	for _, v := range s.Vertices {
		least(v.Payload)
	}
	for _, e := range s.Edges {
		least(e.Payload)
	}
	for _, e := range s.Edges {
		if c := int64(s.Vertices[e.To].Parallelism); e.Partition == core.Hash || e.Partition == core.Shuffle {
			k := int64(s.Options.SegmentSize / size)
			records = max(records, int64(4*math.Sqrt(float64(k*c*(c-1))/12)))
		}
	}
	return records
}

// distanceOfRecords is the greatest distance of two records in a partition of the log, behind maps that pass on one of
// several as many times that. ok is false if a log without a rate gets one: then the simulation takes what was read before
// as having arrived evenly.
func distanceOfRecords(s *core.Setup) (distance event.Time, ok bool) {
	apart := int64(1)
	for i, v := range s.Vertices {
		if v.EmitNum < v.EmitDen {
			apart *= 1 + v.EmitDen/v.EmitNum
		}
		switch {
		case v.Kind != core.Source:
		case v.RateNum == 0:
			distance = max(distance, v.Cost)
		default:
			distance = max(distance, v.RatePer/v.RateNum)
			if v.Load != (core.Load{}) {
				distance *= 4 // a swing takes three quarters
			}
		}
		for _, a := range s.Script {
			if a.Vertex == i && a.Do == core.Rate {
				distance = max(distance, a.RatePer/a.RateNum)
				if v.RateNum == 0 {
					return 0, false
				}
			}
			if a.Vertex == i && a.Do == core.Slow && v.Kind == core.Source {
				distance = max(distance, a.Cost)
			}
		}
	}
	return distance * apart, true
}

// show is the events from index from up to index to, one a line.
func show(all []event.Event, from, to int) string {
	var b strings.Builder
	for _, e := range all[max(0, from):min(len(all), to)] {
		fmt.Fprintf(&b, "%d ns %s task %d channel %d checkpoint %d A %d N %d B %d\n", e.At, kindNames[e.Kind], e.Task, e.Channel, e.Checkpoint, e.A, e.N, e.B)
	}
	return b.String()
}

var kindNames = [...]string{
	event.BufferSent: "BufferSent", event.BufferReceived: "BufferReceived", event.BarrierSent: "BarrierSent",
	event.BarrierReceived: "BarrierReceived", event.ChannelBlocked: "ChannelBlocked", event.ChannelResumed: "ChannelResumed",
	event.CheckpointTriggered: "CheckpointTriggered", event.TaskSnapshot: "TaskSnapshot", event.TaskAligned: "TaskAligned",
	event.TaskSynced: "TaskSynced", event.TaskStored: "TaskStored", event.TaskAcknowledged: "TaskAcknowledged",
	event.CheckpointCompleted: "CheckpointCompleted", event.CheckpointFailed: "CheckpointFailed",
	event.CheckpointDropped: "CheckpointDropped", event.Committed: "Committed", event.TaskFailed: "TaskFailed",
	event.JobRestarting: "JobRestarting", event.TaskRestored: "TaskRestored", event.TaskRunning: "TaskRunning",
	event.TaskInitializing: "TaskInitializing", event.ProcessStalled: "ProcessStalled", event.ProcessResumed: "ProcessResumed",
	event.JobFailed: "JobFailed", event.BufferSize: "BufferSize", event.BackPressured: "BackPressured",
	event.ScriptDone: "ScriptDone", event.TransactionAborted: "TransactionAborted", event.Watermark: "Watermark",
	event.EndSent: "EndSent", event.TaskEnded: "TaskEnded", event.TaskFinished: "TaskFinished", event.JobFinished: "JobFinished",
	event.Rescaled: "Rescaled", event.RescaleRefused: "RescaleRefused",
	event.FilesStored: "FilesStored", event.FilesFailed: "FilesFailed",
}
