package timeline

import "checkpointlab/core"

// nearby is the nearer snapshots behind one mark. They take the place of those behind another one.
type nearby struct {
	mark *core.State
	kept []*core.State // in order of events, the first n of them hold
	n    int
}

// leave keeps where the head is, which is behind mark and before the next one.
func (b *nearby) leave(mark *core.State, head *core.Lab) {
	if b.mark != mark {
		b.mark, b.n = mark, 0
	}
	at := b.n
	for at > 0 && b.kept[at-1].Events() >= head.Events() {
		at--
	}
	if at < b.n && b.kept[at].Events() == head.Events() || b.n == 2*parts { // so many only after detours
		return
	}
	if b.n == len(b.kept) {
		b.kept = append(b.kept, new(core.State))
	}
	s := b.kept[b.n]
	copy(b.kept[at+1:b.n+1], b.kept[at:b.n])
	b.kept[at] = s
	b.n++
	head.Snapshot(s)
}

// latest is the last one behind mark for which ok holds, nil if there is none.
func (b *nearby) latest(mark *core.State, ok func(*core.State) bool) *core.State {
	if b.mark != mark {
		return nil
	}
	for i := b.n - 1; i >= 0; i-- {
		if ok(b.kept[i]) {
			return b.kept[i]
		}
	}
	return nil
}
