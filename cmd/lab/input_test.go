package main

import (
	"strings"
	"testing"
)

// endless is a device or a pipe that never ends.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// What has no end is refused once it is larger than anything that the lab takes, by each verb that reads a text.
func TestEndlessInputIsRefused(t *testing.T) {
	for _, args := range [][]string{{"run", "-"}, {"still", "-", "--at", "1s", "-o", "x.svg"}, {"settings", "-"}, {"settings", "/dev/zero"}, {"run", "/dev/zero"}} {
		var out, errs strings.Builder
		if code := run(args, endless{}, &out, &errs); code != exitUsage || !strings.Contains(errs.String(), "is larger than 1 mb") {
			t.Errorf("lab %s: exit code %d, %q", strings.Join(args, " "), code, errs.String())
		}
	}
}

// TestSettingsAreMadeTogether: what is right only with another setting needs no order.
func TestSettingsAreMadeTogether(t *testing.T) {
	want := ""
	for _, sets := range [][]string{
		{"job.vertices.map.parallelism=3", "job.edges.source.map.partition=FORWARD", "job.vertices.source.parallelism=3", "job.vertices.source.partitions=3"},
		{"job.vertices.source.partitions=3", "job.vertices.source.parallelism=3", "job.vertices.map.parallelism=3", "job.edges.source.map.partition=FORWARD"},
	} {
		args := []string{"run", "backpressure", "--until", "2s", "--json"}
		for _, s := range sets {
			args = append(args, "--set", s)
		}
		code, out, errs := lab("", args...)
		if code != exitOK || want != "" && out != want {
			t.Errorf("%v: exit code %d, %s", sets, code, errs)
		}
		want = out
	}
}
