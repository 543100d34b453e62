package truth

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"checkpointlab/core"
	"checkpointlab/core/event"
)

// What the recording program adds by itself (truth, "Facts of the measuring program"; its source).
const (
	logLead     = 460 * event.Millisecond  // the virtual log begins to fill that long before the tasks run
	warmDelay   = 2970 * event.Millisecond // warm begins that long after all tasks run
	defaultWarm = 10.0                     // s
	defaultLoad = 100                      // bytes of payload
	defaultKeys = 1024
	// What network threads take for 1,000 bytes. A sender writes the buffers of a burst 45 to 65 µs apart (32 kb; 61 to 69 µs of
	// processor time at 830 buffers a second). A receiver takes 76 to 82 µs at that rate; at the 22 buffers a second of a slow
	// sink its caches are cold: 238 µs where a map's record took 1.37 µs, 0.62 µs in the recorded runs, hence 108 to 115 µs.
	// The recorded cluster had two cores, and while a task works through a burst the other one is left for the network.
	sendTime    = 2000
	receiveTime = 3500
	// From a segment's return until the thread that waited for it writes again, while network threads have the two cores: drawn evenly from
	// 0.1 to 1.3 ms. It shows behind each alignment. What the sender has queued then leaves, and where that is all of it, the buffer that is
	// being written to leaves in two parts, of which the first takes a whole place of the receiver's: a checkpoint that is triggered while it
	// lies there ends a buffer earlier. With one subtask a vertex 16 of 19 checkpoints did (bp-111), with two 32 of 104 (bp-222, -again,
	// -excl4, -debloat, skew-222-50, v120-bp-222). Means of 0.5 to 0.8 ms fit equally, without it coord-concurrent3 took 4 % too long and bp-111 2 %.
	wakeOutput = 100 * event.Microsecond
	wakeSpread = 1200 * event.Microsecond
	// Until a subtask's data in flight is written, by the asynchronous parts of 804 subtasks with some: 1 to 4 ms, 2.4 ms in the mean,
	// whatever their bytes.
	inFlightTime = 2400 * event.Microsecond
	// A task manager of a cluster in one process (LocalExecutor): 128 mb of managed memory, and the heap is the process's.
	clusterManaged = 128 << 20
	clusterHeap    = 1 << 30
	sourceState    = 258 // bytes that the recorded source stores
	millionths     = 1_000_000
	defaultSeconds = 40.0
)

// frameworkOptions are set by the recording program for every run, under the setting's own.
var frameworkOptions = map[string]string{
	"restart-strategy.type":                 "fixed-delay",
	"restart-strategy.fixed-delay.attempts": "1000",
	"restart-strategy.fixed-delay.delay":    "1 s",
}

// Setup is the simulation's setup of a recorded run, without its failure, and notes on what of the setting is not modelled.
func (r *Run) Setup() (core.Setup, []string, error) {
	s := &r.Setting
	options, notes, err := s.options(r.FlinkVersion, r.Error != "")
	if err != nil {
		return core.Setup{}, nil, fmt.Errorf("run %s: %w", s.ID, err)
	}
	if len(s.Unknown) > 0 {
		notes = append(notes, "setting "+strings.Join(s.Unknown, ", ")+" is not known and does not act")
	}
	if len(r.Unknown) > 0 {
		notes = append(notes, strings.Join(r.Unknown, ", ")+" is not known and compared with nothing")
	}
	setup := core.Setup{
		Options:      options,
		Duration:     r.until(),
		Seed:         1,
		Keys:         orDefault(s.Keys, defaultKeys),
		HotShareMill: int64(math.Round(min(max(s.HotShare, 0), 1) * millionths)),
		Overhead:     47,
		MaxParallel:  max(0, options.MaxParallelism), // else it is derived as Flink does
		FirstTrigger: core.AtRunning,
		FlusherPhase: core.PhaseAligned,
		Control:      core.MeasuredControl(),
	}
	setup.Control.LogLead, setup.Control.InFlight = logLead, inFlightTime
	setup.Control.Send, setup.Control.Receive = sendTime, receiveTime
	setup.Control.WakeOutput, setup.Control.WakeSpread = wakeOutput, wakeSpread
	setup.Options.Memory.Managed, setup.Options.Memory.TaskHeap = clusterManaged, clusterHeap
	s.job(&setup)
	return setup, notes, nil
}

// job adds vertices and edges: source → map → sink, or source → sink, or two sources → map → sink.
func (s *Setting) job(setup *core.Setup) {
	sources := orDefault(s.Sources, 1)
	add := func(v core.Vertex) int {
		setup.Vertices = append(setup.Vertices, v)
		return len(setup.Vertices) - 1
	}
	connect := func(from, to int, roundRobin json.RawMessage) {
		p := core.Hash
		if roundRobin != nil {
			p = core.Rebalance
		}
		setup.Edges = append(setup.Edges, core.Edge{From: from, To: to, Partition: p})
	}
	last := add(s.source("source", sources, s.Rate))
	switch {
	case s.Rate2 != nil:
		second := add(s.source("source2", sources, *s.Rate2))
		both := add(s.mapVertex())
		connect(last, both, nil)
		connect(second, both, nil)
		last = both
	case s.NoMap == nil:
		m := add(s.mapVertex())
		roundRobin := s.Rebalance
		if s.keyed() {
			roundRobin = nil // keyed state needs keys
		}
		connect(last, m, roundRobin)
		last = m
	}
	connect(last, add(s.sink()), s.Rebalance2)
}

func (s *Setting) source(name string, parallelism int, rate float64) core.Vertex {
	v := core.Vertex{Name: name, Kind: core.Source, Parallelism: parallelism, Cost: -1, Payload: defaultLoad}
	if s.keyed() {
		v.Snapshot.Size = sourceState
	}
	if s.Bytes != nil {
		v.Payload = *s.Bytes
	}
	if rate > 0 {
		v.RateNum, v.RatePer = rateOf(rate)
	}
	return v
}

// rateOf expresses records a second as whole records per whole ns.
func rateOf(perSecond float64) (num int64, per event.Time) {
	per = event.Second
	for range 6 {
		if whole := perSecond * float64(per/event.Second); whole == math.Trunc(whole) || whole > mostRate {
			break
		}
		per *= 10
	}
	return int64(math.Round(min(perSecond*float64(per/event.Second), mostRate))), per
}

// mostRate is far more than a source can read, and its logs than the lab takes.
const mostRate = 1e12

// keyed reports whether the job has keyed state: only a map with one input keeps some.
func (s *Setting) keyed() bool { return s.ValueBytes > 0 && s.Rate2 == nil && s.NoMap == nil }

func (s *Setting) mapVertex() core.Vertex {
	v := core.Vertex{Name: "map", Kind: core.Map, Parallelism: orDefault(s.Maps, 1), Cost: costOf(s.MapMicros, core.MapCost)}
	if s.keyed() { // a byte[] is written with its length, an Integer key in 4 bytes
		v.State = []core.KeyedState{{Name: "v", Keys: int64(orDefault(s.Keys, defaultKeys)), KeyBytes: 4, ValueBytes: int32(s.ValueBytes) + 4}}
	}
	return v
}

func (s *Setting) sink() core.Vertex {
	v := core.Vertex{Name: "sink", Kind: core.Sink, Parallelism: orDefault(s.Sinks, 1), Cost: costOf(s.SinkMicros, core.SinkCost)}
	v.Snapshot.Sync = s.SyncMillis * event.Millisecond
	if s.Immediate != nil {
		v.Guarantee = core.AtLeastOnce
	}
	return v
}

// costOf is ns per record: the setting's, which the recording program keeps by sleeping, but no less than what a record takes without sleep.
func costOf(micros float64, least event.Time) event.Time {
	return max(event.Time(min(micros, mostMicros)*float64(event.Microsecond)), least)
}

const mostMicros = 1e9 // more than the lab takes

// from is when the measurement begins, in simulated time: after all tasks run at 0.
func (r *Run) from() event.Time {
	warm := defaultWarm
	if r.Setting.Warm != nil {
		warm = *r.Setting.Warm
	}
	return warmDelay + fromSeconds(warm)
}

// until is when it ends.
func (r *Run) until() event.Time {
	if r.Seconds > 0 {
		return r.from() + fromSeconds(r.Seconds)
	}
	if s := r.Setting.Seconds; s != nil {
		return r.from() + fromSeconds(*s)
	}
	return r.from() + fromSeconds(defaultSeconds)
}

// fromSeconds is a span, at most a year: more than the lab takes.
func fromSeconds(s float64) event.Time {
	return event.Time(min(max(s, -mostSeconds), mostSeconds) * float64(event.Second))
}

const mostSeconds = 365 * 24 * 3600

func orDefault(v, fallback int) int {
	if v == 0 {
		return fallback
	}
	return v
}
