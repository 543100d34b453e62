package event

// Feed is where every room reports what happened. It keeps the trace hash, counts the events that can be seen, and passes them
// to one listener (the recorder), which may be nil.
type Feed struct {
	Hash    uint64 // over every event so far
	Count   uint64 // events so far: the unit of a single step
	Buffers uint64 // of them BufferSent
	Listen  func(Event)
	Deaf    uint64 // bits of the kinds that Listen does nothing with
}

// NewFeed starts a trace.
func NewFeed() Feed { return Feed{Hash: 0xcbf29ce484222325} }

// Emit adds e to the trace.
func (f *Feed) Emit(e Event) {
	h := f.Hash
	h = mix(h, uint64(e.At))
	h = mix(h, uint64(e.Kind)<<56^uint64(uint32(e.Task))<<28^uint64(uint32(e.Channel)))
	h = mix(h, uint64(e.Checkpoint)^uint64(e.A)<<20^uint64(e.N)<<40)
	h = mix(h, uint64(e.A)^uint64(e.B)<<32)
	f.Hash = mix(h, uint64(e.N))
	f.Count++
	if e.Kind == BufferSent {
		f.Buffers++
	}
	if f.Listen != nil && f.Deaf>>e.Kind&1 == 0 {
		f.Listen(e)
	}
}

// Buffer is Emit of a buffer of so many bytes and records that is sent or received; these are most of all events.
func (f *Feed) Buffer(kind Kind, at Time, c Channel, bytes, records int64) {
	h := mix(f.Hash, uint64(at))
	h = mix(h, uint64(kind)<<56^uint64(uint32(c)))
	h = mix(h, uint64(bytes)<<20^uint64(records)<<40)
	h = mix(h, uint64(bytes))
	f.Hash = mix(h, uint64(records))
	f.Count++
	if kind == BufferSent {
		f.Buffers++
	}
	if f.Hears(kind) {
		f.tell(Event{At: at, Kind: kind, Channel: c, A: bytes, N: records})
	}
}

// Pressed is Emit of a task whose thread begins (1) or ceases (0) to wait for output.
func (f *Feed) Pressed(at Time, t Task, begins int64) {
	h := mix(f.Hash, uint64(at))
	h = mix(h, uint64(BackPressured)<<56^uint64(uint32(t))<<28)
	h = mix(h, uint64(begins)<<20)
	h = mix(h, uint64(begins))
	f.Hash = mix(h, 0)
	f.Count++
	if f.Hears(BackPressured) {
		f.tell(Event{At: at, Kind: BackPressured, Task: t, A: begins})
	}
}

// tell is for those who listen to what recorders are deaf to.
//
//go:noinline
func (f *Feed) tell(e Event) { f.Listen(e) }

// mix is one multiply-xorshift round.
func mix(h, v uint64) uint64 {
	h = (h ^ v) * 0x9e3779b97f4a7c15
	return h ^ h>>29
}

// Hears reports whether Listen does something with a kind.
func (f *Feed) Hears(kind Kind) bool { return f.Listen != nil && f.Deaf>>kind&1 == 0 }
