package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
)

// lab runs the command and returns its exit code and what it wrote.
func lab(in string, args ...string) (code int, out, errs string) {
	var o, e bytes.Buffer
	code = run(args, strings.NewReader(in), &o, &e)
	return code, o.String(), e.String()
}

func parse(t *testing.T, text string) map[string]any {
	t.Helper()
	var v map[string]any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return v
}

// TestMistakesAreOneSentenceAndCodeTwo: each names what is wrong and what to do.
func TestMistakesAreOneSentenceAndCodeTwo(t *testing.T) {
	dir := t.TempDir()
	bad := filepath.Join(dir, "bad.yaml")
	chapter, err := readScenario("chapter", nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(bad, append(chapter.Marshal(), "durration: 1 s\n"...), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args string
		says []string
	}{
		{"", []string{"--help"}},
		{"fly", []string{"fly", "--help"}},
		{"run", []string{"scenario"}},
		{"run chaptr", []string{"chaptr", "chapter"}},
		{"run no-such.yaml", []string{"no-such.yaml", "does not exist"}},
		{"run " + bad, []string{"bad.yaml:", "durration"}},
		{"run chapter --set execution.checkpointing.interval", []string{"KEY=VALUE"}},
		{"run chapter --set execution.checkpointing.interval=soon", []string{"execution.checkpointing.interval", "soon"}},
		{"run chapter --set execution.checkpointing.intervall=1s", []string{"execution.checkpointing.interval"}},
		{"run chapter --until later", []string{"--until", "later"}},
		{"run chapter --until 0s", []string{"--until"}},
		{"run chapter --seed many", []string{"seed"}},
		{"run chapter --until 40d", []string{"--until 40d", "more than 30 d"}},
		{"run " + dir, []string{dir, "is a directory", "path of a file"}},
		{"run chapter --set job.keys=0 --set run.seed=2", []string{"job.keys", "1 or more"}},
		{"sustain backends --until 5s", []string{"--until 5s does not act", "leave it out"}},
		{"sweep chapter", []string{"--over"}},
		{"sweep chapter --over run.seed=1 --over run.seed=2", []string{"--over is given 2 times", "--set"}},
		{"sweep chapter --over execution.checkpointing.interval", []string{"--over", "KEY=V1"}},
		{"sweep chapter --over run.seed=1,,2", []string{"run.seed=1,,2", "an empty one"}},
		{"run chapter --set =5", []string{"has no key", "KEY=VALUE"}},
		{"verify --scenarios --seeds 0", []string{"--seeds 0", "1 or more"}},
		{"options execution.checkpointing.intervall", []string{"did you mean execution.checkpointing.interval?"}},
		{"verify --vectors " + dir, []string{"*.json"}},
		{"verify --vectors " + dir + "/none", []string{"--vectors"}},
		{"verify --truth " + bad, []string{"line 1", "recorded run"}},
		{"verify --truth " + dir + "/none", []string{"--truth"}},
		{"verify --truth " + dir, []string{"cannot be read", "give a whole file"}},
		{"verify --write --truth " + bad, []string{"--write"}},
		{"still chapter --at 1s -o x.gif", []string{".svg"}},
		{"still chapter --at 100h -o x.svg", []string{"--at", "end of the run"}},
		{"still chapter --at 1s -o " + dir + "/no/x.svg", []string{"no/x.svg", "a folder that exists"}},
		{"still chapter --at 1s -o x.png --scale NaN", []string{"--scale NaN", "0.5 to 8"}},
		{"still chapter --at 1s -o x.svg --theme blue", []string{"theme"}},
		{"serve --port none", []string{"port"}},
		{"serve --port 70000", []string{"70000 is not a port", "1 to 65535"}}, // said before the page is built
	} {
		code, out, errs := lab("", strings.Fields(c.args)...)
		if code != exitUsage {
			t.Errorf("lab %s: exit code %d, expected %d", c.args, code, exitUsage)
		}
		if strings.Count(errs, "\n") != 1 || out != "" {
			t.Errorf("lab %s: stdout %q, stderr %q", c.args, out, errs)
		}
		for _, s := range c.says {
			if !strings.Contains(errs, s) {
				t.Errorf("lab %s: %q does not name %q", c.args, errs, s)
			}
		}
	}
}

func TestRunAsJSON(t *testing.T) {
	code, out, errs := lab("", "run", "chapter", "--set", "execution.checkpointing.interval=5 s", "--until", "60s", "--seed", "3", "--json")
	if code != exitOK || errs != "" {
		t.Fatalf("code %d, stderr %q", code, errs)
	}
	r := parse(t, out)
	if r["seed"] != 3.0 || r["simulated_s"] != 60.0 || r["scenario"] != "chapter" {
		t.Errorf("%v %v %v", r["seed"], r["simulated_s"], r["scenario"])
	}
	visibility := r["visibility_ms"].(map[string]any)
	if visibility["max"] != 5500.0 {
		t.Errorf("visibility %v", visibility)
	}
	if again, out2, _ := lab("", "run", "chapter", "--set", "execution.checkpointing.interval=5 s", "--until", "60s", "--seed", "3", "--json"); again != exitOK || out2 != out {
		t.Error("the same command printed something else")
	}
}

// A scenario from standard input, from a file and by its name is the same run.
func TestScenarioFromAnywhereIsTheSameRun(t *testing.T) {
	s, err := readScenario("backpressure", nil)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "mine.yaml")
	if err := os.WriteFile(file, s.Marshal(), 0o644); err != nil {
		t.Fatal(err)
	}
	hash := func(in string, name string) any {
		code, out, errs := lab(in, "run", name, "--until", "5s", "--json")
		if code != exitOK {
			t.Fatal(errs)
		}
		return parse(t, out)["trace_hash"]
	}
	named := hash("", "backpressure")
	if h := hash("", file); h != named {
		t.Errorf("from a file %v, by name %v", h, named)
	}
	if h := hash(string(s.Marshal()), "-"); h != named {
		t.Errorf("from standard input %v, by name %v", h, named)
	}
}

func TestSweepHasARunPerValue(t *testing.T) {
	args := []string{"sweep", "chapter", "--over", "execution.checkpointing.interval=1 s,5 s", "--until", "30s"}
	code, out, errs := lab("", append(args, "--json")...)
	if code != exitOK {
		t.Fatal(errs)
	}
	runs := parse(t, out)["runs"].([]any)
	var most []any
	for _, r := range runs {
		most = append(most, r.(map[string]any)["report"].(map[string]any)["visibility_ms"].(map[string]any)["max"])
	}
	if len(most) != 2 || most[0] != 1500.0 || most[1] != 5500.0 {
		t.Errorf("greatest latencies %v", most)
	}
	code, out, _ = lab("", args...)
	if code != exitOK || strings.Count(out, "\n") != 3 {
		t.Errorf("%d:\n%s", code, out)
	}
}

func TestVectorsOfAFolder(t *testing.T) {
	dir := t.TempDir()
	write := func(expect string) {
		text := `{"source": {}, "schema": {}, "cases": [
			{"name": "maxpar.p1", "from": "T#a", "given": {"unit": "defaultMaxParallelism", "parallelism": 1, "configured": null}, "expect": {"maxParallelism": ` + expect + `}},
			{"name": "novel.case", "from": "T#b", "given": {"unit": "novel"}, "expect": {}}]}`
		if err := os.WriteFile(filepath.Join(dir, "mine.json"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("128")
	code, out, errs := lab("", "verify", "--vectors", dir)
	if code != exitOK || !strings.Contains(out, "not modelled yet") {
		t.Errorf("code %d, %s%s", code, out, errs)
	}
	write("64")
	code, out, errs = lab("", "verify", "--vectors", dir)
	if code != exitFailed || !strings.Contains(out, "128") || !strings.Contains(errs, "1 cases differ") {
		t.Errorf("code %d, %s%s", code, out, errs)
	}
	code, out, _ = lab("", "verify", "--vectors", dir, "--json")
	if r := parse(t, out); code != exitFailed || r["ok"] != false {
		t.Errorf("code %d, ok %v", code, r["ok"])
	}
}

func TestTruthOfAFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "runs.jsonl")
	text := `{"setting": {"id": "mine", "seconds": 10, "warm": 2, "rate": 1000, "flink": {"execution.checkpointing.interval": "1 s"}}, "flink_version": "2.3.0", "seconds": 10.1, "throughput": 1000, "visibility_ms": {"count": 9000, "mean": 505}, "counts": {}}
{"setting": {"id": "odd", "novel": 1, "flink": {}}, "throughput": 1}
{"setting": {"id": "huge", "sources": 40000, "flink": {}}, "throughput": 1}
`
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	code, out, errs := lab("", "verify", "--truth", file, "--json")
	if code != exitOK {
		t.Fatal(errs)
	}
	recorded := parse(t, out)["recorded_runs"].(map[string]any)
	runs := recorded["runs"].([]any)
	first, second, third := runs[0].(map[string]any), runs[1].(map[string]any), runs[2].(map[string]any)
	if m := first["measures"].([]any)[0].(map[string]any); m["measure"] != "throughput" || m["ratio"].(float64) < 0.98 || m["ratio"].(float64) > 1.02 {
		t.Errorf("%v", m)
	}
	if notes, _ := second["notes"].([]any); second["error"] != nil || len(notes) != 1 || !strings.Contains(notes[0].(string), "novel") {
		t.Errorf("%v", second)
	}
	if e, _ := third["error"].(string); !strings.Contains(e, "40000") {
		t.Errorf("%v", third)
	}
	if len(recorded["summary"].([]any)) == 0 {
		t.Error("no summary")
	}
}

func TestStillWritesBothKinds(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.svg", "a.png"} {
		file := filepath.Join(dir, name)
		code, _, errs := lab("", "still", "backpressure", "--at", "7s", "-o", file, "--theme", "dark", "--lang", "ko", "--scale", "1")
		if code != exitOK {
			t.Fatal(errs)
		}
		data, err := os.ReadFile(file)
		if err != nil || len(data) < 1000 {
			t.Errorf("%s: %d bytes, %v", name, len(data), err)
		}
	}
}

func TestOptionsKnowOldSpellings(t *testing.T) {
	code, out, errs := lab("", "options", "execution.buffer-timeout", "--json")
	if code != exitOK {
		t.Fatal(errs)
	}
	if o := parse(t, out); o["renamed_to"] != "execution.buffer-timeout.interval" || o["modelled"] != true {
		t.Errorf("%v", o)
	}
	if code, out, _ := lab("", "options"); code != exitOK || !strings.Contains(out, "execution.checkpointing.min-pause") {
		t.Errorf("%d %s", code, out)
	}
}

func TestScenariosAreListed(t *testing.T) {
	code, out, _ := lab("", "scenarios")
	if code != exitOK || !strings.Contains(out, "chapter: ") {
		t.Errorf("%d %s", code, out)
	}
}

func TestHelpIsNoMistake(t *testing.T) {
	for _, args := range [][]string{{"--help"}, {"run", "--help"}} {
		if code, out, _ := lab("", args...); code != exitOK || !strings.Contains(out, "Usage: lab") {
			t.Errorf("%v: %d %s", args, code, out)
		}
	}
}

// A configuration with which Flink does not start is a failed check; one that only has something to be said of is not.
func TestSettingsThatDoNotStart(t *testing.T) {
	code, out, errs := lab("execution.checkpointing.mode: SMART\n", "settings", "-")
	if code != exitFailed || !strings.Contains(out, "does not start: ") || strings.Count(errs, "\n") != 1 {
		t.Errorf("code %d, stdout %q, stderr %q", code, out, errs)
	}
	if code, out, errs = lab("execution.checkpointing.interval: 1 min\nstate.backend: rocksdb\n", "settings", "-"); code != exitOK || errs != "" {
		t.Errorf("code %d, stdout %q, stderr %q", code, out, errs)
	}
	if _, out, _ = lab("execution.checkpointing.mode: SMART\n", "settings", "-", "--lang", "ko"); !strings.Contains(out, "이 옵션이 받지 않는 값이다") {
		t.Errorf("in Korean %q", out)
	}
}

// What a run shows is said in Korean where that is asked for, notes on its settings included.
func TestFindingsInKorean(t *testing.T) {
	code, out, errs := lab("", "run", "backpressure", "--lang", "ko", "--json",
		"--set", "execution.checkpointing.mode=AT_LEAST_ONCE", "--set", "execution.checkpointing.unaligned.enabled=true")
	if code != exitOK {
		t.Fatal(errs)
	}
	r := parse(t, out)
	findings, notes := r["findings"].([]any), r["notes"].([]any)
	if len(findings) == 0 || len(notes) == 0 {
		t.Fatalf("findings %v, notes %v", findings, notes)
	}
	for _, s := range append(findings, notes...) {
		if !strings.ContainsFunc(s.(string), func(c rune) bool { return unicode.Is(unicode.Hangul, c) }) {
			t.Errorf("not in Korean: %v", s)
		}
	}
}

// A scenario of a job goes to standard output, so that run can read it; the comparison stands in its place; notes go beside it.
func TestRebuild(t *testing.T) {
	const answers = "../../ops/rebuild/testdata/load-90.txt"
	code, out, errs := lab("", "rebuild", answers)
	if code != exitOK || !strings.Contains(errs, "means since the tasks began to run") {
		t.Fatalf("code %d, %s", code, errs)
	}
	if code, report, errs := lab(out, "run", "-", "--until", "10s"); code != exitOK || !strings.Contains(report, "checkpoints") {
		t.Errorf("code %d, %s%s", code, report, errs)
	}
	code, out, _ = lab("", "rebuild", answers, "--compare", "--lang", "ko")
	if code != exitOK || !strings.Contains(out, "체크포인트 소요 시간") || strings.Contains(out, "format: 1") {
		t.Errorf("code %d, %s", code, out)
	}
	code, out, errs = lab("", "rebuild", answers, "--compare", "--json")
	var info rebuiltInfo
	if err := json.Unmarshal([]byte(out), &info); err != nil || code != exitOK || len(info.Compared) < 8 || info.Compared[0].Observed < 80 || info.Compared[0].Observed > 100 || info.Compared[0].Simulated == nil || !strings.HasPrefix(info.Scenario, "format: 1") {
		t.Errorf("code %d, %v, %s%s", code, err, out, errs)
	}
	for _, bad := range []string{"", "hello", `{"jid":"j","vertices":[]}`} {
		if code, _, errs := lab(bad, "rebuild", "-"); code != exitUsage || strings.Count(errs, "\n") != 1 {
			t.Errorf("%q: code %d, %s", bad, code, errs)
		}
	}
}
