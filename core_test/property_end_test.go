package core_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
)

// endBudget is how many due items a run may take to show everything.
const endBudget = 120_000

// TestFailuresChangeNothingInTheEnd draws jobs whose sources end, runs each with its failures and without them until all
// records are shown, and compares what each sink shows.
func TestFailuresChangeNothingInTheEnd(t *testing.T) {
	cases(t, 150)
	ended, failed := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		s := anyEnding(t)
		calm, err := untilShown(withoutKills(s))
		if err != nil {
			t.Fatal(err)
		}
		rough, err := untilShown(s)
		if err != nil {
			t.Fatal(err)
		}
		if calm == nil || rough == nil {
			return // too slow for the budget
		}
		ended++
		if rough.failures() > 0 {
			failed++
		}
		for _, err := range []error{everythingShown(calm), everythingShown(rough), sameInTheEnd(calm, rough)} {
			if err != nil {
				t.Fatal(err)
			}
		}
	})
	t.Logf("%d pairs of runs came to their end, %d of them with failures", ended, failed)
	if !testing.Short() && failed == 0 {
		t.Error("no run with a failure came to its end")
	}
}

// anyEnding is a job that can come to its end: sources of a rate that end, checkpoints that may take their time, and as
// many restarts as it takes.
func anyEnding(t *rapid.T) core.Setup {
	s := anySetup(t)
	s.Duration = 60 * event.Second
	for i := range s.Vertices {
		v := &s.Vertices[i]
		v.Cost, v.TransactionTimeout, v.Async.Drop = min(v.Cost, 200*event.Microsecond), 0, false // which request is given up is chance
		if v.Kind == core.Source {
			v.Until = event.Second
			if v.RateNum == 0 || v.RateNum > 5000 {
				v.RateNum, v.RatePer = 1000, event.Second
			}
			v.Payload = min(v.Payload, 10_000)
			v.EndsAt = min(v.EndsAt, event.Second)
			if hasWindows(&s) { // else a source that goes back to the end of its log has no watermark any more, and windows stay open; and
				v.EndsAt, v.Watermarks.Idle = event.Second, 0 // so they do behind one that is idle at its end (RecordWriterOutput.emitWatermark)
			}
		}
	}
	o := &s.Options
	o.Interval, o.MinPause, o.Timeout = min(max(o.Interval, 50*event.Millisecond), event.Second), min(o.MinPause, 20*event.Millisecond), 600*event.Second
	o.HeartbeatInterval, o.HeartbeatTimeout = 100*event.Millisecond, 350*event.Millisecond
	o.IntervalDuringBacklog = -1
	o.AfterTasksFinish = true // else what the last transactions hold is never committed
	o.Restart, o.RestartAttempts, o.RestartDelay, o.Tolerable = option.RestartFixedDelay, 1000, 30*event.Millisecond, 1000
	for i := range s.Script {
		a := &s.Script[i]
		a.At, a.Cost = a.At%(3*event.Second), min(a.Cost, 200*event.Microsecond)
		switch a.Do {
		case core.Rate:
			a.RateNum = 100
		case core.Hang:
			a.For = 100 * event.Millisecond
		case core.Stop, core.RescaleJob, core.RestoreJob, core.StorageFault:
			a.Do = core.Savepoint
		}
	}
	sortScript(s.Script)
	return s
}

func hasWindows(s *core.Setup) bool {
	return slices.ContainsFunc(s.Vertices, func(v core.Vertex) bool { return v.Window.Size > 0 })
}

func withoutKills(s core.Setup) core.Setup {
	script := s.Script
	s.Script = nil
	for _, a := range script {
		if a.Do != core.Kill && a.Do != core.Lose {
			s.Script = append(s.Script, a)
		}
	}
	return s
}

// untilShown runs a setup until nothing is on its way any more; nil if that takes too long.
func untilShown(s core.Setup) (*watched, error) {
	lab, err := core.New(s)
	if err != nil {
		return nil, err
	}
	w := &watched{given: s, setup: lab.Setup(), lab: lab, auditor: core.NewAuditor(lab)}
	w.findPaths()
	for lab.Advance(3*event.Second, endBudget); w.items < endBudget; w.items += 500 {
		lab.Advance(s.Duration, 500)
		lab.View(&w.now)
		if err := w.auditor.Check(); err != nil {
			return nil, fmt.Errorf("at %d ns: %w", lab.Now(), err)
		}
		if lab.Now() > 3*event.Second && w.empty() {
			return w, nil
		}
	}
	return nil, nil
}

// empty reports whether every record that arrived is shown.
func (w *watched) empty() bool {
	full := func(cells ...core.Cell) error {
		for _, c := range cells {
			if c.Kind == core.Data && (c.Bytes > 0 || c.Records > 0) {
				return fmt.Errorf("%+v", c)
			}
		}
		return nil
	}
	onTheWay := w.everyChannel(func(c *core.ChannelView, _ *core.GateView) error {
		return first(full(c.Sender...), full(c.Wire...), full(c.Receiver...), differ("records in hand", c.Current.Records, 0))
	})
	notShown := w.everyTask(func(_ *core.Vertex, t, _ *core.TaskView) error {
		err := first(differ("unread", t.Log.Read, t.Log.Arrived), differ("blocked", t.Thread == core.ThreadHard, false), differ("requests under way", t.UnderWay, 0), differ("windows firing", t.Window.Firing, false))
		for _, x := range t.Output.Transactions {
			err = first(err, differ("in a transaction", x.Records, 0))
		}
		return err
	})
	return onTheWay == nil && notShown == nil && !w.stopped(&w.now)
}

// failures is how often the job went back to a checkpoint without being asked to: numRestarts counts failures that are merged as one.
func (w *watched) failures() (n int64) {
	for _, f := range w.lab.History().Failures {
		if !f.Rescaled {
			n++
		}
	}
	return n
}

// everythingShown: in the end each record that arrived is shown, once for each path, and more only as duplicates that are
// counted as such, which transactional sinks never have behind aligned barriers (spec 6.1, 6.2).
func everythingShown(w *watched) error {
	if !w.plain() {
		return nil
	}
	var err error
	w.sinks(func(v *core.VertexView, guarantee core.Guarantee, paths []int64) {
		arrived, visible, again := int64(0), int64(0), int64(0)
		for i := range w.now.Vertices {
			for _, t := range w.now.Vertices[i].Tasks {
				arrived += t.Log.Arrived * paths[i]
			}
		}
		for i := range v.Tasks {
			visible += v.Tasks[i].Output.Visible
			again += v.Tasks[i].Output.Duplicates
		}
		most := arrived
		switch {
		case w.looks():
			most += again
		case w.setup.Options.Mode == option.AtLeastOnce && w.redeals():
			most += again/50 + 2*w.failures()
		}
		switch shown := visible - again; {
		case shown < arrived || shown > most || w.setup.Options.Mode == option.AtLeastOnce && w.failures() == 0 && visible != arrived:
			err = fmt.Errorf("%s shows %d of %d records, %d of them again after %d failures", v.Name, visible, arrived, again, w.failures())
		case w.setup.Options.Mode != option.AtLeastOnce && guarantee == core.ExactlyOnce && again != 0 && !w.commitsAhead():
			err = fmt.Errorf("%s shows %d records again", v.Name, again)
		}
	})
	return err
}

// redeals reports whether a vertex that is no source deals to several: which of them gets a record depends on how many came before it,
// so that after a restore a few come to another one than before, which takes them for new (fidelity.md, "order of keys"). So does a
// writer that looks for the idlest channel, behind any barrier.
func (w *watched) redeals() bool {
	return slices.ContainsFunc(w.setup.Edges, func(e core.Edge) bool {
		from, to := &w.setup.Vertices[e.From], &w.setup.Vertices[e.To]
		return from.Kind != core.Source && to.Parallelism > 1 && e.Partition != core.Forward && e.Partition != core.Broadcast && e.Partition != core.Global
	})
}

func (w *watched) looks() bool {
	for e := range w.setup.Edges {
		if w.setup.LooksForLoad(e) {
			return true
		}
	}
	return false
}

// sameInTheEnd: failures change nothing of what a sink's subtask shows, but for what it shows again. Where writers look for the channel
// with the least to send, which subtask gets a record depends on the instant, and everythingShown alone holds.
func sameInTheEnd(calm, rough *watched) error {
	if calm.setup.Options.Mode == option.AtLeastOnce || calm.looks() {
		return nil
	}
	edge := edgeOfWindows(calm.setup)
	return rough.everyTask(func(_ *core.Vertex, t, _ *core.TaskView) error {
		c := outputOf(calm, t.Task)
		want, off := c.Visible-c.Duplicates, int64(0)
		if edge > 0 {
			off = edge + want/100
		}
		return within("shown in the end", t.Output.Visible-t.Output.Duplicates, want-off, want+off)
	})
}

// edgeOfWindows is how many results of windows are chance, 0 without windows: which records of a run go to which subtask is known,
// and so the times of a subtask's records but to their distance; a few are on this or that side of the last window that fires.
func edgeOfWindows(s *core.Setup) (edge int64) {
	each := int64(2)
	for i := range s.Vertices {
		v := &s.Vertices[i]
		if v.EmitNum > v.EmitDen {
			each *= v.EmitNum/v.EmitDen + 1
		}
		if w := &v.Window; w.Size > 0 {
			panes := int64(1)
			if w.Slide > 0 {
				panes = w.Size / w.Slide
			}
			edge += panes * max(1, w.Results) * int64(v.Parallelism)
		}
	}
	return edge * each
}

func outputOf(w *watched, id event.Task) *core.OutputView {
	for i := range w.now.Vertices {
		for k := range w.now.Vertices[i].Tasks {
			if t := &w.now.Vertices[i].Tasks[k]; t.Task == id {
				return &t.Output
			}
		}
	}
	return nil
}
