package network

import "checkpointlab/core/event"

// What an Entry holds.
const (
	Data uint8 = iota
	Barrier
	Cancel
	End     // of the partition: nothing follows
	EndData // of the records: barriers may follow
)

// Flags of a barrier entry. The network carries them and acts only on Blocking and Priority.
const (
	Blocking    uint8 = 1 << iota // the sender stops after it has handed this out, until resumed (spec 3.2)
	Priority                      // overtakes data (spec 3.4)
	Timeoutable                   // aligned, becomes unaligned when its timeout passes (spec 3.5)
	Forced                        // would be unaligned, but the exchange cannot carry it (spec 3.7)
	Save                          // of a savepoint
	Stop                          // of the savepoint that the job stops with; of EndOfData: nothing is drained
)

// Entry is one place of a queue: a buffer with the records that end in it, or an event. A buffer keeps its place all the way
// from the subpartition over the wire into the receiver's queue.
type Entry struct {
	Kind         uint8
	Flags        uint8
	Exclusive    bool // at the receiver: which kind of buffer it occupies
	Extra        bool // restored channel state: it occupies no buffer of the pool or gate
	Lent         bool // local channel: the segment returns to the producer's pool when it is read
	Finished     bool // the writer appends no more
	Announcement bool // at the receiver: of the barrier, which is still queued under the same sequence number
	Bytes        int32
	Sent         int32 // part of Bytes that the network has already taken as a slice
	Size         int32 // usable size of the segment
	Backlog      int32 // on the wire: the sender's backlog at that moment
	Sequence     int32 // at the receiver: counts arrivals of its channel
	Persist      int32 // polled from a local channel: data in flight for that checkpoint, 0 = for none
	Records      int64 // in Runs
	Runs         event.Runs
	ID           event.Checkpoint // an event's; of a buffer the checkpoint that stored it, 0 = none
	Stamp        event.Time       // barrier: creation at the coordinator
	Timeout      event.Time       // barrier: alignment timeout
	Arrives      event.Time       // on the wire; of the buffer in a task's hand, when it was taken
	Left         event.Time       // on the wire
}
