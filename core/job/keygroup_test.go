package job

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// keygroups-rescale.json, keygroup.*
func TestKeyGroups(t *testing.T) {
	for _, c := range []struct {
		code                           int32
		parallelism                    int
		murmur                         int32
		group, subtask, maxParallelism int
	}{
		{1, 4, 68075478, 86, 2, 128},
		{-1, 4, 1982413648, 80, 2, 128},
		{StringHash("hello"), 3, 1715862179, 35, 0, 128},
		{StringHash("user-1"), 3, 1662039673, 121, 2, 128},
	} {
		group := KeyGroup(c.code, c.maxParallelism)
		if Murmur(c.code) != c.murmur || group != c.group || SubtaskOf(group, c.parallelism, c.maxParallelism) != c.subtask {
			t.Errorf("code %d: murmur %d, group %d", c.code, Murmur(c.code), group)
		}
	}
}

func TestHashCodes(t *testing.T) {
	for s, want := range map[string]int32{"": 0, "a": 97, "hello": 99162322, "user-1": -836031825, "é": 233, "😀": 0xd83d*31 + 0xde00} {
		if got := StringHash(s); got != want {
			t.Errorf("StringHash(%q) = %d, want %d", s, got, want)
		}
	}
	for v, want := range map[int64]int32{1: 1, -1: 0, 1 << 32: 1, 1<<32 | 3: 2} {
		if got := LongHash(v); got != want {
			t.Errorf("LongHash(%d) = %d, want %d", v, got, want)
		}
	}
}

// Spec 10.1: the ranges cover all groups once, in order, differ by at most one, and agree with SubtaskOf.
func TestKeyGroupRangesPartition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.IntRange(1, MaxKeyGroups).Draw(t, "max")
		p := rapid.IntRange(1, min(m, 300)).Draw(t, "parallelism")
		next, least, most := 0, m, 0
		for i := range p {
			start, end := KeyGroupRange(i, p, m)
			if start != next {
				t.Fatalf("subtask %d starts at %d, want %d", i, start, next)
			}
			if SubtaskOf(start, p, m) != i || SubtaskOf(end, p, m) != i {
				t.Fatalf("subtask %d does not own %d…%d", i, start, end)
			}
			least, most, next = min(least, end-start+1), max(most, end-start+1), end+1
		}
		if next != m || most-least > 1 {
			t.Fatalf("ranges end at %d of %d and differ by %d", next, m, most-least)
		}
	})
}

func TestMaxParallelism(t *testing.T) {
	for p, want := range map[int]int{1: 128, 85: 128, 86: 256, 171: 256, 172: 512, 32768: 32768} {
		if got, err := MaxParallelism(p, 0); got != want || err != nil {
			t.Errorf("MaxParallelism(%d) = %d, %v, want %d", p, got, err, want)
		}
	}
	for _, c := range []struct {
		parallelism, configured int
		say                     string
	}{{8, 7, "above the max parallelism 7"}, {1, 32769, "choose at most 32768"}} {
		if _, err := MaxParallelism(c.parallelism, c.configured); err == nil || !strings.Contains(err.Error(), c.say) {
			t.Errorf("MaxParallelism(%d, %d): %v", c.parallelism, c.configured, err)
		}
	}
}

// Spec 10.4: with the range mapper every pair of old and new subtasks that share a key group is there, and no other.
func TestRangeMapperIsOverlap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from, to := rapid.IntRange(1, 40).Draw(t, "old"), rapid.IntRange(1, 40).Draw(t, "new")
		for i := range to {
			start, end := KeyGroupRange(i, to, MaxKeyGroups)
			var want []int
			for old := range from {
				if s, e := KeyGroupRange(old, from, MaxKeyGroups); s <= end && e >= start {
					want = append(want, old)
				}
			}
			if got := Range.OldSubtasks(i, from, to, nil); !slices.Equal(got, want) {
				t.Fatalf("new %d reads %v, want %v", i, got, want)
			}
		}
	})
}
