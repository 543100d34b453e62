package vector

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"checkpointlab/core/job"
)

// answers is what a unit without events computes, by the keys that a case may expect. A key that is absent is not
// computed from what was given.
type answers map[string]any

func (a answers) event(string, []json.RawMessage) (Status, string) {
	return Unknown("events", errUnknown)
}

func (a answers) value(key string, _ json.RawMessage) (any, bool) {
	got, ok := a[key]
	return got, ok
}

// compared holds every expected key against the answers; a list may leave its middle out with "...".
func compared(c Case, got answers) (Status, string) {
	if len(c.Events) > 0 {
		return Unknown("events", errUnknown)
	}
	var want map[string]json.RawMessage
	if err := json.Unmarshal(c.Expect, &want); err != nil || len(want) == 0 {
		return Unknown("expect", errors.New("nothing is expected"))
	}
	status, diff := Pass, ""
	for _, key := range sortedKeys(want) { // a key that is not known outweighs a difference
		if slices.Contains(remarks, key) {
			continue
		}
		s, d := got.compare(key, want[key])
		if s == NotModelled {
			return s, d
		}
		if status == Pass {
			status, diff = s, d
		}
	}
	return status, diff
}

// compare holds one key against its answer, or a bound or a count against the answer that it is about.
func (a answers) compare(key string, want json.RawMessage) (Status, string) {
	got, ok := a[key]
	if !ok {
		status, diff, known := judged(a, key, want)
		if !known {
			return Unknown(key, errUnknown)
		}
		return status, diff
	}
	if meansSameBut(got, want) {
		return Pass, ""
	}
	shown, _ := json.Marshal(got)
	return Differ(key, string(shown), string(want))
}

// meansSameBut reports whether got, written as JSON, means the same as want, but for what want leaves out.
func meansSameBut(got any, want json.RawMessage) bool {
	if t, ok := got.(meaning); ok {
		return t.means(want)
	}
	a, b, ok := bothAsJSON(got, want)
	return ok && sameBut(a, b)
}

// sameBut compares values of JSON; "..." in a wanted list stands for any elements.
func sameBut(got, want any) bool {
	w, ok := want.([]any)
	if !ok {
		return reflect.DeepEqual(got, want)
	}
	g, ok := got.([]any)
	if !ok {
		return false
	}
	for i := range w {
		if w[i] == "..." {
			rest := w[i+1:]
			for skip := i; skip <= len(g)-len(rest) || skip == i; skip++ {
				if skip <= len(g) && sameBut(g[skip:], rest) {
					return true
				}
			}
			return false
		}
		if i >= len(g) || !sameBut(g[i], w[i]) {
			return false
		}
	}
	return len(g) == len(w)
}

// runMaxParallelism replays units defaultMaxParallelism and canRescaleMaxParallelism.
func runMaxParallelism(c Case) (Status, string) {
	var v struct {
		Unit        string
		Parallelism *int
		Configured  json.RawMessage // null or -1 = it is derived, "auto" = as large as it can be
		To          *int            // the max parallelism that a rescale wants
	}
	if err := Decode(c.Given, &v); err != nil {
		return Unknown("given", err)
	}
	var configured *int
	switch text := string(v.Configured); text {
	case `"auto"`: // Integer.MAX_VALUE, JobVertex of the adaptive schedulers
		most := job.MaxKeyGroups
		configured = &most
	case "-1": // JobVertex.MAX_PARALLELISM_DEFAULT
	default:
		if err := Decode(v.Configured, &configured); err != nil {
			return Unknown("configured", err)
		}
	}
	if v.To != nil && *v.To == math.MaxInt32 { // as "auto"
		*v.To = job.MaxKeyGroups
	}
	got := answers{}
	failed := intOr(v.Parallelism, 1) < 1 || intOr(configured, 0) < 0 // DefaultVertexParallelismInfo, normalizeAndCheckMaxParallelism
	if !failed && (v.Parallelism != nil || v.To == nil) {
		most, err := job.MaxParallelism(intOr(v.Parallelism, 0), intOr(configured, 0))
		if failed = err != nil; !failed {
			got["maxParallelism"], got["parallelism"] = most, intOr(v.Parallelism, 0)
		}
	}
	if v.To != nil && *v.To == -1 { // a value, but none that can be rescaled to (DefaultVertexParallelismInfo#canRescaleMaxParallelism)
		got["allowed"] = false
	} else if v.To != nil {
		_, err := job.MaxParallelism(1, *v.To)
		failed = failed || err != nil || *v.To < 1
		got["allowed"] = job.CanRescaleMaxParallelism(intOr(configured, 0), *v.To)
	}
	got["error"] = illegalArgument.by(failed)
	return compared(c, got)
}

// mappers are the mappers by Flink's names. ARBITRARY, that of the side that writes, is round robin (SubtaskStateMapper).
var mappers = map[string]job.Mapper{
	"FIRST": job.First, "FULL": job.Full, "RANGE": job.Range, "ROUND_ROBIN": job.RoundRobin,
	"ARBITRARY": job.RoundRobin, "UNSUPPORTED": job.Unsupported,
}

// runMapper replays unit SubtaskStateMapper.
func runMapper(c Case) (Status, string) {
	var v struct {
		Unit, Mapper                   string
		OldParallelism, NewParallelism int
		NewSubtask                     *int // of which alone it is asked
	}
	if err := Decode(c.Given, &v); err != nil {
		return Unknown("given", err)
	}
	m, ok := mappers[v.Mapper]
	if !ok {
		return Unknown("mapper "+v.Mapper, errUnknown)
	}
	if m == job.Unsupported { // the exchange carries no in-flight data that could be mapped
		return compared(c, answers{"error": unsupported})
	}
	old := reads(m, v.OldParallelism, v.NewParallelism)
	if n := v.NewSubtask; n != nil {
		if *n < 0 || *n >= len(old) {
			return Unknown("newSubtask", fmt.Errorf("no subtask %d", *n))
		}
		return compared(c, answers{"oldSubtasks": old[*n]})
	}
	return compared(c, answers{
		"oldSubtasksPerNew": old, "oldSubtasks": old, "newSubtasksPerOld": feeds(m, v.OldParallelism, v.NewParallelism),
		"ambiguous": m == job.Range || m == job.Full, "error": thrown(""), // SubtaskStateMapper#isAmbiguous
	})
}

// givenKey is a key, or as much of it as a case knows.
type givenKey struct {
	Unit                        string
	Key                         json.RawMessage
	KeyType                     string
	KeyHashCode                 *int32
	KeyGroup                    *int
	MaxParallelism, Parallelism int

	// Of several keys: one list of these, and a list for each key that is expected.
	Keys         []json.RawMessage
	KeyHashCodes []int32
	KeyGroups    []int
}

// runKeyGroup replays unit keyGroup.
func runKeyGroup(c Case) (Status, string) {
	var v givenKey
	if err := Decode(c.Given, &v); err != nil {
		return Unknown("given", err)
	}
	if err := errors.Join(atLeast("maxParallelism", v.MaxParallelism, 1), atLeast("parallelism", v.Parallelism, 0)); err != nil {
		return Unknown("given", err)
	}
	got, err := v.each()
	if err != nil {
		return Unknown("key", err)
	}
	return compared(c, got)
}

// each is the answers for the key, or lists of those for several keys.
func (v givenKey) each() (answers, error) {
	var all []givenKey
	for i := range v.Keys {
		all = append(all, v.with(v.Keys[i], nil, nil))
	}
	for i := range v.KeyHashCodes {
		all = append(all, v.with(nil, &v.KeyHashCodes[i], nil))
	}
	for i := range v.KeyGroups {
		all = append(all, v.with(nil, nil, &v.KeyGroups[i]))
	}
	if all == nil {
		return v.answers()
	}
	lists := answers{}
	for _, one := range all {
		got, err := one.answers()
		if err != nil {
			return nil, err
		}
		for key, value := range got {
			list, _ := lists[key+"s"].([]any)
			lists[key+"s"] = append(list, value)
		}
	}
	return lists, nil
}

func (v givenKey) with(key json.RawMessage, code *int32, group *int) givenKey {
	v.Key, v.KeyHashCode, v.KeyGroup = key, code, group
	return v
}

func (v givenKey) answers() (answers, error) {
	if v.KeyGroup != nil && v.Key == nil && v.KeyHashCode == nil && v.Parallelism > 0 { // whose the group is, whatever is in it
		return answers{"subtask": job.SubtaskOf(*v.KeyGroup, v.Parallelism, v.MaxParallelism)}, nil
	}
	var n int64
	if strings.EqualFold(v.KeyType, "long") && json.Unmarshal(v.Key, &n) == nil && v.KeyHashCode == nil {
		code := job.LongHash(n)
		v.Key, v.KeyHashCode, v.KeyType = nil, &code, ""
	}
	if err := known("keyType", strings.ToLower(v.KeyType), "", "long", "int", "integer", "string"); err != nil {
		return nil, err
	}
	code, err := hashCode(v.Key, v.KeyHashCode)
	if err != nil {
		return nil, err
	}
	group := job.KeyGroup(code, v.MaxParallelism)
	got := answers{"murmur": job.Murmur(code), "keyGroup": group, "keyHashCode": code}
	if v.Parallelism > 0 {
		got["subtask"] = job.SubtaskOf(group, v.Parallelism, v.MaxParallelism)
	}
	return got, nil
}

// hashCode is the hash code of a key: that of Java's string, of its long if the number is no int, else the number.
// With both given they must agree, else the key is of a kind that the runner does not know.
func hashCode(key json.RawMessage, given *int32) (int32, error) {
	var s string
	var n int64
	var code int32
	switch {
	case key == nil && given != nil:
		return *given, nil
	case key != nil && json.Unmarshal(key, &s) == nil:
		code = job.StringHash(s)
	case key != nil && json.Unmarshal(key, &n) == nil:
		code = int32(n)
		if int64(code) != n || given != nil && *given == job.LongHash(n) {
			code = job.LongHash(n)
		}
	default:
		return 0, fmt.Errorf("%s has no hash code that the runner knows", key)
	}
	if given != nil && *given != code {
		return 0, fmt.Errorf("%s with hash code %d is of a kind that the runner does not know", key, *given)
	}
	return code, nil
}

// keyGroupRange is a range of key groups, its last one included. A case writes [start, end] or {start, end}.
type keyGroupRange [2]int

func (r keyGroupRange) means(want json.RawMessage) bool {
	var object struct{ Start, End *int }
	if Decode(want, &object) == nil && object.Start != nil && object.End != nil {
		return r == keyGroupRange{*object.Start, *object.End}
	}
	return meansSameBut([2]int(r), want)
}

// keyGroupRanges are several, one behind another.
type keyGroupRanges []keyGroupRange

func (r keyGroupRanges) means(want json.RawMessage) bool {
	var list []json.RawMessage
	if json.Unmarshal(want, &list) == nil && len(list) == len(r) && !slices.ContainsFunc(list, func(part json.RawMessage) bool { return part[0] != '{' }) {
		for i := range r {
			if !r[i].means(list[i]) {
				return false
			}
		}
		return true
	}
	return meansSameBut([]keyGroupRange(r), want)
}

// runRanges replays unit keyGroupRanges.
func runRanges(c Case) (Status, string) {
	var v struct {
		Unit                        string
		MaxParallelism, Parallelism int
		Subtask                     *int
	}
	if err := Decode(c.Given, &v); err != nil {
		return Unknown("given", err)
	}
	if err := errors.Join(atLeast("maxParallelism", v.MaxParallelism, 1), atLeast("parallelism", v.Parallelism, 1)); err != nil {
		return Unknown("given", err)
	}
	if v.Subtask != nil {
		start, end := job.KeyGroupRange(*v.Subtask, v.Parallelism, v.MaxParallelism)
		return compared(c, answers{"inclusiveRange": keyGroupRange{start, end}, "start": start, "end": end, "size": end - start + 1})
	}
	ranges, sizes := make(keyGroupRanges, v.Parallelism), make([]int, v.Parallelism)
	starts, ends := make([]int, v.Parallelism), make([]int, v.Parallelism)
	for i := range ranges {
		ranges[i][0], ranges[i][1] = job.KeyGroupRange(i, v.Parallelism, v.MaxParallelism)
		starts[i], ends[i], sizes[i] = ranges[i][0], ranges[i][1], ranges[i][1]-ranges[i][0]+1
	}
	return compared(c, answers{"inclusiveRanges": ranges, "starts": starts, "ends": ends, "sizes": sizes})
}
