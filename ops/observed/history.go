package observed

import "slices"

// Status is how far a checkpoint came.
type Status uint8

// The states of a checkpoint.
const (
	InProgress Status = iota
	Completed
	Failed
)

// Checkpoint is one of them as an answer, a table or a log has it. -1 stands for what is not known.
type Checkpoint struct {
	ID                                   int64
	Status                               Status
	Savepoint                            bool
	Kind                                 string // as Flink writes it: CHECKPOINT, UNALIGNED_CHECKPOINT, SAVEPOINT …
	Trigger, LastAck, Duration, FailedAt ms     // the first two and the last are instants
	State, Stored, Processed, Persisted  bytes  // State: all it refers to; Stored: what it added
	Buffered                             bytes
	Subtasks, Acked                      int64
	Failure                              string
	Old                                  bool // of a version before 1.11
	Line                                 int
}

// nothing is a checkpoint of which nothing is known.
var nothing = Checkpoint{ID: -1, Trigger: -1, LastAck: -1, Duration: -1, FailedAt: -1, State: -1, Stored: -1, Processed: -1, Persisted: -1, Buffered: -1, Subtasks: -1, Acked: -1}

// tally are the counts since the job's start.
type tally struct{ total, completed, failed, running, restored int64 }

// checkpoint states one.
func (s *Seen) checkpoint(name string, c *Checkpoint) {
	s.count(name+".id", c.ID)
	s.span(name+".end_to_end_duration", c.Duration)
	s.size(name+".state_size", c.State)
	if c.Stored >= 0 {
		s.size(name+".checkpointed_size", c.Stored)
	}
	if c.Processed > 0 {
		s.size(name+".processed_data", c.Processed)
	}
	if c.Persisted > 0 {
		s.size(name+".persisted_data", c.Persisted)
	}
	if c.Subtasks >= 0 {
		s.word(name+".acknowledged", digits(c.Acked)+"/"+digits(c.Subtasks))
	}
}

// judge says what a list of checkpoints shows, newest first; t are the counts, nil if there are none.
func (s *Seen) judge(all []Checkpoint, t *tally) {
	slices.SortStableFunc(all, func(a, b Checkpoint) int { return int(min(1, max(-1, b.ID-a.ID))) })
	s.never(all, t)
	s.failed(all)
	s.past(all, t)
	s.running(all)
	periodic := slices.DeleteFunc(slices.Clone(all), func(c Checkpoint) bool { return c.Savepoint })
	every := interval(periodic)
	s.late(periodic, every)
	s.growing(periodic)
	s.full(periodic)
	s.inFlight(periodic)
	s.aligning(periodic)
	s.savepoints(all, every)
}

// never: no checkpoint has completed since the start.
func (s *Seen) never(all []Checkpoint, t *tally) {
	if t == nil || t.completed != 0 || t.failed <= 0 {
		return
	}
	from := "the start"
	von := "처음부터"
	if t.restored > 0 {
		from, von = "what it was started from", "시작할 때 쓴 스냅샷부터"
	}
	s.warn(0, "No checkpoint has completed since the job was started (%d failed; latest.completed is null): a failure goes back to %[2]s, and nothing of exactly-once sinks becomes visible.",
		"잡이 시작한 뒤 완료된 체크포인트가 없다(실패 %d번, latest.completed는 null). 실패하면 %[3]s 다시 하고, exactly-once 싱크의 결과는 보이지 않는다.", t.failed, from, von)
}

// failed groups failures by their reason and says what each means.
func (s *Seen) failed(all []Checkpoint) {
	type group struct {
		n           int
		last        *Checkpoint
		least, most ms
	}
	groups := map[string]*group{}
	var order []string
	for i := range all {
		c := &all[i]
		if c.Status != Failed {
			continue
		}
		name := reasonOf(c.Failure).name
		g := groups[name]
		if g == nil {
			g = &group{last: c, least: c.Duration, most: c.Duration}
			groups[name], order = g, append(order, name)
		}
		g.n++
		g.least, g.most = min(g.least, c.Duration), max(g.most, c.Duration)
	}
	for _, name := range order {
		g := groups[name]
		r := reasonOf(g.last.Failure)
		if g.last.Failure == "" {
			s.unexplained(g.n, g.last)
			continue
		}
		s.count("failed."+name, int64(g.n))
		if r.name == expired {
			s.expired(g.n, g.last, g.least, g.most)
			continue
		}
		s.warn(g.last.Line, "%d failed with %s, last checkpoint %d: %s", "%[2]s: %[1]d번 실패, 마지막은 체크포인트 %[3]d. %[5]s", g.n, name, g.last.ID, r.en, r.ko)
		if r.name == otherReason {
			s.remark(g.last.Line, "Flink says: %s", "Flink의 말: %s", headOf(g.last.Failure))
		}
	}
}

// expired: how long the timeout is and how far they came. Of a completed or failed one the duration is known.
func (s *Seen) expired(n int, last *Checkpoint, least, most ms) {
	if least > 0 && most-least < max(1000, most/20) {
		most = most.round()
		s.span("timeout.observed", most)
		s.warn(last.Line, "%d expired, each after %s: that is execution.checkpointing.timeout. A longer one only waits longer; what holds the barrier or the upload up has to be found.", "%d번 만료, 모두 %s 뒤. 이것이 execution.checkpointing.timeout이다. 늘려도 더 기다릴 뿐이다. 배리어나 업로드를 붙잡는 것을 찾아야 한다.", n, most)
	} else {
		s.warn(last.Line, "%d expired before completing (execution.checkpointing.timeout): what holds the barrier or the upload up has to be found.", "%d번 완료 전에 만료되었다(execution.checkpointing.timeout). 배리어나 업로드를 붙잡는 것을 찾아야 한다.", n)
	}
	s.acknowledged(last)
}

// unexplained: failures of which the text does not say why.
func (s *Seen) unexplained(n int, last *Checkpoint) {
	s.count("failed", int64(n))
	s.warn(last.Line, "%d failed, and the text does not say why; the last one is %d, after %s. Its failure message does (and failure_message of the REST interface); if so long is execution.checkpointing.timeout, it expired.",
		"%d번 실패했는데 이유는 글에 없다. 마지막은 체크포인트 %d(%s 뒤). 실패 메시지(REST의 failure_message)에 있다. 그 시간이 execution.checkpointing.timeout과 같다면 만료된 것이다.", n, last.ID, last.Duration)
	s.acknowledged(last)
}

// acknowledged says how far a failed one came.
func (s *Seen) acknowledged(last *Checkpoint) {
	switch {
	case last.Subtasks <= 0 || last.Acked < 0:
	case last.Acked == 0:
		s.warn(last.Line, "Of the last one (%d) not one of %d subtasks acknowledged, not even a source: the sources do not start the checkpoint (a thread that is held, a lock held while nothing is emitted). A slow sink would leave the sources' acknowledgements.",
			"마지막 것(%d)은 서브태스크 %d개 가운데 소스조차 하나도 확인하지 않았다. 소스가 체크포인트를 시작하지 못한다(붙잡힌 스레드, 내보내지 않는 동안에도 쥔 락). 싱크가 느린 것이라면 소스의 확인은 있다.", last.ID, last.Subtasks)
	case last.Acked < last.Subtasks:
		s.remark(last.Line, "Of the last one (%d) %d of %d subtasks had acknowledged; who is missing stands in …/checkpoints/details/%[1]d. Those missing see their barrier late (back pressure) or store too slowly.",
			"마지막 것(%d)은 서브태스크 %[3]d개 가운데 %[2]d개가 확인했다. 빠진 것은 …/checkpoints/details/%[1]d에 있다. 배리어를 늦게 받거나(백프레셔) 저장이 느리다.", last.ID, last.Acked, last.Subtasks)
	case last.Acked == last.Subtasks:
		s.warn(last.Line, "Of the last one (%d) all %d subtasks had acknowledged: it was the JobManager that did not finish it (metadata, its storage).", "마지막 것(%d)은 서브태스크 %d개가 모두 확인했다. 끝내지 못한 것은 JobManager다(메타데이터, 그 저장소).", last.ID, last.Subtasks)
	}
}

// past: failures that the counter shows, and that are over.
func (s *Seen) past(all []Checkpoint, t *tally) {
	since, newest := 0, int64(-1)
	for i := range all {
		c := &all[i]
		if c.Status == Failed {
			newest = c.ID
			break
		}
		if c.Status == Completed {
			since++
		}
	}
	switch {
	case t == nil || t.failed <= 0 || since == 0 || t.completed == 0:
	case newest < 0:
		s.remark(0, "%d failed since the job was started, none of the last %d: the counter is cumulative since the JobManager started the job, and it says nothing of now: healthy by what is shown.", "잡이 시작한 뒤 %d번 실패했지만 보이는 마지막 %d개에는 없다. 카운터는 JobManager가 잡을 시작한 때부터의 누적이라 지금을 말해 주지 않는다. 보이는 한 지금은 정상이다.", t.failed, since)
	default:
		s.remark(0, "%d failed since the job was started (%d %% of all), the last of them %d; %d have completed since. The counter is cumulative.", "잡이 시작한 뒤 %d번 실패했다(전체의 %d %%). 마지막은 %d번이고 그 뒤로 %d개가 완료되었다. 카운터는 누적이다.",
			t.failed, percent(t.failed, t.failed+t.completed), newest, since)
	}
}

// running: one that is on its way.
func (s *Seen) running(all []Checkpoint) {
	for i := range all {
		c := &all[i]
		if c.Status != InProgress || c.Subtasks <= 0 {
			continue
		}
		switch {
		case c.Acked == 0 && c.LastAck < 0 && c.Duration < 0:
			s.remark(c.Line, "Checkpoint %d is in progress: none of %d subtasks has acknowledged yet; -1 (latest_ack_timestamp, end_to_end_duration) stands for unknown.", "체크포인트 %d 진행 중: 서브태스크 %d개 가운데 확인한 것이 아직 없다. -1(latest_ack_timestamp, end_to_end_duration)은 모른다는 뜻이다.", c.ID, c.Subtasks)
		case c.Duration <= 0:
			s.remark(c.Line, "Checkpoint %d is in progress: %d of %d subtasks have acknowledged.", "체크포인트 %d 진행 중: 서브태스크 %[3]d개 가운데 %[2]d개가 확인했다.", c.ID, c.Acked, c.Subtasks)
		default:
			s.remark(c.Line, "Checkpoint %d is in progress for %s: %d of %d subtasks have acknowledged.", "체크포인트 %d 진행 중(%s): 서브태스크 %[4]d개 가운데 %[3]d개가 확인했다.", c.ID, c.Duration, c.Acked, c.Subtasks)
		}
	}
}

// interval is the usual time between two triggers, by those that follow each other; 0 if it is not known.
func interval(all []Checkpoint) ms {
	var gaps []ms
	for i := 1; i < len(all); i++ {
		if a, b := &all[i], &all[i-1]; b.ID == a.ID+1 && a.Trigger > 0 && b.Trigger > a.Trigger {
			gaps = append(gaps, b.Trigger-a.Trigger)
		}
	}
	if len(gaps) < 2 {
		return 0
	}
	slices.Sort(gaps)
	return gaps[len(gaps)/2]
}

// late: checkpoints that take most of the time between two triggers, every; 0 = not known.
func (s *Seen) late(all []Checkpoint, every ms) {
	if every <= 0 {
		return
	}
	s.span("interval.observed", every)
	sum, n := ms(0), ms(0)
	for i := range all {
		if c := &all[i]; c.Status == Completed && c.Duration >= 0 {
			sum, n = sum+c.Duration, n+1
		}
	}
	if n > 0 && sum/n > every*7/10 {
		s.warn(0, "Completed ones take %s on average of the %s between two triggers: the job is nearly always in a checkpoint, and its interval no longer decides.", "완료된 것은 평균 %s 걸리는데 트리거 간격은 %s. 잡이 거의 늘 체크포인트 중이고, 주기를 정하는 것은 간격이 아니다.", sum/n, every)
	}
}

// growing: each one longer or larger than the one before.
func (s *Seen) growing(all []Checkpoint) {
	done := slices.DeleteFunc(slices.Clone(all), func(c Checkpoint) bool { return c.Status != Completed })
	if len(done) < 4 {
		return
	}
	longer, larger := true, true
	for i := 1; i < len(done); i++ {
		longer = longer && done[i-1].Duration > done[i].Duration && done[i].Duration > 0
		larger = larger && done[i-1].State > done[i].State && done[i].State > 0
	}
	first, last := &done[len(done)-1], &done[0]
	if longer && last.Duration > first.Duration*5/4 {
		s.warn(last.Line, "Each of the last %d took longer than the one before, from %s to %s.", "마지막 %d개가 앞의 것보다 매번 오래 걸렸다. %s에서 %s까지 늘었다.", len(done), first.Duration, last.Duration)
	}
	if larger && last.State > first.State*11/10 {
		s.warn(last.Line, "The state grew with each of the last %d, from %s to %s: does anything remove what is no longer needed (TTL, windows that close)?", "마지막 %d개 동안 상태가 매번 커졌다. %s에서 %s까지 늘었다. 필요 없어진 것을 지우는 것이 있는지 본다(TTL, 닫히는 윈도).", len(done), first.State, last.State)
	}
}

// full: what is stored is all there is.
func (s *Seen) full(all []Checkpoint) {
	n, last := 0, (*Checkpoint)(nil)
	for i := range all {
		c := &all[i]
		if c.Status != Completed || c.Stored < 0 {
			continue
		}
		if c.Stored != c.State || c.State < 100<<20 {
			return
		}
		if n++; last == nil {
			last = c
		}
	}
	if n >= 3 {
		s.warn(last.Line, "The checkpointed size is the full size (%s) each time: they are full. With RocksDB execution.checkpointing.incremental stores what changed only; hashmap cannot.", "저장한 크기가 매번 전체 크기(%s)와 같다. 전체 체크포인트다. RocksDB라면 execution.checkpointing.incremental로 바뀐 것만 저장한다. hashmap은 못 한다.", last.State)
	}
}

// inFlight: what unaligned checkpoints store beside the state.
func (s *Seen) inFlight(all []Checkpoint) {
	for i := range all {
		c := &all[i]
		stored := max(c.Stored, 0)
		if c.Stored < 0 {
			stored = max(c.State, 0)
		}
		if c.Status == Completed && c.Persisted > 10<<20 && c.Persisted*2 > stored {
			s.warn(c.Line, "Checkpoint %d stores %s of data in flight, %d %% of what it adds: its upload is the buffers'. Debloating (taskmanager.network.memory.buffer-debloat.enabled) or an aligned-checkpoint-timeout above 0 makes it smaller.",
				"체크포인트 %d: in-flight 데이터 %s 저장, 더한 크기의 %d %%. 올리는 것이 대부분 버퍼다. debloating(taskmanager.network.memory.buffer-debloat.enabled)이나 0보다 긴 aligned-checkpoint-timeout이 줄인다.", c.ID, c.Persisted, percent(int64(c.Persisted), int64(stored)))
			return
		}
	}
}

// aligning: aligned ones that wait for their barriers rather than for their upload, told by what was processed between a subtask's first
// barrier and its last.
func (s *Seen) aligning(all []Checkpoint) {
	for i := range all {
		c := &all[i]
		if c.Status == Completed && c.Duration >= 10_000 && c.Persisted == 0 && c.Processed > 100<<20 && c.Processed > c.Stored {
			s.warn(c.Line, "Checkpoint %d took %s, and its subtasks processed %s between their first and last barrier (it stored none of that, so it was aligned): barriers wait behind data, under back pressure or on single slow channels. It is not the upload. execution.checkpointing.unaligned.enabled lets them overtake; removing the bottleneck makes it unnecessary.",
				"체크포인트 %d: %s 걸렸고, 서브태스크들이 첫 배리어와 마지막 배리어 사이에 %s를 처리했다(그중 저장한 것은 없으니 aligned). 배리어가 데이터 뒤에서 기다린다. 백프레셔이거나 느린 채널 몇 개다. 업로드 탓이 아니다. execution.checkpointing.unaligned.enabled로 배리어가 앞지르게 할 수 있고, 병목을 없애면 그럴 필요가 없다.", c.ID, c.Duration, c.Processed)
			return
		}
	}
}

// savepoints: one that took long.
func (s *Seen) savepoints(all []Checkpoint, every ms) {
	for i := range all {
		c := &all[i]
		if c.Savepoint && c.Status == Completed && c.Duration > max(every, 60_000) {
			s.remark(c.Line, "Savepoint %d: %s in %s. No periodic checkpoint starts beside it while execution.checkpointing.max-concurrent-checkpoints is 1, so a failure meanwhile goes back to before it.",
				"세이브포인트 %d: %s, %s 걸림. execution.checkpointing.max-concurrent-checkpoints가 1이면 그동안 주기 체크포인트는 시작하지 않는다. 그사이 실패하면 그 전으로 돌아간다.", c.ID, c.State, c.Duration)
		}
	}
}
