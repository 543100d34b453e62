package caption

import (
	"strconv"
	"strings"

	"checkpointlab/core/event"
	"checkpointlab/render/token"
)

// Piece is a part of a sentence: plain text, strong text, or the flag of a checkpoint in its hue.
type Piece struct {
	Text       string           `json:"text,omitempty"`
	Strong     bool             `json:"strong,omitempty"`
	Checkpoint event.Checkpoint `json:"checkpoint,omitempty"`
	Hue        int              `json:"hue,omitempty"` // 0 to 3, of a flag
}

// Marks inside a sentence: a text may carry ** around what is strong; Flag wraps a checkpoint's id.
const (
	strongMark = "**"
	flagOpen   = "\x02"
	flagClose  = "\x03"
)

// Flag is a checkpoint as a value of a sentence.
func Flag(id event.Checkpoint) string { return flagOpen + strconv.FormatInt(id, 10) + flagClose }

// Pieces splits a filled sentence at its marks.
func Pieces(sentence string) []Piece {
	var out []Piece
	strong := false
	for i, part := range strings.Split(sentence, strongMark) {
		strong = i%2 == 1
		for part != "" {
			before, rest, found := strings.Cut(part, flagOpen)
			if before != "" {
				out = append(out, Piece{Text: before, Strong: strong})
			}
			if !found {
				break
			}
			id, after, _ := strings.Cut(rest, flagClose)
			n, _ := strconv.ParseInt(id, 10, 64) // Flag wrote it
			out = append(out, Piece{Checkpoint: n, Hue: int(token.Hue(n) - token.CP0)})
			part = after
		}
	}
	return out
}

// Plain is a filled sentence without its marks, as a screen reader or an export takes it.
func Plain(sentence string) string {
	return strings.NewReplacer(strongMark, "", flagOpen, "", flagClose, "").Replace(sentence)
}

// Join is a sentence of pieces without their marks.
func Join(pieces []Piece) string {
	var out strings.Builder
	for _, p := range pieces {
		out.WriteString(p.Text)
		if p.Checkpoint != 0 {
			out.WriteString(strconv.FormatInt(p.Checkpoint, 10))
		}
	}
	return out.String()
}
