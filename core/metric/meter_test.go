package metric

import (
	"testing"

	"checkpointlab/core/event"
)

// A meter divides by its whole span, also while it is younger than that (MeterView.update).
func TestMeterRisesForAMinute(t *testing.T) {
	m := NewMeter(GaugeSpan, GaugeStep)
	for k := int64(1); k <= 20; k++ {
		m.Update(600 * k) // 120 a second
		if want := float64(10 * min(k, 12)); m.Rate() != want {
			t.Errorf("after %d updates %g a second, want %g", k, m.Rate(), want)
		}
	}
	for k := range int64(12) {
		if m.Update(12_000); m.Rate() != float64(10*(11-k)) {
			t.Errorf("%d updates after the end %g a second", k+1, m.Rate())
		}
	}
}

func TestMetersOfOddSpansAreMistakes(t *testing.T) {
	for _, c := range [][2]event.Time{{GaugeStep - 1, GaugeStep}, {65 * event.Second, GaugeStep}, {1500 * ms, 500 * ms}, {GaugeSpan, 0}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("a meter over %d in steps of %d", c[0], c[1])
				}
			}()
			NewMeter(c[0], c[1])
		}()
	}
}

// What is booked counts like what is measured.
func TestBookedTimeIsAsMeasured(t *testing.T) {
	a, b := NewTimeGauge(GaugeSpan, GaugeStep), NewTimeGauge(GaugeSpan, GaugeStep)
	a.Start(ms)
	a.End(40 * ms)
	b.Book(39*ms, 39*ms)
	a.Update(GaugeStep)
	b.Update(GaugeStep)
	if a.Value() != b.Value() || a.Longest() != b.Longest() || a.Accumulated() != b.Accumulated() {
		t.Errorf("%+v, booked %+v", a, b)
	}
}
