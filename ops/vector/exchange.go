package vector

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"checkpointlab/core/job"
)

// runConnections replays units pointwiseConnections and allToAllConnections.
func runConnections(c Case) (Status, string) {
	var v struct {
		Unit, Partitioner                    string
		SourceParallelism, TargetParallelism int
		Parallelisms                         []int
		Broadcast                            json.RawMessage // both are wired the same in a streaming job
		Consumer, Producer                   *int            // of which alone it is asked
	}
	if err := Decode(c.Given, &v); err != nil {
		return Unknown("given", err)
	}
	pattern := job.AllToAll
	if Unit(c) == "pointwiseConnections" {
		pattern = job.Pointwise
	}
	if v.Partitioner != "" {
		if p, ok := job.ParsePartitioner(v.Partitioner); !ok || p.Pattern() != pattern {
			return Unknown("partitioner "+v.Partitioner, errors.New("not wired as the unit says"))
		}
	}
	if v.Parallelisms != nil {
		for _, n := range v.Parallelisms {
			if err := asParallelism("parallelisms", n); err != nil {
				return Unknown("given", err)
			}
		}
		return compared(c, hops(pattern, v.Parallelisms))
	}
	if err := errors.Join(asParallelism("sourceParallelism", v.SourceParallelism), asParallelism("targetParallelism", v.TargetParallelism)); err != nil {
		return Unknown("given", err)
	}
	got := connections(pattern, v.SourceParallelism, v.TargetParallelism)
	if n := v.Consumer; n != nil && *n >= 0 && *n < v.TargetParallelism {
		got["producers"], got["subpartition"] = got["producersPerConsumer"].([][]int)[*n], got["subpartitionPerConsumer"].([]int)[*n]
	}
	if n := v.Producer; n != nil && *n >= 0 && *n < v.SourceParallelism {
		got["consumers"] = got["consumersPerProducer"].([][]int)[*n]
	}
	return compared(c, withRule(got, c.Expect))
}

// asParallelism refuses what no vertex can have.
func asParallelism(key string, n int) error {
	if n > job.MaxKeyGroups {
		return fmt.Errorf("%s %d, it may be at most %d", key, n, job.MaxKeyGroups)
	}
	return atLeast(key, n, 1)
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
	total := 0
	subpartitions, inputs, used := make([]int, consumers), make([]int, consumers), make([]int, producers)
	ranges, each := make([][2]int, consumers), make([][2]int, consumers) // inclusive, as a JobVertexInputInfo has them
	for i := range reads {
		subpartitions[i] = pattern.Subpartition(i, producers, consumers)
		ranges[i], each[i] = [2]int{reads[i][0], reads[i][len(reads[i])-1]}, [2]int{subpartitions[i], subpartitions[i]}
		inputs[i] = len(reads[i])
		total += len(reads[i])
		for _, j := range reads[i] {
			used[j]++
		}
	}
	got["subpartitionPerConsumer"], got["connectionCount"] = subpartitions, total
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
