package published

import (
	"fmt"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
)

// rescaledRestore is the figure of Flink 1.16: 122 GB of RocksDB restored by 4 subtasks instead of 3 (published 2.6). A subtask reads
// every old part whose key groups meet its own, whole; one part is cut by range deletes, which cost nothing; of several all but
// the largest are put into it entry by entry. Fitted on subtask 2 "after": the rates of reading (326 s) and joining (890 s).
func rescaledRestore() (Experiment, error) {
	const total, from, to = 122.0, 3, 4
	e := Experiment{
		ID: "rescale-116", Title: "122 GB of RocksDB restored by 4 subtasks instead of 3",
		Source: "Apache Flink 1.16 release announcement, 2022, figure on rescaling",
		Fitted: []string{"81.3 GB read in 326 s and 40.7 GB joined in 890 s, from subtask 2"},
	}
	got, err := restored(total, from, to)
	if err != nil {
		return e, err
	}
	e.Checks = []Check{
		{Name: "the job, whose slowest subtask is the second", Unit: "s", Published: "1216", Got: got, Low: 0.9 * 1216, High: 1.1 * 1216},
		{Name: "the third subtask, which reads two parts and joins one as the second does", Unit: "s", Published: "1075", Got: got, Low: 0.75 * 1075, High: 1.25 * 1075},
		{Name: "times as fast as before range deletes", Unit: "times", Published: "1.4 to 1.8", Got: 1886 / got, Low: 1.4, High: 1.8},
	}
	e.Checks = append(e.Checks, Check{Name: "the job before range deletes", Unit: "s", Published: "1886", Got: got, Low: 0.9 * 1886, High: 1.1 * 1886,
		Listed: "the lab cuts parts by range deletes, as Flink does since 1.16; before, keys were deleted one by one"})
	outer, err := restored(total, from, from) // as an outer one: one part each, nothing to join
	if err != nil {
		return e, err
	}
	e.Checks = append(e.Checks, Check{Name: "a subtask that reads one part, against one that joins two", Unit: "%", Published: "119 and 97 of 1216 s",
		Got: 100 * outer / got, Low: 0, High: 15})
	return e, nil
}

// restored is how long in seconds a job with so many gb of state restarts with another parallelism of its stateful vertex.
func restored(gb float64, from, to int) (float64, error) {
	const value = 100_000
	s, err := chain(core.Hash, []option.Pair{{Key: "state.backend.type", Value: "rocksdb"}, {Key: "execution.checkpointing.incremental", Value: "true"},
		{Key: "execution.checkpointing.interval", Value: "1 h"}, {Key: "taskmanager.memory.process.size", Value: "8 gb"}},
		core.Vertex{Name: "source", Kind: core.Source, Parallelism: 1, Cost: -1, RateNum: 10, RatePer: event.Second, Payload: 100},
		core.Vertex{Name: "count", Kind: core.Map, Parallelism: from, Cost: -1,
			State: []core.KeyedState{{Name: "count", Keys: int64(gb * 1e9 / value), KeyBytes: 8, ValueBytes: value, Filled: true}}},
		core.Vertex{Name: "sink", Kind: core.Sink, Parallelism: 1, Cost: -1})
	if err != nil {
		return 0, err
	}
	s.Keys, s.MaxParallel = 100_000, 128
	s.Storage = core.Storage{On: true, PerManager: int64(2 * gb / 3 * 1e9 / 326)}
	s.Options.Timeout = 3600 * event.Second
	at := 2000 * event.Second
	s.Script = []core.Action{{At: event.Second, Do: core.Trigger, Vertex: -1, Subtask: -1}, {At: at, Do: core.RescaleJob, Vertex: 1, Parallelism: to}}
	s.Duration = at + 3000*event.Second
	h, err := run(s)
	if err != nil {
		return 0, err
	}
	f := h.Failures[0]
	if f.RestoredTo == 0 || f.RunningAt < 0 {
		return 0, fmt.Errorf("the job went back to checkpoint %d and ran again at %d ns", f.RestoredTo, f.RunningAt)
	}
	return float64(f.RunningAt-f.At) / float64(event.Second), nil
}
