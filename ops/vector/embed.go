package vector

import (
	"embed"
	"io/fs"
)

//go:embed testdata
var testdata embed.FS

// Recorded is the folder of the vectors that the project is checked against.
func Recorded() fs.FS {
	sub, err := fs.Sub(testdata, "testdata")
	if err != nil {
		panic(err) // the folder is embedded above
	}
	return sub
}
