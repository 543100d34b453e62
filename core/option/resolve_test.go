package option

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"checkpointlab/core/event"
)

// pairs reads "key: value" lines, numbering them from 1.
func pairs(text string) (list []Pair) {
	for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		list = append(list, Pair{Key: key, Value: value, Line: i + 1})
	}
	return list
}

func TestResolveRefuses(t *testing.T) {
	cases := []struct{ text, err string }{
		// a real 2.3 refuses these (truth/README, "Settings that a real 2.3 refused"; spec 3.7)
		{"execution.checkpointing.interval: 9 ms",
			`line 1: execution.checkpointing.interval: "9 ms" is shorter than 10 ms, which Flink refuses; write 10 ms or more`},
		{"execution.checkpointing.unaligned.enabled: true\nexecution.checkpointing.max-concurrent-checkpoints: 2",
			`line 2: execution.checkpointing.max-concurrent-checkpoints: "2" cannot go with unaligned checkpoints, and Flink refuses the job; write 1, or set execution.checkpointing.unaligned.enabled to false`},
		{"execution.checkpointing.interval: 0",
			`line 1: execution.checkpointing.interval: "0" is shorter than 10 ms, which Flink refuses; write 10 ms or more`},
		{"execution.checkpointing.timeout: 9 ms",
			`line 1: execution.checkpointing.timeout: "9 ms" is shorter than 10 ms, which Flink refuses; write 10 ms or more`},
		{"execution.checkpointing.interval: 1 min\nexecution.checkpointing.interval-during-backlog: 30 s",
			`line 2: execution.checkpointing.interval-during-backlog: "30 s" is shorter than the interval of 1 min, which Flink refuses; write 1 min or more, or 0 for no checkpoints during backlog`},
		{"heartbeat.interval: 10 s\nheartbeat.timeout: 9 s",
			`line 2: heartbeat.timeout: "9 s" makes the timeout of 9 s shorter than the interval of 10 s, which Flink refuses; write a heartbeat.timeout above heartbeat.interval`},
		{"heartbeat.rpc-failure-threshold: 0",
			`line 1: heartbeat.rpc-failure-threshold: "0" is neither 1 or more nor -1, and Flink refuses it; write 1 or more, or -1 to count none`},
		{"execution.checkpointing.max-concurrent-checkpoints: 0",
			`line 1: execution.checkpointing.max-concurrent-checkpoints: "0" is less than 1; write 1 or more`},
		{"execution.checkpointing.tolerable-failed-checkpoints: -1",
			`line 1: execution.checkpointing.tolerable-failed-checkpoints: "-1" is less than 0; write 0 or more`},
		{"execution.checkpointing.tolerable-failed-checkpoints: 3000000000",
			`line 1: execution.checkpointing.tolerable-failed-checkpoints: "3000000000" is not a whole number that fits 32 bits; write digits only, at most 2147483647`},
		{"execution.checkpointing.min-pause: 366 d",
			`line 1: execution.checkpointing.min-pause: "366 d" is longer than 365 d; write a shorter time`},
		{"execution.checkpointing.mode: SMART",
			`line 1: execution.checkpointing.mode: "SMART" is no value of this option; write EXACTLY_ONCE or AT_LEAST_ONCE`},
		{"execution.checkpointing.unaligned.enabled: yes",
			`line 1: execution.checkpointing.unaligned.enabled: "yes" is neither true nor false; write true or false`},
		{"restart-strategy.type: sometimes",
			`line 1: restart-strategy.type: "sometimes" is no value of this option; write none, fixed-delay, failure-rate or exponential-delay`},
		{"restart-strategy.type: exponential-delay\nrestart-strategy.exponential-delay.initial-backoff: 2 min",
			`line 2: restart-strategy.exponential-delay.initial-backoff: "2 min" leaves the initial back-off longer than the maximum, which Flink refuses; keep restart-strategy.exponential-delay.initial-backoff at or below restart-strategy.exponential-delay.max-backoff`},
		{"restart-strategy.exponential-delay.backoff-multiplier: 1",
			`line 1: restart-strategy.exponential-delay.backoff-multiplier: "1" is out of range; write a number of more than 1, up to 1000`},
		{"restart-strategy.exponential-delay.jitter-factor: NaN",
			`line 1: restart-strategy.exponential-delay.jitter-factor: "NaN" is not a number; write a decimal number, such as 1.5`},
		{"taskmanager.memory.segment-size: 20 kb",
			`line 1: taskmanager.memory.segment-size: "20 kb" is not a power of 2, which Flink refuses; write 4 kb, 8 kb, 16 kb, 32 kb or 64 kb`},
		{"taskmanager.memory.process.size: 100m", // less than the JVM takes by itself
			`line 1: taskmanager.memory.process.size: "100m" leaves no heap for tasks beside managed, network and framework memory, and Flink does not start; raise taskmanager.memory.process.size, or lower the part that is too large: managed, network, framework or off-heap memory`},
		{"taskmanager.memory.process.size: 448m",
			`line 1: taskmanager.memory.process.size: "448m" leaves no heap for tasks beside managed, network and framework memory, and Flink does not start; raise taskmanager.memory.process.size, or lower the part that is too large: managed, network, framework or off-heap memory`},
		{"taskmanager.memory.network.min: 9223372036854775807",
			`line 1: taskmanager.memory.network.min: "9223372036854775807" is more memory than any machine has; write 1024 tb at most`},
		{"taskmanager.memory.jvm-overhead.min: 2 gb",
			`line 1: taskmanager.memory.jvm-overhead.min: "2 gb" leaves the least size of the part above the greatest, which Flink refuses; keep taskmanager.memory.jvm-overhead.min at or below taskmanager.memory.jvm-overhead.max`},
		{"taskmanager.memory.network.fraction: 1",
			`line 1: taskmanager.memory.network.fraction: "1" leaves no heap for tasks beside managed, network and framework memory, and Flink does not start; raise taskmanager.memory.process.size, or lower the part that is too large: managed, network, framework or off-heap memory`},
		{"taskmanager.memory.segment-size: 2 kb",
			`line 1: taskmanager.memory.segment-size: "2 kb" is less than 4 kb; write 4 kb or more`},
		{"taskmanager.memory.min-segment-size: 64 kb",
			`line 1: taskmanager.memory.min-segment-size: "64 kb" leaves the smallest buffer larger than a segment; keep taskmanager.memory.min-segment-size at or below taskmanager.memory.segment-size`},
		{"taskmanager.network.memory.buffer-debloat.threshold-percentages: 101",
			`line 1: taskmanager.network.memory.buffer-debloat.threshold-percentages: "101" is more than 100; write 100 or less`},
		{"taskmanager.network.memory.buffer-debloat.target: 0",
			`line 1: taskmanager.network.memory.buffer-debloat.target: "0" is shorter than 1 ms, which Flink refuses; write 1 ms or more`},
		{"parallelism.default: 300\npipeline.max-parallelism: 200",
			`line 1: parallelism.default: "300" leaves the parallelism above the max parallelism, which Flink refuses; keep parallelism.default at or below pipeline.max-parallelism`},
		// the strict parser refuses duplicates (spec 1.0); Flink ignores unknown keys, the lab names them (case C28)
		{"execution.checkpointing.interval: 1 s\nexecution.checkpointing.interval: 2 s",
			`line 2: execution.checkpointing.interval (set to "2 s") is given a second time (first on line 1); keep one of the two`},
		{"execution.checkpointing.min-pause-between-checkpoints: 30s",
			`line 1: execution.checkpointing.min-pause-between-checkpoints (set to "30s") is not an option of Flink, which would ignore it in silence; did you mean execution.checkpointing.min-pause?`},
		{"house.rule: 1",
			`line 1: house.rule (set to "1") is not an option of Flink, which would ignore it in silence; remove it`},
	}
	for _, c := range cases {
		_, _, err := Resolve("2.3", pairs(c.text))
		if got := message(err); got != c.err {
			t.Errorf("%s\n got %s\nwant %s", c.text, got, c.err)
		}
	}
	_, _, err := Resolve("2.3", []Pair{{Key: keyInterval}})
	if got, want := message(err), "execution.checkpointing.interval has no value; write a whole number and a unit, such as 500 ms, 10 s or 2 min"; got != want {
		t.Errorf("no value: %s", got)
	}
	_, _, err = Resolve("2.1", nil)
	if got, want := message(err), `flinkVersion: "2.1" is not a version of Flink that the lab follows; write 1.18, 1.20 or 2.3`; got != want {
		t.Errorf("version: %s", got)
	}
}

// A gate has at least one floating buffer where the number can be set (spec 4.1; NettyShuffleEnvironmentConfiguration).
func TestResolveRefusesNoFloatingBuffers(t *testing.T) {
	const want = `line 1: taskmanager.network.memory.floating-buffers-per-gate: "0" is less than 1; write 1 or more`
	for _, version := range []string{"1.18", "1.20"} {
		if _, _, err := Resolve(version, pairs(keyFloating+": 0")); err == nil || err.Error() != want {
			t.Errorf("%s: %v", version, err)
		}
	}
}

// All mistakes are told, in the order of the text.
func TestResolveJoinsMistakes(t *testing.T) {
	_, _, err := Resolve("", pairs("restart-strategy.type: x\nexecution.checkpointing.interval: 1 ms\nnonsense.key: 1"))
	var lines []int
	for _, e := range err.(interface{ Unwrap() []error }).Unwrap() {
		var m *Mistake
		if !errors.As(e, &m) {
			t.Fatalf("%T", e)
		}
		lines = append(lines, m.Line)
	}
	if len(lines) != 3 || lines[0] != 1 || lines[1] != 2 || lines[2] != 3 {
		t.Errorf("lines %v in %v", lines, err)
	}
}

func TestResolveNotes(t *testing.T) {
	cases := []struct{ name, version, text, want string }{
		{"unaligned loses against AT_LEAST_ONCE (spec 3.7, case C16)", "2.3",
			"execution.checkpointing.interval: 1 s\nexecution.checkpointing.unaligned.enabled: true\nexecution.checkpointing.mode: at_least_once\nexecution.checkpointing.max-concurrent-checkpoints: 2",
			"2 warning Switched off: execution.checkpointing.mode is AT_LEAST_ONCE, and unaligned checkpoints need EXACTLY_ONCE."},
		{"the new spelling wins (spec 1.0)", "2.3",
			"execution.checkpointing.unaligned: true\nexecution.checkpointing.unaligned.enabled: false",
			"1 info An old spelling, still read; today it is execution.checkpointing.unaligned.enabled.\n1 warning Not read: execution.checkpointing.unaligned.enabled is given too, and the newer spelling wins."},
		{"the order does not matter", "2.3",
			"execution.checkpointing.unaligned.enabled: false\nexecution.checkpointing.unaligned: true",
			"2 warning Not read: execution.checkpointing.unaligned.enabled is given too, and the newer spelling wins."},
		{"a constant of 2.x (spec 1.2)", "2.3", "taskmanager.network.memory.buffers-per-channel: 4",
			"1 warning Flink 2.3 ignores it in silence: it is the constant 2 there."},
		{"the overdraft of 2.x", "2.3", "taskmanager.network.memory.max-overdraft-buffers-per-gate: 5",
			"1 warning Flink 2.3 ignores it in silence: it is the constant 20 there."},
		{"a number that 1.x refuses (spec 4.1)", "2.3", "taskmanager.network.memory.floating-buffers-per-gate: 0",
			"1 warning Flink 2.3 ignores it in silence: it is the constant 8 there."},
		{"which acts in 1.x", "1.20", "taskmanager.network.memory.buffers-per-channel: 4", ""},
		{"a spelling that is too new", "1.18", "execution.checkpointing.num-retained: 2",
			"1 warning Flink 1.18 ignores this spelling in silence; it reads state.checkpoints.num-retained."},
		{"the spelling of that version", "1.18", "state.checkpoints.num-retained: 2", ""},
		{"an option that is too new", "1.18", "execution.checkpointing.interval-during-backlog: 1 min",
			"1 warning Flink 1.18 ignores it in silence: it is an option of 1.20, 2.3 only."},
		{"an option that is gone", "2.3", "execution.checkpointing.force: true",
			"1 warning Flink 2.3 ignores it in silence: it is an option of 1.18, 1.20 only."},
		{"not modelled", "2.3", "state.backend.rocksdb.files.open: 100", "1 info A Flink option that the lab does not model."},
		{"not modelled, but known", "2.3", "taskmanager.network.detailed-metrics: true",
			"1 info A Flink option that the lab does not model. Report the queues channel by channel."},
		{"an old spelling of a key without a line", "2.3", "taskmanager.state.local.root-dirs: /x",
			"1 info A Flink option that the lab does not model.\n1 info An old spelling, still read; today it is execution.checkpointing.local-backup.dirs."},
		{"whole milliseconds", "2.3", "execution.buffer-timeout.interval: 500 us",
			"1 warning Flink keeps whole milliseconds here: it becomes 0 ms."},
		{"no flusher", "2.3", "execution.buffer-timeout: -1",
			"1 info An old spelling, still read; today it is execution.buffer-timeout.interval.\n1 info Switched off; today this is written execution.buffer-timeout.enabled: false."},
		{"an interval that does nothing", "2.3", "execution.buffer-timeout.enabled: false\nexecution.buffer-timeout.interval: 5 ms",
			"2 info Without effect while execution.buffer-timeout.enabled is false."},
		{"an aligned timeout alone", "2.3", "execution.checkpointing.aligned-checkpoint-timeout: 5 s",
			"1 info Acts only while unaligned checkpoints are on."},
		{"an aligned timeout that is too long (spec 3.5)", "2.3",
			"execution.checkpointing.unaligned.enabled: true\nexecution.checkpointing.aligned-checkpoint-timeout: 10 min",
			"2 warning Not shorter than execution.checkpointing.timeout, so a checkpoint expires before it could become unaligned."},
		{"a pause above the interval (spec 2.1)", "2.3", "execution.checkpointing.interval: 10 s\nexecution.checkpointing.min-pause: 30 s",
			"2 info Longer than the interval, so checkpoints start 30 s apart at the least."},
		{"debloating is off", "2.3", "taskmanager.network.memory.buffer-debloat.target: 300 ms",
			"1 info Acts only with taskmanager.network.memory.buffer-debloat.enabled."},
		{"an adaptive partitioner is off", "2.3", "taskmanager.network.adaptive-partitioner.max-traverse-size: 8",
			"1 info Acts only with taskmanager.network.adaptive-partitioner.enabled."},
		{"an adaptive partitioner before there was one", "1.20", "taskmanager.network.adaptive-partitioner.enabled: true",
			"1 warning Flink 1.20 ignores it in silence: it is an option of 2.3 only."},
		{"another strategy", "2.3", "restart-strategy.type: FixedDelay\nrestart-strategy.failure-rate.delay: 5 s",
			"2 info Without effect: restart-strategy.type is not this strategy."},
		{"a start beyond the largest buffer", "2.3", "taskmanager.memory.segment-size: 4 kb\ntaskmanager.memory.starting-segment-size: 8 kb",
			"2 warning Outside of the smallest and the largest buffer: it becomes 4 kb."},
		{"backlog without an interval", "2.3", "execution.checkpointing.interval-during-backlog: 0",
			"1 info Without execution.checkpointing.interval it has no effect."},
	}
	for _, c := range cases {
		_, notes, err := Resolve(c.version, pairs(c.text))
		var lines []string
		for _, n := range notes {
			lines = append(lines, itoa(n.Line)+" "+[...]string{"info", "warning"}[n.Severity]+" "+n.Text)
			if n.Ko == "" || n.Key == "" {
				t.Errorf("%s: %+v", c.name, n)
			}
		}
		if got := strings.Join(lines, "\n"); got != c.want || err != nil {
			t.Errorf("%s:\n got %s, %v\nwant %s", c.name, got, err, c.want)
		}
	}
}

// The strategy that acts when none is named depends on the version and on checkpointing (spec 1.4).
func TestRestartDefault(t *testing.T) {
	on := []Pair{{Key: keyInterval, Value: "1 s"}}
	cases := []struct {
		version  string
		pairs    []Pair
		kind     RestartKind
		attempts int
		delay    event.Time
	}{
		{"2.3", nil, RestartNone, 1, event.Second},
		{"2.3", on, RestartExponentialDelay, 1, event.Second},
		{"1.20", on, RestartExponentialDelay, 1, event.Second},
		{"1.18", on, RestartFixedDelay, unlimited, event.Second},
		{"1.18.1", append(on, Pair{Key: keyRestart, Value: "off"}), RestartNone, 1, event.Second},
		{"2.3", append(on, Pair{Key: keyRestart, Value: "fixeddelay"}, Pair{Key: keyFixed + "delay", Value: "5 s"}), RestartFixedDelay, 1, 5 * event.Second},
		{"2.3", append(on, Pair{Key: keyRestart, Value: "failurerate"}, Pair{Key: keyFixed + "delay", Value: "5 s"}), RestartFailureRate, 1, 5 * event.Second},
	}
	for _, c := range cases {
		cfg, _, err := Resolve(c.version, c.pairs)
		if cfg.Restart != c.kind || cfg.RestartAttempts != c.attempts || cfg.RestartDelay != c.delay || err != nil {
			t.Errorf("%s %v: %d, %d, %d, %v", c.version, c.pairs, cfg.Restart, cfg.RestartAttempts, cfg.RestartDelay, err)
		}
	}
}

func TestDefaults(t *testing.T) {
	c := Defaults("")
	want := Config{
		Version: "2.3", IntervalDuringBacklog: -1, Timeout: 600 * event.Second, MaxConcurrent: 1, AfterTasksFinish: true, Retained: 1,
		BufferTimeout: 100 * event.Millisecond, DebloatPeriod: 200 * event.Millisecond, DebloatSamples: 20, DebloatTarget: event.Second, DebloatThreshold: 25,
		SegmentSize: 32768, MinSegmentSize: 256, StartingSegmentSize: 1024, BuffersPerChannel: 2, FloatingPerGate: 8, MaxPerChannel: 10, MaxOverdraft: 20, AdaptiveTraverse: 4,
		Restart: RestartNone, RestartAttempts: 1, RestartDelay: event.Second, RestartFailures: 1, RestartFailureDelay: event.Second, RestartFailureInterval: 60 * event.Second,
		RestartInitialBackoff: event.Second, RestartMaxBackoff: 60 * event.Second, RestartMultiplier: 1.5, RestartResetThreshold: 3600 * event.Second,
		RestartJitter: 0.1, RestartAttemptsToReset: -1,
		InlineThreshold: 20480, ParallelClean: true, IOPool: 4, FileMergingSize: 32 << 20, ChannelFileSubtasks: 5,
		ChangelogMaterialize: 600 * event.Second, ChangelogFailures: 3, ChangelogBatchDelay: 10 * event.Millisecond, ChangelogBatchSize: 10 << 20,
		ChangelogPreemptive: 5 << 20, ChangelogInFlight: 100 << 20, ChangelogRetryDelay: 500 * event.Millisecond,
		HeartbeatInterval: 10 * event.Second, HeartbeatTimeout: 50 * event.Second, HeartbeatFailures: 2, CancelTimeout: 180 * event.Second, CommitRetries: 10, WithoutFlow: -1,
		KeepIdle: 7200, KeepInterval: 75, KeepCount: 9,
		AutoWatermark: 200 * event.Millisecond, Chaining: true, Parallelism: 1, MaxParallelism: -1,
		Rocks: LSM{
			Managed: true, WriteBufferRatio: 0.5, HighPrioRatio: 0.1, TransferThreads: 4, Threads: 2, LevelBase: 256 << 20, FileBase: 64 << 20,
			Buffer: 64 << 20, Buffers: 2, Merge: 1, Block: 4096, CacheSize: 8 << 20, BloomBits: 10,
		},
		ForStCacheReserve: 256 << 20, ForStPromote: 6, ForStReadIO: 3, ForStWriteIO: 1, ForStInlineWrite: true, AsyncBuffer: 6000,
		Memory: Memory{
			FrameworkHeap: 128 << 20, FrameworkOffHeap: 128 << 20, Metaspace: 256 << 20, OverheadMin: 192 << 20, OverheadMax: 1 << 30,
			NetworkMin: 64 << 20, NetworkMax: math.MaxInt64, ManagedFraction: 0.4, NetworkFraction: 0.1, OverheadFraction: 0.1,
		},
	}
	want.ForSt = want.Rocks
	want.ForSt.Partitioned = true
	if c != want {
		t.Errorf("got  %+v\nwant %+v", c, want)
	}
}

func ExampleResolve() {
	cfg, notes, err := Resolve("2.3", []Pair{
		{Key: "execution.checkpointing.interval", Value: "10 s"},
		{Key: "execution.checkpointing.unaligned", Value: "true"},
	})
	if err != nil {
		panic(err)
	}
	fmt.Println(FormatDuration(cfg.Interval), cfg.Unaligned)
	fmt.Println(notes[0].Text)
	// Output:
	// 10 s true
	// An old spelling, still read; today it is execution.checkpointing.unaligned.enabled.
}

func FuzzResolve(f *testing.F) {
	for key, value := range samples {
		f.Add("2.3", key, value)
		f.Add("1.18", key, "-1")
	}
	f.Add("1.20", "execution.buffer-timeout", "P1DT1H")
	f.Fuzz(func(t *testing.T, version, key, value string) {
		cfg, _, err := Resolve(version, []Pair{{Key: key, Value: value, Line: 1}})
		if err != nil {
			return
		}
		if o, ok := Find(key); ok && o.Modelled { // what was read is written so that it reads the same
			if text := o.Get(&cfg); text != "" {
				again, _, err := Resolve(version, []Pair{{Key: key, Value: text}})
				if err != nil || again != cfg {
					t.Errorf("%s: %q → %q → %v %+v, want %+v", key, value, text, err, again, cfg)
				}
			}
		}
	})
}
