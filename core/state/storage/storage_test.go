package storage

import (
	"testing"

	"checkpointlab/core/event"
	"checkpointlab/core/sim"

	"pgregory.net/rapid"
)

// world drives a storage by its queue.
type world struct {
	s     *Storage
	queue *sim.Queue
	now   event.Time
	ends  []Effect
	at    []event.Time

	regrets bool // whatever is written is deleted at once
}

func newWorld(c Config) *world {
	w := &world{queue: &sim.Queue{}}
	w.s = New(c, w.queue)
	return w
}

// step handles the next item; false: none is left up to until.
func (w *world) step(until event.Time) bool {
	it, ok := w.queue.Peek()
	if !ok || it.At > until {
		return false
	}
	w.queue.Pop()
	w.now = it.At
	var ends []Effect
	switch it.Kind {
	case event.DueRequest:
		ends = w.s.Request(w.now, it.A, it.Gen)
	case event.DueRetry:
		w.s.Retry(w.now, it.A, it.Gen)
	case event.DueFlow:
		ends = w.s.Flow(w.now, it.Gen)
	case event.DueOrder:
		ends = w.s.Empty(it.A, it.Gen)
	}
	for _, e := range ends {
		w.ends, w.at = append(w.ends, e), append(w.at, w.now)
		if w.regrets && e.Op == Write {
			w.s.Regret(w.now, &e)
		}
	}
	w.s.Told()
	return true
}

func (w *world) run(until event.Time) {
	for w.step(until) {
	}
	w.now = max(w.now, until)
}

func (w *world) write(client int32, id event.Checkpoint, threads int, sizes ...int64) {
	o := w.s.Place(Head{Op: Write, Client: client, Manager: client, Threads: threads, ID: id})
	for i, n := range sizes {
		w.s.Add(o, Item{Owner: client, ID: uint64(id)*100 + uint64(i), Bytes: n})
	}
	w.s.Start(w.now, o)
}

// TestTransfersShareTheBandwidth: two managers of 100 bytes a second behind one of 150 in total. What one does not take is the
// other's; when one ends, the other gets up to its own limit.
func TestTransfersShareTheBandwidth(t *testing.T) {
	w := newWorld(Config{Total: 150, PerManager: 100, Managers: 2, Owners: 2})
	w.write(0, 1, 1, 150) // 75 bytes a second
	w.write(1, 1, 2, 75, 300)
	w.run(100 * event.Second)
	// Three transfers of 50 bytes a second each until 75 are there at 1.5 s: 75 and 225 are left; then 75 a second each until the
	// first ends at 2.5 s, 150 are left at 100 a second.
	if len(w.ends) != 2 || w.ends[0].Client != 0 || w.at[0] != 2500*event.Millisecond || w.at[1] != 4*event.Second {
		t.Errorf("ends %+v at %v", w.ends, w.at)
	}
	if st := w.s.Stats(); st.Written != 525 || st.Files != 3 || st.Bytes != 525 || st.Writes != 3 {
		t.Errorf("%+v", st)
	}
}

// TestRequestsQueueOrAreRefused: ten files at five requests a second take 1.8 s in a queue; an object store takes the second's
// burst and lets the rest come again.
func TestRequestsQueueOrAreRefused(t *testing.T) {
	queue := newWorld(Config{Requests: 5, Managers: 1, Owners: 1})
	queue.write(0, 1, 10, make([]int64, 10)...)
	queue.run(10 * event.Second)
	if queue.at[0] != 1800*event.Millisecond {
		t.Errorf("the last of ten files at %d", queue.at[0])
	}
	refuse := newWorld(Config{Requests: 5, Refuse: true, Attempts: 9, RetryAfter: 100 * event.Millisecond, Managers: 1, Owners: 1})
	refuse.write(0, 1, 10, make([]int64, 10)...)
	refuse.run(20 * event.Second)
	if st := refuse.s.Stats(); len(refuse.ends) != 1 || !refuse.ends[0].OK || st.Refused == 0 || st.Files != 10 {
		t.Errorf("%+v, %+v", refuse.ends, st)
	}
	spread := newWorld(Config{Requests: 5, Prefixes: 4, Refuse: true, Attempts: 9, RetryAfter: 100 * event.Millisecond, Managers: 1, Owners: 1})
	spread.write(0, 1, 10, make([]int64, 10)...)
	spread.run(20 * event.Second)
	if st := spread.s.Stats(); st.Refused > 0 {
		t.Errorf("%d refused with four prefixes", st.Refused)
	}
	given := newWorld(Config{Requests: 1, Refuse: true, Attempts: 2, RetryAfter: event.Millisecond, Managers: 1, Owners: 1})
	given.write(0, 1, 10, make([]int64, 10)...)
	given.run(20 * event.Second)
	orphans := int64(0) // what could not even be deleted
	given.s.Each(func(_ int32, _ uint64, _ int64, orphan bool) {
		if orphan {
			orphans++
		}
	})
	if st := given.s.Stats(); given.ends[0].OK || st.Files != orphans {
		t.Errorf("attempts that are used up: %+v, %+v, %d orphans", given.ends, st, orphans)
	}
}

// A pause doubles with each attempt, up to 64 times the first.
func TestPausesDoubleUpTo64Times(t *testing.T) {
	w := newWorld(Config{RetryAfter: event.Millisecond, Managers: 1, Owners: 1})
	for attempt, times := range []event.Time{1, 2, 4, 8, 16, 32, 64, 64, 64} {
		if got := w.s.pause(attempt); got != times*event.Millisecond {
			t.Errorf("attempt %d: %d ns", attempt, got)
		}
	}
}

// TestMergedFilesGoTogether: of a manager's exclusive files one after the other go into one; it is deleted with the last.
func TestMergedFilesGoTogether(t *testing.T) {
	w := newWorld(Config{Managers: 1, Owners: 1, Merge: Merging{Size: 100}})
	w.write(0, 1, 1, 40, 40, 40, 40)
	w.run(event.Second)
	if st := w.s.Stats(); st.Files != 2 || st.Logical != 4 || st.Writes != 2 {
		t.Errorf("%+v", st)
	}
	for i, want := range []Stats{{Files: 2, Bytes: 160, Logical: 3}, {Files: 2, Bytes: 160, Logical: 2}, {Files: 1, Bytes: 40, Logical: 1}, {}} {
		o := w.s.Place(Head{Op: Delete, Client: Master, Manager: Master})
		w.s.Add(o, Item{Owner: 0, ID: 100 + uint64(i)})
		w.s.Start(w.now, o)
		w.run(w.now + event.Second)
		if st := w.s.Stats(); st.Files != want.Files || st.Bytes != want.Bytes || st.Logical != want.Logical {
			t.Errorf("after %d: %+v", i+1, st)
		}
	}
}

// TestLatencyHasATail: quantiles of what is drawn are those given.
func TestLatencyHasATail(t *testing.T) {
	l := Latency{P50: 20 * event.Millisecond, P99: 300 * event.Millisecond, Max: 10 * event.Second}
	s := sim.NewStream(7, "latency")
	const n = 200_000
	var upTo [3]int
	sum := event.Time(0)
	for range n {
		x := l.draw(&s)
		sum += x / 1000
		for i, q := range []event.Time{l.P50, l.P99, l.Max} {
			if x <= q {
				upTo[i]++
			}
		}
	}
	if upTo[0] < n*49/100 || upTo[0] > n*51/100 || upTo[1] < n*985/1000 || upTo[1] > n*995/1000 || upTo[2] != n {
		t.Errorf("%v of %d", upTo, n)
	}
	if mean := sum / n * 1000; mean < l.Mean()*97/100 || mean > l.Mean()*103/100 {
		t.Errorf("mean %d, expected %d", mean, l.Mean())
	}
}

// pair is a storage and its copy, to which the same is done, and what the orders to write were for.
type pair struct {
	w, twin *world
	id      event.Checkpoint
	begun   map[event.Checkpoint]event.Time
	given   map[event.Checkpoint]int64 // bytes
}

func (p *pair) both(do func(*world)) {
	do(p.w)
	do(p.twin)
}

func (p *pair) write(t *rapid.T, client int32) {
	p.id++
	sizes := rapid.SliceOfN(rapid.Int64Range(0, 150), 1, 5).Draw(t, "sizes")
	threads := rapid.IntRange(1, 3).Draw(t, "threads")
	p.begun[p.id] = p.w.now
	for _, n := range sizes {
		p.given[p.id] += n
	}
	p.both(func(x *world) { x.write(client, p.id, threads, sizes...) })
}

func (p *pair) cancel(_ *rapid.T, client int32) {
	p.both(func(x *world) { x.s.Cancel(x.now, client, p.id) })
}

func (p *pair) leave(_ *rapid.T, client int32) {
	p.both(func(x *world) { x.s.Leave(x.now, client) })
}

func (p *pair) wait(t *rapid.T, _ int32) {
	until := p.w.now + rapid.Int64Range(1, 2000).Draw(t, "ms")*event.Millisecond
	p.both(func(x *world) { x.run(until) })
}

func (p *pair) slow(t *rapid.T, _ int32) {
	perMille := rapid.SampledFrom([]int64{1000, 3000}).Draw(t, "perMille")
	p.both(func(x *world) { x.s.Slow(x.now, false, perMille) })
}

func (p *pair) fail(t *rapid.T, _ int32) {
	n := rapid.SampledFrom([]int64{0, 300_000}).Draw(t, "millionths")
	p.both(func(x *world) { x.s.Fail(false, n) })
}

// delete lets the JobManager delete all that lies there and is not under way.
func (p *pair) delete(*rapid.T, int32) {
	p.both(func(x *world) {
		o := x.s.Place(Head{Op: Delete, Client: Master, Manager: Master, Threads: 2})
		x.s.Each(func(owner int32, id uint64, _ int64, orphan bool) {
			if !orphan && !x.s.Underway(owner, id) {
				x.s.Add(o, Item{Owner: owner, ID: id})
			}
		})
		x.s.Start(x.now, o)
		x.run(x.now + event.Second)
	})
}

// copy makes the copy anew.
func (p *pair) copy(*rapid.T, int32) {
	w, twin := p.w, p.twin
	twin.s.CopyFrom(w.s)
	twin.queue.CopyFrom(w.queue)
	twin.ends, twin.at, twin.now = append(twin.ends[:0], w.ends...), append(twin.at[:0], w.at...), w.now
}

// moved: an order that ended well has moved what was given, and no faster than most bytes a second (0 = without a limit).
func (p *pair) moved(t *rapid.T, most int64) {
	for i, e := range p.w.ends {
		if e.Op != Write || !e.OK {
			continue
		}
		if e.Bytes != p.given[e.ID] {
			t.Fatalf("order %d moved %d of %d bytes", e.ID, e.Bytes, p.given[e.ID])
		}
		if least := e.Bytes * event.Second / max(1, most); most > 0 && p.w.at[i]-p.begun[e.ID] < least {
			t.Fatalf("%d bytes in %d ns at %d a second", e.Bytes, p.w.at[i]-p.begun[e.ID], most)
		}
	}
}

func drawConfig(t *rapid.T) Config {
	latency := rapid.Int64Range(0, 50).Draw(t, "latency") * event.Millisecond
	c := Config{
		Total: rapid.SampledFrom([]int64{0, 1000}).Draw(t, "total"), PerManager: rapid.SampledFrom([]int64{0, 300}).Draw(t, "perManager"),
		Latency:  Latency{latency, latency, latency},
		Requests: rapid.SampledFrom([]int64{0, 20}).Draw(t, "requests"), Refuse: rapid.Bool().Draw(t, "refuse"), Attempts: 3,
		RetryAfter: 10 * event.Millisecond, Managers: 3, Owners: 3, Seed: 1,
	}
	if rapid.Bool().Draw(t, "merging") {
		c.Merge = Merging{Size: 200, Across: rapid.Bool().Draw(t, "across")}
	}
	return c
}

// TestStorageKeepsItsBooks: random orders, cancellations, faults and copies. Bytes and files add up, what ended well is there,
// what was cancelled is not, nothing takes less than its share of the bandwidth allows, and a copy does the same.
func TestStorageKeepsItsBooks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawConfig(t)
		p := pair{w: newWorld(c), twin: newWorld(c), begun: map[event.Checkpoint]event.Time{}, given: map[event.Checkpoint]int64{}}
		steps := map[string]func(*rapid.T, int32){
			"write": p.write, "cancel": p.cancel, "leave": p.leave, "wait": p.wait, "slow": p.slow, "fail": p.fail, "delete": p.delete, "copy": p.copy,
		}
		often := []string{"write", "write", "write", "cancel", "leave", "wait", "wait", "slow", "fail", "delete", "copy"}
		for range rapid.IntRange(1, 25).Draw(t, "steps") {
			client := rapid.Int32Range(0, 2).Draw(t, "client")
			steps[rapid.SampledFrom(often).Draw(t, "step")](t, client)
			check(t, p.w)
		}
		p.both(func(x *world) {
			x.s.Fail(false, 0)
			x.run(x.now + 3600*event.Second)
		})
		check(t, p.w)
		if w, twin := p.w, p.twin; w.s.Busy() || w.s.Stats() != twin.s.Stats() || len(w.ends) != len(twin.ends) {
			t.Fatalf("in the end %+v, a copy %+v", w.s.Stats(), twin.s.Stats())
		}
		most := c.Total
		if most == 0 || c.PerManager > 0 {
			most = c.PerManager
		}
		p.moved(t, most)
	})
}

// check: what lies there is what the books say.
func check(t *rapid.T, w *world) {
	var n, bytes int64
	w.s.Each(func(_ int32, _ uint64, b int64, _ bool) { n++; bytes += b })
	st := w.s.Stats()
	if n != st.Logical || bytes > st.Bytes || w.s.Merge.Size == 0 && (bytes != st.Bytes || st.Files != n) || st.Files > n {
		t.Fatalf("%d files of %d bytes: %+v", n, bytes, st)
	}
}

// TestRegretFindsItsOrder: what two orders have written that end at one instant can be regretted one after the other, although
// the first deletion takes a place.
func TestRegretFindsItsOrder(t *testing.T) {
	w := newWorld(Config{Total: 100, Managers: 2, Owners: 2})
	w.regrets = true
	w.write(0, 1, 1, 100)
	w.write(1, 2, 1, 100)
	w.run(10 * event.Second)
	if n := w.s.Stats(); n.Writes != 2 || n.Deletes != 2 || n.Files != 0 {
		t.Errorf("%+v", n)
	}
}

// TestLeaveGoesOnDeleting: a client that is cancelled deletes what it has written, also what it was deleting before.
func TestLeaveGoesOnDeleting(t *testing.T) {
	w := newWorld(Config{Managers: 1, Owners: 1, Latency: Latency{P50: 10, P99: 10, Max: 10}})
	w.write(0, 1, 1, 100, 100, 100)
	w.run(15) // one file is there, the second is on its way
	w.s.Leave(w.now, 0)
	w.s.Leave(w.now, 0) // and again, while it deletes
	w.run(event.Second)
	if n := w.s.Stats().Files; n != 0 || w.s.Busy() {
		t.Errorf("%d files are left", n)
	}
}
