package player

import (
	"strings"
	"testing"

	"checkpointlab/core"
	"checkpointlab/core/event"
)

func TestSlowMotionAtAnAlignmentAndNotElsewhere(t *testing.T) {
	p := New("en")
	finish(t, p)
	p.SetSpeed(2)
	c := find(p.History(), func(c *core.CheckpointRecord) bool { return longestAlignment(c) >= leastAlignment })
	if c == nil {
		t.Fatal("no alignment in the scenario")
	}
	middle := (c.Triggered + c.Ended) / 2
	lasts := min(slowFor, slowTotal/float64(len(p.worthSeeing())))
	if speed, _ := p.pace(middle); speed >= 2 || speed > 1.01*seconds(c.Ended-c.Triggered)/lasts {
		t.Errorf("at the first alignment it plays at %v", speed)
	}
	before := c.Triggered - event.Second
	if speed, until := p.pace(before); speed != 2 || until > c.Triggered {
		t.Errorf("before it %v until %d", speed, until)
	}
	p.Even(true)
	if speed, until := p.pace(middle); speed != 2 || until != event.Never {
		t.Errorf("switched off: %v until %d", speed, until)
	}
	p.Even(false)
	// However fast it plays, one turn of the clock does not pass over what is worth seeing.
	p.SetSpeed(600)
	p.Seek(c.Triggered - 2*event.Second)
	p.Play()
	p.advance(16)
	if p.at > c.Ended {
		t.Errorf("a turn at 600× went to %d, over the alignment at %d", p.at, c.Triggered)
	}
	if p.State().Pace == "" {
		t.Error("the slow motion is not told")
	}
}

// In slow motion what does not belong to the barrier on its way grows weak, but not while the scenario's words tell of something else.
func TestWhatTheCaptionTellsOfIsNotWeak(t *testing.T) {
	p := New("en")
	finish(t, p)
	weak := func(at event.Time) float64 {
		p.Seek(at)
		p.Play()
		defer p.Pause()
		for range 20 {
			p.Tick(p.clock.last+16, looks(0))
		}
		if p.State().Pace == "" {
			t.Errorf("no slow motion at %d", at)
		}
		_, dim := p.Cue()
		return dim
	}
	if dim := weak(30_010 * event.Millisecond); dim > 0 {
		t.Errorf("it tells of the slower sinks, which are weak: %v", dim)
	}
	if r := p.Set("execution.buffer-timeout.interval", "50 ms"); !r.OK {
		t.Fatal(r.Error)
	}
	finish(t, p) // now the words of the scenario would be wrong
	c := find(p.History(), func(c *core.CheckpointRecord) bool {
		return c.Outcome == core.Completed && longestAlignment(c) >= leastAlignment
	})
	if dim := weak((c.Triggered + c.Ended) / 2); dim < 1 {
		t.Errorf("a barrier is on its way, and all else is as strong: %v", dim)
	}
	if focus, _ := p.Cue(); focus != c.ID {
		t.Errorf("in focus is %d", focus)
	}
}

func TestASpanPlaysAgainAndAgain(t *testing.T) {
	p, _ := withFilm()
	p.Tick(0, looks(plenty))
	p.Even(true)
	p.Seek(10 * event.Second)
	p.Repeat()
	p.Seek(11 * event.Second)
	p.Repeat()
	if p.Span() != [2]event.Time{10 * event.Second, 11 * event.Second} {
		t.Fatalf("span %v", p.Span())
	}
	p.SetSpeed(1)
	p.Seek(10 * event.Second)
	p.Play()
	for now := 100.0; now < 5000; now += 100 {
		p.Tick(now, looks(0))
		if p.at < 10*event.Second || p.at > 11*event.Second {
			t.Fatalf("plays at %d", p.at)
		}
	}
	q := New("en")
	q.Open(p.Link())
	if q.Span() != p.Span() {
		t.Errorf("the link %s brings %v", p.Link(), q.Span())
	}
	if p.Repeat(); p.Span() != [2]event.Time{} {
		t.Error("a third press does not take the span back")
	}
}

func TestTheAxisZoomsAroundThePlayheadAndFollowsIt(t *testing.T) {
	p, _ := withFilm()
	p.Tick(0, looks(plenty))
	p.Seek(30 * event.Second)
	p.Zoom(1)
	if a := p.Axis(); a[1]-a[0] != 30*event.Second || a[0] > p.at || a[1] < p.at {
		t.Errorf("zoomed %v", a)
	}
	p.Zoom(1)
	p.Seek(59 * event.Second)
	if a := p.Axis(); a[1]-a[0] != 15*event.Second || a[0] > p.at || a[1] < p.at {
		t.Errorf("after a seek %v", a)
	}
	for range 60 {
		p.Zoom(1)
	}
	if a := p.Axis(); a[1]-a[0] < leastAxis {
		t.Errorf("zoomed to %v", a)
	}
	if p.Zoom(0); p.Axis() != [2]event.Time{} {
		t.Error("not all is shown again")
	}
}

func TestActsBecomeTheScriptAndTravel(t *testing.T) {
	p := New("en")
	finish(t, p)
	p.Seek(50 * event.Second)
	for _, a := range [][3]string{{"kill", "map", ""}, {"savepoint", "", ""}, {"slow", "sink", "1 ms"}, {"rate", "source", "2000/s"}} {
		if r := p.Act(a[0], a[1], 1, a[2]); !r.OK {
			t.Fatalf("%v: %s", a, r.Error)
		}
	}
	finish(t, p)
	if p.at != 50*event.Second {
		t.Errorf("the playhead moved to %d", p.at)
	}
	if n := len(p.History().Failures); n != 1 {
		t.Errorf("%d failures", n)
	}
	q := New("en")
	if r := q.Open(p.Link()); !r.OK {
		t.Fatal(r.Error)
	}
	finish(t, q)
	if a, b := p.State(), q.State(); a.Hash != b.Hash || len(b.Acting.Actions) != 5 {
		t.Errorf("%s: hash %s, %s; %d actions", p.Link(), a.Hash, b.Hash, len(b.Acting.Actions))
	}
	if r := p.Act("slow", "sink", 0, "soon"); r.OK || !strings.Contains(r.Error, "soon") {
		t.Errorf("%+v", r)
	}
	if r := p.Act("rate", "source", 0, "1/s, do: kill"); r.OK {
		t.Error("what is typed makes another action")
	}
	f := p.History().Failures[0]
	p.Seek((f.At + f.RunningAt) / 2)
	finish(t, p)
	if r := p.Act("kill", "map", 1, ""); r.OK || !strings.Contains(r.Error, "does not run") {
		t.Errorf("a task that does not run is killed in silence: %+v", r)
	}
	if r := p.Reset(); !r.OK || len(p.State().Acting.Actions) != 1 || p.State().Changed {
		t.Errorf("%+v, %d actions", r, len(p.State().Acting.Actions))
	}
}

// What is over at once is on the screen for its least time, at up to twice real time, and positions stay those of the state.
func TestShortThingsHaveTheirLeastTime(t *testing.T) {
	p := New("en")
	if r := p.Load("barrier"); !r.OK {
		t.Fatal(r.Error)
	}
	finish(t, p)
	h := p.History()
	pass, commit := &h.Passages[len(h.Passages)/2], &h.Commits[len(h.Commits)/2]
	first := p.firstPreCommit(commit.Checkpoint)
	if pass.Received-pass.Sent > 50*event.Millisecond || commit.At-first > 200*event.Millisecond || first < 0 {
		t.Fatalf("the scenario has nothing short: %d, %d", pass.Received-pass.Sent, commit.At-first)
	}
	took := func(from, to event.Time) (ms float64) { // playing
		p.Seek(from)
		p.Play()
		for p.at < to && ms < 10_000 {
			p.advance(4)
			ms += 4
		}
		return ms
	}
	p.SetSpeed(1)
	if ms := took(pass.Sent, pass.Received); ms < 1000*leastCrossing || ms > 2000 {
		t.Errorf("a barrier crosses in %v ms", ms)
	}
	if ms := took(first, commit.At); ms < 1000*leastPreCommitted || ms > 2000 {
		t.Errorf("a pre-committed transaction is seen for %v ms", ms)
	}
	p.Reduced(true)
	if ms := took(pass.Sent, pass.Received); ms < calmEvery || ms > 2000 {
		t.Errorf("under reduced motion, whose pictures come every %d ms, it crosses in %v ms", calmEvery, ms)
	}
	p.Reduced(false)
	p.Even(true)
	if ms := took(pass.Sent, pass.Received); ms > 100 {
		t.Errorf("switched off it crosses in %v ms", ms)
	}
	p.Even(false)
	p.SetSpeed(10)
	if ms := took(pass.Sent, pass.Received); ms > 100 {
		t.Errorf("at 10× it crosses in %v ms", ms)
	}
}

// An instant has been on the screen for as long as it took to play on from it, however the speed has changed since; what was not
// seen to come is over.
func TestMotionFollowsFromWhatWasPlayed(t *testing.T) {
	p, _ := withFilm()
	p.Tick(0, looks(plenty))
	p.Even(true)
	p.SetSpeed(0.1)
	p.Seek(10 * event.Second)
	if since, _ := p.Motion(); since != nil {
		t.Error("at rest something is on its way")
	}
	p.Play()
	p.advance(20)
	p.SetSpeed(1)
	p.advance(30)
	motion, steps := p.Motion()
	begin := 10 * event.Second
	if p.at != begin+32*event.Millisecond || steps {
		t.Fatalf("it is %d, in steps %v", p.at, steps)
	}
	for since, want := range map[event.Time]float64{p.at: 0, begin + 12*event.Millisecond: 20, begin + 2*event.Millisecond: 30, begin + event.Millisecond: 40, begin: 50} {
		if ms := motion(since); ms < want-0.01 || ms > want+0.01 {
			t.Errorf("%d ns after the beginning: for %v ms on the screen, want %v", since-begin, ms, want)
		}
	}
	if ms := motion(begin - 1); ms < 1e9 {
		t.Errorf("what was before it began to play has been seen for %v ms", ms)
	}
	p.Seek(begin)
	p.advance(1)
	if ms := p.sinceShown(begin - 1); ms < 1e9 {
		t.Errorf("what was before the playhead was put there has been seen for %v ms", ms)
	}
	for range 3 * mostPlayed {
		p.advance(1)
	}
	if ms := p.sinceShown(p.at - 20*event.Millisecond); ms < 19.9 || ms > 20.1 {
		t.Errorf("in the end 20 ms have been on the screen for %v ms", ms)
	}
	p.Reduced(true)
	if since, steps := p.Motion(); since == nil || !steps {
		t.Error("under reduced motion something is on its way")
	}
	p.Reduced(false)
	p.SetSpeed(5)
	if since, _ := p.Motion(); since != nil {
		t.Error("at 5× something is on its way")
	}
}
