package serve

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// falls grows its stack, has it scanned by collections at each depth, recovers from a panic of the runtime's, and ends with one of its own.
const falls = `package main

import "runtime"

type node struct{ next *node; at int }

func deep(n int, last *node) int {
	here := &node{last, n}
	if n == 0 {
		runtime.GC()
		sum := 0
		for ; here != nil; here = here.next {
			sum += here.at
		}
		return sum
	}
	return deep(n-1, here) + here.at - n
}

func caught() (why any) {
	defer func() { why = recover() }()
	var none []int
	return none[len(none)]
}

func fail() { panic("no way on") }

func main() {
	println(deep(20000, nil), caught() != nil)
	fail()
}
`

func TestProgramsRunWithoutLines(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a program")
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node to run it")
	}
	dir := t.TempDir()
	source, target := filepath.Join(dir, "falls.go"), filepath.Join(dir, "falls.wasm")
	if err := os.WriteFile(source, []byte(falls), 0o644); err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-ldflags=-s -w", "-o", target, source)
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	whole, err := os.ReadFile(target)
	if err != nil {
		t.Fatal(err)
	}
	goroot, err := toolchain()
	if err != nil {
		t.Fatal(err)
	}
	run := func() string {
		out, _ := exec.Command(node, filepath.Join(goroot, "lib", "wasm", "wasm_exec_node.js"), target).CombinedOutput() // it fails
		return string(out)
	}
	if told := run(); !strings.Contains(told, "falls.go:30") {
		t.Fatalf("the whole program says no line:\n%s", told)
	}
	without, lines, err := lighter(whole)
	if err != nil || lines {
		t.Fatalf("lines %v, error %v", lines, err)
	}
	if err := os.WriteFile(target, without, 0o644); err != nil {
		t.Fatal(err)
	}
	told := run()
	for _, want := range []string{"200010000 true", "no way on", "main.fail", "main.main"} {
		if !strings.Contains(told, want) {
			t.Errorf("%q is missing in:\n%s", want, told)
		}
	}
	if strings.Contains(told, "falls.go") || strings.Contains(told, "fatal error") || bytes.Contains(without, []byte("runtime.gcStart\x00")) {
		t.Errorf("lines, others' names, or more than a panic:\n%s", told)
	}
	packed := func(p []byte) int {
		z, err := gzipped(p, 1)
		if err != nil {
			t.Fatal(err)
		}
		return len(z)
	}
	if was, is := packed(whole), packed(without); is > was*9/10 {
		t.Errorf("%d of %d packed bytes are left", is, was)
	}
}

func TestUnknownLineTablesStay(t *testing.T) {
	memory := append(bytes.Repeat([]byte{7}, 100), lineTabMagic...)
	for _, more := range [][]byte{nil, make([]byte, lineTabHead), bytes.Repeat([]byte{0xff}, 3*lineTabHead), bytes.Repeat([]byte{lineTabHead, 0, 0, 0, 0, 0, 0, 0}, 200)} {
		with := append(bytes.Clone(memory), more...)
		was := bytes.Clone(with)
		if dropLines(with) || !bytes.Equal(with, was) {
			t.Errorf("%d bytes behind the table's beginning are taken for one", len(more))
		}
	}
}
