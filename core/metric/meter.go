package metric

import "checkpointlab/core/event"

// Meter is one of Flink's "…PerSecond" meters of a counter: how much that has grown over the last minute (MeterView). It divides by the
// whole span from the start on, so that it rises for the first minute although the counter grows evenly.
type Meter struct {
	ring     [maxSteps + 1]int64 // the counter at the last updates
	size, at int8                // places of ring in use; the newest one
	span     event.Time
}

// NewMeter is a meter over span in steps of step (ns), of a counter that is 0. Flink's own are over GaugeSpan in steps of GaugeStep.
// It panics if span is not 1 … 12 steps of whole seconds.
func NewMeter(span, step event.Time) Meter {
	if step <= 0 || span < step || span/step > maxSteps || span%event.Second != 0 {
		panic("metric: a meter has 1 to 12 steps, of whole seconds together")
	}
	return Meter{size: int8(span/step) + 1, span: span}
}

// Update notes the counter at the end of a step. Flink does it every GaugeStep.
func (m *Meter) Update(count int64) {
	m.at = (m.at + 1) % m.size
	m.ring[m.at] = count
}

// Rate is the meter's reading in events per second, as of the last Update.
func (m *Meter) Rate() float64 {
	return float64(m.ring[m.at]-m.ring[(m.at+1)%m.size]) / float64(m.span/event.Second)
}
