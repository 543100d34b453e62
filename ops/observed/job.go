package observed

import (
	"math"
	"strconv"
	"strings"
)

// job is the answer of /jobs/:id: state, vertices, where their time went, and the plan.
func (s *Seen) job(v any) {
	state := textOf(of(v, "state"))
	if has(v, "name") || state != "" { // else somebody has cut the vertices out
		s.word("name", textOf(of(v, "name")))
		s.word("state", state)
		s.span("duration", ms(number(of(v, "duration"))))
	}
	switch state {
	case "RESTARTING", "FAILING", "FAILED":
		s.warn(0, "The job is %s: what failed stands in …/exceptions.", "잡의 상태: %s. 무엇이 실패했는지는 …/exceptions에 있다.", state)
	case "SUSPENDED":
		s.warn(0, "The job is SUSPENDED: its JobManager lost the leadership.", "잡의 상태: SUSPENDED. JobManager가 리더가 아니게 되었다.")
	}
	vertices := list(of(v, "vertices"))
	for _, x := range vertices {
		s.vertex(x)
	}
	s.bottleneck(vertices)
	s.plan(v)
	if most, ok := of(v, "maxParallelism").(float64); ok && most < 0 {
		s.remark(0, "maxParallelism is -1 for the job: it is not set; each vertex has its own, fixed with its first state.", "잡의 maxParallelism은 -1이다. 정하지 않았다는 뜻이고, 정점마다 제 값이 있어 첫 상태와 함께 굳는다.")
	}
}

// vertex says how many of a vertex's subtasks run, and where its time went.
func (s *Seen) vertex(x any) {
	name := shortName(textOf(of(x, "name")))
	all := number(of(x, "parallelism"))
	s.count("vertices."+name+".parallelism", all)
	if n := number(of(x, "tasks", "INITIALIZING")); n > 0 {
		s.warn(lineOf(x), "%s: %d of %d subtasks are INITIALIZING: they still restore their state, and no checkpoint completes until they run.", "%s: 서브태스크 %[3]d개 가운데 %[2]d개가 INITIALIZING이다. 아직 상태를 복원하는 중이고, 실행될 때까지 체크포인트는 완료되지 않는다.", name, n, all)
	}
	for _, state := range []string{"CREATED", "SCHEDULED", "DEPLOYING"} {
		if n := number(of(x, "tasks", state)); n > 0 {
			s.warn(lineOf(x), "%s: %d of %d subtasks are %s: they wait for slots or for their start.", "%s: 서브태스크 %[3]d개 가운데 %[2]d개가 %[4]s. 슬롯이나 시작을 기다린다.", name, n, all, state)
		}
	}
	if n := number(of(x, "tasks", "FINISHED")); n > 0 && n <= all {
		s.remark(lineOf(x), "%s: %d of %d subtasks have FINISHED: checkpoints go on without them only with execution.checkpointing.checkpoints-after-tasks-finish (the default since 1.15).", "%s: 서브태스크 %[3]d개 가운데 %[2]d개가 FINISHED. 체크포인트는 execution.checkpointing.checkpoints-after-tasks-finish가 켜져 있어야 계속된다(1.15부터 기본값).", name, n, all)
	}
	for _, state := range []string{"FAILED", "CANCELED", "CANCELING"} {
		if n := number(of(x, "tasks", state)); n > 0 {
			s.warn(lineOf(x), "%s: %d of %d subtasks are %s.", "%s: 서브태스크 %[3]d개 가운데 %[2]d개가 %[4]s.", name, n, all, state)
		}
	}
	if busy := of(x, "metrics", "accumulated-busy-time"); busy != nil && math.IsNaN(real(busy)) {
		s.remark(lineOf(x), "%s: busy time is NaN: sources of the old interface (SourceFunction) do not measure it; it is unknown, not 0.", "%s: busy 시간이 NaN이다. 옛 인터페이스(SourceFunction)의 소스는 재지 않는다. 0이 아니라 모르는 값이다.", name)
	}
}

// uneven is how many times the mean a subtask's records have to be to be told.
const uneven = 1.5

// vertexDetails is the answer of …/vertices/:vid: one vertex, subtask by subtask.
func (s *Seen) vertexDetails(v any) {
	name := shortName(textOf(of(v, "name")))
	s.count("vertices."+name+".parallelism", number(of(v, "parallelism")))
	var sum, most float64
	all, top := list(of(v, "subtasks")), 0
	for i, t := range all {
		in, busy := real(of(t, "metrics", "read-records")), real(of(t, "metrics", "accumulated-busy-time"))
		s.word("subtasks."+strconv.Itoa(i), textOf(of(t, "status"))+", "+mille(in)+" records in, "+mille(real(of(t, "metrics", "write-records")))+" out, busy for "+mille(busy)+" ms")
		if sum += in; in > most {
			most, top = in, i
		}
	}
	if mean := sum / float64(max(1, len(all))); most > uneven*mean && len(all) > 1 {
		s.warn(lineOf(v), "%s: subtask %d has read %s times as many records as the mean: skewed keys, or partitions that are not alike.", "%s: 서브태스크 %d: 평균의 %s배를 읽었다. 키가 쏠렸거나 파티션이 고르지 않다.", name, top, strconv.FormatFloat(most/mean, 'f', 1, 64))
	}
}

// shortName is a vertex's name as a sentence takes it.
func shortName(name string) string {
	if r := []rune(name); len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return name
}

// spent are the shares of a vertex's time so far, per mille of all of its subtasks' time; NaN = not known. Without a duration that is what
// the three come to together.
func spent(x any) (busy, pressed, idle float64) {
	time := func(name string) float64 { return real(of(x, "metrics", "accumulated-"+name+"-time")) }
	busy, pressed, idle = time("busy"), time("backpressured"), time("idle")
	all := float64(number(of(x, "duration")) * max(1, number(of(x, "parallelism"))))
	if all <= 0 {
		all = busy + pressed + idle
	}
	each := 1000 / max(1, all)
	return busy * each, pressed * each, idle * each
}

// bottleneck is the vertex that is not held up itself while the one before it is.
func (s *Seen) bottleneck(vertices []any) {
	for i, x := range vertices {
		busy, pressed, idle := spent(x)
		if !math.IsNaN(pressed) && pressed >= 0 {
			s.word("vertices."+shortName(textOf(of(x, "name")))+".time", "busy "+mille(busy)+", back-pressured "+mille(pressed)+", idle "+mille(idle)+" ms/s")
		}
		if i == 0 {
			continue
		}
		_, before, _ := spent(vertices[i-1])
		if before > 500 && pressed < 200 {
			s.warn(lineOf(x), "%s is back-pressured most of the time, %s behind it is not: the latter sets the throughput, and barriers wait in front of it. These are means since each task began.", "%s: 대부분의 시간 동안 백프레셔를 받는다. 그 뒤의 %s: 받지 않는다. 처리량은 뒤의 것이 정하고 배리어도 그 앞에서 기다린다. 태스크가 시작한 뒤의 평균이다.",
				shortName(textOf(of(vertices[i-1], "name"))), shortName(textOf(of(x, "name"))))
		}
	}
}

func mille(x float64) string {
	if math.IsNaN(x) {
		return "unknown"
	}
	return strconv.FormatFloat(x, 'f', 0, 64)
}

// plan names the exchanges.
func (s *Seen) plan(v any) {
	names := map[string]string{}
	for _, n := range list(of(v, "plan", "nodes")) {
		names[textOf(of(n, "id"))] = shortName(strings.ReplaceAll(textOf(of(n, "description")), "<br/>", ""))
	}
	for _, n := range list(of(v, "plan", "nodes")) {
		for _, in := range list(of(n, "inputs")) {
			ship := textOf(of(in, "ship_strategy"))
			s.word("edges."+names[textOf(of(in, "id"))]+" → "+names[textOf(of(n, "id"))], ship)
			if ship == "FORWARD" || ship == "RESCALE" || ship == "BROADCAST" {
				s.remark(lineOf(n), "%s carries no unaligned barriers: into that vertex checkpoints stay aligned.", "%s 교환은 unaligned 배리어를 나르지 않는다. 그 정점으로는 정렬 체크포인트로 남는다.", ship)
			}
		}
	}
}

// backpressure is the answer of …/vertices/:vid/backpressure. Levels as Flink draws them: above 10 % low, above 50 % high
// (JobVertexBackPressureHandler).
func (s *Seen) backpressure(v any) {
	if textOf(of(v, "status")) == "deprecated" {
		s.remark(0, "No samples yet (status deprecated): ask again after a few seconds.", "아직 표본이 없다(status deprecated). 몇 초 뒤에 다시 묻는다.")
	}
	level := levelOf(v)
	s.word("backpressureLevel", level)
	var high, unknown, free, busiest []string
	for i, t := range list(of(v, "subtasks")) {
		n := number(of(t, "subtask"))
		if n < 0 {
			n = int64(i)
		}
		name := strconv.FormatInt(n, 10)
		ratio, busy, idle := real(of(t, "ratio")), real(of(t, "busyRatio")), real(of(t, "idleRatio"))
		s.word("subtasks."+name, levelOf(t)+", back-pressured "+hundred(ratio)+", idle "+hundred(idle)+", busy "+hundred(busy))
		if levelOf(t) == "high" {
			high = append(high, name)
		}
		if ratio <= 0.1 {
			free = append(free, name)
			if math.IsNaN(busy) && has(t, "busyRatio") {
				unknown = append(unknown, name)
			}
		}
		if busy > 0.9 {
			busiest = append(busiest, name)
		}
	}
	switch {
	case len(high) > 0:
		s.warn(0, "Subtasks %s are back-pressured for more than half of the time: what holds them up is behind this vertex. Follow the exchange down to the first vertex that is busy and not back-pressured.", "서브태스크 %s: 절반 넘는 시간 동안 백프레셔를 받는다. 원인은 이 정점의 뒤쪽에 있다. 교환을 따라 내려가 바쁘면서 백프레셔는 받지 않는 첫 정점을 찾는다.", strings.Join(high, ", "))
	case level == "ok":
		s.remark(0, "This vertex is not back-pressured.", "이 정점은 백프레셔를 받지 않는다.")
	}
	if len(busiest) > 0 {
		s.warn(0, "Subtasks %s are busy nearly all of the time: this vertex is the bottleneck if the one before it is back-pressured.", "서브태스크 %s: 거의 내내 바쁘다. 앞 정점이 백프레셔를 받는다면 병목은 이 정점이다.", strings.Join(busiest, ", "))
	}
	if len(unknown) > 0 && len(high) > 0 {
		s.warn(0, "Subtask %s has no back pressure, and how busy it is is unknown (NaN): a hot or an idle one. Its records per second tell which.", "서브태스크 %s: 백프레셔가 없고 얼마나 바쁜지는 모른다(NaN). 몰렸거나 노는 것이다. 초당 레코드 수로 가른다.", strings.Join(unknown, ", "))
	} else if len(free) > 0 && len(high) > 0 {
		s.remark(0, "Subtasks %s are not back-pressured, unlike the others: the exchange behind them does not spread records evenly, or they get fewer.", "서브태스크 %s: 나머지와 달리 백프레셔가 없다. 뒤의 교환이 고르게 나누지 않거나, 받는 레코드가 적다.", strings.Join(free, ", "))
	}
}

// levelOf reads both spellings.
func levelOf(v any) string {
	if level := textOf(of(v, "backpressureLevel")); level != "" {
		return level
	}
	return textOf(of(v, "backpressure-level"))
}

func hundred(x float64) string {
	if math.IsNaN(x) {
		return "unknown"
	}
	return strconv.FormatFloat(x*100, 'f', 0, 64) + " %"
}
