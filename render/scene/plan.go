package scene

import (
	"checkpointlab/core"
	"checkpointlab/core/event"
)

// plan is where everything of one picture stands. It lives in the scene so that its slices are reused.
type plan struct {
	o      Options
	g      *geometry
	layout Layout
	lang   Lang
	v      *core.View
	h      *core.History

	vertices  []vertexPlan
	exchanges []exchangePlan
	cardY     []float64 // by vertexPlan.first + position in the vertex
	colX      []float64
	colH      []float64
	colRows   []int
	top       float64
	bottom    float64 // of the lowest card
	outX      float64
	headEnds  []float64 // of the columns' names
	segment   int32

	perRecord float64 // px
	perSecond float64 // px
	tight     bool    // more than two channel rows in a card: lower barriers
	bare      bool    // over budget: no ticks, no underlines
	noPools   bool    // and no pool squares

	cut          cut
	motions      motions
	all          *core.View // the whole job when a subtask is opened, else v
	opening      opening
	own          geometry  // the phone's, with its computed widths
	cardX, laneY []float64 // phone: by vertexPlan.first, by exchangePlan.lane

	// scratch
	ints         []int64
	marks        []core.LogMark
	transactions []core.TransactionView
}

// vertex is the index of an operator in the whole job.
func (p *plan) vertex(i int) int32 {
	if p.v == p.all {
		return int32(i)
	}
	return int32(p.opening.vertices[i])
}

// exchange is the index of an exchange in the whole job.
func (p *plan) exchange(i int) int32 {
	if p.v == p.all {
		return int32(i)
	}
	return int32(p.opening.exchanges[i])
}

// vertexPlan is where an operator's cards stand.
type vertexPlan struct {
	column    int
	x, h      float64 // left end, height of one card
	in, out   int     // channel rows on either side of a card
	first     int     // into cardY
	operatorY float64 // merged levels: top and
	operatorH float64 // height of the operator's block
}

// exchangePlan is where a channel's parts stand; the rows come from the cards.
type exchangePlan struct {
	sendX, gateX    float64 // left end of the sender's belt, its end at the gate
	bendX           float64 // where the wire leaves the sender's row: past the number of credits
	recvX, recvEnd  float64 // left end of the receiver's belt, its end at the card
	pitch, cell     float64
	inBase, outBase int // first row of this exchange among a card's rows
	lane            int // phone: into laneY
}

// arrange computes the plan of a picture whose every buffer is a cell.
func (p *plan) arrange() {
	p.columns()
	p.rows()
	p.place()
	p.queues()
	p.scales()
	p.economize()
}

// columns gives each operator its column: sources first, sinks last, the others by their longest way from a source.
func (p *plan) columns() {
	p.vertices = p.vertices[:0]
	last := 0
	for range p.v.Vertices {
		p.vertices = append(p.vertices, vertexPlan{})
	}
	for range p.v.Vertices { // at most one pass for each step of the longest way
		for i := range p.v.Exchanges {
			e := &p.v.Exchanges[i]
			p.vertices[e.To].column = max(p.vertices[e.To].column, p.vertices[e.From].column+1)
			last = max(last, p.vertices[e.To].column)
		}
	}
	for i := range p.v.Vertices {
		if p.v.Vertices[i].Kind == core.Sink {
			p.vertices[i].column = last
		}
	}
	p.colX, p.colH, p.colRows = grow(p.colX, last+1), grow(p.colH, last+1), grow(p.colRows, last+1)
}

// grow is a zeroed slice of n in the memory of s.
func grow[T any](s []T, n int) []T {
	if cap(s) < n {
		s = make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}

// rows counts the channel rows on both sides of each operator's cards, in the order of the exchanges.
func (p *plan) rows() {
	p.exchanges = grow(p.exchanges, len(p.v.Exchanges))
	for i := range p.v.Exchanges {
		e, x := &p.v.Exchanges[i], &p.exchanges[i]
		x.inBase, x.outBase = p.vertices[e.To].in, p.vertices[e.From].out
		p.vertices[e.To].in += e.Ins
		p.vertices[e.From].out += e.Outs
	}
}

// place stacks the cards of each column and spreads the columns over the width.
func (p *plan) place() {
	g := p.g
	p.cardY, p.tight = p.cardY[:0], false
	for i := range p.vertices {
		w := &p.vertices[i]
		rows := float64(max(w.in, w.out) - 1)
		p.tight = p.tight || max(w.in, w.out) > 2
		w.h = max(g.cardH, g.first+g.rowPitch*rows+g.last)
		n := len(p.v.Vertices[i].Tasks)
		p.colH[w.column] += float64(n) * (w.h + g.rowGap)
		p.colRows[w.column] += n
	}
	highest := 0.0
	for _, h := range p.colH {
		highest = max(highest, h-g.rowGap)
	}
	p.bottom = p.top + highest
	p.spread()
	for c := range p.colH { // from heights to the y of the next card
		p.colH[c] = p.top + float64(int((highest-p.colH[c]+g.rowGap)/2))
	}
	for i := range p.vertices {
		w := &p.vertices[i]
		w.x, w.first = p.colX[w.column], len(p.cardY)
		for range p.v.Vertices[i].Tasks {
			p.cardY = append(p.cardY, p.colH[w.column])
			p.colH[w.column] += w.h + g.rowGap
		}
	}
}

// spread puts the columns between the log and the output, which keep their widths.
func (p *plan) spread() {
	g := p.g
	left, step := g.logW+g.side, p.apart(g)
	for c := range p.colX {
		p.colX[c] = float64(int(left + float64(c)*step))
	}
	p.outX = p.o.Width - g.outW
}

// rowY is the belt's y of one of a card's n channel rows.
func (p *plan) rowY(vertex, position, row, n int) float64 {
	w := &p.vertices[vertex]
	y := p.cardY[w.first+position] + p.g.first
	room := w.h - p.g.first - p.g.last
	if n == 1 {
		return y + float64(int(room/2))
	}
	return y + float64(int(float64(row)*room/float64(n-1)))
}

// ends are the belts' heights of a channel at its sender and at its receiver.
func (p *plan) ends(exchange, i int) (send, recv float64) {
	e, x := &p.v.Exchanges[exchange], &p.exchanges[exchange]
	if p.layout == Phone {
		y := p.laneY[x.lane+i]
		return y, y
	}
	c := &e.Channels[i]
	in, out := x.inBase+c.Input, x.outBase+c.Sub
	return p.rowY(e.From, c.From, out, p.vertices[e.From].out), p.rowY(e.To, c.To, in, p.vertices[e.To].in)
}

// senderCells is how many cells a sender queue has room for: max-buffers-per-channel's default.
const senderCells = 10

// queues divides the space of each exchange into sender queue, wire and receiver queue.
func (p *plan) queues() {
	g := p.g
	for i := range p.v.Exchanges {
		e, x := &p.v.Exchanges[i], &p.exchanges[i]
		from, to := &p.vertices[e.From], &p.vertices[e.To]
		x.sendX, x.recvEnd = from.x+g.cardW+4, to.x-2
		receiver := float64(p.receiverCells(e))
		room := x.recvEnd - x.sendX - g.senderTail - g.wires - 8
		fit := min(1, room/((senderCells+receiver)*g.pitch()))
		x.pitch, x.cell = g.pitch()*fit, g.cell*fit
		x.gateX = x.sendX + g.senderTail + senderCells*x.pitch
		wires := min(g.widest, x.recvEnd-8-receiver*x.pitch-x.gateX)
		x.recvX = x.gateX + max(g.wires, wires)
		x.bendX = x.gateX + g.credits
		if to.column-from.column > 1 { // the wire passes behind the cards between
			x.recvX = p.colX[to.column-1] + g.cardW + 4 + (x.recvEnd-p.colX[to.column-1]-g.cardW)*0.4
		}
	}
}

// apart is the distance of two columns in a geometry.
func (p *plan) apart(g *geometry) float64 {
	return (p.o.Width - g.logW - g.outW - 2*g.side - g.cardW) / float64(max(1, len(p.colX)-1))
}

// pitchIn is the pitch of the cells of the fullest exchange between two columns in a geometry.
func (p *plan) pitchIn(g *geometry) float64 {
	if len(p.colX) < 2 {
		return g.pitch()
	}
	room := p.apart(g) - g.cardW - 6 - g.senderTail - g.wires - 8
	cells := 0
	for i := range p.v.Exchanges {
		cells = max(cells, p.receiverCells(&p.v.Exchanges[i]))
	}
	return min(g.pitch(), room/float64(senderCells+cells))
}

// receiverCells is how many cells a channel can hold at its receiver: exclusive and floating buffers and a barrier.
func (p *plan) receiverCells(e *core.ExchangeView) int {
	most := 0
	consumers := p.v.Vertices[e.To].Tasks
	for i := range e.Gates {
		channels := p.vertices[e.To].in
		exclusive := max(0, consumers[i].InTotal-e.Gates[i].Floating) / max(1, channels)
		most = max(most, exclusive+e.Gates[i].Floating+1)
	}
	return min(max(most, 11), 24)
}

// scales chooses the scale of logs and outputs and that of the time budget from the whole history, so that playing does
// not change them.
func (p *plan) scales() {
	g := p.g
	lag, commit, age := p.extremes()
	p.perRecord = 1 / p.o.RecordsPerPx
	if p.o.RecordsPerPx <= 0 {
		p.perRecord = min(step(logPosition*g.logW-2, lag), step(0.5*min((1-logPosition)*g.logW*2, g.outW), commit))
	}
	p.perSecond = p.o.PxPerSecond
	if p.perSecond <= 0 {
		p.perSecond = step(g.logW, float64(age)/float64(event.Second))
	}
}

// extremes are the largest lag of one source, records of one commit and sink, and age of an invisible record.
func (p *plan) extremes() (lag, commit float64, age event.Time) {
	sources, sinks := 0, 0
	for i := range p.v.Vertices {
		w := &p.v.Vertices[i]
		for j := range w.Tasks {
			t := &w.Tasks[j]
			switch w.Kind {
			case core.Source:
				sources++
				lag = max(lag, float64(t.Log.Arrived-t.Log.Read))
				commit = max(commit, float64(t.Log.ReadAgain))
			case core.Sink:
				sinks++
				for _, x := range t.Output.Transactions {
					commit = max(commit, float64(x.Records))
				}
			}
		}
	}
	age = p.v.Budget.Age
	if p.h == nil {
		return lag, commit, age
	}
	for i := range p.h.Samples {
		lag = max(lag, float64(p.h.Samples[i].Lag)/float64(max(1, sources)))
		age = max(age, p.h.Samples[i].OldestAge)
	}
	for i := range p.h.Commits {
		commit = max(commit, float64(p.h.Commits[i].Records)/float64(max(1, min(sources, sinks))))
	}
	return lag, commit, age
}

// step is the largest scale of a fixed series at which a value fits into so many px.
func step(px, value float64) float64 {
	if value <= 0 || px <= 0 {
		return 1
	}
	const most = 1e4
	s := most
	for s*value > px {
		for _, f := range [...]float64{0.7, 0.5, 0.3, 0.2, 0.15} {
			if s*f*value <= px {
				return s * f
			}
		}
		s /= 10
	}
	return s
}

// budget is how many primitives a frame may have (design 11).
const budget = 1500

// economize drops ticks and underlines, then pool squares, when the fullest picture of this job would be over budget.
// It counts what the pools could hold, not what they hold now, so that it does not change while a run plays.
func (p *plan) economize() {
	cells, channels, gates, tasks := 0, 0, 0, 0
	for i := range p.v.Vertices {
		for j := range p.v.Vertices[i].Tasks {
			t := &p.v.Vertices[i].Tasks[j]
			cells += t.InTotal + t.OutTotal
			tasks++
		}
	}
	for i := range p.v.Exchanges {
		channels += len(p.v.Exchanges[i].Channels)
		gates += len(p.v.Exchanges[i].Gates)
	}
	basis := 90 + cells*9/8 + channels*6 + tasks*16
	p.bare = basis+channels*4 > budget
	p.noPools = basis+channels*4+gates*8 > budget
}
