package scenarios

import (
	"errors"
	"strings"
	"testing"

	"checkpointlab/core/option"
)

// sample is a right scenario; the tests break one line of it at a time.
const sample = `job:
  vertices:
    - {name: source, kind: source, parallelism: 2, rate: 1000/s}
    - {name: map, parallelism: 2}
    - {name: sink, kind: sink, parallelism: 2}
  edges:
    - {from: source, to: map, partition: HASH}
    - {from: map, to: sink, partition: HASH}
flink:
  execution.checkpointing.interval: 1 s
script:
  - {at: 5 s, do: slow, vertex: sink, cost: 1 ms}
run: {duration: 10 s, seed: 7}
`

func TestMistakes(t *testing.T) {
	cases := []struct{ name, old, new, err string }{
		// not a scenario at all
		{"empty", sample, " \n", "the file is empty; write a scenario, or start from one that lab scenarios lists"},
		{"comments", sample, "# nothing\n", "the file holds only comments; write a scenario, or start from one that lab scenarios lists"},
		{"not YAML", "flink:\n", "flink: [\n", `line 9: the file is not YAML: did not find expected ',' or ']'; check the indentation, the colons and the quotes`},
		{"a tab", "  execution", "\texecution", `line 10: the file is not YAML: found character that cannot start any token; check the indentation, the colons and the quotes`},
		{"a list", sample, "- 1\n", "line 1: the file is not a scenario: it has no fields at its top; begin with title:, job: and flink:"},
		{"two documents", "script:", "---\nscript:", "line 11: the file holds a second document; keep one, without a line ---"},
		{"a broken second document", "script:", "---\n: : [\nscript:", `line 12: the file is not YAML: did not find expected key; check the indentation, the colons and the quotes`},
		{"a key that is no word", "script:", "? [a, b]\n: 1\nscript:", "line 11: the file has a key that is not a word; the fields here are " + strings.Join(topFields, ", ")},
		{"a field's key that is no word", "run: {", "run: {? {a: b} : 1, ", "line 13: run has a key that is not a word; the fields here are duration, seed"},
		{"an old option at the top", "script:", "execution.checkpointing.unaligned: true\nscript:", "line 11: execution.checkpointing.unaligned is not a field of a scenario; an option of Flink belongs under flink:"},
		{"binary", "seed: 7", "seed: \xff", "the file is not UTF-8 text; save it as UTF-8"},
		{"an alias", "seed: 7", "seed: &x 7", "line 13: anchors and aliases are not part of the format; write the value out"},
		{"a tag", "seed: 7", "seed: !secret 7", `line 13: "!secret" is a YAML tag, and tags are not part of the format; remove it`},
		{"a later format", "job:", "format: 2\njob:", `line 1: format: "2" is a format that this lab does not read; write 1, or use a newer lab`},

		// fields
		{"unknown field", "run:", "runs:", "line 13: runs is not a field of a scenario; did you mean run?"},
		{"unknown vertex field", "rate: 1000/s", "rat: 1000/s", "line 3: job.vertices.source.rat is not a field of a scenario; did you mean rate?\nline 3: job.vertices.source.rate is missing; write records per second and partition, such as 1000/s, or max"},
		{"an option at the top", "script:", "execution.checkpointing.timeout: 1 s\nscript:", "line 11: execution.checkpointing.timeout is not a field of a scenario; an option of Flink belongs under flink:"},
		{"twice", "run: {duration: 10 s, seed: 7}", "run: {seed: 1, seed: 7}", "line 13: run.seed is given a second time (first on line 13); keep one of the two"},
		{"no job", sample, "run: {seed: 1}\n", "line 1: the scenario has no job; write job: with vertices: and edges:"},
		{"a scalar for a mapping", "run: {duration: 10 s, seed: 7}", "run: 10 s", `line 13: run: "10 s" is not a mapping; write its fields: duration, seed`},
		{"no value", "run: {duration: 10 s, seed: 7}", "run:\n  duration: 10 s\n  seed:", "line 15: run.seed has no value; write a whole number"},
		{"no mapping", "run: {duration: 10 s, seed: 7}", "run:", "line 13: run is not a mapping; write its fields: duration, seed"},
		{"no option value", "interval: 1 s", "interval:", "line 10: execution.checkpointing.interval has no value; write a whole number and a unit, such as 500 ms, 10 s or 2 min"},

		// Flink's options, with their lines
		{"unknown option", "execution.checkpointing.interval", "execution.checkpointing.intervall", `line 10: execution.checkpointing.intervall (set to "1 s") is not an option of Flink, which would ignore it in silence; did you mean execution.checkpointing.interval?`},
		{"bad option", "interval: 1 s", "interval: 5 ms", `line 10: execution.checkpointing.interval: "5 ms" is shorter than 10 ms, which Flink refuses; write 10 ms or more`},
		{"nested twice", "interval: 1 s", "interval: 1 s\n  execution:\n    checkpointing:\n      interval: 2 s", `line 13: execution.checkpointing.interval (set to "2 s") is given a second time (first on line 10); keep one of the two`},
		{"version", "job:", "flinkVersion: 1.17\njob:", `line 1: flinkVersion: "1.17" is not a version of Flink that the lab follows; write 1.18, 1.20 or 2.3`},

		// vertices
		{"parallelism 0", "map, parallelism: 2", "map, parallelism: 0", `line 4: job.vertices.map.parallelism: "0" is less than 1; write 1 or more`},
		{"parallelism too large", "map, parallelism: 2", "map, parallelism: 40000", `line 4: job.vertices.map.parallelism: "40000" is more than 32768; write 32768 or less`},
		{"above max parallelism", "interval: 1 s", "interval: 1 s\n  pipeline.max-parallelism: 1", `line 3: job.vertices.source.parallelism: "2" is above the max parallelism of 1; lower it, or raise pipeline.max-parallelism` + "\n" +
			`line 4: job.vertices.map.parallelism: "2" is above the max parallelism of 1; lower it, or raise pipeline.max-parallelism` + "\n" +
			`line 5: job.vertices.sink.parallelism: "2" is above the max parallelism of 1; lower it, or raise pipeline.max-parallelism`},
		{"parallelism not a number", "map, parallelism: 2", "map, parallelism: two", `line 4: job.vertices.map.parallelism: "two" is not a whole number; write digits only`},
		{"negative cost", "name: map,", "name: map, cost: -1 ms,", `line 4: job.vertices.map.cost: "-1 ms" is negative; write 0 or more`},
		{"cost not a duration", "name: map,", "name: map, cost: fast,", `line 4: job.vertices.map.cost: "fast" is not a duration; write a whole number and a unit, such as 500 ms, 10 s or 2 min`},
		{"overhead too large", "\n  edges:", "\n  overhead: 2 mb\n  edges:", `line 6: job.overhead: "2 mb" is more than 1 mb; write 1 mb or less`},
		{"cost too long", "name: map,", "name: map, cost: 2 h,", `line 4: job.vertices.map.cost: "2 h" is more than 100 s; write 100 s or less`},
		{"cost of a source", "rate: 1000/s", "rate: 1000/s, cost: 1 ms", `line 3: job.vertices.source.cost (set to "1 ms") is not a field of sources, which have the measured cost; remove it`},
		{"rate 0", "rate: 1000/s", "rate: 0/s", `line 3: job.vertices.source.rate: "0/s" is a rate at which nothing ever arrives; write 1/s or more, or max for a source that is never short`},
		{"negative rate", "rate: 1000/s", "rate: -5/s", `line 3: job.vertices.source.rate: "-5/s" is negative; write records per time, such as 1000/s or 90/min, or max`},
		{"rate not a rate", "rate: 1000/s", "rate: 1000", `line 3: job.vertices.source.rate: "1000" is not a rate; write records per time, such as 1000/s or 90/min, or max`},
		{"rate without unit", "rate: 1000/s", "rate: 1/500", `line 3: job.vertices.source.rate: "1/500" is not a rate; write records per time, such as 1000/s or 90/min, or max`},
		{"rate with a fraction", "rate: 1000/s", "rate: 0.5/s", `line 3: job.vertices.source.rate: "0.5/s" has a fraction; write a whole number per longer time, such as 90/min`},
		{"rate per a long time", "rate: 1000/s", "rate: 1/31 d", `line 3: job.vertices.source.rate: "1/31 d" counts by a time longer than the longest run; write records per 30 d or less`},
		{"rate of many partitions", "rate: 1000/s", "rate: 1000000000/s, partitions: 11", `line 3: job.vertices.source.rate: "1000000000/s" comes to more than 10000000000/s in 11 partitions; write a lower rate or fewer partitions`},
		{"rate too large", "rate: 1000/s", "rate: 1000000001/s", `line 3: job.vertices.source.rate: "1000000001/s" is more than 1000000000/s; write a lower rate`},
		{"no rate", ", rate: 1000/s", "", "line 3: job.vertices.source.rate is missing; write records per second and partition, such as 1000/s, or max"},
		{"rate of a map", "name: map,", "name: map, rate: 5/s,", `line 4: job.vertices.map.rate (set to "5/s") is a field of sources only; remove it`},
		{"guarantee of a map", "name: map,", "name: map, guarantee: NONE,", `line 4: job.vertices.map.guarantee (set to "NONE") is a field of sinks only; remove it`},
		{"guarantee", "kind: sink,", "kind: sink, guarantee: EXACTLY,", `line 5: job.vertices.sink.guarantee: "EXACTLY" is not known here; write EXACTLY_ONCE, AT_LEAST_ONCE or NONE`},
		{"large record", "rate: 1000/s", "rate: 1000/s, record: 1 gb", `line 3: job.vertices.source.record: "1 gb" is more than 16 mb; write 16 mb or less`},
		{"record not a size", "rate: 1000/s", "rate: 1000/s, record: big", `line 3: job.vertices.source.record: "big" is not a size; write a whole number and a unit, such as 32 kb`},
		{"snapshot field", "name: map,", "name: map, snapshot: {asyn: 1 s},", "line 4: job.vertices.map.snapshot.asyn is not a field of a scenario; did you mean async?"},
		{"emit", "name: map,", "name: map, emit: 0.5,", `line 4: job.vertices.map.emit: "0.5" is not a ratio; write records out for each one in, such as 3 or 1/10, at most 1000 and at least 1/1000000`},
		{"emit of a sink", "kind: sink,", "kind: sink, emit: 2,", `line 5: job.vertices.sink.emit (set to "2") is a field of maps only; remove it`},
		{"chain", "name: map,", "name: map, chain: no,", `line 4: job.vertices.map.chain: "no" is not known here; write false or true`},
		{"slots", "script:", "cluster: {slots: 0}\nscript:", `line 11: cluster.slots: "0" is less than 1; write 1 or more`},
		{"sharing", "script:", "cluster: {sharing: true}\nscript:", `line 11: cluster.sharing: "true" needs the number of slots; write slots: 1 or more beside it`},
		{"kind", "kind: sink", "kind: sinc", `line 5: job.vertices.sink.kind: "sinc" is not known here; did you mean sink?`},
		{"name twice", "name: map", "name: sink", "line 5: job.vertices.sink.name: \"sink\" is the name of two vertices (first on line 4); give each its own\nline 7: job.edges.1.to: \"map\" is not a vertex of the job; the vertices are source, sink, sink\nline 8: job.edges.2.from: \"map\" is not a vertex of the job; the vertices are source, sink, sink"},
		{"name with a dot", "{name: map,", "{name: a.map,", `line 4: job.vertices.number 2.name: "a.map" is not a name; write up to 40 letters, digits, - or _` + "\n" +
			`line 7: job.edges.1.to: "map" is not a vertex of the job; the vertices are source, number 2, sink` + "\n" + `line 8: job.edges.2.from: "map" is not a vertex of the job; the vertices are source, number 2, sink`},
		{"no name", "{name: map,", "{", "line 4: job.vertices.number 2.name is missing; give the vertex a name, such as source\nline 7: job.edges.1.to: \"map\" is not a vertex of the job; the vertices are source, number 2, sink\nline 8: job.edges.2.from: \"map\" is not a vertex of the job; the vertices are source, number 2, sink"},
		{"hot share", "job:", "job:\n  hotShare: 1.5", `line 2: job.hotShare: "1.5" is not a share; write a number of 0 to 1 with at most six decimals, such as 0.5`},
		{"no keys", "job:", "job:\n  keys: 0", `line 2: job.keys: "0" is less than 1; write 1 or more`},

		// edges
		{"unknown vertex", "to: map", "to: mapp", `line 7: job.edges.1.to: "mapp" is not a vertex of the job; did you mean map?`},
		{"no end", "{from: source, to: map,", "{from: source,", "line 7: job.edges.1.to is missing; write the name of a vertex"},
		{"edge twice", "    - {from: map, to: sink, partition: HASH}", "    - {from: map, to: sink}\n    - {from: map, to: sink}", "line 9: job.edges.3 is a second edge from map to sink (first on line 8); keep one of the two"},
		{"partitioner", "to: sink, partition: HASH", "to: sink, partition: HSH", `line 8: job.edges.2.partition: "HSH" is not known here; did you mean HASH?`},
		{"unmodelled partitioner", "to: sink, partition: HASH", "to: sink, partition: custom", `line 8: job.edges.2.partition: "custom" is a partitioner of Flink that the lab does not model; write HASH, REBALANCE, FORWARD, RESCALE, SHUFFLE, BROADCAST or GLOBAL`},
		{"unequal FORWARD", "source, parallelism: 2, rate: 1000/s}\n    - {name: map, parallelism: 2}\n    - {name: sink, kind: sink, parallelism: 2}\n  edges:\n    - {from: source, to: map, partition: HASH}",
			"source, parallelism: 3, rate: 1000/s}\n    - {name: map, parallelism: 2}\n    - {name: sink, kind: sink, parallelism: 2}\n  edges:\n    - {from: source, to: map, partition: FORWARD}",
			`line 7: job.edges.1.partition: "FORWARD" needs equal parallelism, but source has 3 and map has 2; write REBALANCE or HASH`},
		{"no edges", "  edges:\n    - {from: source, to: map, partition: HASH}\n    - {from: map, to: sink, partition: HASH}\n", "", "line 2: job.edges holds no edge; write from:, to: and partition: for each exchange"},
		{"cycle", "to: sink, partition: HASH}", "to: sink, partition: HASH}\n    - {from: map, to: map}", "line 7: job.edges form a cycle, map → map; remove one of them: the lab runs acyclic jobs"},
		{"cycle of two", "  edges:", "    - {name: back, parallelism: 2}\n  edges:\n    - {from: back, to: map}\n    - {from: map, to: back}", "line 8: job.edges form a cycle, map → back → map; remove one of them: the lab runs acyclic jobs"},
		{"no sink", "kind: sink, ", "", "line 5: job.vertices.sink has no outgoing edge, so its records would go nowhere; write an edge from it, or make it a sink\nline 3: job.vertices holds no sink; give one vertex kind: sink"},
		{"sink with an outgoing edge", "to: sink, partition: HASH}", "to: sink, partition: HASH}\n    - {from: sink, to: map}", "line 5: job.vertices.sink is a sink with an outgoing edge; remove the edge, or make it a map\nline 7: job.edges form a cycle, map → sink → map; remove one of them: the lab runs acyclic jobs"},
		{"source with an incoming edge", "to: sink, partition: HASH}", "to: sink, partition: HASH}\n    - {from: map, to: source}", "line 3: job.vertices.source is a source with an incoming edge; remove the edge, or make it a map\nline 7: job.edges form a cycle, source → map → source; remove one of them: the lab runs acyclic jobs"},
		{"source without an outgoing edge", "{from: source, to: map", "{from: map, to: map", "line 3: job.vertices.source is a source without an outgoing edge; write an edge from it\nline 7: job.edges form a cycle, map → map; remove one of them: the lab runs acyclic jobs"},
		{"not reached", "    - {name: sink", "    - {name: lone, parallelism: 2}\n    - {name: sink", "line 5: job.vertices.lone has no incoming edge; write an edge to it"},
		{"too many channels", "parallelism: 2", "parallelism: 1001", "line 7: job.edges make 2004002 channels, more than the 1000000 that the lab holds; lower the parallelism"},

		// script and run
		{"unknown action", "do: slow", "do: slo", `line 12: script.1.do: "slo" is not known here; did you mean slow?`},
		{"no time", "at: 5 s, ", "", "line 12: script.1.at is missing; write a time, such as 30 s"},
		{"after the end", "at: 5 s", "at: 11 s", `line 12: script.1.at: "11 s" lies after the end of the run; write 10 s or less, or a longer run.duration`},
		{"script vertex", "vertex: sink, cost", "vertex: snk, cost", `line 12: script.1.vertex: "snk" is not a vertex of the job; did you mean sink?`},
		{"no vertex", "vertex: sink, cost", "cost", "line 12: script.1.vertex is missing; write the name of a vertex"},
		{"no cost", ", cost: 1 ms", "", "line 12: script.1.cost is missing; write the new time for a record, such as 1 ms"},
		{"slow source", "vertex: sink, cost", "vertex: source, cost", `line 12: script.1.vertex: "source" is a source, which has no cost to change; name a map or a sink, or write do: rate`},
		{"rate of a sink", "do: slow, vertex: sink, cost: 1 ms", "do: rate, vertex: sink, rate: 5/s", `line 12: script.1.vertex: "sink" is not a source and has no rate; name a source`},
		{"rate max", "do: slow, vertex: sink, cost: 1 ms", "do: rate, vertex: source, rate: max", `line 12: script.1.rate: "max" cannot be the new rate of a log; write records per time, such as 1000/s`},
		{"subtask", "vertex: sink, cost", "vertex: sink, subtask: 2, cost", `line 12: script.1.subtask: "2" does not exist: sink has 2; write 0 to 1`},
		{"what does not belong", "do: slow, vertex: sink, cost: 1 ms", "do: kill, vertex: map, cost: 1 ms", `line 12: script.1.cost (set to "1 ms") belongs to do: slow; remove it`},
		{"throttled to less", "do: slow, vertex: sink, cost: 1 ms", "do: throttle, vertex: sink, times: 0.5, for: 1 s", `line 12: script.1.times: "0.5" is not a factor above 1; write how many times as long a record takes, 1.001 to 100, such as 3`},
		{"throttled for ever", "do: slow, vertex: sink, cost: 1 ms", "do: throttle, vertex: sink, times: 2", `line 12: script.1.for is missing; write how long the task manager is throttled, such as 30 s`},
		{"a fault's field elsewhere", "do: slow, vertex: sink, cost: 1 ms", "do: checkpoint, slow: 10", `line 12: script.1.slow (set to "10") belongs to do: storage; remove it`},
		{"a field of two others", "do: slow, vertex: sink, cost: 1 ms", "do: kill, vertex: map, format: NATIVE", `line 12: script.1.format (set to "NATIVE") does not belong to this action; remove it`},
		{"checkpoint with a vertex", "do: slow, vertex: sink, cost: 1 ms", "do: savepoint, vertex: map", `line 12: script.1.vertex (set to "map") does not belong to this action; remove it`},
		{"duration", "duration: 10 s", "duration: 31 d", `line 13: run.duration: "31 d" is more than 30 d; write 30 d or less`},
		{"no duration", "duration: 10 s", "duration: 0", `line 13: run.duration: "0" is less than 1 ms; write 1 ms or more`},
		{"seed", "seed: 7", "seed: -7", `line 13: run.seed: "-7" is not a seed; write a whole number of 0 to 18446744073709551615`},
		{"first trigger", "script:", "firstTrigger: soon\nscript:", `line 11: firstTrigger: "soon" is not known here; write running, random or interval`},
		{"control", "script:", "control: some\nscript:", `line 11: control: "some" is not known here; did you mean none?`},
		{"control field", "script:", "control: {rcp: 1 ms}\nscript:", "line 11: control.rcp is not a field of a scenario; did you mean rpc?"},

		// words
		{"knob", "script:", "knobs: [execution.checkpointing.intervall]\nscript:", `line 11: knobs.1: "execution.checkpointing.intervall" is neither an option of Flink nor a field of the scenario; did you mean execution.checkpointing.interval?`},
		{"knob that does not act", "script:", "knobs: [state.backend.rocksdb.localdir]\nscript:", `line 11: knobs.1: "state.backend.rocksdb.localdir" is an option of Flink that the lab does not model; choose one that acts`},
		{"knob of no vertex", "script:", "knobs: [job.vertices.snk.cost]\nscript:", `line 11: knobs.1: "job.vertices.snk.cost" names a vertex that the job does not have; did you mean sink?`},
		{"moment", "script:", "moments: [{when: sometimes, say: x}]\nscript:", `line 11: moments.1.when: "sometimes" is not a moment; write at 30 s, or first to tenth with alignment, commit, failed checkpoint, failure, recovery, action, end of the job or refusal`},
		{"moment without words", "script:", "moments: [{when: first commit}]\nscript:", "line 11: moments.1.say is missing; write what to watch, in en: and ko:"},
		{"one choice", "script:", "predict: {ask: why, choices: [a], answer: 1}\nscript:", "line 11: predict.choices are too few; list at least two"},
		{"answer", "script:", "predict: {ask: why, choices: [a, b], answer: 3}\nscript:", `line 11: predict.answer: "3" is more than 2; write 2 or less`},
		{"measure", "script:", "expect: [{measure: visibility.avg, about: 1 s, within: 2 %}]\nscript:", `line 11: expect.1.measure: "visibility.avg" is not a measure; did you mean visibility.max?`},
		{"no measure", "script:", "expect: [{about: 1 s, within: 2 %}]\nscript:", "line 11: expect.1.measure is missing; the measures are " + strings.Join(Measures(), ", ")},
		{"value", "script:", "expect: [{measure: visibility.mean, about: 1/s, within: 2 %}]\nscript:", `line 11: expect.1.about: "1/s" is not a value of this measure; write one such as 1.5 s`},
		{"no tolerance", "script:", "expect: [{measure: visibility.mean, about: 1 s}]\nscript:", "line 11: expect.1.within is missing; write how far off it may be, such as 2 %"},
		{"no bound", "script:", "expect: [{measure: visibility.mean}]\nscript:", "line 11: expect.1 says nothing of the value; write about: and within:, above: or below:"},
		{"no vertex to measure", "script:", "expect: [{measure: alignment.max, below: 1 s}]\nscript:", "line 11: expect.1.vertex is missing; write the name of a vertex"},
		{"setting", "script:", "expect: [{measure: shown, above: 1/s, with: {run.sed: 2}}]\nscript:", `line 11: run.sed (set to "2") is neither an option of Flink nor a field of the scenario; did you mean run.seed?`},
		{"impossible setting", "script:", "expect: [{measure: shown, above: 1/s, with: {execution.checkpointing.interval: 1 ms}}]\nscript:", `line 11: expect.1.with makes a scenario that cannot run: execution.checkpointing.interval: "1 ms" is shorter than 10 ms, which Flink refuses; write 10 ms or more; change the settings`},
		{"window", "script:", "expect: [{measure: shown, above: 1/s, from: 10 s}]\nscript:", `line 11: expect.1.from: "10 s" leaves no time to measure in; write from: before to: and before the end of the run`},
		{"language", "job:", "title: {en: x, de: y}\njob:", "line 1: title.de is not a field of a scenario; the fields here are en, ko"},
	}
	for _, c := range cases {
		if !strings.Contains(sample, c.old) {
			t.Errorf("%s: %q is not in the sample", c.name, c.old)
		}
		text := strings.ReplaceAll(sample, c.old, c.new)
		s, err := Parse([]byte(text))
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != c.err {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.err)
		}
		if (s == nil) != (err != nil) {
			t.Errorf("%s: a scenario and an error", c.name)
		}
	}
}

// A file's mistakes name the file, and each is a *option.Mistake with its line.
func TestMistakesNameTheFile(t *testing.T) {
	_, err := ParseFile("mine.yaml", []byte(strings.ReplaceAll(sample, "run:", "rnu:")))
	if want := "mine.yaml:13: rnu is not a field of a scenario; did you mean run?"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	var m *option.Mistake
	if !errors.As(err, &m) || m.File != "mine.yaml" || m.Line != 13 || m.Key != "rnu" {
		t.Errorf("%+v", m)
	}
}

func TestLoad(t *testing.T) {
	if _, err := Load("chaptr"); err == nil || err.Error() != `scenario: "chaptr" does not exist; did you mean chapter?` {
		t.Error(err)
	}
	if _, err := Load("../go"); err == nil || !strings.HasPrefix(err.Error(), `scenario: "../go" does not exist; write `+names[0]+", ") {
		t.Error(err)
	}
	entries, err := files.ReadDir(".")
	if err != nil || len(entries) != len(Names()) {
		t.Errorf("%d files for %d names, %v", len(entries), len(Names()), err)
	}
}

// A long file that is no scenario gives a screen of mistakes, and how many there are.
func TestNoEndOfMistakes(t *testing.T) {
	var text strings.Builder
	for i := range 1000 {
		text.WriteString("field-" + strings.Repeat("z", i+1) + ": 1\n")
	}
	_, err := ParseFile("mine.yaml", []byte(sample+text.String()))
	all := unjoin(err)
	if want := "mine.yaml: there are 980 further mistakes; correct the first ones, or check that it is a scenario"; len(all) != 21 || all[20].Error() != want {
		t.Errorf("%d mistakes, the last %q, want %q", len(all), all[len(all)-1], want)
	}
}
