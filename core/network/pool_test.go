package network

import (
	"testing"

	"pgregory.net/rapid"
)

// A back-pressured subpartition reaches the limit per channel only in the middle of a record (mechanisms 2; spec 4.1).
func TestLimitPerChannelGatesTheNextRecordOnly(t *testing.T) {
	p := NewBufferPool(2*2+8, 2, 10, 20)
	for range 9 {
		p.Take(0)
	}
	if !p.Available() {
		t.Error("9 of 10 buffers in a subpartition make the pool unavailable")
	}
	if !p.Take(0) || p.Available() {
		t.Error("the tenth buffer is refused, or leaves the pool available")
	}
	if !p.Take(0) || p.Overdraft() != 0 {
		t.Error("a record under way does not get the eleventh buffer as an ordinary one")
	}
	p.Recycle(0)
	if p.Available() {
		t.Error("available with 10 buffers in a subpartition")
	}
	p.Recycle(0)
	if !p.Available() {
		t.Error("not available with 9 buffers in each subpartition at most")
	}
}

// A smaller pool makes segments in use overdraft (LocalBufferPool: all beyond the size are).
func TestResizeMakesOverdraft(t *testing.T) {
	p := NewBufferPool(5, 1, 100, 2)
	for range 4 {
		p.Take(0)
	}
	p.Resize(2)
	if p.Overdraft() != 2 || p.Available() || p.Take(0) {
		t.Errorf("overdraft %d, available %v after resize; a further segment must be refused", p.Overdraft(), p.Available())
	}
	p.Resize(6)
	if p.Overdraft() != 0 || !p.Available() {
		t.Errorf("overdraft %d, available %v after growing", p.Overdraft(), p.Available())
	}
}

// No segment is lost or made, and availability is what spec 4.1 says, whatever happens.
func TestPoolConservesSegments(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(1, 12).Draw(t, "size")
		subs := rapid.IntRange(1, 4).Draw(t, "subpartitions")
		perChannel := rapid.IntRange(1, 6).Draw(t, "maxPerChannel")
		overdraft := rapid.IntRange(0, 4).Draw(t, "maxOverdraft")
		p := NewBufferPool(size, subs, perChannel, overdraft)
		var taken []int // the subpartition of every segment in use
		for range rapid.IntRange(0, 60).Draw(t, "steps") {
			switch rapid.IntRange(0, 4).Draw(t, "do") {
			case 0, 1:
				sub := rapid.IntRange(-1, subs-1).Draw(t, "sub")
				if ok := p.Take(sub); ok != (len(taken) < size+overdraft) {
					t.Fatalf("Take is %v with %d of %d+%d in use", ok, len(taken), size, overdraft)
				} else if ok {
					taken = append(taken, sub)
				}
			case 2, 3:
				if len(taken) > 0 {
					i := rapid.IntRange(0, len(taken)-1).Draw(t, "which")
					p.Recycle(taken[i])
					taken = append(taken[:i], taken[i+1:]...)
				}
			case 4:
				size = rapid.IntRange(1, 12).Draw(t, "new size")
				p.Resize(size)
			}
			checkPool(t, &p, taken, size, subs, perChannel)
		}
		var q BufferPool
		q.CopyFrom(&p)
		p.Reset()
		checkPool(t, &q, taken, size, subs, perChannel)
		checkPool(t, &p, nil, size, subs, perChannel)
	})
}

func checkPool(t *rapid.T, p *BufferPool, taken []int, size, subs, perChannel int) {
	queued := make([]int, subs)
	available := len(taken) < size
	for _, sub := range taken {
		if sub >= 0 {
			queued[sub]++
			available = available && queued[sub] < perChannel
		}
	}
	for sub, n := range queued {
		if p.Queued(sub) != n {
			t.Fatalf("%d segments in subpartition %d, counted %d", n, sub, p.Queued(sub))
		}
	}
	if p.Used() != len(taken) || p.Size() != size || p.Overdraft() != max(0, len(taken)-size) || p.Available() != available {
		t.Fatalf("used %d size %d overdraft %d available %v; in use are %d of %d, available should be %v",
			p.Used(), p.Size(), p.Overdraft(), p.Available(), len(taken), size, available)
	}
}

func TestPoolPanicsOnAForeignSegment(t *testing.T) {
	p := NewBufferPool(2, 2, 2, 0)
	p.Take(0)
	mustPanic(t, "segment of another subpartition", func() { p.Recycle(1) })
	p.Recycle(0)
	mustPanic(t, "segment that nobody took", func() { p.Recycle(-1) })
	mustPanic(t, "pool of size 0", func() { p.Resize(0) })
	mustPanic(t, "new pool of size 0", func() { NewBufferPool(0, 1, 1, 0) })
}

func mustPanic(t *testing.T, what string, do func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Errorf("%s: no panic", what)
		}
	}()
	do()
}

func BenchmarkPool(b *testing.B) {
	p := NewBufferPool(16, 4, 10, 20)
	b.ReportAllocs()
	for i := range b.N {
		sub := i & 3
		if p.Available() && p.Take(sub) {
			p.Recycle(sub)
		}
	}
}
