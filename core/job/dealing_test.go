package job

import (
	"slices"
	"testing"

	"checkpointlab/core/event"

	"pgregory.net/rapid"
)

// truth/mechanisms 7: 1,024 keys over 128 key groups are uneven, 51.1 % at parallelism 2.
func TestBusierSubtaskOfTwoHas51Percent(t *testing.T) {
	d := NewHashDealing(KeyWeights(1024, 0, 128), 128, 2, 1024, 1)
	a, den := d.Share(0)
	b, _ := d.Share(1)
	if got := max(a, b); den != 1024 || got != 523 { // 523/1024 = 51.07 %
		t.Fatalf("shares %d and %d of %d, want the greater to be 523 of 1024", a, b, den)
	}
}

// Two HASH exchanges of equal parallelism share the key → subtask map: map i feeds sink i only (mechanisms 7).
func TestSecondHashOfEqualParallelismFeedsOneSink(t *testing.T) {
	all := KeyWeights(1024, 0, 128)
	for i := range 4 {
		d := NewHashDealing(Restrict(all, 128, 4, i), 128, 4, 256, 9)
		for c := range 4 {
			n, den := d.Share(c)
			if want := map[bool]int64{true: den}[c == i]; n != want {
				t.Errorf("subtask %d sends %d/%d to %d", i, n, den, c)
			}
		}
	}
}

func TestTheHotKeyAddsToItsGroup(t *testing.T) {
	weights := KeyWeights(1000, 300_000, 128)
	var total int64
	for _, w := range weights {
		total += w
	}
	if total != 1000*1_000_000 {
		t.Fatalf("weights sum to %d", total)
	}
	cold := KeyWeights(1000, 0, 128)
	group := KeyGroup(0, 128)
	if got, want := weights[group], cold[group]*7/10+300_000_000; got != want {
		t.Fatalf("hot group weighs %d, want %d", got, want)
	}
}

func TestApportion(t *testing.T) {
	for _, c := range []struct {
		shares []int64
		n      int64
		want   []int64
	}{
		{[]int64{1, 1}, 4, []int64{2, 2}},
		{[]int64{1, 1, 1}, 4, []int64{2, 1, 1}},
		{[]int64{50, 30, 20}, 7, []int64{4, 2, 1}}, // 3.5 2.1 1.4
		{[]int64{0, 5, 0}, 3, []int64{0, 3, 0}},
		{[]int64{1 << 61, 1 << 61}, 65536, []int64{32768, 32768}},
		{[]int64{0, 0}, 3, []int64{0, 0}},
	} {
		if got := apportion(c.shares, c.n); !slices.Equal(got, c.want) {
			t.Errorf("apportion(%v, %d) = %v, want %v", c.shares, c.n, got, c.want)
		}
	}
}

func drawDealing(t *rapid.T) Dealing {
	consumers := rapid.SampledFrom([]int{1, 2, 3, 5, 16, 17, 40}).Draw(t, "consumers")
	switch rapid.IntRange(0, 2).Draw(t, "kind") {
	case 0:
		return NewRoundRobinDealing(consumers, rapid.IntRange(0, consumers-1).Draw(t, "start"))
	case 1:
		return NewSingleDealing(consumers, rapid.IntRange(0, consumers-1).Draw(t, "ch"))
	}
	weights := rapid.SliceOfN(rapid.Int64Range(0, 3), 64, 64).Draw(t, "weights")
	period := rapid.SampledFrom([]int{1, 7, 64, 100, 1024}).Draw(t, "period")
	return NewHashDealing(weights, 64, consumers, period, rapid.Uint64().Draw(t, "seed"))
}

// Count and Position against walking over the emissions one by one.
func TestDealingAgainstWalking(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDealing(t)
		from := rapid.Int64Range(0, 2500).Draw(t, "from")
		to := from + rapid.Int64Range(0, 2500).Draw(t, "length")
		c := rapid.IntRange(0, d.Channels()-1).Draw(t, "c")
		var mine []int64
		for i := from; i < to; i++ {
			if d.Channel(i) == c {
				mine = append(mine, i)
			}
		}
		if got := d.Count(c, from, to); got != int64(len(mine)) {
			t.Fatalf("Count(%d, %d, %d) = %d, want %d", c, from, to, got, len(mine))
		}
		for k, i := range mine {
			if got := d.Position(c, from, int64(k)); got != i {
				t.Fatalf("Position(%d, %d, %d) = %d, want %d", c, from, k, got, i)
			}
		}
		var share event.Share
		if to > from {
			for _, s := range d.Deal(from, to-from, nil, make([]int32, d.Channels())) {
				if int(s.Channel) == c {
					share = s
				}
			}
		}
		want := event.Share{}
		if n := len(mine); n > 0 {
			want = event.Share{Channel: int32(c), Count: int64(n), First: mine[0] - from, Last: mine[n-1] - from}
		}
		if share != want {
			t.Fatalf("Deal(%d, %d) gives channel %d %+v, want %+v", from, to-from, c, share, want)
		}
		if n, _ := d.Share(c); n == 0 && d.Position(c, from, 0) != event.Never {
			t.Fatalf("channel %d gets nothing but has a position", c)
		}
	})
}

// Every emission goes to exactly one channel, and the shares are within 1/period of the weights.
func TestDealingIsAPartition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDealing(t)
		to := rapid.Int64Range(0, 5000).Draw(t, "to")
		var all int64
		for c := range d.Channels() {
			all += d.Count(c, 0, to)
		}
		if all != to {
			t.Fatalf("%d of %d emissions dealt", all, to)
		}
	})
}

func TestDealingIsByItsSeed(t *testing.T) {
	w := KeyWeights(1024, 0, 128)
	a, b, other := NewHashDealing(w, 128, 4, 1024, 1), NewHashDealing(w, 128, 4, 1024, 1), NewHashDealing(w, 128, 4, 1024, 2)
	if !slices.Equal(a.slots, b.slots) {
		t.Fatal("the same seed deals differently")
	}
	if slices.Equal(a.slots, other.slots) {
		t.Fatal("another seed deals the same")
	}
}

// Slots are mixed: no channel's emissions come in one block.
func TestDealingIsShuffled(t *testing.T) {
	d := NewHashDealing(KeyWeights(1024, 0, 128), 128, 2, 1024, 3)
	for from := int64(0); from < 1024; from += 64 {
		if n := d.Count(0, from, from+64); n < 12 || n > 52 {
			t.Errorf("%d of emissions %d…%d go to channel 0", n, from, from+63)
		}
	}
}

func TestRoundRobinBeginsAtStart(t *testing.T) {
	d := NewRoundRobinDealing(3, 2)
	got := []int{d.Channel(0), d.Channel(1), d.Channel(2), d.Channel(3)}
	if !slices.Equal(got, []int{2, 0, 1, 2}) {
		t.Fatalf("channels %v", got)
	}
}

func BenchmarkCount16(b *testing.B)  { benchmarkCount(b, 16) }
func BenchmarkCount128(b *testing.B) { benchmarkCount(b, 128) }
func benchmarkCount(b *testing.B, consumers int) {
	d := NewHashDealing(KeyWeights(1024, 0, 128), 128, consumers, 4096, 3)
	var i, sum int64
	for b.Loop() {
		sum += d.Count(int(i)%consumers, i*331, i*331+300)
		sum += d.Position(int(i)%consumers, i*331, 7)
		i++
	}
	if sum < 0 {
		b.Fatal(sum)
	}
}

// A SHUFFLE exchange favours no channel in the long run, and is not in turn.
func TestShuffleFavoursNoChannel(t *testing.T) {
	d := NewShuffleDealing(3, 4096, 5)
	period, inTurn := int64(3*1366), 0
	for c := range 3 {
		if n := d.Count(c, 0, period); n != 1366 {
			t.Errorf("channel %d gets %d of %d, expected a third", c, n, period)
		}
	}
	for i := range period {
		if d.Channel(i+1) == (d.Channel(i)+1)%3 {
			inTurn++
		}
	}
	if inTurn < 1200 || inTurn > 1530 { // a third, within 5 standard deviations
		t.Errorf("%d of %d times the next channel comes next", inTurn, period)
	}
}
