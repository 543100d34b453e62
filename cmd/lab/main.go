// Command lab runs Checkpoint Lab without a page: runs and sweeps of scenarios, checks against everything the project is
// checked against, stills, and the server of the page. docs/command.md describes verbs, JSON and exit codes.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/alecthomas/kong" // verbs, flags and help from one struct, without a framework around it
)

// The exit codes.
const (
	exitOK     = 0
	exitFailed = 1 // a check failed
	exitUsage  = 2 // usage, or input that cannot be used
)

// commands is the whole command line; each verb's Run is in the file of its name.
type commands struct {
	JSON bool `help:"Print JSON with stable field names instead of text."`

	Run       runCmd       `cmd:"" help:"Run a scenario and report what it came to."`
	Sweep     sweepCmd     `cmd:"" help:"Run a scenario once per value of one setting and compare."`
	Sustain   sustainCmd   `cmd:"" help:"Find the smallest checkpoint interval that a scenario keeps up, and what binds it."`
	Verify    verifyCmd    `cmd:"" help:"Check the simulation against everything it is checked against."`
	Still     stillCmd     `cmd:"" help:"Draw a run at one instant as SVG or PNG."`
	Serve     serveCmd     `cmd:"" help:"Build the page and serve it."`
	BuildPage buildPageCmd `cmd:"" help:"Build the page into a folder for any static host."`
	Scenarios scenariosCmd `cmd:"" help:"List the scenarios."`
	Settings  settingsCmd  `cmd:"" help:"Say what a configuration comes to: what acts, and what does not."`
	Explain   explainCmd   `cmd:"" help:"Say what Flink wrote shows: answers of the REST interface, logs, metrics, thread dumps."`
	Rebuild   rebuildCmd   `cmd:"" help:"Make a scenario of what Flink wrote of a job: run it, and compare it with what was observed."`
	Options   optionsCmd   `cmd:"" help:"List Flink's options that act here, or tell what is known of one."`
}

// env is what a verb works with.
type env struct {
	in   io.Reader
	out  io.Writer
	errs io.Writer
	json bool
}

// failedError says that a check failed: the sentence is for stderr, the details are on stdout already.
type failedError string

func (e failedError) Error() string { return string(e) }

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// run is main without the process: it returns the exit code.
func run(args []string, in io.Reader, out, errs io.Writer) (code int) {
	type exit int
	defer func() {
		if p := recover(); p != nil {
			e, ok := p.(exit)
			if !ok {
				panic(p)
			}
			code = int(e)
		}
	}()
	var c commands
	parser := kong.Must(&c,
		kong.Name("lab"),
		kong.Description("Checkpoint Lab: Apache Flink's checkpoints and backpressure, simulated. Exit codes: 0 done, 1 a check failed, 2 usage or bad input."),
		kong.Writers(out, errs),
		kong.Exit(func(code int) { panic(exit(code)) }), // only --help exits
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
	)
	ctx, err := parser.Parse(args)
	if err == nil {
		err = ctx.Run(&env{in: in, out: out, errs: errs, json: c.JSON})
	} else {
		err = fmt.Errorf("%w; see lab --help", err)
	}
	return tell(err, errs)
}

// tell writes an error in one sentence on stderr and turns it into the exit code.
func tell(err error, errs io.Writer) int {
	if err == nil {
		return exitOK
	}
	for _, line := range strings.Split(strings.TrimSpace(err.Error()), "\n") {
		fmt.Fprintf(errs, "lab: %s\n", line)
	}
	var failed failedError
	if errors.As(err, &failed) {
		return exitFailed
	}
	return exitUsage
}
