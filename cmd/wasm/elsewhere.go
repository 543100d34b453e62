//go:build !(js && wasm)

package main

import (
	"fmt"
	"os"
)

// main says where this program runs; so tools that take all packages find one here on every platform.
func main() {
	fmt.Fprintln(os.Stderr, "cmd/wasm runs in a browser: build it with GOOS=js GOARCH=wasm, or use lab serve")
	os.Exit(2)
}
