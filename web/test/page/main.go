// Command page builds the page into a folder and serves it on a free port of this machine, for the browser tests. It prints
// the address in a line of its own and stops with its standard input. Beside the page stands empty.html, a page with
// Ebitengine and nothing else. With -site it only makes a static site there.
package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
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
	if len(os.Args) != 2 || strings.HasPrefix(os.Args[1], "-") {
		return fmt.Errorf("usage: page [-site] FOLDER")
	}
	dir := os.Args[1]
	if err := empty(dir); err != nil {
		return err
	}
	if err := serve.Build(dir, told); err != nil {
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

// empty puts the page beside the lab that its start is compared with, compiled as the lab is.
func empty(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	from := filepath.Join("web", "test", "empty")
	for _, name := range []string{"empty.html", "empty.js"} {
		data, err := os.ReadFile(filepath.Join(from, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), data, 0o644)
		}
		if err != nil {
			return err
		}
	}
	return serve.Compile("./"+filepath.ToSlash(from), filepath.Join(dir, "empty.wasm"))
}
