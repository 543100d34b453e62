package option

import (
	"checkpointlab/core/event"
)

// Keys that the rules speak of.
const (
	keyInterval          = "execution.checkpointing.interval"
	keyBacklog           = "execution.checkpointing.interval-during-backlog"
	keyMode              = "execution.checkpointing.mode"
	keyTimeout           = "execution.checkpointing.timeout"
	keyMinPause          = "execution.checkpointing.min-pause"
	keyMaxConcurrent     = "execution.checkpointing.max-concurrent-checkpoints"
	keyUnaligned         = "execution.checkpointing.unaligned.enabled"
	keyAlignedTimeout    = "execution.checkpointing.aligned-checkpoint-timeout"
	keyBufferTimeout     = "execution.buffer-timeout.interval"
	keyBufferEnabled     = "execution.buffer-timeout.enabled"
	keyDebloat           = "taskmanager.network.memory.buffer-debloat.enabled"
	keyDebloatSpans      = "taskmanager.network.memory.buffer-debloat."
	keySegment           = "taskmanager.memory.segment-size"
	keyMinSegment        = "taskmanager.memory.min-segment-size"
	keyStartSegment      = "taskmanager.memory.starting-segment-size"
	keyExclusive         = "taskmanager.network.memory.buffers-per-channel"
	keyFloating          = "taskmanager.network.memory.floating-buffers-per-gate"
	keyAdaptive          = "taskmanager.network.adaptive-partitioner.enabled"
	keyTraverse          = "taskmanager.network.adaptive-partitioner.max-traverse-size"
	keyRestart           = "restart-strategy.type"
	keyFixed             = "restart-strategy.fixed-delay."
	keyFailureRate       = "restart-strategy.failure-rate."
	keyExponential       = "restart-strategy.exponential-delay."
	keyHeartbeat         = "heartbeat.interval"
	keyHeartbeatTimeout  = "heartbeat.timeout"
	keyKeep              = "taskmanager.network.netty.client.tcp."
	keyHeartbeatFailures = "heartbeat.rpc-failure-threshold"
	keyParallelism       = "parallelism.default"
	keyMaxParallelism    = "pipeline.max-parallelism"
)

// rules applies what holds between options once each has its value.
func (r *resolver) rules() {
	r.intervals()
	r.unaligned()
	r.segments()
	r.debloating()
	r.adaptive()
	r.restart()
	r.parallelism()
	r.state()
	r.recovery()
	r.heartbeats()
}

// intervals: spec 1.1, 2.1.
func (r *resolver) intervals() {
	c := &r.cfg
	if r.given(keyBacklog) {
		switch {
		case c.Interval == 0:
			r.note(Info, "Without "+keyInterval+" it has no effect.", keyInterval+" 없이는 효과가 없다.")
		case c.IntervalDuringBacklog != 0 && c.IntervalDuringBacklog < c.Interval:
			r.wrong(r.current, &Mistake{Problem: "is shorter than the interval of " + FormatDuration(c.Interval) + ", which Flink refuses",
				Remedy: "write " + FormatDuration(c.Interval) + " or more, or 0 for no checkpoints during backlog"})
		}
	}
	if c.Interval > 0 && c.Timeout < c.Interval && r.given(keyTimeout) {
		d := FormatDuration(c.Interval)
		r.note(Info, "Shorter than the interval of "+d+": a checkpoint may expire long before the next one is due.", "간격 "+Korean(d)+"보다 짧아서, 다음 체크포인트까지 여유가 있어도 만료될 수 있다.")
	}
	if c.Interval > 0 && c.MinPause > c.Interval && r.given(keyMinPause) {
		d := FormatDuration(c.MinPause)
		r.note(Info, "Longer than the interval, so checkpoints start "+d+" apart at the least.",
			"간격보다 길어서, 체크포인트는 적어도 "+Korean(d)+" 간격으로 시작한다.")
	}
}

// heartbeats: what HeartbeatServicesImpl refuses, a timeout below the interval and a threshold of 0. A timeout of the interval it
// takes, and processes that live count as dead when a heartbeat is a little late.
func (r *resolver) heartbeats() {
	c := &r.cfg
	switch given := r.given(keyHeartbeatTimeout) || r.given(keyHeartbeat); {
	case given && c.HeartbeatTimeout < c.HeartbeatInterval:
		r.wrong(r.current, &Mistake{Problem: "makes the timeout of " + FormatDuration(c.HeartbeatTimeout) + " shorter than the interval of " +
			FormatDuration(c.HeartbeatInterval) + ", which Flink refuses", Remedy: "write a " + keyHeartbeatTimeout + " above " + keyHeartbeat})
	case given && c.HeartbeatTimeout == c.HeartbeatInterval:
		r.note(Warning, "No longer than "+keyHeartbeat+": a real cluster takes a process for dead whose heartbeat is a little late, the lab does not.",
			keyHeartbeat+"보다 길지 않다. 실제 클러스터는 하트비트가 조금만 늦어도 프로세스를 죽은 것으로 보지만, 랩은 그러지 않는다.")
	}
	if r.given(keyHeartbeatFailures) && c.HeartbeatFailures == 0 {
		r.wrong(r.current, &Mistake{Problem: "is neither 1 or more nor -1, and Flink refuses it", Remedy: "write 1 or more, or -1 to count none"})
	}
}

// unaligned: spec 3.1, 3.7, and what a real 2.3 refused.
func (r *resolver) unaligned() {
	c := &r.cfg
	if c.Unaligned && c.Mode == AtLeastOnce && r.given(keyUnaligned) {
		c.Unaligned = false
		r.note(Warning, "Switched off: "+keyMode+" is AT_LEAST_ONCE, and unaligned checkpoints need EXACTLY_ONCE.",
			"꺼졌다. "+keyMode+"가 AT_LEAST_ONCE인데, unaligned 체크포인트에는 EXACTLY_ONCE가 필요하다.")
	}
	if c.Unaligned && c.MaxConcurrent > 1 && r.given(keyMaxConcurrent) {
		r.wrong(r.current, &Mistake{Problem: "cannot go with unaligned checkpoints, and Flink refuses the job",
			Remedy: "write 1, or set " + keyUnaligned + " to false"})
	}
	if !r.given(keyAlignedTimeout) || c.AlignedTimeout == 0 {
		return
	}
	switch {
	case !c.Unaligned:
		r.note(Info, "Acts only while unaligned checkpoints are on.", "unaligned 체크포인트가 켜져 있을 때만 작동한다.")
	case c.AlignedTimeout >= c.Timeout:
		r.note(Warning, "Not shorter than "+keyTimeout+", so a checkpoint expires before it could become unaligned.",
			keyTimeout+"보다 짧지 않아서, unaligned로 바뀌기 전에 체크포인트가 만료된다.")
	}
}

// segments: sizes that a buffer passes through under debloating (spec 5).
func (r *resolver) segments() {
	c := &r.cfg
	if c.MinSegmentSize > c.SegmentSize {
		key := keyMinSegment
		if !r.given(key) {
			key = keySegment
		}
		r.given(key)
		r.wrong(r.current, &Mistake{Problem: "leaves the smallest buffer larger than a segment",
			Remedy: "keep " + keyMinSegment + " at or below " + keySegment})
		return
	}
	if !r.given(keyStartSegment) && r.version < v23 {
		c.StartingSegmentSize = c.SegmentSize
	}
	size := min(max(c.StartingSegmentSize, c.MinSegmentSize), c.SegmentSize)
	if size != c.StartingSegmentSize && r.given(keyStartSegment) {
		s := FormatSize(int64(size))
		r.note(Warning, "Outside of the smallest and the largest buffer: it becomes "+s+".", "가장 작은 버퍼와 가장 큰 버퍼의 범위를 벗어난다. 실제 값: "+s+".")
	}
	c.StartingSegmentSize = size
}

// debloating: its details do nothing while it is off.
func (r *resolver) debloating() {
	if r.cfg.Debloat {
		return
	}
	for _, name := range []string{"period", "samples", "target", "threshold-percentages"} {
		if r.given(keyDebloatSpans + name) {
			r.note(Info, "Acts only with "+keyDebloat+".", keyDebloat+"가 켜져 있을 때만 작동한다.")
		}
	}
}

// adaptive: how far a writer looks does nothing while it does not look. Flink refuses a wrong size all the same
// (StreamTask.getAndCheckMaxTraverseSize).
func (r *resolver) adaptive() {
	if !r.cfg.AdaptivePartitioner && r.given(keyTraverse) {
		r.note(Info, "Acts only with "+keyAdaptive+".", keyAdaptive+"가 켜져 있을 때만 작동한다.")
	}
}

// restart picks the strategy of a version if none is named, and checks the one that acts (spec 1.4, 9.2).
func (r *resolver) restart() {
	c := &r.cfg
	if c.Restart == RestartDefault {
		switch {
		case c.Interval == 0:
			c.Restart = RestartNone
		case r.version == v118:
			c.Restart, c.RestartAttempts, c.RestartDelay = RestartFixedDelay, unlimited, event.Second
			r.idle(keyFixed, "attempts", "delay")
		default:
			c.Restart = RestartExponentialDelay
		}
	}
	if c.Restart != RestartFixedDelay {
		r.idle(keyFixed, "attempts", "delay")
	}
	if c.Restart != RestartFailureRate {
		r.idle(keyFailureRate, "max-failures-per-interval", "failure-rate-interval", "delay")
	}
	if c.Restart != RestartExponentialDelay {
		r.idle(keyExponential, "initial-backoff", "max-backoff", "backoff-multiplier", "reset-backoff-threshold", "jitter-factor", "attempts-before-reset-backoff")
	} else if c.RestartInitialBackoff > c.RestartMaxBackoff {
		if !r.given(keyExponential + "initial-backoff") {
			r.given(keyExponential + "max-backoff")
		}
		r.wrong(r.current, &Mistake{Problem: "leaves the initial back-off longer than the maximum, which Flink refuses",
			Remedy: "keep " + keyExponential + "initial-backoff at or below " + keyExponential + "max-backoff"})
	}
}

// idle notes the options of a strategy that is not the chosen one.
func (r *resolver) idle(prefix string, names ...string) {
	for _, n := range names {
		if r.given(prefix + n) {
			r.note(Info, "Without effect: "+keyRestart+" is not this strategy.", "효과가 없다. "+keyRestart+"가 이 전략이 아니다.")
		}
	}
}

// parallelism: spec 10.1.
func (r *resolver) parallelism() {
	c := &r.cfg
	if c.MaxParallelism > 0 && c.Parallelism > c.MaxParallelism {
		if !r.given(keyParallelism) {
			r.given(keyMaxParallelism)
		}
		r.wrong(r.current, &Mistake{Problem: "leaves the parallelism above the max parallelism, which Flink refuses",
			Remedy: "keep " + keyParallelism + " at or below " + keyMaxParallelism})
	}
}
