package player

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"checkpointlab/core/event"
)

func TestAnAddressSetsScenarioTimeSpeedAndSettingsByTheirShortNames(t *testing.T) {
	p := New("en")
	a := p.OpenAddress("?scenario=backpressure&seed=7&t=71.2s&speed=0.1x&interval=5s&sink.cost=300us&sink.transaction-timeout=5s&debloat=true&controls=mini&utm_source=x&cb")
	if !a.OK || a.Error != "" {
		t.Fatalf("refused: %s", a.Error)
	}
	if !slices.Equal(a.Unknown, []string{"utm_source"}) {
		t.Errorf("unknown %q, want utm_source alone", a.Unknown)
	}
	link := p.Link()
	for _, want := range []string{"s=backpressure", "execution.checkpointing.interval=5s", "job.vertices.sink.cost=300us", "job.vertices.sink.transactionTimeout=5s", "run.seed=7",
		"taskmanager.network.memory.buffer-debloat.enabled=true", "x=0.1"} {
		if !strings.Contains(link, want) {
			t.Errorf("%s lacks %s", link, want)
		}
	}
	if p.wanted != 71_200*event.Millisecond {
		t.Errorf("the playhead is wanted at %d", p.wanted)
	}
	if p.Playing() {
		t.Error("an address alone plays")
	}
}

func TestWrongValuesOfAnAddressAreToldAndTheRestHolds(t *testing.T) {
	p := New("en")
	a := p.OpenAddress("scenario=bakpressure&t=later&speed=-2&interval=soon&min-pause=1s&knob=interval,nothing&%zz=1")
	for _, want := range []string{"did you mean backpressure?", `t=later`, `speed=-2`, `"soon" is not a duration`, `nothing`, `%zz=1`} {
		if !strings.Contains(a.Error, want) {
			t.Errorf("%q does not tell of %s", a.Error, want)
		}
	}
	if !strings.Contains(p.Link(), "min-pause=1s") {
		t.Errorf("%s lost the value that can be used", p.Link())
	}
	if !slices.Equal(a.Knobs, []string{"execution.checkpointing.interval"}) {
		t.Errorf("knobs %q", a.Knobs)
	}
}

func TestSettingsOfAnAddressMayBeRightOnlyTogether(t *testing.T) {
	p := New("en")
	a := p.OpenAddress("scenario=two-inputs&interval-during-backlog=20s&interval=20s")
	if !a.OK {
		t.Error(a.Error)
	}
}

func TestPassedTellsStartsAndEndsOfCheckpointsInOrder(t *testing.T) {
	p := New("en")
	p.OpenAddress("scenario=chapter")
	for !p.allComplete() {
		p.compute(func() bool { return true })
	}
	all := p.Passed(0, p.Duration())
	started, ended, last := 0, 0, 0.0
	for _, c := range all {
		if c.At < last {
			t.Fatalf("%+v comes after %g s", c, last)
		}
		last = c.At
		if c.Status == "IN_PROGRESS" {
			started++
		} else if ended++; c.Duration <= 0 {
			t.Errorf("%+v took no time", c)
		}
	}
	if started < 5 || ended < started-1 {
		t.Errorf("%d started, %d ended", started, ended)
	}
	if got := p.Passed(p.Duration(), p.Duration()); len(got) != 0 {
		t.Errorf("an empty span has %v", got)
	}
}

func TestAnAddressComparesLanes(t *testing.T) {
	p := New("en")
	a := p.OpenAddress("scenario=backpressure&t=3&compare=unaligned=true,interval=5s&compare=scenario=chapter&compare=nonsense=1,debloat=true")
	if p.Lanes() != 4 {
		t.Fatalf("%d lanes, want 4", p.Lanes())
	}
	if !strings.Contains(a.Error, `nonsense=1`) {
		t.Errorf("%q does not tell of nonsense", a.Error)
	}
	if p.Selected() != 0 || p.wanted != 3*event.Second {
		t.Errorf("lane %d is selected, the playhead is wanted at %d", p.Selected(), p.wanted)
	}
	link := p.Link()
	for _, want := range []string{"b=execution.checkpointing.interval%3D5s%26execution.checkpointing.unaligned.enabled%3Dtrue", "c=s%3Dchapter", "d=taskmanager"} {
		if !strings.Contains(link, want) {
			t.Errorf("%s lacks %s", link, want)
		}
	}
	if p.OpenAddress("scenario=chapter"); p.Lanes() != 1 {
		t.Errorf("an address without lanes leaves %d", p.Lanes())
	}
}

// Whatever an address or a link is stuffed with, it is opened at once: what is beyond all settings is left out, and so is what one would not read.
func TestStuffedAddresses(t *testing.T) {
	var many, unknown strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&many, "interval=wrong%d&", i)
		fmt.Fprintf(&unknown, "a%d=b&", i)
	}
	p := New("en")
	a := p.OpenAddress("?t=5&" + many.String())
	if a.OK || !strings.Contains(a.Error, "more than \"500\" parts") || !strings.Contains(a.Error, "more mistakes") || len(a.Error) > 4000 {
		t.Errorf("%d bytes: %.300s", len(a.Error), a.Error)
	}
	if p.wanted != 5*event.Second {
		t.Errorf("what comes before holds: the playhead is to be at %d", p.wanted)
	}
	if a = p.OpenAddress("?" + unknown.String()); len(a.Unknown) != mostParts {
		t.Errorf("%d unknown parameters", len(a.Unknown))
	}
	if r := p.Open("#" + unknown.String()); r.OK || len(r.Error) > 4000 {
		t.Errorf("a link: %d bytes", len(r.Error))
	}
}

// An address takes whole actions of the script, as a link does; they have no control.
func TestAddressTakesActions(t *testing.T) {
	p := New("en")
	if a := p.OpenAddress("?script.2=%7Bat:+1+s,+do:+savepoint%7D"); !a.OK || len(a.Unknown) > 0 || len(p.scenario.Setup.Script) != 2 {
		t.Errorf("%+v, %d actions", a, len(p.scenario.Setup.Script))
	}
	if a := p.OpenAddress("?knob=script.1"); a.OK || len(a.Knobs) > 0 {
		t.Errorf("a control of an action: %+v", a)
	}
	if a := p.OpenAddress("?script.9=%7Bat:+1+s,+do:+savepoint%7D"); !strings.Contains(a.Error, "the next one is script.2") {
		t.Errorf("a gap: %+v", a)
	}
}
