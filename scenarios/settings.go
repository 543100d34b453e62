package scenarios

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"checkpointlab/core/option"

	"go.yaml.in/yaml/v3"
)

// Settings is what a pasted configuration comes to on a real Flink, which passes over much of what is wrong in it: what acts,
// and what is to be said of the rest.
type Settings struct {
	Form    string        // what it was taken for: "flink-conf.yaml", "FlinkDeployment", "flink run" …
	Version string        // of Flink, as the text or the caller says
	Given   []option.Pair // each option that counts, by the spelling that counts, in the order of the text
	Beside  []option.Pair // what the text says beside options: parallelism, slots, TaskManagers, memory in mb
	Config  option.Config
	Notes   []option.Note // in the order of lines
	Fatal   []error       // values with which Flink does not start; *option.Mistake
}

// Effective is an option's value, its default if it is not given; "" if the lab does not model it and it is not given.
func (s *Settings) Effective(key string) string {
	o, ok := option.Find(key)
	if !ok {
		return ""
	}
	if o.Modelled {
		return o.Get(&s.Config)
	}
	for _, p := range s.Given {
		if f, ok := option.Find(p.Key); ok && f.Key == o.Key {
			return p.Value
		}
	}
	return o.DefaultIn(s.Version)
}

// ReadSettings reads a configuration as people paste it: one for each flink command of a text, else one. version is Flink's
// ("" = the text's own, else the newest). It fails for what is no configuration at all.
func ReadSettings(text, version string) ([]Settings, error) {
	return readSettings(text, version, option.Versions[len(option.Versions)-1])
}

// readSettings is ReadSettings with the version of a text that names none.
func readSettings(text, version, standard string) ([]Settings, error) {
	if !utf8.ValidString(text) || len(text) > MostBytes {
		return nil, &option.Mistake{Problem: "the text is not a configuration", Remedy: "give UTF-8 text of at most 1 mb"}
	}
	if _, err := option.ParseVersion(version); err != nil {
		m := *err.(*option.Mistake)
		m.Key = "version"
		return nil, &m
	}
	var all []Settings
	for _, p := range pasted(text) {
		if version != "" {
			p.version = version
		}
		if p.version == "" {
			p.version = standard
		}
		s, err := p.settle()
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	if len(all) == 0 {
		return nil, noOption(text)
	}
	return all, nil
}

// noOption says that nothing of a text is a setting, and which option it names all the same.
func noOption(text string) error {
	for i, line := range strings.Split(text, "\n") {
		if key := optionIn(line); key != "" {
			return &option.Mistake{Line: i + 1, Problem: "the text names " + key + " in a form that is not read, and holds no other option", Remedy: "write key: value lines, with a space after the colon"}
		}
	}
	return &option.Mistake{Problem: "the text holds no option", Remedy: "write key: value lines, with a space after the colon"}
}

// paste is one configuration of a text before its options are resolved.
type paste struct {
	form, version string
	pairs, beside []option.Pair
	notes         []option.Note
}

func (p *paste) note(line int, key, value string, s option.Severity, en, ko string) {
	p.notes = append(p.notes, option.Note{Key: key, Value: value, Line: line, Text: en, Ko: ko, Severity: s})
}

// pasted finds out what a text is.
func pasted(text string) []*paste {
	lead := &paste{}
	if rest, bom := strings.CutPrefix(text, "\ufeff"); bom {
		text = rest
		lead.note(1, "", "", option.Info, "A byte order mark at the beginning was removed.", "맨 앞의 바이트 순서 표시(BOM)를 뺐다.")
	}
	if strings.Contains(text, "\r\n") {
		text = strings.ReplaceAll(text, "\r\n", "\n")
		lead.note(1, "", "", option.Info, "Lines end with CR LF, which was removed.", "줄 끝의 CR LF를 LF로 바꾸었다.")
	}
	if plain := straight.Replace(text); plain != text && optionIn(text) != "" {
		text = plain
		lead.note(1, "", "", option.Warning, "Typographic quotes are read as plain ones, which Flink does not do.", "둥근 따옴표를 곧은 따옴표로 읽었다. Flink는 그렇게 하지 않는다.")
	}
	all := several(text)
	if len(all) > 0 {
		all[0].notes = append(lead.notes, all[0].notes...)
	}
	return all
}

// straight makes typographic quotes plain ones.
var straight = strings.NewReplacer("‘", "'", "’", "'", "“", `"`, "”", `"`)

// several reads each document of a text of several, as YAML separates them, or a notebook's paragraphs; the lines stay those of the text.
func several(text string) (all []*paste) {
	before := 0
	if lines := strings.Split(text, "\n"); slices.ContainsFunc(lines, paragraph) {
		for from, to := 0, 1; to <= len(lines); to++ {
			if to == len(lines) || paragraph(lines[to]) {
				all = append(all, oneOf(strings.Repeat("\n", from)+strings.Join(lines[from:to], "\n"))...)
				from = to
			}
		}
		return resources(all)
	}
	for _, doc := range strings.Split("\n"+text, "\n---\n") {
		all = append(all, oneOf(strings.Repeat("\n", before)+strings.TrimPrefix(doc, "\n"))...)
		before += strings.Count(doc, "\n") + 1
	}
	return resources(all)
}

// paragraph tells the line with which a paragraph of Zeppelin begins that Flink's interpreters read.
func paragraph(line string) bool { return strings.HasPrefix(line, "%flink") }

// oneOf reads one document.
func oneOf(text string) []*paste {
	text, wrapped := unwrapped(text)
	p := programText(text)
	if all := commands(text); p == nil && len(all) > 0 {
		if around := inside(text); around != nil && len(all) == 1 { // a container's environment, and what its command adds
			around.pairs, around.notes = append(around.pairs, all[0].pairs...), append(around.notes, all[0].notes...)
			return []*paste{around}
		}
		if len(all) == 1 {
			all[0].leftOver(text)
		}
		return all
	}
	if p == nil {
		p = inside(text)
	}
	if p == nil {
		p = tree(text)
	}
	if p == nil {
		p = flatText(text)
	}
	if p == nil || len(p.pairs)+len(p.beside)+len(p.notes) == 0 {
		return nil
	}
	wrapped.tell(p)
	p.below()
	p.unfilled()
	return []*paste{p}
}

// tree reads YAML or JSON; nil if the text is none, or no mapping.
func tree(text string) *paste {
	r := &reader{}
	n := r.yaml([]byte(text))
	if n == nil {
		return nil
	}
	p := &paste{form: "config.yaml"}
	if strings.HasPrefix(strings.TrimSpace(text), "{") || strings.HasPrefix(strings.TrimSpace(text), "[") {
		p.form = "JSON"
	}
	if found := entries(n); found != nil {
		n, p.form = found, "jobmanager/config"
	} else if found := p.platform(n); found != nil {
		n = found
	}
	if n.Kind != yaml.MappingNode {
		return nil
	}
	if p.resource(n) {
		return p
	}
	if rest := ofREST(n); rest != nil {
		p.ownClasses(n)
		n, p.form = rest, "checkpoints/config"
	}
	p.deployment(n)
	n = deployed(r.clean(n))
	r.flatten(n)
	if len(r.mistakes) > 0 {
		return nil
	}
	p.pairs = pairsOf(n)
	return p
}

// deployment reads what a FlinkDeployment says beside the configuration.
func (p *paste) deployment(n *yaml.Node) {
	spec := valueOf(n, "spec")
	if inner := valueOf(spec, "flinkConfiguration"); inner == nil {
		return
	}
	p.form = "FlinkDeployment"
	p.note(spec.Line, "", "", option.Info, "The settings are those under spec.flinkConfiguration.", "설정은 spec.flinkConfiguration 아래의 것이다.")
	if v := valueOf(valueOf(spec, "job"), "args"); v != nil && len(v.Content) > 0 {
		p.note(v.Line, "spec.job.args", "", option.Info, "What stands there is for the program, not for Flink; it may set checkpoints otherwise.", "여기 있는 것은 Flink가 아니라 프로그램의 인자다. 프로그램이 체크포인트를 달리 정할 수 있다.")
	}
	if v := text(spec, "flinkVersion"); strings.HasPrefix(v, "v") {
		p.version = p.nearestVersion(strings.ReplaceAll(v[1:], "_", "."), spec.Line)
	}
	for _, f := range []struct {
		from, to string
		of       *yaml.Node
	}{{"parallelism", "parallelism", valueOf(spec, "job")}, {"upgradeMode", "upgrade mode", valueOf(spec, "job")}, {"replicas", "TaskManagers", valueOf(spec, "taskManager")}, {"memory", "TaskManager memory", valueOf(valueOf(spec, "taskManager"), "resource")}} {
		if v := valueOf(f.of, f.from); v != nil {
			p.beside = append(p.beside, option.Pair{Key: f.to, Value: v.Value, Line: v.Line})
		}
	}
}

// nearestVersion is the version that the lab follows nearest below one that a text names.
func (p *paste) nearestVersion(v string, line int) string {
	if own, err := option.ParseVersion(v); err == nil {
		return own
	}
	best := option.Versions[0]
	for _, known := range option.Versions {
		if minor(known) <= minor(v) || minor(known)/1000 == minor(v)/1000 && minor(best)/1000 < minor(v)/1000 { // 2.0 is nearer to 2.3 than to 1.20
			best = known
		}
	}
	p.note(line, "flinkVersion", v, option.Info, "The lab follows no Flink "+v+"; read as "+best+".", "이 랩은 Flink "+v+"을 따르지 않는다. "+best+"으로 읽는다.")
	return best
}

// minor orders versions.
func minor(v string) int {
	major, rest, _ := strings.Cut(v, ".")
	a, _ := strconv.Atoi(major)
	b, _ := strconv.Atoi(strings.SplitN(rest, ".", 2)[0])
	return a*1000 + b
}

// ofREST is the answer of /jobs/:id/checkpoints/config as options; nil if it is something else.
func ofREST(n *yaml.Node) *yaml.Node {
	if valueOf(n, "min_pause") == nil || valueOf(n, "interval") == nil || valueOf(n, "timeout") == nil {
		return nil
	}
	out := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: n.Line}
	for _, f := range [][2]string{
		{"mode", "execution.checkpointing.mode"}, {"interval", "execution.checkpointing.interval"}, {"timeout", "execution.checkpointing.timeout"},
		{"min_pause", "execution.checkpointing.min-pause"}, {"max_concurrent", "execution.checkpointing.max-concurrent-checkpoints"},
		{"unaligned_checkpoints", "execution.checkpointing.unaligned.enabled"}, {"aligned_checkpoint_timeout", "execution.checkpointing.aligned-checkpoint-timeout"},
		{"tolerable_failed_checkpoints", "execution.checkpointing.tolerable-failed-checkpoints"},
		{"checkpoints_after_tasks_finish", "execution.checkpointing.checkpoints-after-tasks-finish"}, {"state_backend", "state.backend.type"},
		{"checkpoint_storage", "execution.checkpointing.storage"}, {"state_changelog_enabled", "state.changelog.enabled"},
		{"changelog_periodic_materialization_interval", "state.changelog.periodic-materialize.interval"},
	} {
		if v := valueOf(n, f[0]); v != nil && v.Kind == yaml.ScalarNode {
			value := v.Value
			if f[0] == "state_backend" || f[0] == "checkpoint_storage" {
				if value = classes[value]; value == "" {
					continue
				}
			}
			put(out, f[1], value, v.Line)
		}
	}
	return out
}

// classes are the names that the REST interface has for what an option spells otherwise.
var classes = map[string]string{
	"EmbeddedRocksDBStateBackend": "rocksdb", "RocksDBStateBackend": "rocksdb", "HashMapStateBackend": "hashmap", "ForStStateBackend": "forst",
	"hashmap": "hashmap", "rocksdb": "rocksdb", "forst": "forst", "filesystem": "filesystem", "jobmanager": "jobmanager",
	"MemoryStateBackend": "hashmap", "FsStateBackend": "hashmap",
	"FileSystemCheckpointStorage": "filesystem", "JobManagerCheckpointStorage": "jobmanager",
}

// ownClasses tells a backend or a storage whose class is none of Flink's own.
func (p *paste) ownClasses(n *yaml.Node) {
	for _, name := range []string{"state_backend", "checkpoint_storage"} {
		if v := valueOf(n, name); v != nil && v.Kind == yaml.ScalarNode && classes[v.Value] == "" {
			p.note(v.Line, name, v.Value, option.Info, "Not read: the lab does not know this class ("+option.Quote(v.Value)+").", "읽지 않았다. 이 랩이 모르는 클래스다("+option.Quote(v.Value)+").")
		}
	}
}

// settle does what Flink does with what was read, and keeps what is to be said.
func (p *paste) settle() (Settings, error) {
	s := Settings{Form: p.form, Version: p.version, Beside: p.beside}
	pairs := p.lastOfEach()
	p.endless(&pairs)
	p.unknown(&pairs)
	p.elder(&pairs)
	p.secret(pairs)
	for {
		c, notes, err := option.Resolve(s.Version, pairs)
		if err == nil {
			s.Config, p.notes = c, append(p.notes, notes...)
			break
		}
		before := len(pairs)
		for _, e := range unjoin(err) {
			m, ok := e.(*option.Mistake)
			if !ok {
				return s, err
			}
			s.Fatal = append(s.Fatal, m)
			pairs = slices.DeleteFunc(pairs, func(q option.Pair) bool { return q.Key == m.Key })
		}
		if len(pairs) == before {
			return s, err
		}
	}
	s.Given = p.counted(pairs)
	p.together(&s)
	slices.SortStableFunc(p.notes, func(a, b option.Note) int { return a.Line - b.Line })
	s.Notes = p.notes
	return s, nil
}

// lastOfEach keeps the last of each spelling, as Flink's flat parser does.
func (p *paste) lastOfEach() (kept []option.Pair) {
	for i, q := range p.pairs {
		later := -1
		for k := i + 1; k < len(p.pairs); k++ {
			if p.pairs[k].Key == q.Key {
				later = p.pairs[k].Line
			}
		}
		if later < 0 {
			kept = append(kept, q)
			continue
		}
		if p.form == programForm || p.form == sqlForm {
			p.note(q.Line, q.Key, q.Value, option.Warning, "Set again on line "+strconv.Itoa(later)+", which counts.", strconv.Itoa(later)+"번째 줄에서 다시 정한다. 그 값이 남는다.")
			continue
		}
		p.note(q.Line, q.Key, q.Value, option.Warning, "Given again on line "+strconv.Itoa(later)+": the parser of a flink-conf.yaml takes the last one, the YAML parser of a config.yaml refuses the file.",
			strconv.Itoa(later)+"번째 줄에 다시 나온다. flink-conf.yaml 파서는 마지막 값을 쓰고, config.yaml의 YAML 파서는 파일을 거부한다.")
	}
	return kept
}

// unknown takes out what is no option of Flink, which passes over it in silence.
func (p *paste) unknown(pairs *[]option.Pair) {
	*pairs = slices.DeleteFunc(*pairs, func(q option.Pair) bool {
		if _, known := option.Known(q.Key); known || option.Foreign(q.Key) {
			return false
		}
		en, ko := "Not an option of Flink, which ignores it in silence.", "Flink의 옵션이 아니다. Flink는 조용히 무시한다."
		if near := option.Nearest(q.Key); near != "" {
			en, ko = en+" Did you mean "+near+"?", ko+" "+near+"을 뜻했는가?"
		}
		p.note(q.Line, q.Key, q.Value, option.Warning, en, ko)
		return true
	})
}

// counted leaves out the spellings that lost to a newer one.
func (p *paste) counted(pairs []option.Pair) (out []option.Pair) {
	for _, q := range pairs {
		lost := slices.ContainsFunc(p.notes, func(n option.Note) bool {
			return n.Key == q.Key && n.Line == q.Line && strings.HasPrefix(n.Text, "Not read:")
		})
		if !lost {
			out = append(out, q)
		}
	}
	return out
}

// Differs says where what a running job has is not what the configuration says, in a language, "ko" or "en": for options that either
// gives.
func (s *Settings) Differs(job *Settings, lang string) (all []string) {
	seen := map[string]bool{}
	for _, q := range job.Given {
		o, ok := option.Find(q.Key)
		if !ok || seen[o.Key] {
			continue
		}
		seen[o.Key] = true
		switch mine, its := s.Effective(o.Key), job.Effective(o.Key); {
		case mine == its:
		case lang == "ko":
			all = append(all, o.Key+": 설정대로라면 "+option.Quote(mine)+"인데 잡의 값은 "+option.Quote(its)+"이다")
		default:
			all = append(all, o.Key+": the configuration comes to "+option.Quote(mine)+", the job says "+option.Quote(its))
		}
	}
	return all
}
