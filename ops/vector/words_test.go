package vector

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// sameInOtherWords are cases in words that the runners do not have, which can mean one thing only, and some that cannot.
var sameInOtherWords = []struct {
	why, body string
	want      Status
}{
	{"names of Flink's classes", `"given": {"unit": "LocalBufferPool", "numBuffers": 1}, "events": [["request", "a"], ["check", {"available": false}], ["return", "a"]], "expect": {"used": 0}`, Pass},
	{"numbers for names", `"given": {"unit": "LocalBufferPool", "poolSize": 1}, "events": [["take", null, 1], ["recycle", 1]], "expect": {"used": 0}`, Pass},
	{"the same, wrong", `"given": {"unit": "LocalBufferPool", "numBuffers": 1}, "events": [["request", "a"]], "expect": {"available": true}`, Fail},
	{"another spelling", `"given": {"unit": "check-point_request decider", "max_pending": 1}, "events": [["CHOOSE", "regularCheckpoint"]], "expect": {"chosen": ["regularCheckpoint"]}`, Pass},
	{"another spelling of keys", `"given": {"unit": "CheckpointRequestDecider", "max_pending": 1}, "events": [["CHOOSE", "regularCheckpoint"]], "expect": {"executed": ["regularCheckpoint"]}`, Pass},
	{"a request by what it is", `"given": {"unit": "decider", "maxPending": 1}, "events": [["choose", {"savepoint": true, "force": true}]], "expect": {"chosen": ["regularSavepoint"]}`, Pass},
	{"another unit of time", `"given": {"unit": "lifecycle", "intervalSeconds": 2}, "events": [["advance", 4000]], "expect": {"triggeredAtMs": [0, 2000, 4000]}`, Pass},
	{"a time in words", `"given": {"unit": "lifecycle", "interval": "2 s"}, "events": [["advance", 4000]], "expect": {"triggeredAtMs": [0, 2000, 4000]}`, Pass},
	{"whole numbers with a fraction", `"given": {"handler": "tracker", "channels": 1.0}, "events": [["barrier", 1.0, 0]], "expect": {"triggered": [1]}`, Pass},
	{"another unit in expect", `"given": {"handler": "aligned", "channels": 2}, "events": [["barrier", 1, 0], ["advance", 5], ["barrier", 1, 1]], "expect": {"alignmentMs": 7, "alignmentMicros": 7000}`, Pass},
	{"bounds", `"given": {"handler": "aligned", "channels": 2}, "events": [["barrier", 1, 0], ["buf", 1], ["barrier", 1, 1]], "expect": {"alignmentMsMin": 2, "alignmentNanosMax": 2000000, "alignmentMsGreaterThan": 1}`, Pass},
	{"a bound that does not hold", `"given": {"handler": "aligned", "channels": 2}, "events": [["barrier", 1, 0], ["barrier", 1, 1]], "expect": {"alignmentMsMin": 2}`, Fail},
	{"how many", `"given": {"handler": "aligned", "channels": 2}, "events": [["barrier", 1, 0]], "expect": {"blockedCount": 1, "triggeredCount": 0, "lastTriggered": -1, "blockedNot": [1]}`, Pass},
	{"what is not in a list", `"given": {"handler": "aligned", "channels": 2}, "events": [["barrier", 1, 0]], "expect": {"blockedNot": [0]}`, Fail},
	{"values behind each event", `"given": {"unit": "CheckpointFailureManager", "tolerable": 0}, "events": [["fail", 1, "IO_EXCEPTION"], ["success", 2], ["fail", 3, "IO_EXCEPTION"]],
		"expect": {"jobFailuresEach": [1, 1, 2], "continuousFailuresEach": [0, 0, 0]}`, Pass},
	{"values behind each event of one verb", `"given": {"unit": "CheckpointFailureManager", "tolerable": 3}, "events": [["fail", 1, "IO_EXCEPTION"], ["success", 2], ["fail", 3, "IO_EXCEPTION"]],
		"expect": {"continuousFailuresEach": [1, 1]}`, Pass},
	{"a wrong one of them", `"given": {"unit": "CheckpointFailureManager", "tolerable": 3}, "events": [["fail", 1, "IO_EXCEPTION"], ["fail", 3, "IO_EXCEPTION"]], "expect": {"continuousFailuresEach": [1, 1]}`, Fail},
	{"too few of them", `"given": {"unit": "CheckpointFailureManager", "tolerable": 3}, "events": [["fail", 1, "IO_EXCEPTION"], ["fail", 3, "IO_EXCEPTION"]], "expect": {"continuousFailuresEach": [1]}`, NotModelled},
	{"none of them asserted", `"given": {"unit": "CheckpointFailureManager", "tolerable": 3}, "events": [["fail", 1, "IO_EXCEPTION"]], "expect": {"continuousFailuresEach": [null]}`, NotModelled},
	{"checks along the events", `"given": {"unit": "LocalBufferPool", "poolSize": 2}, "events": [["take", null, "a"], ["take", null, "b"]],
		"expect": {"checks": [{"after": -1, "used": 0}, {"after": 0, "isAvailable": true, "note": "one is left"}, {"after": 1, "isAvailable": false}]}`, Pass},
	{"one of them wrong", `"given": {"unit": "LocalBufferPool", "poolSize": 2}, "events": [["take", null, "a"], ["take", null, "b"]], "expect": {"checks": [{"after": 0, "isAvailable": false}]}`, Fail},
	{"a check behind the end", `"given": {"unit": "LocalBufferPool", "poolSize": 2}, "events": [["take", null, "a"]], "expect": {"checks": [{"after": 1, "used": 1}]}`, NotModelled},
	{"two words for one thing", `"given": {"unit": "LocalBufferPool", "poolSize": 1, "numBuffers": 2}, "events": [["take", null, "a"]], "expect": {"used": 1}`, NotModelled},
	{"a word that means nothing here", `"given": {"unit": "LocalBufferPool", "poolSize": 1}, "events": [["borrow", null, "a"]], "expect": {"used": 1}`, NotModelled},
	{"arguments by their names", `"given": {"unit": "LocalBufferPool", "poolSize": 2}, "events": [["take", {"name": "a", "channel": 0}], ["take", {"name": "b"}], ["recycle", {"name": "b"}]], "expect": {"used": 1}`, Pass},
	{"some of them by their names", `"given": {"unit": "committer"}, "events": [["summary", {"cp": 1, "count": 1}], ["committable", "x", {"checkpointId": 1, "subtaskId": 0}], ["notifyComplete", {"checkpointId": 1}]], "expect": {"commits": ["x"]}`, Pass},
	{"a name of no argument", `"given": {"unit": "LocalBufferPool", "poolSize": 2}, "events": [["take", {"name": "a", "colour": 0}]], "expect": {"used": 1}`, NotModelled},
	{"an argument twice", `"given": {"unit": "LocalBufferPool", "poolSize": 2}, "events": [["take", {"name": "a", "as": "b"}]], "expect": {"used": 1}`, NotModelled},
	{"a list by its places", `"given": {"unit": "pointwiseConnections", "sourceParallelism": 2, "targetParallelism": 1}, "expect": {"producersPerConsumer": {"0": [0, 1]}}`, Pass},
	{"a list by other places", `"given": {"unit": "pointwiseConnections", "sourceParallelism": 2, "targetParallelism": 1}, "expect": {"producersPerConsumer": {"1": [0, 1]}}`, Fail},
	{"how many names", `"given": {"unit": "sharedStateRegistry"}, "events": [["register", ["a", "b"], 1], ["unregisterUnusedBelow", 2]], "expect": {"discarded": 2}`, Pass},
	{"too many names", `"given": {"unit": "sharedStateRegistry"}, "events": [["register", ["a", "b"], 1], ["unregisterUnusedBelow", 2]], "expect": {"discarded": 3}`, Fail},
	{"which names", `"given": {"unit": "sharedStateRegistry"}, "events": [["register", "a", 1], ["register", "b", 2], ["unregisterUnusedBelow", 2]], "expect": {"isDiscarded": {"a": true, "b": false}}`, Pass},
	{"other names", `"given": {"unit": "sharedStateRegistry"}, "events": [["register", "a", 1], ["register", "b", 2], ["unregisterUnusedBelow", 2]], "expect": {"isDiscarded": {"b": true}}`, Fail},
	{"what only gathers", `"given": {"unit": "LocalBufferPool", "config": {"poolSize": 1}}, "events": [["take", null, "a"]], "expect": {"final": {"used": 1}}`, Pass},
	{"what gathers a key that is there", `"given": {"unit": "LocalBufferPool", "poolSize": 1, "config": {"poolSize": 2}}, "events": [["take", null, "a"]], "expect": {"used": 1}`, NotModelled},
	{"Flink's options", `"given": {"restart-strategy.type": "fixed-delay", "restart-strategy.fixed-delay.attempts": 1, "restart-strategy.fixed-delay.delay": "10 s"}, "events": ["fail", "fail"], "expect": {"canRestart": [true, false], "backoff": "10 s"}`, Pass},
	{"defaults of what is left out", `"given": {"strategy": "exponential-delay", "jitter": 0}, "events": ["fail", ["advance", 1001], "fail"], "expect": {"backoffMs": [1000, 1500], "canRestart": true}`, Pass},
	{"one channel of a gate", `"given": {"unit": "RemoteInputChannel", "channels": 2, "exclusivePerChannel": 2, "gatePool": 4}, "events": [["backlogOn", 1, 3], ["check", {"channel": 1, "required": 5}], ["check", {"channel": 0, "required": 0}]]`, Pass},
	{"no channel of a gate", `"given": {"unit": "RemoteInputChannel", "channels": 2, "exclusivePerChannel": 2, "gatePool": 4}, "events": [["check", {"channel": 2, "required": 2}]]`, NotModelled},
	{"a bound of no number", `"given": {"unit": "CheckpointFailureManager", "tolerable": 3}, "events": [["fail", 1, "IO_EXCEPTION"]], "expect": {"countedMin": 1}`, NotModelled},
}

func TestOtherFormsOfTheSame(t *testing.T) {
	for _, c := range sameInOtherWords {
		results, err := Run("test", []byte(`{"cases": [{"name": "x.y", `+c.body+`}]}`))
		if err != nil {
			t.Errorf("%s: %v", c.why, err)
			continue
		}
		if r := results[0]; r.Status != c.want {
			t.Errorf("%s: %v %q, expected %v", c.why, r.Status, r.Diff, c.want)
		}
	}
}

// TestVocabularyIsOfUnitsAndUnambiguous: a unit that is spoken of has a runner, and no word stands for two.
func TestVocabularyIsOfUnitsAndUnambiguous(t *testing.T) {
	for unit, w := range vocabulary {
		if runners[unit] == nil {
			t.Errorf("no runner for %q", unit)
		}
		for what, table := range map[string]string{"given": w.given, "verbs": w.verbs, "keys": w.keys, "fields": w.fields, "values": w.values} {
			if twice := ambiguous(table); twice != "" {
				t.Errorf("%s of %s: %q stands for two", what, unit, twice)
			}
		}
	}
	for other, own := range unitNames {
		if runners[own] == nil {
			t.Errorf("%q stands for %q, which has no runner", other, own)
		}
	}
}

// ambiguous is a word of a table that stands for two others.
func ambiguous(table string) string {
	stands := map[string]string{}
	for entry := range strings.FieldsSeq(table) {
		own, others, _ := strings.Cut(entry, "=")
		for other := range strings.SplitSeq(own+","+others, ",") {
			if first, known := stands[fold(other)]; other != "" && known && first != own {
				return other
			}
			stands[fold(other)] = own
		}
	}
	return ""
}

// A key may ask for a value before or behind an event: of each such event or row of events, of one by its place, or by its argument.
func TestMoments(t *testing.T) {
	events := []json.RawMessage{
		[]byte(`["write", 1]`), []byte(`["write", 2]`), []byte(`["preBarrier", 1]`), []byte(`["write", 3]`), []byte(`["preBarrier", 2]`), []byte(`"crash"`),
	}
	for key, want := range map[string]string{
		"xBeforeCrash": "x [4]", "xAfterCrash": "x [5]", "xAfterWrite": "x [1 3]", "xBeforeWrite": "x [-1 2]", "xAfterSecondWrite": "x [1]", "xBeforeLastWrite": "x [2]",
		"xAfterPreBarrier2": "x [4]", "xAfterPreBarrier3": "x []", "xAfterFourthWrite": " []", "xAfterEnd": "x []", "x": " []", "xAfter": " []",
	} {
		stem, behind := momentOf(events, key)
		if got := fmt.Sprint(stem, " ", behind); got != want {
			t.Errorf("%s: %s, expected %s", key, got, want)
		}
	}
}
