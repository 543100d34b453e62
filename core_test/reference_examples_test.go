package core_test

import (
	"testing"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
)

const ms = event.Millisecond

// example is a job of one source, one map and one sink with HASH exchanges, for 300 ms.
func example(t *testing.T) core.Setup {
	c, _, err := option.Resolve("2.3", nil)
	if err != nil {
		t.Fatal(err)
	}
	c.Tolerable = 1000
	c.Restart, c.RestartAttempts, c.RestartDelay = option.RestartFixedDelay, 5, 10*ms
	return core.Setup{
		Vertices: []core.Vertex{
			{Name: "source", Kind: core.Source, Parallelism: 1, Cost: 5_000, Payload: 100, RateNum: 5000, RatePer: event.Second},
			{Name: "map", Kind: core.Map, Parallelism: 1, Cost: 10_000},
			{Name: "sink", Kind: core.Sink, Parallelism: 1, Cost: 20_000},
		},
		Edges:    []core.Edge{{From: 0, To: 1}, {From: 1, To: 2}},
		Options:  c,
		Duration: 300 * ms, Keys: 1024, Overhead: 47, MaxParallel: 128,
		Control: core.Control{RPC: 70_001, Net: 3_333, Wake: 1_777, Finalize: 12_345, FlushExtra: 11, FlushDrift: 7, Restore: 2_000_003},
	}
}

// changing gives a job a storage, checkpoints every 20 ms, and a map of whose 1 mb of state each record changes 500 bytes.
func changing(s *core.Setup) {
	s.Options.Interval, s.Storage = 20*ms, core.Storage{On: true, Bandwidth: 100 << 20, Latency: ms}
	s.Vertices[1].Snapshot = core.Snapshot{Size: 1 << 20, Change: 500}
}

// TestReferenceExamples are jobs in which both ways differed once. Each says what the simulation has to heed.
func TestReferenceExamples(t *testing.T) {
	for name, change := range map[string]func(s *core.Setup){
		"a buffer that is read while it is written holds all that is written by now": func(s *core.Setup) {
			s.Options.BufferTimeout, s.Options.FloatingPerGate, s.Options.BuffersPerChannel = ms, 0, 1
			s.Vertices[1].Cost = 300_000
			s.Vertices[0].RateNum = 3000
		},
		"what comes on the other input is read behind the record in work": func(s *core.Setup) {
			second := s.Vertices[0]
			second.RateNum, second.Payload = 100, 1000
			s.Vertices = append(s.Vertices, second)
			s.Edges = append(s.Edges, core.Edge{From: 3, To: 1})
			s.Options.BufferTimeout = 10 * ms
			s.Vertices[1].Cost = 150_000
		},
		"a barrier on the other input waits for that input's turn": func(s *core.Setup) {
			s.Vertices = append(s.Vertices, s.Vertices[0])
			s.Edges = append(s.Edges, core.Edge{From: 3, To: 1})
			s.Options.Interval, s.Options.BufferTimeout = 20*ms, 10*ms
			s.Vertices[1].Cost = 200_000
		},
		"an input whose last entry was a barrier is polled at its turn, which ends the measure of its throughput": func(s *core.Setup) {
			s.Vertices[1] = s.Vertices[0]
			s.Vertices[0].RateNum, s.Vertices[1].RateNum, s.Vertices[1].Cost = 15_000, 1000, 200_000
			s.Edges = []core.Edge{{From: 0, To: 2}, {From: 1, To: 2}}
			s.Cluster = core.Cluster{Slots: 1, Sharing: true}
			s.Vertices[2].Cost, s.Vertices[2].Snapshot.Sync = 50_000, ms
			o := &s.Options
			o.Interval, o.BufferTimeout, o.SegmentSize = 40*ms, 10*ms, 1024
			o.Debloat, o.DebloatPeriod, o.DebloatTarget, o.DebloatThreshold, o.DebloatSamples = true, 15*ms, ms, 1, 2
		},
		"records of two sizes keep their order": func(s *core.Setup) {
			second := s.Vertices[0]
			second.Payload = 1700
			s.Vertices = append(s.Vertices, second)
			s.Edges = append(s.Edges, core.Edge{From: 3, To: 1})
			s.Options.BufferTimeout, s.Options.SegmentSize = 10*ms, 4096
			s.Vertices[2].Parallelism = 2
		},
		"a record goes to one output after the other": func(s *core.Setup) {
			fast := s.Vertices[2]
			s.Vertices = append(s.Vertices, fast)
			s.Edges = append(s.Edges, core.Edge{From: 1, To: 3})
			s.Vertices[0].Payload, s.Options.SegmentSize, s.Options.MaxOverdraft = 50_000, 4096, 0
			s.Vertices[2].Cost = 5 * ms
		},
		"without a buffer timeout each record is flushed that a map makes": func(s *core.Setup) {
			s.Options.BufferTimeout = 0
			s.Vertices[1].EmitNum, s.Vertices[1].EmitDen = 7, 1
			s.Vertices[0].RateNum = 500
		},
		"a record that takes no time ends back pressure, too": func(s *core.Setup) {
			s.Vertices[0].RateNum, s.Vertices[1].Cost, s.Vertices[2].Cost = 20_000, 0, 300_000
			s.Options.SegmentSize = 4096
		},
		"a look that was due before a failure is not due behind it": func(s *core.Setup) {
			s.Control.Wake, s.Control.Restore, s.Options.RestartDelay, s.Options.BufferTimeout = 3*ms, 0, 0, 2*ms
			s.Script = []core.Action{{At: 101 * ms, Do: core.Kill}, {At: 150 * ms, Do: core.Kill}, {At: 201 * ms, Do: core.Kill}}
		},
		"a restored task asks its first input first": func(s *core.Setup) {
			second := s.Vertices[0]
			second.RateNum, second.Payload = 4900, 300
			s.Vertices = append(s.Vertices, second)
			s.Edges = append(s.Edges, core.Edge{From: 3, To: 1})
			s.Options.Interval, s.Options.BufferTimeout, s.Vertices[1].Cost = 50*ms, ms, 110_000
			s.Script = []core.Action{{At: 101 * ms, Do: core.Kill}, {At: 150 * ms, Do: core.Kill}, {At: 201 * ms, Do: core.Kill}}
		},
		"a source that becomes slower than its log lags": func(s *core.Setup) {
			s.Script = []core.Action{{At: 100*ms + 50_000, Do: core.Slow, Cost: 700_000}}
		},
		"a mail waits for the record that a source has in work": func(s *core.Setup) {
			s.Vertices[0].Cost, s.Options.Interval = 150_000, 10*ms
		},
		"a rate changes while a record is in work": func(s *core.Setup) {
			s.Vertices[0].Cost = 190_000
			s.Script = []core.Action{{At: 100*ms + 100_001, Do: core.Rate, RateNum: 50, RatePer: event.Second}}
		},
		"a log without a rate gets one and is read again": func(s *core.Setup) {
			s.Vertices[0].RateNum, s.Vertices[0].RatePer, s.Vertices[0].Cost = 0, 0, 100_000
			s.Script = []core.Action{
				{At: 50*ms + 33_333, Do: core.Rate, RateNum: 3000, RatePer: event.Second}, {At: 120 * ms, Do: core.Kill, Vertex: 2},
			}
		},
		"a record in work when its task is killed is in the log": func(s *core.Setup) {
			s.Vertices[0].RateNum, s.Vertices[0].RatePer, s.Vertices[0].Cost, s.Vertices[0].Until = 0, 0, 3*ms, 101*ms
			s.Script = []core.Action{{At: 100 * ms, Do: core.Kill, Vertex: 2}}
		},
		"a record that is never finished was work, too": func(s *core.Setup) {
			s.Vertices[0].Cost = 150_000
			s.Script = []core.Action{{At: 100*ms + 50_000, Do: core.Kill, Vertex: 2}}
		},
		"an upload is cancelled with its checkpoint": func(s *core.Setup) {
			s.Options.Interval, s.Options.Timeout = 50*ms, 15*ms
			s.Vertices[1].Snapshot.Async = 30 * ms
		},
		"a trigger is performed though its checkpoint was given up meanwhile": func(s *core.Setup) {
			s.Options.Interval, s.Options.Timeout = 50*ms, 15*ms
			s.Vertices[0].Cost, s.Vertices[0].RateNum = 40*ms, 20
		},
		"channel state is packed by records, not by runs": func(s *core.Setup) {
			s.Options.Interval, s.Options.Unaligned, s.Options.BufferTimeout = 40*ms, true, 10*ms
			s.Vertices[0].Parallelism, s.Vertices[0].RateNum, s.Vertices[2].Cost, s.Options.SegmentSize = 3, 20_000, 100_000, 4096
			s.Script = []core.Action{{At: 150 * ms, Do: core.Kill, Vertex: 2}}
		},
		"channel state goes back to the region that restarts": func(s *core.Setup) {
			s.Options.Interval, s.Options.Unaligned, s.Options.BufferTimeout = 40*ms, true, 10*ms
			s.Vertices[0].RateNum, s.Vertices[2].Cost = 20_000, 100_000
			s.Vertices = append(s.Vertices, s.Vertices[0], s.Vertices[1], s.Vertices[2])
			s.Edges = append(s.Edges, core.Edge{From: 3, To: 4}, core.Edge{From: 4, To: 5})
			s.Script = []core.Action{{At: 150 * ms, Do: core.Kill, Vertex: 2}}
		},
		"a barrier that became urgent while polling goes ahead of the next record": func(s *core.Setup) {
			s.Options.Unaligned, s.Options.AlignedTimeout, s.Options.Interval = true, ms, 100*ms
			s.Control = core.MeasuredControl()
			second := s.Vertices[0]
			second.Parallelism, second.RateNum, s.Vertices[0].RateNum = 2, 10, 1000
			s.Vertices = []core.Vertex{s.Vertices[0], second, s.Vertices[2]}
			s.Vertices[2].Parallelism, s.Vertices[2].Cost = 3, 5_000
			s.Edges = []core.Edge{{From: 1, To: 2}, {From: 0, To: 2}}
		},
		"the beginning of a record that the deserializer holds is channel state": func(s *core.Setup) {
			s.Options.Interval, s.Options.Unaligned, s.Options.SegmentSize = 20*ms, true, 4096
			s.Vertices[0].Payload, s.Vertices[2].Cost = 5000, ms
			s.Vertices[1].Parallelism = 2
		},
		"a record that has waited for room goes ahead of the mails": func(s *core.Setup) {
			s.Vertices[1].Async = core.Async{Capacity: 3, Latency: ms}
			s.Options.Interval, s.Options.Unaligned, s.Options.BufferTimeout = 10*ms, true, ms
		},
		"the end of the data waits for the last answer, and the barrier behind it as well": func(s *core.Setup) {
			s.Vertices[1].Async = core.Async{Capacity: 50, Latency: 30 * ms}
			s.Vertices[0].EndsAt, s.Options.Interval, s.Options.BufferTimeout = 100*ms, 15*ms, ms
		},
		"mails are read behind the first record of a source that held the lock": func(s *core.Setup) {
			s.Vertices[0].Lock, s.Options.Interval = core.LockFirst, 10*ms
			s.Script = []core.Action{{At: 100 * ms, Do: core.Kill}}
		},
		"small records of a log that falls silent": func(s *core.Setup) {
			s.Vertices[0].Load = core.Load{Quiet: true, QuietFrom: 30 * ms, QuietTo: 70 * ms}
			s.Vertices[0].Payload, s.Overhead = 0, 4
		},
		"a burst as the run begins leaves what the log begins with": func(s *core.Setup) {
			s.Vertices[0].History, s.Vertices[0].Load = 500, core.Load{BurstEvery: 500 * ms, BurstFor: 50 * ms, BurstTimes: 3}
			s.Vertices[0].Cost, s.Options.BufferTimeout = 20_000, ms
		},
		"partitions that are silent as the run begins have their part of what the log begins with": func(s *core.Setup) {
			s.Vertices[0].History, s.Vertices[0].Partitions = 50, 4
			s.Vertices[0].Load = core.Load{Quiet: true, QuietSplits: 2, QuietTo: 150 * ms}
			s.Vertices[0].Watermarks, s.Options.AutoWatermark = core.Watermarks{On: true}, 20*ms
		},
		"a reader without a partition ends at once": func(s *core.Setup) {
			s.Vertices[0].Parallelism, s.Vertices[0].Partitions, s.Vertices[0].EndsAfter, s.Options.Interval = 3, 3, 50, 50*ms
			s.Script = []core.Action{{At: 3*ms + 1, Do: core.RescaleJob, Vertex: 0, Parallelism: 5}}
		},
		"what two subtasks have read one of them reads again, though its log alone would not have it yet": func(s *core.Setup) {
			s.Vertices[0].Parallelism, s.Vertices[0].RateNum, s.Vertices[0].EndsAt = 2, 10, 20*ms
			s.Script = []core.Action{{At: 10*ms + 1, Do: core.RescaleJob, Vertex: -1, Parallelism: 1}}
		},
		"what two subtasks have begun to read is there for the one behind them": func(s *core.Setup) {
			s.Vertices[0].Parallelism, s.Vertices[0].RateNum, s.Vertices[0].Cost = 2, 10, 5*ms
			s.Script = []core.Action{{At: 4*ms + 1, Do: core.RescaleJob, Vertex: -1, Parallelism: 1}}
		},
		"what two subtasks read the moment it arrives is there for the one behind them, too": func(s *core.Setup) {
			s.Vertices[0].Parallelism, s.Vertices[0].RateNum = 2, 1000
			s.Control, s.Options.Interval, s.Options.BufferTimeout = core.Control{}, 20*ms, 0
			s.Script = []core.Action{{At: 109*ms + 1, Do: core.RescaleJob, Vertex: -1, Parallelism: 1}}
		},
		"somebody rescales a job that still stops for another rescaling": func(s *core.Setup) {
			s.Vertices[0].Parallelism, s.Vertices[0].RateNum, s.Vertices[2].Cost = 2, 1000, 5*ms
			s.Script = []core.Action{
				{At: 100*ms + 1, Do: core.RescaleJob, Vertex: -1, Parallelism: 1, FromSavepoint: true},
				{At: 120*ms + 1, Do: core.RescaleJob, Vertex: -1, Parallelism: 1},
			}
		},
		"a rescaled operator draws on in asynchronous requests": func(s *core.Setup) {
			s.Vertices[1].Async = core.Async{Capacity: 10, Latency: ms, Spread: 3 * ms, Unordered: true}
			s.Script = []core.Action{{At: 100*ms + 1, Do: core.RescaleJob, Vertex: -1, Parallelism: 2}}
		},
		"a request that another subtask repeats counts there as read": func(s *core.Setup) {
			s.Vertices[1].Async, s.Vertices[1].Parallelism = core.Async{Capacity: 10, Latency: 7 * ms}, 3
			s.Vertices[2].Parallelism, s.Edges[1].Partition = 4, core.Rebalance
			s.Options.Interval, s.Options.BufferTimeout = 90*ms, ms
			s.Script = []core.Action{
				{At: 110*ms + 1, Do: core.RescaleJob, Vertex: 1, Parallelism: 1}, {At: 120*ms + 1, Do: core.RescaleJob, Vertex: 1, Parallelism: 2},
				{At: 130*ms + 1, Do: core.RescaleJob, Vertex: 1, Parallelism: 3}, {At: 230*ms + 1, Do: core.RescaleJob, Vertex: 1, Parallelism: 2},
			}
		},
		"data in flight is dealt record by record": func(s *core.Setup) {
			s.Options.Interval, s.Options.Unaligned, s.Options.BufferTimeout = 40*ms, true, 10*ms
			s.Vertices[0].Parallelism, s.Vertices[0].RateNum, s.Vertices[2].Cost, s.Options.SegmentSize = 3, 20_000, 100_000, 4096
			s.Script = []core.Action{
				{At: 150 * ms, Do: core.RescaleJob, Vertex: -1, Parallelism: 3}, {At: 210 * ms, Do: core.RescaleJob, Vertex: -1, Parallelism: 2},
			}
		},
		"a restart waits for a thread that no interrupt ends, until its process ends": func(s *core.Setup) {
			s.Options.CancelTimeout, s.Options.HeartbeatInterval, s.Options.HeartbeatTimeout = 30*ms, 10*ms, 40*ms
			s.Script = []core.Action{{At: 77 * ms, Do: core.Hang, Vertex: 1, Deaf: true}, {At: 100 * ms, Do: core.Kill, Vertex: 2}}
		},
		"a savepoint behind a drain is taken ahead of the one that the job stops with": func(s *core.Setup) {
			s.Script = []core.Action{{At: 100 * ms, Do: core.Stop, Drain: true}, {At: 100 * ms, Do: core.Savepoint}}
		},
		"a sink that failed when its transaction had expired knows the checkpoint that it went back to": func(s *core.Setup) {
			s.Vertices[0].EndsAfter, s.Vertices[0].RateNum, s.Vertices[2].TransactionTimeout = 3, 10, 60*ms
			s.Options.Interval, s.Script = 0, []core.Action{{At: 139 * ms, Do: core.Stop}}
		},
		"a watermark that waits for a segment behind an answer goes on to the other channels": func(s *core.Setup) {
			s.Vertices[0].Watermarks, s.Options.AutoWatermark = core.Watermarks{On: true}, 3*ms
			s.Vertices[0].RateNum, s.Vertices[0].Payload, s.Vertices[0].Cost = 300, 1000, ms
			s.Vertices[1].Async, s.Vertices[1].Payload, s.Vertices[1].Cost = core.Async{Capacity: 1, Spread: 3 * ms, Unordered: true}, 9000, 77_777
			s.Vertices[2].Parallelism = 2
			s.Options.BufferTimeout, s.Options.SegmentSize, s.Options.BuffersPerChannel, s.Options.FloatingPerGate, s.Options.MaxOverdraft = 0, 4096, 0, 1, 0
			s.Control = core.Control{}
		},
		"commits that are refused are tried until none is left, and first of all after a restart": func(s *core.Setup) {
			s.Options.Interval, s.Options.CommitRetries = 20*ms, 2
			s.Script = []core.Action{{At: 70 * ms, Do: core.RefuseCommits, Vertex: 2, Subtask: -1, For: 30 * ms, Cost: 7 * ms}}
		},
		"commits that are refused for a while are made behind the last attempt": func(s *core.Setup) {
			s.Options.Interval = 20 * ms
			s.Script = []core.Action{{At: 70 * ms, Do: core.RefuseCommits, Vertex: 2, Subtask: -1, For: 30 * ms, Cost: 7 * ms}}
		},
		"1.18 tries again each second what is refused, also what it went back to": func(s *core.Setup) {
			s.Options.Version, s.Options.Interval, s.Duration = "1.18", 300*ms, 6*event.Second
			s.Script = []core.Action{
				{At: 700 * ms, Do: core.RefuseCommits, Vertex: 2, Subtask: -1, For: 2700 * ms, Cost: 70 * ms}, {At: 2300 * ms, Do: core.Kill, Vertex: 2},
				{At: 4 * event.Second, Do: core.RefuseCommits, Vertex: 2, Subtask: -1, For: 900 * ms},
			}
		},
		"1.18 goes round behind the end of the input until nothing is refused": func(s *core.Setup) {
			s.Options.Version, s.Options.Interval, s.Duration = "1.18", 300*ms, 6*event.Second
			s.Vertices[0].Until = 1100 * ms
			s.Script = []core.Action{{At: 700 * ms, Do: core.RefuseCommits, Vertex: 2, Subtask: -1, For: 2700 * ms, Cost: 70 * ms}}
		},
		"a drain ends event time, and all windows fire": func(s *core.Setup) {
			s.Vertices[0].Watermarks, s.Options.AutoWatermark = core.Watermarks{On: true}, 20*ms
			s.Vertices[1].Window = core.Window{Size: 500 * ms, Fire: 50_000, Entry: 10}
			s.Options.Interval, s.Script = 50*ms, []core.Action{{At: 139 * ms, Do: core.Stop, Drain: true}}
		},
		"a savepoint that the job stops with ends the source's watermarks": func(s *core.Setup) {
			s.Vertices[0].Watermarks, s.Options.AutoWatermark = core.Watermarks{On: true}, 3*ms
			s.Vertices[2].Snapshot.Sync, s.Script = 50*ms, []core.Action{{At: 139 * ms, Do: core.Stop}}
		},
		"what a finished task has sent is lost with its task manager, and its reader fails": func(s *core.Setup) {
			s.Vertices[0].EndsAfter, s.Vertices[1].Cost, s.Options.SegmentSize = 200, ms, 1024
			s.Script = []core.Action{{At: 95 * ms, Do: core.Lose}}
		},
		"what a finished task has sent is lost with its silent task manager, and nobody acknowledges its reader's credit": func(s *core.Setup) {
			s.Vertices[0].EndsAfter, s.Vertices[1].Cost, s.Options.SegmentSize, s.Duration = 200, ms, 1024, 930*event.Second
			s.Options.Interval, s.Script = 0, []core.Action{{At: 95 * ms, Do: core.Lose, Silent: true}}
		},
		"… and nobody answers the probes of its reader, which has sent nothing": func(s *core.Setup) {
			s.Vertices[0].EndsAfter, s.Options.SegmentSize, s.Duration, s.Control.Net = 10, 1024, 10*event.Second, 200*ms
			s.Options.KeepIdle, s.Options.KeepInterval, s.Options.KeepCount = 3, 1, 2
			s.Options.Interval, s.Script = 0, []core.Action{{At: 95 * ms, Do: core.Lose, Silent: true}}
		},
		"a task manager is throttled for a while, and a new one in its place is not": func(s *core.Setup) {
			s.Cluster, s.Vertices[1].Cost = core.Cluster{Slots: 1, Sharing: true}, 200_000
			s.Script = []core.Action{{At: 33 * ms, Do: core.Throttle, Times: 4500, For: 40 * ms}, {At: 110 * ms, Do: core.Throttle, Times: 3000, For: 150 * ms}, {At: 150 * ms, Do: core.Lose}}
		},
		"a throttling goes on behind a rescaling, and is prolonged": func(s *core.Setup) {
			s.Script = []core.Action{
				{At: 33 * ms, Do: core.Throttle, Vertex: 1, Times: 4500, For: 40 * ms}, {At: 60 * ms, Do: core.Throttle, Vertex: 1, Times: 2500, For: 80 * ms},
				{At: 77 * ms, Do: core.RescaleJob, Vertex: 1, Parallelism: 3},
			}
		},
		"timers of a throttled task take longer from the next one on": func(s *core.Setup) {
			s.Vertices[0].Watermarks, s.Options.AutoWatermark = core.Watermarks{On: true}, 3*ms
			s.Vertices[1].Window = core.Window{Size: 20 * ms, Fire: 300_000, Entry: 10}
			s.Script = []core.Action{{At: 41*ms + 77, Do: core.Throttle, Vertex: 1, Times: 5000, For: 60 * ms}}
		},
		"what a finished task has sent waits in its process, which stands still": func(s *core.Setup) {
			s.Vertices[0].EndsAfter, s.Vertices[1].Cost, s.Options.SegmentSize, s.Duration = 200, ms, 1024, event.Second
			s.Options.HeartbeatInterval, s.Options.HeartbeatTimeout = 10*ms, 40*ms
			s.Script = []core.Action{{At: 95 * ms, Do: core.Pause, For: 80 * ms}}
		},
		"what a finished task has sent ends with its process, which another one replaces": func(s *core.Setup) {
			s.Vertices[0].EndsAfter, s.Vertices[1].Cost, s.Options.SegmentSize, s.Duration = 200, ms, 1024, event.Second
			s.Options.HeartbeatInterval, s.Options.HeartbeatTimeout = 10*ms, 40*ms
			s.Script = []core.Action{{At: 95 * ms, Do: core.Pause, For: 80 * ms, Back: 60 * ms}}
		},
		"a source whose process stands still as it has finished a record does not wait for the next one yet": func(s *core.Setup) {
			s.Vertices[0].RateNum, s.Vertices[0].Cost = 100, ms
			s.Script = []core.Action{{At: 11 * ms, Do: core.Pause, For: 5 * ms}, {At: 31 * ms, Do: core.Pause, For: 25 * ms}}
		},
		"a source has read its last record with the cost of then": func(s *core.Setup) {
			s.Vertices[0].RateNum, s.Vertices[0].Cost = 10, 5_000
			s.Script = []core.Action{{At: ms, Do: core.Slow, Cost: 3 * ms}, {At: 3 * ms, Do: core.Pause, For: 20 * ms}}
		},
		"a record of a log without a rate is as old as its source has had it, a pause of its process included": func(s *core.Setup) {
			s.Vertices[0].RateNum, s.Vertices[0].Cost, s.Vertices[0].EndsAfter = 0, 20_000, 5
			s.Script = []core.Action{{At: 50_000, Do: core.Pause, For: 20 * ms}, {At: 2 * ms, Do: core.Pause, For: 30 * ms}}
		},
		"another rate does not wake a source that waits for output": func(s *core.Setup) {
			s.Vertices[0].RateNum, s.Vertices[2].Cost, s.Options.SegmentSize = 20_000, 200_000, 1024
			s.Control.WakeOutput = ms
			for at := 100 * ms; at < 200*ms; at += 10 * ms {
				s.Script = append(s.Script, core.Action{At: at, Do: core.Pause, For: 6 * ms}, core.Action{At: at + 1, Do: core.Rate, Subtask: -1, RateNum: 20_000 + at/ms, RatePer: event.Second})
			}
		},
		"an idle source of 1.18 reports nothing more when it has ended": func(s *core.Setup) {
			s.Options.Version, s.Options.AutoWatermark, s.Options.Interval = "1.18", 3*ms, 50*ms
			s.Vertices[0].RateNum, s.Vertices[0].Watermarks = 1000, core.Watermarks{On: true, Align: core.Alignment{Group: "a", Drift: 30 * ms, Update: 20 * ms}}
			second := s.Vertices[0]
			second.EndsAt, second.Watermarks.Idle = 59*ms, 3*ms // it reports at 40 ms, and is idle at 59 ms
			s.Script = []core.Action{{At: 45 * ms, Do: core.Rate, Vertex: 3, Subtask: -1, RateNum: 10, RatePer: event.Second}}
			s.Vertices = append(s.Vertices, second)
			s.Edges = append(s.Edges, core.Edge{From: 3, To: 1})
		},
		"what a JobManager that stands still was asked for is lost if another one leads meanwhile": func(s *core.Setup) {
			s.Script = []core.Action{
				{Do: core.Pause, Master: true, For: 90 * ms}, {Do: core.Trigger}, {At: 40 * ms, Do: core.RescaleJob, Vertex: 1, Parallelism: 1},
				{At: 49 * ms, Do: core.Elect}, {At: 50 * ms, Do: core.RescaleJob, Vertex: 1, Parallelism: 3},
			}
		},
		"a task that is gone with its task manager declines nothing, though its mailbox was closed": func(s *core.Setup) {
			s.Cluster, s.Options.Interval, s.Options.Timeout = core.Cluster{Slots: 1}, 10*ms, 40*ms
			s.Options.HeartbeatInterval, s.Options.HeartbeatTimeout = 50*ms, 100*ms
			second := s.Vertices[0]
			s.Vertices[0].EndsAfter, s.Vertices[0].Snapshot.Async = 20, 30*ms
			s.Vertices = append(s.Vertices, second)
			s.Edges = append(s.Edges, core.Edge{From: 3, To: 1})
			s.Script = []core.Action{{At: 65 * ms, Do: core.Lose, Silent: true}}
		},
		"a lost task manager is noticed by those it talks to, or only by its heartbeats": func(s *core.Setup) {
			s.Options.Interval, s.Options.HeartbeatInterval, s.Options.HeartbeatTimeout = 20*ms, 10*ms, 40*ms
			s.Script = []core.Action{{At: 77 * ms, Do: core.Lose, Vertex: 1, Back: 90 * ms}, {At: 200 * ms, Do: core.Lose, Silent: true}}
		},
		"files that lie in the metadata are used again, behind a restart as well": func(s *core.Setup) {
			changing(s)
			s.Vertices[1].Snapshot.Change, s.Script = 30, []core.Action{{At: 177 * ms, Do: core.Kill}}
		},
		"what a cancelled task has stored on its task manager is lost with that": func(s *core.Setup) {
			changing(s)
			s.Options.LocalBackup, s.Options.FromLocal, s.Cluster = true, true, core.Cluster{Slots: 1}
			s.Options.HeartbeatInterval, s.Options.HeartbeatTimeout = 10*ms, 20*ms
			s.Script = []core.Action{{At: 177 * ms, Do: core.Kill}, {At: 179 * ms, Do: core.Lose, Vertex: 1}}
		},
		"local copies go with the slots of a JobManager that leads no more": func(s *core.Setup) {
			changing(s)
			s.Options.LocalBackup, s.Options.FromLocal = true, true
			s.Script = []core.Action{{At: 177 * ms, Do: core.Elect, For: 10 * ms}}
		},
		"what a snapshot no longer had is no garbage behind a restore from it": func(s *core.Setup) {
			s.Options.Interval, s.Options.BufferTimeout, s.Options.Backend, s.Duration = 23*ms, ms, option.HashMap, 450*ms
			s.Options.Memory.FrameworkHeap, s.Options.Memory.TaskHeap = 64<<20, 8<<20
			s.Vertices[0].RateNum = 700
			s.Vertices[1].State = []core.KeyedState{{Name: "v", Keys: 100, KeyBytes: 8, ValueBytes: 40_000, WriteNum: 1, WriteDen: 1, ReadNum: 1, ReadDen: 1, TTL: 64 * ms}}
			s.Script = []core.Action{{At: 177 * ms, Do: core.Kill}}
		},
		"a savepoint that a job is rescaled from stays its user's": func(s *core.Setup) {
			changing(s)
			s.Script = []core.Action{{At: 100*ms + 1, Do: core.RescaleJob, Vertex: 1, Parallelism: 2, FromSavepoint: true}}
		},
		"the files of a native savepoint are used again, and it goes when none of them is used any more": func(s *core.Setup) {
			changing(s)
			s.Options.ClaimMode, s.Vertices[1].Snapshot.Change = option.Claim, 700
			s.Script = []core.Action{{At: 100*ms + 1, Do: core.RestoreJob, Vertex: 2, Parallelism: 2, FromSavepoint: true, Native: true}}
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := example(t)
			change(&s)
			compare(t, s)
		})
	}
}
