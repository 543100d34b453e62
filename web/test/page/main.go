// Command page builds the page into a folder and serves it on a free port of this machine, for the browser tests. It prints
// the address in a line of its own and stops with its standard input. With -site it only makes a static site there.
package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"time"

	"checkpointlab/cmd/lab/serve"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "page:", err)
		os.Exit(1)
	}
}

func run() error {
	told := func(line string) { fmt.Fprintln(os.Stderr, line) }
	if len(os.Args) == 3 && os.Args[1] == "-site" {
		return serve.Site(os.Args[2], serve.SiteOptions{Quick: true}, told)
	}
	if len(os.Args) != 2 {
		return fmt.Errorf("usage: page [-site] FOLDER")
	}
	dir := os.Args[1]
	if err := serve.Assemble(dir, told); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: serve.Handler(os.DirFS(dir)), ReadHeaderTimeout: 5 * time.Second}
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin) // until the tests end
		_ = server.Close()
	}()
	fmt.Printf("http://%s/\n", listener.Addr())
	if err := server.Serve(listener); err != http.ErrServerClosed {
		return err
	}
	return nil
}
