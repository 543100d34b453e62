package sim

import (
	"math/bits"
	"math/rand/v2"
)

// Stream is a seeded sequence of random numbers, the same on every platform (PCG-DXSM, fixed by the Go library).
// It is a plain value: a copy goes on independently from the same point.
type Stream struct {
	pcg rand.PCG
}

// NewStream begins the stream called name of the run with that seed. Streams of different names or seeds are independent,
// so that one more draw in one room changes nothing in another.
func NewStream(seed uint64, name string) Stream {
	const offset, prime = 14695981039346656037, 1099511628211 // FNV-1a
	h := uint64(offset)
	for i := range len(name) {
		h = (h ^ uint64(name[i])) * prime
	}
	// PCG keeps seeds that differ in few bits close for a while; mixing parts them at once.
	return Stream{*rand.NewPCG(mix(seed), mix(h^mix(^seed)))}
}

// mix spreads every bit of x over all 64 (the finalizer of splitmix64).
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Uint64 is uniform over all 64-bit values.
func (s *Stream) Uint64() uint64 { return s.pcg.Uint64() }

// Int64n is uniform in [0, n), without bias. It panics unless n > 0.
func (s *Stream) Int64n(n int64) int64 {
	if n <= 0 {
		panic("sim: Int64n needs n > 0")
	}
	bound := uint64(n)
	hi, lo := bits.Mul64(s.Uint64(), bound)
	if lo < bound {
		for reject := -bound % bound; lo < reject; {
			hi, lo = bits.Mul64(s.Uint64(), bound)
		}
	}
	return int64(hi)
}
