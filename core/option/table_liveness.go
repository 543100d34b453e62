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
			Key: keyKeep + "keepIdleSec", Field: "KeepIdle", Label: both("Keep-alive idle time", "킵얼라이브 유휴 시간"),
			Effect: both("A connection that has been idle for so many seconds is probed, which finds a silent task manager that nobody else misses. Without the option it is the system's: on Linux 2 h.",
				"이만큼(초) 오간 것이 없는 연결에 탐침을 보낸다. 아무도 찾지 않는 조용한 TaskManager를 이것으로 알아낸다. 옵션이 없으면 운영 체제의 값이다(Linux는 2시간)."),
		}.as(count(func(c *Config) *int { return &c.KeepIdle }, 1, mostKeep)),
		Option{
			Key: keyKeep + "keepIntervalSec", Field: "KeepInterval", Label: both("Keep-alive interval", "킵얼라이브 간격"),
			Effect: both("Seconds from one probe to the next. Without the option it is the system's: on Linux 75 s.", "탐침 사이의 간격(초)이다. 옵션이 없으면 운영 체제의 값이다(Linux는 75초)."),
		}.as(count(func(c *Config) *int { return &c.KeepInterval }, 1, mostKeep)),
		Option{
			Key: keyKeep + "keepCount", Field: "KeepCount", Label: both("Keep-alive probes", "킵얼라이브 탐침 수"),
			Effect: both("So many probes without an answer end the connection. Without the option it is the system's: on Linux 9.", "응답 없는 탐침이 이만큼 이어지면 연결을 끊는다. 옵션이 없으면 운영 체제의 값이다(Linux는 9번)."),
		}.as(count(func(c *Config) *int { return &c.KeepCount }, 1, mostProbes)),
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

// What Linux takes at most (MAX_TCP_KEEPIDLE, MAX_TCP_KEEPINTVL, MAX_TCP_KEEPCNT).
const (
	mostKeep   = 32767
	mostProbes = 127
)

var failovers = []string{"region", "full"}
