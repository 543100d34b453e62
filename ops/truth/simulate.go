package truth

import (
	"errors"
	"fmt"
	"slices"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/metric"
)

const (
	draws    = 5  // how often a setting is simulated, each time with another seed
	maxSeeds = 16 // how many are tried for a run with a failure
)

// Simulate runs the setting of a recorded run over the same window and returns what it measured, in the recorded form
// and with the recorded rounding, so that both sides are laid out by the same code: once for each of a few seeds, for which thread
// runs first is chance on both sides, and what is expected of a setting is the mean. Notes say what is not modelled.
func Simulate(r *Run) ([]Run, []string, error) {
	setup, notes, err := r.Setup()
	if err != nil {
		return nil, nil, err
	}
	all, err := simulateAll(r, setup)
	return all, notes, err
}

// simulateAll simulates the setup with the first seeds. Whether the first trigger after a start fails cannot be predicted
// (mechanisms), and after a restart it costs one whole interval of visibility: a run with a failure takes the first seeds with which as
// many checkpoints fail as were recorded, or seed 1 if there is none.
func simulateAll(r *Run, setup core.Setup) ([]Run, error) {
	var all, others []Run
	for seed := uint64(1); seed <= maxSeeds && len(all) < draws; seed++ {
		setup.Seed = seed
		out, err := simulate(r, setup)
		if err != nil {
			return nil, fmt.Errorf("run %s: %w", r.Setting.ID, err)
		}
		if failed, told := r.Counts["failed"]; r.Failure == nil || !told || out.Counts["failed"] == failed {
			all = append(all, out)
		} else if len(others) == 0 {
			others = append(others, out)
		}
	}
	if len(all) == 0 {
		return others, nil
	}
	return all, nil
}

// simulate runs the setup, with the failure if there was one.
func simulate(r *Run, setup core.Setup) (Run, error) {
	if r.fails() {
		at, err := failureInstant(r, setup)
		if err != nil {
			return Run{}, err
		}
		setup.Script = []core.Action{{At: at, Do: core.Kill, Vertex: len(setup.Vertices) - 1}}
	}
	lab, err := core.New(setup)
	if err != nil {
		return Run{}, err
	}
	return observe(lab, r), nil
}

// fails reports whether the job failed in the measurement: it says so, or a record without that was to fail by its setting.
func (r *Run) fails() bool {
	at := r.Setting.FailAt
	return r.Failure != nil || !r.spared && at != nil && r.from()+fromSeconds(*at) < r.until()
}

// The failure came up to this long after failAt, because the recording program looks once a second. Where its instant is
// recorded, the simulated checkpoints may be as much out of step with it.
const failureSlack = 1200 * event.Millisecond

// failureInstant finds where as many records would be read again as were: that number is an input, because it tells how
// long after the last completed checkpoint the failure fell (truth README). The search steps by 1 ms. It takes the
// instant that fits best, or, of those that fit to half a per cent, the one nearest to the recorded one. A record that does not tell the
// number failed when it says, or in the middle of the second in which it could have.
func failureInstant(r *Run, setup core.Setup) (event.Time, error) {
	from, near := r.from(), event.Time(0)
	told := r.Failure != nil && r.Failure.FailedAt != nil
	switch {
	case told:
		near = from + fromSeconds(float64(*r.Failure.FailedAt))
		from = max(0, near-failureSlack)
	case r.Setting.FailAt != nil:
		from += fromSeconds(*r.Setting.FailAt)
		near = from
	default:
		return 0, errors.New("it failed, but neither failed_at_s nor failAt says when")
	}
	switch {
	case near < 0 || near > r.until():
		return 0, errors.New("it failed outside of its measurement; failed_at_s, or failAt, has to lie within its seconds")
	case r.Failure == nil || r.Failure.Reread == nil:
		if !told {
			near += event.Second / 2
		}
		return near, nil
	}
	return searchInstant(setup, from, near, *r.Failure.Reread, told)
}

// searchInstant looks from an instant on.
func searchInstant(setup core.Setup, from, near event.Time, reread int64, told bool) (event.Time, error) {
	lab, err := core.New(setup)
	if err != nil {
		return 0, err
	}
	var v core.View
	var off []int64 // by step: how far from the recorded number
	for at := from; at <= near+failureSlack; at += event.Millisecond {
		lab.Advance(at, 0)
		lab.View(&v)
		off = append(off, abs(readAgain(&v)-reread))
	}
	enough := slices.Min(off)
	if told {
		enough += 1 + reread/200
	}
	best := event.Time(-1)
	for i, d := range off {
		at := from + event.Time(i)*event.Millisecond
		if d <= enough && (best < 0 || abs(at-near) < abs(best-near)) {
			best = at
		}
	}
	return best, nil
}

// readAgain is how many records the sources would read again if the job failed now.
func readAgain(v *core.View) int64 {
	var n int64
	for i := range v.Vertices {
		for k := range v.Vertices[i].Tasks {
			n += v.Vertices[i].Tasks[k].Log.ReadAgain
		}
	}
	return n
}

// readingsPerSecond is how often the gauges are read. The recorded ones were read once a second at an unknown phase
// to the checkpoints; many readings average over the phases.
const readingsPerSecond = 10

// observe advances through warm-up and measurement and collects what the recording program collected.
func observe(lab *core.Lab, r *Run) Run {
	from, until := r.from(), r.until()
	lab.Advance(from, 0)
	var v core.View
	lab.View(&v)
	g := newGauges(&v, lab.Setup())
	for i := int64(1); ; i++ {
		at := from + i*event.Second/readingsPerSecond
		if at > until {
			break
		}
		lab.Advance(at, 0)
		lab.View(&v)
		g.read(&v, i%readingsPerSecond == 0)
	}
	lab.Advance(until, 0)
	lab.View(&v)
	h := lab.History()
	seconds := float64(until-from) / float64(event.Second)
	throughput := Number(float64(h.Pipeline.Count(from, until)) / seconds)
	out := Run{
		Setting: r.Setting, FlinkVersion: r.FlinkVersion, Seconds: seconds,
		Visibility:  summary(&h.Visible, from, until),
		Pipeline:    summary(&h.Pipeline, from, until),
		Throughput:  &throughput,
		MetricsMean: g.means(),
		PerSecond:   g.perSecond(),
		Checkpoints: checkpoints(lab.Setup(), h, from),
		Failure:     failure(h, &v, from),
		Counts:      map[string]int64{"completed": v.Coord.Completed, "failed": v.Coord.FailedTotal},
	}
	return out
}

// summary is a set of latencies as the recording program writes it, in ms: records that arrived and were seen in the window.
func summary(l *metric.Latencies, from, until event.Time) map[string]Number {
	var s metric.Selection
	s.Select(l, metric.Window{SeenFrom: from, SeenTo: until, ArrivedFrom: from})
	ms := func(t event.Time) Number { return Number(float64(t) / float64(event.Millisecond)) }
	out := map[string]Number{"count": Number(s.Count())}
	if s.Count() == 0 {
		return out
	}
	out["mean"], out["max"] = ms(s.Mean()), ms(s.Max())
	for name, q := range map[string]float64{"p1.0": 0.01, "p50.0": 0.5, "p90.0": 0.9, "p95.0": 0.95, "p99.0": 0.99, "p99.9": 0.999} {
		out[name] = ms(s.Quantile(q))
	}
	return out
}

// failure is the first failure of the measurement; nil without one. Downtime is from the failure to the first record
// read again, which a source reads as soon as it runs.
func failure(h *core.History, v *core.View, from event.Time) *Failure {
	for _, f := range h.Failures {
		if f.At < from {
			continue
		}
		at, again := Number(float64(f.At-from)/float64(event.Second)), duplicates(v)
		out := &Failure{FailedAt: &at, Reread: &f.Reread, Duplicates: &again}
		if f.RunningAt > f.At {
			down := Number(float64(f.RunningAt-f.At) / float64(event.Millisecond))
			out.DowntimeMs = &down
		}
		return out
	}
	return nil
}

// duplicates is how many records became visible twice, over all sinks.
func duplicates(v *core.View) (n int64) {
	for i := range v.Vertices {
		for k := range v.Vertices[i].Tasks {
			n += v.Vertices[i].Tasks[k].Output.Duplicates
		}
	}
	return n
}

var statuses = [...]string{core.InProgress: "IN_PROGRESS", core.Completed: "COMPLETED", core.FailedCheckpoint: "FAILED"}

// checkpoints are those triggered from then on, in whole ms as the REST interface tells them, newest first. One that failed
// before it had an id is counted as failed but is in no history.
func checkpoints(s *core.Setup, h *core.History, from event.Time) []Checkpoint {
	all := []Checkpoint{}
	for i := len(h.Checkpoints) - 1; i >= 0 && h.Checkpoints[i].Triggered >= from; i-- {
		c := &h.Checkpoints[i]
		if c.ID <= 0 {
			continue
		}
		out := Checkpoint{ID: c.ID, Status: statuses[c.Outcome], Vertices: map[string][]Subtask{}}
		if c.Outcome != core.InProgress {
			out.Duration = Number(c.Duration() / event.Millisecond)
		}
		task := 0
		for v := range s.Vertices {
			for range s.Vertices[v].Parallelism {
				if task < len(c.Tasks) {
					out.Size, out.Full = out.Size+Number(c.Tasks[task].Stored), out.Full+Number(c.Tasks[task].Size)
					out.Vertices[s.Vertices[v].Name] = append(out.Vertices[s.Vertices[v].Name], subtask(&c.Tasks[task]))
				}
				task++
			}
		}
		all = append(all, out)
	}
	return all
}

func subtask(p *core.TaskPhases) Subtask {
	if p.Acked < 0 {
		return Subtask{Status: "pending_or_failed"}
	}
	return Subtask{
		Status: "completed", StartDelay: Number(p.StartDelay / event.Millisecond), Alignment: Number(p.Alignment / event.Millisecond),
		Processed: Number(p.Processed), Persisted: Number(p.Persisted),
	}
}

func abs(n int64) int64 {
	if n < 0 {
		return -n
	}
	return n
}
