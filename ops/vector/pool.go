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
	pool  network.BufferPool
	subs  int
	taken map[string]int // subpartition by the case's names
}

func runPool(c Case) (Status, string) {
	var v struct {
		Unit                                         string
		PoolSize, Channels, MaxOverdraft, GlobalPool *int
		MaxBuffersPerChannel                         *int
	}
	if err := Decode(c.Given, &v); err != nil {
		return Unknown("given", err)
	}
	if v.PoolSize == nil {
		return Unknown("given", errors.New("no poolSize"))
	}
	channels, overdraft := intOr(v.Channels, 0), intOr(v.MaxOverdraft, 0)
	if v.GlobalPool != nil && *v.GlobalPool < *v.PoolSize+overdraft {
		return Unknown("given", fmt.Errorf("a global pool of %d can run out", *v.GlobalPool))
	}
	pool := network.NewBufferPool(*v.PoolSize, channels, intOr(v.MaxBuffersPerChannel, math.MaxInt32), overdraft)
	return replayOn(&poolRun{pool: pool, subs: channels, taken: map[string]int{}}, c)
}

func (r *poolRun) event(verb string, args []json.RawMessage) (Status, string) {
	var name *string
	var sub *int
	var n int
	switch verb {
	case "take", "tryTake":
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
		err := scan(args, &n)
		if err == nil {
			r.pool.Resize(n)
		}
		return done(err)
	}
	return Unknown(verb, errUnknown)
}

// take requests a segment under a name; without a name the request is to get nothing.
func (r *poolRun) take(channel *int, name *string) (Status, string) {
	sub := -1
	if channel != nil {
		if sub = *channel; sub < 0 || sub >= r.subs {
			return Unknown("arguments", fmt.Errorf("no channel %d", sub))
		}
	}
	switch got := r.pool.Take(sub); {
	case got && name == nil:
		return Differ("request", "a segment", "nothing")
	case !got && name != nil:
		return Differ(*name, "nothing", "a segment")
	case got:
		r.taken[*name] = sub
	}
	return Pass, ""
}

func (r *poolRun) recycle(name *string) (Status, string) {
	if name == nil {
		return Unknown("recycle", errUnknown)
	}
	sub, ok := r.taken[*name]
	if !ok {
		return Unknown(*name, errors.New("recycled, but not in use"))
	}
	delete(r.taken, *name)
	r.pool.Recycle(sub)
	return Pass, ""
}

func (r *poolRun) value(key string, _ json.RawMessage) (any, bool) {
	switch key {
	case "isAvailable":
		return r.pool.Available(), true
	case "used":
		return r.pool.Used(), true
	case "requestedOverdraft":
		return r.pool.Overdraft(), true
	case "poolSize":
		return r.pool.Size(), true
	}
	return nil, false
}
