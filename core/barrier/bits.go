package barrier

import "math/bits"

// set is a set of channels, one bit each.
type set []uint64

// words is how many words n channels take.
func words(n int) int { return (n + 63) / 64 }

func (s set) has(ch int32) bool { return s[ch>>6]&(1<<(ch&63)) != 0 }

// add reports whether ch is new.
func (s set) add(ch int32) bool {
	isNew := !s.has(ch)
	s[ch>>6] |= 1 << (ch & 63)
	return isNew
}

// remove reports whether ch was in.
func (s set) remove(ch int32) bool {
	was := s.has(ch)
	s[ch>>6] &^= 1 << (ch & 63)
	return was
}

func (s set) clear() { clear(s) }

// next is the smallest member that is not below ch, or -1.
func (s set) next(ch int32) int32 {
	for w := int(ch >> 6); w < len(s); w++ {
		v := s[w]
		if w == int(ch>>6) {
			v &= ^uint64(0) << (ch & 63)
		}
		if v != 0 {
			return int32(w<<6 + bits.TrailingZeros64(v))
		}
	}
	return -1
}
