package fidelity

import (
	"fmt"
	"maps"
	"slices"
)

// limits bound the error of each class over the project's recorded runs, as shares: about twice what the model reaches, so that a
// change which loses a mechanism fails (mechanisms: leaving one out costs 8 % to a factor of 26). P90 0 = not bounded,
// where the recorded values themselves scatter by more (alignments of a few buffers, half-filled buffers of a light load).
var limits = map[string]struct{ Median, P90 float64 }{
	"throughput":            {0.003, 0.01},
	"visibility mean":       {0.015, 0.10},
	"visibility quantiles":  {0.015, 0.10},
	"pipeline mean":         {0.03, 0.25},
	"pipeline quantiles":    {0.035, 0.30},
	"checkpoint duration":   {0.05, 0.30},
	"checkpoints completed": {0.01, 0.10},
	"start delay":           {0.12, 0.35},
	"alignment":             {0.15, 0},
	"persisted data":        {0.03, 0.30},
	"busy":                  {0.01, 0},
	"back-pressured":        {0.01, 0.05},
	"idle":                  {0.01, 0.20},
	"records":               {0.005, 0.02},
	"bytes":                 {0.005, 0.02},
	"pool usage":            {0.03, 0.20},
	"queue length":          {0.03, 0.20},
	"debloated size":        {0.03, 0.40},
	"duplicates":            {0.10, 0.20},
	"downtime":              {0.03, 0.03},
}

// BeyondLimits says which classes of the project's own recorded runs are further off than they may be.
func BeyondLimits(r *Recorded) []string {
	var beyond []string
	seen := map[string]bool{}
	for _, c := range r.Summary {
		seen[c.Class] = true
		limit, bounded := limits[c.Class]
		if !bounded || c.Rows == 0 {
			continue
		}
		if c.Median == nil || *c.Median > limit.Median {
			beyond = append(beyond, fmt.Sprintf("%s: median error %s, limit %.1f %%", c.Class, percent(c.Median, c.Rows), 100*limit.Median))
		}
		if limit.P90 > 0 && (c.P90 == nil || *c.P90 > limit.P90) {
			beyond = append(beyond, fmt.Sprintf("%s: 90th percentile of the error %s, limit %.1f %%", c.Class, percent(c.P90, c.Rows), 100*limit.P90))
		}
	}
	for _, class := range slices.Sorted(maps.Keys(limits)) {
		if !seen[class] {
			beyond = append(beyond, class+": nothing was compared")
		}
	}
	for _, b := range r.Bars {
		if !b.Passes || b.Values == 0 {
			beyond = append(beyond, fmt.Sprintf("%s: %d values, error %s / %s, bar %s / %s", b.Group, b.Values, b.amount(b.Median), b.amount(b.P90), b.amount(&b.BarMedian), b.amount(&b.BarP90)))
		}
	}
	for i := range r.Runs {
		if r.Runs[i].Error != "" {
			beyond = append(beyond, r.Runs[i].Run+": "+r.Runs[i].Error)
		}
	}
	return beyond
}
