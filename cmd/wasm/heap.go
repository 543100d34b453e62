//go:build js && wasm

package main

import (
	"runtime"
	"runtime/debug"
)

// How far the heap may grow until the next collection: by growth percent, for what WebAssembly has taken it never gives back, but
// up to roomy bytes in any case, for a page takes about as much anyhow, and in a small heap collections would be a tenth of computing
// a run. It holds from the first picture on. What is read and made before lives on for the most part, so that collections
// find little: until then startHeap of web/program.js says how far the heap may grow.
const (
	growth = 50
	roomy  = 32 << 20
)

// paceHeap adjusts the growth to what lives, now and after each collection. What lives follows from the size at which the next one is
// due; package runtime/metrics, which says it, makes a hundred functions first.
func paceHeap() {
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	percent := debug.SetGCPercent(-1)
	live := max(roomy/8, int64(memory.NextGC)*100/int64(100+percent))
	debug.SetGCPercent(int(max(growth, 100*(roomy-live)/live)))
	runtime.AddCleanup(new(*int), func(int) { paceHeap() }, 0) // runs once the collector has found it
}
