package rebuild

import (
	"strconv"
	"strings"

	"checkpointlab/core/option"

	"go.yaml.in/yaml/v3"
)

// YAML is the scenario's file with its comments in a language, "en" or "ko". scenarios.Parse reads it.
func (r *Rebuilt) YAML(lang string) []byte {
	f := &file{lang: lang}
	f.raw("format: 1")
	f.raw("title: " + text(r.title()))
	f.raw("question:")
	f.raw("  en: Do checkpoints of this job take as long in the lab as they were observed to take, and where?")
	f.raw("  ko: 이 잡의 체크포인트는 랩에서도 관찰한 만큼 걸리는가, 어디에서 걸리는가?")
	if len(r.Notes) > 0 {
		f.raw("sources:")
		for _, n := range r.Notes {
			f.raw("  - " + text(n.Words(lang)))
		}
	}
	f.line("", r.versionFrom)
	f.raw("job:")
	f.line("  ", r.keys)
	f.line("  ", r.hotShare)
	f.line("  ", line{"overhead", "0 b", from("record has all bytes on the wire", "record에 전선 위의 바이트가 모두 들어 있다")})
	f.raw("  vertices:")
	for i := range r.vertices {
		f.vertex(&r.vertices[i])
	}
	f.raw("  edges:")
	r.exchanges(f)
	if r.clusterLine.key != "" {
		f.line("", line{"cluster", r.clusterLine.key, r.clusterLine.from})
	}
	if len(r.options) > 0 {
		f.raw("flink:")
		for _, o := range r.options {
			f.line("  ", line{o.key, text(o.value), o.from})
		}
	}
	if len(r.script) > 0 {
		f.raw("script:")
		for _, l := range r.script {
			f.line("  - ", l)
		}
	}
	f.line("", line{"run", "{duration: " + option.FormatDuration(r.duration) + ", seed: 1}", from("long enough for %d checkpoints", "체크포인트 %d개가 들어갈 길이", runIntervals)})
	r.explanation(f)
	return []byte(f.b.String())
}

func (r *Rebuilt) title() string {
	if r.job.Name == "" {
		return r.job.ID
	}
	return r.job.Name
}

// text writes a value as YAML on one line, quoted where it has to be.
func text(s string) string {
	printable := func(c rune) rune {
		if c < ' ' || c == 0x7f {
			return ' '
		}
		return c
	}
	out, err := yaml.Marshal(&yaml.Node{Kind: yaml.ScalarNode, Value: strings.Map(printable, s), Style: yaml.DoubleQuotedStyle})
	if plain := strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ._/"); plain == "" && s != "" && strings.TrimSpace(s) == s {
		return s
	}
	if err != nil {
		return strconv.Quote(s)
	}
	return strings.ReplaceAll(strings.TrimSpace(string(out)), "\n", " ")
}

// file is written line by line.
type file struct {
	b    strings.Builder
	lang string
}

func (f *file) raw(s string) { f.b.WriteString(s + "\n") }

// line writes a field with its comment.
func (f *file) line(indent string, l line) {
	if l.value == "" {
		return
	}
	out := indent
	if l.key != "" {
		out += l.key + ": "
	}
	out += l.value
	if said := l.from.in(f.lang); said != "" {
		out += strings.Repeat(" ", max(2, 44-len(out))) + "# " + strings.Map(oneLine, said)
	}
	f.raw(out)
}

func oneLine(c rune) rune {
	if c < ' ' || c == 0x7f || c == 0x2028 || c == 0x2029 || c == 0x85 {
		return ' '
	}
	return c
}

func (f *file) vertex(v *vertex) {
	f.line("    - ", line{"name", v.name, plain(v.Name)})
	f.raw("      kind: " + v.kind)
	f.raw("      parallelism: " + strconv.FormatInt(v.Parallelism, 10))
	if v.alone && v.work == "" {
		f.line("      ", line{"chain", "false", from("a task of its own in the plan, though FORWARD leads to it or from it", "FORWARD로 이어지지만 계획에서는 따로 선 태스크다")})
	}
	f.fields(v.fields)
	if v.work == "" {
		return
	}
	kind := "map"
	if v.workSink {
		kind = "sink"
	}
	f.line("    - ", line{"name", v.work, from("the work of %s, which a source of the lab has not", "랩의 소스에는 없는 %s의 일", v.name)})
	f.raw("      kind: " + kind)
	f.raw("      parallelism: " + strconv.FormatInt(v.Parallelism, 10))
	f.fields(v.workFields)
}

// fields writes those of a vertex; those of its snapshot stand together.
func (f *file) fields(all []line) {
	inner := false
	for _, l := range all {
		key, within := strings.CutPrefix(l.key, "snapshot.")
		if !within {
			f.line("      ", l)
			continue
		}
		if !inner {
			f.raw("      snapshot:")
			inner = true
		}
		f.line("        ", line{key, l.value, l.from})
	}
}

func (r *Rebuilt) exchanges(f *file) {
	for i := range r.vertices {
		if v := &r.vertices[i]; v.work != "" {
			f.line("    - ", line{"", "{from: " + v.name + ", to: " + v.work + ", partition: FORWARD}", from("within one task", "태스크 하나 안")})
		}
	}
	for _, e := range r.edges {
		start := r.vertices[e.from].name
		if w := r.vertices[e.from].work; w != "" {
			start = w
		}
		f.line("    - ", line{"", "{from: " + start + ", to: " + r.vertices[e.to].name + ", partition: " + e.partition + "}", e.say.from})
	}
}
