package option

import (
	"math"

	"checkpointlab/core/event"
)

// livenessOptions are the modelled options of how a failure is found and how far it reaches (spec 1.4, 9.1, 9.3).
func livenessOptions() []Option {
	return []Option{
		Option{
			Key: keyHeartbeat, Field: "HeartbeatInterval", Label: both("Heartbeat interval", "하트비트 간격"),
			Effect: both("How often the processes ask whether the others are alive.", "프로세스가 서로 살아 있는지 묻는 간격이다."),
		}.as(span(func(c *Config) *event.Time { return &c.HeartbeatInterval }, event.Millisecond)),
		Option{
			Key: keyHeartbeatTimeout, Field: "HeartbeatTimeout", Label: both("Heartbeat timeout", "하트비트 시간 초과"),
			Effect: both("A process that is silent for longer is taken for dead.", "이보다 오래 응답이 없으면 죽은 것으로 본다."),
		}.as(span(func(c *Config) *event.Time { return &c.HeartbeatTimeout }, event.Millisecond)),
		Option{
			Key: keyHeartbeatFailures, Field: "HeartbeatFailures", Range: "1 or more; -1 = none", Label: both("Failed heartbeats", "하트비트 실패 횟수"),
			Effect: both("This many heartbeats that cannot be delivered make a process count as dead; -1 means that none does.",
				"하트비트를 이만큼 전달하지 못하면 죽은 것으로 본다. -1이면 세지 않는다."),
		}.as(count(func(c *Config) *int { return &c.HeartbeatFailures }, -1, math.MaxInt32)),
		Option{
			Key: "task.cancellation.timeout", Field: "CancelTimeout", Label: both("Cancellation timeout", "취소 시간 초과"),
			Effect: both("A task that has not ended so long after it was cancelled takes its task manager's process with it; 0 means that it is waited for.",
				"취소된 뒤 이만큼 지나도 끝나지 않는 태스크가 있으면 TaskManager 프로세스가 스스로 끝난다. 0이면 끝날 때까지 기다린다."),
		}.as(span(func(c *Config) *event.Time { return &c.CancelTimeout }, 0)),
		Option{
			Key: "sink.committer.retries", Field: "CommitRetries", Label: both("Commit retries", "커밋 재시도"),
			Effect: both("A commit that the outside system refuses is tried again at once, so many times; then the task fails.", "바깥 시스템이 거절한 커밋을 곧바로 이만큼 다시 시도하고, 그래도 안 되면 태스크가 실패한다."),
		}.as(count(func(c *Config) *int { return &c.CommitRetries }, 0, math.MaxInt32)),
		Option{
			Key: "jobmanager.execution.failover-strategy", Field: "FailoverFull", Label: both("Failover strategy", "장애 복구 범위"),
			Effect: both("Whether a failure restarts only the connected tasks (region) or all (full).", "장애 때 연결된 태스크만(region) 다시 시작할지 전부(full) 다시 시작할지 정한다."),
		}.as(choice(failovers, nil, func(c *Config, i int) { c.FailoverFull = i == 1 }, func(c *Config) string {
			if c.FailoverFull {
				return failovers[1]
			}
			return failovers[0]
		})),
	}
}

var failovers = []string{"region", "full"}
