package vector

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"checkpointlab/core/network"
)

// poolRun drives the segments of a result partition: unit LocalBufferPool.
type poolRun struct {
	pool       network.BufferPool
	subs       int
	perChannel int
	taken      map[word]int // subpartition by the case's names
	unnamed    []int        // subpartitions of those besides

	least, most int  // segments that it must have, and may
	rejected    bool // a size was refused
	mayFail     bool
}

func runPool(c Case) (Status, string) {
	var v struct {
		Unit                                         string
		PoolSize, Channels, MaxOverdraft, GlobalPool *int
		MaxBuffersPerChannel, Required, Max          *int
	}
	if err := Decode(c.Given, &v); err != nil {
		return Unknown("given", err)
	}
	if v.PoolSize == nil {
		if v.PoolSize = v.Required; v.Required == nil { // as few as it must have are its first size
			return Unknown("given", errors.New("no poolSize"))
		}
	}
	channels, overdraft := intOr(v.Channels, channelsOf(c)), intOr(v.MaxOverdraft, 0)
	if v.GlobalPool != nil && *v.GlobalPool < *v.PoolSize+overdraft {
		return Unknown("given", fmt.Errorf("a global pool of %d can run out", *v.GlobalPool))
	}
	perChannel := intOr(v.MaxBuffersPerChannel, math.MaxInt32)
	return replayOn(&poolRun{
		pool: network.NewBufferPool(*v.PoolSize, channels, perChannel, overdraft), subs: channels, perChannel: perChannel,
		taken: map[word]int{}, least: intOr(v.Required, 1), most: intOr(v.Max, math.MaxInt32), mayFail: expectsError(c),
	}, c)
}

// channelsOf is how many channels a case needs that does not say it: those that something is taken for.
func channelsOf(c Case) (n int) {
	for _, raw := range c.Events {
		verb, args, err := Event(raw)
		var channel *int
		if err == nil && (verb == "take" || verb == "tryTake" || verb == "takeMany") && len(args) == 2 && json.Unmarshal(args[0], &channel) == nil {
			n = max(n, intOr(channel, -1)+1)
		}
	}
	return n
}

func (r *poolRun) event(verb string, args []json.RawMessage) (Status, string) {
	var name *word
	var sub *int
	args, fails := failing(args)
	var n int
	switch verb {
	case "take", "tryTake":
		if len(args) < 2 && verb == "tryTake" { // nothing is got: it needs no name
			args = append(args[:len(args):len(args)], json.RawMessage("null"))
		}
		if len(args) == 1 { // of no channel
			args = append([]json.RawMessage{json.RawMessage("null")}, args...)
		}
		if err := scan(args, &sub, &name); err != nil {
			return Unknown("arguments", err)
		}
		return r.take(sub, name)
	case "recycle":
		if err := scan(args, &name); err != nil {
			return Unknown("arguments", err)
		}
		return r.recycle(name)
	case "resize":
		if err := scan(args, &n); err != nil {
			return done(err)
		}
		return r.resize(n, fails)
	case "takeMany":
		if len(args) == 1 { // of no channel
			args = append([]json.RawMessage{json.RawMessage("null")}, args...)
		}
		if err := scan(args, &sub, &n); err != nil {
			return done(err)
		}
		return r.takeMany(sub, n)
	case "recycleAll":
		if err := scan(args); err != nil {
			return done(err)
		}
		r.recycleAll()
		return Pass, ""
	}
	return Unknown(verb, errUnknown)
}

// resize is refused below what the pool must have, and goes no further than it may (LocalBufferPool#setNumBuffers).
func (r *poolRun) resize(n int, fails bool) (Status, string) {
	r.rejected = n < r.least
	switch {
	case r.rejected && !fails && !r.mayFail:
		return Differ("resize", "refused", "done")
	case !r.rejected && fails:
		return Differ("resize", "done", "an error")
	case !r.rejected:
		r.pool.Resize(min(n, r.most))
	}
	return Pass, ""
}

// take requests a segment under a name; without a name the request is to get nothing.
func (r *poolRun) take(channel *int, name *word) (Status, string) {
	sub, err := r.subOf(channel)
	if err != nil {
		return done(err)
	}
	switch got := r.pool.Take(sub); {
	case got && name == nil:
		return Differ("request", "a segment", "nothing")
	case !got && name != nil:
		return Differ(string(*name), "nothing", "a segment")
	case got:
		r.taken[*name] = sub
	}
	return Pass, ""
}

// subOf is the subpartition of a channel that is said, or -1.
func (r *poolRun) subOf(channel *int) (int, error) {
	switch {
	case channel == nil:
		return -1, nil
	case *channel < 0 || *channel >= r.subs:
		return -1, fmt.Errorf("no channel %d", *channel)
	}
	return *channel, nil
}

// takeMany requests n segments that nobody asks for by a name.
func (r *poolRun) takeMany(channel *int, n int) (Status, string) {
	sub, err := r.subOf(channel)
	if err != nil {
		return done(err)
	}
	for i := range n {
		if !r.pool.Take(sub) {
			return Differ(fmt.Sprintf("request %d of %d", i+1, n), "nothing", "a segment")
		}
		r.unnamed = append(r.unnamed, sub)
	}
	return Pass, ""
}

func (r *poolRun) recycleAll() {
	for _, sub := range r.unnamed {
		r.pool.Recycle(sub)
	}
	r.unnamed = r.unnamed[:0]
	for _, name := range sortedKeys(r.taken) {
		r.pool.Recycle(r.taken[name])
	}
	clear(r.taken)
}

func (r *poolRun) recycle(name *word) (Status, string) {
	if name == nil {
		return Unknown("recycle", errUnknown)
	}
	sub, ok := r.taken[*name]
	if !ok {
		return Unknown(string(*name), errors.New("recycled, but not in use"))
	}
	delete(r.taken, *name)
	r.pool.Recycle(sub)
	return Pass, ""
}

func (r *poolRun) value(key string, want json.RawMessage) (any, bool) {
	switch key {
	case "available": // whether it is, or how many are
		if n := 0; json.Unmarshal(want, &n) == nil {
			return r.pool.Ready(), true
		}
		return r.pool.Available(), true
	case "isAvailable":
		return r.pool.Available(), true
	case "ordinary":
		return r.pool.Held() - r.pool.Overdraft(), true
	case "max":
		return r.most, true
	case "fullChannels": // that have as many as a channel may (LocalBufferPool, unavailableSubpartitionsCount)
		n := 0
		for sub := range r.subs {
			if r.pool.Queued(sub) >= r.perChannel {
				n++
			}
		}
		return n, true
	case "used":
		return r.pool.Used(), true
	case "requestedOverdraft":
		return r.pool.Overdraft(), true
	case "poolSize":
		return r.pool.Size(), true
	case "held":
		return r.pool.Held(), true
	case "ready":
		return r.pool.Ready(), true
	case "unused": // ordinary segments that can still be taken
		return max(0, r.pool.Size()-r.pool.Used()), true
	case "error":
		return illegalArgument.by(r.rejected), true
	}
	return nil, false
}
