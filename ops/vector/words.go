package vector

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"checkpointlab/core/event"
	"checkpointlab/core/option"
)

// words are what a unit is told and asked in: fields of given, verbs of events, keys of expect and of checks, fields of objects
// inside these, and words that stand as arguments or values. Each is the runner's word with others behind it that can mean nothing else:
// "recycle=return,release". Writing does not matter (num_retained, NumRetained), nor does the unit of a time in given.
//
// args are the arguments of verbs in order, by name: "take=channel,name" reads ["take", {"name": "a", "channel": 0}] as ["take", 0, "a"]; a * at the end leaves
// the others in an object behind these.
type words struct{ given, verbs, keys, fields, values, args string }

// lexicon is a table of words made ready: the runner's word by the others, folded.
type lexicon struct {
	given, verbs, keys, fields, values map[string]string
	args                               map[string][]string // by verb
}

// fold is a word as if nobody cared how it is written.
func fold(word string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(word))
}

func lexiconOf(w words) lexicon {
	args := map[string][]string{}
	for entry := range strings.FieldsSeq(w.args) {
		verb, names, _ := strings.Cut(entry, "=")
		args[verb] = strings.Split(names, ",")
	}
	return lexicon{dictionary(w.given), dictionary(w.verbs), dictionary(w.keys), dictionary(w.fields), dictionary(w.values), args}
}

// lexicons are the tables of all units, made at their first use.
var lexicons = sync.OnceValue(func() map[string]lexicon {
	all := map[string]lexicon{}
	for unit, w := range vocabulary {
		all[unit] = lexiconOf(w)
	}
	return all
})

// unitNames are further names of units: those of Flink's classes, and the first words of cases' names.
var unitNames = dictionary("CheckpointRequestDecider=decider CheckpointFailureManager=failures aligned=alignedCheckpoints tracker=CheckpointBarrierTracker " +
	"unaligned=unalignedCheckpoints alternating=alternatingCheckpoints lifecycle=CheckpointCoordinator,coordinator,CompletedCheckpointStore,StandaloneCompletedCheckpointStore,DefaultCompletedCheckpointStore,completedStore,store,PendingCheckpoint,pending,CompletedCheckpoint,CheckpointProperties,CheckpointStatsCounts,CheckpointStatsTracker,DefaultCheckpointStatsTracker,counts,stats,CheckpointCoordinatorFailure,CheckpointCoordinatorRestoring,CoordinatorShutdown,CheckpointIDCounter,StandaloneCheckpointIDCounter,ids,hooks,CheckpointCoordinatorMasterHooks trigger=CheckpointCoordinatorTriggering " +
	"checkpointPlan=DefaultCheckpointPlanCalculator,CheckpointPlanCalculator,plan options=CheckpointOptions sharedStateRegistry=SharedStateRegistryImpl,shared " +
	"fileMerging=FileMergingSnapshotManager,WithinCheckpointFileMergingSnapshotManager,AcrossCheckpointFileMergingSnapshotManager,filemerging rocksdbIncremental=RocksIncrementalSnapshotStrategy,incremental committer=CommitterOperator,CommitterOperatorTestBase,checkpointCommittableManager,CheckpointCommittableManagerImpl,CommittableCollector writer=SinkWriterOperator,SinkWriterOperatorTestBase,sinkWriter " +
	"two-phase=TwoPhaseCommitSinkFunction,2pc,twoPhaseCommit PipelinedSubpartition=subpartition RemoteInputChannel=credit,inputGate RemoteInputChannelQueue=inputQueue " +
	"ChannelStatePersister=persister LocalBufferPool=bufferPool BufferSizeEMA=ema BufferDebloater=debloat ThroughputCalculator=throughput " +
	"defaultMaxParallelism=maxpar,computeDefaultMaxParallelism,vertexParallelism,VertexParallelismInfo,DefaultVertexParallelismInfo,SchedulerBaseComputeVertexParallelism canRescaleMaxParallelism SubtaskStateMapper=mapper keyGroup=keygroup,KeyGroupRangeAssignment,operatorIndexForKeyGroup,assignKeyToParallelOperator keyGroupRanges=keyGroupRange,computeKeyGroupRangeForOperatorIndex " +
	"pointwiseConnections=pointwise allToAllConnections=allToAll channelSelection=partitioner,ChannelSelector,streamPartitioner chaining=chain,streamGraph,StreamingJobGraphGenerator " +
	"region=RestartPipelinedRegionFailoverStrategy,RestartAllFailoverStrategy,full,PipelinedRegion,LogicalPipelinedRegionComputeUtil,SchedulingPipelinedRegionComputeUtil,failoverRegion none=norestart,NoRestartBackoffTimeStrategy,NoRestartStrategy fixed-delay=FixedDelayRestartBackoffTimeStrategy failure-rate=FailureRateRestartBackoffTimeStrategy exponential-delay=ExponentialDelayRestartBackoffTimeStrategy TimerGauge=gauge MeterView=meter " +
	"backpressure=JobVertexBackPressureHandler taskio=TaskIOMetricGroup StatusWatermarkValve=valve IdlenessTimer=idleness WatermarkAlignment=alignment,SourceCoordinatorAlignment " +
	"BoundedOutOfOrdernessWatermarks=AscendingTimestampsWatermarks,outOfOrderness OrderedStreamElementQueue=StreamElementQueue,elementQueue,AsyncWaitOperator,asyncWait UnorderedStreamElementQueue " +
	"FsStateChangelogWriter=BatchingStateChangeUploadScheduler,StateChangelogWriter,changelogWriter,changelog OperatorStateRepartitioner=RoundRobinOperatorStateRepartitioner,operatorState,repartitioner,operatorStateRepartition,repartitionOperatorState,redistributeOperatorState,reDistributePartitionableStates,partitionableStates channelState=StateAssignmentOperation,InflightDataRescalingDescriptor,rescalingDescriptor keyedState=keyedStateAssignment,reAssignKeyedStates " +
	"unalignedEdges=StreamGraphGenerator,unalignedSupport,supportsUnaligned configuration=RestartBackoffTimeStrategyFactoryLoader,restartStrategyFactory,config,CheckpointConfig,ExecutionCheckpointingOptions")

// dictionary reads "own=other,other own=other". A ~ stands for a space.
func dictionary(table string) map[string]string {
	d := map[string]string{}
	for entry := range strings.FieldsSeq(table) {
		own, others, _ := strings.Cut(strings.ReplaceAll(entry, "~", " "), "=")
		d[fold(own)] = own
		for other := range strings.SplitSeq(others, ",") {
			if other != "" {
				d[fold(other)] = own
			}
		}
	}
	return d
}

// reworded is a case in the runner's own words. It is asked for only when the runner does not know what it was given, or comes to
// something else: what it knows is left to it.
func reworded(c Case, unit string) Case {
	lex := lexicons()[unit]
	c.Given = lex.object(c.Given, lex.given, true)
	c.Expect = lex.object(c.Expect, lex.keys, false)
	events := make([]json.RawMessage, len(c.Events))
	for i, raw := range c.Events {
		events[i] = lex.event(raw)
	}
	c.Events = events
	return c
}

// event is an event in the runner's words.
func (l lexicon) event(raw json.RawMessage) json.RawMessage {
	verb, args, err := Event(raw)
	if err != nil {
		return raw
	}
	if own, ok := l.verbs[fold(verb)]; ok {
		verb = own
	}
	list := []any{verb}
	for _, arg := range l.inOrder(verb, args) {
		if verb == "check" {
			list = append(list, l.object(arg, l.keys, false))
		} else {
			list = append(list, l.value(arg))
		}
	}
	return written(list)
}

// inOrder are an event's arguments in the order that its verb wants, if some came in an object by their names.
func (l lexicon) inOrder(verb string, args []json.RawMessage) []json.RawMessage {
	names, open := strings.CutSuffix(strings.Join(l.args[verb], ","), ",*")
	wanted := strings.Split(names, ",")
	at := slices.IndexFunc(args, func(arg json.RawMessage) bool { return arg[0] == '{' })
	var object map[string]json.RawMessage
	if l.args[verb] == nil || at < 0 || at >= len(wanted) || json.Unmarshal(args[at], &object) != nil {
		return args
	}
	list, rest := slices.Clone(args[:at]), map[string]json.RawMessage{}
	for key, value := range object {
		own, ok := l.fields[fold(key)]
		if !ok {
			own = key
		}
		place := slices.IndexFunc(wanted, func(name string) bool { return fold(name) == fold(own) })
		switch {
		case place < 0 && open:
			rest[key] = value
			continue
		case place < at || place < len(list) && list[place] != nil: // not an argument, or one that is there
			return args
		}
		for len(list) <= place {
			list = append(list, nil)
		}
		list[place] = value
	}
	if len(list) == at { // none by its name
		return args
	}
	for i := range list {
		if list[i] == nil {
			list[i] = json.RawMessage("null")
		}
	}
	list = append(list, args[at+1:]...)
	if len(rest) > 0 {
		list = append(list, written(rest))
	}
	return list
}

// object is an object with the keys in the runner's words and times in the unit that it wants; inGiven, they may be in another one.
func (l lexicon) object(raw json.RawMessage, keys map[string]string, inGiven bool) json.RawMessage {
	var m map[string]json.RawMessage
	if json.Unmarshal(raw, &m) != nil || m == nil {
		return raw
	}
	unfold(m, keys, inGiven)
	out := map[string]json.RawMessage{}
	for key, value := range m {
		own, ok := keys[fold(key)]
		if !ok && inGiven {
			own, value, ok = inUnit(keys, key, value)
		} else if !ok {
			own, ok = derived(keys, key)
		}
		if !ok && !inGiven {
			own, ok = l.momentInOwnWords(keys, key)
		}
		if !ok {
			own = key
		}
		value = timeText(own, value)
		if own == "checks" {
			value = l.list(value, keys)
		}
		value = l.value(value)
		if other, twice := out[own]; twice && !bytes.Equal(other, value) { // two words for one thing: neither is taken
			return raw
		}
		out[own] = value
	}
	return written(out)
}

// groups are keys that only gather others: in given, and in what is expected, where all is asked for at the end anyway.
var groups = map[bool][]string{true: {"config", "configuration", "settings", "options", "setup", "parameters", "params"}, false: {"final", "finally", "atEnd", "end", "result"}}

// unfold puts what a group gathers, and the fields of a strategy that is given as an object, {type, …}, beside the others. It leaves a
// group with a key that is there already.
func unfold(m map[string]json.RawMessage, keys map[string]string, inGiven bool) {
	for _, key := range sortedKeys(m) {
		own, known := keys[fold(key)]
		strategy := inGiven && own == "strategy"
		var fields map[string]json.RawMessage
		if !strategy && (known || !slices.Contains(groups[inGiven], key)) || json.Unmarshal(m[key], &fields) != nil || strategy && fields["type"] == nil {
			continue
		}
		if strategy {
			fields["strategy"] = fields["type"]
			delete(fields, "type")
		}
		taken := func(field string) bool { return m[field] != nil && field != key }
		if len(fields) == 0 || slices.ContainsFunc(sortedKeys(fields), taken) {
			continue
		}
		delete(m, key)
		maps.Copy(m, fields)
	}
}

// derived finds a word that asks something of what a plain word names: …Each, …Count, …Min; or that is a plain one as a method in Java
// would be called: isPending, getPending, numPending and numberOfPending.
func derived(keys map[string]string, key string) (own string, ok bool) {
	for _, plain := range []string{stemInItsUnit(key), stem(key)} {
		if plain == key {
			continue
		}
		if own, ok = keys[fold(plain)]; ok {
			return own + key[len(plain):], true
		}
		if own, ok = keys[fold(plain+"s")]; ok && strings.HasPrefix(key[len(plain):], "Count") { // restartCount of restarts
			return own + key[len(plain):], true
		}
	}
	for _, p := range []struct{ prefix, ending string }{{"is", ""}, {"get", ""}, {"are", ""}, {"has", ""}, {"numberOf", "Count"}, {"num", "Count"}} {
		if rest, cut := strings.CutPrefix(key, p.prefix); cut && rest != "" {
			if own, ok = keys[fold(rest+p.ending)]; ok {
				return own, true
			}
			if own, ok = keys[fold(rest)]; ok {
				return own + p.ending, true
			}
		}
	}
	return "", false
}

// list is a list of objects.
func (l lexicon) list(raw json.RawMessage, keys map[string]string) json.RawMessage {
	var objects []json.RawMessage
	if json.Unmarshal(raw, &objects) != nil {
		return raw
	}
	for i := range objects {
		objects[i] = l.object(objects[i], keys, false)
	}
	return written(objects)
}

// inUnit finds a key that is given without a unit or in another one than the runner's milliseconds.
func inUnit(keys map[string]string, key string, value json.RawMessage) (string, json.RawMessage, bool) {
	if own, ok := keys[fold(key+"Ms")]; ok { // a time without a unit is in ms, or says it
		return own, value, true
	}
	if own, ok := keys[fold(key+"Seconds")]; ok && bytes.HasPrefix(value, []byte(`"`)) {
		return own, value, true
	}
	var n float64
	if json.Unmarshal(value, &n) != nil {
		return "", value, false
	}
	for _, u := range timeUnits {
		stem, cut := strings.CutSuffix(key, u.ending)
		own, ok := keys[fold(stem+"Ms")]
		if ms := n * float64(u.unit) / float64(event.Millisecond); cut && ok && ms == float64(int64(ms)) {
			return own, written(int64(ms)), true
		}
	}
	return "", value, false
}

// timeText reads "10 ms" where the runner wants a number of milliseconds or seconds.
func timeText(own string, value json.RawMessage) json.RawMessage {
	var text string
	unit := event.Millisecond
	if strings.HasSuffix(own, "Seconds") {
		unit = event.Second
	} else if !strings.HasSuffix(own, "Ms") {
		return value
	}
	if json.Unmarshal(value, &text) != nil {
		return value
	}
	if d, err := option.ParseDuration(text); err == nil && d%unit == 0 {
		return written(d / unit)
	}
	return value
}

// value is a value in the runner's words, with whole numbers without a fraction; lists and objects part by part.
func (l lexicon) value(raw json.RawMessage) json.RawMessage {
	var word string
	var list []json.RawMessage
	var object map[string]json.RawMessage
	switch {
	case json.Unmarshal(raw, &word) == nil && !bytes.Equal(raw, []byte("null")):
		if own, ok := l.values[fold(word)]; ok {
			return written(own)
		}
	case json.Unmarshal(raw, &list) == nil && list != nil:
		for i := range list {
			list[i] = l.value(list[i])
		}
		return written(list)
	case json.Unmarshal(raw, &object) == nil && object != nil:
		return l.parts(object)
	default:
		if own, ok := l.values[string(raw)]; ok { // a number that stands for a word
			return written(own)
		}
		return whole(raw)
	}
	return raw
}

// parts are the parts of an object inside.
func (l lexicon) parts(object map[string]json.RawMessage) json.RawMessage {
	out := map[string]json.RawMessage{}
	for key, value := range object {
		if own, ok := l.fields[fold(key)]; ok {
			key = own
		} else if own, ok := l.keys[fold(key)]; ok { // what a poll tells
			key = own
		}
		out[key] = l.value(value)
	}
	return written(out)
}

// whole writes 2.0 and 1e3 as 2 and 1000.
func whole(raw json.RawMessage) json.RawMessage {
	var n float64
	if !bytes.ContainsAny(raw, ".eE") || json.Unmarshal(raw, &n) != nil || n != math.Trunc(n) || math.Abs(n) > 1<<53 {
		return raw
	}
	return strconv.AppendInt(nil, int64(n), 10)
}

// written is a value as JSON; only such values come here.
func written(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return raw
}
