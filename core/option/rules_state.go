package option

import "strings"

// Keys that the rules of state speak of.
const (
	keyBackend     = "state.backend.type"
	keyIncremental = "execution.checkpointing.incremental"
	keyTransfer    = "state.backend.rocksdb.checkpoint.transfer.thread.num"
	keyMemory      = "taskmanager.memory."
	keyRetained    = "execution.checkpointing.num-retained"
)

// state: spec 1.3, and what Flink's memory utilities refuse.
func (r *resolver) state() {
	r.predefine()
	r.ratios("state.backend.rocksdb.", &r.cfg.Rocks)
	r.ratios("state.backend.forst.", &r.cfg.ForSt)
	r.memory()
	r.otherBackend()
	r.asynchronous()
	r.changelog()
	r.retained()
	r.formerBackend()
}

// predefine applies a predefined set to all options that are not given themselves (PredefinedOptions).
func (r *resolver) predefine() {
	l := &r.cfg.Rocks
	give := func(key string, set func()) {
		if !r.given("state.backend.rocksdb." + key) {
			set()
		}
	}
	if l.Predefined == 0 {
		return
	}
	give("thread.num", func() { l.Threads = 4 })
	if l.Predefined == 3 {
		return
	}
	give("compaction.level.use-dynamic-size", func() { l.Dynamic = true })
	if l.Predefined == 1 {
		return
	}
	give("compaction.level.target-file-size-base", func() { l.FileBase = 256 << 20 })
	give("compaction.level.max-size-level-base", func() { l.LevelBase = 1 << 30 })
	give("writebuffer.count", func() { l.Buffers = 4 })
	give("writebuffer.number-to-merge", func() { l.Merge = 3 })
	give("block.cache-size", func() { l.CacheSize = 256 << 20 })
	give("block.blocksize", func() { l.Block = 128 << 10 })
	give("use-bloom-filter", func() { l.Bloom = true })
}

// ratios: RocksDBMemoryConfiguration.validate.
func (r *resolver) ratios(prefix string, l *LSM) {
	if l.WriteBufferRatio+l.HighPrioRatio <= 1 && l.WriteBufferRatio < 1 {
		return
	}
	if r.given(prefix+"memory.write-buffer-ratio") || r.given(prefix+"memory.high-prio-pool-ratio") {
		r.wrong(r.current, &Mistake{Problem: "leaves more than all of the memory for write buffers and index blocks together, which Flink refuses",
			Remedy: "keep memory.write-buffer-ratio and memory.high-prio-pool-ratio at 1 or below in sum, the first below 1"})
	}
}

// asynchronous: what a job does with ForSt that does not ask for asynchronous state is not what the lab does with it (ForStOptions,
// FLINK-37620).
func (r *resolver) asynchronous() {
	if r.cfg.Backend == ForSt && r.given(keyBackend) {
		r.note(Info, "The lab accesses it asynchronously, as operators of State V2 do (enableAsyncState(), table.exec.async-state.enabled). All others block for each access, "+
			"on local files (state.backend.forst.sync.enforce-local): for them write rocksdb.",
			"랩은 State V2 연산자처럼 비동기로 접근한다(enableAsyncState(), table.exec.async-state.enabled). 그 밖의 연산자는 로컬 파일에 접근할 때마다 멈추므로(state.backend.forst.sync.enforce-local), 그런 잡이면 rocksdb라고 쓴다.")
	}
}

// retained: DefaultCompletedCheckpointStoreUtils.getMaximumNumberOfRetainedCheckpoints.
func (r *resolver) retained() {
	if r.cfg.Retained < 1 && r.given(keyRetained) {
		r.cfg.Retained = 1
		r.note(Warning, "It is not above 0, so Flink keeps 1, its default.", "0보다 크지 않으므로 Flink는 기본값인 1개를 보관한다.")
	}
}

// formerBackend: names that StateBackendLoader knew before 2.0.
func (r *resolver) formerBackend() {
	if r.version != v23 || !r.given(keyBackend) {
		return
	}
	name := strings.ToLower(r.pairs[r.current].Value)
	if strings.HasPrefix(name, "org.apache.flink.contrib.") || strings.HasPrefix(name, "org.apache.flink.runtime.state.filesystem.") || strings.HasPrefix(name, "org.apache.flink.runtime.state.memory.") {
		r.note(Warning, "A class of 1.x that Flink 2 does not have: it does not start the job. Write rocksdb or hashmap.", "1.x에만 있던 클래스라서 Flink 2는 잡을 시작하지 않는다. rocksdb나 hashmap으로 쓴다.")
	}
	if name == "jobmanager" || name == "filesystem" {
		r.note(Warning, "A name of 1.x: Flink 2 takes it for the class of a factory, does not find that, and does not start the job. Write hashmap.",
			"1.x의 이름이다. Flink 2는 이를 팩토리 클래스 이름으로 읽고, 찾지 못해 잡을 시작하지 않는다. hashmap으로 쓴다.")
	}
}

// changelog: BatchingStateChangeUploadScheduler refuses a batch that its throttle never lets by.
func (r *resolver) changelog() {
	const dstl = "state.changelog.dstl.dfs."
	if c := &r.cfg; !c.Changelog || c.ChangelogBatchSize <= c.ChangelogInFlight {
		return
	}
	if r.given(dstl+"upload.max-in-flight") || r.given(dstl+"batch.persist-size-threshold") {
		r.wrong(r.current, &Mistake{Problem: "lets less be on its way than a batch has, which Flink refuses",
			Remedy: "keep " + dstl + "batch.persist-size-threshold at or below " + dstl + "upload.max-in-flight"})
	}
}

// memory: TaskExecutorProcessUtils refuses parts that exceed the whole.
func (r *resolver) memory() {
	m := &r.cfg.Memory
	if r.tooMuchMemory() || r.least("network", m.NetworkMin, m.NetworkMax) || r.least("jvm-overhead", m.OverheadMin, m.OverheadMax) {
		return
	}
	key := ""
	for _, k := range []string{
		"network.max", "network.min", "network.fraction", "jvm-overhead.max", "jvm-overhead.min", "jvm-overhead.fraction", "jvm-metaspace.size", "task.off-heap.size",
		"framework.off-heap.size", "framework.heap.size", "managed.fraction", "task.heap.size", "managed.size", "flink.size", "process.size",
	} {
		if r.given(keyMemory + k) {
			key = keyMemory + k
		}
	}
	if byParts := m.TaskHeap > 0 && m.Managed > 0; !byParts && m.taskHeap() < 0 && key != "" {
		r.wrong(r.current, &Mistake{Problem: "leaves no heap for tasks beside managed, network and framework memory, and Flink does not start",
			Remedy: "raise " + keyMemory + "process.size, or lower the part that is too large: managed, network, framework or off-heap memory"})
		return
	}
	if m.Flink > 0 && m.Process > 0 && m.Flink >= m.Process && r.given(keyMemory+"flink.size") {
		r.wrong(r.current, &Mistake{Problem: "is not below the process size of " + FormatSize(m.Process) + ", which Flink refuses",
			Remedy: "raise " + keyMemory + "process.size"})
	}
	if r.cfg.Backend == RocksDB && r.cfg.Rocks.Managed && r.cfg.Rocks.FixedPerSlot == 0 && r.cfg.Rocks.FixedPerTM == 0 && m.ManagedMemory() == 0 && r.given(keyMemory+"managed.fraction") {
		r.wrong(r.current, &Mistake{Problem: "leaves RocksDB without memory, which Flink refuses", Remedy: "write a share above 0, or set state.backend.rocksdb.memory.managed to false"})
	}
}

// mostMemory is more than any machine has, and little enough for sums of all parts.
const mostMemory = 1 << 50

// tooMuchMemory refuses a size beyond mostMemory.
func (r *resolver) tooMuchMemory() bool {
	m := &r.cfg.Memory
	for _, p := range []struct {
		key  string
		size int64
	}{
		{"process.size", m.Process}, {"flink.size", m.Flink}, {"task.heap.size", m.TaskHeap}, {"managed.size", m.Managed}, {"framework.heap.size", m.FrameworkHeap},
		{"framework.off-heap.size", m.FrameworkOffHeap}, {"task.off-heap.size", m.TaskOffHeap}, {"jvm-metaspace.size", m.Metaspace}, {"jvm-overhead.min", m.OverheadMin},
		{"network.min", m.NetworkMin},
	} {
		if p.size > mostMemory && r.given(keyMemory+p.key) {
			r.wrong(r.current, &Mistake{Problem: "is more memory than any machine has", Remedy: "write " + FormatSize(mostMemory) + " at most"})
			return true
		}
	}
	return false
}

// least refuses a part whose least size is above its greatest (ProcessMemoryUtils, RangeFraction).
func (r *resolver) least(part string, least, most int64) bool {
	if least <= most || !r.given(keyMemory+part+".max") && !r.given(keyMemory+part+".min") {
		return false
	}
	r.wrong(r.current, &Mistake{Problem: "leaves the least size of the part above the greatest, which Flink refuses",
		Remedy: "keep " + keyMemory + part + ".min at or below " + keyMemory + part + ".max"})
	return true
}

// otherBackend notes options of a backend that is not the chosen one.
func (r *resolver) otherBackend() {
	for _, b := range []StateBackend{RocksDB, ForSt} {
		prefix := "state.backend." + backends[b] + "."
		if r.cfg.Backend == b {
			continue
		}
		for i := range table {
			if o := &table[i]; strings.HasPrefix(o.Key, prefix) && o.Modelled && r.given(o.Key) {
				r.note(Info, "Acts only with "+keyBackend+": "+backends[b]+".", keyBackend+": "+backends[b]+"일 때만 작동한다.")
			}
		}
	}
	if !r.cfg.Incremental && r.cfg.Backend == HashMap && r.given(keyIncremental) {
		r.note(Info, "It has no meaning for hashmap, which stores everything each time.", "매번 전부 저장하는 hashmap에는 의미가 없다.")
	}
	if r.cfg.Incremental && r.cfg.Backend == HashMap && r.given(keyIncremental) {
		r.note(Warning, "hashmap stores everything each time; incremental checkpoints need rocksdb or forst.", "hashmap은 매번 전부 저장한다. 증분 체크포인트에는 rocksdb나 forst가 필요하다.")
	}
}
