package keyed

import "math/bits"

// ln2 is the natural logarithm of 2 in units of 2^-56.
const ln2 = 0xb17217f7d1cf79 // round(ln 2 * 2^56)

// expNeg is e^-x; x in units of 2^-56, the result in units of 2^-63. Integers only, so that every machine has the same bits.
func expNeg(x uint64) uint64 {
	k := x / ln2
	if k > 62 {
		return 0
	}
	r := (x - k*ln2) << 7 // in [0, ln 2), units of 2^-63
	sum, term := uint64(1)<<63, uint64(1)<<63
	for i := uint64(1); term > 0; i++ {
		hi, _ := bits.Mul64(term, r<<1)
		term = hi / i
		if i%2 == 1 {
			sum -= term
		} else {
			sum += term
		}
	}
	return sum >> k
}

// Distinct is how many of keys are hit by n even draws: keys * (1 - e^(-n/keys)), rounded, at least 1 if anything is drawn. Below 64
// keys it is up to half a key more than the exact keys * (1 - (1-1/keys)^n).
func Distinct(keys, n int64) int64 {
	if keys <= 0 || n <= 0 {
		return 0
	}
	if n>>8 >= keys {
		return keys
	}
	x, _ := bits.Div64(uint64(n)>>8, uint64(n)<<56, uint64(keys))
	left, low := bits.Mul64(uint64(keys), expNeg(x)<<1)
	return min(n, max(1, keys-int64(left)-int64(low>>63)))
}

// Scale is n * num / den, rounded down, without overflow in between; den > 0, and the result fits.
func Scale(n, num, den int64) int64 {
	hi, lo := bits.Mul64(uint64(n), uint64(num))
	if hi >= uint64(den) {
		panic("keyed: a share is larger than can be counted")
	}
	q, _ := bits.Div64(hi, lo, uint64(den))
	return int64(q)
}
