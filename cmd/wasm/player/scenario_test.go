package player

import (
	"os"
	"strings"
	"testing"

	"checkpointlab/core/event"
	"checkpointlab/scenarios"
)

func finish(t *testing.T, p *Player) {
	t.Helper()
	for now := p.clock.last + 200; p.Tick(now, looks(plenty)).More; now += 200 {
		if now > 1e7 {
			t.Fatal("the clock never rests")
		}
	}
}

func TestALinkBringsTheStateBack(t *testing.T) {
	p := New("en")
	for _, c := range [][2]string{{"execution.checkpointing.interval", "5 s"}, {"seed", "7"}} {
		if r := p.Set(c[0], c[1]); !r.OK {
			t.Fatal(r.Error)
		}
	}
	finish(t, p)
	p.Seek(12_345 * event.Millisecond)
	p.SetSpeed(0.1)
	finish(t, p)
	q := New("en")
	if r := q.Open(p.Link()); !r.OK {
		t.Fatal(r.Error)
	}
	finish(t, q)
	a, b := p.State(), q.State()
	if a.Hash == "" || a.Hash != b.Hash || a.Time != b.Time || a.Speed != b.Speed || a.Seed != "7" || q.Link() != p.Link() {
		t.Errorf("%s\nbecame %s", p.Link(), q.Link())
	}
	if b.Ghost {
		t.Error("a link shows one state; it has no ghost")
	}
}

func TestAPastedScenarioTravelsInTheLink(t *testing.T) {
	p := New("ko")
	text := strings.Replace(p.ScenarioText(), "60 s", "7 s", 1)
	if r := p.Apply(text); !r.OK {
		t.Fatal(r.Error)
	}
	q := New("ko")
	if r := q.Open(p.Link()); !r.OK || q.ScenarioText() != p.ScenarioText() {
		t.Errorf("%v: %s", r, q.ScenarioText())
	}
	if s := q.State(); s.Scenario != ownScenario || s.Title == "" {
		t.Errorf("listed as %q %q", s.Scenario, s.Title)
	}
}

// However long a part is, its notice is a few lines: one of 200,000 letters took a browser half a minute to lay out.
func TestLongDamagedPartsAreToldInShort(t *testing.T) {
	long := strings.Repeat("A", 200_000)
	for _, fragment := range []string{"#y=", "#t=", "#x=", "#m=", "#s=", "#", "#%", "#seed=", "#" + long + "=", "#execution.checkpointing.interval="} {
		r := New("en").Open(fragment + long)
		if r.OK || len(r.Error) > 600 || len(r.Notes) > 0 && len(r.Notes[0]) > 600 {
			t.Errorf("%s…: %v, %d letters, notes %.80q", fragment[:min(9, len(fragment))], r.OK, len(r.Error), r.Notes)
		}
	}
}

func TestDamagedLinksNameWhatIsWrongAndStillOpen(t *testing.T) {
	for _, c := range []struct{ fragment, names string }{
		{"#s=chaptr", "chapter"},
		{"#s=chapter&execution.checkpointing.intervall=5+s", "execution.checkpointing.interval"},
		{"#s=chapter&execution.checkpointing.interval=5+ms", "10 ms"},
		{"#s=chapter&t=x", `t=x`},
		{"#y=%%%", "%%%"},
		{"#y=AAAA", "AAAA"},
	} {
		p := New("en")
		r := p.Open(c.fragment)
		if r.OK || !strings.Contains(r.Error, c.names) {
			t.Errorf("%s: %q does not name %q", c.fragment, r.Error, c.names)
		}
		if r := New("ko").Open(c.fragment); strings.Contains(r.Error, "모두 이전 그대로") {
			t.Errorf("%s: %q says that nothing has changed, but the rest of the link holds", c.fragment, r.Error)
		}
		finish(t, p)
		if p.State().Hash == "" {
			t.Errorf("%s: no run", c.fragment)
		}
	}
}

func TestRefusedChangesLeaveAllAsItWas(t *testing.T) {
	p := New("en")
	finish(t, p)
	before := p.Link()
	for _, r := range []Result{
		p.Set("execution.checkpointing.interval", "soon"),
		p.Apply("flink:\n  execution.checkpointing.interval: 5 s\n  execution.checkpointing.mode: SMART\n"),
		p.Apply("title: {en: x}\njob: {vertices: []}\n"),
		p.Load("no-such-scenario"),
	} {
		if r.OK || r.Error == "" {
			t.Errorf("taken: %+v", r)
		}
	}
	if p.Link() != before || p.next != nil {
		t.Errorf("%s became %s", before, p.Link())
	}
}

func TestApplyTellsWhatFlinkPassesOver(t *testing.T) {
	for lang, want := range map[string]string{
		"en": "Line 3: execution.checkpoint.interval: Not an option of Flink, which ignores it in silence. Did you mean execution.checkpointing.interval?",
		"ko": "3행: execution.checkpoint.interval: Flink의 옵션이 아니다. Flink는 조용히 무시한다. execution.checkpointing.interval을 뜻했는가?",
	} {
		p := New(lang)
		r := p.Apply("flink:\n  execution.checkpointing.interval: 5 s\n  execution.checkpoint.interval: 5 s\n")
		if !r.OK || len(r.Notes) != 1 || r.Notes[0] != want {
			t.Errorf("%+v", r)
		}
		if r := p.Set(keyInterval, "6 s"); !r.OK || len(r.Notes) > 0 {
			t.Errorf("told again after another change: %+v", r)
		}
	}
}

func TestApplyReplacesFlinkOptionsOnly(t *testing.T) {
	p := New("en")
	if r := p.Apply("flink:\n  execution.checkpointing.interval: 3 s\n  execution.checkpointing.unaligned: true\n"); !r.OK {
		t.Fatal(r.Error)
	} else if len(r.Notes) == 0 {
		t.Error("the old spelling is not noted")
	}
	finish(t, p)
	for _, k := range p.Settings() {
		switch k.Key {
		case keyInterval:
			if k.Value != "3 s" || !k.Main || !k.Changed || k.Stops[k.Stop] != "3 s" {
				t.Errorf("interval %+v", k)
			}
		case "execution.checkpointing.unaligned.enabled":
			if k.Value != "true" || !k.Changed {
				t.Errorf("unaligned %+v", k)
			}
		}
	}
	if !strings.Contains(p.FlinkBlock(), "execution.checkpointing.interval: 3 s") {
		t.Errorf("copied out: %s", p.FlinkBlock())
	}
}

func TestAVertexIsOfferedWhatItsKindHas(t *testing.T) {
	p := New("en")
	if r := p.Load("backpressure"); !r.OK {
		t.Fatal(r.Error)
	}
	offered := map[string]bool{}
	for _, k := range p.Settings() {
		offered[k.Key] = true
	}
	for key, want := range map[string]bool{
		"source.rate": true, "source.record": true, "source.cost": false, "source.guarantee": false,
		"map.cost": true, "map.rate": false, "map.record": false, "map.guarantee": false,
		"sink.cost": true, "sink.guarantee": true, "sink.rate": false, "sink.record": false,
	} {
		if offered["job.vertices."+key] != want {
			t.Errorf("%s: offered %v, want %v", key, !want, want)
		}
	}
}

// The moment at 71.2 s says that the sinks hold channels; an unaligned checkpoint is long done by then.
func TestMomentsAreNotSaidOfAChangedRun(t *testing.T) {
	for change, want := range map[string]bool{"": true, "&execution.checkpointing.unaligned.enabled=true": false} {
		p := New("en")
		p.Open("#s=backpressure&t=71.2" + change)
		finish(t, p)
		said := ""
		for _, c := range p.State().Caption {
			said += c.Text
		}
		if strings.Contains(said, "Each sink has one map's barrier") != want {
			t.Errorf("%s: %s", change, said)
		}
	}
}

func TestTheIntervalCanBeOff(t *testing.T) {
	p := New("ko")
	if r := p.Set(keyInterval, "끔"); !r.OK {
		t.Fatal(r.Error)
	}
	k := p.Settings()[0]
	if k.Key != keyInterval || k.Value != "끔" || k.Stop != len(k.Stops)-1 || k.Standard != "없음" {
		t.Errorf("%+v", k)
	}
}

func TestEveryScenarioPlaysAndSpeaksBothLanguages(t *testing.T) {
	for _, name := range scenarios.Names() {
		p := New("ko")
		if r := p.Load(name); !r.OK {
			t.Errorf("%s: %s", name, r.Error)
			continue
		}
		for range 20 {
			p.Step(1)
			p.Seek(p.at + p.film.Duration()/25)
			finish(t, p)
			for _, lang := range []string{"ko", "en"} {
				p.Lang(lang)
				s := p.State()
				length := 0
				for _, c := range s.Caption {
					length += len([]rune(c.Text))
				}
				if length == 0 || len(s.Twin) < 3 {
					t.Errorf("%s at %s: caption %v, twin %v", name, s.Clock, s.Caption, s.Twin)
				}
			}
		}
	}
}

func BenchmarkState(b *testing.B) {
	p := New("en")
	p.Load("backpressure")
	for now := 0.0; p.Tick(now, looks(plenty)).More; now += 200 {
	}
	for b.Loop() {
		p.State()
	}
}

// Two moments that both have just been are told by the newer one.
func TestTheCaptionIsOfTheNewestMoment(t *testing.T) {
	p := New("en")
	p.Load("recovery")
	finish(t, p)
	m := &p.scenario.Moments[2] // the job is back 1.1 s after the failure
	at, ok := m.In(p.film.History())
	if !ok {
		t.Fatal("the job does not come back")
	}
	p.Seek(at + event.Second/2)
	finish(t, p)
	if c := p.State().Caption; len(c) != 1 || c[0].Text != m.Say["en"] {
		t.Errorf("it says %v", c)
	}
}

// The field for pasted settings reads programs as the command does: variables are followed, and what is not in the text is told.
func TestAPastedProgram(t *testing.T) {
	p := New("ko")
	r := p.Apply("Duration every = Duration.ofSeconds(7);\nenv.enableCheckpointing(every.toMillis());\nenv.getCheckpointConfig().setCheckpointTimeout(args[0]);\n")
	if !r.OK || p.scenario.Setup.Options.Interval != 7*event.Second || !strings.Contains(strings.Join(r.Notes, "\n"), "3행: execution.checkpointing.timeout: 읽지 않았다") {
		t.Errorf("%+v, interval %d", r, p.scenario.Setup.Options.Interval)
	}
}

// A job that a pasted text tells of is shown as a scenario when that is asked for; explaining it changes nothing.
func TestAPastedJobBecomesAScenario(t *testing.T) {
	data, err := os.ReadFile("../../../ops/rebuild/testdata/load-90.txt")
	if err != nil {
		t.Fatal(err)
	}
	p := New("ko")
	before := p.ScenarioText()
	if r := p.Apply(string(data)); !r.OK || !r.Job || r.Read == "" || p.ScenarioText() != before {
		t.Errorf("%+v", r)
	}
	if r := p.Apply("2024-03-08 02:21:00,012 INFO x - Checkpoint 340 of job c612c688e34f8834858d4c5858ba6924 expired before completing."); r.Job {
		t.Errorf("a log tells of no job: %+v", r)
	}
	if r := p.Rebuild("hello"); r.OK || !strings.Contains(r.Error, "시나리오로 만들 것이 없다") || p.ScenarioText() != before {
		t.Errorf("%+v", r)
	}
	r := p.Rebuild(string(data))
	if !r.OK || !strings.Contains(strings.Join(r.Notes, "\n"), "지금까지의 평균") || p.scenario.Setup.Options.Interval != 2*event.Second {
		t.Errorf("%+v", r)
	}
	finish(t, p)
	if said := p.State().Explain; !strings.Contains(said, "관찰 91 ms") && !strings.Contains(said, "관찰 91밀리초") {
		t.Errorf("it says %q", said)
	}
}
