package core

import (
	"fmt"

	"checkpointlab/core/event"
	"checkpointlab/core/network"
	"checkpointlab/core/sim"
	"checkpointlab/core/task"
)

// Auditor checks a run's invariants at any instant between two due items: records, buffers, credit, bytes and time are
// conserved, nothing sleeps that could proceed, and each completed checkpoint is a consistent cut. It does not change the run.
// It remembers where channels and tasks stood after their last restart, so one Auditor follows one Lab.
type Auditor struct {
	lab   *Lab
	under []network.Under // by channel
	due   []task.Due      // by task
	wires []wireMark      // by channel
	hops  [][]hop         // by vertex and region
	shown []shownMark     // by writer
	cuts  int
	ended bool // a task has finished
	phase *plan
}

// wireMark is where a channel's counts of bytes stood when it was last emptied.
type wireMark struct {
	gen  uint32
	lost int64 // bytes that were under way then, in all
}

// NewAuditor makes an Auditor of a run.
func NewAuditor(l *Lab) *Auditor {
	p := l.plan
	a := &Auditor{
		lab: l, phase: p, under: make([]network.Under, len(p.net.Wires)), due: make([]task.Due, p.tasks),
		wires: make([]wireMark, len(p.net.Wires)), shown: make([]shownMark, len(l.world.Writers)),
	}
	for range p.setup.Vertices {
		a.hops = append(a.hops, make([]hop, p.tasks))
	}
	return a
}

// Cuts is how many checks have covered a completed checkpoint.
func (a *Auditor) Cuts() int { return a.cuts }

// Check returns the first violation at this instant, or nil.
func (a *Auditor) Check() error {
	l := a.lab
	l.alight()
	a.gather()
	if err := l.world.Net.Audit(a.under); err != nil {
		return err
	}
	if err := l.world.Audit(l.now, a.due, a.under); err != nil {
		return err
	}
	if err := a.bytes(); err != nil {
		return err
	}
	if err := a.records(); err != nil {
		return err
	}
	if err := a.storage(); err != nil {
		return err
	}
	return a.slabs()
}

// gather counts what is due and in hand.
func (a *Auditor) gather() {
	l := a.lab
	if a.phase != l.plan { // other channels
		a.phase, a.under, a.wires = l.plan, make([]network.Under, len(l.plan.net.Wires)), make([]wireMark, len(l.plan.net.Wires))
		for v := range a.hops {
			clear(a.hops[v])
		}
	}
	clear(a.under)
	clear(a.due)
	l.queue.Each(func(it sim.Item) {
		switch it.Kind {
		case event.DueDeliver, event.DueCredit, event.DueBacklog, event.DueResume, event.DueAsked:
			if int(it.A) < len(l.world.Net.Channels) && l.world.Net.Channels[it.A].Gen == it.Gen {
				a.addChannel(&it)
			}
		case event.DueStep:
			if t := &l.world.Tasks[it.A]; t.Step.Gen == it.Gen && t.Step.N > 0 {
				a.due[it.A].Steps++
			}
		case event.DueRun, event.DueSync, event.DueAsync, event.DueFlush, event.DueDebloat, event.DueMark:
			if t := &l.world.Tasks[it.A]; t.Alive && t.Gen == it.Gen && (it.Kind != event.DueAsync || t.Uploading(it.ID)) {
				a.addTimer(&it)
			}
		}
	})
	for i := range l.world.Tasks {
		until := l.stalls.until[l.world.Tasks[i].Manager]
		a.due[i].Stands = until > 0 && until >= l.now
		for _, h := range l.world.Tasks[i].Hands {
			switch u := &a.under[h.Channel]; {
			case !h.Valid || h.Entry.Extra:
			case l.plan.net.Wires[h.Channel].Local:
				if h.Entry.Lent {
					u.Lent++
				}
			case h.Entry.Exclusive:
				u.Exclusive++
			default:
				u.Floating++
			}
		}
	}
}

func (a *Auditor) addChannel(it *sim.Item) {
	switch u := &a.under[it.A]; it.Kind {
	case event.DueDeliver:
		u.Deliveries++
	case event.DueCredit:
		u.Credit += int(it.B)
	case event.DueBacklog:
		u.Backlogs++
	case event.DueResume:
		u.Resumes++
	case event.DueAsked:
		u.Requests++
	}
}

func (a *Auditor) addTimer(it *sim.Item) {
	switch d := &a.due[it.A]; it.Kind {
	case event.DueRun:
		d.Looks++
	case event.DueSync:
		d.Syncs++
	case event.DueAsync:
		d.Asyncs++
	case event.DueFlush:
		d.Flushes++
	case event.DueDebloat:
		d.Debloats++
	case event.DueMark:
		d.Marks++
	}
}

// bytes: everything sent is received or on the wire, except what a failure dropped.
func (a *Auditor) bytes() error {
	net := a.lab.world.Net
	for c := range net.Channels {
		ch, m := &net.Channels[c], &a.wires[c]
		wire := int64(0)
		for i := 0; i < ch.Wire.Len(); i++ {
			if e := ch.Wire.At(i); e.Kind == network.Data {
				wire += int64(e.Bytes)
			}
		}
		missing := ch.BytesOut - ch.BytesIn - wire
		if m.gen != ch.Gen {
			m.gen, m.lost = ch.Gen, missing
		}
		if missing != m.lost || missing < 0 {
			return fmt.Errorf("channel %d has sent %d bytes; %d were received and %d are on the wire", c, ch.BytesOut, ch.BytesIn, wire)
		}
	}
	return nil
}
