package backend

import (
	"slices"

	"checkpointlab/core/event"
	"checkpointlab/core/option"
	"checkpointlab/core/state"
	"checkpointlab/core/state/keyed"
	"checkpointlab/core/state/lsm"
)

// common is what every backend has: the entries, and what snapshots hold of them.
type common struct {
	r      *Rules
	stores []keyed.Store
	saved  []saved // ascending by snapshot; those behind the end lend their memory
	files  uint64  // of those files that belong to one snapshot alone
	spread []int64 // reused
}

// saved is the state at a snapshot, to go back to.
type saved struct {
	id     event.Checkpoint
	stores []keyed.Store
	trees  []lsm.Tree
	ssts   []state.SST
}

// ownFiles is above the ids of files that snapshots share.
const ownFiles = 1 << 31

func newCommon(r *Rules) common {
	c := common{r: r, spread: make([]int64, len(r.Weights)), files: uint64(r.FirstFile)}
	for i := range r.Shapes {
		c.stores = append(c.stores, keyed.NewStore(&r.Shapes[i], r.Keys[i], r.Mine))
	}
	c.fill(0)
	return c
}

// fill makes the state what it is at the start of the run.
func (c *common) fill(now event.Time) {
	for i := range c.stores {
		c.stores[i].Empty()
		if c.r.Shapes[i].Filled {
			c.stores[i].Fill(now, c.r.RateNum, c.r.RatePer)
		}
	}
}

// live is the serialized size of all entries that belong to keys.
func (c *common) live(now event.Time) (n int64) {
	for i := range c.stores {
		if c.r.Shapes[i].Keyed() {
			n += c.stores[i].Bytes(now)
		}
	}
	return n
}

// Bytes is the serialized size of the task's whole state.
func (c *common) Bytes(now event.Time) (n int64) {
	for i := range c.stores {
		n += c.stores[i].Bytes(now)
	}
	return n
}

// Logged is how many bytes of changes a changelog writes for the last n records. Operators' own state is stored without it.
func (c *common) Logged(n int64) (bytes int64) {
	for i := range c.stores {
		if !c.stores[i].Shape().Keyed() {
			continue
		}
		bytes += c.stores[i].Logged(max(0, c.stores[i].Records()-n))
	}
	return bytes
}

// Logs is how many bytes of changes a changelog will write for the next n records.
func (c *common) Logs(n int64) (bytes int64) {
	for i := range c.stores {
		if c.stores[i].Shape().Keyed() {
			bytes += c.stores[i].Logs(n)
		}
	}
	return bytes
}

// own adds a file that belongs to one snapshot alone.
func (c *common) own(p *state.Part, bytes int64) {
	if bytes == 0 {
		return
	}
	c.files++
	p.Upload = append(p.Upload, state.File{ID: ownFiles + c.files, Bytes: bytes})
	p.Full += bytes
}

// given adds what the scenario gives every snapshot.
func (c *common) given(p *state.Part) {
	p.Sync += c.r.Sync
	p.Async += c.r.Async
	c.own(p, c.r.Given)
}

// operators adds the states that belong to no key: every snapshot stores all of them in one file (DefaultOperatorStateBackendSnapshotStrategy).
func (c *common) operators(now event.Time, p *state.Part) {
	before := len(p.Upload)
	if c.own(p, c.compressed(now, false)); len(p.Upload) > before {
		p.Upload[before].Operator = true
	}
}

// compressed is what a snapshot that is written entry by entry takes of the states that belong to keys, or of the others.
func (c *common) compressed(now event.Time, ofKeys bool) (n int64) {
	for i := range c.stores {
		if s := &c.r.Shapes[i]; s.Keyed() == ofKeys {
			n += Stored(c.r.Options, s, c.stores[i].Entries(now))
		}
	}
	return n
}

// Stored is what so many entries of a state take in a snapshot that is written entry by entry (execution.checkpointing.snapshot-compression).
func Stored(o *option.Config, s *keyed.Shape, entries int64) int64 {
	if n := entries * s.EntryBytes(); o.SnapshotCompression {
		return keyed.Scale(n, s.Left(), 1000)
	} else {
		return n
	}
}

// Turns is when entries begin to count as of another part of time.
func (c *common) Turns(now event.Time) event.Time {
	at := event.Never
	for i := range c.stores {
		at = min(at, c.stores[i].Turns(now))
	}
	return at
}

// groups tells the size of the keyed state by key group.
func (c *common) groups(now event.Time, p *state.Part) {
	p.First, p.Groups = c.r.First, p.Groups[:0]
	if len(c.r.Weights) == 0 {
		return
	}
	keyed.Deal(c.live(now), c.r.Weights, c.spread)
	p.Groups = append(p.Groups, c.spread...)
}

// Note tells what the backend holds now, and stores what belongs to no key.
func (c *common) Note(now event.Time, p *state.Part) {
	c.operators(now, p)
	c.groups(now, p)
	p.Stores = append(p.Stores[:0], c.stores...)
}

// keep notes the state of a snapshot.
func (c *common) keep(id event.Checkpoint) *saved {
	if len(c.saved) < cap(c.saved) {
		c.saved = c.saved[:len(c.saved)+1]
	} else {
		c.saved = append(c.saved, saved{})
	}
	s := &c.saved[len(c.saved)-1]
	s.id = id
	s.stores = append(s.stores[:0], c.stores...)
	s.trees, s.ssts = s.trees[:0], s.ssts[:0]
	return s
}

// find is what was noted of a snapshot, nil if it is not this task's.
func (c *common) find(id event.Checkpoint) *saved {
	for i := range c.saved {
		if c.saved[i].id == id {
			return &c.saved[i]
		}
	}
	return nil
}

// confirmed forgets all older snapshots: no failure goes back to them.
func (c *common) confirmed(id event.Checkpoint) {
	if c.find(id) == nil {
		return
	}
	for c.saved[0].id < id {
		c.drop(0)
	}
}

// aborted forgets a snapshot.
func (c *common) aborted(id event.Checkpoint) {
	for i := range c.saved {
		if c.saved[i].id == id {
			c.drop(i)
			return
		}
	}
}

func (c *common) drop(i int) {
	s, last := c.saved[i], len(c.saved)-1
	copy(c.saved[i:], c.saved[i+1:])
	c.saved[last] = s
	c.saved = c.saved[:last]
}

// back sets the entries to those of snapshot id, or of the parts of other tasks; it gives what was noted, nil if the snapshot is none of
// this task's.
func (c *common) back(now event.Time, id event.Checkpoint, parts []*state.Part) *saved {
	if len(parts) == 0 {
		c.fill(now)
		return nil
	}
	if s := c.find(id); s != nil && len(parts) == 1 {
		copy(c.stores, s.stores)
		for i := range c.stores {
			c.stores[i].Begin()
		}
		return s
	}
	if p := parts[0]; len(parts) == 1 && p.First == c.r.First && len(p.Groups) == len(c.r.Weights) && len(p.Stores) == len(c.stores) {
		for i := range c.stores { // the same subtask in another phase of the run
			c.stores[i].Take(&p.Stores[i])
		}
		return nil
	}
	c.gather(parts)
	return nil
}

// gather puts the entries together from the key groups that other tasks had, by their bytes, or by their number if there are none.
func (c *common) gather(parts []*state.Part) {
	for i := range c.stores {
		c.stores[i].Empty()
	}
	for _, p := range parts {
		mine, all, groups := int64(0), int64(0), int64(0)
		for g, n := range p.Groups {
			all += n
			if k := int(p.First) + g - int(c.r.First); k >= 0 && k < len(c.r.Weights) {
				mine, groups = mine+n, groups+1
			}
		}
		if all == 0 {
			mine, all = groups, int64(len(p.Groups))
		}
		for i := range c.stores {
			if all > 0 && i < len(p.Stores) && c.r.Shapes[i].Keyed() {
				c.stores[i].Add(&p.Stores[i], mine, all)
			}
		}
	}
}

// copyFrom makes c a deep copy of src, in its own memory.
func (c *common) copyFrom(src *common) {
	copy(c.stores, src.stores)
	c.files = src.files
	c.saved = c.saved[:0]
	for i := range src.saved {
		s := c.keep(src.saved[i].id)
		s.stores = append(s.stores[:0], src.saved[i].stores...)
		s.ssts = append(s.ssts[:0], src.saved[i].ssts...)
		s.trees = copyTrees(s.trees, src.saved[i].trees)
	}
}

// copyTrees copies trees into the memory of others.
func copyTrees(to, from []lsm.Tree) []lsm.Tree {
	to = slices.Grow(to[:0], len(from))[:len(from)]
	for i := range from {
		to[i].CopyFrom(&from[i])
	}
	return to
}
