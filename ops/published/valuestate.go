package published

import (
	"slices"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
)

// The constants of the changelog's job: the first two are fitted, to the row without a changelog.
const (
	valueUpload  = 60_000_000 // bytes a second of a task manager: a mean spacing of 7.54 s
	valueKeys    = 17_800_000 // with 18.5 GB of RocksDB's files
	valueBytes   = 655        // of a value: an event logs 667 bytes
	eventsAtOnce = 100        // a record stands for so many events

	// valueReplay is the rate at which entries are put into RocksDB one by one: that of rescale-116, for the log is applied so.
	valueReplay = 46_000_000
)

// requestTimes are S3's for small objects within a region; guideTimes those that AWS's guide gives (100 to 200 ms).
var (
	requestTimes = core.Storage{Latency: 30 * event.Millisecond, P99: 200 * event.Millisecond, Max: 600 * event.Millisecond}
	guideTimes   = core.Storage{Latency: 100 * event.Millisecond, P99: 200 * event.Millisecond, Max: 600 * event.Millisecond}
)

// valueShape is the state of the ValueState job. windowShape that of the window job, whose sizes are not published: ten windows a
// record, of 10 s, so that the row without a changelog has its 2 GB.
var (
	valueShape  = core.KeyedState{Name: "value", Keys: valueKeys, KeyBytes: 8, ValueBytes: valueBytes, WriteNum: eventsAtOnce, WriteDen: 1, Filled: true}
	windowShape = core.KeyedState{Name: "window", Kind: 2, Keys: 1_000_000_000, KeyBytes: 8, ValueBytes: valueBytes, WriteNum: eventsAtOnce, WriteDen: 1, Filled: true,
		Size: 10 * event.Second, Slide: event.Second}
)

// Why quantiles of the ValueState job are only listed.
const (
	inStep       = "subtasks that begin alike compact in step, so that checkpoints with and without a compaction differ more than on a cluster of a day"
	requestTails = "how long S3 takes at most for one of many requests is not published; the lab's tail is AWS's guide's"
	logTails     = "what a checkpoint uploads is the log since the one before; its spread follows the spread of durations"
)

// changelogValueState is the published job (published 1.5): 50 subtasks on 13 task managers of 4 slots, 50,000 events a second, an
// interval of 10 ms, materialization every 3 min. Nothing is told to amplify or to take room: RocksDB's own files do. Without a
// changelog each checkpoint flushes a memtable, so that level 0 is small and is merged often; with one only full memtables are flushed,
// so that more versions of a key wait in level 0 for their compaction, and the log comes on top.
func changelogValueState() (Experiment, error) {
	e := Experiment{
		ID: "changelog-valuestate", Title: "Changelog on and off: ValueState, 50 subtasks, 18.5 GB, an interval of 10 ms",
		Source: "flink.apache.org, Improving speed and stability of checkpointing with generic log-based incremental checkpoints, 2022, table ValueState",
		Fitted: []string{"upload of a task manager, 60 MB/s, to the spacing of the row off", "17.8 million keys, to the full size of the row off",
			"nothing of the row on. What an upload takes, 30 ms, p99 200 ms, is S3's usual; the checks hold as well with the 100 to 200 ms of AWS's guide. Entries are replayed at the 46 MB/s of rescale-116",
			"means of the row off stand beside published medians: subtasks that begin alike compact in step, so that the lab's checkpoints differ more"},
	}
	off, err := changelogRow(valueShape, requestTimes, false)
	if err != nil {
		return e, err
	}
	on, err := changelogRow(valueShape, requestTimes, true)
	if err != nil {
		return e, err
	}
	guide, err := changelogRow(valueShape, guideTimes, true)
	if err != nil {
		return e, err
	}
	const gb, s = 1e9, float64(event.Second)
	per := func(a, b int64) float64 { return float64(a) / float64(b) }
	e.Checks = []Check{
		{Name: "off, spacing, mean (fitted)", Unit: "s", Published: "7.54", Got: float64(off.spacing) / s, Low: 7.54 * 0.85, High: 7.54 * 1.15},
		{Name: "off, full size, p50 (fitted)", Unit: "GB", Published: "18.5", Got: float64(off.full) / gb, Low: 18.5 * 0.9, High: 18.5 * 1.1},
		{Name: "off, uploaded, mean", Unit: "GB", Published: "3.05 (p50)", Got: float64(off.stored) / gb, Low: 3.05 * 0.85, High: 3.05 * 1.15},
		{Name: "on, duration, p50", Unit: "s", Published: "0.311", Got: float64(on.p50) / s, Low: 0.2, High: 0.5},
		{Name: "checkpoints, on / off", Unit: "times", Published: "10.8", Got: per(off.spacing, on.spacing), Low: 10.8 * 0.7, High: 10.8 * 1.3},
		{Name: "full size, on / off", Unit: "times", Published: "1.31", Got: per(on.full, off.full), Low: 1.31 * 0.9, High: 1.31 * 1.1},
		{Name: "recovery, on / off", Unit: "times", Published: "1.7 to 3.3", Got: per(on.recovery, off.recovery), Low: 1.7, High: 3.3},
		{Name: "on, duration, p90", Unit: "s", Published: "0.664", Got: on.durations.s(90), Low: 0.664 * 0.75, High: 0.664 * 1.25},
		{Name: "on, duration, p99", Unit: "s", Published: "1", Got: on.durations.s(99), Low: 0.75, High: 1.25, Listed: requestTails},
		{Name: "on, uploaded, p50", Unit: "MB", Published: "14.8", Got: on.uploads.mb(50), Low: 14.8 * 0.75, High: 14.8 * 1.25},
		{Name: "on, uploaded, p90", Unit: "MB", Published: "23.5", Got: on.uploads.mb(90), Low: 23.5 * 0.75, High: 23.5 * 1.25, Listed: logTails},
		{Name: "on, uploaded, p99", Unit: "MB", Published: "36.6", Got: on.uploads.mb(99), Low: 36.6 * 0.75, High: 36.6 * 1.25, Listed: logTails},
		{Name: "off, duration, p50", Unit: "s", Published: "5", Got: off.durations.s(50), Low: 3.75, High: 6.25, Listed: inStep},
		{Name: "off, duration, p90", Unit: "s", Published: "6", Got: off.durations.s(90), Low: 4.5, High: 7.5, Listed: inStep},
		{Name: "off, duration, p99", Unit: "s", Published: "7", Got: off.durations.s(99), Low: 5.25, High: 8.75, Listed: inStep},
		{Name: "off, uploaded, p50", Unit: "GB", Published: "3.05", Got: off.uploads.mb(50) / 1000, Low: 3.05 * 0.75, High: 3.05 * 1.25},
		{Name: "off, uploaded, p90", Unit: "GB", Published: "4.52", Got: off.uploads.mb(90) / 1000, Low: 4.52 * 0.75, High: 4.52 * 1.25, Listed: inStep},
		{Name: "off, uploaded, p99", Unit: "GB", Published: "5.19", Got: off.uploads.mb(99) / 1000, Low: 5.19 * 0.75, High: 5.19 * 1.25, Listed: inStep},
		{Name: "on, duration, p50, with the requests of AWS's guide", Unit: "s", Published: "0.311", Got: float64(guide.p50) / s, Low: 0.2, High: 0.5},
	}
	return e, nil
}

// changelogWindow is the same job with sliding windows (published 1.5): by direction, for the windows' sizes are not published.
func changelogWindow() (Experiment, error) {
	e := Experiment{
		ID: "changelog-window", Title: "Changelog on and off: sliding windows, by direction",
		Source: "flink.apache.org, Improving speed and stability of checkpointing with generic log-based incremental checkpoints, 2022, table Window",
		Fitted: []string{"windows of 10 s every second, so that the row off has about its 1.99 GB; upload as in changelog-valuestate"},
	}
	off, err := changelogRow(windowShape, requestTimes, false)
	if err != nil {
		return e, err
	}
	on, err := changelogRow(windowShape, requestTimes, true)
	if err != nil {
		return e, err
	}
	per := func(a, b int64) float64 { return float64(a) / float64(b) }
	e.Checks = []Check{
		{Name: "off, full size, p50", Unit: "GB", Published: "1.99", Got: float64(off.full) / 1e9, Low: 1.99 / 2, High: 1.99 * 2},
		{Name: "duration, p50, on / off: shorter", Unit: "times", Published: "0.79", Got: per(on.p50, off.p50), Low: 0, High: 1},
		{Name: "duration, p99, on / off: shorter", Unit: "times", Published: "0.17", Got: per(on.p99, off.p99), Low: 0, High: 1},
		{Name: "uploaded, on / off: less", Unit: "times", Published: "0.23", Got: per(on.stored, off.stored), Low: 0, High: 1},
		{Name: "full size, on / off: many times", Unit: "times", Published: "43", Got: per(on.full, off.full), Low: 8, High: 80},
	}
	return e, nil
}

// changelogRows is what the table says of one run, before the failure.
type changelogRows struct {
	spacing, p50, p99 event.Time
	stored, full      int64 // mean, p50
	recovery          event.Time

	durations quantiles // ns
	uploads   quantiles // bytes
}

// quantiles are values in order.
type quantiles []int64

// at is the value that so many per cent lie below.
func (q quantiles) at(percent int) float64 { return float64(q[len(q)*percent/100]) }

func (q quantiles) s(percent int) float64  { return q.at(percent) / float64(event.Second) }
func (q quantiles) mb(percent int) float64 { return q.at(percent) / 1e6 }

func changelogRow(shape core.KeyedState, requests core.Storage, on bool) (r changelogRows, err error) {
	s, err := chain(core.Hash, []option.Pair{{Key: "execution.checkpointing.interval", Value: "10 ms"},
		{Key: "state.backend.type", Value: "rocksdb"}, {Key: "execution.checkpointing.incremental", Value: "true"}, {Key: "taskmanager.memory.process.size", Value: "12 gb"},
		{Key: "restart-strategy.type", Value: "fixed-delay"}, {Key: "restart-strategy.fixed-delay.attempts", Value: "1000"}},
		core.Vertex{Name: "source", Kind: core.Source, Parallelism: 1, Cost: -1, RateNum: 50_000 / eventsAtOnce, RatePer: event.Second, Payload: 100},
		core.Vertex{Name: "map", Kind: core.Map, Parallelism: 50, State: []core.KeyedState{shape}},
		core.Vertex{Name: "sink", Kind: core.Sink, Parallelism: 1, Cost: -1})
	if err != nil {
		return r, err
	}
	s.Control, s.Keys = core.Control{}, 100_000
	s.Cluster = core.Cluster{Slots: 4, Sharing: true}
	s.Storage = requests
	s.Storage.On, s.Storage.PerManager, s.Storage.Replay = true, valueUpload, valueReplay
	s.Options.Changelog, s.Options.ChangelogMaterialize = on, 180*event.Second
	const from, to = 300 * event.Second, 1200 * event.Second
	s.Script, s.Duration = []core.Action{{At: to - event.Millisecond, Do: core.Kill, Vertex: 1}}, to+120*event.Second
	h, err := run(s)
	if err != nil {
		return r, err
	}
	var durations, full []int64
	for i := range h.Checkpoints {
		c := &h.Checkpoints[i]
		if c.Outcome != core.Completed || c.Triggered < from || c.Ended > to-event.Second {
			continue
		}
		durations, full = append(durations, c.Ended-c.Triggered), append(full, 0)
		r.uploads = append(r.uploads, 0)
		for _, k := range c.Tasks {
			r.uploads[len(r.uploads)-1] += k.Stored
			r.stored += k.Stored
			full[len(full)-1] += k.Size
		}
	}
	slices.Sort(durations)
	slices.Sort(full)
	slices.Sort(r.uploads)
	r.durations = durations
	n, f := len(durations), h.Failures[0]
	r.spacing, r.p50, r.p99, r.recovery = (to-from)/event.Time(n), durations[n/2], durations[n*99/100], f.RunningAt-f.At
	r.stored, r.full = r.stored/int64(n), full[n/2]
	return r, nil
}
