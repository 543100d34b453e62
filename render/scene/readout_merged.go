package scene

import (
	"checkpointlab/core"
	"checkpointlab/core/event"
)

// states counts the subtasks of an operator that do something else than running.
func (r *reader) states(w *core.VertexView) (text string) {
	var counts [len(glyphs)]int
	for i := range w.Tasks {
		counts[w.Tasks[i].State]++
	}
	for state, n := range counts {
		if n > 0 && core.TaskState(state) != core.Running {
			text += r.say("; %d %s", "; %[2]s %[1]d개", n, r.word(glyphs[state].word))
		}
	}
	return text
}

// merged names an operator with its parallelism.
func (r *reader) merged(w *core.VertexView) string {
	return r.say("%s ×%d", "%s ×%d", w.Name, len(w.Tasks))
}

// acks says how many subtasks of an operator have acknowledged the newest checkpoint.
func (r *reader) acks(id event.Task) string {
	v, _, t := r.task(id)
	n := len(r.v.Coord.Pending)
	if t == nil || n == 0 {
		return ""
	}
	c, w, done := &r.v.Coord.Pending[n-1], &r.v.Vertices[v], 0
	for i := range w.Tasks {
		done += int(flag(c.Acks[w.Tasks[i].Task]))
	}
	return r.say("%s: %d have acknowledged checkpoint %d", "%s: %d개가 체크포인트 %d{을/를} 확인했다", r.merged(w), done, c.Checkpoint) + r.states(w)
}

// logs sums what the subtasks of a source have to read.
func (r *reader) logs(id event.Task) string {
	v, _, t := r.task(id)
	if t == nil {
		return ""
	}
	w := &r.v.Vertices[v]
	sum := sumLogs(w)
	text := r.say("logs of %s: lag %s", "%s의 로그: 밀린 양 %s", r.merged(w), count(sum.Arrived-sum.Read))
	if worst := &w.Tasks[sum.worst].Log; worst.Arrived > worst.Read {
		text += r.say(", most at %s with %s", ", 가장 많은 곳 %s, %s", r.name(v, sum.worst), count(worst.Arrived-worst.Read))
	}
	if sum.OldestWait > 0 {
		text += r.say(", oldest waits %s", ", 가장 오래된 것 %s", tenth(sum.OldestWait))
	}
	return text + r.say("; a failure now would read %s records again", "; 지금 실패하면 %s건을 다시 읽는다", count(sum.ReadAgain))
}

// outputs sums what the subtasks of a sink have written.
func (r *reader) outputs(id event.Task) string {
	v, _, t := r.task(id)
	if t == nil {
		return ""
	}
	w := &r.v.Vertices[v]
	sum := sumOutputs(w)
	if t.Output.Guarantee != core.ExactlyOnce {
		return r.say("outputs of %s: %s records visible", "%s의 출력: 보이는 레코드 %s건", r.merged(w), count(sum.visible))
	}
	text := r.say("outputs of %s: %s records in open transactions", "%s의 출력: 열린 트랜잭션에 %s건", r.merged(w), count(sum.open))
	if sum.committing > 0 {
		text += r.say(", %s pre-committed for checkpoint %d", ", 체크포인트 %[2]d에 pre-committed %[1]s건", count(sum.committing), sum.commits)
	}
	if sum.upTo == 0 {
		return text + r.say("; a read_committed reader sees nothing yet", "; read_committed 소비자는 아직 아무것도 못 본다")
	}
	return text + r.say("; a read_committed reader sees %s records, up to checkpoint %d", "; read_committed 소비자는 %s건, 체크포인트 %d까지 본다",
		count(sum.visible), sum.upTo)
}
