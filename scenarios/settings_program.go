package scenarios

import (
	"strings"

	"checkpointlab/core/option"
)

// What a program says of checkpoints: calls of StreamExecutionEnvironment, CheckpointConfig, Configuration, TableConfig and of
// KafkaSink's builder in Java, Scala, Kotlin or Python, and SQL's SET in them. Variables are followed where the text gives them one
// value; a value that is not in the text is told and not guessed.

// program is what is read of one.
type program struct {
	*paste
	text  string
	names *variables
}

// called are the calls of one argument, without underscores and in lower case, and the options that they set.
var called = map[string]string{
	"setcheckpointinterval": "execution.checkpointing.interval", "setminpausebetweencheckpoints": "execution.checkpointing.min-pause",
	"setcheckpointtimeout": "execution.checkpointing.timeout", "setmaxconcurrentcheckpoints": "execution.checkpointing.max-concurrent-checkpoints",
	"settolerablecheckpointfailurenumber": "execution.checkpointing.tolerable-failed-checkpoints", "setalignedcheckpointtimeout": "execution.checkpointing.aligned-checkpoint-timeout",
	"setalignmenttimeout": "execution.checkpointing.aligned-checkpoint-timeout", "setcheckpointingmode": "execution.checkpointing.mode",
	"setcheckpointingconsistencymode": "execution.checkpointing.mode", "enableunalignedcheckpoints": "execution.checkpointing.unaligned.enabled", "setforceunalignedcheckpoints": "execution.checkpointing.unaligned.forced",
	"setexternalizedcheckpointcleanup": "execution.checkpointing.externalized-checkpoint-retention", "enableexternalizedcheckpoints": "execution.checkpointing.externalized-checkpoint-retention",
	"setexternalizedcheckpointretention": "execution.checkpointing.externalized-checkpoint-retention", "setcheckpointstorage": "execution.checkpointing.dir", "setcheckpointstoragedir": "execution.checkpointing.dir",
	"enablechangelogstatebackend": "state.changelog.enabled", "setbuffertimeout": "execution.buffer-timeout.interval",
	"setautowatermarkinterval": "pipeline.auto-watermark-interval", "setmaxparallelism": "pipeline.max-parallelism",
	"setcheckpointidoftenignoredinflightdata": "execution.checkpointing.recover-without-channel-state.checkpoint-id",
}

const programForm = "program"

// removed are the calls that Flink 2.0 has no more (FLIP-381, FLINK-36249; setFailOnCheckpointingErrors was deprecated in 1.9): only the option is left.
var removed = []string{"setstatebackend", "setrestartstrategy", "setcheckpointstorage", "setcheckpointstoragedir", "setfailoncheckpointingerrors"}

// programText reads a program; nil if nothing in the text is a call that says something of Flink's settings.
func programText(text string) *paste {
	all := tokensOf(text)
	p, scoped := &program{&paste{form: programForm}, text, variablesOf(all)}, scopes(all)
	for i, t := range all {
		if t.kind != word || i+1 == len(all) {
			continue
		}
		if (i == 0 || !all[i-1].is(".")) && !scoped[i] {
			continue
		}
		switch next := all[i+1]; {
		case next.is("]") && i+2 < len(all) && all[i+2].is("=") && i > 1 && strings.HasSuffix(all[i-2].text, "Options"): // Kotlin's config[Options.CONSTANT] = value
			p.named(all[i-2].text, t.text, statement(all, i+3), t.line)
		case next.is("("):
			p.call(owner(all, i), t, split(all[i+2:closing(all, i+1)]))
		case next.is("=") && t.text == "parallelism" && p.environment(owner(all, i)):
			p.besides("parallelism", statement(all, i+2), t.line)
		case next.is("=") && called["set"+plain(t.text)] != "": // Kotlin's and Scala's properties
			p.argument(called["set"+plain(t.text)], t.text, statement(all, i+2), t.line)
		}
	}
	if len(p.pairs)+len(p.beside)+len(p.notes) == 0 {
		return nil
	}
	return p.paste
}

// scopes tells of each token whether a name without an owner is there one of the receiver of Kotlin's with(x) { … } or x.apply { … }.
func scopes(all []token) []bool {
	scoped := make([]bool, len(all))
	open := []bool{false}
	withAt := -1 // where the bracket of the last with( is
	for i, t := range all {
		switch {
		case t.is("(") && i > 0 && all[i-1].text == "with":
			withAt = i
		case t.is("{"):
			receives := i > 0 && (all[i-1].text == "apply" || all[i-1].is(")") && withAt >= 0 && closing(all[:i], withAt) == i-1)
			open, withAt = append(open, receives), -1
		case t.is("}") && len(open) > 1:
			open = open[:len(open)-1]
		}
		scoped[i] = open[len(open)-1]
	}
	return scoped
}

// owner is the name of what the method at i is called on: a variable, or the method that returned it.
func owner(all []token, i int) string {
	i -= 2
	for depth := 0; i > 0; i-- {
		if t := all[i]; t.is(")") {
			depth++
		} else if t.is("(") {
			depth--
		}
		if depth == 0 && all[i].kind == word {
			break
		}
	}
	if i < 0 {
		return ""
	}
	return all[i].text
}

// plain is a name without the underscores of Python, in lower case.
func plain(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }

// environment reports whether a name is that of the execution environment, not of one operator.
func (p *program) environment(of string) bool {
	if strings.Contains(strings.ToLower(of), "env") {
		return true
	}
	for _, given := range p.names.given[of] {
		for _, t := range given {
			if strings.HasSuffix(plain(t.text), "executionenvironment") {
				return true
			}
		}
	}
	return false
}

// call reads one call.
func (p *program) call(of string, method token, given [][]token) {
	name, line := plain(method.text), method.line
	var first []token
	if len(given) > 0 {
		first = given[0]
	}
	switch {
	case name == "enablecheckpointing" && len(given) > 0:
		p.argument("execution.checkpointing.interval", method.text, first, line)
		if len(given) > 1 {
			p.argument("execution.checkpointing.mode", method.text, given[1], line)
		}
	case name == "enableunalignedcheckpoints" || called[name] != "" && name != "setmaxparallelism" && len(given) == 0:
		p.truth(called[name], method.text, first, line)
	case name == "disableoperatorchaining":
		p.add("pipeline.operator-chaining.enabled", "false", line)
	case name == "setbuffertimeout" && p.source(first) == "-1":
		p.add("execution.buffer-timeout.enabled", "false", line)
	case name == "setstatebackend":
		p.backendOf(given, line)
	case name == "setfailoncheckpointingerrors" && len(given) == 1: // CheckpointConfig of 1.x: none is tolerated, or all are
		p.add("execution.checkpointing.tolerable-failed-checkpoints", map[string]string{"true": "0", "false": "2147483647"}[strings.ToLower(p.source(first))], line)
	case name == "setrestartstrategy":
		p.restartOf(given, line)
	case name == "setparallelism" && p.environment(of):
		p.besides("parallelism", first, line)
	case name == "setparallelism" || name == "setmaxparallelism" && !p.environment(of): // of one operator
	case name == "executesql" || name == "sqlupdate":
		p.statements(first, line)
	case p.ofSink(name, given, line):
	case called[name] != "":
		p.argument(called[name], method.text, first, line)
	case strings.HasPrefix(name, "set") || name == "put":
		p.entry(of, method, given)
	}
	for _, gone := range removed {
		if name == gone {
			p.note(line, method.text, "", option.Info, "Flink 2.0 has removed this call: there the option has to be set.", "Flink 2.0에서 없어진 호출이다. 그때부터는 옵션으로 정해야 한다.")
		}
	}
}

// entry reads set("key", value), set(CheckpointingOptions.CONSTANT, value) and their like.
func (p *program) entry(of string, method token, given [][]token) {
	if len(given) == 2 {
		a := given[0]
		if n := len(a); n > 2 && a[n-1].kind == word && a[n-2].is(".") && strings.HasSuffix(a[n-3].text, "Options") {
			p.named(a[n-3].text, a[n-1].text, given[1], method.line)
			return
		}
		if key, ok := p.names.valueIn(a, 0); ok && key.is == aText && strings.Contains(key.text, ".") {
			if _, known := option.Known(key.text); known || option.Foreign(key.text) || option.Nearest(key.text) != "" {
				p.argument(key.text, method.text, given[1], method.line)
			}
			return
		}
	}
	if strings.Contains(plain(method.text)+strings.ToLower(of), "checkpoint") {
		p.note(method.line, method.text, "", option.Warning, "Not read: the lab does not know this call.", "읽지 않았다. 이 랩이 모르는 호출이다.")
	}
}

// named is an option by its constant.
func (p *program) named(class, name string, given []token, line int) {
	if key := constantKey(class, name); key != "" {
		p.argument(key, name, given, line)
		return
	}
	p.note(line, name, p.source(given), option.Warning, "Not read: the lab does not know this constant; write its key as text.", "읽지 않았다. 이 랩이 모르는 상수다. 키를 글자로 쓴다.")
}

// source is an expression as the text has it.
func (p *program) source(given []token) string {
	if len(given) == 0 {
		return ""
	}
	return p.text[given[0].from:given[len(given)-1].to]
}

func (p *program) add(key, value string, line int) {
	p.pairs = append(p.pairs, option.Pair{Key: key, Value: value, Line: line})
}

// argument takes an argument as an option's value, if the text says what it comes to.
func (p *program) argument(key, method string, given []token, line int) {
	of := option.Text
	if o, ok := option.Find(key); ok {
		of = o.Type
	}
	if v, ok := p.names.valueIn(given, 0); ok {
		if text, fits := v.written(of); fits {
			p.add(key, text, line)
			return
		}
	}
	p.unread(key, method, given, line)
}

func (p *program) unread(key, method string, given []token, line int) {
	source := p.source(given)
	p.note(line, key, source, option.Warning, "Not read: "+method+" is given "+option.Quote(source)+", whose value is not in the text.",
		"읽지 않았다. "+method+"에 준 "+option.Quote(source)+"의 값이 글에 없다.")
}

// truth is a switch that is on without an argument.
func (p *program) truth(key, method string, given []token, line int) {
	if len(given) == 0 {
		p.add(key, "true", line)
		return
	}
	p.argument(key, method, given, line)
}

// besides is what a program says that is no option.
func (p *program) besides(key string, given []token, line int) {
	if v, ok := p.names.valueIn(given, 0); ok {
		if text, fits := v.written(option.Text); fits {
			p.beside = append(p.beside, option.Pair{Key: key, Value: text, Line: line})
			return
		}
	}
	p.unread(key, key, given, line)
}

// backendOf reads new EmbeddedRocksDBStateBackend(true) and its like.
func (p *program) backendOf(given [][]token, line int) {
	var all []token
	for _, g := range given {
		all = append(all, g...)
	}
	if len(all) == 1 && len(p.names.given[all[0].text]) == 1 { // a variable
		all = p.names.given[all[0].text][0]
	}
	source := p.source(all)
	for _, c := range [][3]string{{"RocksDB", "rocksdb", ""}, {"ForSt", "forst", ""}, {"HashMap", "hashmap", ""}, {"MemoryStateBackend", "hashmap", "jobmanager"}, {"FsStateBackend", "hashmap", "filesystem"}} {
		if !strings.Contains(source, c[0]) {
			continue
		}
		p.add("state.backend.type", c[1], line)
		if c[2] != "" {
			p.add("execution.checkpointing.storage", c[2], line)
		}
		p.directoryOf(all, line)
		if strings.Contains(strings.ToLower(source), "true") {
			p.add("execution.checkpointing.incremental", "true", line)
		}
		return
	}
	p.unread("state.backend.type", "setStateBackend", all, line)
}

// directoryOf reads the directory that the backends of 1.x take: new FsStateBackend("hdfs:///ck"), new RocksDBStateBackend("…", true).
func (p *program) directoryOf(backend []token, line int) {
	for i, t := range backend {
		if i == 0 || !t.is("(") || !strings.HasSuffix(backend[i-1].text, "StateBackend") {
			continue
		}
		given := split(backend[i+1 : min(closing(backend, i), len(backend))])
		if len(given) == 0 {
			return
		}
		if v, ok := p.names.valueIn(given[0], 0); ok && v.is == aText {
			p.add("execution.checkpointing.dir", v.text, line)
		} else if !ok {
			p.unread("execution.checkpointing.dir", backend[i-1].text, given[0], line)
		}
		return
	}
}

// strategies are the calls of RestartStrategies and the options that their arguments set.
var strategies = map[string][]string{
	"norestart": {"none"}, "fixeddelayrestart": {"fixed-delay", "attempts", "delay"}, "exponentialdelayrestart": {"exponential-delay", "initial-backoff", "max-backoff", "backoff-multiplier", "reset-backoff-threshold", "jitter-factor"},
	"failureraterestart": {"failure-rate", "max-failures-per-interval", "failure-rate-interval", "delay"},
}

// restartOf reads RestartStrategies.fixedDelayRestart(3, …) and its like.
func (p *program) restartOf(given [][]token, line int) {
	if len(given) == 0 {
		return
	}
	for i, t := range given[0] {
		fields := strategies[plain(t.text)]
		if fields == nil || i+1 == len(given[0]) || !given[0][i+1].is("(") {
			continue
		}
		p.add("restart-strategy.type", fields[0], line)
		for k, a := range split(given[0][i+2 : closing(given[0], i+1)]) {
			if k+1 < len(fields) {
				p.argument("restart-strategy."+fields[0]+"."+fields[k+1], "setRestartStrategy", a, line)
			}
		}
		return
	}
	p.argument("restart-strategy.type", "setRestartStrategy", given[0], line)
}
