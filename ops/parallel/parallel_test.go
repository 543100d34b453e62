package parallel

import (
	"sync/atomic"
	"testing"
)

func TestEachDoesEveryPieceOnce(t *testing.T) {
	for _, n := range []int{0, 1, 2, 100} {
		calls := make([]atomic.Int32, n)
		Each(n, func(i int) { calls[i].Add(1) })
		for i := range calls {
			if c := calls[i].Load(); c != 1 {
				t.Errorf("%d of %d was called %d times", i, n, c)
			}
		}
	}
}
