package observed

import (
	"strconv"
	"strings"
)

// raised is an exception with the lines of its causes.
type raised struct {
	line int
	text string
}

var exceptionLike = lazily(`^\s*(?:Caused by: |.*?)\b(?:[a-z]\w*\.)+(?:[A-Z]\w*)?(?:Exception|Error|Throwable)(?::|\s*$)`)

// exceptionLine collects exceptions: the line that names one, its frames and causes. A line of the log that tells of failure in its
// own words counts as one.
func (l *logFile) exceptionLine(line int, raw string) {
	trimmed := strings.TrimSpace(raw)
	frame := strings.HasPrefix(trimmed, "at ") || strings.HasPrefix(trimmed, "... ")
	switch {
	case l.open && (frame || strings.HasPrefix(trimmed, "Caused by:") || strings.HasPrefix(trimmed, "Suppressed:")):
		if !frame {
			last := &l.raised[len(l.raised)-1]
			if len(last.text) < 1<<14 {
				last.text += "\n" + trimmed
			}
		}
	case written(trimmed):
		l.open = false
	case telling(raw):
		l.raised = append(l.raised, raised{line, trimmed})
		l.open = true
	case strings.Contains(raw, "xception") || strings.Contains(raw, "Error"):
		if l.open = exceptionLike.find(raw) != nil; l.open {
			l.raised = append(l.raised, raised{line, trimmed})
		}
	default:
		l.open = false
	}
}

// written is a line of a program or a comment, in which an exception is only named.
func written(trimmed string) bool {
	for _, begin := range []string{"//", "#", "*", "/*", "-- ", "import "} {
		if strings.HasPrefix(trimmed, begin) {
			return true
		}
	}
	if strings.Contains(trimmed, `"message"`) { // a resource's status, or what a logger writes as JSON
		return false
	}
	return strings.HasSuffix(trimmed, ";") || strings.HasSuffix(trimmed, "{") || strings.HasSuffix(trimmed, "}")
}

// telling is a line with words that the table of meanings knows.
func telling(raw string) bool {
	for i := range meanings {
		if strings.Contains(raw, meanings[i].words) {
			return true
		}
	}
	return false
}

func (l *logFile) end() {
	if len(l.raised) > mostRaised {
		l.raised = l.raised[:mostRaised]
	}
}

// mostRaised is how many exceptions of a log are looked at.
const mostRaised = 10_000

// meaning is what words of an exception or of a log mean to an operator, and what to do.
type meaning struct{ words, en, ko string }

const (
	maxParallelismEn = "The snapshot was taken with another maximum parallelism, which decides how many key groups the state has: set pipeline.max-parallelism (setMaxParallelism) to what the snapshot has, and no parallelism above it. Without it Flink derives it from the parallelism, so that a rescaling changes it."
	maxParallelismKo = "스냅샷의 최대 병렬도가 다르다. 최대 병렬도는 상태의 키 그룹 수다. pipeline.max-parallelism(setMaxParallelism)을 스냅샷의 값으로 정하고 병렬도는 그 이하로 둔다. 정하지 않으면 Flink가 병렬도에서 끌어내므로 병렬도를 바꿀 때 달라진다."
	finishedEn       = "A task has finished, and no checkpoint is taken any more: execution.checkpointing.checkpoints-after-tasks-finish (before 1.20 execution.checkpointing.checkpoints-after-tasks-finish.enabled) is false, as it is by default before 1.15. A bounded source or an empty table beside an unbounded one does that."
	finishedKo       = "끝난 태스크가 있어 체크포인트를 더 뜨지 않는다. execution.checkpointing.checkpoints-after-tasks-finish(1.20 전에는 execution.checkpointing.checkpoints-after-tasks-finish.enabled)가 false다. 1.15 전에는 기본이 그렇다. 끝이 없는 소스 곁에 끝이 있는 소스나 빈 테이블이 있으면 그렇다."
)

// meanings are asked in this order; one text may have several.
var meanings = []meaning{
	{"Exceeded checkpoint tolerable failure threshold", "Checkpoints brought the job down: more failed in a row than execution.checkpointing.tolerable-failed-checkpoints (0 unless set). The cause is why they failed; a higher number only hides it for longer.",
		"체크포인트가 잡을 내렸다. execution.checkpointing.tolerable-failed-checkpoints(기본 0)보다 많이 잇달아 실패했다. 원인은 체크포인트가 실패한 까닭이다. 수를 늘리면 더 오래 가려질 뿐이다."},
	{"No space left on device", "A disk is full. RocksDB's files, local copies (execution.checkpointing.local-backup.enabled) and spilled data lie in io.tmp.dirs and state.backend.rocksdb.localdir of each TaskManager, often a container's own small disk: give it more, or another directory. Checkpoints fail for it, they are not its cause.",
		"디스크가 찼다. RocksDB 파일, 로컬 사본(execution.checkpointing.local-backup.enabled), 스필된 데이터가 TaskManager마다 io.tmp.dirs와 state.backend.rocksdb.localdir에 있고, 그곳은 흔히 컨테이너의 작은 디스크다. 늘리거나 다른 디렉터리를 쓴다. 체크포인트는 그 때문에 실패할 뿐 원인이 아니다."},
	{"Could not find a file system implementation for scheme", "Flink has no file system for that scheme: put the jar of the plugin (flink-s3-fs-hadoop, flink-s3-fs-presto, flink-azure-fs-hadoop, flink-gs-fs-hadoop …) into a directory of its own below plugins/, on the JobManager and every TaskManager.",
		"그 스킴의 파일 시스템이 Flink에 없다. 플러그인 jar(flink-s3-fs-hadoop, flink-s3-fs-presto, flink-azure-fs-hadoop, flink-gs-fs-hadoop 등)를 JobManager와 모든 TaskManager의 plugins/ 아래 각자의 디렉터리에 둔다."},
	{"Cannot find checkpoint or savepoint file/directory", "The snapshot that the job is to start from is not there: the path is another one, or it was deleted. Checkpoints of a job that finished or was cancelled are kept only with execution.checkpointing.externalized-checkpoint-retention (RETAIN_ON_CANCELLATION), and each new one deletes those above execution.checkpointing.num-retained.",
		"잡이 시작할 스냅샷이 그 경로에 없다. 경로가 다르거나 지워졌다. 끝나거나 취소한 잡의 체크포인트는 execution.checkpointing.externalized-checkpoint-retention(RETAIN_ON_CANCELLATION)이 있어야 남고, 새것이 완료될 때마다 execution.checkpointing.num-retained를 넘는 것은 지워진다."},
	{"Cannot find meta data file '_metadata' in directory", "That directory is no complete snapshot: it has no _metadata, which is written last. Start from an earlier chk-… directory that has one.",
		"그 디렉터리는 완전한 스냅샷이 아니다. 마지막에 쓰는 _metadata가 없다. _metadata가 있는 더 이른 chk-… 디렉터리에서 시작한다."},
	{"Max parallelism mismatch between checkpoint/savepoint state and new program", maxParallelismEn, maxParallelismKo},
	{"of the restored state is lower than the configured parallelism", maxParallelismEn, maxParallelismKo},
	{"can not be restored. The maximum parallelism (", maxParallelismEn, maxParallelismKo},
	{"checkpointing with finished tasks is not enabled", finishedEn, finishedKo},
	{"is not being executed at the moment", "A task was not running when a checkpoint was due: just after a start that is harmless. If it stays so, look whether that task has finished or waits for a slot.",
		"체크포인트를 시작할 때 실행 중이 아닌 태스크가 있었다. 시작 직후라면 괜찮다. 계속 그렇다면 그 태스크가 끝났는지, 슬롯을 기다리는지 본다."},
	{"Too many ongoing snapshots", "FlinkKafkaProducer has no producer left for another transaction: more checkpoints are under way, or complete late, than its pool has producers (5). Make checkpoints shorter or fewer at once, or use KafkaSink, which has no such pool.",
		"FlinkKafkaProducer에 새 트랜잭션을 열 프로듀서가 남지 않았다. 진행 중이거나 늦게 완료되는 체크포인트가 프로듀서 풀(5개)보다 많다. 체크포인트를 짧게 하거나 동시 수를 줄이거나, 그런 풀이 없는 KafkaSink를 쓴다."},
	{"awaiting InitProducerId", "The Kafka sink got no transaction from the brokers within max.block.ms (60 s): the transaction coordinator is unreachable or overloaded, or ACLs do not allow the transactional id.",
		"Kafka 싱크가 max.block.ms(60초) 안에 브로커에게서 트랜잭션을 얻지 못했다. 트랜잭션 코디네이터에 닿지 않거나 과부하이거나, ACL이 transactional id를 허용하지 않는다."},
	{"Could not stop with a savepoint", "The client gave up waiting for the savepoint (client.timeout, 60 s unless set); the savepoint itself goes on until execution.checkpointing.timeout. Raise client.timeout above what a savepoint takes, or ask for it detached.",
		"클라이언트가 세이브포인트를 더 기다리지 않았다(client.timeout, 기본 60초). 세이브포인트 자체는 execution.checkpointing.timeout까지 계속한다. client.timeout을 세이브포인트에 걸리는 시간보다 길게 하거나 detached로 요청한다."},
	{"NoResourceAvailableException", "There are not enough slots: the job waits for them and then fails. Add TaskManagers or slots, or lower the parallelism.", "슬롯이 모자란다. 잡이 기다리다 실패한다. TaskManager나 슬롯을 늘리거나 병렬도를 낮춘다."},
	{"Could not acquire the minimum required resources", "There are not enough slots: the job waits for them and then fails. Add TaskManagers or slots, or lower the parallelism.", "슬롯이 모자란다. 잡이 기다리다 실패한다. TaskManager나 슬롯을 늘리거나 병렬도를 낮춘다."},
	{"Size of the state is larger than the maximum permitted memory-backed state", "The state of a subtask is above 5 mb, the most that checkpoints in the JobManager's memory take: set execution.checkpointing.storage: filesystem and a directory (before 1.20: state.checkpoint-storage, state.checkpoints.dir).",
		"서브태스크의 상태가 JobManager 메모리에 둘 수 있는 5 MB를 넘는다. execution.checkpointing.storage: filesystem과 디렉터리를 정한다(1.20 전에는 state.checkpoint-storage, state.checkpoints.dir)."},
	{"OutOfMemoryError: Java heap space", "The heap of the process is full (with hashmap state that is where it lies): taskmanager.memory.task.heap.size, fewer slots, or RocksDB.", "프로세스의 힙이 찼다(hashmap 상태는 여기에 있다). taskmanager.memory.task.heap.size를 늘리거나 슬롯을 줄이거나 RocksDB를 쓴다."},
	{"OutOfMemoryError: GC overhead", "The JVM collects garbage nearly all of the time: its heap is too small. Pauses of that kind delay barriers and heartbeats, too.", "JVM이 거의 내내 가비지를 모은다. 힙이 작다. 이런 멈춤은 배리어와 하트비트도 늦춘다."},
	{"OutOfMemoryError: Direct buffer memory", "Direct memory is used up: taskmanager.memory.framework.off-heap.size or task.off-heap.size; network buffers are apart.", "다이렉트 메모리가 모자란다. taskmanager.memory.framework.off-heap.size나 task.off-heap.size를 늘린다. 네트워크 버퍼는 따로다."},
	{"OutOfMemoryError: Metaspace", "Metaspace is used up, often by classes of jobs that were restarted: taskmanager.memory.jvm-metaspace.size, and look for a leak of class loaders.", "메타스페이스가 모자란다. 재시작한 잡의 클래스가 남는 일이 많다. taskmanager.memory.jvm-metaspace.size를 늘리고 클래스 로더 누수를 찾는다."},
	{"exit code 137", "The container was killed for its memory (137): RocksDB or other native memory is above what Flink planned. taskmanager.memory.managed.fraction, jvm-overhead.", "컨테이너가 메모리 때문에 죽었다(137). RocksDB 같은 네이티브 메모리가 Flink의 계획을 넘었다. taskmanager.memory.managed.fraction과 jvm-overhead를 본다."},
	{"OOMKilled", "The container was killed for its memory: RocksDB or other native memory is above what Flink planned. taskmanager.memory.managed.fraction, jvm-overhead.", "컨테이너가 메모리 때문에 죽었다. RocksDB 같은 네이티브 메모리가 Flink의 계획을 넘었다. taskmanager.memory.managed.fraction과 jvm-overhead를 본다."},
	{"beyond physical memory limits", "YARN killed the container for its memory: RocksDB or other native memory is above what Flink planned. taskmanager.memory.jvm-overhead.", "YARN이 메모리 때문에 컨테이너를 죽였다. RocksDB 같은 네이티브 메모리가 Flink의 계획을 넘었다. taskmanager.memory.jvm-overhead를 본다."},
	{"SlowDown", "The object store throttles (503 SlowDown): fewer and larger files, a longer interval, s3.entropy.key in the checkpoint directory. Bandwidth does not help.", "객체 저장소가 요청을 늦춘다(503 SlowDown). 파일을 줄이고 키우거나, 간격을 늘리거나, 체크포인트 디렉터리에 s3.entropy.key를 쓴다. 대역폭은 소용없다."},
	{"Please reduce your request rate", "The object store throttles (503 SlowDown): fewer and larger files, a longer interval, s3.entropy.key in the checkpoint directory. Bandwidth does not help.", "객체 저장소가 요청을 늦춘다(503 SlowDown). 파일을 줄이고 키우거나, 간격을 늘리거나, 체크포인트 디렉터리에 s3.entropy.key를 쓴다. 대역폭은 소용없다."},
	{"transaction timeout is larger than the maximum value allowed by the broker", "The Kafka sink asks for 1 h unless transaction.timeout.ms is set, the broker allows transaction.max.timeout.ms (15 min by default): set the former to no more than the latter, and above interval, checkpoint duration and longest downtime together.",
		"Kafka 싱크는 transaction.timeout.ms가 없으면 1시간을 청하는데 브로커는 transaction.max.timeout.ms(기본 15분)까지 허용한다. 앞의 값을 뒤의 값 이하로, 그리고 간격, 체크포인트 시간, 가장 긴 정지 시간을 더한 것보다 길게 정한다."},
	{"InvalidTxnTimeoutException", "The Kafka sink asks for 1 h unless transaction.timeout.ms is set, the broker allows transaction.max.timeout.ms (15 min by default): set the former to no more than the latter, and above interval, checkpoint duration and longest downtime together.",
		"Kafka 싱크는 transaction.timeout.ms가 없으면 1시간을 청하는데 브로커는 transaction.max.timeout.ms(기본 15분)까지 허용한다. 앞의 값을 뒤의 값 이하로, 그리고 간격, 체크포인트 시간, 가장 긴 정지 시간을 더한 것보다 길게 정한다."},
	{"ProducerFencedException", "A transaction is no longer this producer's: it was open for longer than transaction.timeout.ms, or another producer has the same transactional id prefix (two jobs, a job started twice). In the first case what it held is lost.",
		"트랜잭션이 이 프로듀서의 것이 아니게 되었다. transaction.timeout.ms보다 오래 열려 있었거나, 같은 transactional id 접두사를 다른 프로듀서가 쓴다(잡 두 개, 두 번 시작한 잡). 앞의 경우라면 담긴 것을 잃는다."},
	{"InvalidPidMappingException", "The broker has forgotten the transactional id (transactional.id.expiration.ms, 7 d by default): what the transaction held is lost.", "브로커가 transactional id를 잊었다(transactional.id.expiration.ms, 기본 7일). 트랜잭션에 담긴 것을 잃는다."},
	{"Cannot map checkpoint/savepoint state for operator", "The snapshot has state of an operator that the job no longer has: set uid() for all operators so that they are found again, or allow it to be dropped (--allowNonRestoredState, execution.state-recovery.ignore-unclaimed-state).",
		"스냅샷에 있는 연산자가 잡에 없다. 다시 찾도록 모든 연산자에 uid()를 붙이거나, 버려도 된다고 허락한다(--allowNonRestoredState, execution.state-recovery.ignore-unclaimed-state)."},
	{"StateMigrationException", "The state's type is no longer what it was: the new serializer cannot read the old state.", "상태의 타입이 달라졌다. 새 직렬화기가 옛 상태를 읽지 못한다."},
	{"must have at most 1048576 bytes", "The ConfigMap of Kubernetes' high availability is full (1 mb): too many retained checkpoints. Lower execution.checkpointing.num-retained (before 1.20: state.checkpoints.num-retained).", "Kubernetes 고가용성의 ConfigMap이 찼다(1 MB). 보관한 체크포인트가 너무 많다. execution.checkpointing.num-retained를 줄인다(1.20 전에는 state.checkpoints.num-retained)."},
	{"did not react to cancelling signal", "A task that was cancelled is still in a call that no interrupt ends; its stack stands behind the message, every task.cancellation.interval (30 s) anew. Until it ends nothing restarts, and after task.cancellation.timeout (180 s) the whole TaskManager is ended for it.",
		"취소한 태스크가 아직 인터럽트로 끝나지 않는 호출 안에 있다. 그 스택이 메시지 뒤에 task.cancellation.interval(30초)마다 찍힌다. 끝날 때까지 재시작하지 못하고, task.cancellation.timeout(180초)이 지나면 TaskManager 전체를 끝낸다."},
	{"Task did not exit gracefully within", "A task did not end when it was cancelled (task.cancellation.timeout, 180 s): its thread hangs in a call, and the whole TaskManager is ended for it.", "취소한 태스크가 끝나지 않았다(task.cancellation.timeout, 180초). 스레드가 호출에 붙잡혀 있어 TaskManager 전체를 끝낸다."},
	{"Recovery is suppressed by", "The restart strategy allows no further restart: the job has failed for good. Without checkpoints and without restart-strategy.type there is none at all.", "재시작 전략이 더는 허용하지 않는다. 잡이 완전히 실패했다. 체크포인트도 restart-strategy.type도 없으면 재시작은 아예 없다."},
	{"Connection unexpectedly closed by remote task manager", "A TaskManager was lost: the cause stands in its own log or with what ended it (memory, eviction), not here. This restart is not of checkpoints.", "TaskManager를 잃었다. 원인은 여기가 아니라 그 로그나 그것을 끝낸 쪽(메모리, 축출)에 있다. 체크포인트 때문에 재시작한 것이 아니다."},
	{"The heartbeat of TaskManager", "A TaskManager sent no heartbeat for heartbeat.timeout: it is gone, or it stood still (garbage collection). This restart is not of checkpoints.", "TaskManager가 heartbeat.timeout 동안 하트비트를 보내지 않았다. 없어졌거나 멈춰 있었다(가비지 컬렉션). 체크포인트 때문에 재시작한 것이 아니다."},
	{"Heartbeat of TaskManager", "A TaskManager sent no heartbeat for heartbeat.timeout: it is gone, or it stood still (garbage collection). This restart is not of checkpoints.", "TaskManager가 heartbeat.timeout 동안 하트비트를 보내지 않았다. 없어졌거나 멈춰 있었다(가비지 컬렉션). 체크포인트 때문에 재시작한 것이 아니다."},
	{"is no longer reachable", "A TaskManager is no longer reachable: it was lost or evicted. This restart is not of checkpoints.", "TaskManager에 닿지 않는다. 잃었거나 축출되었다. 체크포인트 때문에 재시작한 것이 아니다."},
	{"The TaskExecutor is shutting down", "A TaskManager was shut down: eviction, scaling, or an end that was asked for. This restart is not of checkpoints.", "TaskManager가 내려갔다. 축출, 확장 조정, 또는 요청한 종료다. 체크포인트 때문에 재시작한 것이 아니다."},
	{"Asynchronous task checkpoint failed", "A task could not write its part of the checkpoint: its cause is the storage's answer, not back pressure and not the timeout.", "태스크가 제 몫의 체크포인트를 쓰지 못했다. 원인은 저장소의 응답이며, 백프레셔나 timeout이 아니다."},
	{"Could not materialize checkpoint", "A task could not write its part of the checkpoint: its cause is the storage's answer, not back pressure and not the timeout.", "태스크가 제 몫의 체크포인트를 쓰지 못했다. 원인은 저장소의 응답이며, 백프레셔나 timeout이 아니다."},
	{"Could not complete snapshot", "The synchronous part of a snapshot threw in a task: a call in snapshotState or in the sink's flush.", "태스크에서 스냅샷의 동기 단계가 예외를 던졌다. snapshotState 안의 호출이나 싱크의 flush다."},
	{"Checkpoint expired before completing", "A checkpoint took longer than execution.checkpointing.timeout.", "체크포인트가 execution.checkpointing.timeout보다 오래 걸렸다."},
	{"Failure to finalize checkpoint", "All subtasks had acknowledged; the JobManager could not write the metadata or register it with the high availability.", "서브태스크는 모두 확인했다. JobManager가 메타데이터를 쓰지 못했거나 고가용성 저장소에 등록하지 못했다."},
	{"Ask timed out", "A call between processes took longer than its timeout (pekko.ask.timeout, before 1.18 akka.ask.timeout; 10 s): the other side is overloaded, in garbage collection, or gone.", "프로세스 사이의 호출이 제한 시간을 넘었다(pekko.ask.timeout, 1.18 전에는 akka.ask.timeout, 10초). 상대가 과부하, 가비지 컬렉션 중이거나 없다."},
}

var insufficient = lazily(`Insufficient number of network buffers: required (\d+), but only (\d+) available(?:\. The total number of network buffers is currently set to (\d+) of (\d+) bytes each)?`)

// exception says what an exception, or a line that tells of a failure, means: the known words in it, else its last cause.
func (s *Seen) exception(line int, text string) {
	known := s.networkBuffers(line, text)
	for i := range meanings {
		if m := &meanings[i]; strings.Contains(text, m.words) {
			s.warn(line, m.en, m.ko)
			known = true
		}
	}
	if r := reasonOf(text); !known && r.en != "" && r.name != otherReason && strings.Contains(text, "CheckpointException") {
		s.warn(line, "%s: %s", "%[1]s: %[3]s", r.name, r.en, r.ko)
		known = true
	}
	if at := strings.LastIndex(text, "Caused by: "); at >= 0 {
		s.remark(line, "Its last cause: %s", "맨 안쪽 원인: %s", headOf(text[at+len("Caused by: "):]))
		return
	}
	if !known && exceptionLike.find(text) != nil {
		s.remark(line, "An exception: %s", "예외: %s", headOf(text))
	}
}

// networkBuffers: the job cannot be deployed (NetworkBufferPool).
func (s *Seen) networkBuffers(line int, text string) bool {
	m := insufficient.find(text[max(0, strings.Index(text, "Insufficient number of network buffers")):])
	if m == nil {
		return false
	}
	s.word("network_buffers.required", m[1])
	s.word("network_buffers.available", m[2])
	if m[3] != "" {
		n, _ := strconv.ParseInt(m[3], 10, 64)
		each, _ := strconv.ParseInt(m[4], 10, 64)
		s.count("network_buffers.total", n)
		s.size("network_buffers.size", bytes(n*each))
	}
	s.warn(line, "Insufficient network buffers: %s are asked for, %s are left. The job is not deployed: this is no slowness. Each all-to-all exchange needs a buffer for every channel; raise taskmanager.memory.network.fraction and .max (the smaller of both counts), or lower the parallelism or the slots of a TaskManager.",
		"네트워크 버퍼가 모자란다. %s개를 청했는데 %s개 남았다. 느린 것이 아니라 잡이 배포되지 않는다. 전체 대 전체 교환은 채널마다 버퍼가 필요하다. taskmanager.memory.network.fraction과 .max를 올리거나(둘 가운데 작은 쪽이 한도다) 병렬도나 TaskManager의 슬롯을 줄인다.", m[1], m[2])
	return true
}
