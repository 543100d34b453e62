package option

import "math"

// StateBackend is state.backend.type.
type StateBackend uint8

// The backends (spec 1.3).
const (
	HashMap StateBackend = iota
	RocksDB
	ForSt
)

var backends = []string{"hashmap", "rocksdb", "forst"}

// BackendNames are Flink's words for the backends, in their order.
func BackendNames() []string { return backends }

// LSM is the options that RocksDB and ForSt have alike (spec 1.3). Sizes are bytes.
type LSM struct {
	Managed          bool // memory.managed
	FixedPerSlot     int64
	FixedPerTM       int64
	WriteBufferRatio float64
	HighPrioRatio    float64
	Partitioned      bool // memory.partitioned-index-filters
	Predefined       int  // index into predefined
	HeapTimers       bool
	TransferThreads  int
	Threads          int // thread.num: background jobs
	Style            int // 0 LEVEL, 1 UNIVERSAL
	LevelBase        int64
	FileBase         int64
	Dynamic          bool
	Buffer           int64 // writebuffer.size
	Buffers          int
	Merge            int
	Block            int64
	CacheSize        int64
	Bloom            bool
	BloomBits        float64
}

// WriteBufferMill is the write buffers' share of the memory in thousandths.
func (l *LSM) WriteBufferMill() int64 { return int64(math.Round(l.WriteBufferRatio * 1000)) }

// BloomMill is the bits a key in thousandths. With partitioned filters Flink replaces the filter by one of 10 bits whatever is set
// (RocksDBResourceContainer.overwriteFilterIfExist; chapter A22).
func (l *LSM) BloomMill() int64 {
	if l.Partitioned {
		return 10_000
	}
	return int64(math.Round(l.BloomBits * 1000))
}

// Filtered reports whether files have bloom filters.
func (l *LSM) Filtered() bool { return l.Bloom }

func lsmDefaults() LSM {
	return LSM{
		Managed: true, WriteBufferRatio: 0.5, HighPrioRatio: 0.1, TransferThreads: 4, Threads: 2,
		LevelBase: 256 << 20, FileBase: 64 << 20, Buffer: 64 << 20, Buffers: 2, Merge: 1, Block: 4 << 10, CacheSize: 8 << 20, BloomBits: 10,
	}
}

// Memory is a task manager's memory as configured (TaskManagerOptions). Sizes are bytes, 0 = not set where Flink has no default.
type Memory struct {
	Process, Flink, TaskHeap, Managed            int64
	FrameworkHeap, FrameworkOffHeap, TaskOffHeap int64
	Metaspace, OverheadMin, OverheadMax          int64
	NetworkMin, NetworkMax                       int64
	ManagedFraction, NetworkFraction             float64
	OverheadFraction                             float64
}

// defaultProcess is the size in the configuration that Flink is shipped with; without any size Flink does not start.
const defaultProcess = 1728 << 20

func memoryDefaults() Memory {
	return Memory{
		FrameworkHeap: 128 << 20, FrameworkOffHeap: 128 << 20, Metaspace: 256 << 20, OverheadMin: 192 << 20, OverheadMax: 1 << 30,
		NetworkMin: 64 << 20, NetworkMax: math.MaxInt64, ManagedFraction: 0.4, NetworkFraction: 0.1, OverheadFraction: 0.1,
	}
}

// total is Flink's memory, of which heap, managed and network memory are parts (TaskExecutorProcessUtils); 0 if it follows from the parts.
func (m *Memory) total() int64 {
	switch {
	case m.TaskHeap > 0 && m.Managed > 0:
		return 0
	case m.Flink > 0:
		return m.Flink
	}
	process := m.Process
	if process == 0 {
		process = defaultProcess
	}
	return process - m.Metaspace - clamp(share(process, m.OverheadFraction), m.OverheadMin, m.OverheadMax)
}

// ManagedMemory is what RocksDB gets of a task manager in all.
func (m *Memory) ManagedMemory() int64 {
	if m.Managed > 0 {
		return m.Managed
	}
	return share(m.total(), m.ManagedFraction)
}

// network is the network memory.
func (m *Memory) network() int64 {
	return clamp(share(m.total(), m.NetworkFraction), m.NetworkMin, m.NetworkMax)
}

// Sized reports whether anything was said of how large a task manager or its network memory is; if not, the lab does not count buffers.
func (c *Config) Sized() bool {
	m, d := c.Memory, memoryDefaults()
	return m.Process != d.Process || m.Flink != d.Flink || m.NetworkMin != d.NetworkMin || m.NetworkMax != d.NetworkMax || m.NetworkFraction != d.NetworkFraction
}

// NetworkBuffers is how many segments a task manager has.
func (c *Config) NetworkBuffers() int64 { return c.Memory.network() / int64(c.SegmentSize) }

// taskHeap is what is left of Flink's memory for the heap of tasks.
func (m *Memory) taskHeap() int64 {
	if m.TaskHeap > 0 {
		return m.TaskHeap
	}
	return m.total() - m.FrameworkHeap - m.FrameworkOffHeap - m.TaskOffHeap - m.ManagedMemory() - m.network()
}

// JVMHeap is -Xmx: the heap of tasks and the framework's.
func (m *Memory) JVMHeap() int64 { return m.taskHeap() + m.FrameworkHeap }

func share(n int64, fraction float64) int64 { return int64(float64(n) * fraction) }

func clamp(n, least, most int64) int64 { return min(max(n, least), most) }
