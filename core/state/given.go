package state

import "checkpointlab/core/event"

// Given is a state of one size of which every snapshot stores all: what the scenario gives as snapshot: {sync, async, size}.
type Given struct {
	Sync, Async event.Time
	Size        int64 // bytes
	Files       int64 // of each snapshot; 0 = 1

	files uint64 // written so far
}

// Snapshot puts the whole state into one file, or into several of the same size.
func (g *Given) Snapshot(_ event.Time, _ event.Checkpoint, _ Kind, p *Part) {
	p.Sync, p.Async, p.Full = g.Sync, g.Async, g.Size
	n := min(max(1, g.Files), g.Size)
	for i := range n {
		g.files++
		p.Upload = append(p.Upload, File{ID: g.files, Bytes: g.Size/n + min(1, max(0, g.Size%n-i))})
	}
}

// Confirmed changes nothing: no snapshot builds on another.
func (g *Given) Confirmed(event.Time, event.Checkpoint) {}

// Aborted changes nothing, either.
func (g *Given) Aborted(event.Time, event.Checkpoint) {}

// Restore changes nothing: the state is always the same.
func (g *Given) Restore(event.Time, event.Checkpoint, Kind, bool, []*Part) {}

// NumberOn goes on with the numbers of the files of before.
func (g *Given) NumberOn(before Backend) {
	if b, ok := before.(*Given); ok {
		g.files = b.files
	}
}

// CopyFrom makes g a copy of src, which must be a *Given, too.
func (g *Given) CopyFrom(src Backend) { *g = *src.(*Given) }
