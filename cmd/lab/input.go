package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"checkpointlab/core/option"
	"checkpointlab/scenarios"
)

// standardInput is what stands for standard input where the path of a file is asked for.
const standardInput = "-"

// readInput is the text of a file, or of standard input. what says what it is in errors. No more is read than the lab takes: a
// device or a pipe may have no end.
func readInput(what, name string, in io.Reader) ([]byte, error) {
	return readUpTo(what, name, in, scenarios.MostBytes)
}

func readUpTo(what, name string, in io.Reader, most int64) ([]byte, error) {
	from := name
	if name == standardInput {
		from = "standard input"
	} else {
		file, err := os.Open(name)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s file %s does not exist; give the path of one, or - for standard input", what, name)
		}
		if err != nil {
			return nil, unread(what, name, err)
		}
		defer file.Close()
		in = file
	}
	data, err := io.ReadAll(io.LimitReader(in, most+1))
	if err != nil {
		return nil, unread(what, from, err)
	}
	if int64(len(data)) > most {
		return nil, fmt.Errorf("%s %s is larger than %s; give a text of at most that", what, from, option.FormatSize(most))
	}
	return data, nil
}

func unread(what, name string, err error) error {
	return fmt.Errorf("%s %s cannot be read: %w; give the path of a file that you may read", what, name, cause(err))
}

// cause is what the system said of a file, without the path that the sentence names already.
func cause(err error) error {
	var of *fs.PathError
	if errors.As(err, &of) {
		return of.Err
	}
	return err
}
