package finding_test

import (
	"strings"
	"testing"

	"checkpointlab/core"
	"checkpointlab/ops/finding"
	"checkpointlab/scenarios"
)

// found is what a run of a document shows.
func found(t *testing.T, document string) []string {
	t.Helper()
	s, err := scenarios.Parse([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	lab, err := core.New(s.Setup)
	if err != nil {
		t.Fatal(err)
	}
	lab.Advance(s.Setup.Duration, 0)
	var v core.View
	lab.View(&v)
	return finding.Of(lab.Setup(), lab.History(), &v)
}

const head = `job:
  vertices:
    - {name: source, kind: source, parallelism: 2, rate: 1000/s, record: 100 b SOURCE}
    - {name: map, parallelism: 2, cost: 20 us MAP}
    - {name: sink, kind: sink, parallelism: 2, cost: 20 us SINK}
  edges: [{from: source, to: map, partition: HASH}, {from: map, to: sink, partition: HASH}]
run: {duration: 3 min}
control: {firstFails: false}
`

// job fills the blanks of head.
func job(source, mapper, sink, more string) string {
	return strings.NewReplacer(" SOURCE", source, " MAP", mapper, " SINK", sink).Replace(head) + more
}

// Each finding is there when its cause is, and not in a job that is well.
func TestFindings(t *testing.T) {
	const every = "flink: {execution.checkpointing.interval: 10 s}\n"
	for _, c := range []struct{ document, want string }{
		{job("", "", ", cost: 2 ms", every), "bottleneck: sink is busy"},
		{job("", "", "", every+"flinkVersion: 2.3\n") + "", ""},
		{job("", "", ", transactionTimeout: 11 s", every), "transactions: those of sink are open for up to 10 s"},
		{job(", watermark: {}, load: {quiet: 1, from: 10 s, to: 1 h}", "", "", every), "watermark: subtask 1 of source gets no record"},
		{job("", "", "", "flink: {execution.checkpointing.interval: 10 s, taskmanager.network.adaptive-partitioner.enabled: true}\n"), "partitioner: taskmanager.network.adaptive-partitioner.enabled does nothing"},
		{strings.ReplaceAll(job("", "", "", "flink: {execution.checkpointing.interval: 10 s, taskmanager.network.adaptive-partitioner.enabled: true}\n"), "HASH", "REBALANCE"), ""},
		{job(", watermark: {}, partitions: 1", "", "", every), "watermark: source has 2 subtasks for 1 partitions"},
		{job("", "", "", "flink: {execution.checkpointing.interval: 10 s, restart-strategy.type: none}\nscript: [{at: 30 s, do: kill, vertex: map}]\n"), "failed: the job has failed for good after 0 restarts"},
		{job("", "", "", every+"script: [{at: 30 s, do: kill, vertex: map}]\n"), "the cause is external"},
		{job("", "", "", "flink: {execution.checkpointing.interval: 10 s, execution.checkpointing.timeout: 20 s, execution.checkpointing.tolerable-failed-checkpoints: 100}\nscript: [{at: 30 s, do: hang, vertex: map, subtask: 1}]\n"),
			"not acknowledging: subtask 1 of map has not acknowledged any of the last"},
		{job("", ", snapshot: {async: 15 s}", "", "flink: {execution.checkpointing.interval: 10 s, execution.checkpointing.timeout: 8 s, execution.checkpointing.tolerable-failed-checkpoints: 100}\n"), "its asynchronous part did not end"},
		{job("", ", snapshot: {sync: 15 s}", "", "flink: {execution.checkpointing.interval: 10 s, execution.checkpointing.timeout: 8 s, execution.checkpointing.tolerable-failed-checkpoints: 100}\n"), "its synchronous part did not end"},
		{job("", ", snapshot: {async: 15 s}", "", every), "late: the last 10 checkpoints took 15 s"},
		{job("", ", snapshot: {async: 15 s}", "", every), "Most is the asynchronous part: bytes"},
		{job("", ", snapshot: {sync: 4 s}", "", every), "Most is the synchronous part"},
		{job("", "", ", guarantee: EXACTLY_ONCE", ""), "no checkpoints: execution.checkpointing.interval is not set, and sink commits only when"},
		{job("", "", ", guarantee: NONE", ""), "no checkpoints: execution.checkpointing.interval is not set: without a restart strategy"},
		{job("", "", "", every+"script: [{at: 65 s, do: hang, vertex: map, subtask: 1, for: 40 s}]\n"), "the barrier stood before subtask 1 of map for 3"},
		{job("", "", "", every+"script: [{at: 65 s, do: pause, vertex: map, subtask: 1, for: 40 s}]\n"), "heartbeat.timeout (50 s) was not reached, so that no restart came of it"},
		{job("", "", "", every+"script: [{at: 65 s, do: pause, vertex: map, subtask: 1, for: 70 s}]\n"), "After heartbeat.timeout (50 s) the JobManager took it for lost"},
		{job("", "", "", every+"script: [{at: 65 s, do: pause, process: jobmanager, for: 40 s}]\n"), "no checkpoint was triggered, acknowledged or timed out meanwhile"},
		{job("", "", "", every+"script: [{at: 65 s, do: pause, process: jobmanager, for: 55 s}]\n"), "every TaskManager missed its heartbeats and failed its tasks"},
		{job("", ", snapshot: {size: 1 mb}", "", every+"storage: {bandwidth: 1 gb/s}\nscript: [{at: 65 s, do: storage, late: 1, by: 5 s, where: tasks}, {at: 75 s, do: storage, late: 0, by: 1 s}]\n"), "took 5"},
		{job(", watermark: {}", ", window: {size: 1 min, fire: 30 ms}", "", every), "while windows fired: a thread reads no barrier"},
		{job("", ", snapshot: {size: 500 mb}", "", "flink: {execution.checkpointing.interval: 5 s, execution.checkpointing.max-concurrent-checkpoints: 3}\nstorage: {bandwidth: 100 mb/s}\n"), "up to 3 are in progress at once"},
		{job("", "", ", flush: 8 s, guarantee: AT_LEAST_ONCE", every), "the writer of sink waits for 8 s"},
		{strings.Replace(job("", ", cost: 2 ms", "", "flink: {execution.checkpointing.interval: 10 s, execution.checkpointing.unaligned.enabled: true}\n"), "to: map, partition: HASH", "to: map, partition: BROADCAST", 1), "carries no unaligned barriers"},
		{strings.Replace(job("", "", "", every+"script: [{at: 1 s, do: rate, vertex: source, subtask: 0, rate: 30000/s}]\n"), "partition: HASH", "partition: FORWARD", 1), ""},
		{strings.Replace(job("", ", cost: 200 us", "", every+"script: [{at: 1 s, do: rate, vertex: source, subtask: 0, rate: 8000/s}]\n"), "partition: HASH", "partition: FORWARD", 1), "lag: subtask 0 of source → map is busy for 1000 ms a second"},
		{strings.Replace(job("", ", cost: 2 ms", "", every), "partition: HASH", "partition: FORWARD", 1), "it sets the throughput itself"},
		{job("", ", snapshot: {size: 100 mb, files: 400}", "", every+"storage: {requests: 100/s}\n"), "the number of requests at the storage's limit"},
		{job("", ", snapshot: {size: 1 mb, files: 4}", "", every+"storage: {latency: 2 s}\n"), "the storage's latency"},
		{job("", "", ", callback: {time: 15 s}", every), "commit: sink holds its thread for 15 s"},
		{job("", ", snapshot: {size: 12 mb}", "", "flink: {execution.checkpointing.interval: 10 s, execution.checkpointing.storage: jobmanager, execution.checkpointing.tolerable-failed-checkpoints: 100}\n"), "above 5 mb"},
		{job("", ", snapshot: {sync: 30 ms}", "", "flink: {execution.checkpointing.interval: 50 ms}\n"), "synchronous parts: those of subtask 0 of map take 60 %"},
		{job("", ", snapshot: {size: 1 mb}", "", every+"script: [{at: 60 s, do: restore, uid: map}]\n"), "refused: the job could not start from checkpoint"},
		{job("", ", snapshot: {size: 10 mb}", "", every+"storage: {bandwidth: 100 mb/s}\nscript: [{at: 60 s, do: storage, fail: 1}]\n"), "come from restores"}, // attempts that fail at once
		{job("", "", ", transactionTimeout: 8 s", every), "of 9 come from the sink"},
		{job("", "", "", "flink: {execution.checkpointing.interval: 10 s, execution.checkpointing.tolerable-failed-checkpoints: 100}\nstorage: {bandwidth: 100 mb/s}\nscript: [{at: 60 s, do: storage, fail: 1}]\n"),
			"metadata could not be written"},
		{job("", ", snapshot: {size: 10 mb}", "", "flink: {execution.checkpointing.interval: 10 s, execution.checkpointing.tolerable-failed-checkpoints: 100}\nstorage: {bandwidth: 100 mb/s}\nscript: [{at: 60 s, do: storage, fail: 1}]\n"),
			"subtask 0 of map could not write its part"},
		{job(", ends: 60 s", "", "", "flink: {execution.checkpointing.interval: 10 s, execution.checkpointing.checkpoints-after-tasks-finish: false}\n"), ""},
		{job("", ", state: {value: 1 kb, new: 0.9}", "", "flink: {execution.checkpointing.interval: 10 s, state.backend.type: hashmap}\n"), "growing: the state grew in each"},
		{job("", ", async: {capacity: 10, latency: 100 ms}", "", every), "asynchronous I/O: map has all of its 10 requests under way"},
		{job("", ", snapshot: {size: 500 mb}", "", every+"storage: {bandwidth: 500 mb/s}\nscript: [{at: 60 s, do: savepoint}, {at: 61 s, do: storage, slow: 20}]\n"), "no periodic checkpoint starts beside it"},
		{job("", "", "", "script: [{at: 30 s, do: kill, vertex: map}]\n"), "failed: the job has failed for good: without"},
		{job("", "", "", every+"script: [{at: 5 s, do: kill, vertex: map}]\n"), "restore: from completed checkpoint 1"},
		{job("", ", snapshot: {async: 15 s}", "", every+"script: [{at: 5 s, do: kill, vertex: map}]\n"), "restore: from the start"},
		{job("", ", cost: 5 ms", "", "flink: {execution.checkpointing.interval: 10 s, execution.checkpointing.unaligned.enabled: true}\nscript: [{at: 60 s, do: savepoint}]\n"), "savepoints are always aligned"},
		{job("", ", cost: 5 ms", "", "flink: {execution.checkpointing.interval: 10 s, execution.checkpointing.unaligned.enabled: true, execution.checkpointing.aligned-checkpoint-timeout: 2 s}\n"), "Most is the wait until execution.checkpointing.aligned-checkpoint-timeout (2 s) is over"},
		{job("", ", snapshot: {size: 3 gb}", "", every+"storage: {bandwidth: 100 mb/s}\nscript: [{at: 100 s, do: kill, vertex: map}]\n"), "downtime: the last restart took"},
		{job("", "", "", every+"script: [{at: 65 s, do: lose, vertex: map, silent: true}]\n"), "unnoticed: a TaskManager fell silent at 65 s"},
		{job("", ", state: {kind: broadcast, keys: 1000000, value: 100 b, filled: true}", "", every+"storage: {bandwidth: 100 mb/s}\n"), "each of the 2 subtasks of map stores a copy of the broadcast state"},
		{job("", ", state: {kind: timers, keys: 100000, retention: 1 h, filled: true}", "", "flink: {execution.checkpointing.interval: 10 s, state.backend.type: rocksdb, execution.checkpointing.incremental: true, state.backend.rocksdb.timer-service.factory: HEAP}\nstorage: {bandwidth: 100 mb/s}\n"), "timers on the heap"},
		{strings.Replace(job("", "", "", every), "control: {firstFails: false}", "", 1), "which is no fault"},
		{job("", "", "", every+"script: [{at: 45 s, do: refuse, vertex: sink, for: 60 s, takes: 1 s}]\n"), "the outside system refused its commits"},
		{job("", "", "", "flink: {execution.checkpointing.interval: 10 s, restart-strategy.type: none}\nscript: [{at: 35 s, do: kill, vertex: map}]\n"), "lingering: the transactions that sink had open"},
		{strings.Replace(job("", "", "", "flink: {execution.checkpointing.interval: 5 min}\nscript: [{at: 30 s, do: kill, vertex: map}, {at: 60 s, do: kill, vertex: map}, {at: 90 s, do: kill, vertex: map}]\n"), "control: {firstFails: false}", "", 1), "restarts went back to checkpoint 1, and each read all since then again"},
		{strings.Replace(job(", history: 100000", ", cost: 500 us", "", "flink: {execution.checkpointing.interval: 10 s, execution.checkpointing.interval-during-backlog: 0}\nscript: [{at: 30 s, do: kill, vertex: map}]\n"), "control: {firstFails: false}", "", 1), "backlog: behind its first trigger no checkpoint starts"},
		{job("", ", state: {keys: 100000, value: 10 kb, reads: 1}", "", "flink: {execution.checkpointing.interval: 10 s, state.backend.type: rocksdb, execution.checkpointing.incremental: true, state.changelog.enabled: true}\nstorage: {bandwidth: 2 mb/s}\n"), "changelog: subtask"},
	} {
		document := strings.Replace(c.document, "cost: 20 us, cost: ", "cost: ", 1)
		all := found(t, document)
		switch {
		case c.want == "" && len(all) > 0:
			t.Errorf("a job that is well shows %q", all)
		case c.want != "" && !strings.Contains(strings.Join(all, "\n"), c.want):
			t.Errorf("%q is not among %q", c.want, all)
		}
	}
}

// One subtask that takes longer for each record is no hot key, though it is as busy and holds the rest up as much.
func TestSlowSubtask(t *testing.T) {
	all := strings.Join(found(t, job("", "", "", "flink: {execution.checkpointing.interval: 10 s}\nscript: [{at: 10 s, do: slow, vertex: map, subtask: 1, cost: 2 ms}]\n")), "\n")
	if !strings.Contains(all, "slow subtask: subtask 1 of map") || strings.Contains(all, "hot subtask") {
		t.Errorf("a slow machine shows %q", all)
	}
}

// A source that emits under its lock begins its checkpoints late under back pressure; what waits behind it is not to blame.
func TestLateSource(t *testing.T) {
	document := strings.Replace(job(", lock: emit", "", "", "flink: {execution.checkpointing.interval: 10 s, execution.checkpointing.unaligned.enabled: true}\n"), "kind: sink, parallelism: 2, cost: 20 us", "kind: sink, parallelism: 2, cost: 5 ms", 1)
	if all := strings.Join(found(t, document), "\n"); !strings.Contains(all, "It begins late at the source") {
		t.Errorf("a source that waits under its lock shows %q", all)
	}
}

// More key groups make a subtask as busy as a hot key does, and another remedy helps; a hot key stays one where the groups are uneven, too.
func TestUnevenKeyGroups(t *testing.T) {
	few := strings.NewReplacer(" SOURCE", "", "parallelism: 2, cost: 20 us MAP", "parallelism: 7, cost: 2300 us", " SINK", "").Replace(head)
	for document, want := range map[string]string{
		few + "flink: {execution.checkpointing.interval: 10 s, pipeline.max-parallelism: 8}\n":                                                          "key groups: subtask",
		strings.Replace(few, "job:\n", "job:\n  hotShare: 0.6\n", 1) + "flink: {execution.checkpointing.interval: 10 s, pipeline.max-parallelism: 8}\n": "hot subtask: subtask",
	} {
		all := strings.Join(found(t, document), "\n")
		if !strings.Contains(all, want) || want == "hot subtask: subtask" && strings.Contains(all, "key groups:") {
			t.Errorf("%q is not among %q", want, all)
		}
	}
}

// A hot key makes one subtask the bottleneck, and that is told apart from a vertex that is too slow.
func TestHotSubtask(t *testing.T) {
	all := found(t, strings.NewReplacer(" SOURCE", "", "parallelism: 2, cost: 20 us MAP", "parallelism: 8, cost: 900 us", " SINK", "", "edges:", "edges:").Replace(head)+
		"flink: {execution.checkpointing.interval: 10 s}\n")
	if len(all) != 0 {
		t.Errorf("even keys show %q", all)
	}
	hot := strings.Replace(strings.NewReplacer(" SOURCE", "", "parallelism: 2, cost: 20 us MAP", "parallelism: 8, cost: 900 us", " SINK", "").Replace(head), "job:\n", "job:\n  hotShare: 0.6\n", 1)
	all = found(t, hot+"flink: {execution.checkpointing.interval: 10 s}\n")
	if !strings.Contains(strings.Join(all, "\n"), "hot subtask: subtask") {
		t.Errorf("a hot key shows %q", all)
	}
}
