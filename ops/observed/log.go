package observed

import (
	"strconv"
	"strings"
	"time"

	"checkpointlab/core/option"
)

// Lines of a JobManager's or a TaskManager's log, in any layout: what counts is the message (CheckpointCoordinator,
// CheckpointFailureManager, JobMaster, ExecutionGraph of 1.4 to 2.3). A line may begin with the name of a pod, with colours, with a
// time in one of the usual forms; one that is wrapped goes on in the next.

// happening is what the lines of one log say of one checkpoint or of the job.
type happening struct {
	do   happened
	line int
	at   time.Time // of the line; zero if it has none
	day  bool      // whether that has a date
	id   int64     // of the checkpoint; -1 = none
	job  string
	time ms    // of a trigger: the instant it gives; of a completion: how long it took
	last ms    // of a completion: the finalization
	size bytes // of a completion
	n    int64 // of a failure: those in a row before it
	said string
}

type happened uint8

const (
	triggered happened = iota
	completed
	timedOut
	declined
	lateAck
	failure
	globalFailure
	stateChange
	restored
	fromNothing
)

// sentence is one of Flink's, with what is read of it. Names of the groups are the fields of happening. A job's id is any word: people
// shorten it and black it out.
type sentence struct {
	do   happened
	hint string // its beginning, without which the line is not looked at
	is   *pattern
}

var sentences = []sentence{
	{triggered, "riggering ", lazily(`^riggering (?:checkpoint|savepoint) (?P<id>\d+) (?:\((?:type=)?(?P<said>.*)\) )?@ (?P<time>\d+)(?: for job (?P<job>\S*[^\s.,:]))?`)},
	{completed, "Completed ", lazily(`^Completed (?:checkpoint|savepoint) (?P<id>\d+)(?: for job (?P<job>\S*[^\s.,:]))?\s*(?:\((?:(?P<size>\d+) bytes)?(?: in (?P<time>\d+) ms|,? ?checkpointDuration=(?P<time>\d+) ms)?(?:, finalizationTime=(?P<last>\d+) ms)?\))?`)},
	{timedOut, "Checkpoint ", lazily(`^Checkpoint (?P<id>\d+)(?: of job (?P<job>\S*[^\s.,:]))? expired before completing`)},
	{declined, "Decline checkpoint ", lazily(`^Decline checkpoint (?P<id>\d+) by task (?P<said>\S+)(?: of job (?P<job>\S*[^\s.,:]))?`)},
	{lateAck, "Received late message", lazily(`^Received late message for now expired checkpoint attempt (?P<id>\d+) from(?: task)? (?P<said>\S+)(?: of job (?P<job>\S*[^\s.,:]))?`)},
	{failure, "Failed to trigger or complete", lazily(`^Failed to trigger or complete checkpoint (?P<id>\d+|UNKNOWN_CHECKPOINT_ID) for job (?P<job>\S*[^\s.,:])\.? \((?P<n>\d+) consecutive`)},
	{failure, "Failed to trigger checkpoint", lazily(`^Failed to trigger checkpoint(?: (?P<id>\d+))? for job (?P<job>\S*[^\s.,:]) (?:since|because) (?P<said>.*)`)},
	{globalFailure, "Trying to recover from a global failure", lazily(`^Trying to recover from a global failure`)},
	{stateChange, "Job ", lazily(`^Job .*\((?P<job>[^\s()]+)\) switched from state (?P<said>\w+ to \w+)`)},
	{restored, "Restoring job", lazily(`^Restoring job (?P<job>\S*[^\s.,:]) from (?:latest valid checkpoint: )?(?:Checkpoint |Savepoint )?(?P<id>\d+) @ (?P<time>\d+)`)},
	{fromNothing, "No checkpoint found", lazily(`^No checkpoint found (?:to restore|during restore)`)},
}

var clocks = []struct {
	is     *pattern
	layout string
	day    bool
}{
	{lazily(`\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d[,.]\d{3}`), "2006-01-02 15:04:05.000", true},
	{lazily(`\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d`), "2006-01-02 15:04:05", true},
	{lazily(`\d{4}/\d\d/\d\d \d\d:\d\d:\d\d`), "2006/01/02 15:04:05", true},
	{lazily(`\d\d/\d\d/\d\d \d\d:\d\d:\d\d`), "06/01/02 15:04:05", true},
	{lazily(`\b\d\d:\d\d:\d\d[,.]\d{3}`), "15:04:05.000", false},
	{lazily(`\b\d\d:\d\d:\d\d\b`), "15:04:05", false},
}

// timed tells a line that begins with a time of its own.
func timed(line string) bool {
	at, _ := clockOf(line)
	return !at.IsZero()
}

// mostBefore is where the time of a line begins at the latest: names of pods and threads may stand before it.
const mostBefore = 120

// clockOf is the time of a line, as far as it has one.
func clockOf(line string) (at time.Time, day bool) {
	head := line[:min(len(line), mostBefore)]
	for _, c := range clocks {
		if m := c.is.find(head); m != nil {
			if at, err := time.Parse(c.layout, strings.ReplaceAll(strings.ReplaceAll(m[0], "T", " "), ",", ".")); err == nil {
				return at, c.day
			}
		}
	}
	return at, false
}

// logged reads a log; nil if no line of the text is one of Flink's about checkpoints, failures or resources.
func logged(text string) *Seen {
	l := &logFile{}
	line := 0
	for at := 0; at < len(text); {
		end := at + strings.IndexByte(text[at:], '\n')
		if end < at {
			end = len(text)
		}
		line++
		l.read(line, text[at:end], text[min(len(text), end+1):])
		at = end + 1
	}
	l.end()
	if len(l.all) == 0 && len(l.raised) == 0 {
		return nil
	}
	s := &Seen{Form: "log"}
	l.tell(s)
	return s
}

// logFile is a log while it is read.
type logFile struct {
	all    []happening
	raised []raised // what exceptions say, in the order of lines

	open bool // within the lines of one exception
}

// read takes a line; next is the text behind it, for a line that is wrapped.
func (l *logFile) read(line int, raw, next string) {
	if strings.Contains(raw, "\x1b[") || strings.Contains(raw, "[m") || strings.Contains(raw, "[0m") {
		raw = colourless(raw)
	}
	if !strings.Contains(raw, "riggering checkpoint ") && !strings.Contains(raw, "Completed checkpoint ") { // nearly all lines of a healthy log
		l.exceptionLine(line, raw)
	}
	for i := range sentences {
		s := &sentences[i]
		m := s.find(raw, next)
		if m == nil {
			continue
		}
		h := happening{do: s.do, line: line, id: -1, time: -1, last: -1, size: -1, n: -1}
		h.at, h.day = clockOf(raw)
		for k, name := range s.is.names() {
			h.take(name, m[k])
		}
		if h.do == restored && h.id < 0 {
			continue
		}
		l.all = append(l.all, h)
		return
	}
}

// find looks for the sentence from each place at which it may begin; a line that is wrapped goes on in the next.
func (s *sentence) find(raw, next string) []string {
	for at := strings.Index(raw, s.hint); at >= 0; {
		whole := raw[at:min(len(raw), at+mostAsked)]
		if strings.HasPrefix(next, " ") {
			if more, _, _ := strings.Cut(next[:min(len(next), mostAsked)], "\n"); !strings.HasPrefix(strings.TrimSpace(more), "at ") {
				whole += " " + strings.TrimSpace(more)
			}
		}
		if m := s.is.find(whole); m != nil {
			return m
		}
		further := strings.Index(raw[at+1:], s.hint)
		if further < 0 {
			return nil
		}
		at += 1 + further
	}
	return nil
}

// colourless is a line without the colours of a terminal, of which a copy may have lost the escape character.
func colourless(line string) string {
	var b strings.Builder
	for {
		at := strings.IndexByte(line, '[')
		if at < 0 {
			b.WriteString(line)
			return b.String()
		}
		end := at + 1
		for end < len(line) && (line[end] >= '0' && line[end] <= '9' || line[end] == ';') {
			end++
		}
		before, escaped := strings.CutSuffix(line[:at], "\x1b")
		if end < len(line) && line[end] == 'm' && (escaped || end > at+1) { // [main] is no colour
			b.WriteString(before)
			end++
		} else {
			b.WriteString(line[:end])
		}
		line = line[end:]
	}
}

func (h *happening) take(name, value string) {
	if value == "" {
		return
	}
	n, _ := strconv.ParseInt(value, 10, 64)
	switch name {
	case "id":
		if value[0] >= '0' && value[0] <= '9' {
			h.id = n
		}
	case "job":
		h.job = value
	case "time":
		h.time = ms(n)
	case "last":
		h.last = ms(n)
	case "size":
		h.size = bytes(n)
	case "n":
		h.n = n
	case "said":
		h.said = value
	}
}

// loading is how a process tells at its start what its configuration has (GlobalConfiguration).
const loading = "Loading configuration property: "

// loaded is the configuration that the lines of a text tell: those of a start, and lines that are settings themselves, as people put
// them before or behind a log.
func loaded(text string) string {
	var b strings.Builder
	some := false
	for one := range strings.Lines(text) {
		one = strings.TrimRight(one, "\r\n")
		if _, pair, ok := strings.Cut(one, loading); ok {
			if key, value, ok := strings.Cut(pair, ", "); ok {
				b.WriteString(key + ": " + value)
				some = true
			}
		} else if key, value, ok := settingIn(one); ok {
			b.WriteString(key + ": " + value)
			some = true
		}
		b.WriteByte('\n')
	}
	if !some {
		return ""
	}
	return b.String()
}

// settingIn is an option that stands on a line by itself, perhaps behind the signs of a list or of a quoted mail.
func settingIn(one string) (key, value string, ok bool) {
	one = strings.TrimLeft(one, " \t>*-")
	for _, sign := range []string{": ", "="} {
		key, value, ok = strings.Cut(one, sign)
		if _, known := option.Known(strings.TrimSpace(key)); ok && known {
			return strings.TrimSpace(key), strings.TrimSpace(value), true
		}
	}
	return "", "", false
}
