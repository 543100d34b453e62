// Command gen-tokens writes render/token/tokens_gen.go from web/tokens.css; go generate runs it in render/token.
package main

import (
	"log"
	"os"

	"checkpointlab/render/token/tokengen"
)

func main() {
	if len(os.Args) != 3 {
		log.Fatal("usage: gen-tokens tokens.css tokens_gen.go")
	}
	css, err := os.ReadFile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	source, err := tokengen.Generate(css)
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(os.Args[2], source, 0o644); err != nil {
		log.Fatal(err)
	}
}
