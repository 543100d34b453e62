package network

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Freed floating buffers go round among the waiting channels, one at a time (spec 4.3, mechanisms 5).
func TestFloatingBuffersGoToTheLongestWaiting(t *testing.T) {
	g := NewGate(2, 2, 4)
	var out []Grant
	out = g.Backlog(0, 6, out[:0])
	if !slices.Equal(out, []Grant{{0, 4}}) || !g.Waiting(0) {
		t.Fatalf("all free floating buffers go to the first: %v, waiting %v", out, g.Waiting(0))
	}
	if out = g.Backlog(1, 6, out[:0]); len(out) != 0 || !g.Waiting(1) {
		t.Fatalf("nothing is left for the second: %v", out)
	}
	for i, want := range []int32{0, 1, 0, 1} {
		if exclusive, ok := g.Take(0); exclusive || !ok {
			t.Fatalf("take %d: exclusive %v, ok %v; floating buffers go first", i, exclusive, ok)
		}
		if out = g.Recycle(0, false, out[:0]); !slices.Equal(out, []Grant{{want, 1}}) {
			t.Fatalf("returned buffer %d goes to %v, expected channel %d", i, out, want)
		}
	}
}

// A channel whose backlog has fallen keeps its surplus until an exclusive buffer returns (mechanisms 5).
func TestSurplusGoesBackWithAnExclusiveBuffer(t *testing.T) {
	g := NewGate(1, 2, 8)
	g.Backlog(0, 8, nil)
	for range 8 {
		g.Take(0)
	}
	g.Take(0)
	for range 4 {
		g.Recycle(0, false, nil)
	}
	g.Backlog(0, 3, nil) // required 5: takes the 4 free ones
	g.Backlog(0, 0, nil)
	if g.Available(0) != 5 || g.FloatingFree() != 0 {
		t.Fatalf("available %d, free %d: a smaller backlog gives nothing back", g.Available(0), g.FloatingFree())
	}
	if out := g.Recycle(0, true, nil); len(out) != 0 || g.Available(0) != 5 || g.FloatingFree() != 1 || g.FloatingHeld(0) != 7 {
		t.Errorf("grants %v, available %d, free %d, held %d; the exclusive buffer displaces a floating one",
			out, g.Available(0), g.FloatingFree(), g.FloatingHeld(0))
	}
}

// An exclusive buffer that makes the channel's buffers just enough is a credit and displaces nothing, even if another
// channel has waited longer.
func TestExclusiveBufferUpToRequiredIsACredit(t *testing.T) {
	g := NewGate(2, 2, 1)
	g.Take(0)
	g.Backlog(0, 0, nil) // takes the floating one
	g.Backlog(1, 1, nil) // waits
	g.Backlog(0, 1, nil) // waits, too
	if out := g.Recycle(0, true, nil); !slices.Equal(out, []Grant{{0, 1}}) || g.Available(0) != g.Required(0) {
		t.Errorf("grants %v, available %d, required %d", out, g.Available(0), g.Required(0))
	}
}

// Without exclusive buffers a blocked channel passes its floating buffers on and starts from credit 0 (spec 4.3).
func TestBlockedChannelWithoutExclusiveBuffers(t *testing.T) {
	g := NewGateOf([]int{0, 0}, 3)
	g.Backlog(0, 3, nil)
	g.Backlog(1, 2, nil)
	out := g.UpstreamBlocked(0, nil)
	if g.Available(0) != 0 || g.Available(1) != 2 || g.FloatingFree() != 1 || !slices.Equal(out, []Grant{{1, 1}, {1, 1}}) {
		t.Fatalf("available %d and %d, free %d, grants %v", g.Available(0), g.Available(1), g.FloatingFree(), out)
	}
	if g.Resumed(0, nil); g.Unannounced(0) != 0 {
		t.Errorf("%d unannounced credits after resume", g.Unannounced(0))
	}
	if out = g.Backlog(0, 2, nil); !slices.Equal(out, []Grant{{0, 1}}) || !g.Waiting(0) {
		t.Errorf("grants %v, waiting %v", out, g.Waiting(0))
	}
}

func TestKnownBacklogIsWhatTheDebloaterCounts(t *testing.T) {
	g := NewGate(1, 2, 8)
	if g.KnownBacklog(0) != 0 {
		t.Error("a new channel has a backlog")
	}
	if g.Backlog(0, 3, nil); g.KnownBacklog(0) != 3 {
		t.Errorf("backlog %d, announced were 3", g.KnownBacklog(0))
	}
	if g.Take(0); g.KnownBacklog(0) != 2 {
		t.Errorf("backlog %d after one of 3 has come", g.KnownBacklog(0))
	}
}

func TestGatePanicsOnAForeignBuffer(t *testing.T) {
	g := NewGate(2, 1, 1)
	mustPanic(t, "exclusive", func() { g.Recycle(0, true, nil) })
	mustPanic(t, "floating", func() { g.Recycle(0, false, nil) })
	mustPanic(t, "floating of nobody", func() { g.Recycle(-1, false, nil) })
}

// gateBook follows every buffer of a gate on paper.
type gateBook struct {
	exclusive [][]bool // by channel and buffer: in the consumer's hands
	lent      []int    // by channel: floating buffers in the consumer's hands
	outside   int
	known     []int // credit the senders know
	granted   []int // by channel, not yet announced
}

// No buffer is lost or made, every gained buffer is granted once, what the sender may use is there, nobody waits while a
// floating buffer is free, and all that holds after a copy, too (spec 4.3).
func TestGateConservesBuffers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		each := rapid.SliceOfN(rapid.IntRange(0, 3), 1, 4).Draw(t, "exclusive")
		floating := rapid.IntRange(0, 8).Draw(t, "floating")
		g := NewGateOf(each, floating)
		n := len(each)
		b := gateBook{exclusive: make([][]bool, n), lent: make([]int, n), known: slices.Clone(each), granted: make([]int, n)}
		for ch := range each {
			b.exclusive[ch] = make([]bool, each[ch])
		}
		var out []Grant
		for range rapid.IntRange(0, 80).Draw(t, "steps") {
			if rapid.IntRange(0, 15).Draw(t, "copy") == 0 {
				var other Gate
				other.CopyFrom(&g)
				g.Reset()
				g = other
			}
			out = b.step(t, &g, each, out[:0])
			for _, gr := range out {
				b.granted[gr.Channel] += int(gr.Credits)
			}
			b.check(t, &g, each, floating)
		}
	})
}

// step does one random thing to the gate.
func (b *gateBook) step(t *rapid.T, g *Gate, each []int, out []Grant) []Grant {
	ch := rapid.IntRange(0, len(each)-1).Draw(t, "channel")
	switch rapid.IntRange(0, 7).Draw(t, "do") {
	case 0, 1: // a message that keeps to the credit
		if b.known[ch] == 0 {
			return out
		}
		b.known[ch]--
		exclusive, ok := g.Take(ch)
		if !ok {
			t.Fatalf("channel %d has no buffer for a message with credit", ch)
		}
		if exclusive {
			b.exclusive[ch][slices.Index(b.exclusive[ch], false)] = true
		} else {
			b.lent[ch]++
		}
	case 2:
		return g.Backlog(ch, rapid.IntRange(0, 9).Draw(t, "backlog"), out)
	case 3:
		if i := slices.Index(b.exclusive[ch], true); i >= 0 {
			b.exclusive[ch][i] = false
			return g.Recycle(ch, true, out)
		}
	case 4:
		if b.lent[ch] > 0 {
			b.lent[ch]--
			return g.Recycle(ch, false, out)
		}
	case 5:
		b.known[ch] += g.Announce(ch)
		b.granted[ch] = 0
	case 6:
		if free := g.FloatingFree() > 0; g.TakeFloating() != free {
			t.Fatalf("TakeFloating is not %v", free)
		} else if free {
			b.outside++
		} else if b.outside > 0 {
			b.outside--
			return g.Recycle(-1, false, out)
		}
	case 7: // the sender blocks, the receiver aligns, the sender resumes
		out = g.UpstreamBlocked(ch, out)
		out = g.Resumed(ch, out)
		if each[ch] == 0 {
			b.known[ch], b.granted[ch] = 0, 0
		}
	}
	return out
}

func (b *gateBook) check(t *rapid.T, g *Gate, each []int, floating int) {
	held, line := 0, 0
	for ch := range each {
		inHand := 0
		for _, used := range b.exclusive[ch] {
			if used {
				inHand++
			}
		}
		held += g.FloatingHeld(ch)
		lentFree := g.FloatingHeld(ch) - b.lent[ch]
		if got := g.Available(ch); lentFree < 0 || got != each[ch]-inHand+lentFree {
			t.Fatalf("channel %d: available %d of %d exclusive (%d in use) and %d floating (%d in use)",
				ch, got, each[ch], inHand, g.FloatingHeld(ch), b.lent[ch])
		}
		if g.Unannounced(ch) != b.granted[ch] || b.known[ch]+b.granted[ch] != g.Available(ch) {
			t.Fatalf("channel %d: unannounced %d, granted %d, the sender knows %d, available %d",
				ch, g.Unannounced(ch), b.granted[ch], b.known[ch], g.Available(ch))
		}
		if g.Waiting(ch) {
			line++
		}
	}
	if held+b.outside+g.FloatingFree() != floating {
		t.Fatalf("floating: %d held, %d outside, %d free of %d", held, b.outside, g.FloatingFree(), floating)
	}
	if int(g.waiting) != line || line > 0 && g.FloatingFree() > 0 {
		t.Fatalf("%d waiting, %d in line, %d free", line, g.waiting, g.FloatingFree())
	}
}

func BenchmarkGate(b *testing.B) {
	g := NewGate(4, 2, 8)
	out := make([]Grant, 0, 8)
	b.ReportAllocs()
	for i := range b.N {
		ch := i & 3
		exclusive, _ := g.Take(ch)
		out = g.Backlog(ch, i%7, out[:0])
		out = g.Recycle(ch, exclusive, out)
		for _, gr := range out {
			g.Announce(int(gr.Channel))
		}
	}
}

func BenchmarkGateCopy(b *testing.B) {
	src := NewGate(16, 2, 8)
	var dst Gate
	dst.CopyFrom(&src)
	b.ReportAllocs()
	for range b.N {
		dst.CopyFrom(&src)
	}
}
