package caption

import (
	"reflect"
	"testing"

	"checkpointlab/render/token"
)

func TestSentencesAreCutAtTheirMarks(t *testing.T) {
	got := Pieces("barrier " + Flag(7) + " is behind **4 buffers**.")
	want := []Piece{
		{Text: "barrier "}, {Checkpoint: 7, Hue: int(token.Hue(7) - token.CP0)}, {Text: " is behind "},
		{Text: "4 buffers", Strong: true}, {Text: "."},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	if p := Plain("**a** " + Flag(12)); p != "a 12" {
		t.Errorf("plain: %q", p)
	}
}

func TestJoinIsPlain(t *testing.T) {
	sentence := "**sink 0** holds " + Flag(7) + ", **4 buffers**."
	if got, want := Join(Pieces(sentence)), Plain(sentence); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
