package vector

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"checkpointlab/core/job"
	"checkpointlab/core/sim"
)

// runConnections replays units pointwiseConnections and allToAllConnections.
func runConnections(c Case) (Status, string) {
	var v struct {
		Unit, Partitioner                    string
		SourceParallelism, TargetParallelism int
		Parallelisms                         []int
		Broadcast                            json.RawMessage // both are wired the same in a streaming job
	}
	if err := Decode(c.Given, &v); err != nil {
		return Unknown("given", err)
	}
	pattern := job.AllToAll
	if v.Unit == "pointwiseConnections" {
		pattern = job.Pointwise
	}
	if v.Partitioner != "" {
		if p, ok := job.ParsePartitioner(v.Partitioner); !ok || p.Pattern() != pattern {
			return Unknown("partitioner "+v.Partitioner, errors.New("not wired as the unit says"))
		}
	}
	if v.Parallelisms != nil {
		return compared(c, hops(pattern, v.Parallelisms))
	}
	got := connections(pattern, v.SourceParallelism, v.TargetParallelism)
	return compared(c, withRule(got, c.Expect))
}

// hops is the wiring of each exchange of a line of vertices.
func hops(pattern job.Pattern, parallelisms []int) answers {
	got := answers{}
	for i, name := range []string{"firstHop", "secondHop", "thirdHop", "fourthHop"} {
		if i+1 < len(parallelisms) {
			got[name] = producersPerConsumer(pattern, parallelisms[i], parallelisms[i+1])
		}
	}
	return got
}

func producersPerConsumer(pattern job.Pattern, producers, consumers int) [][]int {
	reads := make([][]int, consumers)
	for i := range reads {
		from, to := pattern.Producers(i, producers, consumers)
		for j := from; j < to; j++ {
			reads[i] = append(reads[i], j)
		}
	}
	return reads
}

// connections is all that a case may expect of an exchange's wiring. A number that is not the same for all is absent.
func connections(pattern job.Pattern, producers, consumers int) answers {
	reads := producersPerConsumer(pattern, producers, consumers)
	got := answers{"producersPerConsumer": reads}
	subpartitions, inputs, used := make([]int, consumers), make([]int, consumers), make([]int, producers)
	ranges, each := make([][2]int, consumers), make([][2]int, consumers) // inclusive, as a JobVertexInputInfo has them
	for i := range reads {
		subpartitions[i] = pattern.Subpartition(i, producers, consumers)
		ranges[i], each[i] = [2]int{reads[i][0], reads[i][len(reads[i])-1]}, [2]int{subpartitions[i], subpartitions[i]}
		inputs[i] = len(reads[i])
		for _, j := range reads[i] {
			used[j]++
		}
	}
	got["subpartitionPerConsumer"] = subpartitions
	got["partitionIndexRanges"], got["subpartitionIndexRanges"] = ranges, each
	got["consumersPerProducer"] = fed(reads, producers)
	count(got, "producersPerConsumer", "producersPerConsumerCount", inputs)
	count(got, "consumersPerProducer", "eachProducerUsed", used)
	count(got, "consumersPerProducer", "consumersPerProducerCount", used)
	return got
}

// fed is the consumers that each producer feeds.
func fed(reads [][]int, producers int) [][]int {
	feeds := make([][]int, producers)
	for i := range reads {
		for _, j := range reads[i] {
			feeds[j] = append(feeds[j], i)
		}
	}
	return feeds
}

// count adds least and greatest, and what all are if they are the same, else which they are.
func count(got answers, name, each string, numbers []int) {
	least, most := slices.Min(numbers), slices.Max(numbers)
	got[name+"Min"], got[name+"Max"] = least, most
	got[each] = numbers
	if least == most {
		got[each] = most
	}
}

// The rules of a wiring as cases write them.
var (
	rangeRule = regexp.MustCompile(`^consumer i reads producers (\d*)\*?i ?(?:\.\.|to|-) ?(\d*)\*?i(?: ?\+ ?(\d+))?$`)
	floorRule = regexp.MustCompile(`^consumer i reads producer (?:floor\()?i(?: ?(?:/|div) ?(\d+))?\)?(?: \([a-z ]+\))?$`)
)

// withRule adds the rule that a case expects if the wiring follows it.
func withRule(got answers, expect json.RawMessage) answers {
	var want struct{ Rule *string }
	if json.Unmarshal(expect, &want) != nil || want.Rule == nil {
		return got
	}
	reads := got["producersPerConsumer"].([][]int)
	var follows func(i int) (from, to int)
	if m := rangeRule.FindStringSubmatch(*want.Rule); m != nil {
		follows = func(i int) (int, int) { return digits(m[1], 1) * i, digits(m[2], 1)*i + digits(m[3], 0) }
	} else if m := floorRule.FindStringSubmatch(*want.Rule); m != nil {
		follows = func(i int) (int, int) { return i / digits(m[1], 1), i / digits(m[1], 1) }
	} else {
		return got
	}
	got["rule"] = *want.Rule
	for i := range reads {
		from, to := follows(i)
		if reads[i][0] != from || reads[i][len(reads[i])-1] != to {
			got["rule"] = fmt.Sprintf("consumer %d reads producers %v", i, reads[i])
			break
		}
	}
	return got
}

// digits reads a number; none stand for other.
func digits(text string, other int) int {
	if n, err := strconv.Atoi(text); err == nil {
		return n
	}
	return other
}

// runSelection replays unit channelSelection: which channel each record goes to.
func runSelection(c Case) (Status, string) {
	var v struct {
		Unit, Partitioner string
		Channels          int
		MaxParallelism    *int
	}
	if err := Decode(c.Given, &v); err != nil {
		return Unknown("given", err)
	}
	keys := make([]json.RawMessage, len(c.Events))
	for i, raw := range c.Events {
		verb, args, err := Event(raw)
		if err != nil || verb != "record" || len(args) > 1 {
			return Unknown(fmt.Sprintf("event %d", i), errUnknown)
		}
		if len(args) == 1 {
			keys[i] = keyOf(args[0])
		}
	}
	p, ok := job.ParsePartitioner(v.Partitioner)
	if !ok || v.Channels < 1 {
		return Unknown("partitioner "+v.Partitioner, errUnknown)
	}
	records := len(c.Events)
	c.Events = nil // dealt here
	switch p {
	case job.Rescale:
		d := job.NewRoundRobinDealing(v.Channels, 0)
		return compared(c, answers{"channels": dealt(&d, records), "channelsPerRecord": 1})
	case job.Forward, job.Global:
		d := job.NewSingleDealing(v.Channels, 0)
		return compared(c, answers{"channels": dealt(&d, records), "channelsPerRecord": 1})
	case job.Broadcast: // it has no channel of a record: each is sent to all (BroadcastPartitioner#selectChannel)
		return compared(c, answers{"error": unsupported, "channelsPerRecord": v.Channels})
	case job.Hash:
		return byKey(c, keys, v.Channels, intOr(v.MaxParallelism, job.DefaultMaxParallelism(v.Channels)))
	case job.Shuffle:
		last := shuffled(v.Channels)
		return compared(c, answers{"each": fmt.Sprintf("any channel in 0..%d", last), "channelMin": 0, "channelMax": last, "channelsPerRecord": 1})
	case job.Rebalance:
		return compared(c, rebalanced(v.Channels, records, c.Expect))
	default:
		return Unknown("partitioner "+v.Partitioner, errUnknown)
	}
}

// keyOf is the key of a record: the record itself, or what it says of it.
func keyOf(record json.RawMessage) json.RawMessage {
	var of struct{ Key json.RawMessage }
	if Decode(record, &of) == nil && of.Key != nil {
		return of.Key
	}
	return record
}

// byKey compares where records with keys go: by the key's group.
func byKey(c Case, keys []json.RawMessage, channels, maxParallelism int) (Status, string) {
	to := make([]int, len(keys))
	for i, key := range keys {
		code, err := hashCode(key, nil)
		if err != nil {
			return Unknown(fmt.Sprintf("event %d", i), err)
		}
		to[i] = job.SubtaskOf(job.KeyGroup(code, maxParallelism), channels, maxParallelism)
	}
	same := true // those with the same key go to the same channel
	for i := range keys {
		for j := range keys[:i] {
			same = same && (string(keys[i]) != string(keys[j]) || to[i] == to[j])
		}
	}
	return compared(c, answers{"channels": to, "channelsPerRecord": 1, "sameChannelForSameKey": same})
}

// dealt is the channel of each record.
func dealt(d *job.Dealing, records int) []int {
	channels := make([]int, records)
	for i := range channels {
		channels[i] = d.Channel(int64(i))
	}
	return channels
}

// shuffled is the last channel that many records go to that are dealt at random, if they go to all before it.
func shuffled(channels int) int {
	d := job.NewShuffleDealing(channels, 4096, 1)
	seen := map[int]bool{}
	for _, to := range dealt(&d, 100*channels) {
		seen[to] = true
	}
	return len(seen) - 1
}

// What cases say of a random start and of what follows it.
var (
	startRule = regexp.MustCompile(`^any channel in 0\.\.\d+(?: \(random start per task\))?$`)
	nextRule  = regexp.MustCompile(`^previous \+ 1 modulo \d+$`)
)

// rebalanced says in a case's words where many tasks, each with its own random start, send their records.
// Words that it does not know stay unanswered.
func rebalanced(channels, records int, expect json.RawMessage) answers {
	starts := sim.NewStream(1, "rebalance")
	first := map[int]bool{}
	then := fmt.Sprintf("previous + 1 modulo %d", channels)
	for range 100 * channels {
		d := job.NewRoundRobinDealing(channels, int(starts.Int64n(int64(channels))))
		to := dealt(&d, records)
		for i := range to {
			if i == 0 {
				first[to[i]] = true
			} else if to[i] != (to[i-1]+1)%channels {
				then = fmt.Sprintf("%d after %d", to[i], to[i-1])
			}
		}
	}
	var want struct{ First, Then string }
	_ = json.Unmarshal(expect, &want) // other forms are no words that it knows
	got := answers{"channelsPerRecord": 1, "channelMin": 0, "channelMax": len(first) - 1}
	if startRule.MatchString(want.First) {
		words := fmt.Sprintf("any channel in 0..%d", len(first)-1)
		if base, _, _ := strings.Cut(want.First, " ("); base == words {
			words = want.First
		}
		got["first"] = words
	}
	if nextRule.MatchString(want.Then) {
		got["then"] = then
	}
	return got
}
