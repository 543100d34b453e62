package sample

import (
	"checkpointlab/core"
	"checkpointlab/core/event"
)

// job222 is the two by two by two job of the design's moments.
func job222(at event.Time, completed, pending event.Checkpoint, first, second []Channel, acks ...bool) *core.View {
	return Job{Names: []string{"source", "map", "sink"}, Kinds: []core.VertexKind{core.Source, core.Map, core.Sink},
		Edges: [][2]int{{0, 1}, {1, 2}}, P: []int{2, 2, 2}, Channels: [][]Channel{first, second},
		ID: pending, Completed: completed, At: at, Acks: acks}.View()
}

// shares sets all subtasks of a vertex to busy and backpressured per mille.
func shares(v *core.View, vertex, busy, pressed int) {
	for i := range v.Vertices[vertex].Tasks {
		t := &v.Vertices[vertex].Tasks[i]
		t.Busy, t.Hard = busy, pressed
		t.RateIn, t.RateOut = 4397, 3498
	}
}

// ends fills the logs and outputs: lag, records to read again, records of the open transaction.
func ends(v *core.View, lag0, lag1, again, open int64) {
	id := v.Coord.LastCompleted
	for i := range v.Vertices {
		for k := range v.Vertices[i].Tasks {
			t := &v.Vertices[i].Tasks[k]
			switch v.Vertices[i].Kind {
			case core.Source:
				read := int64(400_000)
				lag := [2]int64{lag0, lag1}[k%2]
				t.Log = core.LogView{Arrived: read + lag, Read: read, ReadAgain: again,
					OldestWait: event.Time(lag) * event.Second / 6000}
				if id != 0 {
					t.Log.Marks = append(t.Log.Marks, core.LogMark{Checkpoint: id, Position: read - again, Completed: true})
				}
				if n := len(v.Coord.Pending); n > 0 && v.Coord.Pending[n-1].Acks[t.Task] {
					t.Log.Marks = append(t.Log.Marks, core.LogMark{Checkpoint: v.Coord.Pending[n-1].Checkpoint, Position: read - 4000})
				}
			case core.Sink:
				t.Output = core.OutputView{Visible: 300_000, Written: 300_000 + open, VisibleUpTo: id,
					Transactions: []core.TransactionView{{Records: open, Since: v.At - 9300*event.Millisecond}}}
			}
		}
	}
}

// Idle is the pipeline with nothing to wait for.
func Idle() *core.View {
	part := Channel{Recv: "4", Credit: 2}
	few := Channel{Recv: "2", Credit: 2}
	v := job222(20700*event.Millisecond, 2, 0, []Channel{part, few, few, part}, []Channel{few, part, part, few})
	shares(v, 0, 120, 0)
	shares(v, 1, 100, 0)
	shares(v, 2, 250, 0)
	ends(v, 0, 0, 3600, 3700)
	v.Budget = core.Budget{Age: 700 * event.Millisecond, Exchanges: []event.Time{0, 0}, Output: 700 * event.Millisecond, Behind: 2}
	return v
}

// Backpressure is the moment in which it arrives: the sinks' hop is full, map 1 has no free output buffer.
func Backpressure() *core.View {
	full := Channel{Send: "FFFFFo", Recv: "FFFFFFF", Hand: "7"}
	v := job222(35*event.Second, 3, 0,
		[]Channel{{Recv: "4", Credit: 2}, {Send: "", Recv: "FF4F4F4"}, {Recv: "2", Credit: 3}, {Send: "o", Recv: "F4F4FFo"}},
		[]Channel{full, {Send: "FFFFo", Recv: "FFFFF", Hand: "3"}, full, full})
	shares(v, 0, 130, 0)
	shares(v, 1, 120, 300)
	shares(v, 2, 1000, 0)
	v.Vertices[1].Tasks[1].Hard = 860
	ends(v, 0, 0, 30_000, 24_000)
	v.Budget = core.Budget{Age: 6 * event.Second, Log: 0, Exchanges: []event.Time{400 * event.Millisecond, 900 * event.Millisecond},
		Output: 4700 * event.Millisecond, Behind: 3}
	return v
}

// Alignment is the main mock: map 1 holds the channel from source 0, the barrier from source 1 is four buffers away.
func Alignment() *core.View {
	dark := Channel{Send: "FFFFFo", Recv: "FFFFFF", Hand: "5"}
	v := job222(71200*event.Millisecond, 6, 7,
		[]Channel{{Recv: "FFFFFo", Hand: "1"}, {Send: "FFFFFFFFFo", Held: true}, {Recv: "66", Hand: "2", Credit: 2},
			{Send: "FFFFFFFFFo", Recv: "FFo|", Hand: "5", Credit: 6}},
		[]Channel{{Send: "FFFFFo", Recv: "FF8|", Credit: 2, Shut: true}, {Send: "FFFFo", Recv: "FF8|", Credit: 2, Shut: true}, dark, dark},
		true, true, true)
	shares(v, 0, 70, 930)
	shares(v, 1, 90, 910)
	shares(v, 2, 1000, 0)
	t := &v.Vertices[1].Tasks[1]
	t.State, t.Since, t.Aligned, t.ToAlign, t.Checkpoint = core.Aligning, 70900*event.Millisecond, 1, 2, 7
	ends(v, 15_196, 54_862, 53_000, 46_236)
	v.Budget = core.Budget{Age: 17100 * event.Millisecond, Log: 5900 * event.Millisecond,
		Exchanges: []event.Time{1300 * event.Millisecond, 600 * event.Millisecond}, Output: 9300 * event.Millisecond, Behind: 6}
	return v
}

// Unaligned is the moment in which barriers overtake: passed buffers are part of the checkpoint.
func Unaligned() *core.View {
	v := job222(70006*event.Millisecond, 6, 7,
		[]Channel{{Send: "SSS", Recv: ">SSSSSSSSSS"}, {Send: "SSSSSSS5", Recv: ""}, {Recv: "S5", Credit: 0}, {Send: "FFFFFFFFFo", Recv: "SSSSSSSSSS"}},
		[]Channel{{Send: ">SSSSSo", Recv: "FFFF", Hand: "2"}, {Send: ">SSSSSo", Recv: "FFFFF", Hand: "4"},
			{Send: "FFFFFo", Recv: "FFFFF", Hand: "7"}, {Send: ">SSS", Recv: "FFFFFF", Hand: "6"}},
		true, true, false)
	shares(v, 0, 70, 930)
	shares(v, 1, 90, 910)
	shares(v, 2, 1000, 0)
	set := func(i int, s core.TaskState) {
		v.Vertices[1].Tasks[i].State, v.Vertices[1].Tasks[i].Checkpoint = s, 7
	}
	set(0, core.Syncing)
	set(1, core.Syncing)
	v.Vertices[0].Tasks[0].State, v.Vertices[0].Tasks[0].Checkpoint = core.Uploading, 7
	ends(v, 13_000, 51_000, 50_000, 40_000)
	v.Budget = core.Budget{Age: 16 * event.Second, Log: 5800 * event.Millisecond,
		Exchanges: []event.Time{1300 * event.Millisecond, 800 * event.Millisecond}, Output: 8100 * event.Millisecond, Behind: 6}
	return v
}

// Debloated is the job with smaller announced buffers: as many cells, less in each.
func Debloated() *core.View {
	const usable = 6042
	hold := Channel{Send: "FFFFFo", Recv: "FFFF|FF", Hand: "5", Usable: usable, Shut: true}
	dark := Channel{Send: "FFFFFo", Recv: "FFFFFF", Hand: "5", Usable: usable}
	v := job222(71*event.Second, 6, 7, []Channel{hold, hold, hold, hold}, []Channel{dark, dark, dark, dark}, true, true)
	shares(v, 0, 20, 980)
	shares(v, 1, 30, 970)
	shares(v, 2, 1000, 0)
	ends(v, 55_000, 55_000, 9000, 9000)
	v.Budget = core.Budget{Age: 18 * event.Second, Log: 8 * event.Second, Exchanges: []event.Time{event.Second, event.Second}, Output: 8 * event.Second, Behind: 6}
	return v
}

// Failure is a failure and what will be read again.
func Failure() *core.View {
	empty := Channel{Credit: 2}
	all := []Channel{empty, empty, empty, empty}
	v := job222(76400*event.Millisecond, 7, 0, all, all)
	ends(v, 55_000, 85_000, 0, 0)
	for i := range v.Vertices {
		for k := range v.Vertices[i].Tasks {
			t := &v.Vertices[i].Tasks[k]
			t.State, t.Checkpoint = core.Restoring, 7
			if v.Vertices[i].Kind == core.Source {
				t.Log.ReplayTo = t.Log.Read + 30_000
			}
			t.Output.Transactions = nil
		}
	}
	v.Vertices[1].Tasks[1].State = core.Failed
	v.Coord.RestartingTill = v.At + 800*event.Millisecond
	v.Budget = core.Budget{Age: 9 * event.Second, Log: 9 * event.Second, Exchanges: []event.Time{0, 0}}
	return v
}

// Moments are the six moments by name, in the design's order.
func Moments() (names []string, views []*core.View) {
	return []string{"idle", "backpressure", "alignment", "unaligned", "debloated", "failure"},
		[]*core.View{Idle(), Backpressure(), Alignment(), Unaligned(), Debloated(), Failure()}
}

// Join is a two-input job: orders and pays meet in a join.
func Join() *core.View {
	dark := Channel{Send: "FFFFo", Recv: "FFFFFF", Hand: "5"}
	v := Job{Names: []string{"orders", "pays", "join", "sink"}, Kinds: []core.VertexKind{core.Source, core.Source, core.Map, core.Sink},
		Edges: [][2]int{{0, 2}, {1, 2}, {2, 3}}, P: []int{1, 1, 2, 2}, ID: 7, Completed: 6, At: 71200 * event.Millisecond,
		Acks: []bool{true, true, true},
		Channels: [][]Channel{{{Recv: "FFF4", Credit: 2}, {Send: "FFFFFFFFo", Held: true}},
			{{Recv: "F2", Credit: 3}, {Send: "FFFFFo", Recv: "FF|", Hand: "6", Credit: 5}},
			{{Send: "FFo", Recv: "FFF|", Credit: 2, Shut: true}, {Send: "FFo", Recv: "FFF|", Credit: 2, Shut: true}, dark, dark}}}.View()
	shares(v, 0, 70, 930)
	shares(v, 1, 70, 930)
	shares(v, 2, 90, 910)
	shares(v, 3, 1000, 0)
	t := &v.Vertices[2].Tasks[1]
	t.State, t.Aligned, t.ToAlign, t.Checkpoint = core.Aligning, 1, 2, 7
	ends(v, 15_196, 54_862, 53_000, 46_236)
	return v
}

// Square is a source, a map and a sink of p subtasks each, with a checkpoint half way through the first exchange.
func Square(p int) *core.View {
	names := []string{"source", "map", "sink"}
	j := Job{Names: names, Kinds: []core.VertexKind{core.Source, core.Map, core.Sink}, Edges: [][2]int{{0, 1}, {1, 2}},
		P: []int{p, p, p}, ID: 7, Completed: 6, At: 71200 * event.Millisecond}
	seed := uint32(1)
	next := func(n uint32) uint32 { seed = seed*1664525 + 1013904223; return seed >> 8 % 1000003 % n }
	queues := []string{"", "2", "F5", "FF3", "FFF", "FFFF7", "FFFFFFo"}
	for i := range 2 {
		cs := make([]Channel, p*p)
		for k := range cs {
			cs[k] = Channel{Send: queues[next(4)], Recv: queues[next(7)], Hand: "", Credit: int(next(3))}
			if from := k / p; i == 0 && from < p/2 {
				if next(3) == 0 {
					cs[k].Recv += "|"
					cs[k].Shut = true
				} else {
					cs[k].Recv, cs[k].Held = "", true
				}
			}
		}
		j.Channels = append(j.Channels, cs)
	}
	for k := range 3 * p {
		j.Acks = append(j.Acks, k < p/2)
	}
	v := j.View()
	for i := range v.Vertices {
		for k := range v.Vertices[i].Tasks {
			t := &v.Vertices[i].Tasks[k]
			t.Busy = []int{70, 90, 800}[i] + int(next(100))
			t.Hard = min(1000-t.Busy, []int{750, 700, 0}[i]+int(next(120)))
			t.RateIn, t.RateOut = 4000, 4000
		}
	}
	ends(v, 15_196, 54_862, 53_000, 46_236)
	v.Budget = core.Budget{Age: 17100 * event.Millisecond, Log: 5900 * event.Millisecond,
		Exchanges: []event.Time{1300 * event.Millisecond, 600 * event.Millisecond}, Output: 9300 * event.Millisecond, Behind: 6}
	return v
}
