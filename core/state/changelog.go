package state

import "checkpointlab/core/event"

// ChangelogConfig is what does not change of a Changelog (spec 1.3, DSTL). Sizes in bytes.
type ChangelogConfig struct {
	Preemptive  int64      // preemptive-persist-threshold: a tail of this size is uploaded before a checkpoint asks
	BatchSize   int64      // batch.persist-size-threshold: so much is uploaded without waiting for more
	BatchDelay  event.Time // batch.persist-delay: so long an upload waits for more; 0 = not at all
	MaxInFlight int64      // upload.max-in-flight: from there on the writer is blocked
	MaxFailures int        // max-failures-allowed: consecutive failures of a materialization that are tolerated
}

// Changelog is one subtask's log of state changes (spec 8.3). Positions count the bytes logged. A checkpoint consists of the
// last materialization, which holds all changes up to its position, and the log's segments from there on; so only the tail that
// has not been uploaded yet has to be uploaded for it. NewChangelog makes one.
type Changelog struct {
	ChangelogConfig
	end      int64     // of the log
	cut      int64     // segments reach up to here; beyond it is the tail
	active   int64     // changes from here on are one change set; those of the tail before it are others, which end at
	ends     []int64   // … these, ascending
	known    int64     // changes up to here are materialized, or are those of a restored checkpoint
	segments []segment // ascending, without a gap
	batched  int64     // bytes of segments that wait for their batch
	tick     event.Time
	inFlight int64 // bytes of segments that are not stored yet
	number   int64 // of the last segment: its file's key

	base     Materialization // the latest
	running  int64           // position of the one under way, -1 = none
	began    event.Time      // when that was
	older    []Segment       // logs of other subtasks that hold changes of this one, until it is materialized (a restore with another parallelism)
	failures int             // in a row
	pending  []persist       // checkpoints whose segments are not all stored, oldest first
	last     int64           // the log up to here is in an earlier checkpoint
}

// segment is a part of the log in one file.
type segment struct {
	number   int64
	from, to int64
	state    segmentState
}

type segmentState uint8

const (
	inBatch segmentState = iota
	uploading
	stored
)

// Materialization is the wrapped backend's snapshot that holds all changes up to a position.
type Materialization struct {
	Number   int64 // from 1; 0 = there is none, the log goes back to its beginning
	Position int64
	At       event.Time // when it was begun; -1: it is other subtasks'
}

// persist is a checkpoint that waits for its segments.
type persist struct {
	id       event.Checkpoint
	base     Materialization
	to, size int64
}

// ChangelogEffectKind says what a ChangelogEffect is.
type ChangelogEffectKind uint8

// The effects.
const (
	ArmBatch ChangelogEffectKind = iota // call Tick at At
	Upload                              // segment Number, Bytes long
	Stored                              // checkpoint ID is Base with the log from Base.Position up to To; Size as REST tells it
	Truncate                            // the log below To is needed by no further checkpoint
	FailTask                            // materialization failed too often
)

// ChangelogEffect is what a Changelog does.
type ChangelogEffect struct {
	Kind   ChangelogEffectKind
	At     event.Time
	Number int64
	Bytes  int64
	ID     event.Checkpoint
	Base   Materialization
	To     int64
	Size   Size // of the log alone
}

// NewChangelog is an empty log. owner is a number that no other Incremental or Changelog of the job has.
func NewChangelog(c ChangelogConfig, owner int32) Changelog {
	return Changelog{ChangelogConfig: c, running: -1, tick: event.Never, number: firstKey(owner)}
}

// Base is the latest materialization: what a checkpoint that is asked for now is based on.
func (c *Changelog) Base() Materialization { return c.base }

// End is the position after the last change.
func (c *Changelog) End() int64 { return c.end }

// Changed reports whether there is any change since the last materialization that succeeded, or since the restore.
func (c *Changelog) Changed() bool { return c.end > c.known }

// Left is how many bytes more are logged before they are uploaded ahead of a checkpoint.
func (c *Changelog) Left() int64 { return c.Preemptive - (c.end - c.active) }

// Blocked reports whether the writer has to wait: the task is changelog-busy then (spec 4.4, 8.3). What is in flight may reach the
// limit, and go beyond it with its last upload (UploadThrottle.hasCapacity).
func (c *Changelog) Blocked() bool { return c.inFlight >= c.MaxInFlight }

// Append logs a change of so many bytes; as soon as a change set is that long, the tail is uploaded (FsStateChangelogWriter.preEmptiveFlushIfNeeded).
func (c *Changelog) Append(now event.Time, bytes int64, out []ChangelogEffect) []ChangelogEffect {
	c.end += bytes
	if c.Left() <= 0 && bytes > 0 {
		return c.seal(now, out)
	}
	return out
}

// Persist is the asynchronous part of checkpoint id: the tail is uploaded, what is stored already is not.
func (c *Changelog) Persist(now event.Time, id event.Checkpoint, out []ChangelogEffect) []ChangelogEffect {
	c.pending = append(c.pending, persist{id: id, base: c.base, to: c.end, size: c.end - max(c.last, c.base.Position)})
	c.last = c.end
	out = c.seal(now, out)
	return c.answer(out)
}

// rollOver ends the change set: what follows is another.
func (c *Changelog) rollOver() {
	if c.active < c.end {
		c.ends = append(c.ends, c.end)
		c.active = c.end
	}
}

// seal makes segments of the tail, one of each change set.
func (c *Changelog) seal(now event.Time, out []ChangelogEffect) []ChangelogEffect {
	c.rollOver()
	if c.cut == c.end {
		return out
	}
	for _, to := range c.ends {
		c.number++
		c.segments = append(c.segments, segment{number: c.number, from: c.cut, to: to})
		c.batched += to - c.cut
		c.inFlight += to - c.cut
		c.cut = to
	}
	c.ends = c.ends[:0]
	if c.batched >= c.BatchSize || c.BatchDelay == 0 {
		return c.send(out)
	}
	if c.tick == event.Never {
		c.tick = now + c.BatchDelay
		out = append(out, ChangelogEffect{Kind: ArmBatch, At: c.tick})
	}
	return out
}

// Tick is called at the end of a batch's delay; it does nothing if the batch was sent before.
func (c *Changelog) Tick(now event.Time, out []ChangelogEffect) []ChangelogEffect {
	if now != c.tick {
		return out
	}
	return c.send(out)
}

// send uploads all segments that wait for their batch.
func (c *Changelog) send(out []ChangelogEffect) []ChangelogEffect {
	for i := range c.segments {
		if s := &c.segments[i]; s.state == inBatch {
			s.state = uploading
			out = append(out, ChangelogEffect{Kind: Upload, Number: s.number, Bytes: s.to - s.from})
		}
	}
	c.batched, c.tick = 0, event.Never
	return out
}

// Freed is called when a segment is stored: there is room for others at once, whatever the thread does (releaseCapacity).
func (c *Changelog) Freed(number int64) { c.inFlight -= c.Bytes(number) }

// Uploaded is called when the thread hears that a segment is stored (FsStateChangelogWriter.handleUploadSuccess).
func (c *Changelog) Uploaded(number int64, out []ChangelogEffect) []ChangelogEffect {
	for i := range c.segments {
		if s := &c.segments[i]; s.number == number && s.state == uploading {
			s.state = stored
			return c.truncate(c.answer(out))
		}
	}
	panic("state: a segment was stored that is not being uploaded")
}

// answer reports the checkpoints whose segments are all stored.
func (c *Changelog) answer(out []ChangelogEffect) []ChangelogEffect {
	kept := c.pending[:0]
	for _, p := range c.pending {
		if !c.storedTo(p.base.Position, p.to) {
			kept = append(kept, p)
			continue
		}
		out = append(out, ChangelogEffect{
			Kind: Stored, ID: p.id, Base: p.base, To: p.to, Size: Size{Checkpointed: p.size, Full: p.to - p.base.Position + c.olderBytes()},
		})
	}
	c.pending = kept
	return out
}

func (c *Changelog) storedTo(from, to int64) bool {
	for i := range c.segments {
		if s := &c.segments[i]; s.state != stored && s.to > from && s.from < to {
			return false
		}
	}
	return true
}

// Segments appends the files of the log from … to, the keys being the segments' numbers. Right after Persist, from the base to
// the end, they are what the checkpoint registers once it is Stored; later they may have been truncated.
func (c *Changelog) Segments(from, to int64, out []Handle) []Handle {
	for i := range c.segments {
		if s := &c.segments[i]; s.to > from && s.from < to {
			out = append(out, Handle{Key: s.number, Bytes: s.to - s.from})
		}
	}
	return out
}

// Materialize begins a materialization of the wrapped backend at this position, independently of checkpoints; false: one is
// under way.
func (c *Changelog) Materialize(now event.Time) (position int64, ok bool) {
	if c.running >= 0 {
		return 0, false
	}
	c.running, c.began = c.end, now
	c.rollOver() // a segment is before it or behind it (StateChangelogWriter.nextSequenceNumber)
	return c.end, true
}

// Began is when the materialization under way began.
func (c *Changelog) Began() event.Time { return c.began }

// Materialized is the end of the materialization under way: checkpoints from now on are based on it. One that failed is
// tried again, or fails the task after too many in a row.
func (c *Changelog) Materialized(ok bool, out []ChangelogEffect) []ChangelogEffect {
	if c.running < 0 {
		panic("state: no materialization is under way")
	}
	position := c.running
	c.running = -1
	if !ok {
		if c.failures++; c.failures > c.MaxFailures {
			out = append(out, ChangelogEffect{Kind: FailTask})
		}
		return out
	}
	c.failures = 0
	c.base = Materialization{c.base.Number + 1, position, c.began}
	c.known = max(c.known, position)
	c.older = c.older[:0]
	return c.truncate(out)
}

// truncate forgets segments that neither the base nor a pending checkpoint needs. Their files live as long as a retained
// checkpoint uses them: that is the Registry's.
func (c *Changelog) truncate(out []ChangelogEffect) []ChangelogEffect {
	low := c.base.Position
	for _, p := range c.pending {
		low = min(low, p.base.Position)
	}
	n := 0
	for n < len(c.segments) && c.segments[n].to <= low && c.segments[n].state == stored {
		n++
	}
	if n == 0 {
		return out
	}
	to := c.segments[n-1].to
	c.segments = c.segments[:copy(c.segments, c.segments[n:])]
	return append(out, ChangelogEffect{Kind: Truncate, To: to})
}

// Abort gives up checkpoint id: what is being uploaded for it serves the next one.
func (c *Changelog) Abort(id event.Checkpoint, out []ChangelogEffect) []ChangelogEffect {
	for i := range c.pending {
		if c.pending[i].id == id {
			c.pending = append(c.pending[:i], c.pending[i+1:]...)
			return c.truncate(out)
		}
	}
	return out
}

// CopyFrom makes c a deep copy of src.
func (c *Changelog) CopyFrom(src *Changelog) {
	segments, pending, older := append(c.segments[:0], src.segments...), append(c.pending[:0], src.pending...), append(c.older[:0], src.older...)
	ends := append(c.ends[:0], src.ends...)
	*c = *src
	c.segments, c.pending, c.older, c.ends = segments, pending, older, ends
}

// Segment is one part of a log that a checkpoint refers to: the file of that number holds the changes From … To.
type Segment struct {
	Number, From, To int64
	Of               int32 // 0 = of the task's log; else 1 + the task whose log it is of, which wrote it in phase Phase of the run
	Phase            uint16
}

// Owner is the task whose log a segment is of that task t refers to.
func (s *Segment) Owner(t event.Task) event.Task { return owner(s.Of, t) }

// Bytes is the size of a segment.
func (s *Segment) Bytes() int64 { return s.To - s.From }

// Refers appends what a checkpoint is made of beside the materialization: segments of other logs, and those of its own up to to.
func (c *Changelog) Refers(from, to int64, out []Segment) []Segment {
	out = append(out, c.older...)
	for i := range c.segments {
		if s := &c.segments[i]; s.to > from && s.from < to {
			out = append(out, Segment{Number: s.number, From: s.from, To: s.to})
		}
	}
	return out
}

// Length is the size in bytes of the log after the materialization.
func (c *Changelog) Length() int64 { return c.olderBytes() + c.end - c.base.Position }

func (c *Changelog) olderBytes() (n int64) {
	for i := range c.older {
		n += c.older[i].Bytes()
	}
	return n
}

// Holds reports whether the log still has a segment.
func (c *Changelog) Holds(number int64) bool {
	for i := range c.segments {
		if c.segments[i].number == number {
			return true
		}
	}
	return false
}

// Restore continues from a checkpoint: its materialization and its segments, which are stored. Numbers of segments continue;
// every checkpoint refers to those of other logs until the next materialization (ChangelogKeyedStateBackend.completeRestore).
func (c *Changelog) Restore(base Materialization, log []Segment) {
	*c = Changelog{ChangelogConfig: c.ChangelogConfig, segments: c.segments[:0], pending: c.pending[:0], older: c.older[:0], ends: c.ends[:0], running: -1, tick: event.Never, number: c.number}
	c.base, c.end = base, base.Position
	for _, s := range log {
		if s.Of != 0 {
			c.older = append(c.older, s)
			continue
		}
		c.segments = append(c.segments, segment{number: s.Number, from: s.From, to: s.To, state: stored})
		c.end = s.To
	}
	c.cut, c.last, c.active, c.known = c.end, c.end, c.end, c.end
}

// Bytes is the size of a segment that the log holds, 0 of another.
func (c *Changelog) Bytes(number int64) int64 {
	for i := range c.segments {
		if s := &c.segments[i]; s.number == number {
			return s.to - s.from
		}
	}
	return 0
}

// NumberOn numbers segments behind those of another log of the same subtask.
func (c *Changelog) NumberOn(before *Changelog) { c.number = max(c.number, before.number) }
