package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"
)

// Options of Run.
type Options struct {
	Port int       // TCP port; 0 = 8080
	Host string    // address to listen on; "" = 127.0.0.1, which only this machine reaches
	Dir  string    // a folder made by Build
	Out  io.Writer // where the address is told; nil = standard output
}

const (
	defaultPort = 8080
	grace       = 3 * time.Second // for requests under way when the server stops
)

// Run serves the folder until the context ends or the process is interrupted (SIGINT, SIGTERM); both are a clean stop
// and no error. A missing page and a port that is taken are errors that name the remedy.
func Run(ctx context.Context, o Options) error {
	o = o.withDefaults()
	dir := os.DirFS(o.Dir)
	if _, err := fs.Stat(dir, "index.html"); err != nil {
		return fmt.Errorf("no page in %s: index.html is missing; build the page first (lab build-page %s)", o.Dir, o.Dir)
	}
	listener, err := listen(o.Host, o.Port)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	fmt.Fprintf(o.Out, "Checkpoint Lab: http://%s/ (Ctrl-C stops)\n", listener.Addr())
	return serveUntil(ctx, listener, Handler(dir))
}

func (o Options) withDefaults() Options {
	if o.Port == 0 {
		o.Port = defaultPort
	}
	if o.Host == "" {
		o.Host = "127.0.0.1"
	}
	if o.Out == nil {
		o.Out = os.Stdout
	}
	return o
}

// CheckPort reports whether a number is a port; 0 stands for the usual one.
func CheckPort(port int) error {
	if port < 0 || port > 65535 {
		return fmt.Errorf("PORT=%d is not a port: choose one from 1 to 65535, for example PORT=%d", port, defaultPort)
	}
	return nil
}

func listen(host string, port int) (net.Listener, error) {
	if err := CheckPort(port); err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(port)))
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("port %d is taken by another program: stop that one, or choose another port with PORT=%d", port, port%65535+1)
	case errors.Is(err, syscall.EACCES):
		return nil, fmt.Errorf("port %d may not be opened by this user: choose one above 1023 with PORT=%d", port, defaultPort)
	case err != nil:
		return nil, fmt.Errorf("cannot listen on %s port %d: %w; choose another with PORT=", host, port, err)
	}
	return listener, nil
}

func serveUntil(ctx context.Context, listener net.Listener, h http.Handler) error {
	server := &http.Server{Handler: h, ReadHeaderTimeout: 5 * time.Second, IdleTimeout: time.Minute}
	done := make(chan error, 1)
	go func() { done <- server.Serve(listener) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	if err := server.Shutdown(last); err != nil {
		return server.Close()
	}
	return nil
}
