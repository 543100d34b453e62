package scenarios

import (
	"strconv"
	"strings"
	"testing"

	"checkpointlab/core/option"
)

// What the expressions of programs come to, in each language; what the text does not say has no value.
func TestValuesOfAProgram(t *testing.T) {
	for _, c := range []struct{ program, key, want string }{
		{"Duration d = Duration.ofSeconds(10);\nenv.enableCheckpointing(d.toMillis());", "execution.checkpointing.interval", "10 s"},
		{"private static final long EVERY = 3 * 60 * 1_000L;\nvoid main() { env.enableCheckpointing(EVERY); }", "execution.checkpointing.interval", "3 min"},
		{"env.enableCheckpointing(Job.EVERY);\nclass Job { static final int EVERY = 30_000; }", "execution.checkpointing.interval", "30 s"},
		{"long base = 1000; long every = base * 30 + 500;\nenv.enableCheckpointing(every);", "execution.checkpointing.interval", "30500 ms"},
		{"Configuration conf = new Configuration();\nconf.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.of(5, ChronoUnit.MINUTES));", "execution.checkpointing.interval", "5 min"},
		{"conf.set(ExecutionCheckpointingOptions.CHECKPOINTING_TIMEOUT, Duration.parse(\"PT20M\"));", "execution.checkpointing.timeout", "20 min"},
		{"conf.set(TaskManagerOptions.BUFFER_DEBLOAT_ENABLED, true);", "taskmanager.network.memory.buffer-debloat.enabled", "true"},
		{"conf.set(TaskManagerOptions.MEMORY_SEGMENT_SIZE, MemorySize.parse(\"16kb\"));", "taskmanager.memory.segment-size", "16 kb"},
		{"conf.set(RocksDBConfigurableOptions.WRITE_BUFFER_SIZE, MemorySize.ofMebiBytes(128));", "state.backend.rocksdb.writebuffer.size", "128 mb"},
		{"conf.set(ForStConfigurableOptions.WRITE_BUFFER_SIZE, MemorySize.ofMebiBytes(128));", "state.backend.forst.writebuffer.size", "128 mb"},
		{"conf.set(RestartStrategyOptions.RESTART_STRATEGY, \"fixed-delay\");", "restart-strategy.type", "fixed-delay"},
		{"conf.setString(\"execution.checkpointing.mode\", CheckpointingMode.AT_LEAST_ONCE.name());", "execution.checkpointing.mode", "AT_LEAST_ONCE"},
		{"String key = \"execution.checkpointing.min-pause\";\ntableEnv.getConfig().set(key, \"5 s\");", "execution.checkpointing.min-pause", "5 s"},
		{"tEnv.executeSql(\"SET 'execution.checkpointing.interval' = '45 s'\");", "execution.checkpointing.interval", "45 s"},
		{"t_env.execute_sql(\"\"\"\nSET 'execution.checkpointing.interval' = '45 s';\n\"\"\")", "execution.checkpointing.interval", "45 s"},
		{"every = 15 * 1000  # ms\nenv.enable_checkpointing(every)\n", "execution.checkpointing.interval", "15 s"},
		{"EVERY: int = 15000\nenv.enable_checkpointing(interval=EVERY)\n", "execution.checkpointing.interval", "15 s"},
		{"val every: Duration = 20.seconds\nenv.enableCheckpointing(every.toMillis)\n", "execution.checkpointing.interval", "20 s"},
		{"env.checkpointConfig.checkpointTimeout = 90_000\n", "execution.checkpointing.timeout", "90 s"},
		{"env\n  .enableCheckpointing(1000)\n  .getCheckpointConfig()\n  .setMaxConcurrentCheckpoints(2);", "execution.checkpointing.max-concurrent-checkpoints", "2"},
		{"StateBackend b = new EmbeddedRocksDBStateBackend(true);\nenv.setStateBackend(b);", "state.backend.type", "rocksdb"},
		{"/* env.enableCheckpointing(5); */ env.enableCheckpointing((long) (2 * 1000));", "execution.checkpointing.interval", "2 s"},
	} {
		all, err := ReadSettings(c.program, "")
		if err != nil {
			t.Errorf("%s: %v", c.program, err)
			continue
		}
		if got := all[0].Effective(c.key); got != c.want || all[0].Form != programForm {
			t.Errorf("%s\ncomes to %q as %s, want %q; %s", c.program, got, all[0].Form, c.want, notesOf(&all[0]))
		}
	}
}

// What is not in the text is told: an argument of the program, a name with two values, one that is its own.
func TestValuesThatAreNotInTheText(t *testing.T) {
	for _, program := range []string{
		"env.enableCheckpointing(params.getLong(\"interval\", 60000));",
		"env.enableCheckpointing(Long.parseLong(args[0]));",
		"long every = 1000; if (fast) every = 100;\nenv.enableCheckpointing(every);",
		"every = every * 2; env.enableCheckpointing(every);",
		"a = b; b = a; env.enableCheckpointing(a);",
		"env.enableCheckpointing(Config.INTERVAL);",
		"env.enableCheckpointing(" + strings.Repeat("(", 1000) + "1" + strings.Repeat(")", 1000) + ");",
		"env.enableCheckpointing(9000000000000 * 9000000000000);",
	} {
		p := programText(program)
		if p == nil || len(p.pairs) != 0 || len(p.notes) != 1 || !strings.Contains(p.notes[0].Text, "whose value is not in the text") {
			t.Errorf("%.80s is read as %+v", program, p)
		}
	}
}

// Variables that name many others many times are read in no time: each is asked once.
func TestVariablesOfVariables(t *testing.T) {
	var b strings.Builder
	for i := range 12 {
		b.WriteString("v" + strconv.Itoa(i) + " = " + strings.Repeat("v"+strconv.Itoa(i+1)+" + ", 2000) + "1;\n")
	}
	if p := programText(b.String() + "env.enableCheckpointing(v0);\n"); p == nil || len(p.notes) != 1 {
		t.Errorf("read as %+v", p)
	}
}

// The sink's transactions hang on the interval.
func TestSettingsOfASink(t *testing.T) {
	const sink = "KafkaSink.<String>builder().setDeliveryGuarantee(DeliveryGuarantee.EXACTLY_ONCE).setTransactionalIdPrefix(\"a\").setProperty("
	for _, c := range []struct{ text, want string }{
		{"env.enableCheckpointing(360000);\n" + sink + "\"transaction.timeout.ms\", \"900000\").build();", "The longest downtime comes on top"},
		{"env.enableCheckpointing(600000);\n" + sink + "ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, String.valueOf(5 * 60 * 1000)).build();", "before the interval of 10 min is over"},
		{"env.enableCheckpointing(600000);\n" + sink + "\"acks\", \"all\").build();", "No transaction.timeout.ms: KafkaSink then asks for 1 h"},
		{sink + "\"transaction.timeout.ms\", 900000).build();", "no interval is set here"},
		{"SET 'execution.checkpointing.interval' = '10 min';\nCREATE TABLE t (a INT) WITH ('sink.delivery-guarantee' = 'exactly-once',\n 'properties.transaction.timeout.ms' = '300000');\n", "before the interval of 10 min is over"},
		{"SET 'execution.checkpointing.interval' = '10 s';\nCREATE TABLE t (a INT) WITH ('sink.delivery-guarantee' = 'at-least-once');\n", ""},
	} {
		all, err := ReadSettings(c.text, "")
		if err != nil {
			t.Fatal(err)
		}
		said := notesOf(&all[0])
		if c.want != "" && !strings.Contains(said, c.want) || c.want == "" && strings.Contains(said, "commits") {
			t.Errorf("%s: %s", c.text, said)
		}
	}
}

// Each constant stands for an option of the table.
func TestConstants(t *testing.T) {
	for line := range strings.Lines(strings.TrimPrefix(constants, "\n")) {
		name, key, _ := strings.Cut(strings.TrimSpace(line), " ")
		if _, ok := option.Find(key); !ok || constantKey("CheckpointingOptions", name) != key {
			t.Errorf("%q is no option of the table", line)
		}
	}
}
