package vector

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"checkpointlab/core/job"
)

// answers is what a unit without events computes, by the keys that a case may expect. A key that is absent is not
// computed from what was given.
type answers map[string]any

// compared holds every expected key against the answers; a list may leave its middle out with "...".
func compared(c Case, got answers) (Status, string) {
	if len(c.Events) > 0 {
		return Unknown("events", errUnknown)
	}
	var want map[string]json.RawMessage
	if err := json.Unmarshal(c.Expect, &want); err != nil || len(want) == 0 {
		return Unknown("expect", errors.New("nothing is expected"))
	}
	for _, key := range sortedKeys(want) {
		if _, ok := got[key]; !ok {
			return Unknown(key, errUnknown)
		}
	}
	for _, key := range sortedKeys(want) {
		if !meansSameBut(got[key], want[key]) {
			shown, _ := json.Marshal(got[key])
			return Differ(key, string(shown), string(want[key]))
		}
	}
	return Pass, ""
}

// meansSameBut reports whether got, written as JSON, means the same as want, but for what want leaves out.
func meansSameBut(got any, want json.RawMessage) bool {
	written, err := json.Marshal(got)
	var a, b any
	return err == nil && json.Unmarshal(written, &a) == nil && json.Unmarshal(want, &b) == nil && sameBut(a, b)
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

// runMaxParallelism replays unit defaultMaxParallelism.
func runMaxParallelism(c Case) (Status, string) {
	var v struct {
		Unit        string
		Parallelism int
		Configured  json.RawMessage // null = it is derived, "auto" = as large as it can be
	}
	if err := Decode(c.Given, &v); err != nil {
		return Unknown("given", err)
	}
	var configured *int
	if string(v.Configured) == `"auto"` { // Integer.MAX_VALUE, JobVertex of the adaptive schedulers
		most := job.MaxKeyGroups
		configured = &most
	} else if err := Decode(v.Configured, &configured); err != nil {
		return Unknown("configured", err)
	}
	if err := errors.Join(atLeast("parallelism", v.Parallelism, 1), atLeast("configured", intOr(configured, 0), 0)); err != nil {
		return Unknown("given", err)
	}
	got, err := job.MaxParallelism(v.Parallelism, intOr(configured, 0))
	if err != nil {
		return compared(c, answers{"error": true})
	}
	return compared(c, answers{"maxParallelism": got, "parallelism": v.Parallelism, "error": false})
}

// runRescaleMax replays unit canRescaleMaxParallelism.
func runRescaleMax(c Case) (Status, string) {
	var v struct {
		Unit            string
		Parallelism, To int
		Configured      *int
	}
	if err := Decode(c.Given, &v); err != nil {
		return Unknown("given", err)
	}
	_, err := job.MaxParallelism(1, v.To)
	return compared(c, answers{"allowed": job.CanRescaleMaxParallelism(intOr(v.Configured, 0), v.To), "error": err != nil || v.To < 1})
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
	}
	if err := Decode(c.Given, &v); err != nil {
		return Unknown("given", err)
	}
	m, ok := mappers[v.Mapper]
	if !ok {
		return Unknown("mapper "+v.Mapper, errUnknown)
	}
	if m == job.Unsupported { // the exchange carries no in-flight data that could be mapped
		return compared(c, answers{"error": true})
	}
	return compared(c, answers{"oldSubtasksPerNew": reads(m, v.OldParallelism, v.NewParallelism), "error": false})
}

// runKeyGroup replays unit keyGroup.
func runKeyGroup(c Case) (Status, string) {
	var v struct {
		Unit                        string
		Key                         json.RawMessage
		KeyType                     string
		KeyHashCode                 *int32
		KeyGroup                    *int
		MaxParallelism, Parallelism int
	}
	if err := Decode(c.Given, &v); err != nil {
		return Unknown("given", err)
	}
	if err := errors.Join(atLeast("maxParallelism", v.MaxParallelism, 1), atLeast("parallelism", v.Parallelism, 0)); err != nil {
		return Unknown("given", err)
	}
	if v.KeyGroup != nil && v.Key == nil && v.KeyHashCode == nil && v.Parallelism > 0 { // whose the group is, whatever is in it
		return compared(c, answers{"subtask": job.SubtaskOf(*v.KeyGroup, v.Parallelism, v.MaxParallelism)})
	}
	var n int64
	if strings.EqualFold(v.KeyType, "long") && json.Unmarshal(v.Key, &n) == nil && v.KeyHashCode == nil {
		code := job.LongHash(n)
		v.Key, v.KeyHashCode, v.KeyType = nil, &code, ""
	}
	if err := known("keyType", strings.ToLower(v.KeyType), "", "long", "int", "integer", "string"); err != nil {
		return Unknown("given", err)
	}
	code, err := hashCode(v.Key, v.KeyHashCode)
	if err != nil {
		return Unknown("key", err)
	}
	group := job.KeyGroup(code, v.MaxParallelism)
	got := answers{"murmur": job.Murmur(code), "keyGroup": group, "keyHashCode": code}
	if v.Parallelism > 0 {
		got["subtask"] = job.SubtaskOf(group, v.Parallelism, v.MaxParallelism)
	}
	return compared(c, got)
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
		return compared(c, answers{"inclusiveRange": []int{start, end}, "start": start, "end": end, "size": end - start + 1})
	}
	ranges := make([][2]int, v.Parallelism)
	for i := range ranges {
		ranges[i][0], ranges[i][1] = job.KeyGroupRange(i, v.Parallelism, v.MaxParallelism)
	}
	return compared(c, answers{"inclusiveRanges": ranges})
}
