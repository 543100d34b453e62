package main

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// table is everything that was measured in one run of the program.
type table struct {
	native []Result
	wasm   *output
	simpy  map[string]float64
}

// print shows each measure beside what is asked; a measure without the program that it takes is left out.
func (t *table) print(to io.Writer) {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	defer w.Flush()
	fmt.Fprintln(w, "run\tmeasure\tmeasured\tasked\t")
	perBuffer := map[string]float64{}
	for i := range t.native {
		r := &t.native[i]
		c := caseOf(r.Name)
		perBuffer[r.Name] = r.PerEvent
		atLeast(w, r.Name, "× real time", r.Speed, c.bar)
		fmt.Fprintf(w, "%s\tns a buffer\t%.0f\t\t\n", r.Name, r.PerEvent)
		fmt.Fprintf(w, "%s\tlatencies recorded; p99 in ms\t%d; %.1f\t\t\n", r.Name, r.Records, r.P99)
		if c.start > 0 {
			atMost(w, r.Name, "s to start", r.Start, c.start)
		}
		if c.memory > 0 {
			atMost(w, r.Name, "MB", r.Memory, c.memory)
		}
		if speed := t.simpy[r.Name]; speed > 0 {
			fmt.Fprintf(w, "%s\tSimPy, × real time\t%.1f\t\t\n", r.Name, speed)
			atLeast(w, r.Name, "× SimPy", r.Speed/speed, c.simpy)
		}
	}
	if two, wide := perBuffer["back-pressured 2-2-2"], perBuffer["hash, parallelism 1,000"]; two > 0 && wide > 0 {
		atMost(w, "a buffer at 1,000", "× one at 2", wide/two, 3)
	}
	if t.wasm == nil {
		return
	}
	for i := range t.wasm.Results {
		r := &t.wasm.Results[i]
		atLeast(w, r.Name, "× real time in WebAssembly", r.Speed, caseOf(r.Name).wasm)
	}
	atMost(w, "4-4-4, 10 min", "ms to seek in WebAssembly, p95", t.wasm.Seeks.Seek, 100)
	atMost(w, "4-4-4, 10 min", "ms for one event back in WebAssembly, p95", t.wasm.Seeks.Back, 50)
}

func caseOf(name string) *benchCase {
	for i := range cases {
		if cases[i].Name == name {
			return &cases[i]
		}
	}
	panic("bench: no case " + name)
}

func atLeast(w io.Writer, name, what string, got, bar float64) {
	line(w, name, what, got, bar, "≥", got >= bar)
}
func atMost(w io.Writer, name, what string, got, bar float64) {
	line(w, name, what, got, bar, "≤", got <= bar)
}

func line(w io.Writer, name, what string, got, bar float64, sign string, ok bool) {
	verdict := "pass"
	if !ok {
		verdict = "miss"
	}
	fmt.Fprintf(w, "%s\t%s\t%.4g\t%s %g\t%s\n", name, what, got, sign, bar, verdict)
}
