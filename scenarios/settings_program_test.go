package scenarios

import (
	"strconv"
	"strings"
	"testing"

	"checkpointlab/core/option"
)

const javaJob = `StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
env.enableCheckpointing(
    5 * 60_000L, // five minutes
    CheckpointingMode.EXACTLY_ONCE);
CheckpointConfig c = env.getCheckpointConfig();
c.setMinPauseBetweenCheckpoints(PAUSE);
c.setCheckpointTimeout(TimeUnit.MINUTES.toMillis(20));
c.enableUnalignedCheckpoints();
c.setAlignedCheckpointTimeout(Duration.ofSeconds(30));
c.setPreferCheckpointForRecovery(true);
// env.setBufferTimeout(0);
env.setBufferTimeout(-1);
env.setStateBackend(new EmbeddedRocksDBStateBackend(true));
env.setRestartStrategy(RestartStrategies.fixedDelayRestart(3, Time.of(10, TimeUnit.SECONDS)));
env.setParallelism(8);
stream.map(f).setParallelism(4);
config.set(CheckpointingOptions.CHECKPOINTING_TIMEOUT, Duration.ofMinutes(3));
config.set(CheckpointingOptions.SOMETHING_NEW, true);
config.setString("pipeline.max-parallelism", "256");
`

// What a program sets is read as far as the text says it; a variable is told and not guessed.
func TestSettingsOfAProgram(t *testing.T) {
	all, err := ReadSettings(javaJob, "")
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	s := &all[0]
	for key, want := range map[string]string{
		"execution.checkpointing.interval": "5 min", "execution.checkpointing.mode": "EXACTLY_ONCE", "execution.checkpointing.timeout": "3 min",
		"execution.checkpointing.unaligned.enabled": "true", "execution.checkpointing.aligned-checkpoint-timeout": "30 s", "execution.checkpointing.min-pause": "0 ms",
		"execution.buffer-timeout.enabled": "false", "state.backend.type": "rocksdb", "execution.checkpointing.incremental": "true",
		"restart-strategy.type": "fixed-delay", "restart-strategy.fixed-delay.delay": "10 s", "pipeline.max-parallelism": "256",
	} {
		if got := s.Effective(key); got != want {
			t.Errorf("%s is %q, want %q", key, got, want)
		}
	}
	if len(s.Beside) != 1 || s.Beside[0] != (option.Pair{Key: "parallelism", Value: "8", Line: 15}) {
		t.Errorf("beside %v", s.Beside)
	}
	said := notesOf(s)
	for _, want := range []string{`6: Not read: setMinPauseBetweenCheckpoints is given "PAUSE"`, "7: Set again on line 17", "10: Not read: the lab does not know this call",
		"13: Flink 2.0 has removed this call", "14: Flink 2.0 has removed this call", "18: Not read: the lab does not know this constant"} {
		if !strings.Contains(said, want) {
			t.Errorf("nothing says %q:\n%s", want, said)
		}
	}
}

func notesOf(s *Settings) string {
	var b strings.Builder
	for _, n := range s.Notes {
		b.WriteString(strconv.Itoa(n.Line) + ": " + n.Text + "\n")
	}
	return b.String()
}

// A configuration is found inside of what carries it, with the lines of the whole text.
func TestSettingsInside(t *testing.T) {
	for name, c := range map[string]struct {
		text, form string
		line       int
	}{
		"a ConfigMap":         {"apiVersion: v1\nkind: ConfigMap\ndata:\n  flink-conf.yaml: |+\n    execution.checkpointing.interval: 3 min\n    no.option: 1\n  log4j.properties: |\n    a = b\n", "flink-conf.yaml", 6},
		"docker compose":      {"services:\n  jm:\n    environment:\n      - |\n        FLINK_PROPERTIES=\n        execution.checkpointing.interval: 3 min\n        no.option: 1\n", "FLINK_PROPERTIES", 7},
		"a container's env":   {"env:\n  - name: FLINK_PROPERTIES\n    value: |\n      execution.checkpointing.interval: 3 min\n      no.option: 1\n", "FLINK_PROPERTIES", 5},
		"a shell":             {"docker run --env FLINK_PROPERTIES=\"execution.checkpointing.interval: 3 min\nno.option: 1\" flink\n", "FLINK_PROPERTIES", 2},
		"a chart's values":    {"flinkConfiguration: |\n  execution.checkpointing.interval: 3 min\n  no.option: 1\n", "flinkConfiguration", 3},
		"a shell's history":   {"  501  export A=b\n  502  $ ./bin/flink run -p 4 -Dexecution.checkpointing.interval=3min -Dno.option=1 job.jar\n", "flink run", 2},
		"SQL without quoting": {"SET 'execution.checkpointing.interval' = '3 min';\nSET no.option = 1;\n", "SQL", 2},
	} {
		all, err := ReadSettings(c.text, "")
		if err != nil || len(all) != 1 {
			t.Errorf("%s: %v, %v", name, all, err)
			continue
		}
		s := &all[0]
		if got := s.Effective("execution.checkpointing.interval"); got != "3 min" || s.Form != c.form {
			t.Errorf("%s: interval %q, form %q", name, got, s.Form)
		}
		if said := notesOf(s); !strings.Contains(said, strconv.Itoa(c.line)+": Not") {
			t.Errorf("%s: nothing is said of line %d:\n%s", name, c.line, said)
		}
	}
}
