package scene

import (
	"strconv"

	"checkpointlab/core"
	"checkpointlab/core/event"
)

// task is the vertex and the place of a task id.
func (r *reader) task(id event.Task) (vertex, place int, t *core.TaskView) {
	for i := range r.v.Vertices {
		for j := range r.v.Vertices[i].Tasks {
			if r.v.Vertices[i].Tasks[j].Task == id {
				return i, j, &r.v.Vertices[i].Tasks[j]
			}
		}
	}
	return 0, 0, nil
}

func (r *reader) card(id event.Task) string {
	v, i, t := r.task(id)
	if t == nil {
		return ""
	}
	text := r.name(v, i) + ": " + r.word(glyphs[t.State].word)
	if since, _ := changed(r.v, r.h, t); since > 0 {
		text += r.say(" since %s", ", %s부터", tenth(since))
	}
	if up(t) {
		text += r.say("; busy %s, backpressured %s, idle %s", "; 처리 %s, 백프레셔 %s, 유휴 %s",
			percent(t.Busy), percent(t.Soft+t.Hard), percent(1000-t.Busy-t.Soft-t.Hard))
	}
	text += r.say("; in %s/s, out %s/s", "; 입력 %s/s, 출력 %s/s", count(t.RateIn), count(t.RateOut))
	if t.Times > 0 {
		text += r.say("; its TaskManager is throttled: a record takes %s times as long", "; TaskManager가 느려져 레코드 하나에 %s배 걸린다", strconv.FormatFloat(float64(t.Times)/1000, 'g', 3, 64))
	}
	if t.State == core.Paused {
		text += r.say("; watermark alignment lets it read no more: it is ahead of its group", "; 워터마크 정렬 때문에 읽지 않음: 그룹보다 앞서 있다")
	}
	if t.MayBe > 0 {
		text += r.say("; %d of %d requests under way", "; 진행 중인 요청 %d/%d", t.UnderWay, t.MayBe)
	}
	if w := &t.Window; w.Fired > 0 || w.Open > 0 {
		text += r.say("; %s windows open, %s timers fired", "; 열린 윈도우 %s개, 발화한 타이머 %s개", count(w.Open), count(w.Fired))
	}
	text += r.eventTime(t)
	if t.InTotal > 0 {
		text += r.say("; input buffers %d of %d", "; 입력 버퍼 %d/%d", t.InUsed, t.InTotal)
	}
	if t.OutTotal > 0 {
		text += r.say("; output buffers %d of %d", "; 출력 버퍼 %d/%d", t.OutUsed, t.OutTotal)
	}
	if t.State == core.Aligning {
		text += r.say("; barrier %d has come on %d of %d channels, aligning for %s", "; 배리어 %d: 채널 %[3]d개 중 %[2]d개 도착, 정렬 %[4]s",
			t.Checkpoint, t.Aligned, t.ToAlign, span(r.v.At-t.Since))
	}
	return text
}

// eventTime says how far a task's watermark lies behind.
func (r *reader) eventTime(t *core.TaskView) string {
	mark := t.Metrics.CurrentOutputWatermark
	switch {
	case t.MarkedIdle:
		return r.say("; marked idle, so no watermark waits for it", "; 유휴로 표시되어 워터마크가 기다리지 않음")
	case mark == core.NoWatermark || mark == core.LastWatermark:
		return ""
	}
	return r.say("; watermark %s behind", "; 워터마크 %s 뒤처짐", span(r.v.At-mark*event.Millisecond))
}

func (r *reader) log(id event.Task) string {
	v, i, t := r.task(id)
	if t == nil {
		return ""
	}
	l := &t.Log
	text := r.say("log of %s: lag %s", "%s의 로그: 밀린 양 %s", r.name(v, i), count(l.Arrived-l.Read))
	if l.OldestWait > 0 {
		text += r.say(", oldest waits %s", ", 가장 오래된 것 %s", tenth(l.OldestWait))
	}
	for k := range l.Marks {
		m := &l.Marks[k]
		state := r.say("in progress", "진행 중")
		if m.Completed {
			state = r.say("completed", "완료")
		}
		text += r.say("; checkpoint %d at offset %s, %s", "; 체크포인트 %d 오프셋 %s, %s", m.Checkpoint, count(m.Position), state)
	}
	if l.ReplayTo > l.Read {
		return text + r.say("; reads %s records again", "; %s건을 다시 읽는다", count(l.ReplayTo-l.Read))
	}
	return text + r.say("; a failure now would read %s records again", "; 지금 실패하면 %s건을 다시 읽는다", count(l.ReadAgain))
}

func (r *reader) output(id event.Task) string {
	v, i, t := r.task(id)
	if t == nil {
		return ""
	}
	o := &t.Output
	text := r.name(v, i) + ": "
	if o.Guarantee != core.ExactlyOnce {
		return text + r.say("%s records written, visible at once, %s of them again", "%s건 씀, 바로 보임, 그중 %s건 중복",
			count(o.Written), count(o.Duplicates))
	}
	if o.Lost > 0 {
		text += r.say("%s records lost, their transaction was open for too long; ", "트랜잭션이 너무 오래 열려 있어 %s건을 잃음; ", count(o.Lost))
	}
	for k := range o.Transactions {
		text += r.transaction(&o.Transactions[k]) + "; "
	}
	if o.VisibleUpTo == 0 {
		return text + r.say("a read_committed reader sees nothing yet", "read_committed 소비자는 아직 아무것도 못 본다")
	}
	return text + r.say("a read_committed reader sees %s records, up to checkpoint %d", "read_committed 소비자는 %s건, 체크포인트 %d까지 본다",
		count(o.Visible), o.VisibleUpTo)
}

// transaction says what must happen for its records to be visible.
func (r *reader) transaction(tx *core.TransactionView) string {
	if tx.Checkpoint == 0 {
		return r.say("open transaction: %s records, open since %s; the next barrier must come and its checkpoint complete",
			"열린 트랜잭션: %s건, %s부터. 다음 배리어가 오고 그 체크포인트가 완료되어야 보인다", count(tx.Records), tenth(tx.Since))
	}
	return r.say("pre-committed for checkpoint %d: %s records, open since %s; the checkpoint must complete",
		"체크포인트 %d에 pre-committed: %s건, %s부터. 체크포인트가 완료되어야 보인다", tx.Checkpoint, count(tx.Records), tenth(tx.Since))
}

// ack says when a subtask acknowledged the newest checkpoint, or what it waits for.
func (r *reader) ack(id event.Task) string {
	v, i, t := r.task(id)
	n := len(r.v.Coord.Pending)
	if t == nil || n == 0 {
		return ""
	}
	p := &r.v.Coord.Pending[n-1]
	name := r.name(v, i)
	if p.Acks[id] {
		if at, ok := r.acked(id, p.Checkpoint); ok {
			return r.say("%s acknowledged checkpoint %d after %s", "%s: 체크포인트 %d{을/를} %s 만에 확인", name, p.Checkpoint, span(at-p.Triggered))
		}
		return r.say("%s acknowledged checkpoint %d", "%s: 체크포인트 %d 확인", name, p.Checkpoint)
	}
	switch t.State {
	case core.Aligning:
		return r.say("%s waits for barrier %d from %d of %d channels", "%s: 배리어 %d{을/를} 채널 %[4]d개 중 %[3]d개에서 기다린다",
			name, p.Checkpoint, t.ToAlign-t.Aligned, t.ToAlign)
	case core.Syncing:
		return r.say("%s takes the snapshot of checkpoint %d", "%s: 체크포인트 %d의 스냅샷을 뜬다", name, p.Checkpoint)
	case core.Uploading:
		return r.say("%s uploads the state of checkpoint %d", "%s: 체크포인트 %d의 상태를 올린다", name, p.Checkpoint)
	}
	return r.say("%s: barrier %d has not come", "%s: 배리어 %d{이/가} 아직 오지 않았다", name, p.Checkpoint)
}

func (r *reader) acked(id event.Task, cp event.Checkpoint) (event.Time, bool) {
	if c := r.record(cp); c != nil && int(id) < len(c.Tasks) && c.Tasks[id].Acked >= 0 {
		return c.Tasks[id].Acked, true
	}
	return 0, false
}

// record is the history's entry of a checkpoint.
func (r *reader) record(cp event.Checkpoint) *core.CheckpointRecord {
	if r.h == nil {
		return nil
	}
	for i := range r.h.Checkpoints {
		if r.h.Checkpoints[i].ID == cp {
			return &r.h.Checkpoints[i]
		}
	}
	return nil
}

func (r *reader) coordinator() string {
	c := &r.v.Coord
	if c.JobFailed {
		return r.say("The job has failed.", "작업이 실패했다.")
	}
	if c.JobFinished {
		return r.say("The job has finished.", "작업이 끝났다.")
	}
	if c.RestartingTill == event.Never {
		return r.say("The job waits for a task that cannot be cancelled.", "취소되지 않는 태스크를 기다린다.")
	}
	if c.RestartingTill > r.v.At {
		return r.say("The job restarts in %s.", "%s 뒤 재시작한다.", span(c.RestartingTill-r.v.At))
	}
	if c.Stalled {
		return r.say("The JobManager's process stands still: nothing is triggered, acknowledged or timed out until it goes on.",
			"JobManager의 프로세스가 멈춰 있다. 다시 돌 때까지 아무것도 시작하거나 확인하거나 만료시키지 못한다.")
	}
	text := r.say("No checkpoint in progress", "진행 중인 체크포인트 없음")
	if n := len(c.Pending); n > 0 {
		p, done := &c.Pending[n-1], 0
		for _, a := range p.Acks {
			done += int(flag(a))
		}
		text = r.say("Checkpoint %d: %d of %d acknowledged, %s of %s", "체크포인트 %d: %[3]d개 중 %[2]d개 확인, %[5]s 중 %[4]s",
			p.Checkpoint, done, len(p.Acks), span(r.v.At-p.Triggered), span(p.Timeout))
	}
	if c.LastCompleted != 0 {
		text += r.say("; last completed %d in %s", "; 마지막 완료 %d, %s", c.LastCompleted, span(c.LastDuration))
	}
	return text
}

// budget says what one of the time-budget bars is: the log, the exchanges, the output.
func (r *reader) budget(i int) string {
	b := &r.v.Budget
	switch {
	case i == 0:
		return r.say("The oldest invisible record is %s old and waited %s in the log.", "아직 안 보이는 가장 오래된 레코드는 %s 지났고 로그에서 %s 기다렸다.",
			tenth(b.Age), tenth(b.Log))
	case i <= len(b.Exchanges) && len(b.Exchanges) != len(r.v.Exchanges):
		return r.say("It spent %s in the buffers of hop %d.", "%[2]d번째 구간의 버퍼에서 %[1]s 보냈다.", tenth(b.Exchanges[i-1]), i)
	case i <= len(b.Exchanges):
		e := &r.v.Exchanges[i-1]
		return r.say("It spent %s between %s and %s.", "%[2]s{과/와} %[3]s 사이에서 %[1]s 보냈다.", tenth(b.Exchanges[i-1]),
			r.v.Vertices[e.From].Name, r.v.Vertices[e.To].Name)
	}
	return r.say("It has been in a transaction for %s.", "트랜잭션에 %s 있었다.", tenth(b.Output))
}
