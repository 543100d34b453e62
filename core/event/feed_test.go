package event

import "testing"

// The shorter ways to tell of the most frequent events say the same as Emit.
func TestShortWaysTellTheSame(t *testing.T) {
	told := func(tell func(f *Feed)) (f Feed, heard []Event) {
		f = NewFeed()
		f.Listen = func(e Event) { heard = append(heard, e) }
		tell(&f)
		return f, heard
	}
	for _, c := range []struct {
		e    Event
		tell func(f *Feed)
	}{
		{Event{At: 5, Kind: BufferSent, Channel: 7, A: 32768, N: 223}, func(f *Feed) { f.Buffer(BufferSent, 5, 7, 32768, 223) }},
		{Event{At: 1 << 40, Kind: BufferReceived, Channel: 1 << 20, A: 1, N: 0}, func(f *Feed) { f.Buffer(BufferReceived, 1<<40, 1<<20, 1, 0) }},
		{Event{At: 9, Kind: BackPressured, Task: 11, A: 1}, func(f *Feed) { f.Pressed(9, 11, 1) }},
		{Event{At: 9, Kind: BackPressured, Task: 1 << 20}, func(f *Feed) { f.Pressed(9, 1<<20, 0) }},
	} {
		long, heard := told(func(f *Feed) { f.Emit(c.e) })
		short, also := told(c.tell)
		if long.Hash != short.Hash || long.Count != short.Count || long.Buffers != short.Buffers || len(also) != 1 || also[0] != heard[0] {
			t.Errorf("%+v: %x, %d events, %d buffers, heard %+v; in short %x, %d, %d, %+v",
				c.e, long.Hash, long.Count, long.Buffers, heard, short.Hash, short.Count, short.Buffers, also)
		}
	}
}
