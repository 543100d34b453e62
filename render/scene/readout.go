package scene

import (
	"fmt"
	"strings"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
	"checkpointlab/render/format"
)

// Readout says in one sentence what a mark stands for (design 8), and Flink's metrics of it. It is empty for decoration and
// for things that are not in the view any more.
func Readout(v *core.View, h *core.History, id ID, lang Lang) string {
	r := reader{v: v, h: h, lang: lang}
	text := r.sentence(id)
	if text == "" {
		return ""
	}
	return text + r.metrics(id)
}

// Sentence is Readout without metrics, for prose.
func Sentence(v *core.View, h *core.History, id ID, lang Lang) string {
	r := reader{v: v, h: h, lang: lang}
	return r.sentence(id)
}

func (r *reader) sentence(id ID) string {
	switch id.What {
	case Coordinator:
		return r.coordinator()
	case Ack:
		if id.B == 1 {
			return r.acks(id.A)
		}
		return r.ack(id.A)
	case Log, LogFlag:
		if id.What == Log && id.B == 1 {
			return r.logs(id.A)
		}
		return r.log(id.A)
	case Card:
		return r.card(id.A)
	case Gate, Wire, Credits, Channel:
		return r.channel(id)
	case Buffer, Barrier:
		return r.cell(id)
	case Pool:
		return r.pool(id)
	case Output, OutputFlag:
		if id.What == Output && id.B == 1 {
			return r.outputs(id.A)
		}
		return r.output(id.A)
	case Budget:
		return r.budget(int(id.A))
	case Operator:
		return r.operator(int(id.A))
	case Exchange:
		return r.exchange(int(id.A))
	case Commit:
		return r.commit(int(id.A))
	case Checkpoint:
		return r.checkpoint(event.Checkpoint(id.A))
	case Phases:
		return r.phases(id.A, event.Checkpoint(id.B))
	case Moment:
		return r.moment(int(id.A))
	case Passage:
		return r.passage(int(id.A))
	}
	return ""
}

// reader writes readouts in one language.
type reader struct {
	v    *core.View
	h    *core.History
	lang Lang
}

// say chooses the language; both texts take the same arguments, by index where the order differs.
func (r *reader) say(en, ko string, args ...any) string {
	if r.lang != Korean {
		return fmt.Sprintf(en, args...)
	}
	for i, a := range args {
		if s, ok := a.(string); ok {
			args[i] = option.Korean(s)
		}
	}
	return particles(fmt.Sprintf(ko, args...))
}

func count(n int64) string             { return string(format.Count(nil, n)) }
func span(t event.Time) string         { return string(format.Span(nil, t)) }
func instant(t event.Time) string      { return string(format.Seconds(nil, t, 3)) }
func tenth(t event.Time) string        { return string(format.Seconds(nil, t, 1)) }
func size(n int64) string              { return string(format.Bytes(nil, n)) }
func percent(mille int) string         { return string(format.Percent(nil, mille)) }
func ordinal(n int) string             { return fmt.Sprint(n) + suffix(n) }
func (r *reader) word(w word) string   { return w.in(r.lang) }
func join(parts ...string) string      { return strings.Join(parts, ", ") }
func (r *reader) name(v, i int) string { return fmt.Sprint(r.v.Vertices[v].Name, " ", r.index(v, i)) }

func (r *reader) index(v, i int) int { return r.v.Vertices[v].Tasks[i].Index }

func suffix(n int) string {
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			return "st"
		case 2:
			return "nd"
		case 3:
			return "rd"
		}
	}
	return "th"
}

// find is the exchange and the channel of an id.
func (r *reader) find(id event.Channel) (*core.ExchangeView, *core.ChannelView) {
	for i := range r.v.Exchanges {
		e := &r.v.Exchanges[i]
		for j := range e.Channels {
			if e.Channels[j].Channel == id {
				return e, &e.Channels[j]
			}
		}
	}
	return nil, nil
}

// route is "map 0 → sink 1".
func (r *reader) route(e *core.ExchangeView, c *core.ChannelView) string {
	return r.name(e.From, c.From) + " → " + r.name(e.To, c.To)
}

// queueOf is the part of a channel that a place names.
func queueOf(c *core.ChannelView, p Place) []core.Cell {
	switch p {
	case Receiver:
		return c.Receiver
	case Transit:
		return c.Wire
	case Sender:
		return c.Sender
	}
	return nil
}

func (r *reader) cell(id ID) string {
	e, c := r.find(id.A)
	if c == nil {
		return ""
	}
	if id.Place == Hand {
		if id.What == Barrier {
			return r.say("barrier %d waits at %s; %s is blocked until the other barriers have come",
				"배리어 %d{이/가} %s에서 기다린다. 다른 배리어가 올 때까지 %s{은/는} 막혀 있다", id.B, r.name(e.To, c.To), r.route(e, c))
		}
		return r.buffer(e, c, &c.Current, r.say("in hand", "처리 중"))
	}
	if id.What == Barrier {
		id = standing(c, id)
	}
	queue := queueOf(c, id.Place)
	if int(id.B) >= len(queue) {
		return ""
	}
	cell := &queue[id.B]
	if cell.Kind == core.Barrier {
		return r.barrier(e, c, id, cell)
	}
	where := r.say("%s of %d at the receiver", "수신 %[2]d개 중 %[1]s", r.nth(int(id.B)+1), len(queue))
	switch id.Place {
	case Sender:
		where = r.say("%s of %d at the sender", "송신 %[2]d개 중 %[1]s", r.nth(int(id.B)+1), len(queue))
	case Transit:
		where = r.say("on the wire", "전송 중")
	}
	return r.buffer(e, c, cell, where)
}

// standing is where the barrier of a channel stands that is drawn on its way over the buffers that it overtakes.
func standing(c *core.ChannelView, id ID) ID {
	if id.Place != Transit || int(id.B) < len(c.Wire) && c.Wire[id.B].Kind == core.Barrier {
		return id
	}
	for _, p := range [...]Place{Transit, Receiver, Sender} {
		queue := queueOf(c, p)
		for i := range queue {
			if queue[i].Kind == core.Barrier && queue[i].Unaligned {
				return cellID(c.Channel, p, i, true)
			}
		}
	}
	return id
}

func (r *reader) nth(n int) string {
	if r.lang == Korean {
		return fmt.Sprint(n, "번째")
	}
	return ordinal(n)
}

func (r *reader) buffer(e *core.ExchangeView, c *core.ChannelView, cell *core.Cell, where string) string {
	text := join(r.route(e, c), where) + ": "
	if cell.Kind == core.Other {
		return text + r.say("an event", "이벤트")
	}
	records := "%s records, %s"
	if cell.Records == 1 {
		records = "%s record, %s"
	}
	text += r.say(records, "%s건, %s", count(cell.Records), size(int64(cell.Bytes)))
	if cell.Records > 0 {
		text += r.say(", oldest entered %s", ", 가장 오래된 것은 %s에 들어옴", tenth(cell.Oldest))
	}
	if cell.Watermarks > 0 {
		text += r.say(", with a watermark", ", 워터마크가 들어 있음")
	}
	if cell.Stored {
		text += r.say(", stored in checkpoint %d", ", 체크포인트 %d에 저장됨", cell.Checkpoint)
	}
	return text
}

// barrier says what lies ahead of it in its channel; the time is that of the consumer's work on it alone.
func (r *reader) barrier(e *core.ExchangeView, c *core.ChannelView, id ID, cell *core.Cell) string {
	buffers, records := 0, int64(0)
	add := func(x *core.Cell) {
		if x.Kind == core.Data {
			buffers, records = buffers+1, records+x.Records
		}
	}
	if c.Holding {
		add(&c.Current)
	}
	for _, p := range []Place{Receiver, Transit, Sender} {
		q := queueOf(c, p)
		for i := range q {
			if p == id.Place && i == int(id.B) {
				return r.barrierText(e, c, cell, buffers, records)
			}
			add(&q[i])
		}
	}
	return ""
}

func (r *reader) barrierText(e *core.ExchangeView, c *core.ChannelView, cell *core.Cell, buffers int, records int64) string {
	kind := "aligned"
	if cell.Unaligned {
		kind = "unaligned"
	}
	text := r.say("%s: barrier %d, %s", "%s: 배리어 %d, %s", r.route(e, c), cell.Checkpoint, kind)
	for i := range r.v.Coord.Pending {
		if p := &r.v.Coord.Pending[i]; p.Checkpoint == cell.Checkpoint {
			text += r.say(", triggered %s", ", 트리거 %s", instant(p.Triggered))
		}
	}
	work := span(records * r.v.Vertices[e.To].Cost)
	return text + r.say("; %d buffers, %s ahead of it", "; 앞에 버퍼 %d개, %s", buffers, work)
}

func (r *reader) channel(id ID) string {
	e, c := r.find(id.A)
	if c == nil {
		return ""
	}
	to := r.name(e.To, c.To)
	switch {
	case id.What == Channel:
		return r.wholeChannel(e, c)
	case c.Blocked:
		return r.say("%s: blocked; the sender waits until %s has barrier %d from all channels",
			"%s: 막힘. %s{이/가} 모든 채널에서 배리어 %d{을/를} 받을 때까지 송신자가 기다린다", r.route(e, c), to, c.BlockedBy)
	case c.Local:
		return r.say("%s: both in one task manager, no credit", "%s: 같은 태스크 매니저 안, credit 없음", r.route(e, c))
	case c.Credit <= 0:
		return r.say("%s: credit 0: %s has no free buffer for this channel",
			"%s: credit 0: %s에 이 채널의 빈 버퍼가 없다", r.route(e, c), to)
	}
	return r.say("%s: credit %d: so many free buffers %s has announced", "%s: credit %d: %s{이/가} 알린 빈 버퍼 수", r.route(e, c), c.Credit, to)
}

// wholeChannel sums a channel that is one cell of the matrix.
func (r *reader) wholeChannel(e *core.ExchangeView, c *core.ChannelView) string {
	s, recv := total(c.Sender), total(c.Receiver)
	text := r.say("%s: %s at the sender, %s at the receiver", "%s: 송신 %s, 수신 %s", r.route(e, c), size(s), size(recv))
	if c.Blocked {
		text += r.say(", blocked by barrier %d", ", 배리어 %d에 막힘", c.BlockedBy)
	}
	return text
}

func total(queue []core.Cell) (bytes int64) {
	for i := range queue {
		bytes += int64(queue[i].Bytes)
	}
	return bytes
}

func (r *reader) pool(id ID) string {
	if int(id.A) >= len(r.v.Exchanges) || int(id.B) >= len(r.v.Exchanges[id.A].Gates) {
		return ""
	}
	e := &r.v.Exchanges[id.A]
	g := e.Gates[id.B]
	text := r.say("%d of %d floating lent", "floating %[2]d개 중 %[1]d개 빌려줌", g.Floating-g.FloatingFree, g.Floating)
	var lent []string
	for i := range e.Channels {
		if c := &e.Channels[i]; c.To == int(id.B) && c.Floating > 0 {
			lent = append(lent, r.say("%d to %s", "%[2]s에 %[1]d개", c.Floating, r.name(e.From, c.From)))
		}
	}
	if len(lent) > 0 {
		text += ": " + join(lent...)
	}
	return text
}
