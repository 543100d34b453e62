package scenarios

import (
	"strconv"
	"strings"

	"checkpointlab/core/event"
	"checkpointlab/core/option"
)

// What a program says of checkpoints: calls of StreamExecutionEnvironment, CheckpointConfig and Configuration in Java, Scala or
// Python, each read by itself. A value that is no literal is told and not guessed.

var (
	// call is the beginning of a method's call, of what stands before it; parentheses are counted by argumentsOf.
	call  = made(`\.\s*([A-Za-z_]+)\s*\(`)
	owner = made(`[A-Za-z0-9_()]+\s*$`)
	// comment is a line that says nothing to a compiler.
	comment = made(`(?m)^[ \t]*(?://|#|\*|/\*).*$|[ \t]//[^\n]*$`)
	// program tells a program from a configuration.
	program = made(`\.\s*(?:enableCheckpointing|enable_checkpointing|[sg]etCheckpoint[A-Za-z]*|[sg]et_checkpoint[a-z_]*|enableUnalignedCheckpoints|enable_unaligned_checkpoints|setStateBackend|set_state_backend|setMinPauseBetweenCheckpoints|setMaxConcurrentCheckpoints|setTolerableCheckpointFailureNumber|setRestartStrategy|setBufferTimeout|set_buffer_timeout)\s*\(|\b(?:CheckpointingOptions|StateBackendOptions|RestartStrategyOptions)\.`)
	// literal is a key and a value in words: setString("key", "value").
	literal = made(`^\s*["']([A-Za-z0-9_$.-]+)["']\s*,\s*(.+?)\s*$`)
	// constant is an option named by its constant in Java.
	constant = made(`^\s*(?:[A-Za-z]+Options)\.([A-Z0-9_]+)\s*,\s*(.+?)\s*$`)
	// unitOf is Duration.ofSeconds(30), Time.minutes(5), Duration.of_millis(10) or TimeUnit.MINUTES.toMillis(5).
	unitOf   = made(`^(?:Duration|Time)\s*\.\s*(?:of_?)?([A-Za-z]+)\s*\(\s*([0-9_]+)[lL]?\s*\)$`)
	unitEnum = made(`^Time\s*\.\s*of\s*\(\s*([0-9_]+)[lL]?\s*,\s*(?:TimeUnit\s*\.\s*)?([A-Z]+)\s*\)$`)
	unitTo   = made(`^TimeUnit\s*\.\s*([A-Z]+)\s*\.\s*toMillis\s*\(\s*([0-9_]+)[lL]?\s*\)$`)
	capitals = made(`^[A-Z_]+$`)
	product  = made(`^[0-9_]+[lL]?(?:\s*\*\s*[0-9_]+[lL]?)*$`)
)

// called are the calls of one argument, without underscores and in lower case, and the options that they set.
var called = map[string]string{
	"setcheckpointinterval": "execution.checkpointing.interval", "setminpausebetweencheckpoints": "execution.checkpointing.min-pause",
	"setcheckpointtimeout": "execution.checkpointing.timeout", "setmaxconcurrentcheckpoints": "execution.checkpointing.max-concurrent-checkpoints",
	"settolerablecheckpointfailurenumber": "execution.checkpointing.tolerable-failed-checkpoints", "setalignedcheckpointtimeout": "execution.checkpointing.aligned-checkpoint-timeout",
	"setalignmenttimeout": "execution.checkpointing.aligned-checkpoint-timeout", "setcheckpointingmode": "execution.checkpointing.mode",
	"setcheckpointingconsistencymode": "execution.checkpointing.mode", "setforceunalignedcheckpoints": "execution.checkpointing.unaligned.forced",
	"setexternalizedcheckpointcleanup": "execution.checkpointing.externalized-checkpoint-retention", "enableexternalizedcheckpoints": "execution.checkpointing.externalized-checkpoint-retention",
	"setexternalizedcheckpointretention": "execution.checkpointing.externalized-checkpoint-retention", "setcheckpointstorage": "execution.checkpointing.dir",
	"enablechangelogstatebackend": "state.changelog.enabled", "setbuffertimeout": "execution.buffer-timeout.interval",
	"setautowatermarkinterval": "pipeline.auto-watermark-interval", "setmaxparallelism": "pipeline.max-parallelism",
	"setcheckpointidoftenignoredinflightdata": "execution.checkpointing.recover-without-channel-state.checkpoint-id",
}

// constants are the options by their constants in Java, where these are not the key's own words.
var constants = map[string]string{
	"CHECKPOINTING_INTERVAL": "execution.checkpointing.interval", "CHECKPOINTING_MODE": "execution.checkpointing.mode", "CHECKPOINTING_CONSISTENCY_MODE": "execution.checkpointing.mode",
	"CHECKPOINTING_TIMEOUT": "execution.checkpointing.timeout", "MIN_PAUSE_BETWEEN_CHECKPOINTS": "execution.checkpointing.min-pause",
	"MAX_CONCURRENT_CHECKPOINTS": "execution.checkpointing.max-concurrent-checkpoints", "TOLERABLE_FAILURE_NUMBER": "execution.checkpointing.tolerable-failed-checkpoints",
	"ENABLE_UNALIGNED": "execution.checkpointing.unaligned.enabled", "ALIGNED_CHECKPOINT_TIMEOUT": "execution.checkpointing.aligned-checkpoint-timeout",
	"EXTERNALIZED_CHECKPOINT": "execution.checkpointing.externalized-checkpoint-retention", "EXTERNALIZED_CHECKPOINT_RETENTION": "execution.checkpointing.externalized-checkpoint-retention",
	"CHECKPOINTS_DIRECTORY": "execution.checkpointing.dir", "SAVEPOINT_DIRECTORY": "execution.checkpointing.savepoint-dir", "CHECKPOINT_STORAGE": "execution.checkpointing.storage",
	"INCREMENTAL_CHECKPOINTS": "execution.checkpointing.incremental", "MAX_RETAINED_CHECKPOINTS": "execution.checkpointing.num-retained", "FS_SMALL_FILE_THRESHOLD": "execution.checkpointing.data-inline-threshold",
	"CHECKPOINTING_INTERVAL_DURING_BACKLOG": "execution.checkpointing.interval-during-backlog", "ENABLE_CHECKPOINTS_AFTER_TASKS_FINISH": "execution.checkpointing.checkpoints-after-tasks-finish",
	"FILE_MERGING_ENABLED": "execution.checkpointing.file-merging.enabled", "STATE_BACKEND": "state.backend.type", "RESTART_STRATEGY": "restart-strategy.type",
	"RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS": "restart-strategy.fixed-delay.attempts", "RESTART_STRATEGY_FIXED_DELAY_DELAY": "restart-strategy.fixed-delay.delay",
	"ENABLE_STATE_CHANGE_LOG": "state.changelog.enabled", "BUFFER_TIMEOUT": "execution.buffer-timeout.interval", "MAX_PARALLELISM": "pipeline.max-parallelism",
}

const programForm = "program"

// removed are the calls that Flink 2.0 has no more (FLIP-381, FLINK-36249): only the option is left.
var removed = []string{"setstatebackend", "setrestartstrategy", "setcheckpointstorage"}

// programText reads a program; nil if it is none.
func programText(text string) *paste {
	if !program().MatchString(text) {
		return nil
	}
	p := &paste{form: programForm}
	text = comment().ReplaceAllString(text, "")
	for _, m := range call().FindAllStringSubmatchIndex(text, -1) {
		before := text[strings.LastIndex(text[:m[0]], ";")+1 : m[0]]
		p.calls(owner().FindString(before), text[m[2]:m[3]], argumentsOf(text[m[1]:]), 1+strings.Count(text[:m[2]], "\n"))
	}
	return p
}

// argumentsOf is what stands up to the parenthesis that closes.
func argumentsOf(rest string) string {
	depth, quote := 1, rune(0)
	for i, c := range rest {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth == 0 {
				return rest[:i]
			}
		}
	}
	return rest
}

// calls reads one call.
func (p *paste) calls(of, method, given string, line int) {
	name := strings.ToLower(strings.ReplaceAll(method, "_", ""))
	add := func(key, argument string) { p.argument(key, method, argument, line) }
	first, second, two := cutArgument(given)
	switch {
	case name == "enablecheckpointing":
		add("execution.checkpointing.interval", first)
		if two {
			mode, _, _ := cutArgument(second)
			add("execution.checkpointing.mode", mode)
		}
	case name == "enableunalignedcheckpoints":
		add("execution.checkpointing.unaligned.enabled", orTrue(first))
	case name == "disableoperatorchaining":
		add("pipeline.operator-chaining.enabled", "false")
	case name == "setbuffertimeout" && strings.TrimSpace(first) == "-1":
		add("execution.buffer-timeout.enabled", "false")
	case name == "setstatebackend":
		p.backendOf(given, line)
	case name == "setrestartstrategy":
		p.restartOf(given, line)
	case name == "setparallelism" && strings.Contains(strings.ToLower(of), "env"):
		p.beside = append(p.beside, option.Pair{Key: "parallelism", Value: strings.TrimSpace(first), Line: line})
	case name == "setparallelism" || name == "setmaxparallelism" && !strings.Contains(strings.ToLower(of), "env"): // of one operator
	case called[name] != "":
		add(called[name], orTrue(first))
	case strings.HasPrefix(name, "set") || name == "put":
		if m := literal().FindStringSubmatch(given); m != nil {
			add(m[1], m[2])
		} else if m := constant().FindStringSubmatch(given); m != nil {
			p.named(m[1], m[2], line)
		} else if strings.Contains(name+strings.ToLower(of), "checkpoint") {
			p.note(line, method, "", option.Warning, "Not read: the lab does not know this call.", "읽지 않았다. 이 랩이 모르는 호출이다.")
		}
	}
	for _, gone := range removed {
		if name == gone {
			p.note(line, method, "", option.Info, "Flink 2.0 has removed this call: there the option has to be set.", "Flink 2.0에서 없어진 호출이다. 그때부터는 옵션으로 정해야 한다.")
		}
	}
}

// named is an option by its constant.
func (p *paste) named(name, argument string, line int) {
	if key := constants[name]; key != "" {
		p.argument(key, name, argument, line)
		return
	}
	p.note(line, name, argument, option.Warning, "Not read: the lab does not know this constant; write its key as text.", "읽지 않았다. 이 랩이 모르는 상수다. 키를 글자로 쓴다.")
}

// argument takes an argument as an option's value, if it is a literal.
func (p *paste) argument(key, method, argument string, line int) {
	value, ok := valueIn(argument, wantsTime(key))
	if !ok {
		p.note(line, key, argument, option.Warning, "Not read: "+method+" is given "+option.Quote(strings.TrimSpace(argument))+", whose value is not in the text.",
			"읽지 않았다. "+method+"에 준 "+option.Quote(strings.TrimSpace(argument))+"의 값이 글에 없다.")
		return
	}
	p.pairs = append(p.pairs, option.Pair{Key: key, Value: value, Line: line})
}

func wantsTime(key string) bool {
	o, ok := option.Find(key)
	return ok && o.Type == option.Duration
}

// valueIn is the value of an argument; false if it is no literal.
func valueIn(argument string, time bool) (string, bool) {
	a := strings.TrimSpace(argument)
	if n := len(a); n > 1 && (a[0] == '"' || a[0] == '\'') && a[n-1] == a[0] {
		return a[1 : n-1], true
	}
	if d, ok := durationIn(a); ok {
		return option.FormatDuration(d), true
	}
	if product().MatchString(a) {
		n := int64(1)
		for _, f := range strings.Split(a, "*") {
			x, err := strconv.ParseInt(strings.Trim(strings.ReplaceAll(strings.TrimSpace(f), "_", ""), "lL"), 10, 64)
			if err != nil || x > 0 && n > 1<<40/x {
				return "", false
			}
			n *= x
		}
		if time {
			return strconv.FormatInt(n, 10) + " ms", true
		}
		return strconv.FormatInt(n, 10), true
	}
	if low := strings.ToLower(a); low == "true" || low == "false" {
		return low, true
	}
	if i := strings.LastIndex(a, "."); i > 0 && capitals().MatchString(a[i+1:]) {
		return a[i+1:], true
	}
	return "", false
}

// units of Duration, Time and TimeUnit.
var units = map[string]event.Time{"milli": event.Millisecond, "millis": event.Millisecond, "milliseconds": event.Millisecond, "seconds": event.Second, "minutes": 60 * event.Second, "hours": 3600 * event.Second, "days": 86400 * event.Second}

func durationIn(a string) (event.Time, bool) {
	unit, number := "", ""
	if m := unitOf().FindStringSubmatch(a); m != nil {
		unit, number = m[1], m[2]
	} else if m := unitEnum().FindStringSubmatch(a); m != nil {
		unit, number = m[2], m[1]
	} else if m := unitTo().FindStringSubmatch(a); m != nil {
		unit, number = m[1], m[2]
	}
	n, err := strconv.ParseInt(strings.ReplaceAll(number, "_", ""), 10, 32)
	each := units[strings.ToLower(unit)]
	return event.Time(n) * each, err == nil && each > 0
}

// cutArgument cuts the first argument off.
func cutArgument(given string) (first, rest string, ok bool) {
	depth := 0
	for i, c := range given {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth == 0 {
				return given[:i], given[i+1:], true
			}
		}
	}
	return given, "", false
}

func orTrue(argument string) string {
	if strings.TrimSpace(argument) == "" {
		return "true"
	}
	return argument
}

// backendOf reads new EmbeddedRocksDBStateBackend(true) and its like.
func (p *paste) backendOf(given string, line int) {
	kind, storage := "", ""
	for _, c := range [][3]string{{"RocksDB", "rocksdb", ""}, {"ForSt", "forst", ""}, {"HashMap", "hashmap", ""}, {"MemoryStateBackend", "hashmap", "jobmanager"}, {"FsStateBackend", "hashmap", "filesystem"}} {
		if strings.Contains(given, c[0]) {
			kind, storage = c[1], c[2]
			break
		}
	}
	if kind == "" {
		p.argument("state.backend.type", "setStateBackend", given, line)
		return
	}
	p.pairs = append(p.pairs, option.Pair{Key: "state.backend.type", Value: kind, Line: line})
	if storage != "" {
		p.pairs = append(p.pairs, option.Pair{Key: "execution.checkpointing.storage", Value: storage, Line: line})
	}
	if strings.Contains(strings.ToLower(given), "true") {
		p.pairs = append(p.pairs, option.Pair{Key: "execution.checkpointing.incremental", Value: "true", Line: line})
	}
}

// restartOf reads RestartStrategies.fixedDelayRestart(3, …) and its like.
func (p *paste) restartOf(given string, line int) {
	m := call().FindStringSubmatchIndex(given)
	if m == nil {
		p.argument("restart-strategy.type", "setRestartStrategy", given, line)
		return
	}
	kind, rest := strings.ToLower(strings.ReplaceAll(given[m[2]:m[3]], "_", "")), argumentsOf(given[m[1]:])
	keys := map[string][]string{
		"norestart": {"none"}, "fixeddelayrestart": {"fixed-delay", "attempts", "delay"}, "exponentialdelayrestart": {"exponential-delay", "initial-backoff", "max-backoff", "backoff-multiplier", "reset-backoff-threshold", "jitter-factor"},
		"failureraterestart": {"failure-rate", "max-failures-per-interval", "failure-rate-interval", "delay"},
	}[kind]
	if keys == nil {
		p.argument("restart-strategy.type", "setRestartStrategy", given, line)
		return
	}
	p.pairs = append(p.pairs, option.Pair{Key: "restart-strategy.type", Value: keys[0], Line: line})
	for _, field := range keys[1:] {
		first, more, two := cutArgument(rest)
		p.argument("restart-strategy."+keys[0]+"."+field, "setRestartStrategy", first, line)
		if rest = more; !two {
			return
		}
	}
}
