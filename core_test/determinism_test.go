package core_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/scenarios"
)

var (
	hashesInto = flag.String("hashes", "", "file to write the trace hashes of this build into, to be compared with another platform's")
	hashOnly   = flag.String("hash-only", "", "the one scenario that is run; else all and each kind of run")
	hashSeeds  = flag.Int("hash-seeds", 3, "seeds that each scenario is run with")
)

// TestHashIsTheSameEverywhere writes the trace hash of each kind of run and of every scenario with several seeds. make test
// runs it natively and as WebAssembly and compares the two files: every event must happen alike on both.
func TestHashIsTheSameEverywhere(t *testing.T) {
	seen := map[uint64]string{}
	var lines []string
	add := func(name string, s core.Setup) uint64 {
		hash := runTo(t, s, s.Duration).Hash()
		lines = append(lines, fmt.Sprintf("%016x %s\n", hash, name))
		return hash
	}
	for name, s := range kinds(t) {
		if *hashOnly != "" {
			break
		}
		hash := add(name, s)
		if other, twice := seen[hash]; twice {
			t.Errorf("%s and %s have the same hash %x", name, other, hash)
		}
		seen[hash] = name
	}
	for _, name := range scenarios.Names() {
		if *hashOnly != "" && name != *hashOnly {
			continue
		}
		s, err := scenarios.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		for seed := range *hashSeeds {
			s.Setup.Seed = uint64(seed + 1)
			add(fmt.Sprintf("%s, seed %d", name, seed+1), s.Setup)
		}
	}
	slices.Sort(lines)
	if *hashesInto != "" {
		if err := os.WriteFile(*hashesInto, []byte(strings.Join(lines, "")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestRunIsAFunctionOfItsSetup: twice the same, another seed another run where chance has a part.
func TestRunIsAFunctionOfItsSetup(t *testing.T) {
	for name, s := range kinds(t) {
		until := 10 * event.Second
		first, second := runTo(t, s, until), runTo(t, s, until)
		if first.Hash() != second.Hash() {
			t.Errorf("%s: two runs of one setup have the hashes %x and %x", name, first.Hash(), second.Hash())
		}
		if first.Hash() == 0 || first.Hash() == runTo(t, s, until/2).Hash() {
			t.Errorf("%s: the hash %x does not follow the run", name, first.Hash())
		}
	}
	s := kinds(t)["failing"]
	other := s
	other.Seed++
	if runTo(t, s, s.Duration).Hash() == runTo(t, other, s.Duration).Hash() {
		t.Error("another seed gives the same run although the flushers' phases are drawn")
	}
}

// TestRunCanBeCutAnywhere: budgets and targets drawn at random do not change the run.
func TestRunCanBeCutAnywhere(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for name, s := range kinds(t) {
		want := runTo(t, s, s.Duration).Hash()
		lab, err := core.New(s)
		if err != nil {
			t.Fatal(err)
		}
		for lab.Now() < s.Duration {
			target := min(s.Duration, lab.Now()+1+random.Int64N(event.Second))
			for !lab.Advance(target, 1+random.IntN(3000)) {
			}
		}
		if lab.Hash() != want {
			t.Errorf("%s: cut into pieces the hash is %x, in one go %x", name, lab.Hash(), want)
		}
	}
}
