package observed

import (
	"math"
	"slices"
	"strings"
)

// overview is the answer of /jobs/:id/checkpoints (CheckpointingStatistics): counts since the job's start, statistics of completed
// checkpoints, the latest ones and the last of the history.
func (s *Seen) overview(v any) {
	var t *tally
	if counts := of(v, "counts"); counts != nil {
		t = &tally{}
		for _, f := range []struct {
			name string
			to   *int64
		}{{"total", &t.total}, {"completed", &t.completed}, {"failed", &t.failed}, {"in_progress", &t.running}, {"restored", &t.restored}} {
			*f.to = number(of(counts, f.name))
			s.count("counts."+f.name, *f.to)
		}
	}
	var all []Checkpoint
	for _, e := range list(of(v, "history")) {
		all = append(all, checkpointOf(e))
	}
	s.count("history.length", int64(len(all)))
	summary := of(v, "summary")
	s.summaries(summary, t)
	for _, name := range []string{"completed", "failed", "savepoint"} {
		if e := of(v, "latest", name); e != nil {
			c := checkpointOf(e)
			s.checkpoint("latest."+name, &c)
			if len(all) == 0 || name == "failed" && !contains(all, c.ID) {
				all = append(all, c)
			}
		}
	}
	if r := of(v, "latest", "restored"); r != nil {
		s.count("latest.restored.id", number(of(r, "id")))
	}
	if t != nil && t.total == 0 && len(all) == 0 {
		s.warn(0, "No checkpoint yet: none was triggered since the job started. If that stays so: are all tasks RUNNING, has a source finished, is execution.checkpointing.interval set?",
			"아직 체크포인트가 없다. 잡이 시작한 뒤 하나도 트리거되지 않았다. 계속 그렇다면 태스크가 모두 RUNNING인지, 끝난 소스가 있는지, execution.checkpointing.interval이 있는지 본다.")
		return
	}
	s.judge(all, t)
	s.outlier(summary, all)
	s.version(v, all)
}

func contains(all []Checkpoint, id int64) bool {
	for i := range all {
		if all[i].ID == id {
			return true
		}
	}
	return false
}

// summaries are the statistics of completed checkpoints.
func (s *Seen) summaries(summary any, t *tally) {
	if summary == nil || t != nil && t.completed == 0 {
		return
	}
	for _, f := range []struct {
		of   string
		time bool
	}{{"end_to_end_duration", true}, {"checkpointed_size", false}, {"state_size", false}, {"persisted_data", false}} {
		for _, q := range []string{"min", "avg", "p50", "p99", "max"} {
			x := of(summary, f.of, q)
			switch n := number(x); {
			case x == nil:
			case f.time:
				s.span("summary."+f.of+"."+q, ms(n))
			default:
				s.size("summary."+f.of+"."+q, bytes(n))
			}
		}
	}
}

// outstanding is how many times the mean a longest duration has to be to be told.
const outstanding = 4

// outlier: a longest duration far above the mean, which then says little.
func (s *Seen) outlier(summary any, all []Checkpoint) {
	most, mean := number(of(summary, "end_to_end_duration", "max")), number(of(summary, "end_to_end_duration", "avg"))
	half := real(of(summary, "end_to_end_duration", "p50"))
	if mean <= 0 || most < outstanding*mean {
		return
	}
	for i := range all {
		if c := &all[i]; c.Status == Completed && int64(c.Duration) == most {
			s.warn(c.Line, "One stands out: checkpoint %d took %s, the longest of all, while the mean is %s. The mean says little here; look at that one.", "하나가 튄다. 체크포인트 %d: 가장 오래 걸린 %s, 평균은 %s. 여기서 평균은 말해 주는 것이 적다. 그 하나를 본다.", c.ID, ms(most), ms(mean))
			return
		}
	}
	if math.IsNaN(half) {
		s.warn(0, "The longest took %s, the mean is %s: one or a few stand out, none of the shown ones.", "가장 긴 것은 %s, 평균은 %s. 하나나 몇 개가 튀지만 보이는 것 가운데에는 없다.", ms(most), ms(mean))
		return
	}
	s.warn(0, "The longest took %s, half of them no more than %s, the mean is %s: one or a few stand out, none of the shown ones.", "가장 긴 것은 %s, 절반은 %s 이하, 평균은 %s. 하나나 몇 개가 튀지만 보이는 것 가운데에는 없다.", ms(most), ms(half), ms(mean))
}

// version says what an older answer does not have, and what a field of it means.
func (s *Seen) version(v any, all []Checkpoint) {
	duration, _ := of(v, "summary", "end_to_end_duration").(*object)
	old := false
	for i := range all {
		old = old || all[i].Old
	}
	missing := []string{}
	if duration != nil && !has(duration, "p50") {
		missing = append(missing, "percentiles")
	}
	if of(v, "summary", "state_size") != nil && of(v, "summary", "checkpointed_size") == nil {
		missing = append(missing, "checkpointed_size")
	}
	if len(missing) > 0 {
		s.remark(0, "An older version of Flink: the answer has no %s.", "옛 버전의 Flink다. 응답에 %s 항목이 없다.", strings.Join(missing, ", "))
	}
	if slices.Contains(missing, "checkpointed_size") {
		s.remark(0, "Without checkpointed_size, state_size is what a checkpoint added, not all that it refers to.", "checkpointed_size가 없으면 state_size는 전체가 아니라 그 체크포인트가 더한 크기다.")
	}
	if of(v, "summary", "alignment_buffered") != nil {
		s.buffered(v, all, old)
	}
}

// buffered: until 1.10 aligning tasks kept the records of channels that were ahead, and told how much; since 1.11 nothing is kept,
// and the field is 0 whatever happens.
func (s *Seen) buffered(v any, all []Checkpoint, old bool) {
	most := bytes(number(of(v, "summary", "alignment_buffered", "max")))
	for i := range all {
		most = max(most, all[i].Buffered)
	}
	if !old {
		s.remark(0, "alignment_buffered is not reported since Flink 1.11, it is always 0: that is no sign of health. Alignment shows in the subtasks' alignment duration.", "alignment_buffered는 1.11부터 늘 0이다. 보고하지 않는 값이며 정상이라는 뜻이 아니다. 정렬은 서브태스크의 정렬 시간에서 본다.")
		return
	}
	if most <= 0 {
		s.remark(0, "Nothing was buffered during alignment.", "정렬하는 동안 쌓인 것이 없다.")
		return
	}
	rising := len(all) > 2
	for i := 1; i < len(all); i++ {
		rising = rising && all[i-1].Buffered > all[i].Buffered
	}
	how, wie := "", ""
	if rising {
		how, wie = ", and more with each checkpoint", ", 체크포인트마다 늘어난다"
	}
	s.warn(0, "Up to %s were buffered during alignment%[2]s: Flink until 1.10 kept what came on channels that were ahead. That costs latency, not checkpoint size; one input is slower than others. Newer versions report 0 there whatever happens.",
		"정렬하는 동안 %s까지 쌓였다%[3]s. 1.10까지의 Flink는 앞선 채널의 레코드를 쌓아 두었다. 체크포인트 크기가 아니라 지연이 늘어난다. 한 입력이 다른 입력보다 느리다. 새 버전은 늘 0으로 적는다.", most, how, wie)
}
