package scene

import (
	"checkpointlab/core"
)

// Caption names the one thing to watch in a view, in at most about 110 characters (design 5). A scenario's own words for a
// moment come first; this is what is said otherwise.
func Caption(v *core.View, h *core.History, lang Lang) string {
	r := reader{v: v, h: h, lang: lang}
	r.cut.find(v)
	for _, say := range []func() string{r.failureCaption, r.heldCaption, r.overtakeCaption, r.pendingCaption, r.pressureCaption} {
		if text := say(); text != "" {
			return text
		}
	}
	if v.Budget.Age > 0 {
		return r.say("No checkpoint in progress. The oldest invisible record is %s old.",
			"진행 중인 체크포인트가 없다. 아직 안 보이는 가장 오래된 레코드는 %s 지났다.", tenth(v.Budget.Age))
	}
	return r.say("No checkpoint in progress. Every record is visible.", "진행 중인 체크포인트가 없다. 모든 레코드가 보인다.")
}

// Twin is the text of a view for those who do not see the picture: the caption and the coordinator's line.
func Twin(v *core.View, h *core.History, lang Lang) string {
	r := reader{v: v, h: h, lang: lang}
	return Caption(v, h, lang) + " " + r.coordinator()
}

func (r *reader) failureCaption() string {
	if r.v.Coord.JobFailed {
		return r.say("The job has failed for good: no restart is left.", "작업이 완전히 실패했다. 남은 재시작이 없다.")
	}
	if r.v.Coord.JobFinished {
		return r.say("The job has finished: every task has come to its end.", "작업이 끝났다. 모든 태스크가 제 끝에 이르렀다.")
	}
	failed, down, again := "", false, int64(0)
	for i := range r.v.Vertices {
		for j := range r.v.Vertices[i].Tasks {
			t := &r.v.Vertices[i].Tasks[j]
			if t.State == core.Lost {
				return r.say("The task manager of %s is lost, and nobody has noticed yet.", "%s의 태스크 매니저를 잃었고, 아직 아무도 모른다.", r.name(i, j))
			}
			down = down || !up(t) && t.State != core.Finished
			if t.State == core.Failed && failed == "" {
				failed = r.name(i, j)
			}
			again += readAgain(t)
		}
	}
	switch {
	case failed != "":
		return r.say("%s failed: the buffers are gone, %s records are read again.", "%s 실패: 버퍼가 사라졌고 %s건을 다시 읽는다.", failed, count(again))
	case down && r.v.Coord.LastCompleted == 0:
		return r.say("No checkpoint has completed: the job restarts from the beginning.", "완료된 체크포인트가 없어 처음부터 재시작한다.")
	case down:
		return r.say("The job restarts from checkpoint %d: %s records are read again.", "체크포인트 %d에서 재시작한다: %s건을 다시 읽는다.",
			r.v.Coord.LastCompleted, count(again))
	}
	return ""
}

// heldCaption names a channel that is held and the one that the task still waits for.
func (r *reader) heldCaption() string {
	for i := range r.v.Exchanges {
		e := &r.v.Exchanges[i]
		for k := range e.Channels {
			c := &e.Channels[k]
			if c.BlockedBy != r.cut.ref || r.cut.ref == 0 || !parked(c) {
				continue
			}
			if o, ahead := r.missing(e, c.To); o != nil {
				if ahead == 0 {
					return r.say("%s holds the channel from %s. Barrier %d from %s has not come yet.",
						"%s{이/가} %s 채널을 막았다. %[4]s의 배리어 %[3]d{은/는} 아직 오지 않았다.", r.name(e.To, c.To), r.name(e.From, c.From),
						r.cut.ref, r.name(e.From, o.From))
				}
				return r.say("%s holds the channel from %s. Barrier %d from %s is still behind %d buffers.",
					"%s{이/가} %s 채널을 막았다. %[4]s의 배리어 %[3]d 앞에는 아직 버퍼 %[5]d개가 있다.", r.name(e.To, c.To), r.name(e.From, c.From),
					r.cut.ref, r.name(e.From, o.From), ahead)
			}
		}
	}
	return ""
}

// missing is a channel of a consumer whose barrier has not come, with the fewest buffers ahead of it.
func (r *reader) missing(e *core.ExchangeView, consumer int) (best *core.ChannelView, ahead int) {
	for k := range e.Channels {
		c := &e.Channels[k]
		if c.To != consumer || r.cut.consumed(r.v, e, c) {
			continue
		}
		if n := buffersAhead(c, r.cut.ref); best == nil || n < ahead {
			best, ahead = c, n
		}
	}
	return best, ahead
}

// buffersAhead counts the buffers of a channel that come before a barrier.
func buffersAhead(c *core.ChannelView, ref int64) int {
	n := int(flag(c.Holding && c.Current.Kind == core.Data))
	for _, q := range [...][]core.Cell{c.Receiver, c.Wire, c.Sender} {
		for i := range q {
			if q[i].Kind == core.Barrier && q[i].Checkpoint == ref {
				return n
			}
			n += int(flag(q[i].Kind == core.Data))
		}
	}
	return n
}

// overtakeCaption says how much an unaligned checkpoint stores.
func (r *reader) overtakeCaption() string {
	if !r.cut.unaligned {
		return ""
	}
	var bytes int64
	for i := range r.v.Exchanges {
		for k := range r.v.Exchanges[i].Channels {
			c := &r.v.Exchanges[i].Channels[k]
			for _, q := range [...][]core.Cell{c.Receiver, c.Wire, c.Sender} {
				for j := range q {
					if q[j].Stored && q[j].Checkpoint == r.cut.ref {
						bytes += int64(q[j].Bytes)
					}
				}
			}
		}
	}
	return r.say("Barrier %d jumps the queues. Striped buffers go into checkpoint %[1]d: %[2]s of them wait here.",
		"배리어 %d{이/가} 큐를 앞지른다. 줄무늬 버퍼는 체크포인트 %[1]d에 들어간다. 지금 %[2]s.", r.cut.ref, size(bytes))
}

func (r *reader) pendingCaption() string {
	n := len(r.v.Coord.Pending)
	if n == 0 {
		return ""
	}
	p, done := &r.v.Coord.Pending[n-1], 0
	for _, a := range p.Acks {
		done += int(flag(a))
	}
	return r.say("Checkpoint %d: %d of %d subtasks have acknowledged after %s.", "체크포인트 %d: %[4]s 동안 서브태스크 %[3]d개 중 %[2]d개가 확인했다.",
		p.Checkpoint, done, len(p.Acks), span(r.v.At-p.Triggered))
}

// pressureCaption names the subtask that holds up those before it: the busiest one behind a backpressured one.
func (r *reader) pressureCaption() string {
	for i := len(r.v.Exchanges) - 1; i >= 0; i-- {
		e := &r.v.Exchanges[i]
		for k := range e.Channels {
			from, to := &r.v.Vertices[e.From].Tasks[e.Channels[k].From], &r.v.Vertices[e.To].Tasks[e.Channels[k].To]
			if from.Soft+from.Hard > 300 && to.Busy > 800 {
				return r.say("%s is busy %s: %s is backpressured %s.", "%s 처리 %s, 그래서 %s 백프레셔 %s.", r.name(e.To, e.Channels[k].To),
					percent(to.Busy), r.name(e.From, e.Channels[k].From), percent(from.Soft+from.Hard))
			}
		}
	}
	return ""
}
