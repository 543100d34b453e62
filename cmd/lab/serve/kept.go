package serve

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"checkpointlab/scenarios"
)

// kept holds what takes long to make, under build/kept of the source tree: each piece in a folder whose name ends in a hash
// of everything it was made of. So a second build is quick, and none is of sources that have changed.
type kept struct {
	dir string
	of  [sha256.Size]byte // the sources that every piece is made of
}

// keep hashes the sources that packages are compiled from, and the toolchain. Scenario files are left out: a piece that is made
// of one names it itself.
func keep(root string, packages ...string) (kept, error) {
	list := exec.Command("go", append([]string{"list", "-deps", "-f",
		`{{with .Module}}{{if .Main}}{{$d := $.Dir}}{{range $.GoFiles}}{{$d}}/{{.}}{{"\n"}}{{end}}{{range $.EmbedFiles}}{{$d}}/{{.}}{{"\n"}}{{end}}{{end}}{{end}}`}, packages...)...)
	list.Dir = root
	out, err := list.Output()
	if err != nil {
		return kept{}, fmt.Errorf("go list: %s", reason(err))
	}
	version, err := exec.Command("go", "version").Output()
	if err != nil {
		return kept{}, fmt.Errorf("go version: %s", reason(err))
	}
	sources := slices.DeleteFunc(strings.Fields(string(out)), func(name string) bool { return scenarioFile(root, name) })
	slices.Sort(sources)
	of, err := digest(version, append(sources, filepath.Join(root, "go.sum"))...)
	return kept{filepath.Join(root, "build", "kept"), of}, err
}

func scenarioFile(root, name string) bool {
	return filepath.Dir(name) == filepath.Join(root, "scenarios") && strings.HasSuffix(name, ".yaml")
}

// scenarioFiles are those of all scenarios, for what shows many.
func scenarioFiles(root string) (all []string) {
	for _, name := range scenarios.Names() {
		all = append(all, filepath.Join(root, "scenarios", name+".yaml"))
	}
	return all
}

// digest is a hash of a start and of files, their names and their contents.
func digest(start []byte, files ...string) (sum [sha256.Size]byte, err error) {
	h := sha256.New()
	h.Write(start)
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			return sum, err
		}
		fmt.Fprintf(h, "%s %d\n", filepath.Base(name), len(data))
		h.Write(data)
	}
	return [sha256.Size]byte(h.Sum(nil)), nil
}

// piece is the folder of the files that write makes into the folder it is given, for a name and the files it is made of besides
// the sources. It is made once.
func (k kept) piece(name string, of []string, write func(dir string) error) (string, error) {
	sum, err := digest(k.of[:], of...)
	if err != nil {
		return "", err
	}
	dir := filepath.Join(k.dir, name+"-"+hex.EncodeToString(sum[:12]))
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	if err := os.MkdirAll(k.dir, 0o755); err != nil {
		return "", err
	}
	fresh, err := os.MkdirTemp(k.dir, ".making-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(fresh)
	if err := write(fresh); err != nil {
		return "", err
	}
	former, err := filepath.Glob(filepath.Join(k.dir, name+"-????????????????????????"))
	if err != nil {
		return "", err
	}
	for _, old := range former {
		if err := os.RemoveAll(old); err != nil {
			return "", err
		}
	}
	if err := os.Rename(fresh, dir); err != nil && !errors.Is(err, fs.ErrExist) { // another build was quicker
		return "", err
	}
	return dir, nil
}

// copyInto brings the files of a piece into a page folder.
func copyInto(outDir, dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		data, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			return err
		}
		if err := writeIfChanged(filepath.Join(outDir, entry.Name()), data); err != nil {
			return err
		}
	}
	return nil
}
