package task

import (
	"math"
	"slices"

	"checkpointlab/core/event"
	"checkpointlab/core/network"
)

// In a job of one chain of vertices, pipelines know nothing of each other. So a stretch of time in which each task has one tick at
// most is ridden vertex by vertex, in loops over many tasks that do one thing: ticks of a vertex, in their order, then the arrivals
// of what they have sent, in their order. Only what can be seen of the order between vertices, the trace and the places in an
// instant, is told by a merge of all of that at the end. calm says beforehand whether all in a stretch can be done express.

// stretches is where they are ridden.
type stretches struct {
	layers []layer // by vertex that sends, along the chain; none if the job is no such chain
	late   []int32 // of the sent of a layer: what is done behind the consumer's tick
	period event.Time
	by     []course // by task
}

// layer is what a vertex sends in a stretch.
type layer struct {
	rota  int
	ticks int            // of the stretch
	sent  []network.Sent // what consumers work on when it begins, what is under way then, and what is sent
	begun int            // the first of them
	tick  int            // told of ticks,
	out   int            // of sent until here that they are sent,
	in    int            // and until here that they have arrived
}

// course is what is known of a task when a stretch begins.
type course struct {
	most int64 // records that its producer may send it
	under
	from event.Task
}

// under is a buffer under way to a task.
type under struct {
	coming  event.Time // when it arrives, 0 = there is none
	records int64
}

// layer finds the chain, if the job is one.
func (w *World) layer() {
	x := &w.express
	s := &x.stretches
	s.layers = slices.Grow(s.layers[:0], len(x.rotas))[:len(x.rotas)]
	if len(s.by) < len(w.Tasks) {
		s.by = make([]course, len(w.Tasks))
	}
	order := func(i int) int32 { return w.Tasks[x.rotas[i].ticks[0].task].Vertex }
	for i := range s.layers {
		s.layers[i].rota = i
	}
	slices.SortFunc(s.layers, func(a, b layer) int { return int(order(a.rota) - order(b.rota)) })
	s.period = event.Never
	for i := range s.layers {
		r := &x.rotas[s.layers[i].rota]
		s.period = min(s.period, r.period)
		for _, t := range r.ticks {
			to, _ := w.Net.OnlyConsumer(w.Tasks[t.task].Outs[0])
			next := i + 1
			last := next == len(s.layers)
			if w.Tasks[t.task].Vertex != order(s.layers[i].rota) || to < t.task || last != (w.Tasks[to].Kind == Sink) || !last && w.Tasks[to].Vertex != order(s.layers[next].rota) {
				s.layers = s.layers[:0]
				return
			}
			s.by[to].from = t.task
		}
	}
}

// stretch rides up to an instant, if it is long enough to, or less far, and reports how many things that were and until when
// nothing is left to do.
func (w *World) stretch(limit event.Time, most int) (n int, until event.Time) {
	x := &w.express
	s := &x.stretches
	if len(s.layers) == 0 || most < 4*len(w.Tasks) {
		return 0, 0
	}
	begin, end := event.Never, limit
	for i := range x.rotas {
		begin, end = min(begin, x.rotas[i].at), min(end, x.rotas[i].at+x.rotas[i].period)
	}
	if end-begin < s.period/8 || !w.calm(end) {
		return 0, 0
	}
	w.deal()
	for i := range s.layers {
		w.rideTicks(i, end)
		w.rideArrivals(i, end)
	}
	for x.works.n > 0 && x.works.first().end < end {
		w.rideEnd()
	}
	return w.tell(end), end - 1
}

// calm reports whether nothing before an instant can end the ride. It may say no though it is so.
func (w *World) calm(end event.Time) bool {
	x := &w.express
	s := &x.stretches
	ok := w.comes()
	for id := 0; ok && id < len(w.Tasks); id++ {
		ok = w.calmTask(event.Task(id), end)
	}
	for i := range x.tracks.UnderWay(math.MaxInt) {
		s.by[x.tracks.Later(i).Consumer].under = under{}
	}
	return ok
}

// comes notes what is under way to whom, and reports whether that is one buffer a task at most, which may arrive.
func (w *World) comes() (ok bool) {
	x := &w.express
	ok = true
	for i := range x.tracks.UnderWay(math.MaxInt) {
		e := x.tracks.Later(i)
		to := &x.stretches.by[e.Consumer]
		ok = ok && to.coming == 0 && x.cars[e.Consumer].MayArrive(e)
		to.under = under{e.At, int64(e.Records)}
	}
	return ok
}

// calmTask is calm for a task; those that it gets its records from come before it.
func (w *World) calmTask(id event.Task, end event.Time) bool {
	x := &w.express
	c, k := &x.cars[id], &x.stretches.by[id]
	most := k.most
	switch {
	case !c.rides:
		return true
	case c.kind == Source:
		most = w.arrived(c, end)
	case c.load == 0 && k.coming == 0 && (most < 2 || c.kind == Sink): // as nearly always
		if most*c.cost >= x.stretches.period {
			return false
		}
	case !w.keepsUp(id, c, k, end):
		return false
	default:
		most += k.records + int64(c.load)
	}
	if c.kind == Sink {
		return true
	}
	waiting, ok := x.tracks.MaySend(id, most)
	x.stretches.by[x.tracks.Consumer(id)].most = most + waiting
	return ok
}

// keepsUp reports whether a task is done with each buffer when the next one comes, whatever the stretch brings, and with none in part
// when it ticks.
func (w *World) keepsUp(id event.Task, c *car, k *course, end event.Time) bool {
	most := k.most + k.records + int64(c.load)
	longest := most * c.cost
	sent := w.express.tracks.Tick(k.from)
	arrives := sent + w.Net.Latency
	next := arrives
	if k.coming != 0 {
		if next = k.coming; next >= sent || next+longest > arrives {
			return false
		}
	}
	if longest >= w.express.stretches.period || c.load > 0 && c.began+int64(c.load)*c.cost > next {
		return false
	}
	if c.kind == Sink || most < 2 || w.express.tracks.Tick(id) >= end {
		return true
	}
	tick := w.express.tracks.Tick(id)
	inPart := func(begun event.Time) bool { return begun+c.cost <= tick && tick < begun+longest }
	return !(c.load > 1 && inPart(c.began) || k.coming != 0 && inPart(k.coming) || inPart(arrives))
}

// deal gives each layer what its consumers work on, but for sinks, and what is under way.
func (w *World) deal() {
	x := &w.express
	s := &x.stretches
	for i := range s.layers {
		l := &s.layers[i]
		l.ticks, l.tick, l.sent = 0, 0, l.sent[:0]
	}
	kept := 0
	for i := range x.works.n {
		if k := x.works.at(i); x.cars[k.Consumer].kind == Sink {
			*x.works.at(kept) = *k
			kept++
		} else {
			l := w.layerOf(k.Producer)
			l.sent = append(l.sent, k.Sent)
		}
	}
	x.works.n = kept
	for i := range s.layers {
		s.layers[i].begun = len(s.layers[i].sent)
		s.layers[i].in = s.layers[i].begun
	}
	for i := range x.tracks.UnderWay(math.MaxInt) {
		e := x.tracks.Later(i)
		l := w.layerOf(e.Producer)
		l.sent = append(l.sent, *e)
	}
	x.tracks.Clear()
	for i := range s.layers {
		s.layers[i].out = len(s.layers[i].sent)
	}
	s.late = s.late[:0]
}

// layerOf is the layer that a task sends in.
func (w *World) layerOf(id event.Task) *layer {
	s := &w.express.stretches
	for i := range s.layers[1:] {
		if r := &w.express.rotas[s.layers[i+1].rota]; w.Tasks[r.ticks[0].task].Vertex > w.Tasks[id].Vertex {
			return &s.layers[i]
		}
	}
	return &s.layers[len(s.layers)-1]
}

// rideTicks is all ticks of a vertex before an instant. What its tasks have done behind theirs is passed on then.
func (w *World) rideTicks(i int, end event.Time) {
	x := &w.express
	s := &x.stretches
	l := &s.layers[i]
	r := &x.rotas[l.rota]
	fetched := 0
	for k := range r.ticks {
		t := r.after(k)
		if t.at >= end {
			break
		}
		if fetched--; fetched < 0 {
			fetched = w.fetchTicks(r, k) - 1
		}
		l.ticks++
		if c := &x.cars[t.task]; c.kind == Source {
			if d := min(w.arrived(c, t.at-c.cost), x.wells[c.place].left-1); d > 0 {
				w.rideRead(t.at, c, t.task, d)
			}
		}
		if x.tracks.Waits(t.task) {
			l.sent = slices.Grow(l.sent, 1)[:len(l.sent)+1]
			e := &l.sent[len(l.sent)-1]
			x.tracks.Send(t.at, t.task, e)
			e.Seq = int64(k)
		}
		x.tracks.TicksAt(t.task, t.at+r.period)
	}
	for _, k := range s.late {
		e := &s.layers[i-1].sent[k]
		x.tracks.Pass(e.Consumer, e)
	}
	s.late = s.late[:0]
}

// rideArrivals is all arrivals before an instant of what a vertex has sent, and what consumers do with it.
func (w *World) rideArrivals(i int, end event.Time) {
	x := &w.express
	s := &x.stretches
	l := &s.layers[i]
	for k := range l.sent {
		e := &l.sent[k]
		if k >= l.begun && e.At >= end {
			break
		}
		if k%Batch == 0 {
			w.fetchSent(l.sent[k:min(k+Batch, len(l.sent))])
		}
		c := &x.cars[e.Consumer]
		if k >= l.begun {
			x.tracks.Land(&c.Inlet, e)
		}
		done := e.At + int64(e.Records)*c.cost
		if c.kind == Sink {
			for x.works.n > 0 && x.works.first().end < e.At {
				w.rideEnd()
			}
		}
		if k >= l.begun && (c.load > 0 || c.since == e.At) { // it has not waited
			w.Tasks[e.Consumer].mailed--
		}
		if c.kind == Sink || done >= end {
			c.begins(e.At, e.Records, false)
			*x.works.add(done, e.Consumer) = *e
			continue
		}
		w.counts(c, e, done)
		if u := x.tracks.Tick(e.Consumer); u < end && u < done {
			s.late = append(s.late, int32(k))
		} else {
			x.tracks.Pass(e.Consumer, e)
		}
	}
}

// fetchSent reads what the arrival of buffers needs.
func (w *World) fetchSent(sent []network.Sent) {
	x, sum := &w.express, 0
	for i := range sent {
		id := sent[i].Consumer
		sum += int(x.cars[id].in) + x.tracks.Fetch(id) + x.tracks.FetchOpen(id)
	}
	for i := range sent {
		if c := &x.cars[sent[i].Consumer]; c.kind == Sink {
			sum += w.Writers[c.place].Fetch()
		}
	}
	for i := range sent {
		if c := &x.cars[sent[i].Consumer]; c.kind == Sink {
			sum += w.Writers[c.place].FetchLast()
		}
	}
	x.read += sum
}

// tell is what is seen of a stretch: ticks and arrivals of all vertices in their order, with their places.
func (w *World) tell(end event.Time) (n int) {
	s := &w.express.stretches
	var heads [2 * event.FlushLanes]due // by layer: its next tick and its next arrival
	most := 2 * len(s.layers)
	for i := range s.layers {
		l := &s.layers[i]
		heads[2*i], heads[2*i+1] = w.nextTick(l), l.nextArrival(end)
	}
	for ; ; n++ {
		at, seq, which := heads[0].At, heads[0].Seq, 0
		for i := 1; i < most; i++ {
			if h := &heads[i&(len(heads)-1)]; h.At < at || h.At == at && h.Seq < seq {
				at, seq, which = h.At, h.Seq, i
			}
		}
		if at == event.Never {
			break
		}
		l := &s.layers[which/2]
		if which%2 == 1 {
			w.tellArrival(l, end)
			heads[which&(len(heads)-1)] = l.nextArrival(end)
			continue
		}
		if w.tellTick(l) && l.in == l.out-1 {
			heads[(which+1)&(len(heads)-1)] = l.nextArrival(end)
		}
		heads[which&(len(heads)-1)] = w.nextTick(l)
	}
	w.endStretch()
	return n
}

// nextTick is the next one of a layer that was not told of, event.Never if all were.
func (w *World) nextTick(l *layer) due {
	if l.tick == l.ticks {
		return due{At: event.Never}
	}
	t := w.express.rotas[l.rota].after(l.tick)
	return due{At: t.at, Seq: t.seq}
}

// nextArrival is the next one before an instant of what was told to be sent.
func (l *layer) nextArrival(end event.Time) due {
	if l.in == l.out || l.sent[l.in].At >= end {
		return due{At: event.Never}
	}
	return l.sent[l.in].Due
}

// tellTick is a tick, with what it has sent, and reports whether that was anything.
func (w *World) tellTick(l *layer) (sent bool) {
	r := &w.express.rotas[l.rota]
	if l.out < len(l.sent) && l.sent[l.out].Seq == int64(l.tick) {
		w.express.tracks.TellSent(&l.sent[l.out])
		l.out++
		sent = true
	}
	t := r.after(l.tick)
	t.at, t.seq = t.at+r.period, w.Queue.Reserve()
	l.tick++
	return sent
}

// tellArrival is an arrival. The place of its credit counts only if that is not back when the stretch ends.
func (w *World) tellArrival(l *layer, end event.Time) {
	e := &l.sent[l.in]
	l.in++
	if seq := w.express.tracks.TellArrival(e); e.At+w.Net.Latency >= end {
		w.express.cars[e.Consumer].CreditAt(seq)
	}
}

// endStretch puts back what is under way, and turns the rotas.
func (w *World) endStretch() {
	x := &w.express
	s := &x.stretches
	for {
		var next *layer
		for i := range s.layers {
			if l := &s.layers[i]; l.in < len(l.sent) && (next == nil || before(&l.sent[l.in], &next.sent[next.in])) {
				next = l
			}
		}
		if next == nil {
			break
		}
		x.tracks.Put(&next.sent[next.in])
		next.in++
	}
	for i := range s.layers {
		r := &x.rotas[s.layers[i].rota]
		r.next = (r.next + s.layers[i].ticks) % len(r.ticks)
		r.tick, r.fetched = r.ticks[r.next], 0
	}
	x.fetched = 0
}

// before tells which of two buffers arrives first.
func before(a, b *network.Sent) bool { return a.At < b.At || a.At == b.At && a.Seq < b.Seq }
