package rebuild

import (
	"math"
	"strconv"

	"checkpointlab/core/option"
	"checkpointlab/ops/observed"
)

// leastState is the state of a vertex from which on it is told how much of it a checkpoint adds, in bytes.
const leastState = 64 << 10

// state sets what each vertex hands to a checkpoint, by the completed ones that are told of in detail: how long the synchronous and
// the asynchronous part of its slowest subtask take, how much state there is, how much a checkpoint adds.
func (r *Rebuilt) state() {
	if r.interval == 0 {
		return
	}
	told := 0
	for i := range r.vertices {
		v := &r.vertices[i]
		all := r.detailed(v)
		told = max(told, len(all))
		r.snapshot(v, all)
	}
	if told == 0 {
		r.assume(option.Warning, "What checkpoints store and for how long is not told by vertex: add …/checkpoints/details/:cid of a completed one and its …/subtasks/:vid. Here state is empty and storing it takes no time.",
			"체크포인트가 무엇을 얼마나 오래 저장하는지 정점별로 나와 있지 않다. 완료된 것의 …/checkpoints/details/:cid와 그 …/subtasks/:vid를 더한다. 여기서는 상태가 비어 있고 저장에 시간이 들지 않는다.")
	}
}

// detailed are the completed checkpoints, no savepoints, of which it is told what the vertex did.
func (r *Rebuilt) detailed(v *vertex) (all []observed.Whole) {
	for i := range r.job.Checkpoints {
		c := &r.job.Checkpoints[i]
		if w, ok := v.Checkpoints[c.ID]; ok && !c.Savepoint && c.Status == observed.Completed {
			all = append(all, w)
		}
	}
	return all
}

// slowest is the mean over checkpoints of the greatest value that a subtask has; NaN if none is told.
func slowest(all []observed.Whole, of func(*observed.SubtaskPart) int64) float64 {
	sum, n := 0.0, 0
	for i := range all {
		most := int64(-1)
		for k := range all[i].Subtasks {
			if p := &all[i].Subtasks[k]; p.Done {
				most = max(most, of(p))
			}
		}
		if most >= 0 {
			sum, n = sum+float64(most), n+1
		}
	}
	if n == 0 {
		return math.NaN()
	}
	return sum / float64(n)
}

func (r *Rebuilt) snapshot(v *vertex, all []observed.Whole) {
	n := 0
	for i := range all {
		if len(all[i].Subtasks) > 0 {
			n++
		}
	}
	state, stored := sizes(all)
	each := float64(v.Parallelism)
	put := func(key, value, en, ko string, values ...any) {
		v.fields = append(v.fields, line{"snapshot." + key, value, from(en, ko, values...)})
	}
	if sync := slowest(all, func(p *observed.SubtaskPart) int64 { return p.Sync }); sync >= 0.5 {
		put("sync", span(sync*1e6), "the slowest subtask's, mean of %d checkpoints", "가장 느린 서브태스크, 체크포인트 %d개의 평균", n)
	}
	if async := slowest(all, func(p *observed.SubtaskPart) int64 { return p.Async }); async >= 0.5 {
		put("async", span(async*1e6), "the slowest subtask's, mean of %d checkpoints", "가장 느린 서브태스크, 체크포인트 %d개의 평균", n)
	}
	if n == 0 && len(all) > 0 {
		r.assume(option.Info, "How long storing takes %s is not told: …/checkpoints/details/:cid/subtasks/%s has it. Here it takes no time.", "%s: 저장에 얼마나 걸리는지 나와 있지 않다. …/checkpoints/details/:cid/subtasks/%s 응답에 있다. 여기서는 시간이 들지 않는다.", v.name, v.ID)
	}
	if state >= 1 {
		put("size", number(state/each)+" b", "state of %s bytes in %d subtasks", "상태 %s바이트, 서브태스크 %d개", number(state), v.Parallelism)
	}
	if records := r.perCheckpoint(v); state >= leastState && stored < 0.9*state && records > 0 {
		put("change", number(max(1, stored/records))+" b", "a checkpoint adds %s bytes, %s records come between two", "체크포인트 하나가 %s바이트 더하고, 둘 사이에 레코드 %s건이 온다", number(stored), number(records))
	}
	r.stateSkew(v, all, state)
}

// sizes are a vertex's state and what a checkpoint adds, in bytes, data in flight left out: means over checkpoints. -1 = not told.
func sizes(all []observed.Whole) (state, stored float64) {
	state, stored = -1, -1
	for i := range all {
		w := &all[i]
		s, c := float64(w.State), float64(w.Stored)
		if held := float64(max(0, w.Persisted)); held > 0 {
			s, c = max(0, s-held), max(0, c-held)
		}
		if w.Stored < 0 { // before 1.15 the state's size is what was stored
			c = s
		}
		state, stored = max(0, state)+s/float64(len(all)), max(0, stored)+c/float64(len(all))
	}
	return state, stored
}

// perCheckpoint is how many records a vertex sees between two checkpoints.
func (r *Rebuilt) perCheckpoint(v *vertex) float64 {
	records := v.Work.RecordsIn
	if v.kind == "source" {
		records = v.out
	}
	return records / (v.Work.Span() * 1e6) * r.every()
}

// every is how far two checkpoints are apart, in ns: one that takes longer than the interval holds up the next.
func (r *Rebuilt) every() float64 {
	mean, _ := r.durations()
	return max(float64(r.interval), mean)
}

// stateSkew: the lab has one subtask with more state than the others, its first.
func (r *Rebuilt) stateSkew(v *vertex, all []observed.Whole, state float64) {
	if len(all) == 0 || len(all[0].Subtasks) < 2 || state < leastState {
		return
	}
	top, sum, where := int64(0), int64(0), int64(0)
	for _, p := range all[0].Subtasks {
		if sum += max(0, p.State); p.State > top {
			top, where = p.State, p.Index
		}
	}
	even := 1 / float64(len(all[0].Subtasks))
	if part := float64(top) / float64(max(1, sum)); part > 1.5*even {
		v.fields = append(v.fields, line{"snapshot.skew", strconv.FormatFloat(math.Round(part*1000)/1000, 'f', -1, 64), from("subtask %d has %d of %d bytes", "서브태스크 %d: 전체 %[3]d바이트 가운데 %[2]d바이트", where, top, sum)})
		r.assume(option.Info, "Subtask %d of %[2]s has %[3]s of its state; in the lab it is the first one, and all of them store as long as the slowest.", "%[2]s: 서브태스크 %[1]d 하나에 상태의 %[3]s. 랩에서는 첫 서브태스크가 그것이고, 저장 시간은 모두 가장 느린 것과 같다.", where, v.name, share(part))
	}
}
