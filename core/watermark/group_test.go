package watermark

import (
	"testing"

	"pgregory.net/rapid"
)

// TestGroupIsTheLeastOfLastReports (SourceCoordinatorAlignmentTest.testWatermarkAggregatorRandomly): whoever has reported counts with
// the last report, and all may go as far as the drift lets the slowest be left behind.
func TestGroupIsTheLeastOfLastReports(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const members = 5
		g, last := NewGroup(members), map[int]int64{}
		for range rapid.IntRange(1, 30).Draw(t, "reports") {
			m := rapid.IntRange(0, members-1).Draw(t, "member")
			mark := rapid.SampledFrom([]int64{None, End, 0, 7, 1000, 1001, -5}).Draw(t, "mark")
			g.Report(m, mark)
			last[m] = mark
			least, want := End, End
			for i := range members {
				least = g.Least(least, i)
				if g.Knows(i) {
					want = min(want, last[i])
				}
			}
			if least != want {
				t.Fatalf("least %d of %v, expected %d", least, last, want)
			}
			most := MayGo(least, 1000)
			if far := least > End-1000; far && most != End || !far && most != least+1000 {
				t.Fatalf("with %d they may go to %d", least, most)
			}
			var c Group
			if c.CopyFrom(&g); c.Least(End, m) != mark {
				t.Fatalf("the copy has %d of member %d, expected %d", c.Least(End, m), m, mark)
			}
		}
	})
}
