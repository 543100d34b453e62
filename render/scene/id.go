package scene

import (
	"fmt"
	"strconv"
	"strings"

	"checkpointlab/core/event"
)

// What names the kinds of things that marks stand for.
type What uint8

// The things. A and B of the ID are what the comment says.
const (
	Nothing     What = iota // decoration
	Coordinator             // the band
	Ack                     // A task: its box in the band; B 1: the bar of its whole operator
	Log                     // A task (a source); B 1: of all subtasks of its operator together
	LogFlag                 // A task, B checkpoint
	Card                    // A task
	Gate                    // A channel: the sender's credit
	Wire                    // A channel
	Buffer                  // A channel, Place, B place in the queue from its head
	Barrier                 // as Buffer; Place Hand, B checkpoint when it is parked at the task
	Credits                 // A channel: the receiver's free buffers
	Pool                    // A exchange, B consumer: the gate's floating buffers
	Channel                 // A channel: a cell of the matrix
	Output                  // A task (a sink); B as of Log
	OutputFlag              // A task, B checkpoint
	Budget                  // A 0 the log, 1.. the exchanges, then the output
	Operator                // A vertex whose subtasks are merged
	Exchange                // A exchange whose channels are merged
	Commit                  // A index into History.Commits
	Checkpoint              // A checkpoint: a column of the strip, a row group of the Gantt
	Phases                  // A task, B checkpoint: a row of the Gantt
	Moment                  // A index into History.Moments
	Plot                    // the plot's area
	Scrub                   // the scrubber
	Passage                 // A index into History.Passages: a barrier's way in the space-time picture
	SweepPoint              // A measure, B value of the setting
	whats
)

var whatNames = [whats]string{"nothing", "coordinator", "ack", "log", "log-flag", "card", "gate", "wire", "buffer", "barrier",
	"credits", "pool", "channel", "output", "output-flag", "budget", "operator", "exchange", "commit", "checkpoint",
	"phases", "moment", "plot", "scrub", "passage", "sweep"}

// Place is the part of a channel that a cell is in.
type Place uint8

// The places, from the consumer against the flow.
const (
	Hand     Place = iota // the consumer has it in hand
	Receiver              // the receiver's queue
	Transit               // on the wire
	Sender                // the sender's queue
)

// ID names what a mark stands for. It is comparable; marks that stand for the same thing share it.
type ID struct {
	What  What
	Place Place
	A, B  int32
}

// String is a name for the DOM such as buffer-3-2-5: what, A, place, B.
func (id ID) String() string {
	return whatNames[id.What] + "-" + strconv.Itoa(int(id.A)) + "-" + strconv.Itoa(int(id.Place)) + "-" + strconv.Itoa(int(id.B))
}

// ParseID reads what String wrote.
func ParseID(text string) (ID, error) {
	for w, name := range whatNames {
		rest, ok := strings.CutPrefix(text, name+"-")
		if !ok {
			continue
		}
		var a, b int32
		var p uint8
		if n, err := fmt.Sscanf(rest, "%d-%d-%d", &a, &p, &b); err == nil && n == 3 {
			return ID{What: What(w), Place: Place(p), A: a, B: b}, nil
		}
	}
	return ID{}, fmt.Errorf("mark id %q: want the form buffer-3-2-5 as written by ID.String", text)
}

func taskID(w What, t event.Task) ID { return ID{What: w, A: t} }

// endID is a log's or an output's: with merged subtasks it is of the whole operator, under its first subtask.
func (s *Scene) endID(w What, t event.Task) ID {
	id := taskID(w, t)
	if s.Level != Cells {
		id.B = 1
	}
	return id
}

func channelID(w What, c event.Channel) ID { return ID{What: w, A: c} }

func cellID(c event.Channel, p Place, i int, barrier bool) ID {
	if barrier {
		return ID{What: Barrier, Place: p, A: c, B: int32(i)}
	}
	return ID{What: Buffer, Place: p, A: c, B: int32(i)}
}
