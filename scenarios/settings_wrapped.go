package scenarios

import (
	"slices"
	"strings"

	"checkpointlab/core/option"
)

// What stands around settings where people copy them from: the prompt of the SQL client, file names and line numbers of grep, the
// bars of a table, the two columns of the web interface, the equals signs of a properties file.

// wrapping is what the lines of a text were found in; the last one gives the form its name.
type wrapping struct{ prompts, tables, columns, properties, wide, colons int }

// unwrapped is a text with its settings as key: value lines, each on the line where it was.
func unwrapped(text string) (string, wrapping) {
	var w wrapping
	lines := strings.Split(text, "\n")
	for _, line := range lines {
		if key, _, ok := flatLine(line); ok && ofFlink(key) {
			w.colons++
		}
	}
	changed, notebook := false, false
	patch := slices.ContainsFunc(lines, func(line string) bool { return strings.HasPrefix(line, "@@ ") })
	for i, line := range lines {
		if patch && line != "" {
			lines[i], changed = patched(line), true
			line = lines[i]
		}
		if fields := strings.Fields(line); paragraph(line) {
			notebook, lines[i], changed = strings.HasPrefix(line, "%flink.conf"), "", true
			continue
		} else if notebook && len(fields) > 1 && strings.Contains(fields[0], ".") { // key value, as Zeppelin has it
			lines[i] = fields[0] + ": " + strings.Join(fields[1:], " ")
			continue
		}
		if bare := w.bare(line); bare != line {
			lines[i], changed = bare, true
		}
	}
	if !changed {
		return text, w
	}
	if w.properties > 0 { // its other lines are no settings of Flink, and told as such
		for i, line := range lines {
			if key, value, ok := strings.Cut(line, "="); ok && strings.Contains(key, ".") && !strings.ContainsAny(strings.TrimSpace(key), " \t:#(){}\"'") {
				lines[i] = strings.TrimSpace(key) + ": " + strings.TrimSpace(value)
			}
		}
	}
	if w.prompts > 0 {
		for i, line := range lines { // what the client answers
			if strings.HasPrefix(line, "[INFO]") || strings.HasPrefix(line, "[ERROR]") {
				lines[i] = ""
			}
		}
	}
	return strings.Join(lines, "\n"), w
}

// ofFlink tells the key of an option, or of what is beside Flink; single words are none, for prose has them.
func ofFlink(key string) bool {
	if !strings.Contains(key, ".") || strings.ContainsAny(key, " \t{}()\"'") {
		return false
	}
	_, known := option.Known(key)
	return known || option.Foreign(key)
}

// bare is a line without what it was found in.
func (w *wrapping) bare(line string) string {
	if rest, ok := cutPrompt(line); ok {
		w.prompts++
		return rest
	}
	if rest, ok := cutPlace(line); ok {
		return rest
	}
	if rest, ok := cutMark(line); ok {
		return rest
	}
	if cells := cellsOf(line); len(cells) > 1 {
		if ofFlink(cells[0]) {
			w.tables++
			w.columns = max(w.columns, len(cells)-1)
			return cells[0] + ": " + cells[1]
		}
	}
	if cells := cellsOf(line); len(cells) == 2 {
		if strings.EqualFold(cells[0], "key") || strings.Trim(cells[0]+cells[1], "-: ") == "" {
			return ""
		}
	}
	if key, value, ok := strings.Cut(line, "="); ok && w.colons == 0 {
		if key = strings.Trim(strings.TrimSpace(key), `"'`); ofFlink(key) || inner(key) != "" {
			w.properties++
			return key + ": " + strings.TrimSpace(value)
		}
	}
	for _, sign := range []string{"：", "＝"} { // as Chinese and Japanese keyboards write them
		if key, value, ok := strings.Cut(line, sign); ok && ofFlink(strings.TrimSpace(key)) {
			w.wide++
			return strings.TrimSpace(key) + ": " + strings.TrimSpace(value)
		}
	}
	return line
}

// inner is the option behind words that somebody put in front of it, as flink.conf. in the properties of a program; "" if there is none.
func inner(key string) string {
	for at := strings.IndexByte(key, '.'); at >= 0; {
		if ofFlink(key[at+1:]) {
			return key[at+1:]
		}
		next := strings.IndexByte(key[at+1:], '.')
		if next < 0 {
			return ""
		}
		at += 1 + next
	}
	return ""
}

// below takes settings that all stand behind the same words as those words' own: a program or a chart hands them on.
func (p *paste) below() {
	prefix, line := "", 0
	for _, q := range p.pairs {
		if ofFlink(q.Key) {
			return
		}
		if in := inner(q.Key); in != "" && prefix == "" {
			prefix, line = strings.TrimSuffix(q.Key, in), q.Line
		}
	}
	if prefix == "" {
		return
	}
	for i := range p.pairs {
		if rest, ok := strings.CutPrefix(p.pairs[i].Key, prefix); ok {
			if _, known := option.Known(rest); known || inner(p.pairs[i].Key) != "" || option.Nearest(rest) != "" {
				p.pairs[i].Key = rest
			}
		}
	}
	under := strings.TrimSuffix(prefix, ".")
	p.note(line, "", "", option.Warning, "The settings are read as those under "+under+", which is no part of their keys in Flink: some program has to hand them on without it.",
		"설정은 "+under+" 아래의 것으로 읽었다. Flink의 키에는 그 부분이 없으므로 다른 프로그램이 그것을 떼고 넘겨야 한다.")
}

// patched is what a line of a patch comes to: what it adds and what it leaves as it is.
func patched(line string) string {
	if strings.HasPrefix(line, "+++") || strings.HasPrefix(line, "-") || strings.HasPrefix(line, "@@") {
		return ""
	}
	return line[1:]
}

// cutMark takes away the sign of a quoted mail or of a list in front of a setting.
func cutMark(line string) (rest string, ok bool) {
	rest = strings.TrimLeft(line, " >")
	if at := len(line) - len(rest); !strings.Contains(line[:at], ">") {
		var list bool
		if rest, list = strings.CutPrefix(rest, "- "); !list {
			return line, false
		}
	}
	key, _, flat := flatLine(rest)
	return rest, flat && ofFlink(key)
}

// cutPrompt takes the SQL client's prompt away, which is Flink SQL> or, with a session, Flink SQL[name]>.
func cutPrompt(line string) (rest string, ok bool) {
	head, rest, ok := strings.Cut(line, "> ")
	return rest, ok && strings.HasPrefix(head, "Flink SQL")
}

// cutPlace takes away what grep and editors put in front of a setting: a file, a line's number.
func cutPlace(line string) (rest string, ok bool) {
	rest = line
	for _, end := range []string{".yaml", ".yml", ".conf", ".properties"} {
		if at := strings.Index(rest, end+":"); at > 0 && !strings.ContainsAny(rest[:at], " \t") {
			rest = rest[at+len(end)+1:]
			break
		}
	}
	if number := strings.TrimLeft(rest, blanks); number != "" {
		n := 0
		for n < len(number) && number[n] >= '0' && number[n] <= '9' {
			n++
		}
		if n > 0 && n < len(number) && strings.ContainsRune(":-\t |", rune(number[n])) {
			rest = strings.TrimLeft(number[n+1:], "\t |")
		}
	}
	key, _, flat := flatLine(rest)
	return rest, rest != line && (flat && ofFlink(key) || strings.HasPrefix(rest, "#"))
}

// cellsOf are the cells of a table's line that say something: between bars, or between tabs.
func cellsOf(line string) (cells []string) {
	by := "\t"
	if trimmed := strings.TrimSpace(line); strings.HasPrefix(trimmed, "|") || strings.HasPrefix(trimmed, "│") {
		by, line = "|", strings.ReplaceAll(trimmed, "│", "|")
	}
	if !strings.Contains(line, by) {
		return nil
	}
	for cell := range strings.SplitSeq(line, by) {
		if cell = strings.Trim(strings.TrimSpace(cell), "`"); cell != "" {
			cells = append(cells, cell)
		}
	}
	return cells
}

// tell says what the settings were found in.
func (w *wrapping) tell(p *paste) {
	switch {
	case w.properties > 0:
		p.form = "properties"
		p.note(0, "", "", option.Info, "Lines with = are read as properties. In a flink-conf.yaml or config.yaml Flink does not read them: there it is key: value.", "=로 된 줄은 properties로 읽었다. flink-conf.yaml이나 config.yaml에서 Flink는 그런 줄을 읽지 않는다. 거기서는 key: value로 쓴다.")
	case w.tables > 0:
		p.form = "table"
	}
	if w.columns > 1 {
		p.note(0, "", "", option.Warning, "Not read: the table has several columns of values; those of the first one are taken.", "읽지 않았다. 표에 값의 열이 여럿이라 첫째 열만 가져왔다.")
	}
	if w.wide > 0 {
		p.note(0, "", "", option.Warning, "Colons or equals signs of full width (：) are read as a colon and a space, which Flink does not do.", "전각 콜론이나 등호(：)를 콜론과 공백으로 읽었다. Flink는 그렇게 하지 않는다.")
	}
}

// placeholder is a value that something else fills in before Flink reads it: of Helm, of envsubst.
func placeholder(value string) bool {
	return strings.Contains(value, "{{") || strings.Contains(value, "${") && strings.Contains(value, "}")
}

// unfilled takes out placeholders.
func (p *paste) unfilled() {
	kept := p.pairs[:0]
	for _, q := range p.pairs {
		if placeholder(q.Value) {
			p.note(q.Line, q.Key, q.Value, option.Warning, "Not read: a placeholder that something else fills in (Helm, envsubst); Flink itself fills none in.", "읽지 않았다. 다른 것(Helm, envsubst)이 채울 자리다. Flink 스스로는 채우지 않는다.")
			continue
		}
		kept = append(kept, q)
	}
	p.pairs = kept
}

// never is the longest time there is: by an interval of that, periodic checkpoints are off (CheckpointConfigInfo of a job without).
const never = "9223372036854775807"

// endless takes out an interval that never ends.
func (p *paste) endless(pairs *[]option.Pair) {
	*pairs = slices.DeleteFunc(*pairs, func(q option.Pair) bool {
		number, _, _ := strings.Cut(strings.TrimSpace(q.Value), " ")
		if o, ok := option.Find(q.Key); !ok || o.Key != "execution.checkpointing.interval" || number != never {
			return false
		}
		p.note(q.Line, q.Key, q.Value, option.Warning, "Periodic checkpoints are off: this is the longest time there is. Savepoints alone are taken.", "주기 체크포인트가 꺼져 있다. 가장 긴 시간이다. 세이브포인트만 뜬다.")
		return true
	})
}
