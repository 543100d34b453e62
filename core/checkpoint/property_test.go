package checkpoint

import (
	"slices"
	"sort"
	"testing"

	"pgregory.net/rapid"

	"checkpointlab/core/event"
)

// TestDeciderAgainstSorting compares the queue with a list that is sorted anew each time (spec 2.2).
func TestDeciderAgainstSorting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		maxQueued := rapid.IntRange(1, 6).Draw(t, "maxQueued")
		d := NewDecider(maxQueued, 2, 10)
		var plain []Request
		for n := int64(1); n <= 40; n++ {
			s := Situation{
				Now: n, LastCompletion: rapid.Int64Range(-20, n).Draw(t, "last"), Triggering: rapid.Bool().Draw(t, "triggering"),
				Pending: rapid.IntRange(0, 3).Draw(t, "pending"), Cleaning: rapid.IntRange(0, 3).Draw(t, "cleaning"),
			}
			r := Request{Number: n, At: n / 3, Snapshot: Snapshot(rapid.IntRange(0, 2).Draw(t, "snapshot")),
				Periodic: rapid.Bool().Draw(t, "periodic"), Force: rapid.Bool().Draw(t, "force")}
			dropped, full, look := d.Submit(r)
			keepsAll := len(plain) == maxQueued && !plain[len(plain)-1].Periodic
			if look == keepsAll {
				t.Fatalf("the queue is looked at: %v, though it takes the request: %v", look, !keepsAll)
			}
			plain = append(plain, r)
			sort.SliceStable(plain, func(i, k int) bool { return rank(plain[i]) < rank(plain[k]) })
			if wantFull := len(plain) > maxQueued; full != wantFull {
				t.Fatalf("full %v, want %v", full, wantFull)
			}
			if full {
				loser := plain[len(plain)-1]
				if keepsAll {
					loser = r
				}
				if dropped != loser {
					t.Fatalf("%+v loses its place, want %+v", dropped, loser)
				}
				plain = slices.DeleteFunc(plain, func(p Request) bool { return p.Number == loser.Number })
			}
			switch got := d.Choose(s); {
			case got.Verdict == Wait:
				if len(plain) > 0 && !s.Triggering && s.Cleaning <= 2 && (s.Pending < 2 || plain[0].Force) {
					t.Fatalf("%+v has to wait in %+v", plain[0], s)
				}
			case got.Request != plain[0]:
				t.Fatalf("%+v is taken before %+v", got.Request, plain[0])
			case (got.Verdict == Drop) != (plain[0].Periodic && !plain[0].Force && s.Now-s.LastCompletion < 10):
				t.Fatalf("verdict %v for %+v in %+v", got.Verdict, plain[0], s)
			default:
				plain = plain[1:]
			}
		}
	})
}

// rank is the order of the queue without the submission.
func rank(r Request) (n int) {
	if !r.Snapshot.IsSavepoint() {
		n += 4
	}
	if !r.Force {
		n += 2
	}
	if r.Periodic {
		n++
	}
	return n
}

// world drives a coordinator at random and watches that its promises hold.
type world struct {
	t        *rapid.T
	cfg      Config
	c        Coordinator
	now      event.Time
	tickAt   event.Time
	tickSeq  int64
	plan     bool             // a plan is to be answered
	halted   bool             // the job has to fail
	begun    event.Checkpoint // a trigger phase is to be answered; 0 = none
	finalize event.Checkpoint
	lastID   event.Checkpoint
	lastDone event.Time
	periodic map[int64]bool // requests that a firing made
	open     map[event.Checkpoint]bool
	ended    map[int64]bool // requests that ended, by number
	toClean  []event.Checkpoint
}

// TestAnyHistoryKeepsThePromises checks on random histories: never more than MaxConcurrent checkpoints start beside each other unless
// forced; ids strictly increase; each begun checkpoint ends once, each request ends once or is known to be on its way;
// the counts add up; the store keeps the newest; the pause is kept; a copy goes on like the original.
func TestAnyHistoryKeepsThePromises(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t)
		w.take(w.c.Start(0, 0, nil))
		var copied Coordinator
		for range rapid.IntRange(1, 150).Draw(t, "inputs") {
			copied.CopyFrom(&w.c)
			in := w.draw()
			got := in(&w.c)
			if again := in(&copied); !slices.Equal(got, again) {
				t.Fatalf("the copy does %+v, the original %+v", again, got)
			}
			w.take(got)
			w.holds()
		}
		for range 2 { // a request whose plan is being made at the first stop begins behind it
			w.halted = false
			w.take(w.c.Stop(w.now, event.CheckpointCoordinatorSuspend, nil))
			w.answerAll()
		}
		if len(w.open) > 0 || w.c.NumPending() > 0 || w.c.Queued() > 0 || int64(len(w.ended)) != w.c.Requests() {
			t.Fatalf("after the stop: open %v, ended %d of %d requests", w.open, len(w.ended), w.c.Requests())
		}
	})
}

func newWorld(t *rapid.T) *world {
	cfg := Config{
		Interval: 10, IntervalDuringBacklog: rapid.SampledFrom([]event.Time{-1, 0, 40}).Draw(t, "backlog"),
		MinPause: rapid.SampledFrom([]event.Time{0, 5, 15}).Draw(t, "pause"), Timeout: 60,
		MaxConcurrent: rapid.IntRange(1, 3).Draw(t, "max"), Tolerable: rapid.IntRange(0, 2).Draw(t, "tolerable"),
		Retained: rapid.IntRange(1, 3).Draw(t, "retained"), Unaligned: rapid.Bool().Draw(t, "unaligned"),
		Tasks:        rapid.SampledFrom([]int{1, 3, 65}).Draw(t, "tasks"),
		SlowFinalize: rapid.Bool().Draw(t, "slowFinalize"), SlowCleaning: rapid.Bool().Draw(t, "slowCleaning"),
	}
	return &world{t: t, cfg: cfg, c: New(cfg), lastDone: never, periodic: map[int64]bool{},
		open: map[event.Checkpoint]bool{}, ended: map[int64]bool{}}
}

// draw chooses an input that is possible now.
func (w *world) draw() func(c *Coordinator) []Effect {
	t := w.t
	w.now += rapid.Int64Range(0, 8).Draw(t, "passes")
	now := w.now
	some := event.Checkpoint(rapid.Int64Range(1, max(1, w.c.NextID()-1)).Draw(t, "id"))
	if n := w.c.NumPending(); n > 0 && rapid.IntRange(0, 3).Draw(t, "aim") > 0 {
		some = w.c.Pending(rapid.IntRange(0, n-1).Draw(t, "slot")).ID
	}
	task := event.Task(rapid.IntRange(0, w.cfg.Tasks-1).Draw(t, "task"))
	switch rapid.IntRange(0, 19).Draw(t, "input") {
	case 0, 1, 2:
		now = max(now, w.tickAt)
		w.now = now
		seq := w.tickSeq
		w.periodic[w.c.Requests()+1] = true
		return func(c *Coordinator) []Effect { return c.Tick(now, seq, nil) }
	case 3:
		kind := Snapshot(rapid.IntRange(0, 2).Draw(t, "kind"))
		w.periodic[w.c.Requests()+1] = false
		return func(c *Coordinator) []Effect { return c.Request(now, kind, nil) }
	case 4:
		reason := rapid.SampledFrom(event.AllReasons()).Draw(t, "reason")
		return func(c *Coordinator) []Effect { return c.Decline(now, some, task, reason, nil) }
	case 5:
		return func(c *Coordinator) []Effect { return c.Expire(now, some, nil) }
	case 6:
		return func(c *Coordinator) []Effect { return c.TaskFailed(now, task, nil) }
	case 7:
		w.halted = false
		return func(c *Coordinator) []Effect { return c.Stop(now, event.JobFailoverRegion, nil) }
	case 8:
		w.halted = false
		return func(c *Coordinator) []Effect { return c.Start(now, 3, nil) }
	case 9:
		backlog := rapid.Bool().Draw(t, "on")
		return func(c *Coordinator) []Effect { return c.SetBacklog(now, backlog, nil) }
	case 10, 11, 12, 13:
		if answer := w.answer(rapid.IntRange(0, 5).Draw(t, "ok") > 0); answer != nil {
			return answer
		}
	}
	one := rapid.IntRange(0, 2).Draw(t, "acks") > 0
	return func(c *Coordinator) (out []Effect) { // one task acknowledges, or all
		if one {
			return c.Ack(now, some, task, nil)
		}
		for t := range w.cfg.Tasks {
			out = c.Ack(now, some, event.Task(t), out)
		}
		return out
	}
}

// answer answers one thing that the coordinator waits for; nil if there is none.
func (w *world) answer(ok bool) func(c *Coordinator) []Effect {
	now := w.now
	switch {
	case w.plan:
		w.plan = false
		return func(c *Coordinator) []Effect { return c.Planned(now, ok, event.NotAllRequiredTasksRunning, nil) }
	case w.begun != 0:
		id := w.begun
		w.begun = 0
		return func(c *Coordinator) []Effect { return c.Triggered(now, id, ok, event.NoReason, nil) }
	case w.finalize != 0:
		id := w.finalize
		w.finalize = 0
		return func(c *Coordinator) []Effect { return c.Finalized(now, id, Written(ok), nil) }
	case len(w.toClean) > 0:
		id := w.toClean[0]
		w.toClean = w.toClean[1:]
		return func(c *Coordinator) []Effect { return c.Cleaned(now, id, nil) }
	}
	return nil
}

func (w *world) answerAll() {
	for {
		answer := w.answer(true)
		if answer == nil {
			return
		}
		w.take(answer(&w.c))
	}
}

// take watches the effects.
func (w *world) take(out []Effect) {
	for i, e := range out {
		switch e.Kind {
		case ArmTick:
			w.tickAt, w.tickSeq = e.At, e.Seq
		case FailJob:
			w.halted = true
			if i != len(out)-1 {
				w.t.Fatalf("effects behind the job's failure: %+v", out)
			}
		case Plan:
			w.plan = true
			if w.halted {
				w.t.Fatalf("a checkpoint starts although the job has to fail")
			}
			if w.periodic[e.Request] && w.now < w.lastDone+w.cfg.MinPause {
				w.t.Fatalf("a periodic one starts at %d, the last completion was at %d", w.now, w.lastDone)
			}
		case Begin:
			w.begin(e)
		case Finalize:
			w.finalize = e.ID
		case Completed:
			w.end(e)
			w.lastDone = w.now
		case Failed:
			if e.ID != 0 {
				w.end(e)
			} else {
				w.endRequest(e.Request)
			}
		case Dropped:
			w.endRequest(e.Request)
		}
		if w.cfg.SlowCleaning && (e.Kind == Subsumed || e.Kind == Failed && e.ID != 0) {
			w.toClean = append(w.toClean, e.ID)
		}
	}
}

func (w *world) begin(e Effect) {
	if e.ID <= w.lastID {
		w.t.Fatalf("id %d after %d", e.ID, w.lastID)
	}
	w.lastID, w.begun = e.ID, e.ID
	forced := e.Snapshot.IsSavepoint() && !w.cfg.Unaligned
	if others := len(w.open); !forced && others >= w.cfg.MaxConcurrent {
		w.t.Fatalf("%d begins beside %d others", e.ID, others)
	}
	w.open[e.ID] = true
}

func (w *world) end(e Effect) {
	if !w.open[e.ID] {
		w.t.Fatalf("%d ends without being in progress: %v", e.ID, e.Kind)
	}
	delete(w.open, e.ID)
	w.endRequest(e.Request)
}

func (w *world) endRequest(n int64) {
	if n == 0 || w.ended[n] {
		w.t.Fatalf("request %d ends twice", n)
	}
	w.ended[n] = true
}

// holds checks what is true between inputs.
func (w *world) holds() {
	n := w.c.Counts()
	if n.Total != n.InProgress+n.Completed+n.Failed || n.InProgress != int64(len(w.open)) || w.c.NumPending() != len(w.open) {
		w.t.Fatalf("counts %+v with %d open", n, len(w.open))
	}
	waiting := w.c.Queued() + w.c.NumPending()
	if w.c.Triggering() && w.plan {
		waiting++
	}
	if int64(len(w.ended)+waiting) != w.c.Requests() {
		w.t.Fatalf("%d requests: %d ended, %d on their way", w.c.Requests(), len(w.ended), waiting)
	}
	for i := range w.c.NumPending() {
		acks := w.c.Pending(i).Left
		for task := range w.cfg.Tasks {
			if w.c.Pending(i).Acked(event.Task(task)) {
				acks++
			}
		}
		if acks != w.cfg.Tasks {
			w.t.Fatalf("%d: acknowledged and missing make %d of %d", w.c.Pending(i).ID, acks, w.cfg.Tasks)
		}
	}
	store := w.c.Retained()
	if len(store) > w.cfg.Retained || !slices.IsSorted(store) {
		w.t.Fatalf("store %v", store)
	}
}
