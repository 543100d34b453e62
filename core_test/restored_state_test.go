package core_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
)

// held is what a vertex has of state: entries and bytes over its subtasks.
type held struct{ subtasks, entries, bytes int64 }

func (h held) and(o held) held {
	return held{h.subtasks + o.subtasks, h.entries + o.entries, h.bytes + o.bytes}
}

// is reports whether a state is the same. Keys are counted and not kept: how many of them so many writes have hit is an expected
// number, which is rounded for every state of every subtask, so that the sum over other subtasks may differ by as many.
func (h held) is(o held) bool {
	if h.subtasks == o.subtasks {
		return h == o
	}
	few := 2 * (h.subtasks + o.subtasks)
	return max(h.entries, o.entries)-min(h.entries, o.entries) <= few && max(h.bytes, o.bytes)-min(h.bytes, o.bytes) <= few*500
}

// follower notes what the subtasks of vertex 1 hold as they send a checkpoint's barrier on, and as they begin again from it.
type follower struct {
	lab      *core.Lab
	view     core.View
	barriers map[event.Checkpoint]held
	from     event.Checkpoint // what the job went back to last
	running  map[event.Task]held
	seen     []event.Event
	compared int
}

func (f *follower) hears(e event.Event) {
	switch e.Kind {
	case event.TaskSnapshot, event.TaskInitializing, event.TaskRunning, event.TaskRestored:
		f.seen = append(f.seen, e)
	}
}

// look handles what the last item has told.
func (f *follower) look() error {
	for _, e := range f.seen {
		if e.Kind == event.TaskRestored {
			f.from, f.running = e.Checkpoint, map[event.Task]held{}
			continue
		}
		f.lab.View(&f.view)
		tasks := f.view.Vertices[1].Tasks
		for k := range tasks {
			t := &tasks[k]
			switch now := (held{1, t.Keyed.Entries, t.Keyed.Bytes}); {
			case t.Task != e.Task:
			case e.Kind == event.TaskSnapshot:
				f.barriers[e.Checkpoint] = f.barriers[e.Checkpoint].and(now)
			case f.running != nil:
				if _, begun := f.running[e.Task]; !begun { // a task with restored input runs only once it has consumed that
					f.running[e.Task] = now
				}
			}
		}
		if err := f.compare(len(tasks)); err != nil {
			return err
		}
	}
	f.seen = f.seen[:0]
	return nil
}

// compare holds a restore against the barrier, once all subtasks run.
func (f *follower) compare(tasks int) error {
	if f.running == nil || len(f.running) < tasks {
		return nil
	}
	got := held{}
	for _, h := range f.running {
		got = got.and(h)
	}
	f.running = nil
	if f.compared++; !got.is(f.barriers[f.from]) {
		return fmt.Errorf("from checkpoint %d come %+v, at its barrier there were %+v", f.from, got, f.barriers[f.from])
	}
	return nil
}

// TestARestoreHasTheStateOfItsBarrier: whatever snapshot a job goes back to, of any backend, by any way, its state is to the entry
// and the byte what it was as the barrier went through; with another parallelism, but for the rounding of counts.
func TestARestoreHasTheStateOfItsBarrier(t *testing.T) {
	cases(t, 40)
	restores := 0
	rapid.Check(t, func(t *rapid.T) {
		s := stored(rapid.IntRange(1, 3).Draw(t, "parallelism"), 1, 0, rapid.SampledFrom([]int64{200, 700}).Draw(t, "interval")*event.Millisecond)
		s.Vertices[0].RateNum, s.Vertices[1].Cost, s.Duration = 1500, 100*event.Microsecond, 8*event.Second
		s.Vertices[1].State = []core.KeyedState{
			{Name: "grows", Keys: 20_000, KeyBytes: 8, ValueBytes: rapid.SampledFrom([]int32{30, 400}).Draw(t, "value"), NewMill: 700_000},
			{Name: "filled", Keys: 3000, KeyBytes: 8, ValueBytes: 100, ReadNum: 1, ReadDen: 1, Filled: rapid.Bool().Draw(t, "filled")},
		}
		o := &s.Options
		o.Rocks.Buffer, o.Rocks.LevelBase, o.Rocks.FileBase = 128<<10, 1<<20, 256<<10
		o.Backend, o.Incremental = rapid.SampledFrom([]option.StateBackend{option.RocksDB, option.HashMap, option.ForSt}).Draw(t, "backend"), rapid.Bool().Draw(t, "incremental")
		o.Changelog, o.ChangelogMaterialize = o.Backend != option.ForSt && rapid.Bool().Draw(t, "changelog"), 1500*event.Millisecond
		if o.Changelog {
			o.ClaimMode = option.Claim
		}
		o.LocalBackup = rapid.Bool().Draw(t, "local copies")
		o.FromLocal, o.FileMerging, o.Tolerable = o.LocalBackup, rapid.Bool().Draw(t, "merging"), 100
		o.Unaligned = rapid.Bool().Draw(t, "unaligned")
		for at := event.Second; at < s.Duration; at += 1500 * event.Millisecond {
			a := core.Action{Back: 300 * event.Millisecond, At: at + rapid.Int64Range(0, 900).Draw(t, "at")*event.Millisecond, Vertex: 1, Fail: -1}
			switch a.Do = rapid.SampledFrom([]core.Do{core.Kill, core.Lose, core.RescaleJob, core.Savepoint, core.Trigger}).Draw(t, "do"); a.Do {
			case core.RescaleJob:
				a.Parallelism, a.FromSavepoint = rapid.IntRange(1, 4).Draw(t, "to"), rapid.Bool().Draw(t, "from a savepoint")
			case core.Trigger:
				a.Full = !o.Changelog
			case core.Savepoint:
				a.Native = rapid.Bool().Draw(t, "native")
			}
			s.Script = append(s.Script, a)
		}
		l, err := core.New(s)
		if err != nil {
			t.Fatal(err)
		}
		f := &follower{lab: l, barriers: map[event.Checkpoint]held{0: {}}}
		l.Listen(f.hears)
		for done := false; !done; {
			done = l.Advance(s.Duration, 1)
			if err := f.look(); err != nil && f.from != 0 {
				t.Fatalf("at %d ms: %v", l.Now()/event.Millisecond, err)
			}
		}
		restores += f.compared
	})
	if restores == 0 && !t.Failed() {
		t.Error("no job went back to anything")
	}
	t.Logf("%d restores", restores)
}
