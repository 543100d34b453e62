package scenarios

import (
	"strconv"
	"strings"

	"checkpointlab/core/option"
)

// Texts that are no YAML: a flink-conf.yaml, whose parser works line by line, the arguments of the flink command, SQL's SET.

// flatText reads a flink-conf.yaml as its own parser does (GlobalConfiguration of 1.x): each line by itself, and a line that is
// none is passed over.
func flatText(text string) *paste {
	p := &paste{form: "flink-conf.yaml"}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		at := i + 1
		if onlyComments(line) {
			continue
		}
		if strings.HasPrefix(line, "\t") || strings.Contains(line, ":\t") {
			p.note(at, "", "", option.Warning, "A tab: the YAML parser of a config.yaml refuses the file.", "탭이 있다. config.yaml의 YAML 파서는 파일을 거부한다.")
		}
		if key, value, ok := flatLine(line); ok && strings.Trim(value, `"' `) != "" {
			value = strings.Trim(value, `"'`)
			if before, _, cut := strings.Cut(value, "#"); cut {
				p.note(at, key, value, option.Info, "The parser of a flink-conf.yaml cuts at '#' and reads "+strings.TrimSpace(before)+"; YAML reads all of it.",
					"flink-conf.yaml 파서는 '#'에서 잘라 "+strings.TrimSpace(before)+"로 읽는다. YAML은 전부 읽는다.")
			}
			p.pairs = append(p.pairs, option.Pair{Key: key, Value: value, Line: at})
			continue
		}
		p.passedOver(lines, i)
	}
	if len(p.pairs) == 0 {
		return nil
	}
	p.linesTogether()
	return p
}

// passedOver says why a line is no setting.
func (p *paste) passedOver(lines []string, i int) {
	line, at := strings.TrimSpace(lines[i]), i+1
	key, rest, colon := strings.Cut(line, ":")
	switch dotted, value, ok := unspaced(line); {
	case ok:
		p.note(at, dotted, value, option.Warning, "No space after the colon: the line is ignored.", "콜론 뒤에 공백이 없다. 이 줄은 무시된다.")
	case colon && strings.TrimSpace(rest) == "" && i+1 < len(lines) && indentedWord(lines[i+1]):
		p.note(at, key, "", option.Warning, "The value stands on the next line, where the parser of a flink-conf.yaml does not read it.", "값이 다음 줄에 있다. flink-conf.yaml 파서는 읽지 않는다.")
	case colon && strings.TrimSpace(rest) == "":
		p.note(at, key, "", option.Warning, "It has no value and is ignored.", "값이 없어서 무시된다.")
	case i > 0 && indentedWord(lines[i]) && strings.HasSuffix(strings.TrimSpace(lines[i-1]), ":"):
	case optionIn(line) != "":
		p.unreadKey(at, line)
	default:
		p.note(at, "", option.Quote(line), option.Warning, notSetting, "설정이 아니다. 이 줄은 무시된다.")
	}
}

const notSetting = "Not a setting: the line is ignored."

// mostLinesTold is how many lines in a row that are no settings are told one by one.
const mostLinesTold = 3

// linesTogether puts what is said of many lines in a row that are no settings into one note.
func (p *paste) linesTogether() {
	var kept []option.Note
	for i := 0; i < len(p.notes); {
		n := 1
		for i+n < len(p.notes) && p.notes[i].Text == notSetting && p.notes[i+n].Text == notSetting && p.notes[i+n].Line == p.notes[i].Line+n {
			n++
		}
		if n > mostLinesTold {
			last := strconv.Itoa(p.notes[i].Line + n - 1)
			p.notes[i].Text, p.notes[i].Ko = "No settings: lines "+strconv.Itoa(p.notes[i].Line)+" to "+last+" are ignored.", "설정이 아니다. "+strconv.Itoa(p.notes[i].Line)+"~"+last+"번째 줄은 무시된다."
			kept = append(kept, p.notes[i])
		} else {
			kept = append(kept, p.notes[i:i+n]...)
		}
		i += n
	}
	p.notes = kept
}

// optionIn is the first option of Flink that a line names as a word of its own; "" if it names none.
func optionIn(line string) string {
	for word := range strings.FieldsFuncSeq(line, func(c rune) bool {
		return c != '.' && c != '-' && c != '_' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z')
	}) {
		if _, known := option.Known(word); known && strings.Count(word, ".") > 0 {
			return word
		}
	}
	return ""
}

func (p *paste) unreadKey(at int, line string) {
	key := optionIn(line)
	p.note(at, key, option.Quote(strings.TrimSpace(line)), option.Warning, "Not read: the option stands here in a form that the lab does not know; write key: value.", "읽지 않았다. 옵션이 이 랩이 모르는 모양으로 적혀 있다. key: value로 쓴다.")
}

// leftOver tells the lines that name an option of which nothing was read and nothing said, comments aside.
func (p *paste) leftOver(text string) {
	told := map[int]bool{}
	for _, q := range p.pairs {
		told[q.Line] = true
	}
	for _, n := range p.notes {
		told[n.Line] = true
	}
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line != "" && !told[i+1] && line[0] != '#' && !strings.HasPrefix(line, "--") && optionIn(line) != "" {
			p.unreadKey(i+1, line)
		}
	}
}

// indentedWord is a line that goes on with a value.
func indentedWord(line string) bool {
	return strings.HasPrefix(line, " ") && strings.TrimSpace(line) != "" && !strings.Contains(line, ":")
}

// restoring are the options of flink run that set one of the configuration (CliFrontendParser); "" takes the next word.
var restoring = map[string][2]string{
	"-s": {"execution.state-recovery.path", ""}, "--fromSavepoint": {"execution.state-recovery.path", ""},
	"-n": {"execution.state-recovery.ignore-unclaimed-state", "true"}, "--allowNonRestoredState": {"execution.state-recovery.ignore-unclaimed-state", "true"},
	"-claimMode": {"execution.state-recovery.claim-mode", ""}, "--claimMode": {"execution.state-recovery.claim-mode", ""},
	"-rm": {"execution.state-recovery.claim-mode", ""}, "--restoreMode": {"execution.state-recovery.claim-mode", ""},
}

// beside are the options of flink run that are none of the configuration.
var beside = map[string]string{
	"-p": "parallelism", "--parallelism": "parallelism", "-ys": "slots", "--yarnslots": "slots", "-yjm": "JobManager, mb", "--yarnjobManagerMemory": "JobManager, mb",
	"-ytm": "TaskManager, mb", "--yarntaskManagerMemory": "TaskManager, mb",
}

const sqlForm = "SQL"

// commands reads the flink commands of a text; what stands behind the jar is the program's. A text of -D arguments or SET
// statements alone is one, too.
func commands(text string) (all []*paste) {
	logical, starts := joined(text)
	for i, line := range logical {
		if words := flinkOf(words(line)); len(words) > 1 {
			all = append(all, command(words[1:], starts[i]))
		}
	}
	if len(all) > 0 {
		return all
	}
	if found := arguments(text); found != nil && !legacy(text) {
		form := "-D arguments"
		if isSQL(text) {
			form = sqlForm
		}
		p := &paste{form: form, pairs: pairsOf(found)}
		p.unquoted(text)
		p.tables(text)
		return []*paste{p}
	}
	return nil
}

// flinkOf is a command from the word flink on: a prompt, a number of the shell's history or another command may stand before
// flink run; nil if there is none.
func flinkOf(words []argument) []argument {
	for i, w := range words {
		if w.text != "flink" && !strings.HasSuffix(w.text, "/flink") {
			continue
		}
		if i == 0 || i+1 < len(words) && strings.HasPrefix(words[i+1].text, "run") {
			return words[i:]
		}
	}
	return nil
}

// joined are the lines of a text with those that end in a backslash put together, and where each begins.
func joined(text string) (lines []string, starts []int) {
	on := false
	for i, line := range strings.Split(text, "\n") {
		trimmed := strings.TrimRight(line, " \t\r")
		cut, goesOn := strings.CutSuffix(trimmed, "\\")
		if on {
			lines[len(lines)-1] += "\n" + cut
		} else {
			lines, starts = append(lines, cut), append(starts, i+1)
		}
		on = goesOn
	}
	return lines, starts
}

// argument is a word of a command and the lines before it.
type argument struct {
	text string
	line int
}

// words cuts a command as a shell does, without its expansions.
func words(line string) (out []argument) {
	var b strings.Builder
	open, quote, at, n := false, rune(0), 0, 0
	for _, c := range line {
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote, open = c, true
		case quote == 0 && (c == ' ' || c == '\t' || c == '\n'):
			if open {
				out = append(out, argument{b.String(), at})
				b.Reset()
				open = false
			}
		default:
			if !open {
				at = n
			}
			open = true
			b.WriteRune(c)
		}
		if c == '\n' {
			n++
		}
	}
	if open {
		out = append(out, argument{b.String(), at})
	}
	return out
}

// command reads the arguments of flink run.
func command(all []argument, start int) *paste {
	p := &paste{form: "flink " + all[0].text}
	for i := 1; i < len(all); i++ {
		w, line := all[i].text, start+all[i].line
		if strings.HasSuffix(w, ".jar") || strings.HasSuffix(w, ".py") {
			if i+1 < len(all) {
				p.note(line, "", "", option.Info, "What stands behind "+w+" is for the program, not for Flink.", w+" 뒤의 것은 Flink가 아니라 프로그램의 인자다.")
			}
			break
		}
		setting, dynamic := strings.CutPrefix(w, "-yD")
		if !dynamic {
			setting, dynamic = strings.CutPrefix(w, "-D")
		}
		restore, restores := restoring[w]
		switch name, ok := beside[w]; {
		case restores && restore[1] != "":
			p.pairs = append(p.pairs, option.Pair{Key: restore[0], Value: restore[1], Line: line})
		case restores && i+1 < len(all):
			i++
			p.pairs = append(p.pairs, option.Pair{Key: restore[0], Value: all[i].text, Line: line})
		case dynamic:
			if setting == "" && i+1 < len(all) {
				i++
				setting = all[i].text
			}
			if key, value, ok := strings.Cut(setting, "="); ok {
				p.pairs = append(p.pairs, option.Pair{Key: key, Value: value, Line: line})
			} else {
				p.note(line, setting, "", option.Warning, "No value: write -Dkey=value.", "값이 없다. -Dkey=value로 쓴다.")
			}
		case ok && i+1 < len(all):
			i++
			p.beside = append(p.beside, option.Pair{Key: name, Value: all[i].text, Line: line})
		}
	}
	return p
}
