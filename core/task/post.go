package task

import (
	"checkpointlab/core/event"
	"checkpointlab/core/network"
)

// In a wide job that deals by key, each tick of a source's flusher sends a buffer of a record or two to nearly every task of
// the next vertex: so many that most of their cost is waiting for the memory of channels, queues and runs. While nothing but
// ticks and buffers is due, such a job runs express, too (express.go): sources deal their records to the tasks of one vertex,
// each of which passes them on through one channel to a sink of its own.
//
// It goes in stretches: up to the next event of another kind, the end of a source's step, or one period of the flushers. First
// come all ticks of sources in their order, each with the parcels that it sends, which go into the boxes of their receivers
// (collectAll). Then each receiver takes everything in its box at once: it works on one parcel after the other, ticks in
// between, and sends on what fills a buffer (follow). Then come the sinks, whose relative order shows in latencies
// (receiveAll). All of this is first only counted, and the stretch ends before anything that the count cannot settle: buffers
// that wait for a busy task at its end or are too many, credit that is missing (foresee). Then it is done. What is visible of
// the order between tasks, the trace and the places within an instant, is reported by a merge at the end (delivering.go).

// post is the state of such a job. Everything from receivers on belongs to one stretch.
type post struct {
	on        bool
	from, to  int          // the rotas of the sources and of the vertex that they deal to
	receivers []event.Task // by channel of a source's output
	sinks     []event.Task
	rode      int // things since it began
	pauses    int // how often it does not begin again,
	paused    int // and how often it did not when it had ended soon

	rounds  []round          // by tick of sources
	parcels []parcel         // early ones, then those of the rounds, each in order of its channels
	boxes   [][]int32        // by task: the parcels that come to it, in order
	early   []network.Sent   // what was in work in the middle or under way when the stretch began
	lists   []event.Runs     // of parcels that are more than one run
	sends   []network.Sent   // what the vertex in the middle sends on; until it is told, Seq is the place of its sending
	order   []int32          // of sends
	free    []event.Time     // by sink: when it is done with what it has taken,
	before  []event.Time     // and with what it took before that
	taken   [maxDepth]taking // by a task last
	news    []news           // what is under way, in the order in which it was told
	told    int              // what of news has arrived
	shares  []event.Share
	at      []int32  // by channel of an output: which of shares is its own
	bits    []uint64 // by channel of an output: which have one
}

// maxDepth is the largest number of buffers waiting for a task at once that can be tracked.
const maxDepth = 8

// round is a tick of a source: it reads some records and sends them.
type round struct {
	at            event.Time
	read          int64
	since         event.Checkpoint
	born, spacing int64 // of the first record, in event.Fine, and of each next one
	task          event.Task
	from, to      int32 // its parcels
}

// parcel is a buffer on its way to a task in the middle.
type parcel struct {
	at             event.Time // when it arrives; of what is in work: when that began
	channel        event.Channel
	records, bytes int32
	fresh          int32 // of its records, those that its round has read:
	first, last    int32 // the first and the last of them among all that it reads
	round          int32 // -1-i: it is the i-th early one
	list           int32 // 1 + that of its runs, 0 = it is one run
}

// rests reports whether boarding is suspended, because the last ride ended soon after it began: each time for twice as long.
func (p *post) rests() bool {
	if p.pauses == 0 {
		return false
	}
	p.pauses--
	return true
}

// mostPauses is for how many samples at most boarding is suspended.
const mostPauses = 32

// stops notes the end of a ride, and whether it gained less than beginning and ending it took: these look at every channel, as
// each thing done would have.
func (p *post) stops(rode, channels int) {
	if rode >= channels {
		p.paused = 0
		return
	}
	p.paused = min(max(1, 2*p.paused), mostPauses)
	p.pauses = p.paused
}

// deals reports whether each source deals to several tasks, over not too many channels; it is known before any channel is
// looked at.
func (w *World) deals() (any bool) {
	for i := range w.Tasks {
		if t := &w.Tasks[i]; t.Kind == Source && !t.Retired {
			if len(t.Outs) != 1 || !w.Net.Dealt(t.Outs[0]) || !w.Net.FewSpokes(t.Outs[0]) {
				return false
			}
			any = true
		}
	}
	return any
}

// mayDeal reports whether post can represent the job.
func (w *World) mayDeal(size int32) bool {
	vertex := [Sink + 1]int32{-1, -1, -1}
	w.express.post.receivers = w.express.post.receivers[:0]
	fed := make([]bool, len(w.Tasks))
	for i := range w.Tasks {
		t := &w.Tasks[i]
		if t.Retired {
			continue
		}
		if vertex[t.Kind] < 0 {
			vertex[t.Kind] = t.Vertex
		}
		if t.Vertex != vertex[t.Kind] || t.Kind == Map && !w.mayGather(t) || t.Kind == Sink && w.Net.Floating(t.Gates[0]) < 2 {
			return false
		}
		if t.Kind != Map {
			continue
		}
		to, _ := w.Net.OnlyConsumer(t.Outs[0])
		if w.Tasks[to].Kind != Sink || fed[to] {
			return false
		}
		fed[to] = true
	}
	for i := range w.Tasks {
		t := &w.Tasks[i]
		if t.Kind != Source || t.Retired {
			continue
		}
		if !w.Net.Dealt(t.Outs[0]) || !w.dealsAlike(t.Outs[0]) || size >= w.Net.Segment || t.Step.N == 0 || !w.Logs[t.Log].Steady(t.Cost+1) || !w.Net.MayDeal(t.Outs[0]) {
			return false
		}
	}
	return vertex[Source] >= 0 && vertex[Map] >= 0 && vertex[Sink] >= 0
}

// dealsAlike reports whether an output goes to the receivers that the first one goes to.
func (w *World) dealsAlike(out int32) bool {
	p := &w.express.post
	part := &w.Net.Partitions[out]
	if len(p.receivers) == 0 {
		for c := part.First; c < part.First+part.Count; c++ {
			p.receivers = append(p.receivers, w.Net.Wires[c].Consumer)
		}
	}
	if len(p.receivers) != int(part.Count) {
		return false
	}
	for i, id := range p.receivers {
		if w.Net.Wires[part.First+event.Channel(i)].Consumer != id {
			return false
		}
	}
	return true
}

// mayGather reports whether a task receives only what sources deal.
func (w *World) mayGather(t *Task) bool {
	for _, c := range w.Net.Gates[t.Gates[0]].First {
		if id := w.Net.Wires[c].Producer; w.Tasks[id].Kind != Source {
			return false
		}
	}
	inHand := event.Channel(-1)
	if h := &t.Hands[0]; h.Valid {
		inHand = h.Channel
	}
	return w.Net.MayGather(t.Gates[0], inHand)
}

// openPost finds out which rota belongs to which vertex.
func (w *World) openPost() {
	x := &w.express
	p := &x.post
	p.rode = 0
	for i := range x.rotas {
		if w.Tasks[x.rotas[i].ticks[0].task].Kind == Source {
			p.from = i
		} else {
			p.to = i
		}
	}
	for _, t := range x.rotas[p.to].ticks {
		x.tracks.Stacked(t.task)
	}
	p.sinks = p.sinks[:0]
	for i := range w.Tasks {
		if t := &w.Tasks[i]; t.Kind == Sink && !t.Retired {
			p.sinks = append(p.sinks, t.ID)
		}
	}
	if len(p.boxes) < len(w.Tasks) {
		p.boxes = make([][]int32, len(w.Tasks))
		p.free, p.before = make([]event.Time, len(w.Tasks)), make([]event.Time, len(w.Tasks))
	}
	if most := len(p.receivers); len(p.at) < most {
		p.at, p.bits = make([]int32, most), make([]uint64, (most+63)/64)
	}
}

// ends is when the step of a source ends.
func (w *World) ends(c *car) event.Time {
	l := &w.express.wells[c.place]
	switch {
	case l.left == 0:
		return event.Never
	case l.each > 0:
		return l.arrives + (l.left-1)*l.each + c.cost
	}
	return w.Logs[c.place].Arrival(l.next+l.left-1) + c.cost
}

// ridePost is Ride of a job that deals by key.
func (w *World) ridePost(until event.Time, most int) (n int, stuck bool) {
	q := w.Queue
	for n < most {
		item, limit, rank := nextItem(q, until)
		if item != nil && w.saysNothing(item) {
			q.Discard() // its instant may be behind the stretch
			continue
		}
		id, end := w.nextEnd()
		k, then := w.post(min(limit, end), most-n)
		if k < 0 {
			return n, true
		}
		if k > 0 {
			n += k
			q.Behind(then)
			continue
		}
		if end > limit || end == limit && ahead(id) > rank {
			return n, w.dueAt(limit, rank)
		}
		if w.dueAt(end, ahead(id)) || !w.endRead(end, id) {
			return n, true
		}
		q.Reached(end, ahead(id))
		n++
	}
	return n, false
}

// nextEnd is the source whose step ends first, and when.
func (w *World) nextEnd() (id event.Task, end event.Time) {
	x := &w.express
	end = event.Never
	for _, t := range x.rotas[x.post.from].ticks {
		if e := x.wells[x.cars[t.task].place].ends; e < end || e == end && t.task < id {
			id, end = t.task, e
		}
	}
	return id, end
}

// first is when the next thing of any kind is due.
func (w *World) first() event.Time {
	x := &w.express
	at := min(x.tracks.Next().At, w.nextDone().At)
	for i := range x.rotas {
		at = min(at, x.rotas[i].at)
	}
	return at
}

// nextDone is when the next buffer in work is done, or fills the one that its task writes to.
func (w *World) nextDone() due {
	x := &w.express
	next := x.works.next()
	for i := range x.works.n {
		k := x.works.at(i)
		c := &x.cars[k.Consumer]
		if c.kind != Map {
			continue
		}
		out := x.tracks.AheadOf(k.Consumer, event.Never)
		d := due{At: k.At + min(int64(k.Records), out.UntilFull())*c.cost, Seq: ahead(k.Consumer)}
		if d.At < next.At || d.At == next.At && d.Seq < next.Seq {
			next = d
		}
	}
	return next
}

// dueAt reports whether anything but the end of a source's step is due at an instant before a given place in it; what a sink
// has done by then is booked.
func (w *World) dueAt(at event.Time, rank int64) bool {
	x := &w.express
	for x.works.n > 0 && x.works.first().end == at && ahead(x.works.first().Consumer) < rank && x.cars[x.works.first().Consumer].kind == Sink {
		last := x.works.next()
		w.rideEnd()
		w.reached(last)
	}
	soonest := due{At: event.Never}
	sooner := func(d due) {
		if d.At < soonest.At || d.At == soonest.At && d.Seq < soonest.Seq {
			soonest = d
		}
	}
	sooner(x.tracks.Next())
	sooner(w.nextDone())
	for i := range x.rotas {
		sooner(due{At: x.rotas[i].at, Seq: x.rotas[i].seq})
	}
	return soonest.At < at || soonest.At == at && soonest.Seq < rank
}

// post rides one stretch up to limit at most. It returns how many things were done and until when nothing is left to do; n < 0:
// the next thing cannot be done express.
func (w *World) post(limit event.Time, most int) (n int, until event.Time) {
	x := &w.express
	end := limit
	for i := range x.rotas {
		end = min(end, x.rotas[i].at+x.rotas[i].period)
	}
	begin := w.first()
	if begin >= end {
		return 0, 0
	}
	end = min(end, w.collectAll(end))
	said := false
	for k := 0; k < 4 && begin < end && !said; k++ {
		cut := w.foresee(end)
		end, said = min(end, cut), cut >= end
	}
	if p := &x.post; !said || len(p.parcels)+3*len(p.sends)+2*len(w.Tasks) > most {
		return -1, 0
	}
	w.take()
	w.send(end)
	w.follow(end, true)
	w.receiveAll(end, true)
	return max(1, w.deliver(end)), end - 1
}

// foresee is the instant up to which a stretch can be done, at most end.
func (w *World) foresee(end event.Time) (until event.Time) {
	if until = w.follow(end, false); until < end {
		return until
	}
	return w.receiveAll(end, false)
}

// endRead handles the end of a source's step (StepEnd): everything read up to it is written, the last record possibly into the
// next buffer, and the next step begins. false: credit is missing.
func (w *World) endRead(now event.Time, id event.Task) bool {
	x := &w.express
	p := &x.post
	c, out := &x.cars[id], w.Tasks[id].Outs[0]
	l := &x.wells[c.place]
	first := w.Net.FirstOf(out)
	p.shares = x.tracks.Deal(out, l.left, p.shares[:0])
	for i := range p.shares {
		s := &p.shares[i]
		if c := first + s.Channel; x.tracks.GoesOver(c, s.Count) && !x.tracks.MayLeave(now, c) {
			return false
		}
	}
	r := w.reads(now, id, l.left)
	all := r.run(x.tracks.Size())
	for i := range p.shares {
		s := &p.shares[i]
		thin := all.Thin(s.First, s.Last, s.Count)
		if c := first + s.Channel; x.tracks.GoesOver(c, s.Count) {
			x.tracks.WriteOver(now, c, &thin)
		} else {
			x.tracks.WriteTo(c, &thin)
		}
	}
	c.since, l.left = now, x.tracks.UntilFull(out, unbounded)
	l.ends = w.ends(c)
	return true
}

// unbounded exceeds the number of records of any step (source.Log.Keeping).
const unbounded = 1 << 40

// reads makes a source read the next d records.
func (w *World) reads(now event.Time, id event.Task, d int64) round {
	x := &w.express
	c := &x.cars[id]
	l := &x.wells[c.place]
	if c.fresh && d > 0 {
		c.fresh = false
		w.Tasks[id].begins(now)
	}
	r := w.roundOf(now, id, d)
	c.in += int32(d)
	if !l.pass(d) {
		l.arrives = w.Logs[c.place].Arrival(l.next)
	}
	x.tracks.Dealt(w.Tasks[id].Outs[0], d)
	return r
}

// roundOf is the next d records of a source.
func (w *World) roundOf(at event.Time, id event.Task, d int64) round {
	l := &w.express.wells[w.express.cars[id].place]
	return round{at: at, read: d, since: l.since, born: l.arrives * event.Fine, spacing: l.spacing, task: id}
}

// run is all records that a round reads.
func (r *round) run(size int32) event.Run {
	return event.Run{Src: r.task, Size: size, Since: r.since, Born: r.born, BornStep: r.spacing, Count: r.read}
}
