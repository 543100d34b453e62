package observed

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"checkpointlab/core/option"
)

// tell says what a log shows: each job's checkpoints, failures and restarts, then exceptions.
func (l *logFile) tell(s *Seen) {
	var jobs []string
	for _, h := range l.all {
		if h.job != "" && !slices.Contains(jobs, h.job) {
			jobs = append(jobs, h.job)
		}
	}
	if len(jobs) > 1 {
		s.warn(0, "The log is of %d jobs (%s): ids of checkpoints are told by job.", "이 로그에는 잡이 %d개 있다(%s). 체크포인트 id는 잡마다 따로 센다.", len(jobs), strings.Join(shortened(jobs), ", "))
	}
	s.zone(l.all)
	if len(jobs) < 2 {
		l.job(s, l.all, "")
	} else {
		for _, job := range jobs {
			l.job(s, slices.DeleteFunc(slices.Clone(l.all), func(h happening) bool { return h.job != job }), job[:min(8, len(job))]+".")
		}
	}
	for _, r := range l.raised {
		s.exception(r.line, r.text)
	}
	slices.SortStableFunc(s.Notes, func(a, b option.Note) int { return cmp.Compare(uint(a.Line-1), uint(b.Line-1)) }) // those of no line at the end
}

func shortened(ids []string) (out []string) {
	for _, id := range ids {
		out = append(out, id[:min(8, len(id))])
	}
	return out
}

// zone compares the times of lines with the instants that triggers give: lines have the machine's zone.
func (s *Seen) zone(all []happening) {
	for _, h := range all {
		if h.do != triggered || !h.day || h.time < 1e12 {
			continue
		}
		ahead := h.at.Sub(time.UnixMilli(int64(h.time)).UTC())
		quarters := int64(ahead.Round(15*time.Minute) / (15 * time.Minute))
		if off := ahead - time.Duration(quarters)*15*time.Minute; quarters == 0 || ahead.Abs() > 15*time.Hour || off.Abs() > time.Minute {
			return
		}
		way, wohin := "ahead of", "앞선다"
		if quarters < 0 {
			way, wohin, quarters = "behind", "뒤진다", -quarters
		}
		hours := fraction(float64(quarters)/4, "h")
		s.remark(h.line, "The lines' times are %s %s the instants in them (UTC): they are in the machine's time zone. Do not compare them with UTC as they are.", "줄의 시각이 안에 든 시점(UTC)보다 %[1]s %[3]s. 머신의 시간대로 적은 것이다. 그대로 UTC와 견주지 않는다.", hours, way, wohin)
		return
	}
}

// story is what a job's lines come to.
type story struct {
	s         *Seen
	of        string // what facts begin with: the job, if there are several
	begun     map[int64]happening
	expired   map[int64]happening
	list      []Checkpoint
	ended     map[int64]bool // those in the list
	failedRow int64          // the count that the last failure told
	told      int            // facts of single checkpoints
}

// job tells one job's checkpoints in the order of lines.
func (l *logFile) job(s *Seen, all []happening, of string) {
	t := &story{s: s, of: of, begun: map[int64]happening{}, expired: map[int64]happening{}, ended: map[int64]bool{}, failedRow: -1}
	var before *happening
	for i := range all {
		h := &all[i]
		switch h.do {
		case triggered:
			t.trigger(h, before)
		case completed:
			t.complete(h)
		case timedOut:
			t.expire(h)
			before = h
		case declined:
			s.warn(h.line, "A task declined checkpoint %d (%s): its cause stands below that line.", "태스크가 체크포인트 %d 거부(%s). 원인은 그 줄 아래에 있다.", h.id, h.said)
		case lateAck:
			t.late(h)
		case failure:
			t.fail(h, l)
		case globalFailure:
			t.global(h, l)
		case stateChange:
			t.change(h)
		case restored:
			t.restore(h, all[:i])
		case fromNothing:
			s.warn(h.line, "No checkpoint was found: the job starts from the beginning (or from its savepoint), and what was processed is processed again.", "복원할 체크포인트가 없었다. 잡은 처음부터(또는 세이브포인트부터) 시작하고, 처리한 것을 다시 처리한다.")
		}
	}
	t.end()
}

// between is the time from one line to another; -1 if it is not known.
func between(a, b *happening) ms {
	if a == nil || a.at.IsZero() || b.at.IsZero() || a.day != b.day {
		return -1
	}
	d := b.at.Sub(a.at)
	if d < 0 && !a.day && d > -24*time.Hour {
		d += 24 * time.Hour
	}
	if d < 0 {
		return -1
	}
	return ms(d.Milliseconds())
}

// soon is how shortly after another's expiry a trigger follows it.
const soon = ms(1000)

func (t *story) trigger(h, expiry *happening) {
	t.begun[h.id] = *h
	if d := between(expiry, h); d >= 0 && d < soon {
		t.s.remark(h.line, "Checkpoint %d was triggered %s after %d had expired: execution.checkpointing.min-pause counts from the last completed one, it makes no pause after a failure.", "체크포인트 %[3]d 만료 뒤 %[2]s 만에 %[1]d 트리거. execution.checkpointing.min-pause는 마지막 완료부터 세므로 실패 뒤에는 쉬지 않는다.", h.id, d, expiry.id)
	}
}

// unknown is a checkpoint of which a line tells the id.
func unknown(h *happening) Checkpoint {
	c := nothing
	c.ID, c.Line = h.id, h.line
	return c
}

func (t *story) add(c Checkpoint) {
	t.list, t.ended[c.ID] = append(t.list, c), true
}

// behind is the exception that stands on a line or right behind it.
func (l *logFile) behind(line int) string {
	for _, r := range l.raised {
		if r.line >= line && r.line <= line+2 {
			return r.text
		}
	}
	return ""
}

func (t *story) complete(h *happening) {
	c := unknown(h)
	c.Status, c.Duration, c.State = Completed, h.time, h.size
	if b, ok := t.begun[h.id]; ok {
		c.Trigger, c.Savepoint = b.time, strings.Contains(strings.ToUpper(b.said), "SAVEPOINT")
		if c.Duration < 0 {
			c.Duration = between(&b, h)
		}
	}
	t.add(c)
	if h.last > 10_000 {
		t.s.warn(h.line, "Finalization of checkpoint %d took %s: the JobManager writes metadata slowly; the checkpoint timeout does not end that.", "체크포인트 %d 마무리에 %s 걸렸다. JobManager가 메타데이터를 느리게 쓴다. 체크포인트 timeout으로는 끝나지 않는다.", h.id, h.last)
	}
}

func (t *story) expire(h *happening) {
	c := unknown(h)
	c.Status, c.Failure = Failed, reasons[0].message
	if b, ok := t.begun[h.id]; ok {
		c.Trigger, c.Duration = b.time, between(&b, h)
	}
	if c.Duration > 0 {
		c.Duration = c.Duration.round()
		t.few(func() { t.s.span(t.of+"checkpoint."+digits(h.id)+".expired_after", c.Duration) })
	}
	t.expired[h.id] = *h
	t.add(c)
}

// round takes the milliseconds off with which two lines are written.
func (d ms) round() ms {
	if near := (d + 50) / 100 * 100; d > 1000 && max(d-near, near-d) < 50 {
		return near
	}
	return d
}

// late: an acknowledgement behind the expiry shows how long the checkpoint would have needed at the least.
func (t *story) late(h *happening) {
	b, ok := t.begun[h.id]
	if !ok {
		t.s.remark(h.line, "An acknowledgement of checkpoint %d came after it had expired.", "체크포인트 %d: 만료된 뒤에 확인이 왔다.", h.id)
		return
	}
	need := between(&b, h)
	e, known := t.expired[h.id]
	if timeout := between(&b, &e).round(); known && need > 0 && timeout > 0 && need > timeout {
		t.s.span(t.of+"checkpoint."+digits(h.id)+".needed", need)
		t.s.warn(h.line, "Checkpoint %d was acknowledged by this task %s after its trigger: it needed that at the least, and the timeout of %s was %d %% too short. What takes so long has to be found; a longer timeout makes it complete.", "체크포인트 %d: 트리거 뒤 %s 만에 이 태스크가 확인했다. 적어도 그만큼 필요했고 timeout %s 설정은 %d %% 모자랐다. 오래 걸리는 까닭을 찾는다. timeout을 늘리면 완료는 된다.", h.id, need, timeout, percent(int64(need-timeout), int64(need)))
	}
}

// fail: the manager counts a failure; the exception behind the line has its reason.
func (t *story) fail(h *happening, l *logFile) {
	if why := l.behind(h.line); why != "" && h.id >= 0 && !t.ended[h.id] {
		c := unknown(h)
		c.Status, c.Failure = Failed, why
		t.add(c)
	}
	if h.n >= 0 {
		t.failedRow = h.n
		t.few(func() { t.s.count(t.of+"checkpoint."+digits(h.id)+".failed_in_a_row_before", h.n) })
		if h.n > 0 {
			t.s.remark(h.line, "%d in a row had failed before this one.", "이것 앞에 %d번 잇달아 실패했다.", h.n)
		}
		return
	}
	if h.said != "" {
		r := reasonOf(h.said)
		t.s.remark(h.line, "A checkpoint was not triggered (%s): %s", "체크포인트가 트리거되지 않았다(%s): %[3]s", r.name, r.en, r.ko)
	}
}

// global: a restart that checkpoints have caused tells how many failures are tolerated.
func (t *story) global(h *happening, l *logFile) {
	by := slices.IndexFunc(l.raised, func(r raised) bool {
		return r.line >= h.line && r.line <= h.line+3 && strings.Contains(r.text, "Exceeded checkpoint tolerable failure threshold")
	}) >= 0
	if !by {
		t.s.warn(h.line, "A global failure: all of the job restarts.", "전역 실패다. 잡 전체가 재시작한다.")
		return
	}
	if t.failedRow >= 0 {
		t.s.count(t.of+"tolerable-failed-checkpoints.observed", t.failedRow)
		t.s.remark(h.line, "By the counts %d are tolerated.", "세어 보면 %d번까지 허용한다.", t.failedRow)
	}
}

func (t *story) change(h *happening) {
	switch {
	case strings.HasSuffix(h.said, "to RESTARTING"):
		t.s.remark(h.line, "The job restarts.", "잡이 재시작한다.")
	case strings.HasSuffix(h.said, "to FAILED"):
		t.s.warn(h.line, "The job has failed for good: the restart strategy allows no further restart, or it could not start.", "잡이 완전히 실패했다. 재시작 전략이 더는 허용하지 않거나 시작하지 못했다.")
	}
}

// restore: from which checkpoint the job goes on, and what is done again.
func (t *story) restore(h *happening, before []happening) {
	t.s.count(t.of+"restored.id", h.id)
	if h.time < 1e12 {
		return
	}
	at := time.UnixMilli(int64(h.time)).UTC().Format("2006-01-02 15:04:05")
	lost := ms(-1)
	for i := len(before) - 1; i >= 0; i-- {
		if b := &before[i]; b.do == triggered && b.time > 0 {
			if d := between(b, h); d >= 0 {
				lost = b.time + d - h.time
			}
			break
		}
	}
	if lost > 0 {
		t.s.span(t.of+"restored.reprocessed", lost)
		t.s.warn(h.line, "The job goes back to checkpoint %d of %s UTC: the work of %s since is done again.", "체크포인트 %d(%s UTC)에서 다시 시작한다. 그 뒤 %s 동안의 일을 다시 한다.", h.id, at, lost)
		return
	}
	t.s.warn(h.line, "The job goes back to checkpoint %d of %s UTC: all work since is done again.", "체크포인트 %d(%s UTC)에서 다시 시작한다. 그 뒤의 일을 다시 한다.", h.id, at)
}

// mostTold is how many facts of single checkpoints are stated; of more a summary is.
const mostTold = 24

func (t *story) few(state func()) {
	if t.told++; t.told <= mostTold {
		state()
	}
}

// completions states each checkpoint that completed, of many the least, the mean and the most.
func (t *story) completions() {
	done := slices.DeleteFunc(slices.Clone(t.list), func(c Checkpoint) bool { return c.Status != Completed })
	if len(done) <= mostTold/2 {
		for i := range done {
			c := &done[i]
			name := t.of + "checkpoint." + digits(c.ID)
			t.s.span(name+".end_to_end_duration", c.Duration)
			if c.State >= 0 {
				t.s.size(name+".size", c.State)
			}
		}
		return
	}
	by := func(a, b Checkpoint) int { return cmp.Compare(a.Duration, b.Duration) }
	sum := ms(0)
	for i := range done {
		sum += max(0, done[i].Duration)
	}
	t.s.count(t.of+"completed", int64(len(done)))
	t.s.count(t.of+"completed.last.id", done[len(done)-1].ID)
	t.s.span(t.of+"completed.end_to_end_duration.min", slices.MinFunc(done, by).Duration)
	t.s.span(t.of+"completed.end_to_end_duration.avg", sum/ms(len(done)))
	t.s.span(t.of+"completed.end_to_end_duration.max", slices.MaxFunc(done, by).Duration)
	t.s.size(t.of+"completed.last.size", done[len(done)-1].State)
}

// end judges the list, and says what never ended.
func (t *story) end() {
	open := 0
	for id := range t.begun {
		if !t.ended[id] {
			open++
		}
	}
	if len(t.begun) > 0 {
		t.s.count(t.of+"triggered", int64(len(t.begun)))
	}
	t.completions()
	if open > 0 && len(t.list) > 0 {
		t.s.remark(0, "%d were triggered, and no line says how they ended.", "트리거만 있고 어떻게 끝났는지 줄이 없는 것이 %d개다.", open)
	}
	if len(t.list) > 0 {
		t.s.judge(t.list, nil)
	}
}
