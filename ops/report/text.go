package report

import (
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"
)

// recentCheckpoints is how many checkpoints the text shows; Flink's own page keeps as many (web.checkpoints.history).
const recentCheckpoints = 10

// Text writes the report for a reader: totals, latencies, the last checkpoints and what each vertex did.
func (r *Report) Text(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "scenario\t%s\n", r.Scenario)
	fmt.Fprintf(t, "simulated\t%s of Flink %s, seed %d, trace hash %s\n", seconds(r.Simulated), r.FlinkVersion, r.Seed, r.Hash)
	fmt.Fprintf(t, "throughput\t%.1f records/s processed, %.1f records/s became visible\n", r.Throughput, r.Shown)
	merged := ""
	if r.Checkpoints.Merged > 0 {
		merged = fmt.Sprintf(" (%d with a region's part of an earlier one, which no released Flink does)", r.Checkpoints.Merged)
	}
	fmt.Fprintf(t, "checkpoints\t%d completed%s, %d failed, %d in progress\n", r.Checkpoints.Completed, merged, r.Checkpoints.Failed, r.Checkpoints.InProgress)
	fmt.Fprintf(t, "reprocessed\t%d records, %d duplicates shown\n", r.Reprocessed, r.Duplicates)
	fmt.Fprintln(t)
	latencyTable(t, []string{"visibility", "pipeline", "checkpoint"}, []Latencies{r.Visibility, r.Pipeline, r.Checkpoints.Duration})
	r.checkpointTable(t)
	r.failureTable(t)
	for _, x := range r.Refusals {
		fmt.Fprintf(t, "\nrefused at %s\t%s\n", seconds(x.At), x.Words)
	}
	r.storageTable(t)
	r.taskTable(t)
	for _, f := range r.Findings {
		fmt.Fprintf(t, "\nfinding: %s\n", f)
	}
	for _, n := range r.Notes {
		fmt.Fprintf(t, "\nnote: %s\n", n)
	}
	return t.Flush()
}

func latencyTable(t io.Writer, names []string, rows []Latencies) {
	fmt.Fprintln(t, "latency (ms)\tcount\tmean\tmin\tp50\tp90\tp95\tp99\tp99.9\tmax")
	for i, l := range rows {
		if l.Count == 0 {
			fmt.Fprintf(t, "%s\t0\n", names[i])
			continue
		}
		fmt.Fprintf(t, "%s\t%d\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\n",
			names[i], l.Count, l.Mean, l.Min, l.P50, l.P90, l.P95, l.P99, l.P999, l.Max)
	}
}

func (r *Report) checkpointTable(t io.Writer) {
	h := r.Checkpoints.History
	if len(h) == 0 {
		return
	}
	fmt.Fprintln(t, "\ncheckpoint\tstatus\ttriggered\tduration\tstart delay\talignment\tsync\tasync\tin-flight stored\tstate")
	if len(h) > recentCheckpoints {
		fmt.Fprintf(t, "… %d before\n", len(h)-recentCheckpoints)
		h = h[len(h)-recentCheckpoints:]
	}
	for i := range h {
		c := &h[i]
		m := c.largest()
		status := c.Status
		if c.Reason != "" {
			status += " " + c.Reason
		}
		id := "–" // it failed before it had one
		if c.ID > 0 {
			id = strconv.FormatInt(c.ID, 10)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%d B\t%d B\n", id, status, seconds(c.Triggered/1000), millis(c.Duration),
			millis(m.StartDelay), millis(m.Alignment), millis(m.Sync), millis(m.Async), m.Persisted, m.Size)
	}
}

// largest is the greatest time over the subtasks and the sum of their sizes.
func (c *Checkpoint) largest() Subtask {
	m := Subtask{StartDelay: -1, Alignment: -1, Sync: -1, Async: -1}
	for _, s := range c.Subtasks {
		m.StartDelay, m.Alignment = max(m.StartDelay, s.StartDelay), max(m.Alignment, s.Alignment)
		m.Sync, m.Async = max(m.Sync, s.Sync), max(m.Async, s.Async)
		m.Persisted += s.Persisted
		m.Size += s.Size
	}
	return m
}

func (r *Report) failureTable(t io.Writer) {
	if len(r.Failures) == 0 {
		return
	}
	fmt.Fprintln(t, "\nfailure at\tcause\tdowntime\trestored to\tread again\tduplicates")
	for _, f := range r.Failures {
		to := fmt.Sprintf("checkpoint %d", f.RestoredTo)
		switch f.RestoredTo {
		case -1:
			to = "–"
		case 0:
			to = "the start"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%d\t%d\n", seconds(f.At), f.Cause, millis(f.Downtime), to, f.Reread, f.Duplicates)
	}
}

func (r *Report) taskTable(t io.Writer) {
	fmt.Fprintln(t, "\nsubtask\tbusy\tback-pressured\tidle (ms/s)\trecords in\trecords out")
	for _, g := range r.TaskMetrics {
		m := g.Metrics
		busy, measured := m["busyTimeMsPerSecond"]
		if !measured {
			busy = "NaN"
		}
		fmt.Fprintf(t, "%s %d\t%v\t%d\t%d\t%d\t%d\n", g.Vertex, g.Subtask, busy,
			m["backPressuredTimeMsPerSecond"], m["idleTimeMsPerSecond"], m["numRecordsIn"], m["numRecordsOut"])
	}
}

func millis(ms float64) string {
	switch {
	case ms < 0:
		return "–"
	case ms >= 10_000:
		return fmt.Sprintf("%.2f s", ms/1000)
	default:
		return fmt.Sprintf("%.1f ms", ms)
	}
}

func seconds(s float64) string { return fmt.Sprintf("%.6g s", s) }

// storageTable is what checkpoints cost.
func (r *Report) storageTable(t io.Writer) {
	s := r.Storage
	if s == nil {
		return
	}
	fmt.Fprintln(t, "\nstorage\tbytes\trequests")
	fmt.Fprintf(t, "a checkpoint\t%.0f\t%.1f\n", s.PerCheckpoint.Bytes, s.PerCheckpoint.Requests)
	fmt.Fprintf(t, "an hour\t%.0f\t%.0f\n", s.PerHour.Bytes, s.PerHour.Requests)
	fmt.Fprintf(t, "kept\t%d\t%d files\n", s.Bytes, s.Files)
	fmt.Fprintf(t, "beside the work\t%.1f %% of the threads' time\t%.2f cores, %.1f %% of the disks\n", 100*s.Sync, s.Cores, 100*s.DiskShare)
	fmt.Fprintf(t, "recovery now\t%d to read\t%s until the tasks run, %d records to read again\n", s.Recovery.Bytes, millis(s.Recovery.Total), s.Recovery.Reread)
}
