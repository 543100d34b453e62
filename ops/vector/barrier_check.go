package vector

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"checkpointlab/core/barrier"
	"checkpointlab/core/event"
)

// barrierChecks are checks by the event that they follow; -1 is before all.
type barrierChecks map[int][]map[string]json.RawMessage

// barrierExpect splits expect into its checks and the keys that hold at the end.
func barrierExpect(raw json.RawMessage) (barrierChecks, map[string]json.RawMessage, error) {
	expect := map[string]json.RawMessage{}
	if err := Decode(raw, &expect); err != nil {
		return nil, nil, err
	}
	var list []map[string]json.RawMessage
	if err := Decode(expect["checks"], &list); err != nil {
		return nil, nil, err
	}
	delete(expect, "checks")
	checks := barrierChecks{}
	for _, c := range list {
		after := 0
		if err := json.Unmarshal(c["after"], &after); err != nil || after < -1 {
			return nil, nil, fmt.Errorf("a check's after is %s", c["after"])
		}
		delete(c, "after")
		checks[after] = append(checks[after], c)
	}
	return checks, expect, nil
}

// followBarrier prepares the lists of values behind each event; left is the rest of what is expected, as an object.
func followBarrier(r *barrierRun, expect map[string]json.RawMessage) (f followed, left json.RawMessage, err error) {
	if left, err = json.Marshal(expect); err != nil {
		return f, nil, err
	}
	return follow(barrierValues{r}, nil, left) // moments are not read here
}

func (r *barrierRun) checkAfter(checks barrierChecks, i int) (Status, string) {
	for _, c := range checks[i] {
		if s, diff := r.checkAll(c); s != Pass {
			return s, diff
		}
	}
	return Pass, ""
}

// check is the object of a check verb.
func (r *barrierRun) check(raw json.RawMessage) (Status, string) {
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(raw, &keys); err != nil {
		return Unknown("check", err)
	}
	return r.checkAll(keys)
}

// checkAll holds every key. A key that is not known outweighs one that differs: the case cannot be judged then. A check of
// in-flight data begins a new count of it.
func (r *barrierRun) checkAll(keys map[string]json.RawMessage) (Status, string) {
	names := make([]string, 0, len(keys))
	for k := range keys {
		names = append(names, k)
	}
	slices.Sort(names)
	status, diff := Pass, ""
	for _, k := range names {
		s, d := r.holds(k, keys[k])
		if s == NotModelled {
			return s, d
		}
		if status == Pass {
			status, diff = s, d
		}
	}
	if _, ok := keys["inflight"]; ok {
		r.lookAnew()
	}
	return status, diff
}

// lookAnew begins a new count of in-flight data.
func (r *barrierRun) lookAnew() { r.startedID, r.inflight = -1, r.inflight[:0] }

// holds compares the state under one key.
func (r *barrierRun) holds(key string, want json.RawMessage) (Status, string) {
	isNull := bytes.Equal(want, []byte("null"))
	if key == "blocked" || key == "blocked_not" {
		return r.holdsBlocked(key, r.flatList(want))
	}
	switch key {
	case "note":
		return Pass, ""
	case "outputOrder", "dataOrder":
		return sameJSON(key, want, map[bool]string{false: "same", true: "held back at a blocked channel"}[r.held])
	case "triggered":
		if json.Unmarshal(want, new(int)) == nil {
			return sameJSON(key, want, len(r.triggered))
		}
		return sameJSON(key, want, r.triggered)
	case "triggeredIds":
		return sameJSON(key, want, r.triggered)
	case "aborted":
		if isNull { // only the number is asserted
			return Pass, ""
		}
		return sameJSON(key, want, r.aborted)
	case "abortedCount":
		return sameJSON(key, want, len(r.aborted))
	case "sequence":
		return sameJSON(key, want, r.sequence)
	case "options":
		return sameJSON(key, want, r.options)
	case "lastOption":
		return sameJSON(key, want, lastOr(r.options, "none"))
	case "lastAborted":
		return sameJSON(key, want, lastOr(r.aborted, -1))
	case "reason":
		return sameJSON(key, want, lastOr(r.reasons, event.NoReason.String()))
	case "latestId":
		return sameJSON(key, want, r.h.Latest())
	case "pending", "pendingAtEnd":
		return sameJSON(key, want, r.h.Pending())
	case "pendingIds":
		return sameJSON(key, want, r.h.AppendPending(nil))
	case "openChannels":
		return sameJSON(key, want, r.h.Open())
	case "duringAlignment":
		return sameJSON(key, want, r.h.Aligning())
	case "startedId":
		return sameJSON(key, want, r.startedID)
	case "inflight":
		return sameJSON(key, want, r.inflight)
	case "inflightInput":
		return sameJSON(key, want, r.stored)
	case "allBarriersReceivedFutureDone":
		return sameJSON(key, want, !r.h.Pending() || r.h.Open() == 0)
	case "atAbort":
		return r.holdsAtAbort(want)
	case "bytesProcessedDuringAlignment":
		if isNull { // not known before the last barrier
			return sameJSON(key, json.RawMessage("-1"), r.lastBytes)
		}
		return sameJSON(key, want, r.lastBytes)
	}
	return r.holdsTime(key, want)
}

// holdsTime compares the measured times; two are told in words, because the test's clock is a real one.
func (r *barrierRun) holdsTime(key string, want json.RawMessage) (Status, string) {
	var words string
	_ = json.Unmarshal(want, &words)
	alignment := r.h.AlignmentDuration(r.now)
	if r.kind == barrier.TrackerKind {
		alignment = r.alignment // of the last triggered one
	}
	switch {
	case key == "alignmentNanos" && words == "first barrier to last barrier":
		return sameValue(key, r.alignment, r.endAt-r.firstAt)
	case key == "startDelayNanos" && words == "barrier creation to first barrier": // all are created at 0
		return sameValue(key, r.h.StartDelay(), r.firstAt)
	case key == "alignmentNanos":
		return sameJSON(key, want, alignment)
	case key == "startDelayNanos":
		return sameJSON(key, want, r.h.StartDelay())
	case key == "alignmentNanosMin":
		return atLeastJSON(key, want, alignment)
	case key == "startDelayNanosMin":
		return atLeastJSON(key, want, r.h.StartDelay())
	}
	if got, known := (barrierValues{r}).value(key, want); known {
		if !meansSame(got, want) {
			return Differ(key, got, string(want))
		}
		return Pass, ""
	}
	if status, diff, known := judged(barrierValues{r}, key, want); known {
		return status, diff
	}
	return Unknown("expect", fmt.Errorf("key %q", key))
}

// barrierValues are the values of a handler that can be asked for in other units, by bounds or by how many they are.
type barrierValues struct{ *barrierRun }

func (r barrierValues) event(string, []json.RawMessage) (Status, string) {
	return Unknown("event", errUnknown)
}

// looked is a look behind every event: what has begun, and what was stored, is told once.
func (r barrierValues) looked(keys map[string]json.RawMessage) {
	for _, key := range []string{"startedId", "inflight"} {
		if _, ok := keys[key]; ok {
			r.lookAnew()
		}
	}
}

func (r barrierValues) value(key string, _ json.RawMessage) (any, bool) {
	switch key {
	case "triggered", "triggeredIds":
		return append([]int64{}, r.triggered...), true
	case "lastTriggered":
		return lastOr(r.triggered, -1), true
	case "aborted":
		return append([]int64{}, r.aborted...), true
	case "lastAborted":
		return lastOr(r.aborted, -1), true
	case "sequence":
		return append([]int64{}, r.sequence...), true
	case "reason":
		return lastOr(r.reasons, event.NoReason.String()), true
	case "abortedReasons":
		return append([]string{}, r.reasons...), true
	case "options":
		return append([]string{}, r.options...), true
	case "lastOption":
		return lastOr(r.options, "none"), true
	case "unalignedCount":
		return counted(r.options, "unaligned"), true
	case "unaligned": // the last one was
		return lastOr(r.options, "none") == "unaligned", true
	case "subsumed":
		ids := []int64{}
		for i, why := range r.reasons {
			if why == event.CheckpointDeclinedSubsumed.String() {
				ids = append(ids, r.aborted[i])
			}
		}
		return ids, true
	case "timers": // that are armed
		return len(r.timers), true
	case "pendingCount":
		return len(r.h.AppendPending(nil)), true
	case "pendingId":
		return lastOr(r.h.AppendPending([]int64{}), -1), true
	case "latestId":
		return r.h.Latest(), true
	case "pending":
		return r.h.Pending(), true
	case "duringAlignment":
		return r.h.Aligning(), true
	case "startedId":
		return r.startedID, true
	case "pendingIds":
		return r.h.AppendPending([]int64{}), true
	case "openChannels":
		return r.h.Open(), true
	case "blocked":
		return r.blockedChannels(), true
	case "inflight":
		return append([]int{}, r.inflight...), true
	case "bytesPersistedDuringAlignment":
		return r.storedBytes, true
	case "bytesProcessedDuringAlignment":
		return r.lastBytes, r.lastBytes >= 0
	case "alignmentNanos":
		if r.kind == barrier.TrackerKind {
			return r.alignment, true
		}
		return r.h.AlignmentDuration(r.now), true
	case "startDelayNanos":
		return r.h.StartDelay(), true
	}
	return nil, false
}

func (r *barrierRun) blockedChannels() []int32 {
	blocked := []int32{}
	for ch := range r.chans {
		if r.chans[ch].blocked {
			blocked = append(blocked, int32(ch))
		}
	}
	return blocked
}

// holdsBlocked compares the blocked channels, as the senders and as the handler see them.
func (r *barrierRun) holdsBlocked(key string, want json.RawMessage) (Status, string) {
	blocked := []int32{}
	for ch := range r.chans {
		c := int32(ch)
		if r.h.Blocked(c) != r.chans[ch].blocked && r.chans[ch].queue.Len() == 0 {
			return Differ(fmt.Sprintf("channel %d blocked at the handler", ch), r.h.Blocked(c), r.chans[ch].blocked)
		}
		if r.chans[ch].blocked {
			blocked = append(blocked, c)
		}
	}
	if key == "blocked" {
		return sameJSON(key, want, blocked)
	}
	var not []int32
	if err := json.Unmarshal(want, &not); err != nil {
		return Unknown(key, err)
	}
	for _, ch := range not {
		if err := r.checkChannel(int64(ch)); err != nil {
			return Unknown(key, err)
		}
		if slices.Contains(blocked, ch) {
			return Differ("blocked", blocked, fmt.Sprintf("without %d", ch))
		}
	}
	return Pass, ""
}

// holdsAtAbort compares what was so when the task was told of the last abort.
func (r *barrierRun) holdsAtAbort(want json.RawMessage) (Status, string) {
	var at struct{ AllBarriersReceivedFutureDone *bool }
	if err := Decode(want, &at); err != nil {
		return Unknown("atAbort", err)
	}
	if at.AllBarriersReceivedFutureDone == nil || len(r.aborted) == 0 {
		return Differ("atAbort", "no abort", string(want))
	}
	return sameValue("allBarriersReceivedFutureDone at the abort", r.endedBefore, *at.AllBarriersReceivedFutureDone)
}

// sameJSON compares with a JSON value of got's type; a value of another type is not known.
func sameJSON[T any](key string, want json.RawMessage, got T) (Status, string) {
	var w T
	if err := Decode(want, &w); err != nil || bytes.Equal(want, []byte("null")) {
		return Unknown("expect", fmt.Errorf("%s of the form %s", key, want))
	}
	return sameValue(key, got, w)
}

// sameValue compares values; two lists or maps without members are equal.
func sameValue[T any](key string, got, want T) (Status, string) {
	g, w := reflect.ValueOf(got), reflect.ValueOf(want)
	if k := g.Kind(); (k == reflect.Slice || k == reflect.Map) && g.Len() == 0 && w.Len() == 0 {
		return Pass, ""
	}
	if !reflect.DeepEqual(got, want) {
		return Differ(key, got, want)
	}
	return Pass, ""
}

func atLeastJSON(key string, want json.RawMessage, got int64) (Status, string) {
	var w int64
	if err := json.Unmarshal(want, &w); err != nil {
		return Unknown(key, err)
	}
	if got < w {
		return Differ(key, got, w)
	}
	return Pass, ""
}

// counted is how often a word is in a list.
func counted(list []string, word string) (n int) {
	for _, w := range list {
		if w == word {
			n++
		}
	}
	return n
}

func lastOr[T any](list []T, none T) T {
	if len(list) == 0 {
		return none
	}
	return list[len(list)-1]
}
