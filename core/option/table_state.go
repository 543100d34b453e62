package option

import (
	"math"
	"strings"
)

// stateOptions are the modelled options of state backends (spec 1.3, 8).
func stateOptions() []Option {
	all := []Option{
		Option{
			Key: keyBackend, Field: "Backend", Old: []string{"state.backend"},
			Label: both("State backend", "상태 백엔드"),
			Effect: both("Where the working state lives: hashmap on the heap, rocksdb on local disk, forst in remote storage.",
				"작업 상태를 어디에 둘지 정한다. hashmap은 힙, rocksdb는 로컬 디스크, forst는 원격 저장소다."),
		}.as(choice(backends, backendAliases, func(c *Config, i int) { c.Backend = StateBackend(i) }, func(c *Config) string { return backends[c.Backend] })),
		Option{
			Key: keyIncremental, Field: "Incremental", Old: []string{"state.backend.incremental"},
			Label: both("Incremental checkpoints", "증분 체크포인트"),
			Effect: both("Store only what changed since the last completed checkpoint (RocksDB, ForSt).",
				"마지막으로 완료된 체크포인트 이후 바뀐 것만 저장한다(RocksDB, ForSt)."),
		}.as(flag(func(c *Config) *bool { return &c.Incremental })),
		Option{
			Key: "execution.checkpointing.snapshot-compression", Field: "SnapshotCompression",
			Label:  both("Compressed snapshots", "스냅샷 압축"),
			Effect: both("Compress full snapshots: smaller files for more CPU.", "전체 스냅샷을 압축한다. CPU를 더 쓰고 파일이 작아진다."),
		}.as(flag(func(c *Config) *bool { return &c.SnapshotCompression })),
	}
	all = append(all, lsmOptions("state.backend.rocksdb.", "Rocks", "RocksDB", func(c *Config) *LSM { return &c.Rocks })...)
	all = append(all, Option{
		Key: keyTransfer, Field: "Rocks",
		Label:  both("RocksDB: transfer threads", "RocksDB: 전송 스레드"),
		Effect: both("How many files a subtask moves to or from the storage at once.", "서브태스크가 저장소와 동시에 주고받는 파일의 수다."),
	}.as(count(func(c *Config) *int { return &c.Rocks.TransferThreads }, 1, 1024)), Option{
		Key: "state.backend.rocksdb.predefined-options", Field: "Rocks",
		Label: both("RocksDB predefined options", "RocksDB 미리 정한 옵션"),
		Effect: both("A set of values for a kind of disk; options that are set themselves stay.",
			"디스크 종류에 맞춰 정해 둔 값들이다. 따로 정한 옵션은 그대로다."),
	}.as(choice(predefined, nil, func(c *Config, i int) { c.Rocks.Predefined = i }, func(c *Config) string { return predefined[c.Rocks.Predefined] })))
	all = append(all, forStOptions()...)
	return append(all, memoryOptions()...)
}

// backendAliases are other spellings of backends (StateBackendLoader).
var backendAliases = map[string]string{
	"jobmanager": "hashmap", "filesystem": "hashmap",
	"org.apache.flink.runtime.state.hashmap.hashmapstatebackendfactory":           "hashmap",
	"org.apache.flink.contrib.streaming.state.embeddedrocksdbstatebackendfactory": "rocksdb",
	"org.apache.flink.contrib.streaming.state.rocksdbstatebackendfactory":         "rocksdb",
	"org.apache.flink.runtime.state.filesystem.fsstatebackendfactory":             "hashmap",
	"org.apache.flink.runtime.state.memory.memorystatebackendfactory":             "hashmap",
	"org.apache.flink.state.rocksdb.embeddedrocksdbstatebackendfactory":           "rocksdb",
	"org.apache.flink.state.forst.forststatebackendfactory":                       "forst",
}

var (
	styles     = []string{"LEVEL", "UNIVERSAL"} // FIFO drops state, NONE never compacts: refused by name
	predefined = []string{"DEFAULT", "SPINNING_DISK_OPTIMIZED", "SPINNING_DISK_OPTIMIZED_HIGH_MEM", "FLASH_SSD_OPTIMIZED"}
)

// lsmOptions are the options of a backend that keeps files, under its prefix.
func lsmOptions(prefix, field, name string, of func(*Config) *LSM) []Option {
	opt := func(key, en, ko, effect, effectKo string, a accessor, old ...string) Option {
		return Option{Key: prefix + key, Field: field, Old: old, Label: both(name+": "+en, name+": "+ko), Effect: both(effect, effectKo)}.as(a)
	}
	return []Option{
		opt("memory.managed", "managed memory", "관리 메모리", "All instances of a slot take their memory from Flink's managed memory.",
			"슬롯의 모든 인스턴스가 Flink의 관리 메모리를 나눠 쓴다.", flag(func(c *Config) *bool { return &of(c).Managed })),
		opt("memory.fixed-per-slot", "memory of a slot", "슬롯당 메모리", "A fixed amount for all instances of a slot, instead of managed memory.",
			"관리 메모리 대신 슬롯의 모든 인스턴스가 나눠 쓰는 고정 크기다.", optional(func(c *Config) *int64 { return &of(c).FixedPerSlot })),
		opt("memory.fixed-per-tm", "memory of a TaskManager", "TaskManager당 메모리", "A fixed amount for all instances of a TaskManager, instead of managed memory.",
			"관리 메모리 대신 TaskManager의 모든 인스턴스가 나눠 쓰는 고정 크기다.", optional(func(c *Config) *int64 { return &of(c).FixedPerTM })),
		opt("memory.write-buffer-ratio", "write buffers", "쓰기 버퍼 비율", "The share of the memory for writing; the rest caches reads.",
			"메모리 중 쓰기에 쓰는 비율이다. 나머지는 읽기 캐시다.", number(func(c *Config) *float64 { return &of(c).WriteBufferRatio }, 0, 1, true)),
		opt("memory.high-prio-pool-ratio", "index and filter blocks", "인덱스·필터 블록 비율", "The share of the cache that is kept for index and filter blocks.",
			"캐시 중 인덱스와 필터 블록 몫으로 두는 비율이다.", number(func(c *Config) *float64 { return &of(c).HighPrioRatio }, 0, 1, false)),
		opt("memory.partitioned-index-filters", "partitioned index and filters", "나뉜 인덱스와 필터",
			"Index and filters are cut into blocks, so that only the parts in use are in the cache; the bloom filter becomes one of 10 bits a key.",
			"인덱스와 필터를 블록으로 잘라, 쓰는 부분만 캐시에 둔다. 블룸 필터는 키당 10비트로 바뀐다.", flag(func(c *Config) *bool { return &of(c).Partitioned })),
		opt("timer-service.factory", "timers", "타이머", "Timers in the backend's files, or on the heap, where a snapshot copies them with the task held.",
			"타이머를 백엔드 파일에 둘지 힙에 둘지 정한다. 힙이면 스냅샷이 태스크를 세우고 복사한다.", timers(field, of)),
		opt("thread.num", "background threads", "백그라운드 스레드", "How many flushes and compactions an instance does at once.",
			"인스턴스 하나가 플러시와 컴팩션을 동시에 몇 개 하는지 정한다.", count(func(c *Config) *int { return &of(c).Threads }, 1, 128)),
		opt("compaction.style", "compaction style", "컴팩션 방식", "LEVEL keeps levels of files that do not overlap; UNIVERSAL merges runs of about one size: less is written, more is kept.",
			"LEVEL은 겹치지 않는 파일을 층층이 두고, UNIVERSAL은 크기가 비슷한 묶음을 합친다. 덜 쓰는 대신 더 많이 남는다.", compaction(of)),
		opt("compaction.level.max-size-level-base", "size of level 1", "레벨 1 크기", "How large level 1 may become; each further one may have ten times as much.",
			"레벨 1이 얼마나 커질 수 있는지 정한다. 그 아래 레벨은 열 배씩이다.", large(func(c *Config) *int64 { return &of(c).LevelBase }, 1<<20, mostLarge)),
		opt("compaction.level.target-file-size-base", "file size", "파일 크기", "How large a compaction makes its files.",
			"컴팩션이 만드는 파일의 크기다.", large(func(c *Config) *int64 { return &of(c).FileBase }, 1<<20, mostLarge)),
		opt("compaction.level.use-dynamic-size", "dynamic levels", "동적 레벨", "The sizes of the levels follow from the last one.",
			"레벨 크기를 마지막 레벨에서 거꾸로 정한다.", flag(func(c *Config) *bool { return &of(c).Dynamic })),
		opt("writebuffer.size", "write buffer", "쓰기 버퍼", "How large a memtable may become before it is flushed.",
			"memtable이 플러시되기 전까지 커질 수 있는 크기다.", large(func(c *Config) *int64 { return &of(c).Buffer }, 64<<10, mostLarge)),
		opt("writebuffer.count", "write buffers", "쓰기 버퍼 수", "So many memtables may wait for a flush; then writes stop.",
			"플러시를 기다리는 memtable이 이만큼이면 쓰기가 멈춘다.", count(func(c *Config) *int { return &of(c).Buffers }, 2, 64)),
		opt("writebuffer.number-to-merge", "memtables merged", "합칠 memtable 수", "So many memtables are flushed together.",
			"memtable 이만큼을 함께 플러시한다.", count(func(c *Config) *int { return &of(c).Merge }, 1, 64)),
		opt("block.blocksize", "block size", "블록 크기", "The bytes of a data block: what a read that misses the cache fetches.",
			"데이터 블록의 크기다. 캐시에 없는 읽기가 가져오는 단위다.", large(func(c *Config) *int64 { return &of(c).Block }, 512, mostBlock)),
		opt("block.cache-size", "block cache", "블록 캐시", "The cache of each state where the memory is not bounded.",
			"메모리를 제한하지 않을 때 상태마다 두는 캐시 크기다.", large(func(c *Config) *int64 { return &of(c).CacheSize }, 64<<10, mostLarge)),
		opt("use-bloom-filter", "bloom filters", "블룸 필터", "A read asks only files that may have the key.",
			"읽기가 키를 가질 만한 파일만 찾아본다.", flag(func(c *Config) *bool { return &of(c).Bloom })),
		opt("bloom-filter.bits-per-key", "bits a key", "키당 비트", "The size of the bloom filters.",
			"블룸 필터의 크기다.", number(func(c *Config) *float64 { return &of(c).BloomBits }, 0, 64, true)),
	}
}

// timers reads where timers are.
func timers(field string, of func(*Config) *LSM) accessor {
	words := []string{"ROCKSDB", "HEAP"}
	if field == "ForSt" {
		words[0] = "ForStDB"
	}
	return choice(words, nil, func(c *Config, i int) { of(c).HeapTimers = i == 1 }, func(c *Config) string {
		if of(c).HeapTimers {
			return words[1]
		}
		return words[0]
	})
}

// compaction reads the style; two of Flink's four would lose state or never end.
func compaction(of func(*Config) *LSM) accessor {
	a := choice(styles, nil, func(c *Config, i int) { of(c).Style = i }, func(c *Config) string { return styles[of(c).Style] })
	set := a.set
	a.set = func(r *resolver, v string) *Mistake {
		if w := strings.ToUpper(strings.TrimSpace(v)); w == "FIFO" || w == "NONE" {
			return &Mistake{Problem: "is a style of RocksDB that the lab does not model: FIFO drops state, NONE never compacts", Remedy: "write LEVEL or UNIVERSAL"}
		}
		return set(r, v)
	}
	return a
}

// forStOptions are ForSt's own and those of asynchronous state access.
func forStOptions() []Option {
	all := lsmOptions("state.backend.forst.", "ForSt", "ForSt", func(c *Config) *LSM { return &c.ForSt })
	return append(all,
		Option{
			Key: "state.backend.forst.cache.size-based-limit", Field: "ForStCacheLimit",
			Label:  both("ForSt: file cache", "ForSt: 파일 캐시"),
			Effect: both("At most so many bytes of files are on the local disk; 0 = as many as fit.", "로컬 디스크에 두는 파일의 최대 크기다. 0이면 들어가는 만큼 둔다."),
		}.as(large(func(c *Config) *int64 { return &c.ForStCacheLimit }, 0, math.MaxInt64)),
		Option{
			Key: "state.backend.forst.cache.reserve-size", Field: "ForStCacheReserve",
			Label:  both("ForSt: disk reserve", "ForSt: 디스크 여유"),
			Effect: both("The file cache leaves so much of the local disk free.", "파일 캐시가 로컬 디스크에 남겨 두는 크기다."),
		}.as(large(func(c *Config) *int64 { return &c.ForStCacheReserve }, 0, math.MaxInt64)),
		Option{
			Key: "state.backend.forst.cache.lru.access-before-promote", Field: "ForStPromote",
			Label:  both("ForSt: reads before caching", "ForSt: 캐시에 올리기까지의 읽기"),
			Effect: both("A remote file is fetched to the local disk after so many reads.", "원격 파일을 이만큼 읽으면 로컬 디스크로 가져온다."),
		}.as(count(func(c *Config) *int { return &c.ForStPromote }, 1, math.MaxInt32)),
		Option{
			Key: "state.backend.forst.executor.read-io-parallelism", Field: "ForStReadIO",
			Label:  both("ForSt: read threads", "ForSt: 읽기 스레드"),
			Effect: both("How many reads go on at once beside the task's thread.", "태스크 스레드 옆에서 동시에 하는 읽기의 수다."),
		}.as(count(func(c *Config) *int { return &c.ForStReadIO }, 1, 1024)),
		Option{
			Key: "state.backend.forst.executor.write-io-parallelism", Field: "ForStWriteIO",
			Label:  both("ForSt: write threads", "ForSt: 쓰기 스레드"),
			Effect: both("How many writes go on at once, if they are not done inline.", "인라인이 아닐 때 동시에 하는 쓰기의 수다."),
		}.as(count(func(c *Config) *int { return &c.ForStWriteIO }, 1, 1024)),
		Option{
			Key: "state.backend.forst.executor.inline-write", Field: "ForStInlineWrite",
			Label:  both("ForSt: inline writes", "ForSt: 인라인 쓰기"),
			Effect: both("The coordinating thread does the writes itself.", "조정 스레드가 쓰기를 직접 한다."),
		}.as(flag(func(c *Config) *bool { return &c.ForStInlineWrite })),
		Option{
			Key: "execution.async-state.total-buffer-size", Field: "AsyncBuffer",
			Label:  both("Records in flight", "진행 중인 레코드"),
			Effect: both("So many records may wait for their state at once; a barrier waits until none does.", "상태를 기다리는 레코드의 최대 수다. 배리어는 모두 끝나기를 기다린다."),
		}.as(count(func(c *Config) *int { return &c.AsyncBuffer }, 1, math.MaxInt32)),
	)
}

// memoryOptions are the sizes of a task manager (TaskManagerOptions).
func memoryOptions() []Option {
	opt := func(key, en, ko, effect, effectKo string, a accessor, old ...string) Option {
		return Option{Key: "taskmanager.memory." + key, Field: "Memory", Old: old, Label: both(en, ko), Effect: both(effect, effectKo)}.as(a)
	}
	part := func(f func(*Memory) *int64) func(*Config) *int64 {
		return func(c *Config) *int64 { return f(&c.Memory) }
	}
	frac := func(f func(*Memory) *float64) func(*Config) *float64 {
		return func(c *Config) *float64 { return f(&c.Memory) }
	}
	return []Option{
		opt("process.size", "Process memory", "프로세스 메모리", "All memory of a TaskManager's process; the lab takes 1728 mb if no size is set, as Flink's own configuration file has it.",
			"TaskManager 프로세스의 전체 메모리다. 크기를 하나도 정하지 않으면 랩은 Flink 기본 설정 파일처럼 1728 mb로 본다.", optional(part(func(m *Memory) *int64 { return &m.Process }))),
		opt("flink.size", "Flink memory", "Flink 메모리", "A TaskManager's memory without metaspace and overhead.",
			"메타스페이스와 오버헤드를 뺀 TaskManager 메모리다.", optional(part(func(m *Memory) *int64 { return &m.Flink }))),
		opt("task.heap.size", "Task heap", "태스크 힙", "The heap of the tasks, on which hashmap keeps its state.",
			"태스크가 쓰는 힙이다. hashmap 상태가 여기에 있다.", optional(part(func(m *Memory) *int64 { return &m.TaskHeap }))),
		opt("managed.size", "Managed memory", "관리 메모리", "The memory of RocksDB and ForSt on a TaskManager.",
			"TaskManager에서 RocksDB와 ForSt가 쓰는 메모리다.", optional(part(func(m *Memory) *int64 { return &m.Managed })), "taskmanager.memory.size"),
		opt("managed.fraction", "Managed memory share", "관리 메모리 비율", "The share of Flink's memory for RocksDB and ForSt, unless a size is set.",
			"크기를 정하지 않았을 때 Flink 메모리 중 RocksDB와 ForSt가 쓰는 비율이다.", number(frac(func(m *Memory) *float64 { return &m.ManagedFraction }), 0, 1, false)),
		opt("framework.heap.size", "Framework heap", "프레임워크 힙", "The heap of Flink itself.", "Flink 자체가 쓰는 힙이다.", large(part(func(m *Memory) *int64 { return &m.FrameworkHeap }), 0, math.MaxInt64)),
		opt("framework.off-heap.size", "Framework off-heap", "프레임워크 오프힙", "Flink's own memory outside the heap.", "Flink 자체가 힙 밖에서 쓰는 메모리다.", large(part(func(m *Memory) *int64 { return &m.FrameworkOffHeap }), 0, math.MaxInt64)),
		opt("task.off-heap.size", "Task off-heap", "태스크 오프힙", "The tasks' memory outside the heap.", "태스크가 힙 밖에서 쓰는 메모리다.", large(part(func(m *Memory) *int64 { return &m.TaskOffHeap }), 0, math.MaxInt64)),
		opt("jvm-metaspace.size", "Metaspace", "메타스페이스", "The memory for classes.", "클래스가 차지하는 메모리다.", large(part(func(m *Memory) *int64 { return &m.Metaspace }), 0, math.MaxInt64)),
		opt("jvm-overhead.fraction", "JVM overhead share", "JVM 오버헤드 비율", "The share of the process for the JVM's own use.", "프로세스 메모리 중 JVM 자체가 쓰는 비율이다.", number(frac(func(m *Memory) *float64 { return &m.OverheadFraction }), 0, 1, false)),
		opt("jvm-overhead.min", "Least JVM overhead", "최소 JVM 오버헤드", "The JVM's own use is at least this much.", "JVM 자체 몫의 하한이다.", large(part(func(m *Memory) *int64 { return &m.OverheadMin }), 0, math.MaxInt64)),
		opt("jvm-overhead.max", "Most JVM overhead", "최대 JVM 오버헤드", "The JVM's own use is at most this much.", "JVM 자체 몫의 상한이다.", large(part(func(m *Memory) *int64 { return &m.OverheadMax }), 0, math.MaxInt64)),
		opt("network.fraction", "Network memory share", "네트워크 메모리 비율", "The share of Flink's memory for network buffers; in the lab they always suffice, and the rest is the heap's.",
			"Flink 메모리 중 네트워크 버퍼의 비율이다. 랩에서 버퍼는 늘 넉넉하고, 나머지가 힙이 된다.", number(frac(func(m *Memory) *float64 { return &m.NetworkFraction }), 0, 1, false), "taskmanager.network.memory.fraction"),
		opt("network.min", "Least network memory", "최소 네트워크 메모리", "The network buffers get at least this much.", "네트워크 버퍼가 적어도 이만큼 받는다.", large(part(func(m *Memory) *int64 { return &m.NetworkMin }), 0, math.MaxInt64), "taskmanager.network.memory.min"),
		opt("network.max", "Most network memory", "최대 네트워크 메모리", "The network buffers get at most this much.", "네트워크 버퍼가 많아야 이만큼 받는다.", large(part(func(m *Memory) *int64 { return &m.NetworkMax }), 0, math.MaxInt64), "taskmanager.network.memory.max"),
	}
}

// The lab's bounds of sizes that Flink takes up to the greatest number: beyond them sums and times cannot be counted.
const (
	mostLarge = 1 << 50 // of memory, of files
	mostBlock = 1 << 30 // of a block, which one read fetches
)

// large is a size of at least least that needs 64 bits; most math.MaxInt64 stands for no bound.
func large(field func(*Config) *int64, least, most int64) accessor {
	bound := FormatSize(least) + " or more"
	if most < math.MaxInt64 {
		bound = FormatSize(least) + " to " + FormatSize(most)
	}
	return accessor{
		typ: Size, unit: "bytes", bound: bound,
		set: func(r *resolver, v string) *Mistake {
			n, m := parseSize(v)
			if m == nil {
				m = between(n, least, most, FormatSize)
			}
			if m == nil {
				*field(&r.cfg) = n
			}
			return m
		},
		get: func(c *Config) string {
			if *field(c) == math.MaxInt64 {
				return ""
			}
			return FormatSize(*field(c))
		},
	}
}

// optional is a size that need not be set.
func optional(field func(*Config) *int64) accessor {
	a := large(field, 1<<20, mostLarge)
	get := a.get
	a.get = func(c *Config) string {
		if *field(c) == 0 {
			return ""
		}
		return get(c)
	}
	return a
}
