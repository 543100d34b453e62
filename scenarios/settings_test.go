package scenarios

import (
	"os"
	"strings"
	"testing"

	"checkpointlab/core/event"
	"checkpointlab/core/option"
)

// read reads a pasted file of testdata.
func read(t *testing.T, file, version string) []Settings {
	t.Helper()
	data, err := os.ReadFile("testdata/pasted/" + file)
	if err != nil {
		t.Fatal(err)
	}
	all, err := ReadSettings(string(data), version)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return all
}

// What people paste comes to what it comes to on a real Flink, and what is wrong with it is told with its line
// (files of the public cases; the values are those of their description).
func TestSettings(t *testing.T) {
	for _, c := range []struct {
		file      string
		nth       int
		effective map[string]string
		beside    map[string]string
		notes     []string // line: words
	}{
		{"conf_conflicts.yaml", 0, map[string]string{
			"execution.checkpointing.interval": "10 s", "execution.checkpointing.mode": "AT_LEAST_ONCE", "execution.checkpointing.unaligned.enabled": "false",
			"execution.checkpointing.aligned-checkpoint-timeout": "20 s", "state.backend.type": "hashmap", "execution.checkpointing.incremental": "false",
			"restart-strategy.type": "exponential-delay", "state.changelog.enabled": "true",
		}, nil, []string{
			"2: Given again on line 3", "5: Not read: execution.checkpointing.unaligned.enabled", "5: AT_LEAST_ONCE disables unaligned", "7: Several checkpoints at once",
			"8: Longer than the interval", "9: Not read", "11: Shorter than the interval", "12: Not read", "14: Not read", "15: It has no meaning for hashmap", "17: Not read", "19: ignores it in silence",
		}},
		{"conf_tabs_crlf_bom.yaml", 0, map[string]string{
			"execution.checkpointing.interval": "2 min", "execution.checkpointing.mode": "EXACTLY_ONCE", "state.backend.type": "rocksdb", "execution.checkpointing.unaligned.enabled": "true",
			"taskmanager.memory.segment-size": "32 kb", "state.savepoints.dir": "hdfs:///flink/sp#1", "execution.checkpointing.min-pause": "0 ms",
		}, nil, []string{
			"1: byte order mark", "1: CR LF", "2: A tab", "2: Given again on line 14", "3: A tab", "4: No space after the colon", "7: no value", "8: cuts at '#' and reads hdfs:///flink/sp;",
			"11: The value stands on the next line", "13: Not a setting",
		}},
		{"flinkdeployment_cr.yaml", 0, map[string]string{
			"execution.checkpointing.interval": "5 min", "execution.checkpointing.timeout": "15 min", "execution.checkpointing.unaligned.enabled": "true",
			"execution.checkpointing.aligned-checkpoint-timeout": "30 s", "taskmanager.numberOfTaskSlots": "4",
		}, map[string]string{"parallelism": "48", "TaskManagers": "12"}, []string{
			"6: under spec.flinkConfiguration", "13: ConfigMap", "20: a savepoint every 1h", "21: 2 missed checkpoints", "26: no slot to spare",
		}},
		{"cli_dynamic_args.txt", 0, map[string]string{
			"execution.checkpointing.interval": "1 min", "execution.checkpointing.timeout": "30 min", "state.backend.type": "rocksdb", "execution.checkpointing.incremental": "true",
			"execution.checkpointing.tolerable-failed-checkpoints": "1000",
		}, map[string]string{"parallelism": "32"}, []string{"4: behind orders.jar"}},
		{"cli_dynamic_args.txt", 1, map[string]string{"execution.checkpointing.num-retained": "5", "execution.checkpointing.interval": "1 min"},
			map[string]string{"slots": "2", "JobManager, mb": "1024", "TaskManager, mb": "5120"}, nil},
		{"ckpt_config.json", 0, map[string]string{
			"execution.checkpointing.interval": "3 min", "execution.checkpointing.timeout": "10 min", "execution.checkpointing.min-pause": "10 s", "execution.checkpointing.unaligned.enabled": "false",
		}, nil, nil},
	} {
		all := read(t, c.file, "")
		if c.nth >= len(all) {
			t.Errorf("%s: %d configurations", c.file, len(all))
			continue
		}
		s := &all[c.nth]
		for key, want := range c.effective {
			if got := s.Effective(key); got != want {
				t.Errorf("%s: %s comes to %q, want %q", c.file, key, got, want)
			}
		}
		beside := map[string]string{}
		for _, b := range s.Beside {
			beside[b.Key] = b.Value
		}
		for key, want := range c.beside {
			if beside[key] != want {
				t.Errorf("%s: %s is %q, want %q", c.file, key, beside[key], want)
			}
		}
		for _, want := range c.notes {
			if !told(s, want) {
				t.Errorf("%s: nothing says %q", c.file, want)
			}
		}
		if len(s.Fatal) > 0 {
			t.Errorf("%s: %v", c.file, s.Fatal)
		}
	}
}

// told reports whether a note on a line has some words, "4: No space".
func told(s *Settings, want string) bool {
	line, words, _ := strings.Cut(want, ": ")
	for _, n := range s.Notes {
		if option.FormatSize(int64(n.Line)) == line+" bytes" && strings.Contains(n.Text, words) {
			return true
		}
	}
	return false
}

// A job that is not what its configuration says is told.
func TestSettingsDiffer(t *testing.T) {
	job := read(t, "ckpt_config.json", "")
	all, err := ReadSettings("execution.checkpointing.interval: 3 min\nexecution.checkpointing.unaligned.enabled: true\nexecution.checkpointing.min-pause: 10 s\nstate.backend.type: rocksdb\n", "")
	if err != nil {
		t.Fatal(err)
	}
	if got := all[0].Differs(&job[0], "en"); len(got) != 1 || got[0] != `execution.checkpointing.unaligned.enabled: the configuration comes to "true", the job says "false"` {
		t.Errorf("%q", got)
	}
}

// With a value that Flink does not read it does not start, and all else is still told.
func TestSettingsThatDoNotStart(t *testing.T) {
	all, err := ReadSettings("execution.checkpointing.mode: SMART\nexecution.checkpointing.interval: 10 s\nexecution.checkpointing.min-pause-between-checkpoints: 30 s\n", "")
	if err != nil {
		t.Fatal(err)
	}
	s := &all[0]
	if len(s.Fatal) != 1 || !strings.Contains(s.Fatal[0].Error(), "SMART") || s.Config.Interval != 10*event.Second || s.Config.MinPause != 0 {
		t.Errorf("fatal %v, interval %d, pause %d", s.Fatal, s.Config.Interval, s.Config.MinPause)
	}
	if !told(s, "3: Did you mean execution.checkpointing.min-pause?") {
		t.Errorf("%v", s.Notes)
	}
}

// What is no configuration is said to be none.
func TestNoSettings(t *testing.T) {
	for _, text := range []string{"", "hello", "[1, 2]", "\xff\xfe", "# only a comment\n", "{}", strings.Repeat("a", 2<<20)} {
		if all, err := ReadSettings(text, ""); err == nil {
			t.Errorf("%.20q is read as %s", text, all[0].Form)
		}
	}
	if _, err := ReadSettings("a.b: 1", "3.0"); err == nil {
		t.Error("version 3.0 is followed")
	}
}

// Every spelling of a duration and a size (the file of the public cases). Flink 2.x reads ISO forms, too
// (TimeUtils.parseDuration); older parsers did not.
func TestUnits(t *testing.T) {
	data, err := os.ReadFile("testdata/pasted/units_matrix.yaml")
	if err != nil {
		t.Fatal(err)
	}
	durations := map[string]int64{"d01": 60000, "d02": 60000, "d03": 60000, "d04": 60000, "d05": 60000, "d06": 60000, "d07": 90000, "d08": 7200000, "d09": 86400000, "d10": 500, "d11": 100,
		"d12": 250, "d13": 1000, "d14": 90000, "d15": 500, "d16": 600000, "d18": 0}
	sizes := map[string]int64{"m01": 64 << 20, "m02": 64 << 20, "m03": 64 << 20, "m04": 1 << 30, "m05": 1 << 30, "m06": 32768, "m07": 256, "m08": 1024, "m09": 2 << 40}
	for _, line := range strings.Split(string(data), "\n") {
		key, value, ok := strings.Cut(line, ": ")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		value = strings.Trim(value, `"`)
		switch key[0] {
		case 'd':
			d, err := option.ParseDuration(value)
			want, known := durations[key]
			if key == "d22" {
				want, known = event.Never/event.Millisecond, true
			}
			if (err == nil) != known || known && d/event.Millisecond != want {
				t.Errorf("%s: %q is %d ns, %v", key, value, d, err)
			}
		case 'm':
			n, err := option.ParseSize(value)
			want, known := sizes[key]
			if (err == nil) != known || n != want {
				t.Errorf("%s: %q is %d bytes, %v", key, value, n, err)
			}
		}
	}
}

// A text that is cut off anywhere is read or refused, never more.
func TestSettingsThatAreCutOff(t *testing.T) {
	files, err := os.ReadDir("testdata/pasted")
	if err != nil || len(files) < 5 {
		t.Fatal(err, len(files))
	}
	for _, f := range files {
		data, err := os.ReadFile("testdata/pasted/" + f.Name())
		if err != nil {
			t.Fatal(err)
		}
		for n := 0; n <= len(data); n += 7 {
			all, err := ReadSettings(string(data[:n]), "")
			for i := range all {
				all[i].Differs(&all[0], "ko")
			}
			if err != nil && err.Error() == "" {
				t.Errorf("%s cut at %d: a mistake without words", f.Name(), n)
			}
		}
	}
}

// What is written but does not mean what it seems to: no interval, a bare number, the JobManager's memory.
func TestSettingsThatMeanSomethingElse(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"execution.checkpointing.mode: EXACTLY_ONCE\n", "no checkpoint is taken, unless the program sets an interval"},
		{"execution.checkpointing.dir: s3://bucket/a\n", ""},
		{"execution.checkpointing.interval: 60\n", "write 60 s or 60 min"},
		{"execution.checkpointing.interval: 60000\n", ""},
		{"execution.checkpointing.interval: 60 s\nstate.backend: jobmanager\n", "above 5 mb"},
	} {
		all, err := ReadSettings(c.text, "")
		if err != nil {
			t.Fatal(err)
		}
		found := ""
		for _, n := range all[0].Notes {
			if n.Ko == "" {
				t.Errorf("%q has no Korean", n.Text)
			}
			if c.want != "" && strings.Contains(n.Text, c.want) || strings.Contains(n.Text, "A number without a unit") || strings.Contains(n.Text, "no checkpoint is taken") {
				found = n.Text
			}
		}
		if strings.Contains(found, c.want) != true || c.want == "" && found != "" {
			t.Errorf("%q: %q, expected %q", c.text, found, c.want)
		}
	}
}
