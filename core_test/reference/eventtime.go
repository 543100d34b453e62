package reference

import (
	"math"

	"checkpointlab/core/event"
)

// mark is what a record carries that is a watermark, or a word that the sender is idle (1) or active again (2).
type mark struct {
	at     int64 // ms
	status int64
}

// eventTime is what a task knows of event time. None of it is in a checkpoint.
type eventTime struct {
	inputs map[*channel]*heard
	told   int64 // its watermark: the last one that it came to
	said   int64 // … and that it has passed on
	idle   bool  // all its inputs are, or its log

	most   int64 // sources: how far its group lets it go
	paused bool  // it is further
	since  event.Time
	pauses event.Time

	splits map[int64]int64 // sources: the greatest time of a record by split, ms
	newest int64           // … and of all
	seen   int64           // sources: records at the last period
	quiet  event.Time      // sources: since when no record was there at a period's end; -1 = one was
	groups [2]group        // sources of which some partitions fall silent: those, and the others
}

// heard is what a channel has said.
type heard struct {
	at      int64
	idle    bool
	aligned bool // it counts: it is not idle and not behind what was told
}

// usesEventTime reports whether the tasks of a vertex make watermarks.
func (t *task) makesWatermarks() bool {
	return t.vertex.Watermarks.On && t.run.setup.Options.AutoWatermark > 0
}

// startEventTime begins anew.
func (t *task) startEventTime(first event.Time) {
	t.time = eventTime{inputs: map[*channel]*heard{}, told: math.MinInt64, said: math.MinInt64, splits: map[int64]int64{}, quiet: -1, groups: [2]group{{quiet: -1, told: math.MinInt64}, {quiet: -1, told: math.MinInt64}}, newest: math.MinInt64}
	for _, c := range t.inputs {
		t.time.inputs[c] = &heard{at: math.MinInt64, aligned: true}
	}
	if t.log != nil {
		t.time.seen = t.log.next
	}
	t.startReports()
	if t.makesWatermarks() {
		t.markAt(first)
	}
}

// firstMark is when a source makes its first watermark.
func (t *task) firstMark() event.Time {
	r := t.run
	switch {
	case !t.makesWatermarks():
		return event.Never
	case r.setup.FlusherPhase == 1:
		return r.now + r.setup.Options.AutoWatermark
	default:
		return r.now + 1 + r.random.Int64n(r.setup.Options.AutoWatermark)
	}
}

func (t *task) markAt(at event.Time) {
	t.later(at, func() {
		t.mailOnce(event.MailMark)
		t.markAt(t.run.now + t.run.setup.Options.AutoWatermark)
	})
}

// note is a source's record being read: it has the time of its arrival, less what the event time lies behind.
func (t *task) note(r record) {
	at := (r.born - t.vertex.Watermarks.Behind) / event.Millisecond
	p := t.log.partitionOf(r.position)
	t.time.splits[p] = at
	t.time.newest = at
	if g := t.silentGroup(); g != nil && p < int64(t.vertex.Load.QuietSplits) {
		t.time.groups[0].read++
	} else {
		t.time.groups[1].read++
	}
}

// generate is the end of a period; then the source may be ahead of its group.
func (t *task) generate() {
	if t.time.told != math.MaxInt64 && !t.end.data && !t.awaits {
		t.makeWatermark()
		t.checkAhead()
	}
}

// makeWatermark says the least of the splits' greatest times, less what records may be late, less 1 ms. A log
// that gave no record for long is idle.
func (t *task) makeWatermark() {
	e, rule := &t.time, &t.vertex.Watermarks
	clock := t.run.now
	if t.run.setup.Options.Version != "1.18" {
		spent := t.spent
		spent[t.doing] += t.run.now - t.since
		clock -= spent[soft] + spent[hard] + t.pausedFor()
	}
	if t.silentGroup() != nil {
		t.makeOfGroups(clock)
		return
	}
	if rule.Idle > 0 {
		switch {
		case t.log.next != e.seen:
			e.seen, e.quiet = t.log.next, -1
		case e.quiet < 0:
			e.quiet = clock
		case clock-e.quiet > rule.Idle:
			if !e.idle {
				t.turnIdle()
			}
			t.write()
			return
		}
	}
	least := e.newest
	if !t.log.unlimited() {
		for p := range t.log.partitions {
			if at, some := e.splits[p]; !some {
				return
			} else {
				least = min(least, at)
			}
		}
	}
	if least == math.MinInt64 || least-rule.Bound/event.Millisecond-1 <= e.told {
		return
	}
	if e.idle {
		e.idle = false
		t.say(mark{status: 2})
	}
	t.reach(least - rule.Bound/event.Millisecond - 1)
	t.write()
}

// turnIdle says, since 2.2, the watermark of the newest record, and then that the source is idle.
func (t *task) turnIdle() {
	e, bound := &t.time, t.vertex.Watermarks.Bound/event.Millisecond
	if t.run.setup.Options.Version == "2.3" && e.newest != math.MinInt64 && e.newest-bound-1 > e.told {
		t.reach(e.newest - bound - 1)
	}
	e.idle = true
	t.say(mark{status: 1})
}

// sayLast: a source whose log is over, or that is drained, says that nothing is to come at all, before its data ends.
func (t *task) sayLast() bool {
	some := false
	for v := range t.run.setup.Vertices {
		some = some || t.run.setup.Vertices[v].Watermarks.On && t.run.setup.Options.AutoWatermark > 0
	}
	if !some || t.log == nil || t.end.data || t.time.told == math.MaxInt64 || t.end.stop == suspended || t.end.stop == 0 && (t.awaits || !t.log.over(t.run.now)) {
		return false
	}
	t.reach(math.MaxInt64)
	t.write()
	return true
}

// say is written to every channel behind what is being written.
func (t *task) say(m mark) {
	if m.status == 0 {
		t.time.said = m.at
	}
	t.run.tell(event.Event{Kind: event.Watermark, Task: t.id, A: t.time.said, N: m.status})
	r := record{size: 13, mark: &m}
	if m.status != 0 {
		r.size = 9
	}
	for _, p := range t.outs {
		if p.broadcasts() {
			t.writing = append(t.writing, emission{record: r, to: p, only: p.channels[0], flushes: true})
			continue
		}
		for i, c := range p.channels {
			t.writing = append(t.writing, emission{record: r, to: p, only: c, flushes: i == len(p.channels)-1})
		}
	}
}

// reach is a watermark that the task has come to. It goes on behind the timers of windows, or behind what was asked for.
func (t *task) reach(at int64) {
	t.time.told = at
	switch {
	case t.usesWindows():
		t.windows.firing, t.windows.mark, t.windows.came = true, at, t.run.now
	case t.asks():
		a := &t.asking
		a.queue = append(a.queue, &request{id: a.asked, record: record{mark: &mark{at: at}}, done: true})
		a.asked++
		t.write()
		t.passAnswers()
	default:
		t.say(mark{at: at})
	}
}

// follow is a status that goes behind the watermark, if it has to wait for timers.
func (t *task) follow(m mark) {
	if t.windows.firing {
		t.windows.behind = &m
		return
	}
	t.say(m)
}

// interruptible reports whether a mail comes in between two timers.
func (t *task) interruptible() bool {
	return t.run.setup.Options.Unaligned && t.run.setup.Options.InterruptibleTimers
}

// hear is a watermark that comes by a channel: the task's own is the least of the channels that count. A channel that comes
// back from being idle counts again when it has caught up.
func (t *task) hear(c *channel, m mark) {
	e, h := &t.time, t.time.inputs[c]
	switch {
	case m.status == 0:
		if e.idle || h.idle || m.at <= h.at {
			return
		}
		h.at = m.at
		h.aligned = h.aligned || m.at >= e.told
		t.toLeast()
	case m.status == 1 && !h.idle:
		held := h.at == e.told
		h.idle, h.aligned = true, false
		if !t.allIdle() {
			t.toLeast()
			return
		}
		if held { // what it held up comes out
			most := int64(math.MinInt64)
			for _, o := range e.inputs {
				most = max(most, o.at)
			}
			if most > e.told {
				t.reach(most)
			}
		}
		e.idle = true
		t.follow(m)
	case m.status == 2 && h.idle:
		h.idle = false
		h.aligned = h.at >= e.told
		if e.idle {
			e.idle = false
			t.say(m)
		}
	}
}

func (t *task) allIdle() bool {
	for _, h := range t.time.inputs {
		if !h.idle {
			return false
		}
	}
	return true
}

func (t *task) toLeast() {
	least, some := int64(math.MaxInt64), false
	for _, h := range t.time.inputs {
		if h.aligned {
			least, some = min(least, h.at), true
		}
	}
	if some && least > t.time.told {
		t.reach(least)
	}
}
