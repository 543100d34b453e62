package observed

import (
	"strings"
	"time"
)

// document is a value of JSON in a text.
type document struct {
	value any
	odd   oddities
	text  string
}

// documents finds the JSON in a text; rest is all else, with the lines where they were. Before and between them there may be
// prompts, commands, the headers of an answer. A line of a log that is JSON becomes its message.
func documents(text string) (docs []document, rest string) {
	var b strings.Builder
	wasted := 0
	for line, at := 1, 0; at < len(text); {
		end := at + strings.IndexByte(text[at:], '\n') + 1
		if end <= at {
			end = len(text)
		}
		one := text[at:end]
		start := strings.TrimLeft(one, " \t,")
		d, read := document{}, 0
		if wasted < mostWasted {
			d, read = begins(text[end-len(start):], start, line)
		}
		if read < 0 {
			wasted -= read
		}
		if read > 0 {
			lines := strings.Count(text[at:end-len(start)+read], "\n")
			if said, ok := logLine(d.value); ok {
				b.WriteString(said)
			} else {
				docs = append(docs, d)
			}
			at, line = end-len(start)+read, line+lines
			b.WriteString(strings.Repeat("\n", lines))
			continue
		}
		b.WriteString(one)
		at, line = end, line+1
	}
	return docs, b.String()
}

// mostWasted is how much is read for what then is no document: a text of opened brackets alone would be read from each of them.
const mostWasted = 64 << 20

// begins reads a document where a line begins with one; read is its length, 0 if there is none, negative if so much was read for
// nothing.
func begins(text, start string, line int) (d document, read int) {
	l := &lenient{text: text, line: line}
	switch {
	case start == "" || strings.HasPrefix(start, "{{"):
		return d, 0
	case start[0] == '{' && opens(start, "\"'}"), start[0] == '[' && opens(start, "{]"):
		d.value, _ = l.value()
	case start[0] == '"' && strings.Contains(start, "\":"): // the beginning was cut away
		o := &object{values: map[string]any{}, line: line}
		l.odd.cut = line
		l.fields(o)
		d.value = o
	default:
		return d, 0
	}
	d.odd, d.text = l.odd, text[:l.at]
	if o, ok := d.value.(*object); ok && len(o.keys) == 0 {
		return d, -l.at
	}
	return d, l.at
}

// opens tells whether a bracket goes on as one of JSON does: with one of the signs, or with the end of its line.
func opens(start, signs string) bool {
	inner := strings.TrimLeft(start[1:], " \t\r")
	return inner == "" || inner[0] == '\n' || strings.ContainsRune(signs, rune(inner[0]))
}

// logLine is what a line of a log in JSON says, as the plain layout has it: of log4j's JsonTemplateLayout (ECS, Logstash, GELF), of
// container platforms that wrap each line.
func logLine(v any) (string, bool) {
	message := ""
	for _, name := range []string{"message", "msg", "log", "textPayload", "short_message", "@message"} {
		if message = textOf(of(v, name)); message != "" {
			break
		}
	}
	if message == "" || has(v, "errors") {
		return "", false
	}
	stamp := ""
	for _, name := range []string{"@timestamp", "timestamp", "time", "ts", "eventTime", "timeMillis"} {
		if stamp = textOf(of(v, name)); stamp != "" {
			break
		}
		if n := number(of(v, name)); n > 1e12 && n < 1e13 {
			stamp = time.UnixMilli(n).UTC().Format("2006-01-02 15:04:05.000")
			break
		}
	}
	if stamp == "" && !has(v, "level") && !has(v, "log.level") && !has(v, "stream") {
		return "", false
	}
	logger := textOf(of(v, "log.logger")) + textOf(of(v, "logger_name")) + textOf(of(v, "loggerName"))
	level := textOf(of(v, "log.level")) + textOf(of(v, "level"))
	if timed(message) {
		return flat(message), true
	}
	for _, one := range list(of(v, "throwableInformation")) { // Managed Service for Apache Flink
		message += " " + textOf(one)
	}
	stack := textOf(of(v, "error.stack_trace")) + textOf(of(v, "stack_trace")) + textOf(of(v, "thrown", "extendedStackTrace"))
	return flat(strings.TrimSpace(stamp + " " + level + " " + logger + " - " + message + " " + stack)), true
}

// flat keeps a message of several lines on the line that it came from.
func flat(message string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(message, "\n", " ")), " ")
}
