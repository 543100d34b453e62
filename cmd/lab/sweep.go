package main

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"

	"checkpointlab/core/event"
	"checkpointlab/ops/parallel"
	"checkpointlab/ops/report"
)

// sweepCmd runs a scenario once per value of one setting.
type sweepCmd struct {
	runArgs
	Over []string `required:"" sep:"none" placeholder:"KEY=V1,V2,…" help:"The setting to vary and its values."`
}

// sweepRun is one run of a sweep.
type sweepRun struct {
	Value  string        `json:"value"`
	Report report.Report `json:"report"`
}

// Run prints one line per value, or with --json the reports.
func (c *sweepCmd) Run(e *env) error {
	if len(c.Over) > 1 {
		return fmt.Errorf("--over is given %d times; vary one setting, and give the others with --set", len(c.Over))
	}
	key, values, err := splitOver(c.Over[0])
	if err != nil {
		return err
	}
	variants := make([]*scenario, len(values))
	untils := make([]event.Time, len(values))
	for i, v := range values {
		one := c.runArgs
		one.Set = append(append([]string{}, c.Set...), key+"="+v)
		if variants[i], err = one.load(e); err != nil {
			return err
		}
		if untils[i], err = one.until(variants[i]); err != nil {
			return err
		}
	}
	runs := make([]sweepRun, len(values))
	for i := range runs {
		runs[i].Value = values[i]
	}
	if err := runAll(e, runs, variants, untils); err != nil {
		return err
	}
	if e.json {
		return e.printJSON(map[string]any{"scenario": variants[0].name, "over": key, "runs": runs})
	}
	return sweepTable(e, key, runs)
}

func splitOver(over string) (key string, values []string, err error) {
	key, list, _ := strings.Cut(over, "=")
	for _, v := range strings.Split(list, ",") {
		values = append(values, strings.TrimSpace(v))
	}
	if key == "" || slices.Contains(values, "") {
		return "", nil, fmt.Errorf("--over %q names no values, or an empty one; write KEY=V1,V2,… such as execution.checkpointing.interval=1s,10s", over)
	}
	return strings.TrimSpace(key), values, nil
}

// runAll simulates the variants, as many at a time as there are processors, which share the machine's memory.
func runAll(e *env, runs []sweepRun, variants []*scenario, untils []event.Time) error {
	errs := make([]error, len(variants))
	together := int64(min(len(variants), runtime.GOMAXPROCS(0)))
	parallel.Each(len(variants), func(i int) {
		variants[i].setup.MostMemory /= together
		runs[i].Report, errs[i] = simulate(variants[i], untils[i], e.progress(fmt.Sprintf("sweep, run %d of %d (%s)", i+1, len(runs), runs[i].Value)))
	})
	return errors.Join(errs...)
}

func sweepTable(e *env, key string, runs []sweepRun) error {
	t := tabwriter.NewWriter(e.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, key+"\tprocessed/s\tvisible/s\tvisibility mean\tp50\tp99\tmax (ms)\tpipeline mean\tp99 (ms)\tcheckpoint mean (ms)\tcompleted\tfailed\treprocessed\tduplicates")
	for _, r := range runs {
		p := &r.Report
		v, l, c := &p.Visibility, &p.Pipeline, &p.Checkpoints
		times := cells(v.Count, v.Mean, v.P50, v.P99, v.Max) + cells(l.Count, l.Mean, l.P99) + cells(c.Duration.Count, c.Duration.Mean)
		fmt.Fprintf(t, "%s\t%.1f\t%.1f\t%s%d\t%d\t%d\t%d\n", r.Value, p.Throughput, p.Shown, times, c.Completed, c.Failed, p.Reprocessed, p.Duplicates)
	}
	return t.Flush()
}

// cells are times in ms, or dashes if there was nothing to measure.
func cells(count int64, ms ...float64) string {
	var b strings.Builder
	for _, v := range ms {
		if count == 0 {
			b.WriteString("–\t")
		} else {
			fmt.Fprintf(&b, "%.1f\t", v)
		}
	}
	return b.String()
}
