package timeline

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
)

// busy is a backpressured 2-2-2 job with a failure: queues, alignment, restart.
func busy(t testing.TB) core.Setup {
	config, _, err := option.Resolve("2.3", []option.Pair{{Key: "execution.checkpointing.interval", Value: "2 s"}})
	if err != nil {
		t.Fatal(err)
	}
	return core.Setup{
		Vertices: []core.Vertex{
			{Name: "source", Kind: core.Source, Parallelism: 2, Cost: -1, RateNum: 6000, RatePer: event.Second, Payload: 98},
			{Name: "map", Parallelism: 2, Cost: -1},
			{Name: "sink", Kind: core.Sink, Parallelism: 2, Cost: 200 * event.Microsecond},
		},
		Edges:    []core.Edge{{From: 0, To: 1}, {From: 1, To: 2}},
		Script:   []core.Action{{At: 9 * event.Second, Do: core.Kill, Vertex: 1, Subtask: 1}},
		Options:  config,
		Duration: 20 * event.Second,
		Seed:     7, Overhead: 47, Control: core.MeasuredControl(),
	}
}

func whole(t testing.TB) *Timeline {
	line, err := New(busy(t))
	if err != nil {
		t.Fatal(err)
	}
	for !line.Extend(700) {
	}
	return line
}

func TestTheSameInstantIsLookedAtOnce(t *testing.T) {
	line := whole(t)
	const at = 7 * event.Second
	want := fmt.Sprintf("%+v", *line.At(at))
	v := line.At(at)
	v.Duration = -1 // what nobody may do shows whether it was filled anew
	if line.At(at).Duration != -1 {
		t.Error("the view of an instant that was looked at is filled again")
	}
	if v, ok := line.StepForward(); !ok || v.Duration < 0 {
		t.Error("behind the next event the view is the one from before")
	}
	if got := fmt.Sprintf("%+v", *line.At(at)); got != want {
		t.Error("the view of an instant is another one after a step and back")
	}
}

// TestSeeksInAnyOrderShowTheSame compares views reached by seeks with views of a run that only went forward.
func TestSeeksInAnyOrderShowTheSame(t *testing.T) {
	line := whole(t)
	straight, err := core.New(busy(t))
	if err != nil {
		t.Fatal(err)
	}
	var instants []event.Time
	views := map[event.Time]string{}
	hashes := map[event.Time]uint64{}
	for at := event.Time(0); at <= 20*event.Second; at += 377 * event.Millisecond {
		straight.Advance(at, 0)
		v := core.View{Computed: line.Computed()}
		straight.View(&v)
		instants, views[at], hashes[at] = append(instants, at), fmt.Sprintf("%+v", v), straight.Hash()
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		at := instants[random.IntN(len(instants))]
		got, want := fmt.Sprintf("%+v", *line.At(at)), views[at]
		if line.Hash() != hashes[at] {
			t.Fatalf("at %d ns the hash is %x, going forward it was %x", at, line.Hash(), hashes[at])
		}
		if got != want {
			i := 0
			for got[i] == want[i] {
				i++
			}
			t.Fatalf("at %d ns the view differs from that of a run that went forward: …%.200s and …%.200s", at, got[max(0, i-80):], want[max(0, i-80):])
		}
	}
}

// TestStepBackUndoesStepForward walks some hundred events on and back again.
func TestStepBackUndoesStepForward(t *testing.T) {
	line := whole(t)
	line.At(4 * event.Second)
	if _, ok := line.StepForward(); !ok {
		t.Fatal("nothing happens after 4 s")
	}
	type place struct {
		at     event.Time
		events uint64
		hash   uint64
	}
	var path []place
	for range 300 {
		path = append(path, place{line.Now(), line.Events(), line.Hash()})
		line.StepForward()
	}
	for i := len(path) - 1; i >= 0; i-- {
		if _, ok := line.StepBack(); !ok {
			t.Fatal("nothing happened before")
		}
		if got := (place{line.Now(), line.Events(), line.Hash()}); got != path[i] {
			t.Fatalf("step %d back: %+v, on the way forward it was %+v", len(path)-i, got, path[i])
		}
	}
}

// TestOneEventBackIsNear asks, after seeks into a gap, from how far a step back would have to be computed.
func TestOneEventBackIsNear(t *testing.T) {
	line := whole(t)
	random := rand.New(rand.NewPCG(3, 4))
	for range 60 {
		line.At(random.Int64N(20 * event.Second))
		count := line.Events()
		if count == 0 {
			continue
		}
		from := line.latest(func(m *core.State) bool { return m.Events() < count })
		if far := count - from.Events(); far > uint64(2*line.part()) {
			t.Fatalf("%d events from the nearest snapshot to one event before %d ns", far, line.Now())
		}
	}
}

func TestStepsEndAtBothEnds(t *testing.T) {
	line := whole(t)
	line.At(0)
	for range 40 {
		line.StepBack()
	}
	if _, ok := line.StepBack(); ok || line.Events() != 0 {
		t.Errorf("before the first event there are %d", line.Events())
	}
	line.At(event.Never)
	if line.Now() != 20*event.Second {
		t.Errorf("the end is at %d ns", line.Now())
	}
	if _, ok := line.StepForward(); ok {
		t.Error("something happens after the end")
	}
}

// TestALongRunKeepsFewSnapshots keeps few snapshots of a long run, and still reaches every instant.
func TestALongRunKeepsFewSnapshots(t *testing.T) {
	line, err := New(busy(t))
	if err != nil {
		t.Fatal(err)
	}
	line.gap = 20
	for !line.Extend(1000) {
	}
	if len(line.marks) > most || line.gap == 20 {
		t.Errorf("%d snapshots, gap %d", len(line.marks), line.gap)
	}
	line.At(15 * event.Second)
	straight, _ := core.New(busy(t))
	straight.Advance(15*event.Second, 0)
	if line.Hash() != straight.Hash() {
		t.Error("a seek after thinning is another run")
	}
}

func BenchmarkSeek(b *testing.B) {
	line := whole(b)
	random := rand.New(rand.NewPCG(1, 2))
	b.ReportAllocs()
	for b.Loop() {
		line.At(random.Int64N(20 * event.Second))
	}
}

// TestReachStopsAtAnInstantAndLeavesASnapshot compares a run that stops on its way with one that does not.
func TestReachStopsAtAnInstantAndLeavesASnapshot(t *testing.T) {
	line, err := New(busy(t))
	if err != nil {
		t.Fatal(err)
	}
	const at = 7*event.Second + 123
	for !line.Reach(at, 300) {
	}
	if line.Computed() != at || line.marks[len(line.marks)-1].At() != at {
		t.Fatalf("computed up to %d, the last snapshot is at %d, want %d", line.Computed(), line.marks[len(line.marks)-1].At(), at)
	}
	if !line.Reach(at-event.Second, 300) || line.Computed() != at {
		t.Error("what is computed is not reached")
	}
	for !line.Reach(event.Never, 700) {
	}
	line.At(event.Never)
	straight := whole(t)
	straight.At(event.Never)
	if !line.Done() || line.Hash() != straight.Hash() {
		t.Error("the run that stopped on its way is another one")
	}
}
