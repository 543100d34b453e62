// Package observed reads what a running Flink wrote, as people paste it: answers of the REST interface, lines of a log, metrics,
// thread dumps, tables of the web interface. Of each it says what it is, the numbers in it with their units, and what an operator
// concludes from them. It concludes nothing that is not in the text: what is unknown (-1, NaN, a part that was cut away) stays so.
//
// Reading order: Read finds out what a text holds (documents.go, lenient.go for JSON as it is pasted); the answers of the REST
// interface are in rest.go, subtasks.go and job.go, logs in log.go and logged.go, all others in the files of their names. A list
// of checkpoints is judged in history.go, wherever it came from; reasons.go and exceptions.go hold what Flink's own words mean.
package observed

import (
	"strings"
	"unicode/utf8"

	"checkpointlab/core/option"
)

// MostBytes bounds a text: a log of a day has some tens of megabytes.
const MostBytes = 256 << 20

// Seen is what one text, or one document in it, says.
type Seen struct {
	Form  string // what it was taken for: "checkpoints", "checkpoints/details", "log", "metrics" …
	Facts []Fact // in the order in which a reader asks for them
	Notes []option.Note
	// Settings is the text of a configuration that stands among what was read: an answer of …/checkpoints/config, what a process
	// says at its start that it has loaded. scenarios.ReadSettings reads it; Facts and Notes are empty then.
	Settings string

	alike map[string]int // how often each sentence was said
	left  int            // and how often it was not
}

// Fact is a number or a word that the text gives. Of a time Number is in ms, of a size in bytes; Known is false for what Flink
// gives as -1 or NaN.
type Fact struct {
	Name   string
	Text   string // as a person reads it
	Number int64
	Unit   string // "ms", "bytes", "" for a count or a word
	Known  bool
}

// Read reads a text. It is nil without an error if the text is nothing that Flink writes while it runs, as a configuration.
func Read(text string) ([]Seen, error) {
	if len(text) > MostBytes {
		return nil, &option.Mistake{Problem: "the text is larger than " + option.FormatSize(MostBytes), Remedy: "cut out the lines about checkpoints, for example with grep -i checkpoint"}
	}
	var lead Seen
	if !utf8.ValidString(text) {
		plain, ok := fromUTF16(text)
		if !ok {
			plain = strings.ToValidUTF8(text, "\ufffd")
			lead.remark(0, "Bytes that are no UTF-8 were replaced.", "UTF-8이 아닌 바이트를 바꾸어 읽었다.")
		}
		text = plain
	}
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n")
	docs, rest := documents(text)
	all, err := ofREST(docs)
	if err != nil {
		return nil, err
	}
	for _, read := range []func(string) *Seen{threads, metrics, partTable, table, overviewTab, gaugeTable, logged, gaugeLines} {
		if s := read(rest); s != nil {
			all = append(all, *s)
			if loaded := loaded(rest); loaded != "" {
				all = append(all, Seen{Form: "settings", Settings: loaded})
			}
			break
		}
	}
	for i := range all {
		all[i].rest()
	}
	if len(all) > 0 {
		all[0].Notes = append(lead.Notes, all[0].Notes...)
	}
	return all, nil
}

// fromUTF16 is a text that an editor of Windows saved with two bytes a character; false if it is none.
func fromUTF16(text string) (string, bool) {
	if len(text) < 2 || text[0]+text[1] != 0xfd || text[0] < 0xfe {
		return "", false
	}
	low := 0
	if text[0] == 0xfe {
		low = 1
	}
	var b strings.Builder
	for i := 2; i+1 < len(text); i += 2 {
		b.WriteRune(rune(text[i+low]) | rune(text[i+1-low])<<8)
	}
	return b.String(), true
}
