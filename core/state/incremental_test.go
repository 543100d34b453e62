package state

import (
	"slices"
	"testing"

	"checkpointlab/core/event"
)

// ssts are files of a backend with one byte each.
func ssts(numbers ...int64) (files []SST) {
	for _, n := range numbers {
		files = append(files, SST{n, Handle{Bytes: 1}})
	}
	return files
}

// TestBaseMovesWithConfirmedCheckpointsOnly (spec 8.2): each line is what happens and how many bytes the next snapshot of
// files 1 and 2 uploads then.
func TestBaseMovesWithConfirmedCheckpointsOnly(t *testing.T) {
	take := func(n *Incremental, id event.Checkpoint, s Sharing) []SST {
		files, _ := n.Snapshot(id, ssts(1, 2), 0, s, nil)
		return files
	}
	for what, c := range map[string]struct {
		do      func(n *Incremental)
		base    event.Checkpoint
		uploads int64
	}{
		"nothing":        {func(*Incremental) {}, 0, 2},
		"not confirmed":  {func(n *Incremental) { take(n, 1, ForwardBackward) }, 0, 2},
		"confirmed":      {func(n *Incremental) { take(n, 1, ForwardBackward); n.Complete(1) }, 1, 0},
		"full":           {func(n *Incremental) { take(n, 1, Forward); n.Complete(1) }, 1, 0},
		"savepoint":      {func(n *Incremental) { take(n, 1, NoSharing); n.Complete(1) }, 0, 2},
		"aborted":        {func(n *Incremental) { take(n, 1, ForwardBackward); n.Abort(1); n.Complete(1) }, 0, 2},
		"aborted second": {func(n *Incremental) { take(n, 1, Forward); take(n, 2, Forward); n.Abort(2); n.Complete(2) }, 0, 2},
		"another aborted": {func(n *Incremental) {
			take(n, 1, Forward)
			take(n, 2, Forward)
			n.Abort(1)
			n.Complete(2)
		}, 2, 0},
		"the base is not aborted": {func(n *Incremental) { take(n, 1, Forward); n.Complete(1); n.Abort(1) }, 1, 0},
		"confirmed twice":         {func(n *Incremental) { take(n, 1, Forward); n.Complete(1); n.Complete(1) }, 1, 0},
		"restored":                {func(n *Incremental) { n.Restore(7, take(n, 1, Forward)) }, 7, 0},
		"restored older": {func(n *Incremental) {
			files := take(n, 1, Forward)
			n.Complete(1)
			take(n, 2, Forward)
			n.Complete(2)
			n.Restore(1, files)
		}, 1, 0},
		"restored without files": {func(n *Incremental) { take(n, 1, Forward); n.Complete(1); n.Restore(1, nil) }, 0, 2},
	} {
		n := NewIncremental(3)
		c.do(&n)
		var twin Incremental
		twin.CopyFrom(&n)
		files, size := n.Snapshot(9, ssts(1, 2), 0, ForwardBackward, nil)
		again, sameSize := twin.Snapshot(9, ssts(1, 2), 0, ForwardBackward, nil)
		if n.Base() != c.base || size != (Size{c.uploads, 2}) {
			t.Errorf("%s: base %d, %+v", what, n.Base(), size)
		}
		if twin.Base() != c.base || sameSize != size || !slices.Equal(files, again) {
			t.Errorf("%s: a copy has base %d, %+v of %v instead of %v", what, twin.Base(), sameSize, again, files)
		}
	}
}

// TestEachUploadHasItsOwnKey: also of a file that was uploaded before, and after a restore.
func TestEachUploadHasItsOwnKey(t *testing.T) {
	n := NewIncremental(2)
	seen := map[int64]bool{}
	first := int64(2) << 40
	for id := event.Checkpoint(1); id <= 4; id++ {
		files, _ := n.Snapshot(id, ssts(1, 2), 5, ForwardBackward, nil)
		for _, f := range files {
			if seen[f.Key] || f.Reused || f.Key <= first || f.Key > first+8 {
				t.Errorf("checkpoint %d has %+v", id, f)
			}
			seen[f.Key] = true
		}
		if id == 2 {
			n.Restore(0, nil)
		}
	}
	n.Complete(4)
	files, size := n.Snapshot(5, ssts(1, 3), 5, ForwardBackward, nil)
	if want := []SST{{1, Handle{first + 7, 1, true}}, {3, Handle{first + 9, 1, false}}}; !slices.Equal(files, want) || size != (Size{6, 7}) {
		t.Errorf("%+v, %+v", files, size)
	}
}

// TestTwoFilesWithOneNumberAreAMistake of the caller.
func TestTwoFilesWithOneNumberAreAMistake(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	n := NewIncremental(0)
	n.Snapshot(1, ssts(1, 1), 0, NoSharing, nil)
}
