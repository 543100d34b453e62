package sink

import (
	"slices"

	"checkpointlab/core/event"
)

// Lanes count what a sink subtask has shown by each input channel, and behind which barriers. If barriers do not align, the
// sink has shown records from behind a barrier on channels where that barrier came earlier; a restore brings them again,
// although the sink's own part of the checkpoint includes them. Restoring a checkpoint repeats, per lane, everything shown from
// behind that checkpoint's barrier or a later one (event.Run.Since); as many of the records that follow are duplicates.
type Lanes struct {
	lanes    []lane // by input channel; made when they are needed
	past     []span // of all lanes, but for the one that a lane is at
	channels int
}

// lane is what came by a channel.
type lane struct {
	position int64            // records, by the state that the job goes on from
	farthest int64            // highest position ever
	since    event.Checkpoint // the barrier that it is at
	n        int64            // of the position, those from behind it
}

// span is how many records of a lane's position came from behind a barrier.
type span struct {
	lane  int32
	since event.Checkpoint
	n     int64
}

// origin is where records come from.
type origin struct {
	since event.Checkpoint
	via   int32
}

// pass is n records being shown; it returns how many of them were before.
func (x *Lanes) pass(n int64, from origin) (again int64) {
	if len(x.lanes) == 0 {
		x.lanes = make([]lane, x.channels)
	}
	l := &x.lanes[from.via]
	if l.since != from.since {
		x.turn(from.via, l, from.since)
	}
	again = min(n, l.farthest-l.position)
	l.n += n
	l.position += n
	l.farthest = max(l.farthest, l.position)
	return again
}

// turn puts a lane at another barrier.
func (x *Lanes) turn(at int32, l *lane, since event.Checkpoint) {
	if l.n > 0 {
		x.past = append(x.past, span{at, l.since, l.n})
	}
	l.since, l.n = since, 0
	for i := range x.past { // of several sources one is behind another
		if s := &x.past[i]; s.lane == at && s.since == since {
			l.n = s.n
			x.past = slices.Delete(x.past, i, i+1)
			return
		}
	}
}

// settle forgets barriers before a checkpoint to which, or to a later one, the job will go back.
func (x *Lanes) settle(id event.Checkpoint) {
	x.past = slices.DeleteFunc(x.past, func(s span) bool { return s.since < id })
}

// rewind goes back to a checkpoint, 0 = to none.
func (x *Lanes) rewind(id event.Checkpoint) {
	x.past = slices.DeleteFunc(x.past, func(s span) bool {
		if s.since >= id {
			x.lanes[s.lane].position -= s.n
		}
		return s.since >= id
	})
	for at := range x.lanes {
		if l := &x.lanes[at]; l.since >= id {
			l.position -= l.n
			l.n = 0
		}
	}
}

// beyond is how many records were shown that a checkpoint does not have.
func (x *Lanes) beyond(id event.Checkpoint) (n int64) {
	for at := range x.lanes {
		l := &x.lanes[at]
		if n += l.farthest - l.position; l.since >= id {
			n += l.n
		}
	}
	for _, s := range x.past {
		if s.since >= id {
			n += s.n
		}
	}
	return n
}

// copyFrom makes x a deep copy of src.
func (x *Lanes) copyFrom(src *Lanes) {
	x.lanes, x.past = append(x.lanes[:0], src.lanes...), append(x.past[:0], src.past...)
	x.channels = src.channels
}
