package main

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
)

// runWasm builds this program as WebAssembly and lets it measure.
func runWasm(executor, only string) (*output, error) {
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "bench.wasm")
	build := exec.Command("go", "build", "-o", file, "./cmd/bench")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if text, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("building WebAssembly: %w\n%s", err, text)
	}
	text, err := exec.Command(executor, file, "-json", "-only", only).Output()
	if err != nil {
		return nil, fmt.Errorf("running WebAssembly: %w", reason(err))
	}
	var out output
	return &out, json.Unmarshal(text, &out)
}

//go:embed chain.py
var chainModel string

// runSimPy gives the speed of the model in SimPy, × real time by case.
func runSimPy(python string, match *regexp.Regexp) (map[string]float64, error) {
	speeds := map[string]float64{}
	for i := range cases {
		c := &cases[i]
		if c.simpy == 0 || !match.MatchString(c.Name) {
			continue
		}
		job, err := json.Marshal(chainOf(c))
		if err != nil {
			return nil, err
		}
		text, err := exec.Command(python, "-c", chainModel, string(job)).Output()
		if err != nil {
			return nil, fmt.Errorf("the model in SimPy (pip install simpy): %w", reason(err))
		}
		var speed float64
		if err := json.Unmarshal(text, &speed); err != nil {
			return nil, err
		}
		speeds[c.Name] = speed
	}
	return speeds, nil
}

// chain is what the model in SimPy is told of a case; times in s, sizes in bytes.
type chain struct {
	Parallelism []int     `json:"parallelism"`
	Cost        []float64 `json:"cost"`
	Rate        float64   `json:"rate"` // records a second in each source subtask; 0 = as fast as it can
	Record      int       `json:"record"`
	Segment     int       `json:"segment"`
	Pool        int       `json:"pool"`   // segments of a partition, for each channel
	Credit      int       `json:"credit"` // buffers that a receiver holds for each channel
	Flush       float64   `json:"flush"`
	Interval    float64   `json:"interval"` // of checkpoints
	Span        float64   `json:"span"`
	Net         float64   `json:"net"`
}

// chainOf reads a case's setup.
func chainOf(c *benchCase) chain {
	s := c.setup()
	out := chain{
		Record: int(s.Vertices[0].Payload + s.Overhead), Segment: int(s.Options.SegmentSize), Pool: 4, Credit: 2,
		Flush: inSeconds(s.Options.BufferTimeout), Interval: inSeconds(s.Options.Interval), Span: min(20, inSeconds(c.span)), Net: inSeconds(s.Control.Net),
	}
	for i := range s.Vertices {
		v := &s.Vertices[i]
		cost := inSeconds(v.Cost)
		if v.Cost < 0 {
			cost = 0.6e-6
		}
		out.Parallelism, out.Cost = append(out.Parallelism, v.Parallelism), append(out.Cost, cost)
	}
	if v := &s.Vertices[0]; v.RateNum > 0 {
		out.Rate = float64(v.RateNum) / inSeconds(v.RatePer)
	}
	return out
}

// reason adds what a child said.
func reason(err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return fmt.Errorf("%w\n%s", err, exit.Stderr)
	}
	return err
}
