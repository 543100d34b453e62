// Command bench measures how fast the core is, as multiples of real time, and compares with what is asked of it and with a
// model in SimPy that takes every record by itself: all in one run on one machine, so that the ratios mean something.
//
//	go run ./cmd/bench [-only REGEXP] [-wasm EXEC] [-simpy PYTHON]
//
// -wasm is the program that runs WebAssembly (go_js_wasm_exec), -simpy the Python that has SimPy; without them those columns
// are empty. -json prints the results only.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// output is what a child prints with -json.
type output struct {
	Results []Result
	Seeks   Seeks
}

func run() error {
	only := flag.String("only", "", "regular expression of the cases to run")
	wasm := flag.String("wasm", "", "program that runs WebAssembly; the core is measured there, too")
	python := flag.String("simpy", "", "Python with SimPy; the same chains are simulated record by record, too")
	asJSON := flag.Bool("json", false, "print the results as JSON")
	flag.Parse()
	match, err := regexp.Compile(*only)
	if err != nil {
		return err
	}
	if *asJSON {
		out, err := measureAll(match, true)
		if err != nil {
			return err
		}
		return json.NewEncoder(os.Stdout).Encode(out)
	}
	native, err := measureAll(match, false)
	if err != nil {
		return err
	}
	t := table{native: native.Results}
	if *wasm != "" {
		if t.wasm, err = runWasm(*wasm, *only); err != nil {
			return err
		}
	}
	if *python != "" {
		if t.simpy, err = runSimPy(*python, match); err != nil {
			return err
		}
	}
	t.print(os.Stdout)
	return nil
}

// measureAll measures the cases here; as WebAssembly those with a bar there, and how long looking back takes.
func measureAll(match *regexp.Regexp, inWasm bool) (out output, err error) {
	for i := range cases {
		c := &cases[i]
		if !match.MatchString(c.Name) || inWasm && c.wasm == 0 {
			continue
		}
		r, err := measure(c)
		if err != nil {
			return out, fmt.Errorf("%s: %w", c.Name, err)
		}
		out.Results = append(out.Results, r)
	}
	if inWasm {
		out.Seeks, err = seeks()
	}
	return out, err
}

func p95(ms []float64) float64 {
	slices.Sort(ms)
	return ms[len(ms)*95/100]
}
