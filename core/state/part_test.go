package state

import (
	"slices"
	"testing"
)

// TestGivenStoresAllEachTime: a state of a given size is one new file a snapshot, and none without bytes.
func TestGivenStoresAllEachTime(t *testing.T) {
	g := Given{Sync: 3, Async: 7, Size: 100}
	var p, kept Part
	for id := int64(1); id <= 3; id++ {
		p.Reset()
		g.Snapshot(0, id, Checkpoint, &p)
		if p.Sync != 3 || p.Async != 7 || p.Full != 100 || p.Uploaded() != 100 || len(p.Reused) > 0 {
			t.Errorf("snapshot %d is %+v", id, p)
		}
		if want := []File{{ID: uint64(id), Bytes: 100}}; !slices.Equal(p.Upload, want) {
			t.Errorf("snapshot %d uploads %v", id, p.Upload)
		}
		if id == 1 {
			kept.CopyFrom(&p)
		}
	}
	if kept.Upload[0].ID != 1 {
		t.Error("a copy changes with the original")
	}
	none := Given{Sync: 3}
	p.Reset()
	if none.Snapshot(0, 4, Checkpoint, &p); len(p.Upload) > 0 || p.Full != 0 || p.Sync != 3 {
		t.Errorf("a state without bytes is %+v", p)
	}
}
