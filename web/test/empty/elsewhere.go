//go:build !(js && wasm)

package main

import (
	"fmt"
	"os"
)

// main says where this program runs.
func main() {
	fmt.Fprintln(os.Stderr, "web/test/empty runs in a browser; see web/test/numbers.test.mjs")
	os.Exit(2)
}
