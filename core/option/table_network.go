package option

import (
	"math"

	"checkpointlab/core/event"
)

// networkOptions are the modelled options of buffers and their debloating (spec 1.2, 5).
func networkOptions() []Option {
	return []Option{
		Option{
			Key: keyDebloat, Field: "Debloat",
			Label: both("Buffer debloating", "버퍼 디블로팅"),
			Effect: both("Each input measures its throughput and lets its senders fill buffers only so far that what is in flight takes about the target time.",
				"입력마다 처리량을 재서, 흐르는 중인 데이터가 목표 시간 정도에 처리될 만큼만 버퍼를 채우게 한다."),
		}.as(flag(func(c *Config) *bool { return &c.Debloat })),
		Option{
			Key: keyDebloatSpans + "target", Field: "DebloatTarget",
			Label: both("Debloating target", "디블로팅 목표"),
			Effect: both("The time that the data in flight before a task should take.",
				"태스크 앞에 흐르는 중인 데이터를 처리하는 데 걸리기를 바라는 시간이다."),
		}.as(span(func(c *Config) *event.Time { return &c.DebloatTarget }, event.Millisecond)),
		Option{
			Key: keyDebloatSpans + "period", Field: "DebloatPeriod",
			Label: both("Debloating period", "디블로팅 주기"),
			Effect: both("How often the buffer size is computed anew; a task that is blocked in an emit skips it.",
				"버퍼 크기를 얼마나 자주 다시 계산하는지 정한다. 내보내다 막힌 태스크는 계산하지 못한다."),
		}.as(span(func(c *Config) *event.Time { return &c.DebloatPeriod }, event.Millisecond)),
		Option{
			Key: keyDebloatSpans + "samples", Field: "DebloatSamples",
			Label: both("Debloating samples", "디블로팅 표본 수"),
			Effect: both("Over how many periods the buffer size is smoothed; fewer react faster and swing more.",
				"버퍼 크기를 몇 주기에 걸쳐 평균하는지 정한다. 적을수록 빨리 반응하고 더 흔들린다."),
		}.as(count(func(c *Config) *int { return &c.DebloatSamples }, 1, math.MaxInt32)),
		Option{
			Key: keyDebloatSpans + "threshold-percentages", Field: "DebloatThreshold",
			Label: both("Debloating threshold", "디블로팅 문턱값"),
			Effect: both("Smaller changes of the buffer size than this are not announced to the senders.",
				"버퍼 크기가 이보다 적게 바뀌면 보내는 쪽에 알리지 않는다."),
		}.as(percent(func(c *Config) *int { return &c.DebloatThreshold })),
		Option{
			Key: keySegment, Field: "SegmentSize", Range: "4 kb to 64 mb, a power of 2",
			Label: both("Segment size", "세그먼트 크기"),
			Effect: both("The size of a full buffer: larger ones carry more data in flight, smaller ones cost more work for each record.",
				"버퍼 하나의 최대 크기다. 크면 흐르는 중인 데이터가 늘고, 작으면 레코드당 드는 일이 는다."),
		}.as(segment()),
		Option{
			Key: keyMinSegment, Field: "MinSegmentSize",
			Label: both("Smallest buffer", "가장 작은 버퍼"),
			Effect: both("Debloating makes a buffer no smaller than this.",
				"디블로팅이 버퍼를 줄이는 하한이다."),
		}.as(bytes(func(c *Config) *int32 { return &c.MinSegmentSize }, 1, largestSegment)),
		Option{
			Key: keyStartSegment, Field: "StartingSegmentSize",
			Label: both("Starting buffer", "시작 버퍼 크기"),
			Effect: both("With debloating, buffers start at this size and grow by at most a tenth a period.",
				"디블로팅을 켜면 버퍼가 이 크기에서 시작하고, 한 주기에 많아야 10 %쯤 커진다."),
		}.as(bytes(func(c *Config) *int32 { return &c.StartingSegmentSize }, 1, largestSegment)),
		Option{
			Key: keyExclusive, Field: "BuffersPerChannel",
			Label: both("Exclusive buffers", "전용 버퍼 수"),
			Effect: both("How many buffers each input channel has for itself; they are its first credit.",
				"입력 채널마다 혼자 쓰는 버퍼의 수다. 이 수가 채널의 첫 크레딧이 된다."),
		}.as(count(func(c *Config) *int { return &c.BuffersPerChannel }, 0, mostBuffers)),
		Option{
			Key: keyFloating, Field: "FloatingPerGate",
			Label: both("Floating buffers", "공유 버퍼 수"),
			Effect: both("How many buffers the channels of an input share, lent to those with a backlog.",
				"한 입력의 채널들이 함께 쓰는 버퍼의 수다. 밀린 채널에 빌려 준다."),
		}.as(count(func(c *Config) *int { return &c.FloatingPerGate }, 1, mostBuffers)), // NettyShuffleEnvironmentConfiguration of 1.18 and 1.20
		Option{
			Key: "taskmanager.network.memory.max-buffers-per-channel", Field: "MaxPerChannel",
			Label: both("Queue limit per channel", "채널당 큐 한도"),
			Effect: both("With this many buffers queued for one receiver, the sending task starts no further record.",
				"한 수신자 앞에 버퍼가 이만큼 쌓이면 보내는 태스크는 다음 레코드를 시작하지 않는다."),
		}.as(count(func(c *Config) *int { return &c.MaxPerChannel }, 1, mostBuffers)),
		Option{
			Key: "taskmanager.network.memory.max-overdraft-buffers-per-gate", Field: "MaxOverdraft",
			Label: both("Overdraft buffers", "초과 버퍼 수"),
			Effect: both("How many buffers beyond its pool a task may take to finish a record that has begun.",
				"이미 시작한 레코드를 마치려고 풀을 넘어 더 쓸 수 있는 버퍼의 수다."),
		}.as(count(func(c *Config) *int { return &c.MaxOverdraft }, 0, mostBuffers)),
		Option{
			Key: keyAdaptive, Field: "AdaptivePartitioner",
			Label: both("Adaptive partitioner", "적응형 파티셔너"),
			Effect: both("A REBALANCE or RESCALE exchange does not deal in turn: each record goes to the next channel with nothing to send, or to the one with the least.",
				"REBALANCE와 RESCALE 교환이 차례로 나누지 않는다. 레코드마다 보낼 것이 없는 다음 채널에, 없으면 가장 적은 채널에 보낸다."),
		}.as(flag(func(c *Config) *bool { return &c.AdaptivePartitioner })),
		Option{
			Key: keyTraverse, Field: "AdaptiveTraverse",
			Label: both("Channels looked at", "살펴보는 채널 수"),
			Effect: both("How many channels an adaptive partitioner compares for each record.",
				"적응형 파티셔너가 레코드마다 몇 채널을 견주는지 정한다."),
		}.as(count(func(c *Config) *int { return &c.AdaptiveTraverse }, 2, math.MaxInt32)),
	}
}

// The bounds of the lab, far beyond what a real cluster stands.
const (
	largestSegment = 64 << 20
	mostBuffers    = 1 << 20
)

// segment is a power of 2 of at least 4 kb; Flink refuses anything else.
func segment() accessor {
	a := bytes(func(c *Config) *int32 { return &c.SegmentSize }, 4<<10, largestSegment)
	set := a.set
	a.set = func(r *resolver, v string) *Mistake {
		m := set(r, v)
		if m == nil && r.cfg.SegmentSize&(r.cfg.SegmentSize-1) != 0 {
			m = &Mistake{Problem: "is not a power of 2, which Flink refuses", Remedy: "write 4 kb, 8 kb, 16 kb, 32 kb or 64 kb"}
		}
		return m
	}
	return a
}

// percent is a whole number of per cent.
func percent(field func(*Config) *int) accessor {
	a := count(field, 0, 100)
	a.unit = "%"
	return a
}
