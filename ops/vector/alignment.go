package vector

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"checkpointlab/core/watermark"
)

// alignmentRun drives what source coordinators announce to their subtasks: unit WatermarkAlignment.
type alignmentRun struct {
	group  watermark.Group
	groups [][]int // members of each group
	drift  int64
	size   int
}

func runAlignment(c Case) (Status, string) {
	var v struct {
		Unit     string
		DriftMs  *int64
		Subtasks int
		Groups   map[string][]int // without them all are of one
	}
	if err := Decode(c.Given, &v); err != nil {
		return Unknown("given", err)
	}
	if v.DriftMs == nil {
		return Unknown("given", errors.New("driftMs is needed"))
	}
	r := &alignmentRun{drift: *v.DriftMs, size: v.Subtasks}
	for _, name := range sortedKeys(v.Groups) {
		r.groups = append(r.groups, v.Groups[name])
		r.size = max(r.size, slices.Max(append([]int{-1}, v.Groups[name]...))+1)
	}
	if r.size < 1 || slices.ContainsFunc(r.groups, func(g []int) bool { return slices.Contains(g, -1) }) {
		return Unknown("given", errors.New("there are no subtasks"))
	}
	if r.groups == nil {
		all := make([]int, r.size)
		for i := range all {
			all[i] = i
		}
		r.groups = [][]int{all}
	}
	r.group = watermark.NewGroup(r.size)
	return replayOn(r, c)
}

// event knows report subtask ms; idle subtask reports the end of all watermarks.
func (r *alignmentRun) event(verb string, args []json.RawMessage) (Status, string) {
	var subtask int
	mark := watermark.End
	var err error
	switch verb {
	case "report":
		err = scan(args, &subtask, &mark)
	case "idle":
		err = scan(args, &subtask)
	default:
		return Unknown(verb, errUnknown)
	}
	if err == nil && (subtask < 0 || subtask >= r.size) {
		err = fmt.Errorf("no subtask %d", subtask)
	}
	if err == nil {
		r.group.Report(subtask, mark)
	}
	return done(err)
}

func (r *alignmentRun) value(key string, want json.RawMessage) (any, bool) {
	switch key {
	case "mayGoTo": // of those asked for; null: it is told nothing
		var asked map[string]json.RawMessage
		if json.Unmarshal(want, &asked) != nil {
			return nil, false
		}
		got := map[string]*int64{}
		for name := range asked {
			i, err := strconv.Atoi(name)
			if err != nil || i < 0 || i >= r.size {
				return nil, false
			}
			got[name] = r.announced(i)
		}
		return got, true
	case "combined": // the least report of the first group
		return r.least(r.groups[0]), true
	}
	return nil, false
}

func (r *alignmentRun) least(members []int) int64 {
	least := watermark.End
	for _, m := range members {
		least = r.group.Least(least, m)
	}
	return least
}

// announced is how far a subtask may go, nil if it is told nothing.
func (r *alignmentRun) announced(subtask int) *int64 {
	for _, members := range r.groups {
		if slices.Contains(members, subtask) && r.group.Knows(subtask) {
			most := watermark.MayGo(r.least(members), r.drift)
			return &most
		}
	}
	return nil
}
