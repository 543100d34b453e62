package player

import (
	"strings"
	"testing"

	"checkpointlab/core/event"
)

const unalignedKey = "execution.checkpointing.unaligned.enabled"

// comparing is a player of the first scenario beside itself with unaligned checkpoints.
func comparing(t *testing.T) *Player {
	t.Helper()
	p := New("en")
	finish(t, p)
	p.Seek(71200 * event.Millisecond)
	p.Compare()
	if r := p.Set(unalignedKey, "true"); !r.OK {
		t.Fatal(r.Error)
	}
	finish(t, p)
	return p
}

// The numbers in the sentence are those of the two runs.
func TestDifferencesAreStatedFromTheRunsNumbers(t *testing.T) {
	p := comparing(t)
	s := p.State()
	if len(s.Lanes) != 2 || len(s.Differences) != 1 {
		t.Fatalf("%d lanes, differences %q", len(s.Lanes), s.Differences)
	}
	a, b := p.lanes[0], p.lanes[1]
	words := speaker{Table: p.words}
	to := p.Duration()
	stored := b.measured("checkpoint.stored.mean", to) - a.measured("checkpoint.stored.mean", to)
	if stored <= 0 {
		t.Fatalf("the unaligned lane stores %v bytes more", stored)
	}
	for _, want := range []string{
		words.difference(lower, a.measured("visibility.p99", to), b.measured("visibility.p99", to)),
		words.difference(shorter, a.measured("checkpoint.duration.mean", to), b.measured("checkpoint.duration.mean", to)),
		words.difference(size, 0, stored) + " stored per checkpoint",
	} {
		if !strings.Contains(s.Differences[0], want) {
			t.Errorf("%q does not say %q", s.Differences[0], want)
		}
	}
	if !strings.HasPrefix(s.Differences[0], "B against A, over 90") {
		t.Errorf("%q", s.Differences[0])
	}
}

func TestADifferenceIsSaidAsItsKindAsks(t *testing.T) {
	s := &speaker{Table: New("en").words}
	second := float64(event.Second)
	for _, c := range []struct {
		kind kind
		a, b float64
		want string
	}{
		{lower, 10 * second, 5.9 * second, "41 % lower"}, {lower, 10 * second, 12 * second, "20 % higher"},
		{shorter, 2 * second, second, "50 % shorter"}, {shorter, second, 2 * second, "100 % longer"},
		{lower, second, 5 * second, "1 s → 5 s"}, {lower, 0, second, "0 s → 1 s"},
		{size, 0, 1.7 * (1 << 20), "1.7 MiB more"}, {size, 3 << 20, 1 << 20, "2.0 MiB less"},
		{fewer, 5, 2, "3 fewer"}, {fewer, 2, 5, "3 more"}, {fewer, 7, 7, ""}, {lower, 10 * second, 10.01 * second, ""},
	} {
		if got := strings.ReplaceAll(s.difference(c.kind, c.a, c.b), "\u202f", " "); got != c.want {
			t.Errorf("%v from %v to %v: %q, want %q", c.kind, c.a, c.b, got, c.want)
		}
	}
}

func TestLanesShareTheClock(t *testing.T) {
	p := comparing(t)
	for range 3 {
		before := p.at
		if p.Step(1); p.at <= before {
			t.Fatalf("a step on from %d: %d", before, p.at)
		}
		for i := range 2 {
			if v, _ := p.Lane(i); v.At != p.at {
				t.Errorf("lane %d stands at %d, the clock at %d", i, v.At, p.at)
			}
		}
	}
	at := p.at
	p.Step(1)
	if p.Step(-1); p.at != at {
		t.Errorf("on and back: %d, want %d", p.at, at)
	}
	if !p.SameInput() {
		t.Error("two lanes of one scenario have the same input")
	}
	if p.Set("seed", "9"); p.SameInput() {
		t.Error("another seed is another input")
	}
	p.Set("seed", "42")
	p.Set("job.vertices.source.rate", "1000/s")
	if p.SameInput() {
		t.Error("another rate is another input")
	}
}

func TestAShorterLaneStandsAtItsEnd(t *testing.T) {
	p := comparing(t)
	if r := p.Set("run.duration", "80 s"); !r.OK {
		t.Fatal(r.Error)
	}
	finish(t, p)
	p.Seek(85 * event.Second)
	finish(t, p)
	a, _ := p.Lane(0)
	b, _ := p.Lane(1)
	if a.At != 85*event.Second || b.At != 80*event.Second {
		t.Errorf("the lanes stand at %d and %d", a.At, b.At)
	}
}

func TestALinkBringsLanesBack(t *testing.T) {
	p := comparing(t)
	p.AddLane()
	p.Load("chapter")
	p.Set("execution.checkpointing.interval", "7 s")
	p.SelectLane(0)
	p.Set("execution.buffer-timeout.interval", "20 ms")
	finish(t, p)
	link := p.Link()
	q := New("en")
	if r := q.Open(link); !r.OK {
		t.Fatal(r.Error)
	}
	finish(t, q)
	a, b := p.State(), q.State()
	if a.Hash != b.Hash || strings.Count(a.Hash, "+") != 2 || q.Link() != link || a.Time != b.Time {
		t.Errorf("%s with %s\nbecame %s with %s", link, a.Hash, q.Link(), b.Hash)
	}
	if q.Selected() != 0 {
		t.Error("a link opens with the first lane's settings")
	}
	if r := q.Open("#s=backpressure&b=execution.checkpointing.interval%3Dsoon"); r.OK || len(q.lanes) != 2 || !strings.Contains(r.Error, "soon") {
		t.Errorf("a damaged lane: %+v, %d lanes", r, len(q.lanes))
	}
	if r := q.Open("#s=backpressure"); !r.OK || len(q.lanes) != 1 {
		t.Errorf("a link of one run leaves %d lanes", len(q.lanes))
	}
}

func TestCompareTogglesAndKeepsTheLanes(t *testing.T) {
	p := comparing(t)
	p.Compare()
	if len(p.lanes) != 1 || p.State().Lanes == nil || len(p.State().Lanes) != 0 {
		t.Fatalf("%d lanes", len(p.lanes))
	}
	p.Compare()
	if len(p.lanes) != 2 || p.Selected() != 1 {
		t.Errorf("%d lanes, %d selected: want those of before", len(p.lanes), p.Selected())
	}
	p.TurnLanes()
	if p.Selected() != 0 {
		t.Error("turned lanes keep their settings")
	}
	for range 5 {
		p.AddLane()
	}
	if len(p.lanes) != mostLanes {
		t.Errorf("%d lanes", len(p.lanes))
	}
	for range 5 {
		p.RemoveLane(0)
	}
	if len(p.lanes) != 1 {
		t.Error("the last lane stays")
	}
}

func TestLanesAreCalledByWhatTheyDifferIn(t *testing.T) {
	p := comparing(t)
	l := p.State().Lanes
	if len(l[0].Settings) != 1 || l[0].Settings[0].Key != unalignedKey || l[0].Settings[0].Value == l[1].Settings[0].Value || l[0].Title == l[1].Title {
		t.Errorf("%+v\n%+v", l[0], l[1])
	}
	if len(l[0].Rows) != len(l[1].Rows) {
		t.Error("the rows of the lanes do not match")
	}
	p.Load("chapter")
	finish(t, p)
	if l = p.State().Lanes; l[1].Title != p.scenario.Title["en"] || l[0].Title == l[1].Title {
		t.Errorf("lanes of two scenarios are called %q and %q", l[0].Title, l[1].Title)
	}
	for _, lang := range []string{"ko", "en"} {
		p.Lang(lang)
		if s := p.State(); len(s.Twin) < 10 || len(s.Caption) == 0 {
			t.Errorf("%s: %v", lang, s.Twin)
		}
	}
}

// A pasted document may hold a password; a link does not carry what acts on nothing here.
func TestLinksOfPastedScenariosCarryNoSecrets(t *testing.T) {
	p := New("en")
	text := strings.Replace(p.ScenarioText(), "flink:\n", "flink:\n  s3.secret-key: hunter2\n", 1)
	if r := p.Apply(text); !r.OK {
		t.Fatal(r.Error)
	}
	if !strings.Contains(p.ScenarioText(), "hunter2") {
		t.Fatal("the pasted text is not kept")
	}
	l, _ := parseLink(p.Link())
	if l.document == "" || strings.Contains(l.document, "hunter2") {
		t.Errorf("the link carries the secret: %s", l.document)
	}
}

func TestALinkTellsWhereTheReaderWantsToBe(t *testing.T) {
	p, _ := withFilm()
	p.Seek(10 * event.Second)
	if !strings.Contains(p.Link(), "t=10") {
		t.Errorf("while computing the link is %s", p.Link())
	}
}
