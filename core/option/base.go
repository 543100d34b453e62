package option

import (
	"math"

	"checkpointlab/core/event"
)

// Defaults is what Resolve makes of no options at all in a version ("" = 2.3). It panics for a version that the lab does not know.
func Defaults(version string) Config {
	c, _, err := Resolve(Versions[mustVersion(version)], nil)
	if err != nil {
		panic(err)
	}
	return c
}

// base holds a version's defaults as the option classes declare them, before the rules between options.
func base(version int) Config {
	c := Config{
		Version:               Versions[version],
		IntervalDuringBacklog: -1,
		Timeout:               10 * minute,
		MaxConcurrent:         1,
		AfterTasksFinish:      true,
		Retained:              1,
		BufferTimeout:         100 * event.Millisecond,

		DebloatPeriod: 200 * event.Millisecond, DebloatSamples: 20, DebloatTarget: event.Second, DebloatThreshold: 25,

		SegmentSize: 32 << 10, MinSegmentSize: 256, StartingSegmentSize: 1 << 10,
		BuffersPerChannel: 2, FloatingPerGate: 8, MaxPerChannel: 10, MaxOverdraft: 20, AdaptiveTraverse: 4,

		RestartAttempts: 1, RestartDelay: event.Second, RestartFailures: 1, RestartFailureDelay: event.Second, RestartFailureInterval: minute,
		RestartInitialBackoff: event.Second, RestartMaxBackoff: minute, RestartMultiplier: 1.5,
		RestartResetThreshold: hour, RestartJitter: 0.1, RestartAttemptsToReset: -1,

		InlineThreshold: 20 << 10, ParallelClean: true, IOPool: 4, FileMergingSize: 32 << 20, ChannelFileSubtasks: 5,

		ChangelogMaterialize: 10 * minute, ChangelogFailures: 3, ChangelogBatchDelay: 10 * event.Millisecond, ChangelogBatchSize: 10 << 20,
		ChangelogPreemptive: 5 << 20, ChangelogInFlight: 100 << 20,
		ChangelogRetryDelay: 500 * event.Millisecond,
		HeartbeatInterval:   10 * event.Second, HeartbeatTimeout: 50 * event.Second, HeartbeatFailures: 2, CancelTimeout: 180 * event.Second, CommitRetries: 10, WithoutFlow: -1,
		KeepIdle: 7200, KeepInterval: 75, KeepCount: 9, // Linux's: net.ipv4.tcp_keepalive_time, _intvl, _probes

		AutoWatermark: 200 * event.Millisecond, Chaining: true, Parallelism: 1, MaxParallelism: -1,
	}
	c.Rocks, c.ForSt, c.Memory = lsmDefaults(), lsmDefaults(), memoryDefaults()
	c.ForSt.Partitioned = true
	c.ForStCacheReserve, c.ForStPromote, c.ForStReadIO, c.ForStWriteIO, c.ForStInlineWrite, c.AsyncBuffer = 256<<20, 6, 3, 1, true, 6000
	if version < v23 {
		c.MaxOverdraft = 5
		c.StartingSegmentSize = c.SegmentSize // no such option before 2.x: a buffer starts at full size (spec 5)
	}
	if version == v118 {
		c.RestartMaxBackoff, c.RestartMultiplier = 5*minute, 2 // spec 1.4
		c.ParallelClean = false                                // FLINK-33090, since 1.19
	}
	return c
}

// unlimited is how Flink spells an endless number of attempts.
const unlimited = math.MaxInt32
