package main

import (
	"runtime"
	"time"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/metric"
	"checkpointlab/core/timeline"
)

// Result is what several runs of a case came to.
type Result struct {
	Name     string
	Speed    float64 // × real time, preparing included
	Start    float64 // seconds to prepare
	Memory   float64 // MB that the process holds behind it
	Buffers  uint64  // sent
	PerEvent float64 // ns a buffer, without preparing
	Records  int64   // processed by the sinks, each with its latency
	P99      float64 // ms: the exact quantile
}

// enough is for how long a case is repeated, leastRuns times at least; most of the time something else runs, too.
const (
	enough    = 3 * time.Second
	leastRuns = 3
	repeat    = 100
)

// laps is in how many parts a run is timed. Of each part its least time over all runs counts, so that what else the machine
// does meanwhile, a collection of garbage included, is left out as far as it can be.
const laps = 60

// measure runs a case several times.
func measure(c *benchCase) (r Result, err error) {
	setup := c.setup()
	var least times
	for began, n := time.Now(), 0; n < leastRuns || n < repeat && time.Since(began) < enough; n++ {
		var t times
		if r, t, err = once(c, setup); err != nil {
			return r, err
		}
		if n == 0 {
			least = t
		}
		for i := range t {
			least[i] = min(least[i], t[i])
		}
		if time.Since(began) > 10*enough {
			break
		}
	}
	took := time.Duration(0)
	for _, t := range least {
		took += t
	}
	r.Speed, r.Start = inSeconds(c.span)/took.Seconds(), least[0].Seconds()
	r.PerEvent = float64((took - least[0]).Nanoseconds()) / float64(max(1, r.Buffers))
	return r, nil
}

// times are those of a run: to prepare it, of its slices, and to read the quantiles.
type times [laps + 2]time.Duration

// once computes one run with its recorder, and reads the quantiles.
func once(c *benchCase, setup core.Setup) (r Result, t times, err error) {
	runtime.GC()
	began, n := time.Now(), 0
	lap := func() {
		now := time.Now()
		t[n], began = now.Sub(began), now
		n++
	}
	lab, err := core.New(setup)
	if err != nil {
		return r, t, err
	}
	lap()
	for i := range laps {
		lab.Advance(c.span*event.Time(i+1)/laps, 0)
		lap()
	}
	var s metric.Selection
	s.Select(&lab.History().Pipeline, metric.Everything())
	p99 := s.QuantileNearest(0.99)
	lap()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return Result{
		Name: c.Name, Memory: float64(m.Sys) / (1 << 20), Buffers: lab.Buffers(), Records: s.Count(), P99: float64(p99) / float64(event.Millisecond),
	}, t, nil
}

func inSeconds(t event.Time) float64 { return float64(t) / float64(event.Second) }

// Seeks are the times of looking back, in ms: the 95th of 100 seeks and steps.
type Seeks struct{ Seek, Back float64 }

// seeks measures looking at any instant of a ten-minute 4-4-4 run and going one event back.
func seeks() (Seeks, error) {
	setup := backpressured(4)
	line, err := timeline.New(setup)
	if err != nil {
		return Seeks{}, err
	}
	for !line.Extend(1 << 16) {
	}
	at, times, back := event.Time(1), make([]float64, 0, 200), make([]float64, 0, 200)
	for range 200 {
		at = (at*6364136223846793005 + 1442695040888963407) & (1<<62 - 1)
		began := time.Now()
		line.At(at % setup.Duration)
		times = append(times, time.Since(began).Seconds()*1000)
		began = time.Now()
		line.StepBack()
		back = append(back, time.Since(began).Seconds()*1000)
	}
	return Seeks{p95(times), p95(back)}, nil
}
