package vector

import (
	"encoding/json"
	"errors"
	"fmt"

	"checkpointlab/core/event"
	"checkpointlab/core/task"
)

// elementsRun drives the records that an asynchronous operator waits for: units OrderedStreamElementQueue and
// UnorderedStreamElementQueue.
type elementsRun struct {
	queue   task.Requests
	names   []json.RawMessage // of all elements, by id
	emitted []json.RawMessage
	room    bool // for the last one
}

func runElements(c Case) (Status, string) {
	var g struct {
		Unit, OutputMode string
		Capacity         *int
	}
	if err := Decode(c.Given, &g); err != nil {
		return Unknown("given", err)
	}
	if err := known("outputMode", g.OutputMode, "", "ORDERED", "UNORDERED"); err != nil {
		return Unknown("given", err)
	}
	capacity := intOr(g.Capacity, 100)
	if capacity < 1 {
		return Unknown("capacity", errors.New("a queue has room for one element at least"))
	}
	unordered := g.OutputMode == "UNORDERED" || g.OutputMode == "" && Unit(c) == "UnorderedStreamElementQueue"
	return replayOn(&elementsRun{queue: task.NewRequests(capacity, unordered)}, c)
}

// event knows put and watermark with a name, complete and giveUp of what was put, emit (one) and emitAll; the word error behind an
// element says that there is no room for it.
func (r *elementsRun) event(verb string, args []json.RawMessage) (Status, string) {
	args, fails := failing(args)
	switch n := len(args); {
	case (verb == "put" || verb == "watermark") && n == 1:
		return r.put(args[0], verb == "watermark", fails)
	case (verb == "complete" || verb == "giveUp") && n == 1:
		id := r.idOf(args[0])
		if id < 0 {
			return Unknown(string(args[0]), errors.New("no such element"))
		}
		r.queue.Answer(id, verb == "giveUp")
	case verb == "emit" && n == 0:
		r.emit()
	case verb == "emitAll" && n == 0:
		for r.emit() {
		}
	default:
		return Unknown(fmt.Sprintf("%s with %d arguments", verb, n), errUnknown)
	}
	return Pass, ""
}

func (r *elementsRun) put(name json.RawMessage, mark, fails bool) (Status, string) {
	if r.room = !r.queue.Full(); r.room == fails {
		return Differ("room for "+string(name), r.room, !fails)
	}
	if !r.room {
		return Pass, ""
	}
	id := int64(len(r.names))
	r.names = append(r.names, name)
	element := event.Run{Born: id, Count: 1}
	if mark {
		element = event.MarkRun(id)
	}
	r.queue.Put(id, element)
	return Pass, ""
}

// emit lets one element leave, if one may.
func (r *elementsRun) emit() bool {
	element, none, ok := r.queue.Pop()
	if element.IsMark() {
		element.Born = element.Since
	}
	if ok && !none {
		r.emitted = append(r.emitted, r.names[element.Born])
	}
	return ok
}

func (r *elementsRun) idOf(name json.RawMessage) int64 {
	for id := range r.names {
		if string(r.names[id]) == string(name) {
			return int64(id)
		}
	}
	return -1
}

func (r *elementsRun) value(key string, _ json.RawMessage) (any, bool) {
	switch key {
	case "emitted":
		return append([]json.RawMessage{}, r.emitted...), true
	case "size":
		return r.queue.Len(), true
	case "isEmpty":
		return r.queue.Len() == 0, true
	case "isFull":
		return r.queue.Full(), true
	case "hasRoom": // had, for the last element
		return r.room, true
	case "hasCompleted":
		return r.queue.MayPop(), true
	}
	return nil, false
}
