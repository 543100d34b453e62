package scenarios

import (
	"strings"
	"testing"

	"checkpointlab/core/event"
)

func TestWhatPeoplePasteIsRead(t *testing.T) {
	for _, text := range []string{
		"-Dexecution.checkpointing.interval=5s -Dexecution.checkpointing.unaligned.enabled=true",
		"flink run -d \\\n  -Dexecution.checkpointing.interval=5s \\\n  -D \"execution.checkpointing.unaligned.enabled=true\" job.jar",
		"apiVersion: flink.apache.org/v1beta1\nkind: FlinkDeployment\nspec:\n  flinkVersion: v2_3\n  flinkConfiguration:\n    execution.checkpointing.interval: 5s\n    execution.checkpointing.unaligned.enabled: \"true\"\n",
		"flink run -m yarn-cluster -ys 2 -yDexecution.checkpointing.interval=5s -yD execution.checkpointing.unaligned.enabled=true job.jar",
		`{"mode": "exactly_once", "interval": 5000, "timeout": 600000, "min_pause": 0, "max_concurrent": 1, "unaligned_checkpoints": true}`,
		`{"execution.checkpointing.interval": "5s", "execution.checkpointing.unaligned.enabled": true}`,
		`{"spec": {"flinkConfiguration": {"execution.checkpointing": {"interval": "5s", "unaligned.enabled": "true"}}}}`,
		`[{"key": "execution.checkpointing.interval", "value": "5s"}, {"key": "execution.checkpointing.unaligned.enabled", "value": "true"}]`,
		"SET 'execution.checkpointing.interval' = '5s';\nSET 'execution.checkpointing.unaligned.enabled' = 'true';\n",
		"flink:\n  execution.checkpointing.interval: 5s\n  execution.checkpointing.unaligned.enabled: true\n",
	} {
		s, err := Load("chapter")
		if err != nil {
			t.Fatal(err)
		}
		if err := s.ApplyFlink(text); err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if o := &s.Setup.Options; o.Interval != 5*event.Second || !o.Unaligned {
			t.Errorf("%s: interval %d, unaligned %v", text, o.Interval, o.Unaligned)
		}
	}
}

func TestMistakesInWhatIsPastedNameTheirLine(t *testing.T) {
	s, err := Load("chapter")
	if err != nil {
		t.Fatal(err)
	}
	err = s.ApplyFlink("flink run \\\n -Dexecution.checkpointing.interval=soon job.jar")
	if err == nil || !strings.Contains(err.Error(), "line 2") || !strings.Contains(err.Error(), "soon") {
		t.Errorf("%v", err)
	}
	if err = s.ApplyFlink("[1, 2]"); err == nil {
		t.Error("a list of numbers is a configuration")
	}
}
