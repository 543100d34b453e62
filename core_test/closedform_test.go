package core_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"checkpointlab/core/event"
	"checkpointlab/ops/closedform"
	"checkpointlab/ops/fidelity"
)

// TestChapterTableIsExact: mean, p50, p95, p99 and maximum of the visibility latency equal the exact values to one record
// spacing, every record becomes visible, and the mean amount reprocessed, read at 1,000 random instants of the same run, is
// within three standard errors of the exact one (published/closed_form, tables 1 and 2).
func TestChapterTableIsExact(t *testing.T) {
	for _, exact := range closedform.Exact() {
		t.Run(fmt.Sprintf("%ds", exact.Interval/1e9), func(t *testing.T) {
			s, err := fidelity.ChapterSetup(exact.Interval)
			if err != nil {
				t.Fatal(err)
			}
			m, err := closedform.Measure(s, 1000, 1)
			if err != nil {
				t.Fatal(err)
			}
			for _, wrong := range m.Check(exact) {
				t.Error(wrong)
			}
			confirmByKills(t, m, exact)
		})
	}
}

// confirmByKills kills the job for real at some of the instants and at the instants around a completion, where being off
// by one record or one checkpoint would show: as many records must be read again as were read from the run without a failure.
func confirmByKills(t *testing.T, m closedform.Measured, exact closedform.Row) {
	t.Helper()
	s, err := fidelity.ChapterSetup(exact.Interval)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(2, uint64(exact.Interval)))
	for range 20 {
		at := m.Instants[random.IntN(len(m.Instants))]
		got, err := closedform.Reread(s, at.At)
		if err != nil {
			t.Fatal(err)
		}
		if got != at.Reprocessed {
			t.Errorf("killed at %d ns the job reads %d records again, the run without a failure says %d", at.At, got, at.Reprocessed)
		}
	}
	// The record at the barrier's own instant belongs to the next checkpoint; reading one takes the source 1 µs.
	const beside = 2 * event.Microsecond
	completion := exact.Interval + 500*event.Millisecond
	before := min(completion, closedform.Horizon) / closedform.Spacing
	after := min(completion+closedform.Spacing, closedform.Horizon)/closedform.Spacing - exact.Interval/closedform.Spacing
	for at, want := range map[event.Time]int64{completion - beside: before, completion + beside: after} {
		if got, err := closedform.Reread(s, at); err != nil || got != want {
			t.Errorf("killed at %d ns, beside the first completion, the job reads %d records again, expected %d (%v)", at, got, want, err)
		}
	}
}

// TestCheckSeesAWrongTable: the comparison itself notices a latency that is off by two records and a mean that is off.
func TestCheckSeesAWrongTable(t *testing.T) {
	exact := closedform.Exact()[0]
	m := closedform.Measured{Row: exact, Records: 600_000, StandardError: 10}
	if wrong := m.Check(exact); len(wrong) != 0 {
		t.Errorf("the exact row differs from itself: %v", wrong)
	}
	m.P99 += 0.002
	m.Reprocessed += 31
	m.Records--
	if wrong := m.Check(exact); len(wrong) != 3 {
		t.Errorf("%d of 3 mistakes seen: %v", len(wrong), wrong)
	}
}
