package fidelity

import (
	"fmt"
	"io/fs"
	"strconv"

	"checkpointlab/ops/vector"
)

// VectorFile is how the cases of one file went.
type VectorFile struct {
	File        string       `json:"file"`
	Pass        int          `json:"pass"`
	Fail        int          `json:"fail"`
	NotModelled int          `json:"not_modelled"`
	Cases       []VectorCase `json:"cases"`
}

// VectorCase is how one case went; Difference says what differs or what is not known.
type VectorCase struct {
	Case       string `json:"case"`
	Status     string `json:"status"` // pass, fail, not modelled yet
	Difference string `json:"difference,omitempty"`
}

// Vectors replays every *.json file of a folder, in order of name. No such file, or one that is not a file of vectors, is an error.
func Vectors(dir fs.FS) ([]VectorFile, error) {
	names, err := fs.Glob(dir, "*.json")
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("the folder holds no *.json file; give a folder of files with source, schema and cases")
	}
	var files []VectorFile
	for _, name := range names {
		data, err := fs.ReadFile(dir, name)
		if err != nil {
			return nil, err
		}
		results, err := vector.Run(name, data)
		if err != nil {
			return nil, err
		}
		files = append(files, vectorFile(name, results))
	}
	return files, nil
}

func vectorFile(name string, results []vector.Result) VectorFile {
	f := VectorFile{File: name, Cases: make([]VectorCase, 0, len(results))}
	for _, r := range results {
		switch r.Status {
		case vector.Pass:
			f.Pass++
		case vector.Fail:
			f.Fail++
		default:
			f.NotModelled++
		}
		f.Cases = append(f.Cases, VectorCase{r.Case, r.Status.String(), r.Diff})
	}
	return f
}

// FailedVectors counts the failed cases.
func FailedVectors(files []VectorFile) (n int) {
	for i := range files {
		n += files[i].Fail
	}
	return n
}

// VectorTable has a line per file.
func VectorTable(files []VectorFile) Table {
	t := Table{Name: "vectors", Title: "Facts from Flink's own tests", Columns: []string{"file", "pass", "fail", "not modelled yet"}}
	var sum VectorFile
	for i := range files {
		f := &files[i]
		t.Rows = append(t.Rows, []string{f.File, strconv.Itoa(f.Pass), strconv.Itoa(f.Fail), strconv.Itoa(f.NotModelled)})
		sum.Pass, sum.Fail, sum.NotModelled = sum.Pass+f.Pass, sum.Fail+f.Fail, sum.NotModelled+f.NotModelled
	}
	t.Rows = append(t.Rows, []string{"all", strconv.Itoa(sum.Pass), strconv.Itoa(sum.Fail), strconv.Itoa(sum.NotModelled)})
	return t
}

// VectorCaseTable has a line per case that did not pass, or per case at all.
func VectorCaseTable(files []VectorFile, all bool) Table {
	t := Table{Name: "vector-cases", Title: "Cases", Columns: []string{"file", "case", "status", "difference"}}
	for i := range files {
		for _, c := range files[i].Cases {
			if all || c.Status != vector.Pass.String() {
				t.Rows = append(t.Rows, []string{files[i].File, c.Case, c.Status, c.Difference})
			}
		}
	}
	return t
}
