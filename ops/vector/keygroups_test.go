package vector

import (
	"encoding/json"
	"testing"
)

// jobFiles are the files of keys, exchanges, regions, restarts and time metrics, with the number of their cases.
var jobFiles = map[string]int{
	"keygroups-rescale.json": 35, "exchange-chaining.json": 26, "failover-regions.json": 23, "restart-and-metrics.json": 19,
}

func TestJobVectors(t *testing.T) {
	for name, cases := range jobFiles {
		results, err := Run(name, recorded(t, name))
		if err != nil || len(results) != cases {
			t.Errorf("%s: %d results, %v", name, len(results), err)
		}
		for _, r := range results {
			if r.Status != Pass {
				t.Errorf("%s %s: %v: %s", name, r.Case, r.Status, r.Diff)
			}
		}
	}
}

// Every expected value matters: with another one in its place no case passes.
func TestJobVectorsAssertEveryValue(t *testing.T) {
	for name := range jobFiles {
		everyValueMatters(t, name, func(c Case, changed int) {
			if changed == 0 && c.Name != "region.created.1-fail-v2" { // the one that expects an empty list
				t.Errorf("%s asserts nothing", c.Name)
			}
		})
	}
}

func TestWordsAssertEveryValue(t *testing.T) {
	for _, name := range []string{"reworded-job-more.json", "reworded-network-more.json", "reworded-rest-more.json", "reworded-forms-more.json", "combined-more.json"} {
		everyValueMatters(t, name, func(Case, int) {})
	}
}

// everyValueMatters changes the values that the cases of a file expect, one at a time. No case may pass then. told hears how many were
// changed of each.
func everyValueMatters(t *testing.T, name string, told func(c Case, changed int)) {
	t.Helper()
	var f File
	if err := json.Unmarshal(recorded(t, name), &f); err != nil {
		t.Fatal(err)
	}
	for _, c := range f.Cases {
		changed := 0
		for _, expect := range changedLeaves(t, c.Expect) {
			d := c
			d.Expect = json.RawMessage(expect)
			refuse(t, d, expect)
			changed++
		}
		for i, raw := range c.Events {
			if verb, args, _ := Event(raw); verb == "check" {
				for _, check := range changedLeaves(t, args[0]) {
					d := c
					d.Events = append([]json.RawMessage{}, c.Events...)
					d.Events[i] = json.RawMessage(`["check", ` + check + `]`)
					refuse(t, d, check)
					changed++
				}
			}
		}
		told(c, changed)
	}
}

// jobCases are further facts of Flink's tests, and forms that must not pass.
var jobCases = []struct {
	why, body string
	want      Status
}{
	{"SchedulerBaseComputeVertexParallelismTest: round up to 512", `
		"given": {"unit": "defaultMaxParallelism", "parallelism": 172, "configured": null}, "expect": {"maxParallelism": 512}`, Pass},
	{"SchedulerBaseComputeVertexParallelismTest: a configured one stays", `
		"given": {"unit": "canRescaleMaxParallelism", "parallelism": 4, "configured": 32768, "to": 3}, "expect": {"allowed": false}`, Pass},
	{"SubtaskStateMapperTest: old subtasks of each new one, the middle left out", `
		"given": {"unit": "SubtaskStateMapper", "mapper": "ROUND_ROBIN", "oldParallelism": 40, "newParallelism": 2},
		"expect": {"oldSubtasksPerNew": [[0, 2, "...", 38], [1, "...", 37, 39]]}`, Pass},
	{"the middle left out, but another end", `
		"given": {"unit": "SubtaskStateMapper", "mapper": "ROUND_ROBIN", "oldParallelism": 40, "newParallelism": 2},
		"expect": {"oldSubtasksPerNew": [[0, 2, "...", 38], [1, "...", 36, 39]]}`, Fail},
	{"more elements than there are", `
		"given": {"unit": "keyGroupRanges", "maxParallelism": 2, "parallelism": 2},
		"expect": {"inclusiveRanges": [[0, 0], [1, 1], "...", [1, 1]]}`, Fail},
	{"a long key hashes both words", `
		"given": {"unit": "keyGroup", "key": 4294967297, "maxParallelism": 128}, "expect": {"keyHashCode": 0}`, Pass},
	{"PipelinedRegionComputeUtilTest: an all-forward job", `
		"name": "region.x", "given": {"vertices": ["a1", "a2", "b1", "b2"], "edges": [["a1", "b1", "PIPELINED_BOUNDED"], ["a2", "b2", "PIPELINED_BOUNDED"]]},
		"expect": {"regions": [["b2", "a2"], ["a1", "b1"]]}`, Pass},
	{"RestartPipelinedRegionFailoverStrategyTest#testRegionFailoverForVariousResultPartitionAvailabilityCombinations", `
		"name": "region.x", "given": {"vertices": {"v1": "FINISHED", "v2": "FINISHED", "v3": "RUNNING"},
			"edges": [["v1", "v3", "BLOCKING"], ["v2", "v3", "BLOCKING"]], "unavailableResultsOf": ["v1"]},
		"events": [["fail", "v1"], ["fail", "v2"], ["fail", "v3"]],
		"expect": {"restartsEach": [["v1", "v3"], ["v1", "v2", "v3"], ["v3", "v1"]]}`, Pass},
	{"StreamingJobGraphGeneratorTest#testShuffleModeBatch", `
		"given": {"unit": "chaining", "exchangeMode": "BATCH", "operators": [{"name": "source", "parallelism": 1}, {"name": "map", "parallelism": 1},
			{"name": "print", "parallelism": 2}], "edges": ["forward", "rescale"]},
		"expect": {"vertices": [["source"], ["map"], ["print"]], "resultPartitionType": "BLOCKING"}`, Pass},
	{"chaining by named edges", `
		"given": {"unit": "chaining", "operators": [{"name": "s1", "parallelism": 1}, {"name": "s2", "parallelism": 1},
			{"name": "join", "parallelism": 1, "chainingStrategy": "HEAD_WITH_SOURCES"}],
			"edges": [["s1", "join", "forward"], ["s2", "join", "forward"]]},
		"expect": {"vertices": [["s1", "s2", "join"]]}`, Pass},
	{"ExponentialDelayRestartBackoffTimeStrategyTest#testJitter", `
		"given": {"strategy": "exponential-delay", "initialMs": 2, "maxMs": 7, "multiplier": 2.0, "resetThresholdMs": 2147483647, "jitter": 0.25, "attempts": 2147483647},
		"events": [["failTimes", 4, 8]],
		"expect": {"possibleBackoffMsAfterFailures": {"2": [3, 4, 5], "3": [6, 7], "4": [7]}}`, Pass},
	{"FailureRateRestartBackoffTimeStrategyTest#testFailuresNotExceedingRate", `
		"given": {"strategy": "failure-rate", "maxFailuresPerInterval": 3, "intervalMs": 1, "delayMs": 0},
		"events": ["fail", ["advance", 1], "fail", ["advance", 1], "fail", ["advance", 1], "fail"],
		"expect": {"canRestart": [true, true, true, true]}`, Pass},
	{"no restart", `"given": {"strategy": "none"}, "events": ["fail"], "expect": {"canRestart": [false]}`, Pass},
	{"JobVertexBackPressureHandlerTest: low", `
		"name": "backpressure.x", "given": {"backPressuredTimeMsPerSecond": 500, "idleTimeMsPerSecond": 100, "busyTimeMsPerSecond": 900},
		"expect": {"ratio": 0.5, "idleRatio": 0.1, "busyRatio": 0.9, "backpressureLevel": "low"}`, Pass},

	{"a wrong rule", `
		"given": {"unit": "pointwiseConnections", "sourceParallelism": 4, "targetParallelism": 2}, "expect": {"rule": "consumer i reads producers 2i..2i+2"}`, Fail},
	{"a rule in other words", `
		"given": {"unit": "pointwiseConnections", "sourceParallelism": 4, "targetParallelism": 2}, "expect": {"rule": "each consumer reads two"}`, NotModelled},
	{"a partitioner that is wired otherwise", `
		"given": {"unit": "pointwiseConnections", "partitioner": "hash", "sourceParallelism": 1, "targetParallelism": 1}, "expect": {"producersPerConsumer": [[0]]}`, NotModelled},
	{"a partitioner that needs keys", `
		"given": {"unit": "channelSelection", "partitioner": "hash", "channels": 3}, "events": ["record"], "expect": {"channels": [0]}`, NotModelled},
	{"records whose keys do not matter", `
		"given": {"unit": "channelSelection", "partitioner": "rescale", "channels": 3}, "events": [["record", 7]], "expect": {"channels": [0]}`, Pass},
	{"records by key", `
		"given": {"unit": "channelSelection", "partitioner": "hash", "channels": 3, "maxParallelism": 128}, "events": [["record", "hello"], ["record", "flink"]], "expect": {"channels": [0, 2]}`, Pass},
	{"a record without a key", `
		"given": {"unit": "channelSelection", "partitioner": "hash", "channels": 3}, "events": ["record"], "expect": {"channels": [0]}`, NotModelled},
	{"a start in a wrong range", `
		"given": {"unit": "channelSelection", "partitioner": "rebalance", "channels": 3}, "events": ["record", "record"], "expect": {"first": "any channel in 0..20"}`, Fail},
	{"a key of another kind", `"given": {"unit": "keyGroup", "key": "7", "keyHashCode": 7, "maxParallelism": 128}, "expect": {"keyGroup": 113}`, NotModelled},
	{"unknown mapper", `"given": {"unit": "SubtaskStateMapper", "mapper": "MIRRORED", "oldParallelism": 1, "newParallelism": 1}, "expect": {"oldSubtasksPerNew": [[0]]}`, NotModelled},
	{"unknown given", `"given": {"unit": "keyGroupRanges", "maxParallelism": 1, "parallelism": 1, "offset": 0}, "expect": {"inclusiveRanges": [[0, 0]]}`, NotModelled},
	{"unknown expectation", `"given": {"unit": "keyGroupRanges", "maxParallelism": 1, "parallelism": 1}, "expect": {"widths": [1]}`, NotModelled},
	{"nothing expected", `"given": {"unit": "keyGroupRanges", "maxParallelism": 1, "parallelism": 1}, "expect": {}`, NotModelled},
	{"events where none are known", `"given": {"unit": "keyGroupRanges", "maxParallelism": 1, "parallelism": 1}, "events": ["go"], "expect": {"inclusiveRanges": [[0, 0]]}`, NotModelled},
	{"unknown operator key", `
		"given": {"unit": "chaining", "operators": [{"name": "a", "parallelism": 1, "resources": 2}], "edges": []}, "expect": {"vertices": [["a"]]}`, NotModelled},
	{"unknown exchange mode", `
		"given": {"unit": "chaining", "exchangeMode": "HYBRID", "operators": [{"name": "a", "parallelism": 1}], "edges": []}, "expect": {"vertices": [["a"]]}`, NotModelled},
	{"unknown result type", `
		"name": "region.x", "given": {"vertices": {"a": "RUNNING", "b": "RUNNING"}, "edges": [["a", "b", "CARRIER_PIGEON"]]},
		"events": [["fail", "a"]], "expect": {"restarts": ["a"]}`, NotModelled},
	{"unknown state", `"name": "region.x", "given": {"vertices": {"a": "ASLEEP"}, "edges": []}, "events": [["fail", "a"]], "expect": {"restarts": ["a"]}`, NotModelled},
	{"unknown cause", `
		"name": "region.x", "given": {"vertices": {"a": "RUNNING"}, "edges": []}, "events": [["fail", "a", {"taskManager": 1}]], "expect": {"restarts": ["a"]}`, NotModelled},
	{"one set for two failures", `
		"name": "region.x", "given": {"vertices": {"a": "RUNNING"}, "edges": []}, "events": [["fail", "a"], ["fail", "a"]], "expect": {"restarts": ["a"]}`, NotModelled},
	{"unknown strategy", `"given": {"strategy": "linear"}, "expect": {"canRestartAtEnd": true}`, NotModelled},
	{"unknown verb of a strategy", `"given": {"strategy": "fixed-delay", "attempts": 1}, "events": ["succeed"], "expect": {"canRestartAtEnd": true}`, NotModelled},
	{"arguments of another form", `"given": {"strategy": "fixed-delay", "attempts": 1}, "events": [["fail", "v1"]], "expect": {"canRestartAtEnd": true}`, NotModelled},
	{"a strategy of which nothing is expected", `"given": {"strategy": "fixed-delay", "attempts": 1}, "events": ["fail"], "expect": {}`, NotModelled},
	{"a gauge of which nothing is expected", `"given": {"unit": "TimerGauge", "timeSpanSeconds": 5, "updateIntervalSeconds": 5}, "events": ["start"], "expect": {}`, NotModelled},
	{"a gauge of more steps than any", `"given": {"unit": "TimerGauge", "timeSpanSeconds": 65, "updateIntervalSeconds": 5}, "events": [["check", {"value": 0}]]`, NotModelled},
	{"unknown verb of a gauge", `"given": {"unit": "TimerGauge", "timeSpanSeconds": 5, "updateIntervalSeconds": 5}, "events": ["pause"]`, NotModelled},
	{"unknown check of a gauge", `"given": {"unit": "TimerGauge", "timeSpanSeconds": 5, "updateIntervalSeconds": 5}, "events": [["check", {"mean": 0}]]`, NotModelled},
	{"other metrics", `"name": "backpressure.x", "given": {"metrics": "stale"}, "expect": {"status": "deprecated"}`, NotModelled},
	{"a formula of something else", `"name": "taskio.x", "given": {"hardMs": 4}, "expect": {"accumulatedBusyEquals": "now - mailbox"}`, NotModelled},
	{"a wrong formula", `"name": "taskio.x", "given": {"hardMs": 4, "runningBeforeMs": 9}, "expect": {"accumulatedBusyEquals": "now - start"}`, Fail},
}

func TestJobRunners(t *testing.T) {
	for _, c := range jobCases {
		results, err := Run("test", []byte(`{"cases": [{`+c.body+`}]}`))
		if err != nil {
			t.Errorf("%s: %v", c.why, err)
			continue
		}
		if r := results[0]; r.Status != c.want || (c.want != Pass) != (r.Diff != "") {
			t.Errorf("%s: %v %q, expected %v", c.why, r.Status, r.Diff, c.want)
		}
	}
}
