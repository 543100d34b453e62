package reference

import "checkpointlab/core/event"

// A task is INITIALIZING until it has consumed the input that was restored. A gate asks for its partitions only when all of its
// own is consumed: until then nothing comes by its channels (StreamTask.restoreInternal, SingleInputGate.requestPartitions). If
// checkpoints are taken during recovery nothing holds it.

// stateConsumed is a gate whose restored input is consumed.
func (g *gate) stateConsumed() {
	for _, c := range g.channels {
		if c.local {
			c.lineUpLocal()
		} else {
			c.unasked = true
			c.travel(func() {
				c.unasked = false
				c.send()
			})
		}
	}
	for _, o := range g.consumer.gates {
		if o.restored > 0 {
			return
		}
	}
	g.consumer.runs()
	t := g.consumer
	r := t.run
	t.tellCoordinator(func() {
		if delete(r.starting, t); len(r.starting) == 0 {
			r.carryOut(r.allRun(nil))
		}
	})
}

// closed reports whether the consumer has not asked for the channel's partition yet.
func (c *channel) closed() bool { return c.gate.restored > 0 || c.unasked }

// hasRestored reports whether a task gets input from a checkpoint.
func (t *task) hasRestored(s *save) bool {
	o := &t.run.setup.Options
	if s == nil || o.DuringRecovery {
		return false
	}
	for _, f := range s.flow {
		if f.channel.gate.consumer == t && (!f.output || o.RecoverDownstream) && len(f.records) > 0 {
			return true
		}
	}
	return false
}

// runs is a task that is RUNNING.
func (t *task) runs() {
	if t.run.setup.Options.Debloat && len(t.gates) > 0 {
		t.debloatLater()
	}
	t.run.tell(event.Event{Kind: event.TaskRunning, Task: t.id})
}
