package checkpoint

import (
	"testing"

	"checkpointlab/core/event"
)

// steadyJob is a job whose checkpoints take longer than the interval; it restarts when its queue has become long.
type steadyJob struct {
	c    Coordinator
	now  event.Time
	tick Effect
	out  []Effect
}

func newSteadyJob(tasks int) *steadyJob {
	j := &steadyJob{c: New(Config{
		Interval: event.Second, IntervalDuringBacklog: -1, Timeout: 600 * event.Second, MaxConcurrent: 2, Tolerable: 3,
		Retained: 2, Tasks: tasks,
	})}
	j.run(j.c.Start(0, 0, j.out[:0]))
	for range 1000 {
		j.cycle()
	}
	return j
}

// cycle is what happens in 3 s: firings, the acknowledgements of the oldest checkpoint, what follows from them.
func (j *steadyJob) cycle() {
	j.now += 3 * event.Second
	for j.tick.At <= j.now {
		j.run(j.c.Tick(j.tick.At, j.tick.Seq, j.out[:0]))
	}
	if j.c.Queued() > 500 {
		j.run(j.c.Stop(j.now, event.CheckpointCoordinatorSuspend, j.out[:0]))
		j.run(j.c.Start(j.now, 0, j.out[:0]))
		return
	}
	id := j.c.Pending(0).ID
	for t := range j.c.cfg.Tasks {
		j.run(j.c.Ack(j.now, id, event.Task(t), j.out[:0]))
	}
}

// run keeps the armed tick and answers until nothing is asked.
func (j *steadyJob) run(out []Effect) {
	for i := 0; i < len(out); i++ {
		switch e := out[i]; e.Kind {
		case ArmTick:
			j.tick = e
		case Plan:
			out = j.c.Planned(j.now, true, event.NoReason, out)
		case Begin:
			out = j.c.Triggered(j.now, e.ID, true, event.NoReason, out)
		}
	}
	j.out = out
}

func TestSteadyStateAllocatesNothing(t *testing.T) {
	j := newSteadyJob(64)
	if n := testing.AllocsPerRun(1000, j.cycle); n != 0 {
		t.Errorf("%v allocations a cycle", n)
	}
	if j.c.Counts().Completed < 1000 {
		t.Errorf("nothing happened: %+v", j.c.Counts())
	}
	var copied Coordinator
	copied.CopyFrom(&j.c)
	if n := testing.AllocsPerRun(100, func() { copied.CopyFrom(&j.c) }); n != 0 {
		t.Errorf("%v allocations a copy", n)
	}
}

// BenchmarkCheckpoint is one checkpoint of 64 tasks with three firings.
func BenchmarkCheckpoint(b *testing.B) {
	j := newSteadyJob(64)
	b.ReportAllocs()
	for b.Loop() {
		j.cycle()
	}
}

func BenchmarkCopy(b *testing.B) {
	j := newSteadyJob(64)
	var copied Coordinator
	b.ReportAllocs()
	for b.Loop() {
		copied.CopyFrom(&j.c)
	}
}
