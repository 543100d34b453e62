package core

import "checkpointlab/core/event"

// chain joins operators that Flink runs in one task (spec 10.3): a FORWARD exchange, equal parallelism, a downstream operator
// with no other input, chaining not disabled on either. A record costs the chain what it costs its operators together; inside
// there are neither buffers nor barriers. A source is not joined with a sink, because the picture needs a log on one side of a
// task and an output on the other: such a job keeps its last exchange. So does one behind an operator whose inputs make records of
// their own.
func (s Setup) chain() Setup {
	if !s.Chaining {
		return s
	}
	for e := 0; e < len(s.Edges); {
		if s.chainable(e) {
			s = s.join(e)
			e = 0
		} else {
			e++
		}
	}
	return s
}

func (s *Setup) chainable(e int) bool {
	edge := s.Edges[e]
	up, down := &s.Vertices[edge.From], &s.Vertices[edge.To]
	in, out := 0, 0
	for _, o := range s.Edges {
		if o.To == edge.To {
			in++
		}
		if o.From == edge.From {
			out++
		}
	}
	return edge.Partition == Forward && up.Parallelism == down.Parallelism && in == 1 && out == 1 &&
		!up.alone() && !down.alone() && !s.apart(edge.From) && fit(up, down)
}

// alone reports whether a vertex has a task to itself: because it was told to, or because it is a window operator or
// asynchronous.
func (v *Vertex) alone() bool { return v.NoChain || v.Window.Size != 0 || v.Async.Capacity != 0 }

// fit reports whether one vertex can stand for both: it may have a log or an output but not both, and only one ratio of records
// out to records in.
func fit(up, down *Vertex) bool {
	switch {
	case up.Kind == Source && (down.Kind == Sink || !down.oneForOne() || down.Payload != 0):
		return false
	case !up.oneForOne() && down.Kind != Map:
		return false
	case up.holdsBack() && !down.oneForOne() || down.holdsBack() && !up.oneForOne():
		return false
	}
	return true
}

// oneForOne reports whether a vertex makes one record of one, at once.
func (v *Vertex) oneForOne() bool { return v.EmitNum == v.EmitDen && !v.holdsBack() }

// holdsBack reports whether a vertex takes several records before it makes any.
func (v *Vertex) holdsBack() bool { return v.Burst && v.EmitDen > 1 }

// cost is what a record costs: the setup's figure, or else the measured default of the vertex's kind.
func (v *Vertex) cost() event.Time {
	switch {
	case v.Cost >= 0:
		return v.Cost
	case v.Kind == Source:
		return sourceCost
	case v.Kind == Sink:
		return SinkCost
	default:
		return MapCost
	}
}

// emits is the ratio of records out to records in.
func (v *Vertex) emits() (num, den int64) { return max(1, v.EmitNum), max(1, v.EmitDen) }

// join makes one vertex of both ends of edge e. One thread runs the asynchronous parts of a chain's operators one after the
// other (AsyncCheckpointRunnable.finalizeNonFinishedSnapshots), just as the task's thread runs the synchronous ones.
func (s Setup) join(e int) Setup {
	from, to := s.Edges[e].From, s.Edges[e].To
	joined := s
	joined.Vertices, joined.Edges, joined.Script = nil, nil, nil
	for i := range s.Vertices {
		switch i {
		case to:
		case from:
			joined.Vertices = append(joined.Vertices, joinVertices(&s.Vertices[from], &s.Vertices[to]))
		default:
			joined.Vertices = append(joined.Vertices, s.Vertices[i])
		}
	}
	place := func(i int) int {
		if i == to {
			i = from
		}
		if i > to {
			i--
		}
		return i
	}
	for i, old := range s.Edges {
		if i != e {
			if num, den := s.Vertices[from].emits(); old.To == from && old.Cost > 0 {
				old.Cost += s.Vertices[to].cost() * num / den
			}
			old.From, old.To = place(old.From), place(old.To)
			joined.Edges = append(joined.Edges, old)
		}
	}
	for _, a := range s.Script {
		if a.Do == Slow { // the other operator's part stays
			num, den := s.Vertices[from].emits()
			switch a.Vertex {
			case from:
				a.Cost += s.Vertices[to].cost() * num / den
			case to:
				a.Cost = s.Vertices[from].cost() + a.Cost*num/den
			}
		}
		if a.Vertex >= 0 {
			a.Vertex = place(a.Vertex)
		}
		joined.Script = append(joined.Script, a)
	}
	return joined
}

func joinVertices(up, down *Vertex) Vertex {
	v := *up
	if down.Kind == Sink {
		v = *down
	}
	num, den := up.emits()
	v.Name = up.Name + " → " + down.Name
	v.Cost = up.cost() + down.cost()*num/den
	v.Snapshot = Snapshot{
		Sync:  up.Snapshot.Sync + down.Snapshot.Sync,
		Async: up.Snapshot.Async + down.Snapshot.Async, Size: up.Snapshot.Size + down.Snapshot.Size,
		Change: up.Snapshot.Change + down.Snapshot.Change, Amplification: max(up.Snapshot.Amplification, down.Snapshot.Amplification), Files: max(up.Snapshot.Files, down.Snapshot.Files), Skew: max(up.Snapshot.Skew, down.Snapshot.Skew),
	}
	v.State = append(append([]KeyedState(nil), up.State...), down.State...)
	v.Callback = Callback{up.Callback.Time + down.Callback.Time, up.Callback.Grows + down.Callback.Grows}
	n, d := down.emits()
	v.EmitNum, v.EmitDen = num*n, den*d
	v.Burst = up.holdsBack() || down.holdsBack()
	if down.Kind == Map && down.Payload > 0 {
		v.Payload = down.Payload
	}
	return v
}
