package scene

import (
	"checkpointlab/core"
	"checkpointlab/core/event"
)

func (r *reader) commit(i int) string {
	if r.h == nil || i < 0 || i >= len(r.h.Commits) {
		return ""
	}
	c := &r.h.Commits[i]
	return r.say("checkpoint %d, at %s: %s records became visible, mean %s, p99 %s, max %s",
		"체크포인트 %d, %s: %s건이 보이게 됨, 평균 %s, p99 %s, 최대 %s", c.Checkpoint, tenth(c.At), count(c.Records),
		span(c.Mean), span(c.P99), span(c.Max))
}

// checkpoint says how a checkpoint went: duration, bytes and the longest of each phase.
func (r *reader) checkpoint(id event.Checkpoint) string {
	c := r.record(id)
	if c == nil {
		return ""
	}
	kind := r.word(wCheckpoint)
	if c.Savepoint {
		kind = r.word(wSavepoint)
	}
	text := r.say("%s %d, triggered %s", "%s %d, 트리거 %s", kind, c.ID, instant(c.Triggered))
	outcome := c.Outcome
	if c.Ended > r.v.At {
		outcome = core.InProgress // at the moment that is shown
	}
	switch outcome {
	case core.InProgress:
		return text + r.say(": in progress for %s", ": %s째 진행 중", span(r.v.At-c.Triggered))
	case core.FailedCheckpoint:
		return text + r.say(": failed after %s, %s", ": %s 뒤 실패, %s", span(c.Duration()), c.Reason.String())
	}
	var longest core.TaskPhases
	var bytes, persisted int64
	for i := range c.Tasks {
		t := &c.Tasks[i]
		longest.StartDelay, longest.Alignment = max(longest.StartDelay, t.StartDelay), max(longest.Alignment, t.Alignment)
		longest.Sync, longest.Async = max(longest.Sync, t.Sync), max(longest.Async, t.Async)
		bytes, persisted = bytes+t.Size, persisted+t.Persisted
	}
	text += r.say(": completed in %s; longest start delay %s, alignment %s, sync %s, async %s; state %s",
		": %s 만에 완료. 가장 긴 start delay %s, alignment %s, sync %s, async %s. 상태 %s", span(c.Duration()),
		span(longest.StartDelay), span(longest.Alignment), span(longest.Sync), span(longest.Async), size(bytes))
	if persisted > 0 {
		text += r.say(", stored buffers %s", ", 저장된 버퍼 %s", size(persisted))
	}
	return text
}

// phases says how one subtask fared in a checkpoint.
func (r *reader) phases(id event.Task, cp event.Checkpoint) string {
	v, i, t := r.task(id)
	c := r.record(cp)
	if t == nil || c == nil || int(id) >= len(c.Tasks) {
		return ""
	}
	p, open := soFar(r.v, r.h, c, id)
	text := r.name(v, i) + ": "
	if p.Finished {
		return text + r.say("had finished before checkpoint %d", "체크포인트 %d 전에 완료", cp)
	}
	if open || p.Acked < 0 {
		return text + r.say("has not acknowledged checkpoint %d", "체크포인트 %d 미확인", cp) + r.cameSoFar(c, id)
	}
	return text + r.say("start delay %s, alignment %s, sync %s, async %s; acknowledged after %s",
		"start delay %s, alignment %s, sync %s, async %s. %s 뒤 확인", span(p.StartDelay), span(p.Alignment), span(p.Sync),
		span(p.Async), span(p.Acked-c.Triggered))
}

// cameSoFar says which barriers a subtask had received that has not acknowledged.
func (r *reader) cameSoFar(c *core.CheckpointRecord, id event.Task) string {
	all := 0
	for i := range r.v.Exchanges {
		e := &r.v.Exchanges[i]
		for k := range e.Channels {
			all += int(flag(r.v.Vertices[e.To].Tasks[e.Channels[k].To].Task == id))
		}
	}
	if all == 0 || channelsOf(r.v) > core.MostPassing {
		return ""
	}
	came, first := arrived(r.h, c, id, lasted(r.v, c))
	switch {
	case came == 0:
		return r.say("; none of its %d channels brought the barrier", "; 채널 %d개 중 배리어가 온 곳 없음", all)
	case came == all:
		return r.say("; all %d barriers have come", "; 배리어 %d개가 모두 옴", all)
	}
	return r.say("; barriers came by %d of %d channels, the first after %s", "; 배리어가 채널 %[2]d개 중 %[1]d개로 왔고 처음은 %[3]s 뒤", came, all, span(first-c.Triggered))
}

// passage says how long a barrier was on its way through a channel.
func (r *reader) passage(i int) string {
	if r.h == nil || i < 0 || i >= len(r.h.Passages) {
		return ""
	}
	p := &r.h.Passages[i]
	from, a, s := r.task(p.From)
	to, b, t := r.task(p.To)
	if s == nil || t == nil {
		return ""
	}
	return r.say("%s → %s: barrier %d sent %s, received %s, %s on its way", "%s → %s: 배리어 %d, %s에 보내고 %s에 받음, %s 걸림",
		r.name(from, a), r.name(to, b), p.Checkpoint, instant(p.Sent), instant(p.Received), span(p.Received-p.Sent))
}

func (r *reader) moment(i int) string {
	if r.h == nil || i < 0 || i >= len(r.h.Moments) {
		return ""
	}
	m := &r.h.Moments[i]
	who := ""
	if v, k, t := r.task(m.Task); t != nil {
		who = r.name(v, k)
	}
	at := instant(m.At)
	switch m.Kind {
	case event.Committed:
		return r.say("%s: checkpoint %d committed", "%s: 체크포인트 %d 커밋", at, m.ID)
	case event.TaskFailed:
		return r.say("%s: %s failed", "%s: %s 실패", at, who)
	case event.TaskRunning:
		return r.say("%s: %s runs", "%s: %s 실행", at, who)
	case event.JobFinished:
		return r.say("%s: the job has finished", "%s: 작업 완료", at)
	case event.CheckpointFailed:
		return r.say("%s: checkpoint %d failed, %s", "%s: 체크포인트 %d 실패, %s", at, m.ID, event.Reason(m.A).String())
	case event.BackPressured:
		return r.say("%s: %s is backpressured", "%s: %s 백프레셔", at, who)
	case event.ChannelBlocked:
		return r.say("%s: alignment of checkpoint %d begins", "%s: 체크포인트 %d 정렬 시작", at, m.ID)
	case event.ScriptDone:
		return r.say("%s: step %d of the script", "%s: 각본 %d단계", at, m.A+1)
	}
	return at
}

// operator sums the subtasks of a merged operator.
func (r *reader) operator(i int) string {
	if i >= len(r.v.Vertices) {
		return ""
	}
	w := &r.v.Vertices[i]
	var busy, pressed int
	worst, most := 0, -1
	for j := range w.Tasks {
		t := &w.Tasks[j]
		busy, pressed = busy+t.Busy, pressed+t.Soft+t.Hard
		if p := t.Soft + t.Hard; p > most {
			worst, most = j, p
		}
	}
	n := max(1, len(w.Tasks))
	text := r.say("%s ×%d: busy %s, backpressured %s on average", "%s ×%d: 평균 처리 %s, 백프레셔 %s", w.Name, len(w.Tasks),
		percent(busy/n), percent(pressed/n))
	if most > 0 {
		text += r.say("; most backpressured %s, %s", "; 가장 심한 곳 %s, %s", r.name(i, worst), percent(most))
	}
	return text + r.states(w)
}

// exchange sums the channels of a merged exchange.
func (r *reader) exchange(i int) string {
	if i >= len(r.v.Exchanges) {
		return ""
	}
	e := &r.v.Exchanges[i]
	var bytes int64
	blocked := 0
	for j := range e.Channels {
		c := &e.Channels[j]
		bytes += total(c.Sender) + total(c.Wire) + total(c.Receiver)
		blocked += int(flag(c.Blocked))
	}
	text := r.say("%s → %s, %s: %d channels, %s queued", "%s → %s, %s: 채널 %d개, 쌓인 양 %s", r.v.Vertices[e.From].Name,
		r.v.Vertices[e.To].Name, e.Partition.String(), len(e.Channels), size(bytes))
	if blocked > 0 {
		text += r.say(", %d blocked", ", %d개 막힘", blocked)
	}
	return text
}
