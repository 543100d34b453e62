package core_test

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"checkpointlab/core"
)

// budget is how many due items of a run are handled: a setting that makes a second cost millions of them ends early.
const budget = 30_000

// TestAnyRunKeepsTheLaws draws jobs, options and scripts, and holds each run to every law at every cut.
func TestAnyRunKeepsTheLaws(t *testing.T) {
	cases(t, 300)
	cuts, commits := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		s := anySetup(t)
		if err := s.Check(); err != nil {
			t.Fatalf("drew what no run takes: %v", err)
		}
		w, err := watch(s, rapid.Uint64Range(0, 99).Draw(t, "cuts"), budget)
		if err != nil {
			t.Fatal(err)
		}
		cuts, commits = cuts+w.auditor.Cuts(), commits+w.commits
		for _, err := range []error{sameInOneGo(w), sameByStep(w), sameFromASnapshot(w, rapid.IntRange(0, w.items).Draw(t, "snapshot"))} {
			if err != nil {
				t.Fatal(err)
			}
		}
	})
	if !testing.Short() && (cuts == 0 || commits == 0) {
		t.Error("no completed checkpoint or no commit was looked at")
	}
	t.Logf("%d completed checkpoints and %d commits were looked at", cuts, commits)
}

// casesVariable says how many cases of random runs are drawn, for nights: with it the seed is random, too.
const casesVariable = "LAB_RANDOM_RUNS"

// cases sets how many cases a test draws: n from a fixed seed, a tenth of it with -short, or as many as the environment
// says. Flags of rapid that are given hold.
func cases(t *testing.T, n int) {
	t.Helper()
	if testing.Short() {
		n = max(5, n/10) // of which rapid takes a fifth
	}
	seed := "1"
	if many := os.Getenv(casesVariable); many != "" {
		var err error
		if n, err = strconv.Atoi(many); err != nil || n < 1 {
			t.Fatalf("%s is %q; give a number of cases", casesVariable, many)
		}
		seed = "0" // of the clock
	}
	given := givenFlags()
	for name, value := range map[string]string{"rapid.checks": strconv.Itoa(n), "rapid.seed": seed} {
		if before := flag.Lookup(name).Value.String(); !given[name] {
			if err := flag.Set(name, value); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { flag.Set(name, before) })
		}
	}
}

// givenFlags are the flags of the command line.
var givenFlags = sync.OnceValue(func() map[string]bool {
	given := map[string]bool{}
	flag.Visit(func(f *flag.Flag) { given[f.Name] = true })
	return given
})

// state is where a run stands.
func state(l *core.Lab) string { return fmt.Sprintf("%x at %d ns", l.Hash(), l.Now()) }

// handle lets a run handle so many due items, which Advance takes as no limit when there are none.
func handle(l *core.Lab, items int) {
	if items > 0 {
		l.Advance(l.Setup().Duration, items)
	}
}

// sameInOneGo: a run is a function of its setup, however it is cut and looked at.
func sameInOneGo(w *watched) error {
	lab, err := core.New(w.given)
	if err != nil {
		return err
	}
	handle(lab, w.items)
	return differ("in one go", state(lab), state(w.lab))
}

// sameByStep: single steps lead along the same run.
func sameByStep(w *watched) error {
	until := w.lab.Now() - 1 // all that is due by then was handled
	straight, err := core.New(w.given)
	if err != nil {
		return err
	}
	straight.Advance(until, 0)
	stepped, _ := core.New(w.given)
	stepped.Advance(until/2, 0)
	for range 50 {
		if before := stepped.Events(); stepped.Now() < until && stepped.Step() && stepped.Events() == before {
			return errors.New("a step in which nothing happened")
		}
	}
	if stepped.Now() > until { // the last step found nothing sooner
		straight.Advance(stepped.Now(), 0)
	}
	stepped.Advance(straight.Now(), 0)
	return differ("step by step", state(stepped), state(straight))
}

// sameFromASnapshot: going on from a snapshot after so many items is the same run, in the run itself and in a twin whose
// memory was used before.
func sameFromASnapshot(w *watched, after int) error {
	lab, err := core.New(w.given)
	if err != nil {
		return err
	}
	handle(lab, after)
	var s core.State
	lab.Snapshot(&s)
	twin := lab.Twin()
	handle(twin, rand.New(rand.NewPCG(uint64(after), 2)).IntN(w.items+1))
	twin.Restore(&s)
	if err := differ("a restored twin", state(twin), state(lab)); err != nil {
		return err
	}
	handle(lab, w.items-after)
	handle(twin, w.items-after)
	if err := first(differ("with a snapshot", state(lab), state(w.lab)), differ("from a snapshot", state(twin), state(w.lab))); err != nil {
		return fmt.Errorf("after %d items: %w", after, err)
	}
	twin.Restore(&s)
	handle(twin, w.items-after)
	return differ("restored twice", state(twin), state(w.lab))
}
