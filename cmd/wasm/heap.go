//go:build js && wasm

package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// How far the heap may grow until the next collection: by growth percent, for what WebAssembly has taken it never gives back, but
// up to roomy bytes in any case, for a page takes about as much anyhow, and in a small heap collections would be a tenth of computing
// a run. It holds from the first picture on. What is read and made before lives on for the most part, so that collections
// find little: until then startHeap of web/program.js says how far the heap may grow.
const (
	growth = 50
	roomy  = 32 << 20
)

// paceHeap adjusts the growth to what lives, now and after each collection.
func paceHeap() {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	bytes := max(roomy/8, int64(live[0].Value.Uint64())) // before the first collection it is 0
	debug.SetGCPercent(int(max(growth, 100*(roomy-bytes)/bytes)))
	runtime.AddCleanup(new(*int), func(int) { paceHeap() }, 0) // runs once the collector has found it
}
