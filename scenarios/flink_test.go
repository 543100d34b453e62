package scenarios

import (
	"strings"
	"testing"

	"checkpointlab/core/event"
	"checkpointlab/core/option"
)

func TestApplyFlink(t *testing.T) {
	const flat = "execution.checkpointing.interval: 7 s\nexecution.checkpointing.unaligned.enabled: true\n"
	cases := []struct{ name, text, block string }{
		{"flat", flat, flat},
		{"a flink: block", "flink:\n  execution.checkpointing.interval: 7 s\n  execution.checkpointing.unaligned.enabled: true\n", flat},
		{"nested", "execution:\n  checkpointing:\n    interval: 7 s\n    unaligned:\n      enabled: true\n", flat},
		{"nested and dotted", "execution.checkpointing:\n  interval: 7 s\nexecution.checkpointing.unaligned.enabled: true\n", flat},
		{"BOM, CRLF and comments", "\ufeff# from an editor\r\nexecution.checkpointing.interval: 7 s # often\r\n\r\nexecution.checkpointing.unaligned.enabled: true\r\n", flat},
		{"tabs of a flink-conf.yaml", "\texecution.checkpointing.interval:\t7 s\nexecution.checkpointing.unaligned.enabled: true # on\n", flat},
		{"quotes", "execution.checkpointing.interval: '7 s'\n", "execution.checkpointing.interval: 7 s\n"},
		{"a value with a colon", "env.java.opts.all: -Da=b: c\nexecution.checkpointing.interval: 7 s\n", "env.java.opts.all: '-Da=b: c'\nexecution.checkpointing.interval: 7 s\n"},
		{"a list", "classloader.parent-first-patterns.additional: [a, b]\n", "classloader.parent-first-patterns.additional: a;b\n"},
		{"nothing", "", ""},
		{"only comments", "# nothing\n\n", ""},
		{"an empty block", "flink:\n", ""},
	}
	for _, c := range cases {
		s := load(t, "chapter")
		if err := s.ApplyFlink(c.text); err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := s.FlinkBlock(); got != c.block {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.block)
		}
		before := s.Setup.Options
		if err := s.ApplyFlink(s.FlinkBlock()); err != nil || s.Setup.Options != before {
			t.Errorf("%s: the block does not read back: %v", c.name, err)
		}
	}
}

// It replaces: what the text does not name has Flink's default.
func TestApplyFlinkReplaces(t *testing.T) {
	s := load(t, "chapter")
	if err := s.ApplyFlink("execution.checkpointing.timeout: 30 s\n"); err != nil {
		t.Fatal(err)
	}
	if s.Setup.Options.Interval != 0 || s.Setup.Options.Timeout != 30*event.Second {
		t.Errorf("%+v", s.Setup.Options)
	}
}

func TestApplyFlinkRefuses(t *testing.T) {
	cases := []struct{ text, err string }{
		{"execution:\n  checkpointing:\n    intervall: 1 s\n",
			`line 3: execution.checkpointing.intervall (set to "1 s") is not an option of Flink, which would ignore it in silence; did you mean execution.checkpointing.interval?`},
		{"flink:\n  execution.checkpointing.mode: SMART\n",
			`line 2: execution.checkpointing.mode: "SMART" is no value of this option; write EXACTLY_ONCE or AT_LEAST_ONCE`},
		{"execution.checkpointing.interval:5s", `line 1: the text names execution.checkpointing.interval in a form that is not read, and holds no other option; write key: value lines, with a space after the colon`},
		{"hello", `the text holds no option; write key: value lines, with a space after the colon`},
		{"a: [\nb\n", `line 1: a (set to "[") is not an option of Flink, which would ignore it in silence; remove it`},
		{"title: x\njob: {}\n", `line 1: title (set to "x") is not an option of Flink, which would ignore it in silence; remove it`},
	}
	for _, c := range cases {
		s := load(t, "chapter")
		err := s.ApplyFlink(c.text)
		if err == nil || err.Error() != c.err {
			t.Errorf("%q\n got %v\nwant %s", c.text, err, c.err)
		}
		if s.Setup.Options.Interval != 60*event.Second {
			t.Errorf("%q changed the scenario", c.text)
		}
	}
}

// What Flink passes over is passed over, and told.
func TestApplyFlinkPassesOver(t *testing.T) {
	for _, c := range []struct{ text, block, note string }{
		{"execution.checkpointing.interval: 1 s\n\nexecution.checkpointing.min-pause-between-checkpoints: 30s\n", "execution.checkpointing.interval: 1 s\n", "3: Did you mean execution.checkpointing.min-pause?"},
		{"execution.checkpointing.interval: 60s\nexecution.checkpointing.interval: 10s\n", "execution.checkpointing.interval: 10s\n", "1: Given again on line 2"},
		{"execution.checkpointing.interval: 10s\nexecution.checkpointing.timeout:5s\nhello\n", "execution.checkpointing.interval: 10s\n", "2: No space after the colon"},
		{"flink run -p 8 -Dexecution.checkpointing.interval=10s a.jar\nflink run b.jar\n", "execution.checkpointing.interval: 10s\n", "1: Not taken: the job of this scenario keeps its own."},
	} {
		s := load(t, "chapter")
		if err := s.ApplyFlink(c.text); err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if got := s.FlinkBlock(); got != c.block {
			t.Errorf("%q\n got %s\nwant %s", c.text, got, c.block)
		}
		if !told(&Settings{Notes: s.Notes}, c.note) {
			t.Errorf("%q: nothing says %q: %v", c.text, c.note, s.Notes)
		}
	}
	s := load(t, "chapter")
	if err := s.ApplyFlink("spec:\n  flinkVersion: v1_18\n  flinkConfiguration:\n    execution.checkpointing.interval: 9 s\n"); err != nil || s.Setup.Options.Version != "1.18" {
		t.Errorf("version %s, %v", s.Setup.Options.Version, err)
	}
	if err := s.ApplyFlink("execution.checkpointing.interval: 8 s\n"); err != nil || s.Setup.Options.Version != "1.18" {
		t.Errorf("version %s after a text that names none, %v", s.Setup.Options.Version, err)
	}
}

// Contradictions of a configuration that is full of them (case C16, C28) are told, with their lines.
func TestApplyFlinkNotes(t *testing.T) {
	s := load(t, "chapter")
	err := s.ApplyFlink(`execution.checkpointing.interval: 10s
execution.checkpointing.mode: AT_LEAST_ONCE
execution.checkpointing.unaligned: true
execution.checkpointing.min-pause: 30s
state.backend: rocksdb
state.backend.type: hashmap
execution.checkpointing.unaligned.enabled: true
taskmanager.network.memory.floating-buffers-per-gate: 16
`)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, n := range s.Notes {
		got = append(got, option.FormatSize(int64(n.Line))[:1]+" "+strings.Fields(n.Text)[0])
	}
	if want := "3 An|3 Not|4 Longer|5 An|5 Not|7 Switched|8 Flink"; strings.Join(got, "|") != want {
		t.Errorf("got %s, want %s", strings.Join(got, "|"), want)
	}
}
