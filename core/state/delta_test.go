package state

import (
	"testing"

	"checkpointlab/core/event"
)

// TestHugeStatesHaveFewFiles: what a snapshot stores is in files of 16 mb, and of a state of 10⁵ times as much in no more files.
func TestHugeStatesHaveFewFiles(t *testing.T) {
	for _, c := range []struct {
		size  int64
		files int
	}{{0, 0}, {1, 1}, {piece, 1}, {piece + 1, 2}, {piece * mostPieces, mostPieces}, {piece*mostPieces + 1, mostPieces}, {1 << 50, mostPieces}} {
		d := Delta{Size: c.size, Change: 1, Amplify: 1000}
		var p Part
		d.Snapshot(0, 1, Checkpoint, &p)
		sum := int64(0)
		for _, f := range p.Upload {
			sum += f.Bytes
		}
		if len(p.Upload) > c.files || len(p.Upload) < c.files*9/10 || sum != c.size || p.Full != c.size {
			t.Errorf("%d bytes are stored as %d in %d files, expected %d", c.size, sum, len(p.Upload), c.files)
		}
		if last := len(p.Upload) - 1; last >= 0 && p.Upload[last].ID != d.files {
			t.Errorf("%d bytes: the last file is %d, the next one is behind %d", c.size, p.Upload[last].ID, d.files)
		}
	}
}

// TestChangesAreStoredUpToTheState: what records change is stored as often as compaction says, never more than all of the state, and
// no count runs over.
func TestChangesAreStoredUpToTheState(t *testing.T) {
	for _, c := range []struct{ size, amplify, changed, stored int64 }{
		{1 << 20, 1000, 0, 0}, {1 << 20, 1000, 1234, 1234}, {1 << 20, 2500, 1001, 2502}, {1 << 20, 1, 1 << 20, 1048}, {1 << 20, 1000, 1 << 30, 1 << 20},
		{1 << 50, 1 << 20, event.Never, 1 << 50}, {1 << 50, 1, event.Never, 1 << 50}, {0, 1000, 5, 0},
	} {
		d := Delta{Size: c.size, Amplify: c.amplify}
		if got := d.amplified(c.changed); got != c.stored {
			t.Errorf("%d bytes changed of %d at %d per mille: %d are stored, expected %d", c.changed, c.size, c.amplify, got, c.stored)
		}
	}
}
