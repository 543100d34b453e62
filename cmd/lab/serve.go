package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

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
	if err := serve.CheckPort(c.Port); err != nil {
		return err
	}
	if !c.NoBuild {
		if err := serve.Build(c.Dir, e.told()); err != nil {
			return err
		}
	}
	o := serve.Options{Port: c.Port, Dir: c.Dir, Out: e.out}
	if e.json {
		o.Out = addressJSON{e}
	}
	return serve.Run(context.Background(), o)
}

// addressJSON turns the server's one line, which names its address once it listens, into JSON.
type addressJSON struct{ env *env }

// Write finds the address in the line.
func (a addressJSON) Write(line []byte) (int, error) {
	for _, word := range strings.Fields(string(line)) {
		if strings.HasPrefix(word, "http://") {
			return len(line), a.env.printJSON(map[string]string{"address": word})
		}
	}
	return len(line), nil
}

// buildPageCmd builds the page into a folder.
type buildPageCmd struct {
	Dir   string `arg:"" default:"dist" type:"path" help:"Folder to write; made if it does not exist."`
	Site  bool   `help:"For a static host: names by content, compressed as far as it goes, usable offline. It takes minutes."`
	Quick bool   `help:"With --site: compress quickly, a sixth larger."`
	URL   string `name:"url" placeholder:"URL" help:"With --site: the address where the folder will stand, for links that other pages show."`
}

// Run writes the page folder.
func (c *buildPageCmd) Run(e *env) error {
	build := serve.Build
	switch {
	case c.Site:
		o := serve.SiteOptions{Address: c.URL, Quick: c.Quick}
		build = func(dir string, told func(string)) error { return serve.Site(dir, o, told) }
	case c.URL != "" || c.Quick:
		return errors.New("--url and --quick are about a static site; add --site")
	}
	if err := build(c.Dir, e.told()); err != nil {
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
