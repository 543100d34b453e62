package checkpoint

import (
	"checkpointlab/core/event"
	"checkpointlab/core/option"
	"checkpointlab/core/sim"
)

// Config is what the coordinator has to know. Times are ns.
type Config struct {
	Interval              event.Time // 0 = no periodic checkpoints
	IntervalDuringBacklog event.Time // 0 = none during backlog, -1 = as Interval
	MinPause              event.Time
	Timeout               event.Time
	MaxConcurrent         int // at least 1
	Tolerable             int // at least 0; UnlimitedFailures = no failure counts
	Retained              int // less than 1 means 1
	Retention             option.Retention
	Unaligned             bool
	PauseSources          bool // restored sources wait for the first checkpoint
	StartAborts           bool // 1.18: Start aborts what is pending whether the scheduler ran or not
	Tasks                 int  // tasks 0 … Tasks-1 acknowledge

	// SlowFinalize: writing the metadata takes time, Finalize is answered with Finalized.
	SlowFinalize bool
	// SlowCleaning: deleting takes time, each Subsumed and each Failed with an id is answered with Cleaned.
	SlowCleaning bool
}

// FromOptions takes the coordinator's part of the options for a job of so many tasks.
func FromOptions(o *option.Config, tasks int) Config {
	return Config{
		Interval: o.Interval, IntervalDuringBacklog: o.IntervalDuringBacklog, MinPause: o.MinPause, Timeout: o.Timeout,
		MaxConcurrent: o.MaxConcurrent, Tolerable: o.Tolerable, Retained: o.Retained, Retention: o.Retention, Unaligned: o.Unaligned, Tasks: tasks,
		StartAborts: o.Version == "1.18", PauseSources: o.PauseSources,
	}
}

// maxMinPause is Flink's cap of the pause: 365 days (spec 2.1).
const maxMinPause = 365 * 24 * 3600 * event.Second

// normalized applies the coordinator's own rules: the capped pause, and no interval below it (spec 2.1).
func (c Config) normalized() Config {
	c.MinPause = min(c.MinPause, maxMinPause)
	if c.Interval > 0 {
		c.Interval = max(c.Interval, c.MinPause)
	}
	if c.IntervalDuringBacklog < 0 {
		c.IntervalDuringBacklog = c.Interval
	}
	c.Retained = max(c.Retained, 1)
	return c
}

// FirstDelay draws how long after its first start the scheduler waits with its first trigger: at least min-pause, at most the interval
// (spec 2.1; CheckpointCoordinatorConfiguration.getInitialTriggeringDelay, until 1.20 CheckpointCoordinator.getRandomInitDelay). From 2.3 on
// it is min-pause at each further start (CheckpointCoordinator.startCheckpointScheduler). Sources that wait for it do not wait for long: it is
// below twice the pause.
func (c Config) FirstDelay(random *sim.Stream) event.Time {
	c = c.normalized()
	most := c.Interval
	if c.PauseSources {
		most = 2*c.MinPause + event.Millisecond
	}
	if most <= c.MinPause {
		return c.MinPause
	}
	return c.MinPause + random.Int64n(most-c.MinPause)
}
