// Command page builds the page into a folder and serves it on a free port of this machine, for the browser tests. It prints
// the address in a line of its own and stops with its standard input.
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
	if len(os.Args) != 2 {
		return fmt.Errorf("usage: page FOLDER")
	}
	dir := os.Args[1]
	if err := serve.Assemble(dir, func(line string) { fmt.Fprintln(os.Stderr, line) }); err != nil {
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
