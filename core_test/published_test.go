package core_test

import (
	"math"
	"slices"
	"testing"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/job"
	"checkpointlab/core/sim"
)

// valueState is the published job (Flink's blog on the changelog, ValueState table; published changelog-valuestate): 50 subtasks
// on 13 task managers of 4 slots, 50,000 events a second, an interval of 10 ms, materialization every 3 min, 18.5 GB of state,
// 0.67 kB changed by an event.
//
// Fitted on the row "off": the upload rate of a task manager (3.05 GB in 5 s, less the latency, by 13 of them), the amplification
// (8.1 kB uploaded an event for 0.67 kB), and what lies between two checkpoints of that row (their mean spacing of 7.54 s less
// the 5 s of their median, for which the lab has no mechanism with one file a subtask). These three, the distribution of a
// request's latency (30 ms, 99 % below 200, none above 600) and the rate at which a log is replayed (10 MB/s a subtask) were
// chosen with the results of the row "on" in sight, so what the test says of "on" shows that one set of constants gives both
// rows; it is no blind prediction.
func valueState(on bool) core.Setup {
	s := stored(50, 4, 0, 10*event.Millisecond)
	s.Cluster.Sharing = true
	s.Vertices[0].RateNum, s.Vertices[0].RatePer = 500, event.Second // a hundred events each
	s.Vertices[1].Snapshot = core.Snapshot{Size: 370_000_000, Change: 67_000, Amplification: valueAmplification}
	s.Storage = core.Storage{On: true, PerManager: valueUpload, Latency: 30 * event.Millisecond, P99: 200 * event.Millisecond, Max: 600 * event.Millisecond, Replay: 10_000_000}
	s.Options.Changelog, s.Options.ChangelogMaterialize = on, 180*event.Second
	if !on {
		s.Options.MinPause = valuePause
	}
	s.FirstTrigger = core.AtRunning
	s.Duration = 9 * 60 * event.Second
	s.Script = []core.Action{{At: s.Duration - event.Millisecond, Do: core.Kill, Vertex: 1}}
	s.Duration += 120 * event.Second
	return s
}

const (
	valuePause         = 2540 * event.Millisecond
	valueUpload        = 55_500_000 // bytes a second of a task manager
	valueAmplification = 11_300     // per mille
)

// rows are what the table says of one run, in its second half before the failure.
type rows struct {
	spacing, p50 event.Time
	stored, full int64 // p50
	recovery     event.Time
}

func valueRows(t *testing.T, on bool) rows {
	s := valueState(on)
	l, err := core.New(s)
	if err != nil {
		t.Fatal(err)
	}
	l.Advance(s.Duration, 0)
	from, to := 240*event.Second, s.Duration-121*event.Second
	var durations, stored, full []int64
	for _, c := range completed(l) {
		if c.Triggered < from || c.Ended > to {
			continue
		}
		durations = append(durations, c.Ended-c.Triggered)
		var a, b int64
		for _, k := range c.Tasks {
			a, b = a+k.Stored, b+k.Size
		}
		stored, full = append(stored, a), append(full, b)
	}
	for _, x := range [][]int64{durations, stored, full} {
		slices.Sort(x)
	}
	n := len(durations)
	f := l.History().Failures[0]
	return rows{(to - from) / event.Time(n), durations[n/2], stored[n/2], full[n/2], f.RunningAt - f.At}
}

// TestPublishedValueState: what the changelog changes, with the constants above: counts of checkpoints in the ratio 10.8 ± 30 %, a
// median of 0.2 to 0.5 s, a recovery 1.7 to 3.3 times as long. The full size is listed and not met: published is 1.31 times that
// of "off" (1.18 to 1.44 with a tolerance of 10 %), the lab has 1.159, for the published log is longer than 3 min of changes; the
// test keeps it there.
func TestPublishedValueState(t *testing.T) {
	if testing.Short() {
		t.Skip("two runs of 11 minutes with a thousand checkpoints")
	}
	off, on := valueRows(t, false), valueRows(t, true)
	within := func(what string, got, least, most float64) {
		t.Helper()
		if t.Logf("%s %.3f", what, got); got < least || got > most {
			t.Errorf("%s is %.3f, expected %.3f to %.3f", what, got, least, most)
		}
	}
	gb, s := 1e9, float64(event.Second)
	within("fitted: off, uploaded, GB", float64(off.stored)/gb, 3.05*0.85, 3.05*1.15)
	within("fitted: off, median, s", float64(off.p50)/s, 5*0.85, 5*1.15)
	within("on, median, s", float64(on.p50)/s, 0.2, 0.5)
	within("count ratio", float64(off.spacing)/float64(on.spacing), 10.8*0.7, 10.8*1.3)
	within("listed: full-size ratio", float64(on.full)/float64(off.full), 1.159*0.98, 1.159*1.02)
	within("recovery ratio", float64(on.recovery)/float64(off.recovery), 1.7, 3.3)
}

// TestPublishedRegionCheckpoints (StreamShield, published streamshield-region): uploads that are slowed so much that a checkpoint
// does not survive them. Fitted on the row without regions, 1253 of 2326: the share of subtask uploads that kill, so that no
// kill among all has the probability 53.9 %. Merge rule, fixed beforehand: of a region in which one upload fails, the last
// successful snapshot is used again, once in a row; a checkpoint with more is none. Predicted with that, for six regions of 40
// subtasks: beside the published 93.5 %. Released Flink has no region checkpoints, and the lab's runs have none.
func TestPublishedRegionCheckpoints(t *testing.T) {
	const regions, subtasks, attempts = 6, 240, 40_000
	random := sim.NewStream(1, "streamshield")
	// 1 - (1-p)^240 = 1 - 0.539: p = 1 - 0.539^(1/240).
	p := 1 - math.Pow(0.539, 1.0/subtasks)
	whole, merged := 0, 0
	var reused [regions]bool
	for range attempts {
		var failed [regions]bool
		kills := 0
		for i := range subtasks {
			if random.Float64() < p {
				failed[i*regions/subtasks] = true
				kills++
			}
		}
		if kills == 0 {
			whole++
		}
		ok := true
		for r := range failed {
			ok = ok && !(failed[r] && reused[r])
		}
		if ok {
			merged++
			reused = failed
		}
	}
	rate := func(n int) float64 { return 100 * float64(n) / attempts }
	t.Logf("without regions %.1f %% (published 53.9), with %.1f %% (published 93.5)", rate(whole), rate(merged))
	if rate(whole) < 53.9-3 || rate(whole) > 53.9+3 {
		t.Errorf("without regions %.1f %% succeed, fitted to 53.9", rate(whole))
	}
	if rate(merged) < 85 || rate(merged) < rate(whole)+25 {
		t.Errorf("with regions %.1f %% succeed, expected far more than %.1f", rate(merged), rate(whole))
	}
}

// TestPublishedRescaling (Flink 1.16 figure, published rescale-116): 122 GB restored by 4 subtasks instead of 3. A subtask reads
// every old part whose key groups meet its own, whole; one part is cut by range deletes, which cost nothing; several are made
// one. Fitted on subtask 2 "after" (326 s and 890 s for 81.3 GB): the rate of reading and the rate of joining.
func TestPublishedRescaling(t *testing.T) {
	const maxParallel, from, to = 128, 3, 4
	const part = 122.0 / from // GB
	read, join := 2*part/326, 2*part/890
	var seconds [to]float64
	for i := range to {
		lo, hi := job.KeyGroupRange(i, to, maxParallel)
		parts := 0.0
		for k := range from {
			if a, b := job.KeyGroupRange(k, from, maxParallel); a <= hi && lo <= b {
				parts++
			}
		}
		seconds[i] = parts * part / read
		if parts > 1 {
			seconds[i] += parts * part / join
		}
	}
	t.Logf("%.0f s; published 119, 1216, 1075, 97", seconds)
	if d := seconds[2] / 1075; d < 0.75 || d > 1.25 {
		t.Errorf("subtask 3 takes %.0f s, published 1075", seconds[2])
	}
	for _, i := range []int{0, 3} {
		if seconds[i] > 0.15*seconds[1] {
			t.Errorf("subtask %d takes %.0f s, expected at most 15 %% of %.0f", i+1, seconds[i], seconds[1])
		}
	}
	if up := 1886 / slices.Max(seconds[:]); up < 1.4 || up > 1.8 {
		t.Errorf("the job restores %.2f times as fast as before (1886 s), published 1.4 to 1.8", up)
	}
}
