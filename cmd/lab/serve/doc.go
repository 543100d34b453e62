// Package serve makes the page folder and serves it.
//
// Build compiles cmd/wasm for the browser, renders the pages of web/ in both languages, copies the rest of web/ and
// writes a .br and a .gz beside every file that shrinks. Run serves such a folder on this machine: it sends the
// compressed variant a browser takes, with a strict content security policy, and stops cleanly on an interrupt.
//
// Any static host that sends application/wasm for .wasm serves the folder as well; nothing in it needs this server.
package serve
