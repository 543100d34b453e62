package player

import (
	"reflect"
	"testing"

	"checkpointlab/core/event"

	"pgregory.net/rapid"
)

func TestLinksComeBackAsTheyWere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := link{
			scenario: rapid.StringMatching(`[a-z][a-z-]{0,12}`).Draw(t, "scenario"),
			at:       rapid.Int64Range(0, 1e6).Draw(t, "ms") * event.Millisecond,
			speed:    rapid.SampledFrom([]float64{0.001, 0.1, 2, 60}).Draw(t, "speed"),
		}
		if rapid.Bool().Draw(t, "whole") {
			l.scenario, l.document = "", rapid.StringN(1, 200, -1).Draw(t, "document")
		}
		for range rapid.IntRange(0, 3).Draw(t, "changes") {
			l.changes = append(l.changes, [2]string{rapid.StringMatching(`[a-z]{2,8}\.[a-z-]{1,8}`).Draw(t, "key"), rapid.String().Draw(t, "value")})
		}
		got, damage := parseLink(l.String())
		if len(damage) != 0 {
			t.Fatalf("%s: damage %v", l.String(), damage)
		}
		if !reflect.DeepEqual(got, l) {
			t.Fatalf("%s: %+v, want %+v", l.String(), got, l)
		}
	})
}

func TestDamagedPartsAreToldAndTheRestHolds(t *testing.T) {
	l, damage := parseLink("#s=chapter&t=soon&x=-1&%zz=1&&y=!!&a.b=5+s&plain")
	if l.scenario != "chapter" || !reflect.DeepEqual(l.changes, [][2]string{{"a.b", "5 s"}}) {
		t.Errorf("kept %+v", l)
	}
	want := []damaged{{"t=soon", "link.time"}, {"x=-1", "link.speed"}, {"%zz=1", "link.unreadable"}, {"y=!!", "link.document"}, {"plain", "link.unreadable"}}
	if !reflect.DeepEqual(damage, want) {
		t.Errorf("damage %v, want %v", damage, want)
	}
}
