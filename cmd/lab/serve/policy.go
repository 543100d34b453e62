package serve

import (
	"net/http"
	"path"
	"strings"
)

// policy lets a page load its own files and compile its own WebAssembly, and nothing else: no foreign origin, nothing inline.
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; " +
	"connect-src 'self'; frame-src 'self'; font-src 'self'; manifest-src 'self'; worker-src 'self'; " +
	"base-uri 'none'; form-action 'none'; object-src 'none'"

// framePolicy is for pages that nobody else may show in a frame; a meta element cannot say it.
const framePolicy = policy + "; frame-ancestors 'self'"

// drawingPolicy is for an SVG document opened by itself, which has its styles inside and needs nothing else.
const drawingPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

// withPolicy writes the policy into a page as well, for hosts that send no headers.
func withPolicy(page string) string {
	const first = `<meta charset="utf-8">`
	return strings.Replace(page, first, first+"\n"+`<meta http-equiv="Content-Security-Policy" content="`+policy+`">`, 1)
}

// secure sets the headers of every answer. All that is served is public, and a frame in a sandbox has no origin of its own: so
// any origin may read it.
func secure(header http.Header, name string) {
	header.Set("Content-Security-Policy", policyOf(name))
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
	header.Set("Cross-Origin-Resource-Policy", "cross-origin")
	header.Set("Access-Control-Allow-Origin", "*")
	header.Set("Cache-Control", "no-cache") // keep it, but ask: the tag answers in one round trip
	header.Set("Vary", "Accept-Encoding")
}

// policyOf is the policy of a file: an embed may stand in anybody's frame.
func policyOf(name string) string {
	switch {
	case path.Ext(name) == ".svg":
		return drawingPolicy
	case strings.HasPrefix(name, "embed."):
		return policy
	}
	return framePolicy
}
