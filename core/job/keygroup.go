// Package job is the shape of a job, without time: key groups and their ranges, how exchanges are wired and dealt, which
// operators share a task, which subtasks fail together, what each subtask reads after a rescale.
//
// keygroup.go and rescale.go say where a key goes; wiring.go who is connected to whom; dealing.go how a producer's
// emissions are dealt to its channels; chain.go and region.go what a Graph's operators and failures have in common.
package job

import (
	"fmt"
	"math/bits"
)

// The bounds of a max parallelism (spec 10.1). MaxKeyGroups is also the number of key groups with which the ranges of
// in-flight data are computed on a rescale, whatever the job's max parallelism (spec 10.2).
const (
	MaxKeyGroups        = 32768
	minDerivedKeyGroups = 128
)

// Murmur is the hash that spreads a key's hash code over the key groups; never negative (spec 10.1).
func Murmur(code int32) int32 {
	h := uint32(code) * 0xcc9e2d51
	h = bits.RotateLeft32(h, 15) * 0x1b873593
	h = bits.RotateLeft32(h, 13)*5 + 0xe6546b64
	h ^= 4
	h = (h ^ h>>16) * 0x85ebca6b
	h = (h ^ h>>13) * 0xc2b2ae35
	h ^= h >> 16
	sign := int32(h) >> 31
	return ((int32(h) ^ sign) - sign) & 0x7fffffff // the absolute value, 0 for the least one
}

// StringHash is Java's hash code of a string, over its UTF-16 code units (spec 10.1).
func StringHash(s string) int32 {
	var h int32
	for _, r := range s {
		if r >= 0x10000 {
			r -= 0x10000
			h = 31*h + 0xd800 + r>>10
			r = 0xdc00 + r&0x3ff
		}
		h = 31*h + r
	}
	return h
}

// LongHash is Java's hash code of a long (spec 10.1).
func LongHash(v int64) int32 { return int32(v ^ int64(uint64(v)>>32)) }

// KeyGroup is the key group of a key with that hash code, in [0, maxParallelism).
func KeyGroup(hashCode int32, maxParallelism int) int {
	return int(uint32(Murmur(hashCode)) % uint32(maxParallelism))
}

// SubtaskOf is the subtask that owns a key group.
func SubtaskOf(keyGroup, parallelism, maxParallelism int) int {
	return keyGroup * parallelism / maxParallelism
}

// KeyGroupRange is the key groups of a subtask, both ends included.
func KeyGroupRange(subtask, parallelism, maxParallelism int) (start, end int) {
	start = (subtask*maxParallelism + parallelism - 1) / parallelism
	end = ((subtask+1)*maxParallelism - 1) / parallelism
	return start, end
}

// SharedKeyGroups is the key groups that subtask i of parallelism now and subtask k of parallelism then have both, both ends
// included; ok is false if there are none (KeyGroupRange.getIntersection, StateAssignmentOperation.reAssignSubKeyedStates).
func SharedKeyGroups(i, now, k, then, maxParallelism int) (first, last int, ok bool) {
	first, last = KeyGroupRange(i, now, maxParallelism)
	a, b := KeyGroupRange(k, then, maxParallelism)
	first, last = max(first, a), min(last, b)
	return first, last, first <= last
}

// DefaultMaxParallelism is what is derived for a vertex of that parallelism when nothing is configured: one and a half
// times as much, up to the next power of two, within 128 … 32768 (spec 10.1).
func DefaultMaxParallelism(parallelism int) int {
	wish := parallelism + parallelism/2
	power := 1 << bits.Len(uint(max(wish, 1)-1))
	return min(max(power, minDerivedKeyGroups), MaxKeyGroups)
}

// MaxParallelism is the max parallelism of a vertex. configured is pipeline.max-parallelism, 0 or less if it is not set.
// It is an error if it is above 32768 or below the parallelism.
func MaxParallelism(parallelism, configured int) (int, error) {
	if configured <= 0 {
		configured = DefaultMaxParallelism(parallelism)
	}
	if configured > MaxKeyGroups {
		return 0, fmt.Errorf("pipeline.max-parallelism: %d is above %d: choose at most %d", configured, MaxKeyGroups, MaxKeyGroups)
	}
	if parallelism > configured {
		return 0, fmt.Errorf("parallelism: %d is above the max parallelism %d: raise pipeline.max-parallelism or lower the parallelism", parallelism, configured)
	}
	return configured, nil
}

// CanRescaleMaxParallelism reports whether a restore may replace the max parallelism by the one stored with the state:
// only one that was derived gives way, a configured one does not, and none outside 1 … 32768 is taken (spec 10.1).
func CanRescaleMaxParallelism(configured, stored int) bool {
	return configured <= 0 && stored >= 1 && stored <= MaxKeyGroups
}
