package scenarios

import (
	"slices"
	"strings"
	"sync"

	"checkpointlab/core/option"
)

// settable describes the fields that Set takes, by path; * stands for a name or a number. README.md has all fields.
var settable = slices.Concat(jobSettable, eventTimeSettable, windowSettable, asyncSettable, loadSettable)

var jobSettable = []option.Option{
	field("flinkVersion", option.Enum, "2.3", "", "1.18, 1.20 or 2.3",
		"Flink version", "Flink 버전", "Which version of Flink decides how the options act.", "옵션이 어느 Flink 버전대로 작동하는지 정한다.", option.Versions[:]...),
	field("firstTrigger", option.Enum, "running", "", "",
		"First checkpoint", "첫 체크포인트", "When the first periodic checkpoint starts: as the version does it (2.3 once tasks run, older ones at a random time), at a random time within the interval, or after one interval.",
		"첫 주기 체크포인트를 언제 시작하는지 정한다. 버전이 하는 대로(2.3은 태스크가 실행되면 바로, 그 전은 무작위 시각), 간격 안의 무작위 시각, 또는 한 간격 뒤다.", firstTriggers...),
	field("flusherPhase", option.Enum, "random", "", "",
		"Flushers", "플러셔 위상", "Whether the tasks flush their buffers at independent times, as on a real cluster, or all at once, as in one process.",
		"태스크들이 버퍼를 내보내는 시각이 실제 클러스터처럼 제각각인지, 한 프로세스처럼 한꺼번인지 정한다.", phases...),
	field("regionCheckpoints", option.Int, "0", "", "0 to 1000",
		"Region checkpoints", "영역 체크포인트", "No option of Flink: no released version has it. If a region of the job fails a checkpoint, its last completed part is used again, so many times in a row; 0: the whole checkpoint fails.",
		"Flink의 옵션이 아니다. 출시된 어느 버전에도 없다. 잡의 한 영역이 체크포인트에 실패하면 그 영역이 마지막으로 완료한 것을 이 횟수만큼 잇달아 다시 쓴다. 0이면 체크포인트 전체가 실패한다."),
	field("syncPhaseTimeout", option.Duration, "0 ms", "ms", "0 ms to 30 d",
		"Timeout of the synchronous part", "동기 단계 제한 시간", "No option of a released Flink: it is execution.checkpointing.sync-phase-timeout of FLINK-40200, for the version after 2.3. A task whose synchronous part takes longer fails, and with it its region; 0: never.",
		"출시된 Flink의 옵션이 아니다. 2.3 다음 버전에 들어갈 FLINK-40200의 execution.checkpointing.sync-phase-timeout이다. 동기 단계가 이보다 오래 걸린 태스크는 실패하고, 그 영역도 함께 재시작한다. 0이면 그러지 않는다."),
	field("control", option.Enum, "measured", "", "",
		"Control plane", "제어 시간", "The times of calls, networks and threads: those measured on a real Flink, or none, as in a formula.",
		"호출, 네트워크, 스레드에 드는 시간이다. 실제 Flink에서 잰 값을 쓰거나, 수식처럼 0으로 둔다.", "measured", "none"),
	field("cluster.slots", option.Int, "", "", "1 to 32768",
		"Slots", "슬롯 수", "How many slots a task manager has: tasks of one task manager pass buffers on without a network. Without it, each subtask has its own task manager.",
		"태스크 매니저 하나의 슬롯 수다. 같은 태스크 매니저의 태스크끼리는 네트워크 없이 버퍼를 주고받는다. 값이 없으면 서브태스크마다 태스크 매니저가 따로 있다."),
	field("cluster.sharing", option.Bool, "false", "", "true or false",
		"Slot sharing", "슬롯 공유", "Whether a slot holds one subtask of every vertex, or just one subtask.", "슬롯 하나에 모든 정점의 서브태스크를 하나씩 둘지, 서브태스크 하나만 둘지 정한다."),
	diskField("throughput", option.Text, "1 gb", "", "1 byte/s or more", "Local disk", "로컬 디스크", "The bytes a second that a task manager's local disk moves for good.", "태스크 매니저의 로컬 디스크가 언제나 낼 수 있는 초당 바이트다."),
	diskField("burst", option.Text, "none", "", "the throughput or more", "Burst of the disk", "디스크 버스트", "The bytes a second that it moves while it has credit.", "크레딧이 남아 있는 동안 내는 초당 바이트다."),
	diskField("credit", option.Text, "none", "", "goes with burst", "Burst credit", "버스트 크레딧", "The bytes above its throughput that it can save up and move in bursts.", "모아 두었다가 버스트로 쓸 수 있는 바이트다."),
	diskField("latency", option.Duration, "100 us", "ms", "up to 1 s", "Latency of the disk", "디스크 지연 시간", "How long a read that misses the cache waits for it.", "캐시에 없는 읽기가 디스크를 기다리는 시간이다."),
	diskField("size", option.Text, "no limit", "", "1 mb or more", "Room on the disk", "디스크 용량", "How much the state of a task manager can take there.", "태스크 매니저의 상태가 쓸 수 있는 크기다."),
	storageField("bandwidth", option.Text, "no limit", "", "1 byte/s or more", "Bandwidth", "대역폭", "The bytes a second that all tasks together write to or read from the storage.", "모든 태스크가 함께 저장소와 주고받는 초당 바이트다."),
	storageField("perManager", option.Text, "no limit", "", "1 byte/s or more", "Bandwidth of a TaskManager", "TaskManager 대역폭", "The bytes a second that one TaskManager writes or reads.", "TaskManager 하나가 주고받는 초당 바이트다."),
	storageField("latency", option.Duration, "0 ms", "ms", "up to 30 d", "Latency", "지연 시간", "How long half of all requests take at most before the first byte.", "요청의 절반이 첫 바이트까지 걸리는 시간의 상한이다."),
	storageField("p99", option.Duration, "the latency", "ms", "the latency or more", "Latency, 99 %", "지연 시간 99 %", "What 99 of 100 requests take at most before the first byte.", "요청 100개 중 99개가 첫 바이트까지 걸리는 시간의 상한이다."),
	storageField("max", option.Duration, "p99", "ms", "p99 or more", "Longest latency", "최대 지연 시간", "What the slowest request takes before the first byte.", "가장 느린 요청이 첫 바이트까지 걸리는 시간이다."),
	storageField("requests", option.Text, "no limit", "", "1/s to 1000000000/s", "Requests", "요청 한도", "How many requests a second the storage serves for each prefix.", "저장소가 접두사마다 초당 처리하는 요청의 수다."),
	storageField("prefixes", option.Int, "1", "", "1 to 1000000", "Prefixes", "접두사 수", "Over how many prefixes an object store spreads the files (entropy).", "객체 저장소가 파일을 나누어 두는 접두사의 수다(entropy)."),
	field("storage.atLimit", option.Enum, "queue", "", "", "At the limit", "한도를 넘으면", "Whether requests above the limit queue, as at a NameNode, or are refused and made again, as with an object store.", "한도를 넘는 요청을 NameNode처럼 줄 세울지, 객체 저장소처럼 거절하고 다시 하게 할지 정한다.", atLimits...),
	storageField("attempts", option.Int, "20", "", "1 to 1000", "Attempts", "시도 횟수", "How often a refused request is made before it fails.", "거절된 요청을 실패로 보기 전에 몇 번 하는지 정한다."),
	storageField("retryAfter", option.Duration, "100 ms", "ms", "1 ms to 1 h", "Pause before the next attempt", "다시 시도하기까지", "How long a refused request waits before the second attempt; twice as long each time.", "거절된 요청이 두 번째 시도까지 기다리는 시간이다. 그 뒤로는 매번 두 배다."),
	storageField("replay", option.Text, "at no cost", "", "1 byte/s or more", "Replay of the log", "로그 재생", "The bytes a second at which a subtask replays its changelog after a restart.", "재시작 뒤 서브태스크가 changelog를 재생하는 초당 바이트다."),
	control("rpc", "Call", "호출", "A call between the coordinator and a task takes that long, one way.", "코디네이터와 태스크 사이의 호출에 걸리는 편도 시간이다."),
	control("net", "Network", "네트워크", "A buffer is that long on its way.", "버퍼 하나가 네트워크를 건너는 시간이다."),
	control("send", "Sending", "송신", "A sender's network thread writes 1,000 bytes in that time, up to 1 s.", "보내는 쪽 네트워크 스레드가 1,000바이트를 쓰는 시간이다. 1초까지다."),
	control("receive", "Receiving", "수신", "A receiver's network threads read 1,000 bytes in that time, one core for all of them; up to 1 s.", "받는 쪽 네트워크 스레드가 1,000바이트를 읽는 시간이다. 코어 하나를 모두가 나눠 쓴다. 1초까지다."),
	control("wake", "Wake-up", "깨어남", "A thread that slept for input needs that long to start.", "입력을 기다리던 스레드가 깨어나는 데 걸리는 시간이다."),
	control("wakeOutput", "Wake-up for output", "출력을 기다린 뒤", "A thread that waited for a buffer to write to needs that long to go on.", "쓸 버퍼를 기다리던 스레드가 다시 시작하는 데 걸리는 시간이다."),
	control("wakeSpread", "Spread of it", "그 시간의 폭", "Up to that much more, drawn evenly each time: the thread waits for a processor.", "그 위에 더해지는 시간의 상한이다. 매번 고르게 뽑으며, 스레드가 프로세서를 기다리는 시간이다."),
	control("finalize", "Finalization", "마무리", "From the last acknowledgement until the checkpoint is complete: its metadata is written. A storage times that by itself.", "마지막 확인 응답부터 체크포인트가 완료될 때까지 메타데이터를 쓰는 시간이다. 저장소를 두면 저장소가 이 시간을 정한다."),
	control("inFlight", "Data in flight", "전송 중 데이터", "A task's data in flight is written in that time where no storage times it.", "저장소가 없을 때 태스크의 전송 중 데이터를 쓰는 시간이다."),
	control("flushExtra", "Flush delay", "플러시 지연", "A flush comes that much later than the buffer timeout says.", "버퍼 타임아웃보다 플러시가 늦어지는 시간이다."),
	control("flushDrift", "Flush drift", "플러시 어긋남", "That much less of the delay for each exchange before the task, so that flushers part slowly.", "태스크 앞의 구간마다 플러시 지연에서 빼는 시간이다. 함께 시작한 플러셔가 조금씩 어긋난다."),
	control("flush", "Flush of a channel", "채널 하나의 플러시", "The processor time that a flusher takes from its task for each channel; up to 1 s.", "플러셔가 채널마다 태스크에서 가져가는 프로세서 시간이다. 1초까지다."),
	control("restore", "Restore", "복원", "From the end of the back-off until the tasks run again.", "대기가 끝나고 태스크가 다시 실행되기까지의 시간이다."),
	control("logLead", "Head start of the log", "로그가 앞선 시간", "The log begins to fill that long before the tasks run.", "태스크가 실행되기 전에 로그가 먼저 차기 시작하는 시간이다."),
	field("control.firstFails", option.Bool, "true", "", "true or false",
		"First checkpoint may fail", "첫 체크포인트 실패", "Whether the first checkpoint after a start can fail because a task is not ready yet.", "시작 직후의 첫 체크포인트가 준비되지 않은 태스크 때문에 실패할 수 있는지 정한다."),
	field("run.duration", option.Duration, "1 min", "ms", "1 ms to 30 d",
		"Duration", "길이", "How much time is simulated.", "시뮬레이션할 시간의 길이다."),
	field("run.seed", option.Int, "1", "", "0 to 18446744073709551615",
		"Seed", "시드", "Where the random numbers begin; the same seed gives the same run.", "난수의 출발점이다. 시드가 같으면 실행도 같다."),
	field("job.keys", option.Int, "1024", "", "1 to 10000000",
		"Keys", "키 개수", "How many different keys the records have.", "레코드가 갖는 서로 다른 키의 수다."),
	field("job.hotShare", option.Float, "0", "", "0 to 1",
		"Hot key", "몰린 키 비율", "The share of records that all have one key.", "키 하나에 몰리는 레코드의 비율이다."),
	field("job.overhead", option.Size, "47 bytes", "bytes", "up to 1 mb",
		"Overhead", "부가 바이트", "The bytes that a record has on the wire beyond its payload.", "레코드가 네트워크에서 본문 외에 더 차지하는 바이트다."),
	field("job.vertices.*.parallelism", option.Int, "", "", "1 to 32768",
		"parallelism", "병렬도", "Of how many subtasks the vertex consists.", "정점을 이루는 서브태스크의 수다."),
	field("job.vertices.*.cost", option.Duration, "measured", "ms", "0 to 100 s",
		"cost per record", "레코드당 처리 시간", "How long a record holds the task's thread.", "레코드 하나가 태스크의 스레드를 붙잡는 시간이다."),
	field("job.vertices.*.rate", option.Text, "", "", "1/s to 1000000000/s, or max",
		"arrivals", "유입 속도", "How many records arrive in each partition of the log.", "로그의 파티션마다 들어오는 레코드의 수다."),
	field("job.vertices.*.record", option.Size, "100 bytes", "bytes", "up to 16 mb",
		"payload", "본문 크기", "The bytes of a record's payload, of the records that a map makes, too.", "레코드 본문의 바이트 수다. 맵이 만드는 레코드에도 쓴다."),
	field("job.vertices.*.partitions", option.Int, "", "", "the parallelism to 1000000",
		"partitions", "파티션 수", "Of how many partitions the log consists; subtasks take turns to get them.", "로그를 이루는 파티션의 수다. 서브태스크가 돌아가며 나눠 갖는다."),
	field("job.vertices.*.until", option.Duration, "", "ms", "1 ns to 30 d",
		"log ends at", "로그가 끝나는 시각", "When the log stops growing.", "로그가 더 자라지 않는 시각이다."),
	field("job.vertices.*.history", option.Int, "0", "", "0 to 1000000000000",
		"records at the start", "처음부터 있는 레코드", "How many records of each partition are there at the start. Until it has read them, the source works off a backlog.",
		"시작할 때 파티션마다 이미 쌓여 있는 레코드 수다. 다 읽을 때까지 소스는 백로그를 처리하는 중이다."),
	field("job.vertices.*.ends", option.Text, "", "", "a time, or a number of records of each partition",
		"source ends", "소스의 끝", "When the source ends, and with it its tasks: at a time, such as 600 s, or after so many records of each partition, such as 5000 records.",
		"소스가 끝나고 태스크도 함께 끝나는 때다. 600 s 같은 시각이거나, 5000 records처럼 파티션마다 읽을 레코드 수다."),
	field("job.vertices.*.emit", option.Text, "1", "", "1/1000000 to 1000",
		"records out per record", "레코드당 출력", "How many records the map makes of each one.", "레코드 하나로 몇 개의 레코드를 내보내는지 정한다."),
	field("job.vertices.*.burst", option.Bool, "false", "", "true or false",
		"output in bursts", "몰아서 출력", "Whether the records of emit come all at once with the last record of their group, instead of evenly.", "emit의 레코드를 고르게 내지 않고 묶음의 마지막 레코드에서 한꺼번에 내는지 정한다."),
	field("job.vertices.*.chain", option.Bool, "true", "", "true or false",
		"chaining", "체이닝", "Whether the vertex may run in one task with a FORWARD neighbour.", "FORWARD로 이어진 이웃과 한 태스크로 묶일 수 있는지 정한다."),
	field("job.vertices.*.guarantee", option.Enum, "EXACTLY_ONCE", "", "",
		"guarantee", "전달 보장", "Whether records are visible at the commit (EXACTLY_ONCE) or at once (AT_LEAST_ONCE, NONE).", "레코드가 커밋 때 보이는지(EXACTLY_ONCE) 바로 보이는지(AT_LEAST_ONCE, NONE) 정한다.", guarantees...),
	field("job.vertices.*.flush", option.Duration, "0 ms", "ms", "up to 30 d",
		"flush at a barrier", "배리어 앞 플러시", "How long a sink's writer waits ahead of each barrier until the outside system has taken everything. No phase of a checkpoint shows it, only its duration.",
		"배리어마다 싱크의 writer가 바깥 시스템이 모두 받을 때까지 기다리는 시간이다. 체크포인트의 어느 단계에도 나타나지 않고 전체 시간에만 보인다."),
	field("job.vertices.*.transactionTimeout", option.Duration, "1 h", "ms", "1 ms to 30 d",
		"transaction timeout", "트랜잭션 시간 초과", "How long a transaction may stay open before the broker aborts it (transaction.timeout.ms).", "브로커가 중단하기 전까지 트랜잭션이 열려 있을 수 있는 시간이다(transaction.timeout.ms)."),
	field("job.vertices.*.brokerMaxTimeout", option.Duration, "", "ms", "1 ms to 30 d",
		"longest timeout of the broker", "브로커의 최대 시간", "The longest transaction timeout that the broker accepts (transaction.max.timeout.ms); a sink that asks for more fails at its start.", "브로커가 받아들이는 가장 긴 트랜잭션 시간 초과다(transaction.max.timeout.ms). 더 길게 요구하는 싱크는 시작하지 못한다."),
	field("job.vertices.*.snapshot.sync", option.Duration, "0 ms", "ms", "up to 30 d",
		"snapshot, sync", "스냅샷 sync", "How long a snapshot blocks the task's thread.", "스냅샷이 태스크의 스레드를 막는 시간이다."),
	field("job.vertices.*.snapshot.async", option.Duration, "0 ms", "ms", "up to 30 d",
		"snapshot, async", "스냅샷 async", "How long the upload of a snapshot takes beside the work.", "일하는 동안 스냅샷을 올리는 데 걸리는 시간이다."),
	field("job.vertices.*.snapshot.size", option.Size, "0 bytes", "bytes", "up to 1024 tb",
		"state", "상태 크기", "The bytes of state of a subtask.", "서브태스크 하나의 상태 바이트 수다."),
	field("job.vertices.*.snapshot.change", option.Size, "0 bytes", "bytes", "up to 16 mb",
		"changed per record", "레코드당 변경", "The bytes of state that a record changes: a checkpoint stores only what has changed, and the changelog logs it.", "레코드 하나가 바꾸는 상태 바이트다. 체크포인트는 바뀐 것만 저장하고 changelog는 그것을 기록한다."),
	field("job.vertices.*.snapshot.amplification", option.Float, "1", "", "0.001 to 1000",
		"amplification", "쓰기 증폭", "The bytes that a checkpoint stores for each byte changed, because compaction rewrites files.", "컴팩션이 파일을 다시 쓰기 때문에 바뀐 1바이트마다 체크포인트가 저장하는 바이트다."),
	field("job.vertices.*.snapshot.skew", option.Float, "0", "", "0 to 1",
		"skew of the state", "상태 쏠림", "The share of the vertex's whole state that its first subtask has; 0: all have as much.", "정점의 전체 상태 가운데 첫 서브태스크가 갖는 비율이다. 0이면 모두 같다."),
	field("job.vertices.*.snapshot.files", option.Int, "1", "", "1 to 10000",
		"files of a snapshot", "스냅샷의 파일 수", "In how many files a subtask stores its state.", "서브태스크 하나가 상태를 몇 개의 파일로 저장하는지 정한다."),
	field("job.vertices.*.snapshot.rewrite", option.Size, "0 bytes", "bytes", "up to 1024 tb",
		"rewritten at a barrier", "배리어마다 다시 쓰는 양", "The bytes that all subtasks together write anew at each barrier, as a copy-on-write table does; the thread waits for it.", "배리어마다 모든 서브태스크가 함께 다시 쓰는 바이트다. copy-on-write 테이블이 그렇다. 스레드는 끝나기를 기다린다."),
	field("job.vertices.*.snapshot.rewriteRate", option.Text, "", "", "bytes a second",
		"rate of rewriting", "다시 쓰는 속도", "How fast one subtask writes them.", "서브태스크 하나가 그것을 쓰는 속도다."),
	field("job.vertices.*.callback.time", option.Duration, "0 ms", "ms", "up to 30 d",
		"callback", "완료 콜백", "How long the thread is held when a checkpoint is complete (notifyCheckpointComplete): the next barrier waits.", "체크포인트가 완료됐다는 알림(notifyCheckpointComplete)에 스레드가 붙잡히는 시간이다. 다음 배리어가 기다린다."),
	field("job.vertices.*.callback.grows", option.Duration, "0 ms", "ms", "up to 100 s",
		"growth of the callback", "콜백 증가", "How much longer the callback takes each time.", "콜백이 매번 얼마나 더 길어지는지 정한다."),
	field("job.vertices.*.lock", option.Enum, "none", "", "",
		"source's lock", "소스의 락", "Whether the source reads when there is room (none), emits under the checkpoint lock (emit), or holds it until its first record (first) or until the snapshot of its table is read (snapshot), too.", "소스가 자리가 있을 때만 읽는지(none), 체크포인트 락을 잡고 내보내는지(emit), 첫 레코드가 올 때까지(first) 또는 테이블 스냅샷을 다 읽을 때까지(snapshot) 락을 잡는지 정한다.", locks...),
	field("job.edges.*.*.partition", option.Enum, "", "", "",
		"partitioner", "분배 방식", "How records are dealt to the subtasks: by key, in turn, or straight on.", "레코드를 서브태스크에 나누는 방식이다. 키별, 차례대로, 또는 그대로다.", partitions...),
	field("script.*.at", option.Duration, "", "ms", "up to the end of the run",
		"action at", "사건 시각", "When it happens.", "사건이 일어나는 시각이다."),
	field("script.*.cost", option.Duration, "", "ms", "0 to 100 s",
		"new cost per record", "새 레코드당 처리 시간", "How long a record holds the task's thread from then on.", "그때부터 레코드 하나가 스레드를 붙잡는 시간이다."),
	field("script.*.flush", option.Duration, "", "ms", "up to 30 d",
		"new flush at a barrier", "새 배리어 앞 플러시", "How long the sink's writer waits ahead of each barrier from then on.", "그때부터 배리어마다 싱크의 writer가 기다리는 시간이다."),
	field("script.*.rate", option.Text, "", "", "1/s to 1000000000/s",
		"new arrivals", "새 유입 속도", "How many records arrive in each partition from then on.", "그때부터 파티션마다 들어오는 레코드의 수다."),
	field("script.*.for", option.Duration, "", "ms", "up to 30 d",
		"how long", "지속 시간", "How long the thread hangs, commits are refused, or a task manager is throttled; a hang without it lasts until the task is restarted.", "스레드가 멈춰 있거나 커밋이 거절되거나 TaskManager가 느려지는 시간이다. 멈춤에 시간이 없으면 태스크가 재시작될 때까지다."),
	field("script.*.times", option.Float, "", "", "1.001 to 100",
		"slower TaskManager", "TaskManager 지연 배수", "How many times as long everything that the task manager does with records takes.", "TaskManager가 레코드에 하는 모든 일이 몇 배 걸리는지 정한다."),
	field("script.*.takes", option.Duration, "0 ms", "ms", "up to 30 d",
		"a refused commit takes", "거절되는 커밋 시간", "How long an attempt to commit that is refused holds the thread.", "거절되는 커밋 시도 하나가 스레드를 붙잡는 시간이다."),
	field("script.*.slow", option.Float, "", "", "0.001 to 10000000",
		"slower storage", "저장소 지연 배수", "How many times as long everything in the storage takes from then on; 1 is as usual.", "그때부터 저장소의 모든 일이 몇 배 걸리는지 정한다. 1이면 평소와 같다."),
	field("script.*.fail", option.Float, "", "", "0 to 1",
		"failing requests", "실패하는 요청", "The share of requests to the storage that fail from then on.", "그때부터 실패하는 저장소 요청의 비율이다."),
	field("script.*.late", option.Float, "", "", "0 to 1",
		"late answers", "늦는 응답", "The share of requests to the storage whose answer is late from then on.", "그때부터 응답이 늦는 저장소 요청의 비율이다."),
	field("script.*.by", option.Duration, "", "ms", "up to 30 d",
		"late by", "늦는 시간", "How much later those answers come.", "그 응답이 그만큼 더 걸린다."),
	field("script.*.where", option.Enum, "all", "", "",
		"whose requests", "누구의 요청", "Whether the fault is about the requests of all, of the tasks or of the JobManager.", "장애가 모두의 요청, 태스크의 요청, JobManager의 요청 중 무엇에 미치는지 정한다.", wheres...),
	field("script.*.subtask", option.Int, "", "", "0 to parallelism − 1",
		"subtask", "서브태스크", "Which subtask it happens to.", "사건이 일어나는 서브태스크다."),
	field("script.*.from", option.Enum, "", "", "",
		"starts from", "시작점", "Whether the job goes on from its last checkpoint or from a savepoint with which it is stopped.", "마지막 체크포인트에서 이어 갈지, 세이브포인트로 멈춘 뒤 거기서 시작할지 정한다.", restarts...),
	field("script.*.format", option.Enum, "CANONICAL", "", "",
		"format of the savepoint", "세이브포인트 형식", "CANONICAL is written entry by entry and read by any backend; NATIVE is the backend's own files.", "CANONICAL은 항목마다 써서 어느 백엔드나 읽고, NATIVE는 백엔드 파일 그대로다.", formats...),
	field("script.*.uid", option.Text, "", "", "a vertex",
		"another uid", "uid가 바뀌는 정점", "The vertex that has another uid in the new version, so that nobody takes its state.", "새 버전에서 uid가 달라져 상태를 받을 연산자가 없어지는 정점이다."),
	field("script.*.parallelism", option.Int, "", "", "1 to max parallelism",
		"new parallelism", "새 병렬도", "How many subtasks there are from then on.", "그때부터의 서브태스크 수다."),
	field("script.*.maxParallelism", option.Int, "", "", "1 to 32768",
		"new max parallelism", "새 max parallelism", "The max parallelism of the new version; one that differs from that of the state is refused.", "새 버전의 max parallelism이다. 상태의 것과 다르면 시작하지 못한다."),
	field("script.*.backend", option.Enum, "", "", "",
		"new state backend", "새 상태 백엔드", "The state backend of the new version; only a canonical savepoint can be read by another one.", "새 버전의 상태 백엔드다. 다른 백엔드는 canonical 세이브포인트만 읽을 수 있다.", option.BackendNames()...),
}

// field is a line of settable; words are the values of an Enum.
func field(key string, t option.Type, standard, unit, bound, en, ko, effect, koEffect string, words ...string) option.Option {
	if len(words) > 0 {
		bound = list(words)
	}
	return option.Option{
		Key: key, Type: t, Default: standard, Unit: unit, Range: bound, Enum: words, Modelled: true,
		Label: map[string]string{"en": en, "ko": ko}, Effect: map[string]string{"en": effect, "ko": koEffect},
	}
}

func diskField(name string, t option.Type, standard, unit, bound, en, ko, effect, koEffect string) option.Option {
	return field("cluster.disk."+name, t, standard, unit, bound, en, ko, effect, koEffect)
}

func storageField(name string, t option.Type, standard, unit, bound, en, ko, effect, koEffect string) option.Option {
	return field("storage."+name, t, standard, unit, bound, en, ko, effect, koEffect)
}

func control(name, en, ko, effect, koEffect string) option.Option {
	return field("control."+name, option.Duration, "", "ms", "up to 1 h", en, ko, effect, koEffect)
}

// describe finds the line of a path. Its Key is the pattern.
func describe(path string) (option.Option, bool) {
	parts := strings.Split(path, ".")
	for i, pattern := range patterns() {
		if matches(pattern, parts) {
			return settable[i], true
		}
	}
	return option.Option{}, false
}

// patterns are the keys of settable in their parts.
var patterns = sync.OnceValue(func() (all [][]string) {
	for i := range settable {
		all = append(all, strings.Split(settable[i].Key, "."))
	}
	return all
})

func matches(pattern, parts []string) bool {
	if len(pattern) != len(parts) {
		return false
	}
	for i := range pattern {
		if pattern[i] != parts[i] && (pattern[i] != "*" || parts[i] == "") {
			return false
		}
	}
	return true
}

// named is a line for one path: its key, and the vertex in front of the label.
func named(o option.Option, path string) option.Option {
	pattern, parts := strings.Split(o.Key, "."), strings.Split(path, ".")
	prefix := ""
	switch {
	case parts[0] == "script":
		prefix = parts[1] + ". "
	case len(parts) > 3 && pattern[3] == "*":
		prefix = parts[2] + " → " + parts[3] + ": "
	case len(parts) > 3:
		prefix = parts[2] + ": "
	}
	o.Key = path
	o.Label = map[string]string{"en": prefix + o.Label["en"], "ko": prefix + o.Label["ko"]}
	return o
}

// fieldsBeside are the last words that a path could end in.
func fieldsBeside(path string) (words []string) {
	cut := strings.LastIndexByte(path, '.') + 1
	for _, o := range settable {
		end := strings.LastIndexByte(o.Key, '.') + 1
		if candidate := path[:cut] + o.Key[end:]; matches(strings.Split(o.Key, "."), strings.Split(candidate, ".")) {
			words = append(words, o.Key[end:])
		}
	}
	return words
}
