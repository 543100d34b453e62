package scenarios

import (
	"math"
	"strconv"
	"strings"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
)

var (
	storageFields = []string{"bandwidth", "perManager", "latency", "p99", "max", "requests", "prefixes", "atLimit", "attempts", "retryAfter", "replay"}
	atLimits      = []string{"queue", "refuse"}
	wheres        = []string{"all", "tasks", "jobmanager"} // in the order of core.Where
)

// storage reads where checkpoints are kept. Without it an asynchronous part takes the time that the scenario gives.
func (r *reader) storage(top *object, s *Scenario) {
	if !top.has("storage") {
		return
	}
	o := r.object(top.values["storage"], "storage", storageFields...)
	st := &s.Setup.Storage
	st.On = true
	st.Bandwidth, st.PerManager = o.perSecond("bandwidth"), o.perSecond("perManager")
	st.Replay = o.perSecond("replay")
	st.Latency = o.span("latency", 0, 0, longestRun)
	st.P99, st.Max = o.span("p99", 0, 0, longestRun), o.span("max", 0, 0, longestRun)
	st.Requests = o.requests("requests")
	if n, ok := o.number("prefixes", 1, 1_000_000); ok {
		st.Prefixes = n
	}
	st.Refuse = o.word("atLimit", 0, atLimits...) == 1
	if n, ok := o.number("attempts", 1, 1000); ok {
		st.Attempts = int(n)
	}
	st.RetryAfter = o.span("retryAfter", 0, event.Millisecond, 3600*event.Second)
	if st.Requests == 0 {
		for _, f := range []string{"prefixes", "atLimit", "attempts", "retryAfter"} {
			if o.has(f) {
				o.bad(f, "says what happens at a limit of requests, but there is none", "write requests: beside it, such as 3500/s, or leave it out")
			}
		}
	}
}

// perSecond is a bandwidth such as 100 mb or 100 mb/s; 0 if it is not given.
func (o *object) perSecond(field string) (n int64) {
	const remedy = "write bytes a second, such as 100 mb/s, or leave it out for a storage without that limit"
	o.read(field, remedy, func(text string) error {
		x, err := option.ParseSize(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), "/s")))
		if err != nil {
			return &option.Mistake{Problem: "is no bandwidth", Remedy: remedy}
		}
		if x == 0 {
			return &option.Mistake{Problem: "is a storage with no bandwidth, which no checkpoint ever reaches", Remedy: remedy}
		}
		if m := outside(x, 1, mostState, option.FormatSize); m != nil {
			return m
		}
		n = x
		return nil
	})
	return n
}

// requests is a limit such as 3500/s; 0 if it is not given.
func (o *object) requests(field string) (n int64) {
	const remedy = "write requests a second, such as 3500/s"
	o.read(field, remedy, func(text string) error {
		x, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), "/s")), 10, 64)
		if err != nil || x < 1 || x > 1_000_000_000 {
			return &option.Mistake{Problem: "is not a number of requests", Remedy: remedy + ", of 1 to 1000000000"}
		}
		n = x
		return nil
	})
	return n
}

// perMille is a factor of 0.001 to 1000; 0 if it is not given.
func (o *object) perMille(field string) (n int64) {
	const remedy = "write a factor of 0.001 to 1000, such as 2.5"
	o.read(field, remedy, func(text string) error {
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsNaN(x) || x < 0.001 || x > 1000 {
			return &option.Mistake{Problem: "is not a factor", Remedy: remedy}
		}
		n = int64(math.Round(x * 1000))
		return nil
	})
	return n
}

// fault reads what the storage does from then on.
func (o *object) fault(a *core.Action, _ *Scenario) {
	a.Fail = -1
	if o.has("fail") {
		a.Fail = o.millionths("fail")
	}
	o.read("slow", "write how many times as long everything takes, such as 10; 1 is as usual", func(text string) error {
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsNaN(x) || x < 0.001 || x > 1e7 {
			return &option.Mistake{Problem: "is not a factor", Remedy: "write how many times as long everything takes, 0.001 to 10000000, such as 10; 1 is as usual"}
		}
		a.Slow = int64(math.Round(x * 1000))
		return nil
	})
	if o.has("late") {
		a.Late = o.millionths("late")
	}
	if a.By = o.span("by", 0, 1, longestRun); o.has("late") != (a.By > 0) {
		o.bad("do", "has late without by, or by without late", "write both, such as late: 0.05 and by: 5 min")
	}
	if !o.has("slow") && !o.has("fail") && !o.has("late") {
		o.bad("do", "changes nothing", "write slow: 10, fail: 0.05 or late: 0.05 and by: 5 min beside it")
	}
	a.Where = core.Where(o.word("where", 0, wheres...))
}
