package truth

import (
	"bytes"
	"io"
	"math"
	"strings"
	"testing"
)

func TestRecordedRunsAreComplete(t *testing.T) {
	runs, err := Recorded()
	if err != nil {
		t.Fatal(err)
	}
	if len(runs) != 58 {
		t.Errorf("%d recorded runs, expected 58", len(runs))
	}
	for _, r := range runs {
		if len(r.Setting.Unknown) > 0 {
			t.Errorf("%s: unknown keys %v", r.Setting.ID, r.Setting.Unknown)
		}
		if r.Throughput == nil || *r.Throughput <= 0 || r.Visibility["mean"] <= 0 || len(r.Counts) == 0 || r.FlinkVersion == "" {
			t.Errorf("%s lacks a measure", r.Setting.ID)
		}
	}
}

func TestParseNamesLineAndRemedy(t *testing.T) {
	good := `{"setting": {"id": "a", "flink": {}}, "throughput": 1}` + "\n"
	for _, bad := range []string{"{", "[]", `{"setting": {}}`, `{"setting": {"id": "a", "rate": "fast"}}`} {
		_, err := Parse("x.jsonl", strings.NewReader(good+bad))
		if err == nil || !strings.Contains(err.Error(), "x.jsonl line 2") {
			t.Errorf("%s: %v", bad, err)
		}
	}
	if _, err := Parse("x.jsonl", strings.NewReader("\n\n")); err == nil {
		t.Error("an empty file is accepted")
	}
}

func TestParseKeepsUnknownKeysAndNaN(t *testing.T) {
	runs, err := Parse("x", strings.NewReader(`{"setting": {"id": "a", "zeta": 1, "alpha": 2}, "visibility_ms": {"mean": "NaN"}}`))
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(runs[0].Setting.Unknown, " "); got != "alpha zeta" {
		t.Errorf("unknown keys %q", got)
	}
	if !math.IsNaN(float64(runs[0].Visibility["mean"])) {
		t.Errorf("NaN read as %v", runs[0].Visibility["mean"])
	}
}

// A packed file that was cut is no shorter file: it is refused as a whole.
func TestCutFileIsRefused(t *testing.T) {
	for _, keep := range []int{5, 12, len(recorded) / 2, len(recorded) - 4} {
		if _, err := Parse("x.jsonl.gz", bytes.NewReader(recorded[:keep])); err == nil || !strings.HasPrefix(err.Error(), "x.jsonl.gz ") || !strings.Contains(err.Error(), "; ") {
			t.Errorf("%d of %d bytes: %v", keep, len(recorded), err)
		}
	}
}

// A line without an end is refused, whatever it is packed in.
func TestEndlessLineIsRefused(t *testing.T) {
	if _, err := Parse("runs", io.MultiReader(strings.NewReader("\n"), endless{})); err == nil || !strings.Contains(err.Error(), "runs line 2 is longer than 16 mb") {
		t.Errorf("a line without an end: %v", err)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}
