package main

import (
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"time"
)

// printJSON writes a value as indented JSON.
func (e *env) printJSON(v any) error {
	enc := json.NewEncoder(e.out)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// printEach writes all as one list of JSON, or the text of each.
func printEach[T any, P interface {
	*T
	text(w io.Writer) error
}](e *env, all []T) error {
	if e.json {
		return e.printJSON(all)
	}
	for i := range all {
		if err := P(&all[i]).text(e.out); err != nil {
			return err
		}
	}
	return nil
}

// progress tells on stderr how far long work is: nothing in the first two seconds and nothing with --json.
// It is safe for concurrent use; a nil progress is silent.
type progress struct {
	lock  sync.Mutex
	env   *env
	what  string
	begun time.Time
	last  time.Time
}

const (
	progressAfter = 2 * time.Second
	progressEvery = time.Second
)

func (e *env) progress(what string) *progress {
	return &progress{env: e, what: what, begun: time.Now()}
}

// at notes that done of all is done.
func (p *progress) at(done, all float64, unit string) {
	p.say(func() string { return fmt.Sprintf("%.4g of %.4g %s", done, all, unit) })
}

// during tells that work goes on of which nobody knows how far it is; it ends when the answer is called.
func (p *progress) during(work string) (end func()) {
	if p == nil {
		return func() {}
	}
	ticker, done := time.NewTicker(progressEvery), make(chan struct{})
	begun := time.Now()
	go func() {
		for {
			select {
			case <-done:
				return
			case <-ticker.C:
				p.say(func() string { return fmt.Sprintf("%s, for %.0f s so far", work, time.Since(begun).Seconds()) })
			}
		}
	}()
	return func() {
		ticker.Stop()
		close(done)
	}
}

func (p *progress) say(what func() string) {
	if p == nil || p.env.json {
		return
	}
	p.lock.Lock()
	defer p.lock.Unlock()
	now := time.Now()
	if now.Sub(p.begun) < progressAfter || now.Sub(p.last) < progressEvery {
		return
	}
	p.last = now
	fmt.Fprintf(p.env.errs, "%s: %s\n", p.what, what())
}
