package scenarios

import (
	"strconv"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"

	"go.yaml.in/yaml/v3"
)

var (
	runFields     = []string{"duration", "seed"}
	controlFields = []string{"rpc", "net", "send", "receive", "wake", "wakeOutput", "wakeSpread", "finalize", "inFlight", "flushExtra", "flushDrift", "flush", "restore", "logLead", "firstFails"}
	firstTriggers = []string{"running", "random", "interval"} // in the order of core.FirstTrigger
	phases        = []string{"random", "aligned"}             // in the order of core.FlusherPhase
)

// run reads how long, from which seed, and how the control plane begins.
func (r *reader) run(top *object, s *Scenario) {
	o := r.object(top.values["run"], "run", runFields...)
	s.Setup.Duration = o.span("duration", 60*event.Second, event.Millisecond, longestRun)
	s.Setup.Seed = 1
	o.read("seed", "write a whole number", func(text string) error {
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return &option.Mistake{Problem: "is not a seed", Remedy: "write a whole number of 0 to 18446744073709551615"}
		}
		s.Setup.Seed = n
		return nil
	})
	s.Setup.FirstTrigger = core.FirstTrigger(top.word("firstTrigger", int(core.AtRunning), firstTriggers...))
	if n, ok := top.number("regionCheckpoints", 0, 1000); ok {
		s.Setup.RegionReuse = int(n)
	}
	s.Setup.SyncTimeout = top.span("syncPhaseTimeout", 0, 0, longestRun)
	s.Setup.FlusherPhase = core.FlusherPhase(top.word("flusherPhase", int(core.PhaseRandom), phases...))
}

// control reads the times of the control plane: those measured, none, or single ones in place of those measured.
func (r *reader) control(top *object, s *Scenario) {
	s.Setup.Control = core.MeasuredControl()
	n := top.values["control"]
	if n == nil {
		return
	}
	if n.Kind == yaml.ScalarNode {
		if top.word("control", 0, "measured", "none") == 1 {
			s.Setup.Control = core.Control{}
		}
		return
	}
	o := r.object(n, "control", controlFields...)
	c := &s.Setup.Control
	for i, at := range spans(c) {
		longest := 3600 * event.Second
		if at == &c.Send || at == &c.Receive || at == &c.Flush {
			longest = event.Second
		}
		*at = o.span(controlFields[i], *at, 0, longest)
	}
	c.FirstFails = o.flag("firstFails", c.FirstFails)
}

// spans are the times of the control plane, in the order of controlFields.
func spans(c *core.Control) []*event.Time {
	return []*event.Time{&c.RPC, &c.Net, &c.Send, &c.Receive, &c.Wake, &c.WakeOutput, &c.WakeSpread, &c.Finalize, &c.InFlight, &c.FlushExtra, &c.FlushDrift, &c.Flush, &c.Restore, &c.LogLead}
}
