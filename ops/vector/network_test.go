package vector

import (
	"strings"
	"testing"
)

// networkCases are further facts of Flink's tests and forms that must not pass, one line each: case without braces, status.
var networkCases = []struct {
	why, body string
	want      Status
}{
	{"RemoteInputChannelTest#testAvailableBuffersMoreThanRequiredBuffers", `
		"given": {"unit": "RemoteInputChannel", "exclusivePerChannel": 2, "gatePool": 14, "globalPool": 16},
		"events": [["takeFromChannel", "x"], ["takeFromPool", "f"], ["backlog", 12],
			["check", {"available": 14, "required": 14, "poolFree": 0, "waiting": false}], ["backlog", 10],
			["check", {"available": 14, "required": 12, "poolFree": 0}], ["recycle", "x"],
			["check", {"available": 14, "required": 12, "poolFree": 1}], ["recycle", "f"],
			["check", {"available": 14, "required": 12, "poolFree": 2, "waiting": false}]]`, Pass},
	{"LocalBufferPoolTest#testMaxBuffersPerChannelAndAvailability", `
		"given": {"unit": "LocalBufferPool", "poolSize": 10, "channels": 3, "maxBuffersPerChannel": 2},
		"events": [["take", 0, "a"], ["take", 1, "b"], ["check", {"isAvailable": true}], ["take", 0, "c"],
			["check", {"isAvailable": false}], ["take", 0, "d"], ["take", 2, "e"], ["take", 2, "f"],
			["recycle", "a"], ["recycle", "c"], ["check", {"isAvailable": false, "used": 4}],
			["recycle", "e"], ["check", {"isAvailable": true, "used": 3}]]`, Pass},
	{"RemoteInputChannelTest#testPrioritySequenceNumbers", `
		"given": {"unit": "RemoteInputChannelQueue", "channels": 1},
		"events": ["buf1", "buf2", "unalignedBarrier", "buf3", "buf4",
			"poll->seq2", "poll->seq0", "poll->seq1", "poll->seq3", "poll->seq4"], "expect": {}`, Pass},
	{"RemoteInputChannelTest#testRequiresAnnouncement", `
		"given": {"unit": "RemoteInputChannelQueue", "channels": 1},
		"events": ["buf1", "buf2", "timeoutBarrier", "buf3", "buf4",
			"poll->seq2", "poll->seq0", "poll->seq1", "poll->seq2", "poll->seq3"], "expect": {}`, Pass},
	{"RemoteInputChannelTest#testGetInflightBuffersOverflow", `
		"given": {"unit": "RemoteInputChannelQueue", "channels": 1, "firstSequence": 2147483646},
		"events": ["buf1", "buf2", "unalignedBarrier", "buf3", "buf4", "poll->seq-2147483648"],
		"expect": {"inflightSizes": [1, 2]}`, Pass},
	{"the tail of the queue is not next", `"given": {"unit": "RemoteInputChannelQueue"}, "events": ["buf1", "poll->seq1"]`, Fail},
	{"nothing to poll", `"given": {"unit": "RemoteInputChannelQueue"}, "events": ["poll->seq0"]`, Fail},
	{"BufferDebloaterTest: a negative throughput is refused", `
		"given": {"unit": "BufferDebloater", "targetMs": 1200, "min": 50, "max": 1100, "thresholdPercent": 25, "samples": 1},
		"events": [["recalc", -1, 16]], "expect": {"error": true}`, Pass},
	{"an unexpected error", `
		"given": {"unit": "BufferSizeEMA", "start": 100, "max": 200, "min": 10, "samples": 2},
		"events": [["calc", 1, 0]], "expect": {"sizes": []}`, Fail},
	{"no segment where one is expected", `
		"given": {"unit": "LocalBufferPool", "poolSize": 1}, "events": [["take", null, "a"], ["take", null, "b"]]`, Fail},
	{"a segment where none is expected", `
		"given": {"unit": "LocalBufferPool", "poolSize": 1}, "events": [["tryTake", null, null]]`, Fail},

	{"unknown verb", `"given": {"unit": "LocalBufferPool", "poolSize": 1}, "events": [["destroy"]]`, NotModelled},
	{"unknown bare verb", `"given": {"unit": "RemoteInputChannelQueue"}, "events": ["buffer"]`, NotModelled},
	{"unknown check", `"given": {"unit": "LocalBufferPool", "poolSize": 1}, "events": [["check", {"isDestroyed": false}]]`, NotModelled},
	{"unknown check beside a wrong one", `
		"given": {"unit": "LocalBufferPool", "poolSize": 1}, "events": [["check", {"used": 7, "what": 1}]]`, NotModelled},
	{"unknown expectation", `"given": {"unit": "ThroughputCalculator"}, "events": [["in", 1]], "expect": {"mean": 1}`, NotModelled},
	{"unknown given", `"given": {"unit": "LocalBufferPool", "poolSize": 1, "flavour": 2}, "events": []`, NotModelled},
	{"a global pool that can run out", `"given": {"unit": "LocalBufferPool", "poolSize": 4, "globalPool": 3}, "events": []`, NotModelled},
	{"arguments of another form", `"given": {"unit": "ThroughputCalculator"}, "events": [["calc", 10, 20]]`, NotModelled},
	{"one value of a gate with two channels", `
		"given": {"unit": "RemoteInputChannel", "exclusiveEach": [2, 2], "gatePool": 8},
		"events": [["check", {"available": 2}]]`, NotModelled},
	{"a channel that the gate has not", `
		"given": {"unit": "RemoteInputChannel", "exclusiveEach": [2, 2], "gatePool": 8}, "events": [["backlogOn", 2, 1]]`, NotModelled},
}

func TestNetworkRunners(t *testing.T) {
	for _, c := range networkCases {
		results, err := Run("test", []byte(`{"cases": [{"name": "x", `+c.body+`}]}`))
		if err != nil {
			t.Errorf("%s: %v", c.why, err)
			continue
		}
		if r := results[0]; r.Status != c.want || (c.want != Pass) != (strings.TrimSpace(r.Diff) != "") {
			t.Errorf("%s: %v %q, expected %v", c.why, r.Status, r.Diff, c.want)
		}
	}
}
