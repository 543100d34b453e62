package option

import (
	"math"
	"reflect"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"
)

func TestKeyTable(t *testing.T) {
	lines := strings.Split(keyTable, "\n")
	if len(lines) != 1262 {
		t.Errorf("%d keys", len(lines))
	}
	if !sort.SliceIsSorted(lines, func(i, j int) bool { return keyOf(lines[i]) < keyOf(lines[j]) }) {
		t.Error("the keys are not sorted, so that Known cannot find them")
	}
	for i, line := range lines {
		if line[0] < '1' || line[0] > '7' || line[1] != ' ' || i > 0 && keyOf(line) == keyOf(lines[i-1]) {
			t.Errorf("line %q", line)
		}
		if _, renamed, ok := strings.Cut(line, "="); ok {
			if _, known := Known(renamed); !known {
				t.Errorf("%q leads to an unknown key", line)
			}
		}
	}
}

// The versions are those of the declared options: the four buffer counts are gone since 2.0 (spec 1.2), and so on.
func TestKnown(t *testing.T) {
	cases := []struct{ key, renamed, versions string }{
		{"execution.checkpointing.interval", "", "1.18 1.20 2.3"},
		{"execution.checkpointing.interval-during-backlog", "", "1.20 2.3"},
		{"taskmanager.network.memory.buffers-per-channel", "", "1.18 1.20"},
		{"taskmanager.memory.starting-segment-size", "", "2.3"},
		{"state.backend.incremental", "execution.checkpointing.incremental", "1.18 1.20 2.3"},
		{"dstl.dfs.upload.num-threads", "state.changelog.dstl.dfs.upload.num-threads", "1.18 1.20 2.3"},
		{"flink.hadoop.dfs.replication", "", "1.18 1.20 2.3"},
		{"external-resource.gpu.amount", "", "1.18 1.20 2.3"},
		{"metrics.reporter.prom.port", "", "1.18 1.20 2.3"},
	}
	for _, c := range cases {
		info, ok := Known(c.key)
		if got := strings.Join(info.Versions, " "); !ok || info.New != c.renamed || got != c.versions {
			t.Errorf("Known(%q) = %+v, %v", c.key, info, ok)
		}
	}
	for _, key := range []string{"", "execution", "execution.checkpointing", "execution.checkpointing.intervall", "external-resource.gpu", "flink.hadoop."} {
		if info, ok := Known(key); ok {
			t.Errorf("Known(%q) = %+v", key, info)
		}
	}
}

func TestNearest(t *testing.T) {
	cases := map[string]string{
		"execution.checkpointing.intervall":                     "execution.checkpointing.interval",
		"execution.checkpointing.min-pause-between-checkpoints": "execution.checkpointing.min-pause", // case C28
		"execution.checkpointing.externalized-checkpoint":       "execution.checkpointing.externalized-checkpoint-retention",
		"execution.checkpoint.interval":                         "execution.checkpointing.interval",
		"checkpointing.interval":                                "execution.checkpointing.interval",
		"buffer-timeout":                                        "execution.buffer-timeout.interval",
		"state.backend.incremantal":                             "execution.checkpointing.incremental",
		"parallelism":                                           "parallelism.default",
		"taskmanager.network.memory.buffers-per-chanel":         "taskmanager.network.memory.buffers-per-channel",
		"debloat.enabled":                                       "taskmanager.network.memory.buffer-debloat.enabled",
		"rest.prot":                                             "rest.port",
		"my.own.setting.of.the.house":                           "",
		"":                                                      "",
	}
	for key, want := range cases {
		if got := Nearest(key); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", key, got, want)
		}
	}
}

func TestClosest(t *testing.T) {
	fields := []string{"parallelism", "partitions", "rate", "record"}
	for word, want := range map[string]string{"paralelism": "parallelism", "raet": "rate", "Records": "record", "guarantee": "", "x": ""} {
		if got := Closest(word, fields); got != want {
			t.Errorf("Closest(%q) = %q, want %q", word, got, want)
		}
	}
}

// Each line is complete, in both languages, and each of its spellings is one of Flink's.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, o := range All() {
		for _, k := range o.spellings() {
			if _, ok := Known(k); !ok || seen[k] {
				t.Errorf("%s: %s is unknown to Flink or listed twice", o.Key, k)
			}
			seen[k] = true
			if found, ok := Find(k); !ok || found.Key != o.Key {
				t.Errorf("Find(%q) = %v", k, found)
			}
		}
		for _, lang := range []string{"en", "ko"} {
			if o.Label[lang] == "" || !strings.HasSuffix(o.Effect[lang], ".") {
				t.Errorf("%s: label %q, effect %q", o.Key, o.Label[lang], o.Effect[lang])
			}
		}
		if o.Modelled != (o.Field != "") || o.Modelled && o.Range == "" {
			t.Errorf("%s: modelled %v, field %q, range %q", o.Key, o.Modelled, o.Field, o.Range)
		}
	}
	if _, ok := Find("execution.checkpointing.intervall"); ok {
		t.Error("a misspelt key was found")
	}
}

// values that differ from the defaults, with the text that reads them back
var samples = map[string]string{
	keyInterval: "3 s", keyBacklog: "1 min", keyMode: "AT_LEAST_ONCE", keyTimeout: "7 s", keyMinPause: "2 s", keyMaxConcurrent: "3",
	"execution.checkpointing.tolerable-failed-checkpoints": "4", keyUnaligned: "true", keyAlignedTimeout: "30 s",
	"execution.checkpointing.checkpoints-after-tasks-finish": "false", "execution.checkpointing.num-retained": "2",
	keyBufferTimeout: "10 ms", keyBufferEnabled: "false",
	keyKeep + "keepIdleSec": "60", keyKeep + "keepIntervalSec": "10", keyKeep + "keepCount": "3",
	keyDebloat: "true", keyDebloatSpans + "target": "300 ms", keyDebloatSpans + "period": "500 ms", keyDebloatSpans + "samples": "5",
	keyDebloatSpans + "threshold-percentages": "50", keySegment: "8 kb", keyMinSegment: "512 bytes", keyStartSegment: "2 kb",
	keyAdaptive: "true", keyTraverse: "3",
	keyExclusive: "4", keyFloating: "16", "taskmanager.network.memory.max-buffers-per-channel": "20",
	"taskmanager.network.memory.max-overdraft-buffers-per-gate": "6",
	keyRestart: "failure-rate", keyFixed + "attempts": "5", keyFixed + "delay": "4 s",
	keyFailureRate + "max-failures-per-interval": "6", keyFailureRate + "failure-rate-interval": "5 min", keyFailureRate + "delay": "3 s",
	keyExponential + "initial-backoff": "2 s", keyExponential + "max-backoff": "3 min", keyExponential + "backoff-multiplier": "1.25",
	keyExponential + "reset-backoff-threshold": "10 min", keyExponential + "jitter-factor": "0.25",
	keyExponential + "attempts-before-reset-backoff": "8", keyParallelism: "4", "pipeline.auto-watermark-interval": "50 ms", "execution.checkpointing.unaligned.interruptible-timers.enabled": "true", keyMaxParallelism: "256", "pipeline.operator-chaining.enabled": "false",
	"execution.checkpointing.storage": "jobmanager", "execution.checkpointing.data-inline-threshold": "1 kb",
	"execution.checkpointing.cleaner.parallel-mode": "false", "jobmanager.io-pool.size": "8",
	"execution.checkpointing.file-merging.enabled": "true", "execution.checkpointing.file-merging.across-checkpoint-boundary": "true",
	"execution.checkpointing.file-merging.max-file-size": "64 mb", "execution.checkpointing.unaligned.max-subtasks-per-channel-state-file": "1",
	"state.changelog.enabled": "true", "state.changelog.periodic-materialize.interval": "3 min", "state.changelog.max-failures-allowed": "1",
	dstlKeys + "batch.persist-delay": "20 ms", dstlKeys + "batch.persist-size-threshold": "1 mb", dstlKeys + "preemptive-persist-threshold": "2 mb",
	dstlKeys + "upload.max-in-flight":      "50 mb",
	dstlKeys + "upload.next-attempt-delay": "1 s",
	keyBackend:                             "rocksdb", keyIncremental: "true", "execution.checkpointing.snapshot-compression": "true", keyTransfer: "8",
	"state.backend.rocksdb.predefined-options":   "FLASH_SSD_OPTIMIZED",
	"state.backend.forst.cache.size-based-limit": "1 gb", "state.backend.forst.cache.reserve-size": "2 gb",
	"state.backend.forst.cache.lru.access-before-promote": "3", "state.backend.forst.executor.read-io-parallelism": "5",
	"state.backend.forst.executor.write-io-parallelism": "2", "state.backend.forst.executor.inline-write": "false",
	"execution.async-state.total-buffer-size": "100",
	keyMemory + "process.size":                "4 gb", keyMemory + "flink.size": "3 gb", keyMemory + "task.heap.size": "512 mb", keyMemory + "managed.size": "256 mb",
	keyMemory + "managed.fraction": "0.3", keyMemory + "framework.heap.size": "64 mb", keyMemory + "framework.off-heap.size": "64 mb",
	keyMemory + "task.off-heap.size": "32 mb", keyMemory + "jvm-metaspace.size": "128 mb", keyMemory + "jvm-overhead.fraction": "0.2",
	keyMemory + "jvm-overhead.min": "128 mb", keyMemory + "jvm-overhead.max": "512 mb", keyMemory + "network.fraction": "0.2",
	keyMemory + "network.min": "32 mb", keyMemory + "network.max": "128 mb",
	keyClaim: "CLAIM", "execution.state-recovery.ignore-unclaimed-state": "true", keyRetention: "RETAIN_ON_CANCELLATION", keyLocalBackup: "true", keyFromLocal: "true", keyWithoutFlow: "7", keyDownstream: "true", keyDuring: "true", keyPauseSources: "true",
	keyHeartbeat: "5 s", keyHeartbeatTimeout: "20 s", "heartbeat.rpc-failure-threshold": "3", "task.cancellation.timeout": "1 min", "sink.committer.retries": "3", "jobmanager.execution.failover-strategy": "full",
}

func init() {
	for prefix, timers := range map[string]string{"state.backend.rocksdb.": "HEAP", "state.backend.forst.": "HEAP"} {
		for key, value := range map[string]string{
			"memory.managed": "false", "memory.fixed-per-slot": "64 mb", "memory.fixed-per-tm": "128 mb", "memory.write-buffer-ratio": "0.25",
			"memory.high-prio-pool-ratio": "0.2", "memory.partitioned-index-filters": strconv.FormatBool(prefix == "state.backend.rocksdb."),
			"timer-service.factory": timers, "thread.num": "4", "compaction.style": "UNIVERSAL", "compaction.level.max-size-level-base": "1 gb",
			"compaction.level.target-file-size-base": "32 mb", "compaction.level.use-dynamic-size": "true", "writebuffer.size": "32 mb",
			"writebuffer.count": "4", "writebuffer.number-to-merge": "2", "block.blocksize": "16 kb", "block.cache-size": "64 mb",
			"use-bloom-filter": "true", "bloom-filter.bits-per-key": "14",
		} {
			samples[prefix+key] = value
		}
	}
}

const dstlKeys = "state.changelog.dstl.dfs."

// what a sample needs beside it to be accepted and to reach its field
var companions = map[string][]Pair{
	keyFixed + "delay":       {{Key: keyRestart, Value: "fixed-delay"}},
	keyFailureRate + "delay": {{Key: keyRestart, Value: "failure-rate"}},
	keyDuring:                {{Key: keyDownstream, Value: "true"}},
}

// A value set reaches the named field and no other, and Get gives the text back.
func TestEveryModelledOptionSetsItsField(t *testing.T) {
	for _, o := range All() {
		if !o.Modelled {
			continue
		}
		with := companions[o.Key]
		before, _, err := Resolve(o.Until, with)
		if err != nil {
			t.Fatal(err)
		}
		after, notes, err := Resolve(o.Until, append(slices.Clone(with), Pair{Key: o.Key, Value: samples[o.Key]}))
		if err != nil {
			t.Errorf("%s: %v %v", o.Key, notes, err)
			continue
		}
		if got := o.Get(&after); got != samples[o.Key] {
			t.Errorf("%s: Get = %q, want %q", o.Key, got, samples[o.Key])
		}
		if diff := changedFields(before, after); !slices.Contains(diff, o.Field) || len(diff) > 1 && o.Key != keyInterval && o.Key != keySegment && o.Key != keyFromLocal {
			t.Errorf("%s changed %v, want %s", o.Key, diff, o.Field)
		}
	}
}

func changedFields(a, b Config) (names []string) {
	x, y := reflect.ValueOf(a), reflect.ValueOf(b)
	for i := range x.NumField() {
		if x.Field(i).Interface() != y.Field(i).Interface() {
			names = append(names, x.Type().Field(i).Name)
		}
	}
	return names
}

// Every field of Config but the version is some option's.
func TestEveryFieldHasAnOption(t *testing.T) {
	fields := map[string]bool{"Version": true}
	for _, o := range All() {
		fields[o.Field] = true
	}
	c := reflect.TypeFor[Config]()
	for i := range c.NumField() {
		if !fields[c.Field(i).Name] {
			t.Errorf("no option sets %s", c.Field(i).Name)
		}
	}
}

// Reading local copies makes them, too, unless that is said: a fallback in the released jars' tables.
func TestReadingLocalCopiesMakesThem(t *testing.T) {
	for _, key := range []string{keyFromLocal, keyOldLocal} {
		if c, _, err := Resolve("1.20", []Pair{{Key: key, Value: "true"}}); err != nil || !c.LocalBackup || !c.FromLocal {
			t.Errorf("%s alone: made %v, read %v, %v", key, c.LocalBackup, c.FromLocal, err)
		}
		if c, _, err := Resolve("1.20", []Pair{{Key: key, Value: "true"}, {Key: keyLocalBackup, Value: "false"}}); err != nil || c.LocalBackup {
			t.Errorf("%s with %s false: made %v, %v", key, keyLocalBackup, c.LocalBackup, err)
		}
	}
}

// What cannot be kept is 1, and a backend of 1.x starts no job of 2.x: both are said.
func TestWhatFlinkTakesInstead(t *testing.T) {
	for _, p := range []Pair{{Key: keyRetained, Value: "0"}, {Key: keyRetained, Value: "-3"}, {Key: keyBackend, Value: "filesystem"}} {
		c, notes, err := Resolve("2.3", []Pair{{Key: keyInterval, Value: "1 s"}, p})
		if err != nil || c.Retained != 1 || c.Backend != HashMap || !slices.ContainsFunc(notes, func(n Note) bool { return n.Key == p.Key && n.Severity == Warning }) {
			t.Errorf("%v: %d retained, %v %v", p, c.Retained, notes, err)
		}
	}
}

// No version caps the network memory (the released jars' tables of 1.18.1, 1.20.1 and 2.3.0).
func TestNetworkMemoryHasNoCap(t *testing.T) {
	for _, v := range Versions {
		if c := Defaults(v); c.Memory.NetworkMax != math.MaxInt64 {
			t.Errorf("%s: %d", v, c.Memory.NetworkMax)
		}
	}
}

// Every old spelling of a modelled option gives what today's gives.
func TestOldSpellings(t *testing.T) {
	for _, o := range All() {
		for _, old := range o.Old {
			value := samples[o.Key]
			if !o.Modelled {
				value = o.Default
			}
			info, _ := Known(old)
			v := info.Versions[len(info.Versions)-1] // 2.3, unless it has forgotten the spelling
			a, _, err1 := Resolve(v, []Pair{{Key: o.Key, Value: value}})
			b, notes, err2 := Resolve(v, []Pair{{Key: old, Value: value}})
			if a != b || err1 != nil || err2 != nil {
				t.Errorf("%s and %s differ: %v %v", old, o.Key, err1, err2)
			}
			if !slices.ContainsFunc(notes, func(n Note) bool { return strings.Contains(n.Text, "today it is "+o.Key) }) {
				t.Errorf("%s: no word about %s in %v", old, o.Key, notes)
			}
		}
	}
}

// Defaults that differ between versions, as the released jars declare them.
func TestVersions(t *testing.T) {
	cases := []struct {
		key                string
		in118, in120, in23 string
		since, until       string
	}{
		{key: keyExponential + "max-backoff", in118: "5 min", in120: "1 min", in23: "1 min"},
		{key: keyExponential + "backoff-multiplier", in118: "2", in120: "1.5", in23: "1.5"},
		{key: "taskmanager.network.memory.max-overdraft-buffers-per-gate", in118: "5", in120: "5", in23: "20", until: "1.20"},
		{key: keyStartSegment, in118: "32 kb", in120: "32 kb", in23: "1 kb", since: "2.3"},
		{key: keyBacklog, since: "1.20"},
		{key: keyTimeout, in118: "10 min", in120: "10 min", in23: "10 min"},
		{key: "execution.checkpointing.num-retained", in118: "1", in120: "1", in23: "1"}, // 1.18 has it under its old spelling
	}
	for _, c := range cases {
		o, _ := Find(c.key)
		got := [...]string{o.DefaultIn("1.18"), o.DefaultIn("1.20"), o.DefaultIn("2.3"), o.Since, o.Until}
		if want := [...]string{c.in118, c.in120, c.in23, c.since, c.until}; got != want {
			t.Errorf("%s: %v, want %v", c.key, got, want)
		}
	}
}

// Each line of the key table is found by its key, and nothing between two of them.
func TestEveryDeclaredKeyIsFound(t *testing.T) {
	for line := range strings.SplitSeq(keyTable, "\n") {
		if got := declared(keyOf(line)); got != line {
			t.Errorf("%s: found %q", line, got)
		}
		if got := declared(keyOf(line) + "\x00"); got != "" {
			t.Errorf("behind %s: found %q", line, got)
		}
	}
	if got := declared(""); got != "" {
		t.Errorf("nothing: found %q", got)
	}
}
