package vector

import (
	"encoding/json"
	"slices"
)

// All gates of a task share one handler (InputProcessorUtil.createCheckpointBarrierHandler), to which channels are numbered through: a case may
// name one [gate, channel in it].

// flat is such a pair as the handler's channel; anything else stays what it is.
func (r *barrierRun) flat(raw json.RawMessage) json.RawMessage {
	var pair []int
	if r.gates == nil || json.Unmarshal(raw, &pair) != nil || len(pair) != 2 {
		return raw
	}
	if pair[0] < 0 || pair[0] >= len(r.gates) || pair[1] < 0 || pair[1] >= r.gates[pair[0]] {
		return raw
	}
	ch := pair[1]
	for _, size := range r.gates[:pair[0]] {
		ch += size
	}
	return written(ch)
}

// flatList is a list of such pairs, in the order of the handler's channels.
func (r *barrierRun) flatList(raw json.RawMessage) json.RawMessage {
	var pairs []json.RawMessage
	if r.gates == nil || json.Unmarshal(raw, &pairs) != nil {
		return raw
	}
	channels := make([]int, len(pairs))
	for i, pair := range pairs {
		if json.Unmarshal(r.flat(pair), &channels[i]) != nil {
			return raw
		}
	}
	slices.Sort(channels)
	return written(channels)
}
