package observed

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// part is what one subtask of a vertex did for a checkpoint (SubtaskCheckpointStatistics). Times in ms, -1 = not known.
type part struct {
	index                                         int64
	done, unaligned, aborted                      bool
	total, delay, align, sync, async              ms
	state, stored, processed, persisted, buffered bytes
	line                                          int
}

func partOf(v any, place int) part {
	p := part{
		index: int64(place), total: ms(number(of(v, "end_to_end_duration"))), delay: ms(number(of(v, "start_delay"))), align: ms(number(of(v, "alignment", "duration"))),
		sync: ms(number(of(v, "checkpoint", "sync"))), async: ms(number(of(v, "checkpoint", "async"))), state: bytes(number(of(v, "state_size"))),
		stored: bytes(number(of(v, "checkpointed_size"))), processed: bytes(number(of(v, "alignment", "processed"))), persisted: bytes(number(of(v, "alignment", "persisted"))),
		buffered: bytes(number(of(v, "alignment", "buffered"))), line: lineOf(v),
	}
	if i := number(of(v, "index")); i >= 0 {
		p.index = i
	}
	p.unaligned, _ = of(v, "unaligned_checkpoint").(bool)
	p.aborted, _ = of(v, "aborted").(bool)
	p.done = textOf(of(v, "status")) == "completed" || p.total >= 0
	return p
}

// subtasks is the answer of …/checkpoints/details/:cid/subtasks/:vid: one vertex, subtask by subtask.
func (s *Seen) subtasks(v any) {
	c := checkpointOf(v)
	s.checkpoint("checkpoint", &c)
	var all []part
	for i, e := range list(of(v, "subtasks")) {
		all = append(all, partOf(e, i))
	}
	if !s.parts(all) {
		s.spread(of(v, "summary"))
	}
}

// parts says what subtasks show; false: none has done its part.
func (s *Seen) parts(all []part) bool {
	var done []part
	var missing []int64
	for _, p := range all {
		if p.done {
			done = append(done, p)
		} else {
			missing = append(missing, p.index)
		}
	}
	s.missing(missing, len(all))
	if len(done) == 0 {
		return false
	}
	last := slices.MaxFunc(done, func(a, b part) int { return int(a.total - b.total) })
	s.count("slowest.index", last.index)
	for _, f := range last.phases() {
		s.span("slowest."+strings.ReplaceAll(f.name, " ", "_"), f.time)
	}
	s.skew(done, last)
	s.slowest(last)
	s.flying(done)
	return true
}

// phase is one of the four times of a subtask, with what each asks for.
type phase struct {
	name, ko string
	time     ms
	en, rat  string // what it means, in both languages
}

func (p *part) phases() []phase {
	async := p.async
	if p.unaligned && async >= 0 && p.align > 0 {
		async = max(0, async-p.align) // of an unaligned one it contains the wait for the last barrier
	}
	return []phase{
		{"start delay", "start delay", p.delay, "the barrier came late: it waited behind records before this vertex (back pressure), or the vertex before it passed it on late", "배리어가 늦게 왔다. 이 정점 앞에서 레코드 뒤에 섰거나(백프레셔), 앞 정점이 늦게 넘겼다"},
		{"alignment", "정렬", p.align, "one input brought its barrier later than the others: skew between inputs, or back pressure on one", "한 입력의 배리어가 다른 입력보다 늦었다. 입력 사이의 쏠림이거나 한쪽의 백프레셔다"},
		{"sync", "동기 단계", p.sync, "the task's thread stands still meanwhile: a flush, a copy, a call in snapshotState", "그동안 태스크 스레드가 멈춘다. flush, 복사, snapshotState 안의 호출이다"},
		{"async", "비동기 단계", async, "bytes go to the storage: the size of this part and the storage's rate, not back pressure", "저장소로 올리는 시간이다. 백프레셔가 아니라 이 몫의 크기와 저장소 속도다"},
	}
}

// missing: subtasks that have not acknowledged.
func (s *Seen) missing(missing []int64, all int) {
	if len(missing) == 0 {
		return
	}
	s.count("subtasks.pending", int64(len(missing)))
	names := ""
	for i, m := range missing[:min(len(missing), 8)] {
		if i > 0 {
			names += ", "
		}
		names += strconv.FormatInt(m, 10)
	}
	if len(missing) > 8 {
		names += ", …"
	}
	s.warn(0, "%d of %d subtasks have not acknowledged (%s): look at these, their thread dump and their back pressure; the numbers below are those of the others.", "서브태스크 %[2]d개 가운데 %[1]d개가 확인하지 않았다(%[3]s). 그 스레드 덤프와 백프레셔를 본다. 아래 숫자는 나머지의 것이다.", len(missing), all, names)
}

// skewed is how many times the middle the largest of a vertex's subtasks has to be to be told.
const skewed = 3

// skew: one subtask with far more state than the middle one.
func (s *Seen) skew(done []part, last part) {
	if len(done) < 3 {
		return
	}
	sizes := slices.Clone(done)
	slices.SortFunc(sizes, func(a, b part) int { return int(min(1, max(-1, int64(a.size()-b.size())))) })
	half, most := sizes[len(sizes)/2], sizes[len(sizes)-1]
	if most.size() < 10<<20 || most.size() < skewed*half.size() {
		return
	}
	s.warn(most.line, "State skew: subtask %d has %s, the middle one %s (%s times as much). A hot key or a few: more subtasks do not split a key.", "상태 쏠림: 서브태스크 %d: %s, 중간값은 %s(%s배). 키 하나나 몇 개에 몰렸다. 서브태스크를 늘려도 키는 나뉘지 않는다.",
		most.index, most.size(), half.size(), times(int64(most.size()), int64(half.size())))
	if most.index == last.index && most.async > skewed*half.async && half.async >= 0 {
		s.warn(most.line, "It decides over the checkpoint: its asynchronous part took %s, the middle one's %s.", "체크포인트 시간을 이것이 정한다. 비동기 단계가 %s, 중간값은 %s.", most.async, half.async)
	}
}

func (p *part) size() bytes { return max(p.state, p.stored) }

// slowest says where the time of the last one went.
func (s *Seen) slowest(last part) {
	phases := last.phases()
	most := slices.MaxFunc(phases, func(a, b phase) int { return int(a.time - b.time) })
	if most.time < 0 || last.total < 1000 {
		return
	}
	if most.time*2 < last.total {
		s.remark(last.line, "Subtask %d acknowledged last, after %s, and none of its four phases has half of it (start delay %s, alignment %s, sync %s, async %s): the rest passed on the way of its acknowledgement, or the clocks of the machines differ.",
			"마지막으로 확인한 것은 서브태스크 %d(%s). 네 단계 어느 것도 절반이 안 된다(start delay %s, 정렬 %s, 동기 %s, 비동기 %s). 나머지는 확인이 오는 동안이거나 머신 시계의 차이다.",
			last.index, last.total, phases[0].time, phases[1].time, phases[2].time, phases[3].time)
		return
	}
	s.warn(last.line, "Subtask %d acknowledged last, after %s; most of it is %[3]s (%[5]s): %[6]s.", "마지막으로 확인한 것은 서브태스크 %d(%s). 대부분은 %[4]s(%[5]s): %[7]s.", last.index, last.total, most.name, most.ko, most.time, most.en, most.rat)
	if most.name == "async" && phases[0].time >= 0 && phases[0].time+max(0, phases[1].time) < last.total/10 {
		s.remark(last.line, "Start delay (%s) and alignment (%s) are normal: no back pressure on the barrier's way.", "start delay(%s)와 정렬(%s)은 정상이다. 배리어의 길에 백프레셔가 없다.", phases[0].time, phases[1].time)
	}
}

// flying: which subtask stores data in flight.
func (s *Seen) flying(done []part) {
	sum, most, unaligned := bytes(0), done[0], 0
	for _, p := range done {
		sum += max(0, p.persisted)
		if p.persisted > most.persisted {
			most = p
		}
		if p.unaligned {
			unaligned++
		}
	}
	if unaligned > 0 && unaligned < len(done) {
		s.remark(0, "%d of %d subtasks took it unaligned, the others aligned: the aligned-checkpoint-timeout passed at some of them only.", "서브태스크 %[2]d개 가운데 %[1]d개만 unaligned로 떴다. aligned-checkpoint-timeout이 일부에서만 지났다.", unaligned, len(done))
	}
	if sum > 1<<20 {
		s.remark(most.line, "Data in flight of %s is stored, %s of it by subtask %d.", "in-flight 데이터 %s 저장, 그 가운데 %s는 서브태스크 %d의 것이다.", sum, most.persisted, most.index)
	}
}

// spread says what the summary of a vertex shows where its subtasks are not in the text.
func (s *Seen) spread(summary any) {
	for _, f := range []struct {
		name string
		path []string
	}{{"duration", []string{"end_to_end_duration"}}, {"start delay", []string{"start_delay"}}, {"alignment", []string{"alignment", "duration"}}, {"sync", []string{"checkpoint_duration", "sync"}}, {"async", []string{"checkpoint_duration", "async"}}} {
		least, most := number(of(summary, append(slices.Clone(f.path), "min")...)), number(of(summary, append(slices.Clone(f.path), "max")...))
		if most < 0 {
			continue
		}
		s.span("summary."+strings.ReplaceAll(f.name, " ", "_")+".max", ms(most))
		mean := real(of(summary, append(slices.Clone(f.path), "avg")...))
		if most > 1000 && !math.IsNaN(mean) && float64(most) > skewed*mean {
			s.warn(0, "%s differs from subtask to subtask, from %s to %s: one of them is slow, not all.", "%s 값이 서브태스크마다 다르다. %s에서 %s까지다. 전체가 아니라 하나가 느리다.", f.name, ms(least), ms(most))
		}
	}
}
