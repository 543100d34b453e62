// Package truth compares the simulation with recorded runs of a real Flink.
//
// A recorded run is a setting and what was measured (run.go). The setting becomes a core.Setup (setup.go), is simulated
// over the same window (simulate.go), and both sides are laid out as the same named measures (measure.go), joined into
// rows with a ratio and condensed into a median and a 90th percentile per class of measures (compare.go), which are held to bars (bars.go).
package truth

import (
	"bufio"
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Run is one recorded run.
type Run struct {
	Setting      Setting                      `json:"setting"`
	Error        string                       `json:"error"` // the real run failed
	FlinkVersion string                       `json:"flink_version"`
	Seconds      float64                      `json:"seconds"`    // length of the measurement
	Throughput   *Number                      `json:"throughput"` // records/s that the sinks processed
	Visibility   map[string]Number            `json:"visibility_ms"`
	Pipeline     map[string]Number            `json:"pipeline_ms"`
	MetricsMean  map[string]map[string]Number `json:"metrics_mean"`
	PerSecond    map[string]map[string]Number `json:"per_second_sum_over_subtasks"`
	Failure      *Failure                     `json:"failure"`
	Counts       map[string]int64             `json:"counts"`
	Checkpoints  []Checkpoint                 `json:"checkpoints"`
	Unknown      []string                     `json:"-"` // keys that this version does not know, and does not compare
	spared       bool                         // it says that the failure its setting asks for did not come
}

// Setting is what a run was started with; absent fields have the value that the recording program gives them.
type Setting struct {
	ID         string            `json:"id"`
	Seconds    *float64          `json:"seconds"`
	Warm       *float64          `json:"warm"`
	Flink      map[string]string `json:"flink"`
	Sources    int               `json:"sources"`
	Maps       int               `json:"maps"`
	Sinks      int               `json:"sinks"`
	Rate       float64           `json:"rate"`
	Rate2      *float64          `json:"rate2"`
	Bytes      *int32            `json:"bytes"`
	MapMicros  float64           `json:"mapMicros"`
	SinkMicros float64           `json:"sinkMicros"`
	SyncMillis int64             `json:"syncMillis"`
	ValueBytes int64             `json:"valueBytes"`
	Immediate  flag              `json:"immediate"`
	NoMap      flag              `json:"noMap"`
	Rebalance  flag              `json:"rebalance"`
	Rebalance2 flag              `json:"rebalance2"`
	FailAt     *float64          `json:"failAt"`
	Keys       int               `json:"keys"`
	HotShare   float64           `json:"hotShare"`
	Unknown    []string          `json:"-"` // keys that this version does not know
}

// flag is a key whose presence alone acts, whatever its value.
type flag = json.RawMessage

// Failure is what a failure cost in a recorded run. What is absent was not measured.
type Failure struct {
	FailedAt   *Number `json:"failed_at_s"` // seconds into the measurement; absent in older runs
	Reread     *int64  `json:"reread"`
	Duplicates *int64  `json:"duplicates"`
	Committed  *int64  `json:"committed"`
	DowntimeMs *Number `json:"downtime_ms"`
}

// Checkpoint is one checkpoint that was triggered in the measurement, as the REST interface told it. Times ms, sizes bytes; what is
// absent is not a number.
type Checkpoint struct {
	ID       int64                `json:"id"`
	Status   string               `json:"status"`
	Duration Number               `json:"end_to_end_duration"`
	Size     Number               `json:"checkpointed_size"`
	Full     Number               `json:"state_size"`
	Vertices map[string][]Subtask `json:"vertices"`
}

// Subtask is one subtask's part of a checkpoint.
type Subtask struct {
	Status     string `json:"status"`
	StartDelay Number `json:"start_delay"`
	Alignment  Number `json:"alignment"`
	Processed  Number `json:"processed"`
	Persisted  Number `json:"persisted"`
}

//go:embed testdata/runs.jsonl.gz
var recorded []byte

// Recorded are the runs that the project is checked against.
func Recorded() ([]Run, error) { return Parse("recorded runs", bytes.NewReader(recorded)) }

//go:embed testdata/heldout.jsonl.gz
var heldOut []byte

// HeldOut are runs that were recorded after the model was made, with settings unlike those of Recorded; testdata/README.md says
// how, and that their machine was a busy one.
func HeldOut() ([]Run, error) { return Parse("held-out runs", bytes.NewReader(heldOut)) }

// mostLine bounds a line, in bytes: a file, or what is packed in it, may have no end. The longest recorded run has 73 kb.
const mostLine = 16 << 20

// Parse reads one run a line, plain or compressed with gzip. name is used in errors.
func Parse(name string, r io.Reader) ([]Run, error) {
	in := bufio.NewReaderSize(r, 1<<16)
	if magic, _ := in.Peek(2); len(magic) == 2 && magic[0] == 0x1f && magic[1] == 0x8b {
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, fmt.Errorf("%s is no whole gzip file: %v; pack it again, or give it plain", name, err)
		}
		in = bufio.NewReaderSize(z, 1<<16)
	}
	var runs []Run
	line, lines := 0, bufio.NewScanner(in)
	for lines.Buffer(nil, mostLine); lines.Scan(); {
		line++
		text := lines.Text()
		if strings.TrimSpace(text) == "" {
			continue
		}
		run, bad := parseLine(text)
		if bad != nil {
			return nil, fmt.Errorf("%s line %d: %v; each line must be one recorded run as a JSON object with a setting", name, line, bad)
		}
		runs = append(runs, run)
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, fmt.Errorf("%s line %d is longer than %d mb; each line must be one recorded run as a JSON object", name, line+1, mostLine>>20)
	case err != nil:
		return nil, fmt.Errorf("%s cannot be read on from line %d: %v; give a whole file, plain or gzipped", name, line+1, err)
	}
	if len(runs) == 0 {
		return nil, fmt.Errorf("%s holds no run; each line must be one recorded run as a JSON object", name)
	}
	return runs, nil
}

func parseLine(text string) (Run, error) {
	var run Run
	if err := json.Unmarshal([]byte(text), &run); err != nil {
		return run, err
	}
	if run.Setting.ID == "" {
		return run, fmt.Errorf("setting.id is missing")
	}
	if run.FlinkVersion == "" {
		run.FlinkVersion = versionOf(run.Setting.ID)
	}
	run.Unknown = unknownOf(text)
	if f := run.Failure; f != nil && f.never() {
		run.Failure, run.spared = nil, true
	}
	return run, nil
}

// never reports that the failure which a setting asks for did not come in the measurement: then the recording program writes an instant
// long before it.
func (f *Failure) never() bool { return f.FailedAt != nil && *f.FailedAt < 0 }

// versionOf is the version of a run that does not tell it: its id does (truth README).
func versionOf(id string) string {
	if strings.HasPrefix(id, "v120-") {
		return "1.20.1"
	}
	return "2.3.0"
}
