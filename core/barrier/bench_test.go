package barrier

import (
	"testing"

	"checkpointlab/core/event"
)

// rounds feeds whole checkpoints to a handler of each kind; all ways through it that a long run takes are in them.
type rounds struct {
	h, copy Handler
	out     []Effect
	id      event.Checkpoint
	n       int32
}

func newRounds(kind Kind, n int32) *rounds {
	return &rounds{h: New(kind, int(n), true), copy: New(kind, int(n), true), out: make([]Effect, 0, 4*n+8), n: n}
}

// one is a checkpoint whose timer fires after half of the barriers, one that is cancelled, and a snapshot copy.
func (r *rounds) one(b Barrier) {
	now := event.Time(r.id) * 1000
	b.Timestamp = now
	for _, cancelled := range []bool{false, true} {
		r.id++
		b.ID = r.id
		r.out = r.out[:0]
		for ch := range r.n {
			r.out = r.h.OnAnnouncement(now, ch, b, r.out)
		}
		for ch := range r.n {
			if ch == r.n/2 {
				r.out = r.h.OnTimer(now+b.Timeout, b.ID, r.out)
				if cancelled {
					r.h.OnAborted(b.ID + 1)
					r.out = r.h.OnCancel(now, ch, b.ID, r.out)
				}
			}
			r.out = r.h.OnBarrier(now, ch, b, r.out)
			r.h.OnBytes(100)
		}
	}
	r.copy.CopyFrom(&r.h)
}

func barrierOf(kind Kind) Barrier {
	switch kind {
	case TrackerKind:
		return Barrier{Alignment: AtLeastOnce}
	case UnalignedKind:
		return Barrier{Alignment: Unaligned}
	case AlternatingKind:
		return Barrier{Alignment: TimeoutableAligned, Timeout: 500}
	}
	return Barrier{}
}

func TestSteadyStateAllocatesNothing(t *testing.T) {
	for name, kind := range allKinds {
		r := newRounds(kind, 100)
		for range 300 { // the remembered aborts reach their bound
			r.one(barrierOf(kind))
		}
		if a := testing.AllocsPerRun(100, func() { r.one(barrierOf(kind)) }); a > 0 {
			t.Errorf("%s: %v allocations in two checkpoints", name, a)
		}
	}
}

func BenchmarkTwoCheckpoints(b *testing.B) {
	for _, name := range []string{"aligned", "tracker", "unaligned", "alternating"} {
		b.Run(name+"/4 channels", func(b *testing.B) {
			r := newRounds(allKinds[name], 4)
			b.ReportAllocs()
			for b.Loop() {
				r.one(barrierOf(allKinds[name]))
			}
		})
	}
}

func BenchmarkCopy(b *testing.B) {
	for _, name := range []string{"aligned", "tracker"} {
		b.Run(name+"/4 channels", func(b *testing.B) {
			h, c := New(allKinds[name], 4, true), New(allKinds[name], 4, true)
			b.ReportAllocs()
			for b.Loop() {
				c.CopyFrom(&h)
			}
		})
	}
}
