package closedform

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/metric"
)

// Measured is what one run of the chapter's job came to.
type Measured struct {
	Row
	Records       int64   // that became visible
	StandardError float64 // of Reprocessed
	Instants      []Instant
}

// Instant is what a failure at a random instant would have cost, read from the run without one.
type Instant struct {
	At          event.Time
	Reprocessed int64
}

// Measure runs the setup until everything that arrived in the horizon is visible, and reads the amount that would be
// reprocessed at n instants, uniform in the horizon and drawn from the seed.
func Measure(s core.Setup, n int, seed uint64) (Measured, error) {
	setHorizon(&s)
	lab, err := core.New(s)
	if err != nil {
		return Measured{}, err
	}
	m := Measured{Row: Row{Interval: s.Options.Interval}, Instants: make([]Instant, n)}
	var v core.View
	for i, at := range instants(n, seed) {
		lab.Advance(at, 0)
		lab.View(&v)
		m.Instants[i] = Instant{at, reprocessed(&s, lab.History(), &v)}
	}
	m.Reprocessed, m.StandardError = meanAndError(m.Instants)
	lab.Advance(s.Duration, 0)
	m.latencies(&lab.History().Visible)
	return m, nil
}

// setHorizon stops the log after the horizon and lets the run go on until its last checkpoint has completed.
func setHorizon(s *core.Setup) {
	s.Vertices = slices.Clone(s.Vertices)
	for i := range s.Vertices {
		if s.Vertices[i].Kind == core.Source {
			s.Vertices[i].Until = Horizon
		}
	}
	s.Duration = Horizon + s.Options.Interval + 2*event.Second
}

// instants are n uniform instants of the horizon in order.
func instants(n int, seed uint64) []event.Time {
	random := rand.New(rand.NewPCG(seed, 0))
	at := make([]event.Time, n)
	for i := range at {
		at[i] = random.Int64N(Horizon)
	}
	slices.Sort(at)
	return at
}

// reprocessed is the sources' positions now less those in the last completed checkpoint.
func reprocessed(s *core.Setup, h *core.History, v *core.View) int64 {
	var n int64
	last := lastCompleted(h)
	for i := range s.Vertices {
		if s.Vertices[i].Kind != core.Source {
			continue
		}
		for k := range v.Vertices[i].Tasks {
			t := &v.Vertices[i].Tasks[k]
			n += t.Log.Read
			if last != nil {
				n -= last.Tasks[t.Task].Offset
			}
		}
	}
	return n
}

// lastCompleted is the newest completed checkpoint, nil before the first.
func lastCompleted(h *core.History) *core.CheckpointRecord {
	for i := len(h.Checkpoints) - 1; i >= 0; i-- {
		if c := &h.Checkpoints[i]; c.Outcome == core.Completed && !c.Savepoint {
			return c
		}
	}
	return nil
}

func meanAndError(all []Instant) (mean, standardError float64) {
	n := float64(len(all))
	for _, x := range all {
		mean += float64(x.Reprocessed) / n
	}
	var squares float64
	for _, x := range all {
		d := float64(x.Reprocessed) - mean
		squares += d * d
	}
	return mean, math.Sqrt(squares / (n - 1) / n)
}

func (m *Measured) latencies(l *metric.Latencies) {
	var s metric.Selection
	s.Select(l, metric.Everything())
	seconds := func(t event.Time) float64 { return float64(t) / float64(event.Second) }
	m.Records = s.Count()
	m.Mean, m.Max = seconds(s.Mean()), seconds(s.Max())
	m.P50, m.P95, m.P99 = seconds(s.QuantileNearest(0.5)), seconds(s.QuantileNearest(0.95)), seconds(s.QuantileNearest(0.99))
}

// Reread kills the source at an instant of the same run and returns how many records were really read again.
func Reread(s core.Setup, at event.Time) (int64, error) {
	setHorizon(&s)
	s.Script = append(slices.Clone(s.Script), core.Action{At: at, Do: core.Kill, Vertex: 0, Subtask: 0})
	s.Duration = at + 60*event.Second // enough for the restart
	lab, err := core.New(s)
	if err != nil {
		return 0, err
	}
	lab.Advance(s.Duration, 0)
	f := lab.History().Failures
	if len(f) != 1 {
		return 0, fmt.Errorf("the kill at %d ns led to %d failures", at, len(f))
	}
	return f[0].Reread, nil
}

// Check compares with the exact row: latencies to one record spacing, the mean amount reprocessed to three standard
// errors. It returns what differs, empty if nothing does.
func (m *Measured) Check(exact Row) []string {
	var wrong []string
	spacing := float64(Spacing) / float64(event.Second)
	differ := func(name string, got, want, within float64) {
		if math.Abs(got-want) > within+1e-9 {
			wrong = append(wrong, fmt.Sprintf("%s is %.4f, exactly %.4f", name, got, want))
		}
	}
	differ("mean", m.Mean, exact.Mean, spacing)
	differ("p50", m.P50, exact.P50, spacing)
	differ("p95", m.P95, exact.P95, spacing)
	differ("p99", m.P99, exact.P99, spacing)
	differ("max", m.Max, exact.Max, spacing)
	differ("reprocessed", m.Reprocessed, exact.Reprocessed, 3*m.StandardError)
	if records := int64(Horizon / Spacing); m.Records != records {
		wrong = append(wrong, fmt.Sprintf("%d of %d records became visible", m.Records, records))
	}
	return wrong
}
