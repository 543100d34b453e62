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
)

var rewrite = flag.Bool("rewrite", false, "write the trace hashes of this build into testdata/hashes.txt")

const hashFile = "testdata/hashes.txt"

// TestHashIsTheSameEverywhere compares with the committed hashes: the same file is tested natively and as WebAssembly
// (make test), so both must run every event alike. A change of the model changes the file: go test ./core_test -run Hash -rewrite.
func TestHashIsTheSameEverywhere(t *testing.T) {
	all := kinds(t)
	var lines []string
	for name, s := range all {
		lines = append(lines, fmt.Sprintf("%-14s %016x", name, runTo(t, s, s.Duration).Hash()))
	}
	slices.Sort(lines)
	got := strings.Join(lines, "\n") + "\n"
	if *rewrite {
		if err := os.WriteFile(hashFile, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(hashFile)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("trace hashes are\n%sexpected\n%s(if the model was changed on purpose: go test ./core_test -run Hash -rewrite)", got, want)
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
