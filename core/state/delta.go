package state

import (
	"cmp"
	"slices"

	"checkpointlab/core/event"
)

// Delta is a state of one size of which a snapshot stores what has changed since the last confirmed one, and as much again as
// compaction has rewritten (spec 8.5: delta = min(full, updated × amplification)): what the scenario gives as
// snapshot: {size, change, amplification}. It costs a record nothing. NewDelta makes one.
type Delta struct {
	Sync, Async event.Time
	Size        int64 // bytes
	Change      int64 // bytes that a record changes
	Amplify     int64 // bytes stored for 1000 bytes changed
	Threads     int

	changed int64 // bytes since the beginning
	based   int64 // of them, those in the base
	base    event.Checkpoint
	files   uint64
	taken   []delta // not confirmed, oldest first
	live    []File  // of the base, oldest first
}

var _ Working = (*Delta)(nil)

// delta is a snapshot whose confirmation has not come.
type delta struct {
	id      event.Checkpoint
	changed int64
	bytes   int64
	from    uint64 // its files are numbered from here
	reused  []File // what it has of its base, which may not be the one that is confirmed before it
}

// piece is the most bytes of a file: between a flushed memtable and a file of a deep level of RocksDB (64 mb both by default,
// smaller when a checkpoint cuts them). A state beyond mostPieces of them has larger files, for each is an entry in every snapshot.
const (
	piece      = 16 << 20
	mostPieces = 10_000
)

// pieces is how large a file of the snapshot is, and how many there are.
func (s *delta) pieces() (size, n int64) {
	size = max(piece, (s.bytes+mostPieces-1)/mostPieces)
	return size, (s.bytes + size - 1) / size
}

// append adds a snapshot's files.
func (s *delta) append(files []File, shared bool) []File {
	id := s.from
	size, _ := s.pieces()
	for rest := s.bytes; rest > 0; rest -= size {
		files = append(files, File{ID: id, Bytes: min(rest, size), Shared: shared})
		id++
	}
	return files
}

// Snapshot stores files of what has changed: all of the state without a base, and for a savepoint.
func (d *Delta) Snapshot(_ event.Time, id event.Checkpoint, kind Kind, p *Part) {
	p.Sync, p.Async, p.Threads = d.Sync, d.Async, d.Threads
	s := delta{id: id, changed: d.changed, bytes: d.Size, from: d.files + 1}
	if kind == Checkpoint && len(d.live) > 0 {
		s.bytes = d.amplified(d.changed - d.based)
		s.reused = append(s.reused, d.kept(s.bytes)...)
		p.Reused = append(p.Reused, s.reused...)
	}
	_, n := s.pieces()
	d.files += uint64(n)
	shared := kind == Checkpoint || kind == FullCheckpoint
	p.Upload = s.append(p.Upload, shared)
	for f := range p.Files() {
		p.Full += f.Bytes
	}
	if shared {
		d.taken = append(d.taken, s)
	}
}

// amplified is how many bytes are stored for so many changed: never more than all of the state.
func (d *Delta) amplified(changed int64) int64 {
	all := d.Size/d.Amplify*1000 + 1000 // more than that changes everything, and would run over
	if changed >= all {
		return d.Size
	}
	return min(d.Size, changed/1000*d.Amplify+changed%1000*d.Amplify/1000)
}

// kept is what is left of the base's files when compaction has made a new one of so many bytes: the oldest ones go as long as
// the rest still holds the state.
func (d *Delta) kept(more int64) []File {
	total := more
	for _, f := range d.live {
		total += f.Bytes
	}
	i := 0
	for i < len(d.live) && total-d.live[i].Bytes >= d.Size {
		total -= d.live[i].Bytes
		i++
	}
	return d.live[i:]
}

// Confirmed makes id the base.
func (d *Delta) Confirmed(_ event.Time, id event.Checkpoint) {
	for i, t := range d.taken {
		if t.id != id {
			continue
		}
		d.live = t.append(append(d.live[:0], t.reused...), true)
		d.base, d.based = id, t.changed
		d.taken = append(d.taken[:0], d.taken[i+1:]...)
		return
	}
}

// Aborted forgets what id has stored.
func (d *Delta) Aborted(_ event.Time, id event.Checkpoint) {
	for i, t := range d.taken {
		if t.id == id {
			d.taken = append(d.taken[:i], d.taken[i+1:]...)
			return
		}
	}
}

// Restore goes on from one part, of the same task: the files of a checkpoint or a native savepoint are the base, those that lie in its
// metadata as well (RocksDBIncrementalRestoreOperation.restorePreviousIncrementalFilesStatus).
func (d *Delta) Restore(_ event.Time, id event.Checkpoint, kind Kind, claimed bool, parts []*Part) {
	d.taken, d.live, d.base, d.based = d.taken[:0], d.live[:0], 0, d.changed
	if len(parts) != 1 || !claimed || kind == CanonicalSavepoint || parts[0].inherits() {
		return
	}
	p := parts[0]
	d.base = id
	d.live = append(append(d.live, p.Reused...), p.Small...)
	for _, f := range p.Upload {
		if f.Shared || kind == NativeSavepoint { // channel state is of that checkpoint alone, and no savepoint has any
			d.live = append(d.live, f)
		}
	}
	for i := range d.live {
		d.live[i].Shared = true
	}
	slices.SortFunc(d.live, func(a, b File) int { return cmp.Compare(a.ID, b.ID) }) // by age
}

// NumberOn goes on behind the files of before if it is a *Delta.
func (d *Delta) NumberOn(before Backend) {
	if o, ok := before.(*Delta); ok {
		d.files = max(d.files, o.files)
	}
}

// Cost is none: what a record costs with its state is the vertex's cost.
func (d *Delta) Cost(event.Time) event.Time { return 0 }

// Limit is all of them: there is nothing to decide in between.
func (d *Delta) Limit(_ event.Time, n int64, _ int32) int64 { return n }

// Turns is never: nothing leaves.
func (d *Delta) Turns(event.Time) event.Time { return event.Never }

// Access counts what the records change.
func (d *Delta) Access(_ event.Time, r event.Run) { d.changed += r.Count * d.Change }

// NextEvent is never: nothing happens by itself.
func (d *Delta) NextEvent(event.Time) event.Time { return event.Never }

// Happen has nothing to do.
func (d *Delta) Happen(event.Time) {}

// CopyFrom makes d a deep copy of src, which must be a *Delta, too.
func (d *Delta) CopyFrom(src Backend) {
	o := src.(*Delta)
	taken, live := append(d.taken[:0], o.taken...), append(d.live[:0], o.live...) // what was reused never changes, so it is shared
	*d = *o
	d.taken, d.live = taken, live
}
