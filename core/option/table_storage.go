package option

import (
	"math"

	"checkpointlab/core/event"
)

// mostFile bounds the sizes of files and buffers.
const mostFile = 1 << 40

// storageOptions are the modelled options of where checkpoints are kept (spec 1.1). They act with a storage: block in the
// scenario; without one, an asynchronous part takes the time that the scenario gives.
func storageOptions() []Option {
	return []Option{
		Option{
			Key: "execution.checkpointing.storage", Field: "Storage", Old: []string{"state.checkpoint-storage"},
			Label: both("Checkpoint storage", "체크포인트 저장소"),
			Effect: both("filesystem writes files; jobmanager puts all state into the metadata on the JobManager's heap, and a piece of more than 5 mb fails the checkpoint.",
				"filesystem은 파일로 쓴다. jobmanager는 모든 상태를 JobManager 힙의 메타데이터에 넣으며, 5 mb를 넘는 조각이 있으면 체크포인트가 실패한다."),
		}.as(choice([]string{"filesystem", "jobmanager"}, nil,
			func(c *Config, i int) { c.Storage = StorageKind(i) },
			func(c *Config) string { return [...]string{"filesystem", "jobmanager"}[c.Storage] })),
		Option{
			Key: "execution.checkpointing.data-inline-threshold", Field: "InlineThreshold",
			Old:   []string{"state.storage.fs.memory-threshold", "state.backend.fs.memory-threshold"},
			Label: both("Inline threshold", "인라인 기준 크기"),
			Effect: both("Smaller pieces of state go into the metadata file instead of files of their own: fewer requests to the storage.",
				"이보다 작은 상태 조각은 따로 파일을 만들지 않고 메타데이터에 넣는다. 저장소 요청이 줄어든다."),
		}.as(amount(func(c *Config) *int64 { return &c.InlineThreshold }, 0, 1<<20)),
		Option{
			Key: "execution.checkpointing.cleaner.parallel-mode", Field: "ParallelClean", Old: []string{"state.checkpoint.cleaner.parallel-mode"},
			Label: both("Parallel cleaning", "병렬 정리"),
			Effect: both("Whether the files of a dropped checkpoint are deleted by all I/O threads of the JobManager at once or one after the other. While more checkpoints are being cleaned than may be in progress, none starts.",
				"버린 체크포인트의 파일을 JobManager의 I/O 스레드가 한꺼번에 지울지 하나씩 지울지 정한다. 동시 체크포인트 수보다 많은 체크포인트를 지우는 동안에는 새 체크포인트가 시작하지 않는다."),
		}.as(flag(func(c *Config) *bool { return &c.ParallelClean })),
		Option{
			Key: "jobmanager.io-pool.size", Field: "IOPool",
			Label: both("I/O threads of the JobManager", "JobManager I/O 스레드"),
			Effect: both("How many files the JobManager deletes at once; Flink takes the number of its cores, the lab 4.",
				"JobManager가 한꺼번에 지우는 파일의 수다. Flink는 코어 수를 쓰고 랩은 4를 쓴다."),
		}.as(count(func(c *Config) *int { return &c.IOPool }, 1, 10_000)),
		Option{
			Key: "execution.checkpointing.file-merging.enabled", Field: "FileMerging",
			Label: both("File merging", "파일 병합"),
			Effect: both("Put checkpoint files together: fewer files and requests, and space that is freed only when all of a file is unused.",
				"체크포인트 파일을 합친다. 파일과 요청이 줄지만, 합친 파일 전체가 쓰이지 않게 되어야 공간이 빈다."),
		}.as(flag(func(c *Config) *bool { return &c.FileMerging })),
		Option{
			Key: "execution.checkpointing.file-merging.across-checkpoint-boundary", Field: "FileMergingAcross",
			Label: both("Merging across checkpoints", "체크포인트를 넘는 병합"),
			Effect: both("Whether files of several checkpoints may be in one.",
				"여러 체크포인트의 파일을 하나에 합쳐도 되는지 정한다."),
		}.as(flag(func(c *Config) *bool { return &c.FileMergingAcross })),
		Option{
			Key: "execution.checkpointing.file-merging.max-file-size", Field: "FileMergingSize",
			Label: both("Size of merged files", "병합 파일 크기"),
			Effect: both("A merged file takes no more once it has this many bytes.",
				"합친 파일이 이 크기에 이르면 더 받지 않는다."),
		}.as(amount(func(c *Config) *int64 { return &c.FileMergingSize }, 1, mostFile)),
		Option{
			Key: "execution.checkpointing.unaligned.max-subtasks-per-channel-state-file", Field: "ChannelFileSubtasks",
			Label: both("Subtasks per channel-state file", "채널 상태 파일당 서브태스크"),
			Effect: both("How many subtasks of a TaskManager put their in-flight data into one file, which is stored when the last of them has all of its own.",
				"TaskManager 하나에서 몇 개의 서브태스크가 흐르는 중인 데이터를 한 파일에 쓰는지 정한다. 마지막 서브태스크의 것이 다 모이면 저장된다."),
		}.as(count(func(c *Config) *int { return &c.ChannelFileSubtasks }, 1, math.MaxInt32)),
	}
}

// changelogOptions are the modelled options of the changelog backend (spec 1.3, 8.3).
func changelogOptions() []Option {
	const dstl = "state.changelog.dstl.dfs."
	return []Option{
		Option{
			Key: "state.changelog.enabled", Field: "Changelog", Old: []string{"state.backend.changelog.enabled"},
			Label: both("Changelog", "changelog"),
			Effect: both("Write every state change to a log as well, so that a checkpoint uploads only its tail: short and even durations, for more writing, more files and a slower restart.",
				"상태 변경을 로그에도 남겨 체크포인트가 마지막 부분만 올리게 한다. 걸리는 시간이 짧고 고르지만 쓰기와 파일이 늘고 재시작이 느려진다."),
		}.as(flag(func(c *Config) *bool { return &c.Changelog })),
		Option{
			Key: "state.changelog.periodic-materialize.interval", Field: "ChangelogMaterialize",
			Old:   []string{"state.backend.changelog.periodic-materialize.interval"},
			Label: both("Materialization interval", "구체화 간격"),
			Effect: both("How often the wrapped state backend is stored and the log is cut; each subtask begins at an offset of its own.",
				"감싼 상태 백엔드를 저장하고 로그를 자르는 간격이다. 서브태스크마다 시작하는 시점이 다르다."),
		}.as(span(func(c *Config) *event.Time { return &c.ChangelogMaterialize }, event.Millisecond)),
		Option{
			Key: "state.changelog.max-failures-allowed", Field: "ChangelogFailures", Old: []string{"state.backend.changelog.max-failures-allowed"},
			Label: both("Failed materializations", "허용 구체화 실패"),
			Effect: both("How many materializations in a row may fail before the task fails.",
				"구체화가 연달아 몇 번까지 실패해도 태스크가 실패하지 않는지 정한다."),
		}.as(count(func(c *Config) *int { return &c.ChangelogFailures }, 0, math.MaxInt32)),
		Option{
			Key: dstl + "batch.persist-delay", Field: "ChangelogBatchDelay", Old: []string{"dstl.dfs.batch.persist-delay"},
			Label: both("Batch delay of the log", "로그 배치 지연"),
			Effect: both("How long an upload of the log waits for more to come with it.",
				"로그를 올리기 전에 함께 보낼 것을 얼마나 기다리는지 정한다."),
		}.as(span(func(c *Config) *event.Time { return &c.ChangelogBatchDelay }, 0)),
		Option{
			Key: dstl + "batch.persist-size-threshold", Field: "ChangelogBatchSize", Old: []string{"dstl.dfs.batch.persist-size-threshold"},
			Label: both("Batch size of the log", "로그 배치 크기"),
			Effect: both("So much of the log is uploaded without waiting for more.",
				"로그가 이만큼 모이면 기다리지 않고 올린다."),
		}.as(amount(func(c *Config) *int64 { return &c.ChangelogBatchSize }, 0, mostFile)),
		Option{
			Key: dstl + "preemptive-persist-threshold", Field: "ChangelogPreemptive", Old: []string{"dstl.dfs.preemptive-persist-threshold"},
			Label: both("Pre-emptive upload of the log", "로그 선행 업로드"),
			Effect: both("A tail of this size is uploaded before a checkpoint asks for it.",
				"로그의 마지막 부분이 이만큼 쌓이면 체크포인트가 요구하기 전에 올린다."),
		}.as(amount(func(c *Config) *int64 { return &c.ChangelogPreemptive }, 1, mostFile)),
		Option{
			Key: dstl + "upload.max-in-flight", Field: "ChangelogInFlight", Old: []string{"dstl.dfs.upload.max-in-flight"},
			Label: both("Log in flight", "업로드 중인 로그"),
			Effect: both("While this much or more is on its way, the writer is blocked: the task is busy with the changelog.",
				"이만큼 이상의 로그가 업로드 중이면 쓰는 쪽이 막히고, 태스크는 changelog 때문에 바쁜 것으로 센다."),
		}.as(amount(func(c *Config) *int64 { return &c.ChangelogInFlight }, 1, mostFile)),
		Option{
			Key: dstl + "upload.next-attempt-delay", Field: "ChangelogRetryDelay", Old: []string{"dstl.dfs.upload.next-attempt-delay"},
			Label: both("Pause before the next attempt", "다음 시도까지의 지연"),
			Effect: both("How long a failed upload of the log waits before it is tried again.",
				"실패한 로그 업로드를 다시 시도하기 전에 기다리는 시간이다."),
		}.as(span(func(c *Config) *event.Time { return &c.ChangelogRetryDelay }, 0)),
	}
}
