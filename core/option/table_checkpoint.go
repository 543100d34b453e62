package option

import (
	"math"
	"strings"

	"checkpointlab/core/event"
)

// checkpointOptions are the modelled options of checkpoints and of the buffer timeout (spec 1.1).
func checkpointOptions() []Option {
	interval := func(c *Config) *event.Time { return &c.Interval }
	backlog := func(c *Config) *event.Time { return &c.IntervalDuringBacklog }
	return []Option{
		Option{
			Key: keyInterval, Field: "Interval",
			Label: both("Checkpoint interval", "체크포인트 간격"),
			Effect: both("How often a checkpoint starts: it sets how much is read again after a failure and how late a transactional sink shows its results; without it there are no periodic checkpoints.",
				"체크포인트를 얼마나 자주 시작하는지 정한다. 장애 뒤에 다시 읽을 양과 트랜잭션 싱크의 결과가 보이기까지 걸리는 시간이 여기서 정해지며, 값이 없으면 주기적인 체크포인트가 없다."),
		}.as(span(interval, 10*event.Millisecond).unless(interval, 0)),
		Option{
			Key: keyBacklog, Field: "IntervalDuringBacklog", Range: "0 ms, or the interval or more",
			Label: both("Interval during backlog", "백로그 중 간격"),
			Effect: both("The interval while a source says that it works off a backlog; 0 stops periodic checkpoints for that time.",
				"소스가 밀린 데이터를 따라잡는 중이라고 알리는 동안 쓰는 간격이다. 0이면 그동안 주기적인 체크포인트를 쉰다."),
		}.as(span(backlog, 0).unless(backlog, -1)),
		Option{
			Key: keyMode, Field: "Mode",
			Label: both("Checkpointing mode", "체크포인트 모드"),
			Effect: both("EXACTLY_ONCE holds a channel whose barrier has come until the others' barriers come; AT_LEAST_ONCE never holds one, so records behind the barrier get into the snapshot and are processed again after a failure.",
				"EXACTLY_ONCE는 배리어가 먼저 온 채널을 나머지 배리어가 올 때까지 붙잡는다. AT_LEAST_ONCE는 붙잡지 않으므로 배리어 뒤의 레코드가 스냅샷에 섞이고 장애 뒤에 다시 처리된다."),
		}.as(choice([]string{"EXACTLY_ONCE", "AT_LEAST_ONCE"}, nil,
			func(c *Config, i int) { c.Mode = Mode(i) },
			func(c *Config) string { return [...]string{"EXACTLY_ONCE", "AT_LEAST_ONCE"}[c.Mode] })),
		Option{
			Key: keyTimeout, Field: "Timeout",
			Label: both("Checkpoint timeout", "체크포인트 시간 초과"),
			Effect: both("A checkpoint that has not completed after this time expires, and the expiry counts as a failure.",
				"이 시간 안에 끝나지 않은 체크포인트는 만료되고, 만료는 실패로 센다."),
		}.as(span(func(c *Config) *event.Time { return &c.Timeout }, 10*event.Millisecond)),
		Option{
			Key: keyMinPause, Field: "MinPause",
			Label: both("Minimum pause", "최소 휴지"),
			Effect: both("The least time from the completion of a checkpoint to the start of the next periodic one; if it holds one back, the schedule moves.",
				"체크포인트가 완료된 뒤 다음 주기 체크포인트가 시작하기까지의 최소 시간이다. 이 때문에 미뤄지면 이후의 주기도 함께 밀린다."),
		}.as(span(func(c *Config) *event.Time { return &c.MinPause }, 0)),
		Option{
			Key: keyMaxConcurrent, Field: "MaxConcurrent",
			Label: both("Concurrent checkpoints", "동시 체크포인트 수"),
			Effect: both("How many checkpoints may be in progress at once; further requests wait in a queue.",
				"동시에 진행할 수 있는 체크포인트의 수다. 넘치는 요청은 큐에서 기다린다."),
		}.as(count(func(c *Config) *int { return &c.MaxConcurrent }, 1, math.MaxInt32)),
		Option{
			Key: "execution.checkpointing.tolerable-failed-checkpoints", Field: "Tolerable",
			Label: both("Tolerable failures", "허용 실패 횟수"),
			Effect: both("How many checkpoints in a row may fail before the job is restarted; 0 restarts it at the first expired one.",
				"체크포인트가 연달아 몇 번까지 실패해도 잡을 재시작하지 않는지 정한다. 0이면 첫 만료에 재시작한다."),
		}.as(count(func(c *Config) *int { return &c.Tolerable }, 0, math.MaxInt32)),
		Option{
			Key: keyUnaligned, Field: "Unaligned", Old: []string{"execution.checkpointing.unaligned"},
			Label: both("Unaligned checkpoints", "unaligned 체크포인트"),
			Effect: both("Barriers overtake the buffers in the queues, and the overtaken buffers are stored with the checkpoint: its duration no longer depends on backpressure, but backpressure itself stays.",
				"배리어가 큐에 있는 버퍼를 앞지르고, 앞지른 버퍼를 체크포인트에 함께 저장한다. 걸리는 시간이 백프레셔와 무관해지지만 백프레셔 자체는 그대로다."),
		}.as(flag(func(c *Config) *bool { return &c.Unaligned })),
		Option{
			Key: "execution.checkpointing.unaligned.interruptible-timers.enabled", Field: "InterruptibleTimers",
			Label: both("Interruptible timers", "타이머 중단 허용"),
			Effect: both("With unaligned checkpoints on, let a barrier in between the timers of one watermark; else it waits until all of them have fired.",
				"unaligned가 켜져 있을 때, 워터마크 하나가 일으킨 타이머들 사이에 배리어가 끼어들 수 있게 한다. 끄면 모두 발화할 때까지 기다린다."),
		}.as(flag(func(c *Config) *bool { return &c.InterruptibleTimers })),
		Option{
			Key: keyAlignedTimeout, Field: "AlignedTimeout", Old: []string{"execution.checkpointing.alignment-timeout"},
			Label: both("Aligned timeout", "정렬 제한 시간"),
			Effect: both("With unaligned checkpoints on, each one starts aligned and turns unaligned when this time has passed since its start; 0 means unaligned from the start.",
				"unaligned가 켜져 있을 때, 체크포인트는 정렬 방식으로 시작했다가 시작 후 이 시간이 지나면 unaligned로 바뀐다. 0이면 처음부터 unaligned다."),
		}.as(span(func(c *Config) *event.Time { return &c.AlignedTimeout }, 0)),
		Option{
			Key: "execution.checkpointing.checkpoints-after-tasks-finish", Field: "AfterTasksFinish",
			Old:   []string{"execution.checkpointing.checkpoints-after-tasks-finish.enabled"},
			Label: both("Checkpoints after tasks finish", "태스크 종료 후 체크포인트"),
			Effect: both("Whether checkpoints go on when some tasks have read all of their input; if not, the end of an input aborts the pending one.",
				"입력을 다 읽고 끝난 태스크가 있어도 체크포인트를 계속할지 정한다. 끄면 입력이 끝날 때 진행 중인 체크포인트가 취소된다."),
		}.as(flag(func(c *Config) *bool { return &c.AfterTasksFinish })),
		Option{
			Key: "execution.checkpointing.num-retained", Field: "Retained", Old: []string{"state.checkpoints.num-retained"},
			Range: "1 or more; Flink takes 1 for what is below",
			Label: both("Retained checkpoints", "보관할 체크포인트 수"),
			Effect: both("How many completed checkpoints are kept; a failure goes back to the latest.",
				"완료된 체크포인트를 몇 개까지 보관하는지 정한다. 장애가 나면 가장 최근 것으로 돌아간다."),
		}.as(count(func(c *Config) *int { return &c.Retained }, math.MinInt32, math.MaxInt32)),
		Option{
			Key: keyBufferTimeout, Field: "BufferTimeout", Old: []string{"execution.buffer-timeout"},
			Label: both("Buffer timeout", "버퍼 타임아웃"),
			Effect: both("How often a task sends its part-filled buffers; 0 sends after each record, a long one waits for full buffers.",
				"덜 찬 버퍼를 얼마나 자주 내보내는지 정한다. 0이면 레코드마다 보내고, 길면 버퍼가 찰 때까지 기다린다."),
		}.as(bufferTimeout()),
		Option{
			Key: keyBufferEnabled, Field: "BufferTimeout",
			Label: both("Buffer timeout on", "버퍼 타임아웃 사용"),
			Effect: both("If false, a buffer is sent only when it is full or a barrier follows it.",
				"끄면 버퍼가 가득 차거나 배리어가 뒤따를 때만 버퍼를 보낸다."),
		}.as(bufferTimeoutOn()),
	}
}

// bufferTimeout also takes the -1 of old configurations, which switches the flusher off (spec 1.1).
func bufferTimeout() accessor {
	field := func(c *Config) *event.Time { return &c.BufferTimeout }
	a := span(field, 0).unless(field, -1)
	set := a.set
	a.set = func(r *resolver, v string) *Mistake {
		switch strings.Join(strings.Fields(v), " ") {
		case "-1", "-1 ms", "-1ms":
			r.cfg.BufferTimeout = -1
			r.note(Info, "Switched off; today this is written "+keyBufferEnabled+": false.", "꺼졌다. 지금은 "+keyBufferEnabled+": false로 쓴다.")
			return nil
		}
		return set(r, v)
	}
	return a
}

// bufferTimeoutOn comes after the interval in the table, so that false has the last word.
func bufferTimeoutOn() accessor {
	return accessor{
		typ: Bool, bound: "true or false",
		set: func(r *resolver, v string) *Mistake {
			on, m := parseBool(v)
			if m != nil || on {
				return m
			}
			r.cfg.BufferTimeout = -1
			if r.given(keyBufferTimeout) {
				r.note(Info, "Without effect while "+keyBufferEnabled+" is false.", keyBufferEnabled+"가 false인 동안은 효과가 없다.")
			}
			return nil
		},
		get: func(c *Config) string {
			if c.BufferTimeout == -1 {
				return "false"
			}
			return "true"
		},
	}
}
