package observed

import (
	"slices"
	"strconv"
	"strings"

	"checkpointlab/core/option"
)

// The answers of Flink's REST interface (docs/ops/rest_api, and the classes of org.apache.flink.runtime.rest.messages).

// answer is a kind of answer, told by fields that no other has.
type answer struct {
	form string
	is   func(v any) bool
	read func(s *Seen, v any)
}

// JobDetails is the form of an answer of /jobs/:id.
const JobDetails = "jobs/details"

var answers = []answer{
	{"error", func(v any) bool { return has(v, "errors") }, (*Seen).refusal},
	{"checkpoints", func(v any) bool { return has(v, "counts") || has(v, "history") || has(of(v, "latest"), "completed") }, (*Seen).overview},
	{"checkpoints/details/subtasks", func(v any) bool {
		return has(of(v, "summary"), "checkpoint_duration") || has(v, "subtasks") && (has(v, "end_to_end_duration") || has(first(of(v, "subtasks")), "start_delay"))
	}, (*Seen).subtasks},
	{"vertices/backpressure", func(v any) bool {
		return has(v, "backpressureLevel") || has(v, "backpressure-level") || has(first(of(v, "subtasks")), "ratio") || textOf(of(v, "status")) == "deprecated"
	}, (*Seen).backpressure},
	{JobDetails, func(v any) bool {
		return (has(v, "jid") && (has(v, "vertices") || has(v, "state")) || has(first(of(v, "vertices")), "metrics")) && !has(v, "root-exception")
	}, (*Seen).job},
	{"vertices/details", isVertex, (*Seen).vertexDetails},
	{"jobs/exceptions", func(v any) bool {
		return has(v, "exceptionHistory") || has(v, "root-exception") || has(v, "all-exceptions")
	}, (*Seen).exceptions},
	{"operation", func(v any) bool { return has(of(v, "status"), "id") && has(v, "operation") }, (*Seen).operation},
	{"jobs/overview", func(v any) bool { return has(first(of(v, "jobs")), "jid") || has(first(of(v, "jobs")), "status") }, (*Seen).jobs},
	{"taskmanagers", func(v any) bool { return has(first(of(v, "taskmanagers")), "slotsNumber") }, (*Seen).managers},
}

func first(v any) any {
	if l := list(v); len(l) > 0 {
		return l[0]
	}
	return nil
}

// ofREST reads documents. Single checkpoints, as somebody cut them out, are one list; documents of other kinds are left alone
// unless all are unknown. An answer about the configuration is not read here: it is one, and scenarios reads it.
func ofREST(docs []document) (all []Seen, err error) {
	var cut []Checkpoint
	var gauges []document
	odd := oddities{}
	unknown, settings := "", ""
	for _, d := range docs {
		for _, v := range spread(d.value) {
			s := Seen{}
			switch i := slices.IndexFunc(answers, func(a answer) bool { return a.is(v) }); {
			case i >= 0:
				s.Form = answers[i].form
				s.said(d.odd)
				answers[i].read(&s, v)
				all = append(all, s)
			case isCheckpoint(v) && len(list(d.value)) == 0 && len(docs) == 1:
				s.Form = "checkpoints/details"
				s.said(d.odd)
				s.details(v)
				all = append(all, s)
			case isCheckpoint(v):
				cut, odd = append(cut, checkpointOf(v)), d.odd
			case isGauge(v):
				gauges = append(gauges, document{v, d.odd, ""})
			case configuration(v):
				settings = d.text
			default:
				if o, ok := v.(*object); ok && unknown == "" {
					unknown = strings.Join(o.keys[:min(4, len(o.keys))], ", ")
				}
			}
		}
	}
	if len(cut) > 0 {
		s := Seen{Form: "checkpoints, a list"}
		s.said(odd)
		s.judge(cut, nil)
		all = append(all, s)
	}
	if s := gaugesOf(gauges); s != nil {
		all = append(all, *s)
	}
	if settings != "" && len(all) > 0 { // alone it is a configuration as any
		all = append(all, Seen{Form: "settings", Settings: settings})
	}
	if len(all) == 0 && settings == "" && unknown != "" && strings.Contains(unknown+",", "_") {
		return nil, &option.Mistake{Problem: "no answer of Flink's REST interface has these fields together: " + unknown, Remedy: "paste a whole answer of /jobs/:id/checkpoints, …/checkpoints/details/:cid, …/subtasks/:vid, /jobs/:id, …/backpressure, …/metrics or …/exceptions"}
	}
	return all, nil
}

// spread is a list's elements, or the one document.
func spread(v any) []any {
	if l := list(v); len(l) > 0 {
		return l
	}
	return []any{v}
}

// configuration is an answer that scenarios.ReadSettings reads.
func configuration(v any) bool {
	return has(v, "min_pause") || has(v, "key") && has(v, "value") || has(v, "execution-config")
}

// said tells what was no JSON in a document.
func (s *Seen) said(o oddities) {
	if o.nan > 0 {
		s.remark(o.nan, "NaN is not JSON; Flink writes \"NaN\" in quotes. It is read as unknown.", "NaN은 JSON이 아니다. Flink는 \"NaN\"처럼 따옴표로 쓴다. 알 수 없는 값으로 읽었다.")
	}
	if o.cut > 0 {
		s.warn(o.cut, "The text is cut off here: what is missing is not judged.", "여기서 글이 잘렸다. 없는 부분은 판단하지 않는다.")
	}
	if o.left > 0 {
		s.remark(o.left, "Something was left out here; what there is was read.", "여기서 빠진 부분이 있다. 있는 것만 읽었다.")
	}
	if o.python > 0 {
		s.remark(o.python, "Read as Python prints it.", "Python이 출력한 꼴로 읽었다.")
	}
}

// refusal is an error that the REST interface answers with.
func (s *Seen) refusal(v any) {
	for _, e := range list(of(v, "errors")) {
		said := textOf(e)
		head, _, _ := strings.Cut(said, "\n")
		if head == "" || len(list(of(v, "errors"))) > 1 && strings.HasPrefix(head, "<Exception") {
			continue
		}
		s.warn(0, "An error, no statistics: %s", "통계가 아니라 오류다: %s", strings.TrimSpace(head))
		switch {
		case strings.Contains(said, "Checkpointing is not enabled") || strings.Contains(said, "Checkpointing has not been enabled"):
			s.warn(0, "The job takes no checkpoints: execution.checkpointing.interval is not set, and the program calls no enableCheckpointing.",
				"이 잡은 체크포인트를 뜨지 않는다. execution.checkpointing.interval이 없고, 프로그램도 enableCheckpointing을 부르지 않는다.")
		case strings.Contains(said, "Could not find checkpoint"):
			s.remark(0, "Flink keeps details of the last web.checkpoints.history (10) checkpoints only.", "Flink는 마지막 web.checkpoints.history(10)개의 상세만 보관한다.")
		case strings.Contains(said, "NotFoundException") || strings.Contains(said, "not found"):
			s.remark(0, "The address names a job, a vertex or a checkpoint that this JobManager does not know: after a restart ids may be others.", "주소의 잡, 정점, 체크포인트를 이 JobManager가 모른다. 다시 시작한 뒤에는 id가 다를 수 있다.")
		}
		s.exception(0, said)
	}
}

// exceptions are those of a job: each is a stack trace, read as a log's.
func (s *Seen) exceptions(v any) {
	n := 0
	read := func(e any, name string) {
		if said := textOf(of(e, name)); said != "" {
			n++
			s.exception(lineOf(e), said)
		}
	}
	for _, e := range list(of(v, "exceptionHistory", "entries")) {
		read(e, "stacktrace")
	}
	for _, e := range list(of(v, "all-exceptions")) {
		read(e, "exception")
	}
	if n == 0 {
		read(v, "root-exception")
	}
	s.count("exceptions", int64(n))
	if truncated, _ := of(v, "exceptionHistory", "truncated").(bool); truncated {
		s.remark(0, "The history of exceptions is cut: web.exception-history-size (16) of them are kept.", "예외 이력이 잘렸다. web.exception-history-size(16)개만 보관한다.")
	}
	if n == 0 {
		s.remark(0, "No exception is told: the job has not failed since it was started.", "예외가 없다. 시작한 뒤로 실패하지 않았다.")
	}
}

// operation is how a savepoint, a checkpoint or a rescaling that was asked for goes (AsynchronousOperationResult).
func (s *Seen) operation(v any) {
	state := textOf(of(v, "status", "id"))
	s.word("status.id", state)
	if where := textOf(of(v, "operation", "location")); where != "" {
		s.word("operation.location", where)
		s.remark(0, "It completed: %s", "완료되었다: %s", where)
	}
	if why := textOf(of(v, "operation", "failure-cause", "stack-trace")) + textOf(of(v, "operation", "failureCause", "stack-trace")); why != "" {
		s.warn(0, "It failed. COMPLETED only says that the operation is over, not that it succeeded.", "실패했다. COMPLETED는 작업이 끝났다는 뜻이지 성공했다는 뜻이 아니다.")
		s.exception(0, why)
	} else if state == "IN_PROGRESS" {
		s.remark(0, "It is still under way: ask again.", "아직 진행 중이다. 다시 물어본다.")
	}
}

// jobs lists what runs on a cluster.
func (s *Seen) jobs(v any) {
	for _, j := range list(of(v, "jobs")) {
		state := textOf(of(j, "state")) + textOf(of(j, "status"))
		name := textOf(of(j, "name"))
		if name == "" {
			name = textOf(of(j, "jid")) + textOf(of(j, "id"))
		}
		s.word("jobs."+name+".state", state)
		if n := number(of(j, "tasks", "running")); n >= 0 && n < number(of(j, "tasks", "total")) && state == "RUNNING" {
			s.warn(lineOf(j), "%s: %d of %d tasks run; until all do, no checkpoint starts.", "%s: 태스크 %[3]d개 가운데 %[2]d개만 실행 중이다. 모두 실행될 때까지 체크포인트는 시작하지 않는다.", name, n, number(of(j, "tasks", "total")))
		}
		if state == "RESTARTING" || state == "FAILING" {
			s.warn(lineOf(j), "%s is %s.", "%s 상태: %s.", name, state)
		}
	}
}

// managers counts slots.
func (s *Seen) managers(v any) {
	slots, free, all := int64(0), int64(0), list(of(v, "taskmanagers"))
	for _, m := range all {
		slots, free = slots+max(0, number(of(m, "slotsNumber"))), free+max(0, number(of(m, "freeSlots")))
	}
	s.count("taskmanagers", int64(len(all)))
	s.count("slots", slots)
	s.count("slots.free", free)
	if each := number(of(first(of(v, "taskmanagers")), "slotsNumber")); free < each && len(all) > 1 {
		s.remark(0, "%d slots are free, one TaskManager has %d: when one is lost the job waits for another.", "빈 슬롯은 %d개인데 TaskManager 하나에 %d개가 있다. 하나를 잃으면 잡은 새 TaskManager를 기다린다.", free, each)
	}
}

// isCheckpoint tells an entry of a checkpoint history or the details of one checkpoint; somebody may have cut out a few fields.
func isCheckpoint(v any) bool {
	return has(v, "id") && has(v, "status") && (has(v, "trigger_timestamp") || has(v, "end_to_end_duration") || has(v, "num_acknowledged_subtasks"))
}

// checkpointOf reads an entry (CheckpointStatistics).
func checkpointOf(v any) Checkpoint {
	c := Checkpoint{
		ID: number(of(v, "id")), Kind: textOf(of(v, "checkpoint_type")), Failure: textOf(of(v, "failure_message")), Line: lineOf(v),
		Trigger: ms(number(of(v, "trigger_timestamp"))), LastAck: ms(number(of(v, "latest_ack_timestamp"))), Duration: ms(number(of(v, "end_to_end_duration"))),
		State: bytes(number(of(v, "state_size"))), Stored: bytes(number(of(v, "checkpointed_size"))), Processed: bytes(number(of(v, "processed_data"))),
		Persisted: bytes(number(of(v, "persisted_data"))), Buffered: bytes(number(of(v, "alignment_buffered"))),
		Subtasks: number(of(v, "num_subtasks")), Acked: number(of(v, "num_acknowledged_subtasks")), FailedAt: ms(number(of(v, "failure_timestamp"))),
	}
	c.Savepoint, _ = of(v, "is_savepoint").(bool)
	c.Savepoint = c.Savepoint || strings.Contains(c.Kind, "SAVEPOINT")
	c.Old = has(v, "end_to_end_duration") && has(v, "alignment_buffered") && !has(v, "processed_data") && !has(v, "checkpointed_size")
	switch status := textOf(of(v, "status")); {
	case strings.EqualFold(status, "COMPLETED"):
		c.Status = Completed
	case strings.EqualFold(status, "FAILED"):
		c.Status = Failed
	}
	return c
}

// details is one checkpoint with what each vertex did.
func (s *Seen) details(v any) {
	c := checkpointOf(v)
	s.checkpoint("checkpoint", &c)
	if c.Status == Failed {
		s.failed([]Checkpoint{c})
	}
	tasks, _ := of(v, "tasks").(*object)
	if tasks == nil || len(tasks.keys) == 0 {
		s.remark(0, "No vertex is told of; …/checkpoints/details/%s of the job has them.", "정점 정보가 없다. 잡의 …/checkpoints/details/%s에 있다.", strconv.FormatInt(c.ID, 10))
		return
	}
	slowest, fullest, heaviest := -1, -1, -1
	var all []Checkpoint
	for i, name := range tasks.keys {
		t := checkpointOf(tasks.values[name])
		all = append(all, t)
		s.span("tasks."+name[:min(8, len(name))]+".end_to_end_duration", t.Duration)
		if slowest < 0 || t.Duration > all[slowest].Duration {
			slowest = i
		}
		if fullest < 0 || t.State > all[fullest].State {
			fullest = i
		}
		if heaviest < 0 || t.Persisted > all[heaviest].Persisted {
			heaviest = i
		}
		if t.Subtasks > 0 && t.Acked >= 0 && t.Acked < t.Subtasks {
			s.warn(lineOf(tasks.values[name]), "%s: %d of %d subtasks have not acknowledged; which ones stands in …/subtasks/%s.", "%s: 서브태스크 %[3]d개 가운데 %[2]d개가 확인하지 않았다. 어느 것인지는 …/subtasks/%[4]s에 있다.",
				nth(i, name), t.Subtasks-t.Acked, t.Subtasks, name)
		}
	}
	if len(all) > 1 {
		s.largest(&c, tasks.keys, all, slowest, fullest, heaviest)
	}
}

// nth names a vertex by its place, for its id says nothing to a reader.
func nth(i int, id string) string {
	return "vertex " + strconv.Itoa(i+1) + " (" + id[:min(8, len(id))] + ")"
}

// largest says which vertex decides over the time, the state and the data in flight of a checkpoint.
func (s *Seen) largest(c *Checkpoint, names []string, all []Checkpoint, slowest, fullest, heaviest int) {
	if d := all[slowest].Duration; d > 0 && c.Status != InProgress {
		s.remark(all[slowest].Line, "Slowest is %s: it acknowledged last, after %s of the checkpoint's %s. Vertices are in the answer's order.", "가장 느린 것은 %s: 체크포인트 %[3]s 가운데 %[2]s 뒤에 마지막으로 확인했다. 정점은 응답의 순서다.",
			nth(slowest, names[slowest]), d, c.Duration)
	}
	if sum := c.State; sum > 1<<20 && all[fullest].State > 0 {
		s.remark(all[fullest].Line, "%s holds %s %% of the state (%s of %s).", "%s: 상태의 %s %%를 가진다(%[4]s 가운데 %[3]s).", nth(fullest, names[fullest]), share(int64(all[fullest].State), int64(sum)), all[fullest].State, sum)
	}
	if sum := c.Persisted; sum > 0 && all[heaviest].Persisted > 0 {
		s.remark(all[heaviest].Line, "%s stores %s %% of the data in flight (%s of %s): buffers wait in front of it or behind it.", "%s: 저장한 in-flight 데이터의 %s %%(%[4]s 가운데 %[3]s). 버퍼가 그 앞이나 뒤에서 기다린다.",
			nth(heaviest, names[heaviest]), share(int64(all[heaviest].Persisted), int64(sum)), all[heaviest].Persisted, sum)
	}
}

// share writes a part in percent, near 100 with the digits that tell it from all.
func share(a, b int64) string {
	p := float64(a) * 100 / float64(max(1, b))
	if p > 99 && a < b {
		return strconv.FormatFloat(min(p, 99.99), 'f', 2, 64)
	}
	return strconv.FormatFloat(p, 'f', 0, 64)
}
