package network

import (
	"errors"
	"math"
)

// The inputs for which no buffer size can be calculated.
var (
	ErrNegativeTotal = errors.New("network: the wanted size of all buffers is negative; it is throughput times target, so neither may be")
	ErrNoBuffers     = errors.New("network: no buffers in use; count at least one")
)

// EMA is the moving average of the desired buffer size (spec 5; Flink's BufferSizeEMA: in 2.3 the state is a double and only
// the result is rounded; in 1.18 and 1.20 both the desired size and the state are whole numbers, truncated). The conversions in
// Next keep the compiler from fusing operations, so that the size is the same on every machine.
type EMA struct {
	alpha, size float64
	min, max    float64
	whole       bool
}

// NewEMA starts at a size in bytes. samples is taskmanager.network.memory.buffer-debloat.samples, at least 1.
func NewEMA(start, min, max int32, samples int) EMA {
	return EMA{alpha: 2 / float64(samples+1), size: float64(start), min: float64(min), max: float64(max)}
}

// Next moves the average towards total bytes spread over the buffers in use, and returns the size in bytes. The desired size is
// capped at twice the average, so that it grows no faster than it shrinks. The errors are ErrNegativeTotal and ErrNoBuffers.
func (e *EMA) Next(total int64, buffers int) (int32, error) {
	switch {
	case total < 0:
		return 0, ErrNegativeTotal
	case buffers <= 0:
		return 0, ErrNoBuffers
	}
	wish := float64(total) / float64(buffers)
	if e.whole {
		wish = float64(total / int64(buffers))
	}
	wish = min(wish, 2*e.size)
	size := e.size + float64(e.alpha*float64(wish-e.size))
	if e.whole {
		size = float64(int64(size))
	}
	e.size = max(e.min, min(size, e.max))
	return roundHalfUp(e.size), nil
}

// roundHalfUp rounds a size, which is not negative.
func roundHalfUp(x float64) int32 {
	n := int32(x)
	if x-float64(n) >= 0.5 {
		n++
	}
	return n
}

// Debloater sizes the buffers of one input gate, so that what is in flight is consumed within the target
// (spec 5; Flink's BufferDebloater). It changes how full buffers get, never how many there are.
type Debloater struct {
	ema         EMA
	target      int64 // ms
	min, max    int32
	factor      float64 // of the last size: smaller changes are not announced
	last        int32
	estimatedMs int64
}

// Debloating holds the options of a debloater (taskmanager.network.memory.buffer-debloat.*, spec 1.2).
type Debloating struct {
	TargetMs         int64 // default 1000
	Start            int32 // taskmanager.memory.starting-segment-size
	Min              int32 // taskmanager.memory.min-segment-size
	Max              int32 // taskmanager.memory.segment-size
	ThresholdPercent int   // default 25
	Samples          int   // default 20
	Whole            bool  // the average is a whole number, cut off: 1.18 and 1.20
}

// NewDebloater starts with the size Start as if it had been announced.
func NewDebloater(o Debloating) Debloater {
	ema := NewEMA(o.Start, o.Min, o.Max, o.Samples)
	ema.whole = o.Whole
	return Debloater{
		ema: ema, target: o.TargetMs, min: o.Min, max: o.Max,
		factor: float64(o.ThresholdPercent) / 100, last: o.Start,
	}
}

// wanted is how many bytes pass in the target's time. Flink's product runs over where the target is months, and the task fails
// (BufferDebloater.recalculateBufferSize, BufferSizeEMA); here it is the greatest number, with which buffers stay whole.
func (d *Debloater) wanted(throughput int64) int64 {
	if throughput > math.MaxInt64/max(1, d.target) {
		return math.MaxInt64 / 1000
	}
	return throughput * d.target / 1000
}

// Recalculate is one run of the debloater: throughput in bytes per second, not negative, and the buffers in use, of which
// at least one is counted. It returns the size in bytes and whether it is to be announced to the senders.
func (d *Debloater) Recalculate(throughput int64, buffersInUse int) (newSize int32, announce bool) {
	buffers := max(1, buffersInUse)
	newSize, err := d.ema.Next(d.wanted(throughput), buffers)
	if err != nil {
		panic(err)
	}
	d.estimatedMs = int64(newSize) * int64(buffers) * 1000 / max(1, throughput)
	if d.Skip(newSize) {
		return newSize, false
	}
	d.last = newSize
	return newSize, true
}

// Skip reports whether a size is too near to the last announced one to announce it. The least and the greatest size are
// never too near.
func (d *Debloater) Skip(size int32) bool {
	switch {
	case size == d.last:
		return true
	case size <= d.min || size >= d.max:
		return false
	}
	return max(size-d.last, d.last-size) < int32(float64(d.last)*d.factor)
}

// LastSize is the size announced last in bytes: the metric debloatedBufferSize.
func (d *Debloater) LastSize() int32 { return d.last }

// EstimatedTimeMs is how long the buffers in use would take to be consumed at the last size and throughput: the metric
// estimatedTimeToConsumeBuffersMs.
func (d *Debloater) EstimatedTimeMs() int64 { return d.estimatedMs }
