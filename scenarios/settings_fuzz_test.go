package scenarios

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// FuzzReadSettings: no pasted text panics; what is said of it names a line that it has, in one line; and the same text says the same.
func FuzzReadSettings(f *testing.F) {
	for _, text := range []string{
		"", "a: b", "execution.checkpointing.interval: 10 s\n", "execution:\n  checkpointing:\n    interval: 10 s\n", "flink:\n  a: {b: [1, c]}\n",
		"apiVersion: flink.apache.org/v1beta1\nkind: FlinkDeployment\nspec:\n  flinkVersion: v1_20\n  flinkConfiguration:\n    execution.checkpointing.interval: \"10s\"\n  job: {parallelism: 4}\n",
		"flink run -d -p 4 -Dexecution.checkpointing.interval=10s -Dstate.backend.type=rocksdb app.jar\nflink run -s x y.jar",
		"SET 'execution.checkpointing.interval' = '10s';\nSET execution.checkpointing.mode = AT_LEAST_ONCE;",
		"services:\n  jobmanager:\n    environment:\n      - |\n        FLINK_PROPERTIES=\n        execution.checkpointing.interval: 10s\n",
		"var env = StreamExecutionEnvironment.getExecutionEnvironment();\nlong t = 10 * 1000;\nenv.enableCheckpointing(t, CheckpointingMode.EXACTLY_ONCE);\nenv.getCheckpointConfig().setCheckpointTimeout(Duration.ofMinutes(2).toMillis());\nconf.set(CheckpointingOptions.CHECKPOINTING_TIMEOUT, Duration.ofSeconds(5));",
		"env = StreamExecutionEnvironment.get_execution_environment()\nenv.enable_checkpointing(5000)\nenv.get_checkpoint_config().set_min_pause_between_checkpoints(500)\n",
		"[{\"key\":\"execution.checkpointing.interval\",\"value\":\"10 s\"}]", "{\"mode\":\"exactly_once\",\"interval\":10000,\"timeout\":600000,\"min_pause\":0}",
		"kind: ConfigMap\ndata:\n  flink-conf.yaml: |\n    a.b: c\n    execution.checkpointing.interval: 1 h\n",
	} {
		f.Add(text, "")
		f.Add(text, "1.18")
	}
	for _, pattern := range []string{"*.yaml", "testdata/*", "../ops/cases/files.yaml"} {
		names, _ := filepath.Glob(pattern)
		for _, name := range names {
			if data, err := os.ReadFile(name); err == nil {
				f.Add(string(data), "")
			}
		}
	}
	f.Fuzz(func(t *testing.T, text, version string) {
		all, err := ReadSettings(text, version)
		again, other := ReadSettings(text, version)
		if (err == nil) != (other == nil) || len(all) != len(again) {
			t.Fatalf("%q: read differently the second time", text)
		}
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %q", text, err)
		}
		for i := range all {
			if len(all[i].Notes) != len(again[i].Notes) || len(all[i].Fatal) != len(again[i].Fatal) || all[i].Config != again[i].Config {
				t.Errorf("%q: read differently the second time", text)
			}
			for k, n := range all[i].Notes {
				for _, lang := range []string{"en", "ko"} {
					if said := n.Words(lang); said == "" || strings.Contains(said, "\n") || said != again[i].Notes[k].Words(lang) {
						t.Errorf("%q: %q", text, said)
					}
				}
				if n.Line < 0 || n.Line > strings.Count(text, "\n")+strings.Count(text, "\r")+1 {
					t.Errorf("%q: line %d", text, n.Line)
				}
			}
		}
	})
}
