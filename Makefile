# Everything a project needs: `make run` looks at the lab, `make test` checks it. See README.md.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := run
PORT ?= 8080
URL ?=
SEEDS ?= 3
CASES ?= 10000
NIGHTLY_SEEDS ?= 200
WASM_EXEC = $(shell go env GOROOT)/lib/wasm/go_js_wasm_exec

.PHONY: run test vet types go-test wasm-test web-test setup bench bench-parts nightly fidelity site lecture

## run: build the page and serve it; prints the address (PORT=8080)
run:
	@mkdir -p build
	go build -o build/lab ./cmd/lab
	@build/lab serve --port $(PORT)

## test: everything a change must pass; sets up what it needs
test: setup vet types go-test wasm-test web-test

setup:
	@bash .ci/setup

vet:
	go vet ./...
	GOOS=js GOARCH=wasm go vet ./...

# The pages' scripts are JavaScript whose types stand in comments; TypeScript only checks them.
types:
	cd web && node node_modules/typescript/bin/tsc -p jsconfig.json && node node_modules/typescript/bin/tsc -p test/jsconfig.json

go-test:
	go test ./...

# The core's own tests once more as WebAssembly under Node, and that every run has the same trace hash there and here.
wasm-test:
	GOOS=js GOARCH=wasm go test -exec='$(WASM_EXEC)' ./core/... ./ops/observed
	@mkdir -p build
	go test -run=Hash ./core_test -hash-seeds=$(SEEDS) -hashes='$(CURDIR)/build/hashes-native.txt'
	GOOS=js GOARCH=wasm go test -exec='$(WASM_EXEC)' -timeout=60m -run=Hash ./core_test -hash-seeds=$(SEEDS) -hashes='$(CURDIR)/build/hashes-wasm.txt'
	cmp build/hashes-native.txt build/hashes-wasm.txt

web-test:
	node web/test/all.mjs

## site: a folder for any static host, also from a sub-path and offline (docs/hosting.md); URL= is where it will stand
site:
	go run ./cmd/lab build-page --site --url='$(URL)' site

## lecture: the lecture's slides as PDF, in both languages, and once more with the speaker's notes (docs/lecture.md)
lecture: setup
	node web/lecture-pdf.mjs build

## bench: how fast the core is, natively and as WebAssembly, beside what is asked of it and a model in SimPy
bench:
	@mkdir -p build
	@python3 -c 'import simpy' 2>/dev/null || { python3 -m venv build/simpy && build/simpy/bin/pip install -q simpy; } || echo 'python3 and SimPy (pip install simpy) are missing: no comparison with them'
	@node --version >/dev/null 2>&1 || echo 'node is missing: no measures of WebAssembly'
	go run ./cmd/bench $$(node --version >/dev/null 2>&1 && echo -wasm '$(WASM_EXEC)') \
		$$(for p in python3 build/simpy/bin/python; do if $$p -c 'import simpy' 2>/dev/null; then echo -simpy $$p; break; fi; done)

## bench-parts: the benchmarks of the single rooms
bench-parts:
	go test -run='^$$' -bench=. -benchmem ./core/... ./core_test/... ./render/...

## fidelity: check everything and write the tables of docs/fidelity.md
fidelity:
	go run ./cmd/lab verify --write

## nightly: the long checks, in pieces that are not run again once they were good (CASES=10000 NIGHTLY_SEEDS=200 JOBS=2 ONLY= FRESH=; .ci/nightly):
## random jobs against the laws and the reference, every scenario natively and as WebAssembly, the rooms' properties, everything that
## is verified, and that docs/fidelity.md has its tables
nightly: test
	CASES='$(CASES)' SEEDS='$(NIGHTLY_SEEDS)' JOBS='$(or $(JOBS),2)' ONLY='$(or $(ONLY),.)' FRESH='$(FRESH)' .ci/nightly
