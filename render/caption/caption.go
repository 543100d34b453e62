// Package caption says in one sentence what is to be watched in a picture, for the page, for stills and for those who do not
// see it. A scenario's own words for a moment come before it; they are the caller's.
package caption

import (
	"strconv"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
	"checkpointlab/render/format"
	"checkpointlab/render/scene"
	"checkpointlab/web/texts"
)

// Of names the one thing to watch at the instant of a view, as a sentence with marks (see Pieces and Plain). Rarer things come
// first: a failure, a held channel, a commit that has just happened, a barrier on its way, backpressure. hold is for how
// long a commit counts as just happened.
func Of(t *texts.Table, v *core.View, h *core.History, hold event.Time) string {
	if h == nil {
		h = &core.History{}
	}
	s := &speaker{Table: t, v: v, h: h}
	for _, say := range []func() string{
		s.failed, s.held, func() string { return s.committed(hold) }, s.travelling, s.writing, s.pending, s.replaying, s.pressed, s.lagging,
	} {
		if sentence := say(); sentence != "" {
			return sentence
		}
	}
	return s.quiet()
}

// Twin is a view in two sentences for those who do not see the picture: what to watch, and the coordinator's line.
func Twin(t *texts.Table, v *core.View, h *core.History) string {
	return Plain(Of(t, v, h, 0)) + " " + scene.Sentence(v, h, scene.ID{What: scene.Coordinator}, scene.ParseLang(t.Lang()))
}

// speaker says sentences in the reader's language about one view.
type speaker struct {
	*texts.Table
	v *core.View
	h *core.History
}

// span is a time as the sentence's language says it.
func (s *speaker) span(t event.Time) string {
	span := string(format.Span(nil, t))
	if s.Lang() == "ko" {
		return option.Korean(span)
	}
	return span
}

func (s *speaker) count(n int64) string { return string(format.Count(nil, n)) }

// task is a subtask's name: "map 1".
func (s *speaker) task(vertex, index int) string {
	return s.v.Vertices[vertex].Name + " " + strconv.Itoa(index)
}

// find is the first task of which something holds; "" if there is none.
func (s *speaker) find(holds func(*core.TaskView) bool) string {
	for i := range s.v.Vertices {
		for j := range s.v.Vertices[i].Tasks {
			if t := &s.v.Vertices[i].Tasks[j]; holds(t) {
				return s.task(i, t.Index)
			}
		}
	}
	return ""
}

func (s *speaker) failed() string {
	c := &s.v.Coord
	if c.JobFailed {
		return s.Say("caption.jobFailed")
	}
	if c.JobFinished {
		return s.Say("caption.jobFinished")
	}
	if task := s.find(func(t *core.TaskView) bool { return t.State == core.Lost }); task != "" {
		return s.Say("caption.lost", "task", task)
	}
	if s.v.Coord.Stalled {
		return s.Say("caption.masterStalled")
	}
	if task := s.find(func(t *core.TaskView) bool { return t.State == core.Stalled }); task != "" {
		return s.Say("caption.stalled", "task", task)
	}
	f := s.failure()
	if f == nil || !s.down() {
		return ""
	}
	to := f.RestoredTo
	if to == 0 { // it is noted when the job goes back
		to = s.v.Coord.LastCompleted
	}
	task := s.failedTask(f.At)
	switch {
	case f.Rescaled:
		return s.Say("caption.restarts", "cp", Flag(to), "n", s.count(f.Reread))
	case to == 0:
		return s.Say("caption.failedFresh", "task", task)
	case f.RestoredTo == 0:
		return s.Say("caption.failedSoon", "task", task, "cp", Flag(to))
	}
	return s.Say("caption.failed", "task", task, "cp", Flag(to), "n", s.count(f.Reread))
}

// failure is the last failure before this instant.
func (s *speaker) failure() *core.FailureRecord {
	for i := len(s.h.Failures) - 1; i >= 0; i-- {
		if s.h.Failures[i].At <= s.v.At {
			return &s.h.Failures[i]
		}
	}
	return nil
}

// down reports whether some task does not run.
func (s *speaker) down() bool {
	return s.find(func(t *core.TaskView) bool { return t.State >= core.Restoring && t.State < core.Finished }) != ""
}

// failedTask names the task whose failure was noted at an instant.
func (s *speaker) failedTask(at event.Time) string {
	for i := range s.h.Moments {
		if m := &s.h.Moments[i]; m.Kind == event.TaskFailed && m.At == at {
			return s.find(func(t *core.TaskView) bool { return t.Task == m.Task })
		}
	}
	return s.Say("caption.aTask")
}

// held finds a channel that a task holds until the other barriers come.
func (s *speaker) held() string {
	for e := range s.v.Exchanges {
		x := &s.v.Exchanges[e]
		for i := range x.Channels {
			c := &x.Channels[i]
			if !c.Blocked || c.BlockedBy == 0 || s.v.Vertices[x.To].Tasks[c.To].State != core.Aligning {
				continue
			}
			if sentence := s.heldBy(e, c); sentence != "" {
				return sentence
			}
		}
	}
	return ""
}

// heldBy says what the task waits for that holds channel c.
func (s *speaker) heldBy(exchange int, c *core.ChannelView) string {
	x := &s.v.Exchanges[exchange]
	task := s.task(x.To, c.To)
	other, ahead, found := s.awaited(x.To, c.To, c.BlockedBy)
	if other == "" {
		return ""
	}
	pairs := []string{"task", task, "cp", Flag(c.BlockedBy), "from", s.task(x.From, c.From), "other", other, "n", strconv.Itoa(ahead)}
	switch {
	case !found:
		return s.Say("caption.heldUnsent", pairs[:8]...)
	case ahead == 0:
		return s.Say("caption.heldNear", pairs[:8]...)
	case ahead == 1:
		return s.Say("caption.heldOne", pairs[:8]...)
	}
	return s.Say("caption.held", pairs...)
}

// awaited is the input of a task whose barrier is farthest away: the sender's name, the buffers ahead of the barrier, and
// whether the barrier is in the channel at all. "" if no input is awaited.
func (s *speaker) awaited(vertex, index int, id event.Checkpoint) (name string, ahead int, found bool) {
	farthest := -1
	for e := range s.v.Exchanges {
		x := &s.v.Exchanges[e]
		if x.To != vertex {
			continue
		}
		for i := range x.Channels {
			c := &x.Channels[i]
			if c.To != index || c.Blocked && c.BlockedBy == id {
				continue
			}
			n, in := buffersAhead(c, id)
			far := n
			if !in {
				far = 1 << 20 // not sent yet: farther than any queue
			}
			if far > farthest {
				farthest, name, ahead, found = far, s.task(x.From, c.From), n, in
			}
		}
	}
	return name, ahead, found
}

// buffersAhead counts the buffers of a channel that its consumer takes before barrier id.
func buffersAhead(c *core.ChannelView, id event.Checkpoint) (n int, found bool) {
	if c.Holding && c.Current.Kind == core.Data {
		n++
	}
	for _, queue := range [][]core.Cell{c.Receiver, c.Wire, c.Sender} {
		for i := range queue {
			switch {
			case queue[i].Kind == core.Barrier && queue[i].Checkpoint == id:
				return n, true
			case queue[i].Kind == core.Data:
				n++
			}
		}
	}
	return n, false
}

func (s *speaker) committed(hold event.Time) string {
	for i := len(s.h.Commits) - 1; i >= 0; i-- {
		c := &s.h.Commits[i]
		switch {
		case c.At > s.v.At:
			continue
		case s.v.At-c.At > hold || c.Records == 0:
			return ""
		}
		return s.Say("caption.committed", "cp", Flag(c.Checkpoint), "n", s.count(c.Records), "max", s.span(c.Max))
	}
	return ""
}

// travelling finds the barrier with the most buffers ahead of it.
func (s *speaker) travelling() string {
	most, sentence := -1, ""
	for e := range s.v.Exchanges {
		x := &s.v.Exchanges[e]
		for i := range x.Channels {
			c := &x.Channels[i]
			for _, queue := range [][]core.Cell{c.Receiver, c.Wire, c.Sender} {
				for k := range queue {
					if queue[k].Kind != core.Barrier {
						continue
					}
					if n, _ := buffersAhead(c, queue[k].Checkpoint); n > most {
						most, sentence = n, s.onItsWay(x, c, &queue[k], n)
					}
				}
			}
		}
	}
	return sentence
}

func (s *speaker) onItsWay(x *core.ExchangeView, c *core.ChannelView, barrier *core.Cell, ahead int) string {
	pairs := []string{"cp", Flag(barrier.Checkpoint), "from", s.task(x.From, c.From), "task", s.task(x.To, c.To), "n", strconv.Itoa(ahead)}
	switch {
	case barrier.Unaligned:
		return s.Say("caption.overtakes", "cp", Flag(barrier.Checkpoint), "task", s.task(x.To, c.To), "bytes", s.stored(barrier.Checkpoint))
	case ahead == 0:
		return s.Say("caption.crosses", pairs[:6]...)
	case ahead == 1:
		return s.Say("caption.behindOne", pairs[:6]...)
	}
	return s.Say("caption.behind", pairs...)
}

// stored is how much an unaligned checkpoint stores of what stands in queues now.
func (s *speaker) stored(id event.Checkpoint) string {
	sum := int64(0)
	for e := range s.v.Exchanges {
		for i := range s.v.Exchanges[e].Channels {
			c := &s.v.Exchanges[e].Channels[i]
			for _, queue := range [][]core.Cell{c.Receiver, c.Wire, c.Sender} {
				for k := range queue {
					if queue[k].Stored && queue[k].Checkpoint == id {
						sum += int64(queue[k].Bytes)
					}
				}
			}
		}
	}
	return string(format.Bytes(nil, sum))
}

// writing says which tasks still store their state.
func (s *speaker) writing() string {
	name, more := "", 0
	var cp event.Checkpoint
	for i := range s.v.Vertices {
		for j := range s.v.Vertices[i].Tasks {
			t := &s.v.Vertices[i].Tasks[j]
			if t.State != core.Syncing && t.State != core.Uploading {
				continue
			}
			if name == "" {
				name, cp = s.task(i, t.Index), t.Checkpoint
			} else {
				more++
			}
		}
	}
	switch {
	case name == "":
		return ""
	case more == 0:
		return s.Say("caption.writesOne", "task", name, "cp", Flag(cp))
	case more == 1:
		return s.Say("caption.writesTwo", "task", name, "cp", Flag(cp))
	}
	return s.Say("caption.writes", "task", name, "cp", Flag(cp), "n", strconv.Itoa(more))
}

func (s *speaker) pending() string {
	if len(s.v.Coord.Pending) == 0 {
		return ""
	}
	p := &s.v.Coord.Pending[0]
	acks := 0
	for _, a := range p.Acks {
		if a {
			acks++
		}
	}
	return s.Say("caption.pending", "cp", Flag(p.Checkpoint), "n", strconv.Itoa(acks), "all", strconv.Itoa(len(p.Acks)))
}

// Shares of a second, in per mille, from which the caption calls a task busy or pressed (Flink's own HIGH is 500).
const (
	busyShare    = 900
	pressedShare = 500
)

// pressed finds a busy operator whose senders wait.
func (s *speaker) pressed() string {
	for e := len(s.v.Exchanges) - 1; e >= 0; e-- {
		x := &s.v.Exchanges[e]
		if s.most(x.To, func(t *core.TaskView) int { return t.Busy }) < busyShare {
			continue
		}
		if s.most(x.From, func(t *core.TaskView) int { return t.Soft + t.Hard }) < pressedShare {
			continue
		}
		return s.Say("caption.pressed", "task", s.v.Vertices[x.To].Name, "from", s.v.Vertices[x.From].Name)
	}
	return ""
}

func (s *speaker) most(vertex int, share func(*core.TaskView) int) int {
	most := 0
	tasks := s.v.Vertices[vertex].Tasks
	for i := range tasks {
		most = max(most, share(&tasks[i]))
	}
	return most
}

// replaying says how much is left of what the sources read again.
func (s *speaker) replaying() string {
	left := int64(0)
	for _, l := range s.logs() {
		left += max(0, l.ReplayTo-l.Read)
	}
	if left == 0 {
		return ""
	}
	return s.Say("caption.replays", "n", s.count(left))
}

// lags is the wait in the log from which on it is worth a sentence.
const lags = 500 * event.Millisecond

func (s *speaker) lagging() string {
	lag, oldest := int64(0), event.Time(0)
	for _, l := range s.logs() {
		lag, oldest = lag+l.Arrived-l.Read, max(oldest, l.OldestWait)
	}
	if oldest < lags {
		return ""
	}
	return s.Say("caption.lags", "n", s.count(lag), "span", string(format.Seconds(nil, oldest, 1)))
}

// logs are those of all sources.
func (s *speaker) logs() (all []*core.LogView) {
	for i := range s.v.Vertices {
		for j := range s.v.Vertices[i].Tasks {
			if s.v.Vertices[i].Kind == core.Source {
				all = append(all, &s.v.Vertices[i].Tasks[j].Log)
			}
		}
	}
	return all
}

func (s *speaker) quiet() string {
	next := s.v.Coord.NextTrigger
	if next == event.Never || next <= 0 {
		return s.Say("caption.off")
	}
	return s.Say("caption.quiet", "span", s.span(roundSpan(max(0, next-s.v.At))))
}

// roundSpan keeps a countdown from flickering: whole tenths of a second above one second.
func roundSpan(t event.Time) event.Time {
	if t > event.Second {
		return t - t%(100*event.Millisecond)
	}
	return t - t%event.Millisecond
}
