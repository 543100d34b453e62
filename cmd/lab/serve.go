package main

import (
	"context"
	"fmt"

	"checkpointlab/cmd/lab/serve"
)

// serveCmd builds the page and serves it on this machine.
type serveCmd struct {
	Port    int    `default:"8080" help:"TCP port."`
	Dir     string `default:"dist" type:"path" help:"Folder of the page."`
	NoBuild bool   `help:"Serve the folder as it is."`
}

// Run serves until interrupted.
func (c *serveCmd) Run(e *env) error {
	if !c.NoBuild {
		if err := serve.Build(c.Dir, e.told()); err != nil {
			return err
		}
	}
	return serve.Run(context.Background(), serve.Options{Port: c.Port, Dir: c.Dir, Out: e.out})
}

// buildPageCmd builds the page for any static host.
type buildPageCmd struct {
	Dir string `arg:"" default:"dist" type:"path" help:"Folder to write; made if it does not exist."`
}

// Run writes the page folder.
func (c *buildPageCmd) Run(e *env) error {
	if err := serve.Build(c.Dir, e.told()); err != nil {
		return err
	}
	if e.json {
		return e.printJSON(map[string]string{"dir": c.Dir})
	}
	_, err := fmt.Fprintf(e.out, "the page is in %s; any static host that sends application/wasm for .wasm serves it\n", c.Dir)
	return err
}

// told passes lines of progress to stderr, or nowhere with --json.
func (e *env) told() func(string) {
	return func(line string) {
		if !e.json {
			fmt.Fprintln(e.errs, line)
		}
	}
}
