package option

// otherOptions are options that the lab reads and explains but that have no effect in a run. All further keys of Flink are in
// keyTable and get a general note.
func otherOptions() []Option {
	return append(append(otherCheckpointOptions(), otherStateOptions()...), otherRuntimeOptions()...)
}

// known is a line without a field.
func known(key string, t Type, def string, label, effect map[string]string, old ...string) Option {
	return Option{Key: key, Type: t, Default: def, Label: label, Effect: effect, Old: old}
}

// of adds the words of an Enum.
func (o Option) of(words ...string) Option {
	o.Enum, o.Range = words, orList(words)
	return o
}

func otherCheckpointOptions() []Option {
	return []Option{
		known("execution.checkpointing.dir", Text, "",
			both("Checkpoint directory", "체크포인트 디렉터리"),
			both("The directory in which checkpoints are written.", "체크포인트를 쓰는 디렉터리다."),
			"state.checkpoints.dir", "state.backend.fs.checkpointdir"),
		known("execution.checkpointing.savepoint-dir", Text, "",
			both("Savepoint directory", "세이브포인트 디렉터리"),
			both("The directory in which savepoints are written unless one is named.", "따로 정하지 않았을 때 세이브포인트를 쓰는 디렉터리다."),
			"state.savepoints.dir", "savepoints.state.backend.fs.dir"),
		known("execution.checkpointing.write-buffer-size", Int, "4096",
			both("Write buffer", "쓰기 버퍼"),
			both("Bytes collected before a piece of a checkpoint is written.", "체크포인트를 쓰기 전에 모으는 바이트 수다."),
			"state.storage.fs.write-buffer-size", "state.backend.fs.write-buffer-size"),
		known("execution.checkpointing.unaligned.forced", Bool, "false",
			both("Forced unaligned", "unaligned 강제"),
			both("Allow unaligned checkpoints in jobs with iterations.", "반복이 있는 잡에서도 unaligned 체크포인트를 허용한다.")),
		known("web.checkpoints.history", Int, "10",
			both("Checkpoints in the history", "이력에 남길 체크포인트"),
			both("How many checkpoints the web interface remembers.", "웹 화면이 기억하는 체크포인트의 수다."),
			"jobmanager.web.checkpoints.history"),
	}
}

func otherStateOptions() []Option {
	return []Option{
		known("state.backend.rocksdb.localdir", Text, "",
			both("RocksDB directory", "RocksDB 디렉터리"),
			both("The local disk on which RocksDB works.", "RocksDB가 쓰는 로컬 디스크다."),
			"state.backend.rocksdb.checkpointdir"),
	}
}

func otherRuntimeOptions() []Option {
	return []Option{
		known("execution.runtime-mode", Enum, "STREAMING",
			both("Runtime mode", "실행 모드"),
			both("STREAMING has checkpoints; BATCH has none.", "STREAMING에는 체크포인트가 있고 BATCH에는 없다.")).of("STREAMING", "BATCH", "AUTOMATIC"),
		known("taskmanager.numberOfTaskSlots", Int, "1",
			both("Slots", "슬롯 수"),
			both("How many subtasks of a vertex one TaskManager holds; in the lab cluster.slots of the scenario says it.", "TaskManager 하나가 받는 서브태스크의 수다. 랩에서는 시나리오의 cluster.slots가 정한다.")),
		known("taskmanager.network.detailed-metrics", Bool, "false",
			both("Detailed network metrics", "자세한 네트워크 지표"),
			both("Report the queues channel by channel.", "큐를 채널별로 보고한다.")),
	}
}
