package scenarios

import "strings"

// constants are the options of the lab's table by their names in Flink's option classes (CheckpointingOptions, TaskManagerOptions,
// RocksDBOptions …), a line each: read from the sources of 1.20.1 and 2.3.0. No two classes give one name two meanings but those of
// ForSt, whose keys are RocksDB's with its own name.
const constants = `
ALIGNED_CHECKPOINT_TIMEOUT execution.checkpointing.aligned-checkpoint-timeout
ALIGNMENT_TIMEOUT execution.checkpointing.aligned-checkpoint-timeout
ASYNC_STATE_TOTAL_BUFFER_SIZE execution.async-state.total-buffer-size
AUTO_WATERMARK_INTERVAL pipeline.auto-watermark-interval
BLOCK_CACHE_SIZE state.backend.rocksdb.block.cache-size
BLOCK_SIZE state.backend.rocksdb.block.blocksize
BLOOM_FILTER_BITS_PER_KEY state.backend.rocksdb.bloom-filter.bits-per-key
BUFFER_DEBLOAT_ENABLED taskmanager.network.memory.buffer-debloat.enabled
BUFFER_DEBLOAT_PERIOD taskmanager.network.memory.buffer-debloat.period
BUFFER_DEBLOAT_SAMPLES taskmanager.network.memory.buffer-debloat.samples
BUFFER_DEBLOAT_TARGET taskmanager.network.memory.buffer-debloat.target
BUFFER_DEBLOAT_THRESHOLD_PERCENTAGES taskmanager.network.memory.buffer-debloat.threshold-percentages
BUFFER_TIMEOUT execution.buffer-timeout.interval
BUFFER_TIMEOUT_ENABLED execution.buffer-timeout.enabled
CHECKPOINTING_CONSISTENCY_MODE execution.checkpointing.mode
CHECKPOINTING_DURING_RECOVERY_ENABLED execution.checkpointing.during-recovery.enabled
CHECKPOINTING_INTERVAL execution.checkpointing.interval
CHECKPOINTING_INTERVAL_DURING_BACKLOG execution.checkpointing.interval-during-backlog
CHECKPOINTING_MODE execution.checkpointing.mode
CHECKPOINTING_TIMEOUT execution.checkpointing.timeout
CHECKPOINTS_DIRECTORY execution.checkpointing.dir
CHECKPOINTS_HISTORY_SIZE web.checkpoints.history
CHECKPOINT_ID_OF_IGNORED_IN_FLIGHT_DATA execution.state-recovery.without-channel-state.checkpoint-id
CHECKPOINT_STORAGE execution.checkpointing.storage
CHECKPOINT_TRANSFER_THREAD_NUM state.backend.rocksdb.checkpoint.transfer.thread.num
CLEANER_PARALLEL_MODE execution.checkpointing.cleaner.parallel-mode
COMMITTER_RETRIES sink.committer.retries
COMPACTION_STYLE state.backend.rocksdb.compaction.style
DEFAULT_PARALLELISM parallelism.default
ENABLE_CHECKPOINTS_AFTER_TASKS_FINISH execution.checkpointing.checkpoints-after-tasks-finish
ENABLE_STATE_CHANGE_LOG state.changelog.enabled
ENABLE_UNALIGNED execution.checkpointing.unaligned.enabled
ENABLE_UNALIGNED_INTERRUPTIBLE_TIMERS execution.checkpointing.unaligned.interruptible-timers.enabled
EXECUTION_FAILOVER_STRATEGY jobmanager.execution.failover-strategy
EXTERNALIZED_CHECKPOINT execution.checkpointing.externalized-checkpoint-retention
EXTERNALIZED_CHECKPOINT_RETENTION execution.checkpointing.externalized-checkpoint-retention
FILE_MERGING_ACROSS_BOUNDARY execution.checkpointing.file-merging.across-checkpoint-boundary
FILE_MERGING_ENABLED execution.checkpointing.file-merging.enabled
FILE_MERGING_MAX_FILE_SIZE execution.checkpointing.file-merging.max-file-size
FIX_PER_SLOT_MEMORY_SIZE state.backend.rocksdb.memory.fixed-per-slot
FIX_PER_TM_MEMORY_SIZE state.backend.rocksdb.memory.fixed-per-tm
FORCE_UNALIGNED execution.checkpointing.unaligned.forced
FRAMEWORK_HEAP_MEMORY taskmanager.memory.framework.heap.size
FRAMEWORK_OFF_HEAP_MEMORY taskmanager.memory.framework.off-heap.size
FS_SMALL_FILE_THRESHOLD execution.checkpointing.data-inline-threshold
FS_WRITE_BUFFER_SIZE execution.checkpointing.write-buffer-size
HEARTBEAT_INTERVAL heartbeat.interval
HEARTBEAT_RPC_FAILURE_THRESHOLD heartbeat.rpc-failure-threshold
HEARTBEAT_TIMEOUT heartbeat.timeout
HIGH_PRIORITY_POOL_RATIO state.backend.rocksdb.memory.high-prio-pool-ratio
INCREMENTAL_CHECKPOINTS execution.checkpointing.incremental
IN_FLIGHT_DATA_LIMIT state.changelog.dstl.dfs.upload.max-in-flight
JOB_MANAGER_IO_POOL_SIZE jobmanager.io-pool.size
JVM_METASPACE taskmanager.memory.jvm-metaspace.size
JVM_OVERHEAD_FRACTION taskmanager.memory.jvm-overhead.fraction
JVM_OVERHEAD_MAX taskmanager.memory.jvm-overhead.max
JVM_OVERHEAD_MIN taskmanager.memory.jvm-overhead.min
LOCAL_BACKUP_ENABLED execution.checkpointing.local-backup.enabled
LOCAL_DIRECTORIES state.backend.rocksdb.localdir
LOCAL_RECOVERY execution.state-recovery.from-local
MANAGED_MEMORY_FRACTION taskmanager.memory.managed.fraction
MANAGED_MEMORY_SIZE taskmanager.memory.managed.size
MATERIALIZATION_MAX_FAILURES_ALLOWED state.changelog.max-failures-allowed
MAX_BACKGROUND_THREADS state.backend.rocksdb.thread.num
MAX_CONCURRENT_CHECKPOINTS execution.checkpointing.max-concurrent-checkpoints
MAX_PARALLELISM pipeline.max-parallelism
MAX_RETAINED_CHECKPOINTS execution.checkpointing.num-retained
MAX_SIZE_LEVEL_BASE state.backend.rocksdb.compaction.level.max-size-level-base
MAX_WRITE_BUFFER_NUMBER state.backend.rocksdb.writebuffer.count
MEMORY_SEGMENT_SIZE taskmanager.memory.segment-size
MIN_MEMORY_SEGMENT_SIZE taskmanager.memory.min-segment-size
MIN_PAUSE_BETWEEN_CHECKPOINTS execution.checkpointing.min-pause
MIN_WRITE_BUFFER_NUMBER_TO_MERGE state.backend.rocksdb.writebuffer.number-to-merge
NETWORK_BUFFERS_MEMORY_FRACTION taskmanager.memory.network.fraction
NETWORK_BUFFERS_MEMORY_MAX taskmanager.memory.network.max
NETWORK_BUFFERS_MEMORY_MIN taskmanager.memory.network.min
NETWORK_BUFFERS_PER_CHANNEL taskmanager.network.memory.buffers-per-channel
NETWORK_DETAILED_METRICS taskmanager.network.detailed-metrics
NETWORK_EXTRA_BUFFERS_PER_GATE taskmanager.network.memory.floating-buffers-per-gate
NETWORK_MAX_BUFFERS_PER_CHANNEL taskmanager.network.memory.max-buffers-per-channel
NETWORK_MAX_OVERDRAFT_BUFFERS_PER_GATE taskmanager.network.memory.max-overdraft-buffers-per-gate
NETWORK_MEMORY_FRACTION taskmanager.memory.network.fraction
NETWORK_MEMORY_MAX taskmanager.memory.network.max
NETWORK_MEMORY_MIN taskmanager.memory.network.min
NUM_TASK_SLOTS taskmanager.numberOfTaskSlots
OPERATOR_CHAINING pipeline.operator-chaining.enabled
PAUSE_SOURCES_UNTIL_FIRST_CHECKPOINT pipeline.sources.pause-until-first-checkpoint
PERIODIC_MATERIALIZATION_INTERVAL state.changelog.periodic-materialize.interval
PERSIST_DELAY state.changelog.dstl.dfs.batch.persist-delay
PERSIST_SIZE_THRESHOLD state.changelog.dstl.dfs.batch.persist-size-threshold
PREDEFINED_OPTIONS state.backend.rocksdb.predefined-options
PREEMPTIVE_PERSIST_THRESHOLD state.changelog.dstl.dfs.preemptive-persist-threshold
RESTART_STRATEGY restart-strategy.type
RESTART_STRATEGY_EXPONENTIAL_DELAY_ATTEMPTS restart-strategy.exponential-delay.attempts-before-reset-backoff
RESTART_STRATEGY_EXPONENTIAL_DELAY_BACKOFF_MULTIPLIER restart-strategy.exponential-delay.backoff-multiplier
RESTART_STRATEGY_EXPONENTIAL_DELAY_INITIAL_BACKOFF restart-strategy.exponential-delay.initial-backoff
RESTART_STRATEGY_EXPONENTIAL_DELAY_JITTER_FACTOR restart-strategy.exponential-delay.jitter-factor
RESTART_STRATEGY_EXPONENTIAL_DELAY_MAX_BACKOFF restart-strategy.exponential-delay.max-backoff
RESTART_STRATEGY_EXPONENTIAL_DELAY_RESET_BACKOFF_THRESHOLD restart-strategy.exponential-delay.reset-backoff-threshold
RESTART_STRATEGY_FAILURE_RATE_DELAY restart-strategy.failure-rate.delay
RESTART_STRATEGY_FAILURE_RATE_FAILURE_RATE_INTERVAL restart-strategy.failure-rate.failure-rate-interval
RESTART_STRATEGY_FAILURE_RATE_MAX_FAILURES_PER_INTERVAL restart-strategy.failure-rate.max-failures-per-interval
RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS restart-strategy.fixed-delay.attempts
RESTART_STRATEGY_FIXED_DELAY_DELAY restart-strategy.fixed-delay.delay
RESTORE_MODE execution.state-recovery.claim-mode
RETRY_DELAY_AFTER_FAILURE state.changelog.dstl.dfs.upload.next-attempt-delay
RUNTIME_MODE execution.runtime-mode
SAVEPOINT_DIRECTORY execution.checkpointing.savepoint-dir
SAVEPOINT_IGNORE_UNCLAIMED_STATE execution.state-recovery.ignore-unclaimed-state
SNAPSHOT_COMPRESSION execution.checkpointing.snapshot-compression
STARTING_MEMORY_SEGMENT_SIZE taskmanager.memory.starting-segment-size
STATE_BACKEND state.backend.type
TARGET_FILE_SIZE_BASE state.backend.rocksdb.compaction.level.target-file-size-base
TASK_CANCELLATION_TIMEOUT task.cancellation.timeout
TASK_HEAP_MEMORY taskmanager.memory.task.heap.size
TASK_OFF_HEAP_MEMORY taskmanager.memory.task.off-heap.size
TIMER_SERVICE_FACTORY state.backend.rocksdb.timer-service.factory
TOLERABLE_FAILURE_NUMBER execution.checkpointing.tolerable-failed-checkpoints
TOTAL_FLINK_MEMORY taskmanager.memory.flink.size
TOTAL_PROCESS_MEMORY taskmanager.memory.process.size
UNALIGNED_MAX_SUBTASKS_PER_CHANNEL_STATE_FILE execution.checkpointing.unaligned.max-subtasks-per-channel-state-file
UNALIGNED_RECOVER_OUTPUT_ON_DOWNSTREAM execution.checkpointing.unaligned.recover-output-on-downstream.enabled
USE_BLOOM_FILTER state.backend.rocksdb.use-bloom-filter
USE_DYNAMIC_LEVEL_SIZE state.backend.rocksdb.compaction.level.use-dynamic-size
USE_MANAGED_MEMORY state.backend.rocksdb.memory.managed
USE_PARTITIONED_INDEX_FILTERS state.backend.rocksdb.memory.partitioned-index-filters
WRITE_BUFFER_RATIO state.backend.rocksdb.memory.write-buffer-ratio
WRITE_BUFFER_SIZE state.backend.rocksdb.writebuffer.size
`

// constantKey is the key of a class's constant; "" if the lab does not know it.
func constantKey(class, name string) string {
	_, rest, found := strings.Cut(constants, "\n"+name+" ")
	if !found {
		return ""
	}
	key := rest[:strings.IndexByte(rest, '\n')]
	if strings.HasPrefix(class, "ForSt") {
		key = strings.Replace(key, ".rocksdb.", ".forst.", 1)
	}
	return key
}
