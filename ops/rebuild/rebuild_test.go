package rebuild

import (
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
	"checkpointlab/scenarios"
)

// answers are those of a recorded job.
func answers(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func scenario(t *testing.T, texts ...string) (*Rebuilt, *scenarios.Scenario) {
	t.Helper()
	r, err := Of(texts, "")
	if err != nil {
		t.Fatal(err)
	}
	s, err := scenarios.Parse(r.YAML("en"))
	if err != nil {
		t.Fatalf("%v\n%s", err, r.YAML("en"))
	}
	return r, s
}

// What came out of a real job's run comes out of the scenario that its answers make: nothing of it was put in. The bounds of
// durations are those within which the same setting, recorded twice on that machine, differs (ops/truth: up to 15 %), and
// 25 ms of what its scheduler adds.
func TestRecordedJobsComeOutAlike(t *testing.T) {
	for _, name := range []string{"bp-111", "bp-222", "skew-222-50", "load-90", "join-max-and-slow", "bp-222-unaligned", "state-rocksdb-incremental"} {
		r, s := scenario(t, answers(t, name))
		lab, err := core.New(s.Setup)
		if err != nil {
			t.Fatal(err)
		}
		lab.Advance(s.Setup.Duration, 0)
		seen := map[string]bool{}
		for _, row := range r.Compare("en", lab) {
			seen[row.What] = true
			off, within := math.Abs(row.Simulated-row.Observed), math.Inf(1)
			switch {
			case row.What == "checkpoint duration":
				within = 0.15*row.Observed + float64(25*event.Millisecond)
			case row.Unit == scenarios.PerSecond:
				within = 0.02 * row.Observed
			case row.Unit == scenarios.Share:
				within = 0.05
			}
			if !(off <= within) {
				o, c, _ := row.Values()
				t.Errorf("%s, %s %s: observed %s, simulated %s", name, row.Vertex, row.What, o, c)
			}
		}
		for _, what := range []string{"checkpoint duration", "records/s into sinks", "start delay", "alignment", "back-pressured", "busy"} {
			if !seen[what] {
				t.Errorf("%s: %s is not compared", name, what)
			}
		}
	}
}

func named(t *testing.T, s *scenarios.Scenario, name string) core.Vertex {
	t.Helper()
	for _, v := range s.Setup.Vertices {
		if v.Name == name {
			return v
		}
	}
	t.Fatalf("no %s", name)
	return core.Vertex{}
}

// What went into the recorded jobs is found again.
func TestTheSettingIsFoundAgain(t *testing.T) {
	near := func(what string, got, want, within float64) {
		t.Helper()
		if math.Abs(got-want) > within*want {
			t.Errorf("%s is %v, set %v", what, got, want)
		}
	}
	_, s := scenario(t, answers(t, "skew-222-50"))
	near("the hot key's share", float64(s.Setup.HotShareMill)/1e6, 0.5, 0.1)
	near("the sink's cost", float64(named(t, s, "sink-Sink-Writer").Cost), 200_000, 0.05)
	if s.Setup.Options.Interval != 2*event.Second || s.Setup.Vertices[0].RateNum != 0 || s.Setup.Edges[len(s.Setup.Edges)-1].Partition != core.Hash || s.Setup.Cluster.Slots != 0 {
		t.Errorf("%+v", s.Setup)
	}
	_, s = scenario(t, answers(t, "load-90"))
	near("the rate", float64(s.Setup.Vertices[0].RateNum), 4500, 0.01)
	_, s = scenario(t, answers(t, "join-max-and-slow"))
	slow := named(t, s, "source2")
	near("the slow source's rate", float64(slow.RateNum)/float64(slow.RatePer/event.Second), 100, 0.02)
	in := 0
	for _, e := range s.Setup.Edges {
		if s.Setup.Vertices[e.To].Name == "map" {
			in++
		}
	}
	if in != 2 {
		t.Errorf("%+v", s.Setup.Edges)
	}
	_, s = scenario(t, answers(t, "state-rocksdb-incremental"))
	if m := named(t, s, "map").Snapshot; m.Size < 20_000_000 || m.Change < 500 || m.Async == 0 {
		t.Errorf("20,000 values of 1,000 bytes: %+v", m)
	}
}

// Every sentence is said in both languages, the file is the same but for its comments and sentences, and no value is without one.
func TestBothLanguages(t *testing.T) {
	for _, name := range []string{"skew-222-50", "join-max-and-slow"} {
		for _, text := range []string{answers(t, name), jobOf(answers(t, name))} {
			r, _ := scenario(t, text)
			for _, n := range r.Notes {
				if n.Ko == "" || n.Ko == n.Text || strings.Contains(n.Text+n.Ko, "%!") {
					t.Errorf("%q, %q", n.Text, n.Ko)
				}
			}
			en, ko := string(r.YAML("en")), string(r.YAML("ko"))
			if strings.Contains(en+ko, "%!") || bare(en) != bare(ko) {
				t.Errorf("%s\n%s", en, ko)
			}
			for line := range strings.Lines(en) {
				key, _, _ := strings.Cut(strings.TrimSpace(line), ":")
				if (key == "cost" || key == "rate" || key == "record" || key == "emit" || key == "size" || key == "async" || strings.Contains(key, ".")) && !strings.Contains(line, "  # ") && !strings.HasPrefix(key, "-") {
					t.Errorf("nothing says where it is from: %s", line)
				}
			}
		}
	}
}

// bare is a file without its comments and sentences.
func bare(yaml string) string {
	var b strings.Builder
	for line := range strings.Lines(yaml) {
		if at := strings.Index(line, "# "); at >= 0 {
			line = line[:at]
		}
		if !strings.HasPrefix(strings.TrimSpace(line), `- "`) {
			b.WriteString(strings.TrimSpace(line) + "\n")
		}
	}
	return b.String()
}

// jobOf is the answer of /jobs/:id alone.
func jobOf(text string) string {
	job, _, _ := strings.Cut(text, "\n")
	return job
}

// What no text tells is said, not filled in silently.
func TestWhatIsMissingIsSaid(t *testing.T) {
	all := answers(t, "bp-222")
	r, s := scenario(t, jobOf(all))
	said := ""
	for _, n := range r.Notes {
		said += n.Text + "\n"
	}
	for _, want := range []string{"No text tells the checkpoint interval", "Which tasks share a task manager is not told", "Whether keys are skewed is not told", "Which version of Flink runs", "means since the tasks began to run", "How many keys"} {
		if !strings.Contains(said, want) {
			t.Errorf("it does not say %q:\n%s", want, said)
		}
	}
	if s.Setup.Cluster.Slots != 1 || !s.Setup.Cluster.Sharing || s.Setup.Options.Interval != 0 {
		t.Errorf("%+v", s.Setup.Cluster)
	}
	config := "execution.checkpointing.interval: 7 s\nstate.backend.type: rocksdb\ntaskmanager.numberOfTaskSlots: 2\nsome.secret: x\n"
	r, s = scenario(t, jobOf(all), config, `{"refresh-interval":3000,"flink-version":"1.19.2"}`)
	if s.Setup.Options.Interval != 7*event.Second || s.Setup.Cluster.Slots != 2 || s.Setup.Options.Version != "1.18" || strings.Contains(string(r.YAML("en")), "secret") {
		t.Errorf("%+v\n%s", s.Setup.Options, r.YAML("en"))
	}
	r, _ = scenario(t, jobOf(all), `[{"id":"0.busyTimeMsPerSecond","value":"0.0"}]`, "2024-03-08 02:21:00,012 INFO x - Checkpoint 340 of job c612c688e34f8834858d4c5858ba6924 expired before completing.", `{"spec":{"flinkConfiguration":{"execution.checkpointing.interval":"3 s"}}}`)
	if !strings.Contains(r.notes(), "2 of the texts or answers say nothing that a scenario is made of") || r.interval != 3*event.Second {
		t.Errorf("%s", r.notes())
	}
	r, _ = scenario(t, jobOf(all), config)
	if strings.Contains(r.notes(), "were left out") {
		t.Errorf("%s", r.notes())
	}
	if !strings.Contains(string(r.YAML("en")), "  execution.checkpointing.interval: 7 s") || !strings.Contains(r.notes(), "What checkpoints store and for how long is not told") {
		t.Errorf("%s\n%s", r.notes(), r.YAML("en"))
	}
}

func (r *Rebuilt) notes() (all string) {
	for _, n := range r.Notes {
		all += n.Text + "\n"
	}
	return all
}

// Two answers some time apart give what happened between them.
func TestTwoAnswersGiveTheRateOfNow(t *testing.T) {
	first := jobOf(answers(t, "load-90"))
	later := strings.Replace(first, `"now":`, `"now":9`, 1) // far in the future
	later = raise(t, later, "write-records", 900_000)
	later = raise(t, later, "read-records", 900_000)
	later = raise(t, later, "accumulated-busy-time", 30_000)
	later = raise(t, later, "accumulated-idle-time", 270_000)
	r, s := scenario(t, later, first) // in any order
	v := s.Setup.Vertices
	if sink := named(t, s, "sink-Sink-Writer"); v[0].RateNum != 3000 || v[0].RatePer != event.Second || sink.Cost < 33_000 || sink.Cost > 34_000 {
		t.Errorf("900,000 records in 300 s: %+v\n%s", v, r.YAML("en"))
	}
	if strings.Contains(r.notes(), "means since") {
		t.Errorf("%s", r.notes())
	}
}

// raise adds to every field of a name.
func raise(t *testing.T, text, field string, by int) string {
	t.Helper()
	parts := strings.Split(text, `"`+field+`":`)
	if len(parts) < 2 {
		t.Fatalf("no %s", field)
	}
	for i := 1; i < len(parts); i++ {
		end := strings.IndexAny(parts[i], ",}")
		x, err := strconv.ParseFloat(parts[i][:end], 64)
		if err != nil {
			t.Fatal(err)
		}
		parts[i] = strconv.Itoa(int(x)+by) + parts[i][end:]
	}
	return strings.Join(parts, `"`+field+`":`)
}

func TestMistakes(t *testing.T) {
	all := answers(t, "bp-222")
	job := jobOf(all)
	for name, c := range map[string]struct {
		texts []string
		want  string
	}{
		"nothing":     {[]string{""}, "add the answer of /jobs/:id"},
		"prose":       {[]string{"our job is slow"}, "add the answer of /jobs/:id"},
		"no job":      {[]string{strings.TrimPrefix(all, job)}, "add the answer of /jobs/:id"},
		"two jobs":    {[]string{job, jobOf(answers(t, "bp-111"))}, "give those of one job"},
		"no plan":     {[]string{job[:strings.Index(job, `,"plan"`)] + "}"}, "has no plan"},
		"cut plan":    {[]string{strings.Replace(job, `"inputs":[{"id":"bc764cd8`, `"inputs":[{"id":"00000000`, 1)}, "not both among the job's vertices"},
		"too wide":    {[]string{strings.Replace(job, `"parallelism":2`, `"parallelism":9000000000000`, 1)}, "more than Flink allows"},
		"uneven":      {[]string{strings.Replace(strings.ReplaceAll(job, "HASH", "FORWARD"), `"parallelism":2`, `"parallelism":3`, 1)}, "FORWARD"},
		"no start":    {[]string{job, "execution.checkpointing.interval: 5 ms"}, "execution.checkpointing.interval"},
		"old version": {[]string{job}, "write 1.18"},
	} {
		version := ""
		if name == "old version" {
			version = "0.9"
			c.texts = append(c.texts, "execution.checkpointing.interval: 5 s")
		}
		_, err := Of(c.texts, version)
		if m, ok := err.(*option.Mistake); !ok || !strings.Contains(err.Error(), c.want) || m.Remedy == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Whatever is cut away or damaged, nothing panics, and a scenario that is made can be read or is refused by name.
func TestDamagedTexts(t *testing.T) {
	all := answers(t, "skew-222-50")
	try := func(text string) {
		r, err := Of([]string{text}, "")
		if err != nil {
			return
		}
		if _, err := scenarios.Parse(r.YAML("ko")); err != nil && !strings.Contains(err.Error(), "job.vertices.") {
			t.Errorf("%v\n%s", err, r.YAML("en"))
		}
	}
	for at := 0; at < len(all); at += 211 {
		try(all[:at])
		try(all[:at] + all[min(len(all), at+97):])
	}
	for _, old := range []string{`"read-records":`, `"accumulated-busy-time":`, `"write-bytes":`, `"duration":`, `"state_size":`, `"maxParallelism":`} {
		for _, new := range []string{"-5", `"NaN"`, "null", "1e300", `"x"`, "[]", "0"} {
			try(damaged(all, old, new))
		}
	}
}

// damaged puts a value in place of each of a field's.
func damaged(text, field, value string) string {
	parts := strings.Split(text, field)
	for i := 1; i < len(parts); i++ {
		parts[i] = value + parts[i][max(0, strings.IndexAny(parts[i], ",}")):]
	}
	return strings.Join(parts, field)
}
