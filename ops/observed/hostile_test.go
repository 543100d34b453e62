package observed

import (
	"strings"
	"testing"
	"time"
)

// Nothing that is pasted makes it panic or hang; what is nothing of Flink's is not taken for something.
func TestHostile(t *testing.T) {
	for name, text := range map[string]string{
		"empty": "", "space": " \n\t\n", "deep": strings.Repeat(`{"a":[`, 1<<17), "brackets": strings.Repeat("[", 1<<20), "open": `{"counts":{"total":`,
		"quotes": strings.Repeat(`"`, 1<<16), "dots": "{" + strings.Repeat("...", 1<<16), "zero": "\x00\x00{\"counts\":\x00}", "binary": "\xff\xfe\x00",
		"lines": strings.Repeat("{\n", 1<<16), "keys": `{"` + strings.Repeat(`k":{"`, 1<<15), "prose": "dear all, our checkpoints are slow, any idea?",
		"huge numbers": `{"counts":{"total":1e999,"completed":-5,"failed":99999999999999999999},"history":[{"id":1e300,"status":"FAILED","end_to_end_duration":-1e30}]}`,
		"wrong types":  `{"counts":[],"summary":7,"latest":"x","history":[1,"a",null,{"id":"x","status":3}]}`,
		"dump":         strings.Repeat("\"map (1/4)#0\" prio=5\n\tat a.b\n", 1<<12), "table": "ID\tStatus\tAcknowledged\n" + strings.Repeat("x\ty\tz\n", 1<<12),
	} {
		begun := time.Now()
		all, err := Read(text)
		if took := time.Since(begun); took > 20*time.Second {
			t.Errorf("%s takes %v", name, took)
		}
		for _, s := range all {
			if s.Form == "" {
				t.Errorf("%s is read as something without a name", name)
			}
		}
		if (name == "prose" || name == "empty" || name == "space") && (len(all) > 0 || err != nil) {
			t.Errorf("%s is read as %v, %v", name, all, err)
		}
	}
}

// A log of tens of megabytes is read in time that grows with its length.
func TestHuge(t *testing.T) {
	line := "2024-03-08 02:11:00,004 INFO  org.apache.flink.runtime.checkpoint.CheckpointCoordinator [Checkpoint Timer] - Some other line about nothing at all in this log.\n"
	text := strings.Repeat(line, 100_000) + "2024-03-08 02:21:00,012 INFO x - Checkpoint 340 of job c612c688e34f8834858d4c5858ba6924 expired before completing.\n"
	all, err := Read(text)
	if err != nil || len(all) != 1 || all[0].Form != "log" || !strings.Contains(all[0].Notes[0].Text, "1 expired") {
		t.Fatalf("%+v, %v", all, err)
	}
}

// FuzzRead looks for texts that make it panic.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{`{"counts":{"total":1},"history":[{"id":1,"status":"FAILED"}]}`, "flink_jobmanager_job_numRestarts{a=\"b\",} 4.0", "ID\tStatus\tAcknowledged\n1\tFAILED\t1/2", "\"a (1/2)#0\" prio=5 tid=1\n\tat x", "12:00:00 Completed checkpoint 1 (1 bytes in 2 ms)\nCaused by: a.B.CException: x"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		all, _ := Read(text)
		for _, s := range all {
			for _, n := range s.Notes {
				if strings.Contains(n.Text+n.Ko, "%!") && !strings.Contains(text, "%!") {
					t.Errorf("%q, %q", n.Text, n.Ko)
				}
			}
		}
	})
}
