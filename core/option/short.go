package option

// Short is a short name of one of Flink's keys, as an address spells it: ?interval=10s.
type Short struct{ Name, Key string }

// shorts is the one table of short names: Flink's own words, as few as tell the keys apart. A name that is in it stays, since
// addresses outside of the lab use it; docs/embedding.md lists it.
var shorts = []Short{
	{"interval", keyInterval},
	{"interval-during-backlog", keyBacklog},
	{"mode", keyMode},
	{"timeout", keyTimeout},
	{"min-pause", "execution.checkpointing.min-pause"},
	{"max-concurrent", "execution.checkpointing.max-concurrent-checkpoints"},
	{"tolerable-failed", "execution.checkpointing.tolerable-failed-checkpoints"},
	{"unaligned", "execution.checkpointing.unaligned.enabled"},
	{"aligned-timeout", "execution.checkpointing.aligned-checkpoint-timeout"},
	{"after-tasks-finish", "execution.checkpointing.checkpoints-after-tasks-finish"},
	{"num-retained", "execution.checkpointing.num-retained"},
	{"buffer-timeout", "execution.buffer-timeout.interval"},
	{"buffer-timeout-enabled", "execution.buffer-timeout.enabled"},
	{"debloat", "taskmanager.network.memory.buffer-debloat.enabled"},
	{"debloat-target", "taskmanager.network.memory.buffer-debloat.target"},
	{"debloat-period", "taskmanager.network.memory.buffer-debloat.period"},
	{"debloat-samples", "taskmanager.network.memory.buffer-debloat.samples"},
	{"debloat-threshold", "taskmanager.network.memory.buffer-debloat.threshold-percentages"},
	{"segment-size", "taskmanager.memory.segment-size"},
	{"min-segment-size", "taskmanager.memory.min-segment-size"},
	{"starting-segment-size", "taskmanager.memory.starting-segment-size"},
	{"buffers-per-channel", "taskmanager.network.memory.buffers-per-channel"},
	{"floating-buffers", "taskmanager.network.memory.floating-buffers-per-gate"},
	{"max-buffers-per-channel", "taskmanager.network.memory.max-buffers-per-channel"},
	{"overdraft", "taskmanager.network.memory.max-overdraft-buffers-per-gate"},
	{"restart", "restart-strategy.type"},
	{"fixed-delay-attempts", "restart-strategy.fixed-delay.attempts"},
	{"fixed-delay", "restart-strategy.fixed-delay.delay"},
	{"failure-rate-max", "restart-strategy.failure-rate.max-failures-per-interval"},
	{"failure-rate-interval", "restart-strategy.failure-rate.failure-rate-interval"},
	{"failure-rate-delay", "restart-strategy.failure-rate.delay"},
	{"initial-backoff", "restart-strategy.exponential-delay.initial-backoff"},
	{"max-backoff", "restart-strategy.exponential-delay.max-backoff"},
	{"backoff-multiplier", "restart-strategy.exponential-delay.backoff-multiplier"},
	{"reset-backoff", "restart-strategy.exponential-delay.reset-backoff-threshold"},
	{"jitter", "restart-strategy.exponential-delay.jitter-factor"},
	{"backoff-attempts", "restart-strategy.exponential-delay.attempts-before-reset-backoff"},
	{"parallelism", "parallelism.default"},
	{"max-parallelism", "pipeline.max-parallelism"},
	{"chaining", "pipeline.operator-chaining.enabled"},
}

// Shorts lists all short names in the table's order. The caller must not write into it.
func Shorts() []Short { return shorts }

// Long is the key that a short name stands for.
func Long(name string) (key string, ok bool) {
	for _, s := range shorts {
		if s.Name == name {
			return s.Key, true
		}
	}
	return "", false
}

// ShortOf is the short name of a key, "" if it has none.
func ShortOf(key string) string {
	for _, s := range shorts {
		if s.Key == key {
			return s.Name
		}
	}
	return ""
}
