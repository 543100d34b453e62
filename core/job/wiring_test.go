package job

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Consumers and Producers are two views of one relation; subpartitions number a producer's consumers 0, 1, ….
func TestWiringAgreesFromBothSides(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SampledFrom([]Pattern{AllToAll, Pointwise}).Draw(t, "pattern")
		s, c := rapid.IntRange(1, 40).Draw(t, "producers"), rapid.IntRange(1, 40).Draw(t, "consumers")
		for j := range s {
			from, to := p.Consumers(j, s, c)
			var subs []int
			for i := range c {
				first, end := p.Producers(i, s, c)
				feeds := first <= j && j < end
				if feeds != (from <= i && i < to) {
					t.Fatalf("producer %d, consumer %d of %d to %d: one side says %v", j, i, s, c, feeds)
				}
				if feeds {
					subs = append(subs, p.Subpartition(i, s, c))
				}
			}
			slices.Sort(subs)
			for k, sub := range subs {
				if sub != k {
					t.Fatalf("producer %d of %d to %d has subpartitions %v", j, s, c, subs)
				}
			}
			if len(subs) == 0 {
				t.Fatalf("producer %d of %d to %d feeds nobody", j, s, c)
			}
		}
	})
}

func TestPartitioners(t *testing.T) {
	for p := range partitioners {
		got, ok := ParsePartitioner(p.String())
		if !ok || got != p {
			t.Errorf("%v parses as %v, %v", p, got, ok)
		}
	}
	if p, ok := ParsePartitioner("hash"); !ok || p != Hash {
		t.Error("lower case is not understood")
	}
	if _, ok := ParsePartitioner("hosh"); ok {
		t.Error("an unknown name is understood")
	}
	if Hash.Mapper() != Range || Rebalance.Mapper() != RoundRobin || Forward.CarriesUnaligned() || !Hash.CarriesUnaligned() || Broadcast.CarriesUnaligned() {
		t.Error("the table differs from spec 10.2 and 3.7")
	}
}
