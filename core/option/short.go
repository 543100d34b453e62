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
	{"heartbeat-interval", "heartbeat.interval"},
	{"heartbeat-timeout", "heartbeat.timeout"},
	{"heartbeat-failures", "heartbeat.rpc-failure-threshold"},
	{"failover", "jobmanager.execution.failover-strategy"},
	{"watermark-interval", "pipeline.auto-watermark-interval"},
	{"interruptible-timers", "execution.checkpointing.unaligned.interruptible-timers.enabled"},
	{"backend", "state.backend.type"},
	{"incremental", "execution.checkpointing.incremental"},
	{"compression", "execution.checkpointing.snapshot-compression"},
	{"storage", "execution.checkpointing.storage"},
	{"data-inline-threshold", "execution.checkpointing.data-inline-threshold"},
	{"cleaner-parallel", "execution.checkpointing.cleaner.parallel-mode"},
	{"file-merging", "execution.checkpointing.file-merging.enabled"},
	{"file-merging-across", "execution.checkpointing.file-merging.across-checkpoint-boundary"},
	{"file-merging-max", "execution.checkpointing.file-merging.max-file-size"},
	{"subtasks-per-channel-file", "execution.checkpointing.unaligned.max-subtasks-per-channel-state-file"},
	{"retention", "execution.checkpointing.externalized-checkpoint-retention"},
	{"claim-mode", "execution.state-recovery.claim-mode"},
	{"ignore-unclaimed", "execution.state-recovery.ignore-unclaimed-state"},
	{"local-backup", "execution.checkpointing.local-backup.enabled"},
	{"from-local", "execution.state-recovery.from-local"},
	{"changelog", "state.changelog.enabled"},
	{"materialize-interval", "state.changelog.periodic-materialize.interval"},
	{"materialize-failures", "state.changelog.max-failures-allowed"},
	{"persist-delay", "state.changelog.dstl.dfs.batch.persist-delay"},
	{"persist-size", "state.changelog.dstl.dfs.batch.persist-size-threshold"},
	{"preemptive-persist", "state.changelog.dstl.dfs.preemptive-persist-threshold"},
	{"rocksdb-managed", "state.backend.rocksdb.memory.managed"},
	{"rocksdb-fixed-per-slot", "state.backend.rocksdb.memory.fixed-per-slot"},
	{"rocksdb-fixed-per-tm", "state.backend.rocksdb.memory.fixed-per-tm"},
	{"rocksdb-write-buffer-ratio", "state.backend.rocksdb.memory.write-buffer-ratio"},
	{"rocksdb-high-prio-ratio", "state.backend.rocksdb.memory.high-prio-pool-ratio"},
	{"rocksdb-threads", "state.backend.rocksdb.thread.num"},
	{"rocksdb-compaction", "state.backend.rocksdb.compaction.style"},
	{"rocksdb-level-base", "state.backend.rocksdb.compaction.level.max-size-level-base"},
	{"rocksdb-target-file-size", "state.backend.rocksdb.compaction.level.target-file-size-base"},
	{"rocksdb-dynamic-level-size", "state.backend.rocksdb.compaction.level.use-dynamic-size"},
	{"rocksdb-writebuffer-size", "state.backend.rocksdb.writebuffer.size"},
	{"rocksdb-writebuffer-count", "state.backend.rocksdb.writebuffer.count"},
	{"rocksdb-writebuffer-merge", "state.backend.rocksdb.writebuffer.number-to-merge"},
	{"rocksdb-block-size", "state.backend.rocksdb.block.blocksize"},
	{"rocksdb-block-cache", "state.backend.rocksdb.block.cache-size"},
	{"rocksdb-bloom-filter", "state.backend.rocksdb.use-bloom-filter"},
	{"rocksdb-bloom-bits", "state.backend.rocksdb.bloom-filter.bits-per-key"},
	{"rocksdb-transfer-threads", "state.backend.rocksdb.checkpoint.transfer.thread.num"},
	{"rocksdb-predefined", "state.backend.rocksdb.predefined-options"},
	{"forst-managed", "state.backend.forst.memory.managed"},
	{"forst-cache-limit", "state.backend.forst.cache.size-based-limit"},
	{"forst-cache-reserve", "state.backend.forst.cache.reserve-size"},
	{"forst-read-parallelism", "state.backend.forst.executor.read-io-parallelism"},
	{"forst-write-parallelism", "state.backend.forst.executor.write-io-parallelism"},
	{"forst-inline-write", "state.backend.forst.executor.inline-write"},
	{"process-size", "taskmanager.memory.process.size"},
	{"flink-size", "taskmanager.memory.flink.size"},
	{"heap-size", "taskmanager.memory.task.heap.size"},
	{"managed-size", "taskmanager.memory.managed.size"},
	{"managed-fraction", "taskmanager.memory.managed.fraction"},
	{"network-fraction", "taskmanager.memory.network.fraction"},
	{"network-min", "taskmanager.memory.network.min"},
	{"network-max", "taskmanager.memory.network.max"},
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
