package core

import (
	"math"
	"testing"

	"checkpointlab/core/event"
)

// everyTask calls f with every task's view and the kind of its vertex.
func everyTask(v *View, f func(kind VertexKind, t *TaskView)) {
	for i := range v.Vertices {
		for k := range v.Vertices[i].Tasks {
			f(v.Vertices[i].Kind, &v.Vertices[i].Tasks[k])
		}
	}
}

// TestMetersAndTimesAgreeWithTheCounters: what a meter shows is the growth of its counter over the last minute, and a task's idle, busy and
// back-pressured time make up the time since it runs.
func TestMetersAndTimesAgreeWithTheCounters(t *testing.T) {
	s := bp222(t)
	s.Duration = 90 * event.Second
	l, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	var early, now View
	l.Advance(30*event.Second, 0)
	l.View(&early)
	l.Advance(90*event.Second, 0)
	l.View(&now)
	began := map[event.Task]TaskMetrics{}
	everyTask(&early, func(_ VertexKind, x *TaskView) { began[x.Task] = x.Metrics })
	everyTask(&now, func(kind VertexKind, x *TaskView) {
		m, was := &x.Metrics, began[x.Task]
		for name, c := range map[string]struct {
			before, after int64
			rate          float64
		}{
			"numRecordsIn":       {was.NumRecordsIn, m.NumRecordsIn, m.NumRecordsInPerSecond},
			"numRecordsOut":      {was.NumRecordsOut, m.NumRecordsOut, m.NumRecordsOutPerSecond},
			"numBytesIn":         {was.NumBytesIn, m.NumBytesIn, m.NumBytesInPerSecond},
			"numBytesOut":        {was.NumBytesOut, m.NumBytesOut, m.NumBytesOutPerSecond},
			"numBuffersInRemote": {was.NumBuffersInRemote, m.NumBuffersInRemote, m.NumBuffersInRemotePerSecond},
			"numBuffersOut":      {was.NumBuffersOut, m.NumBuffersOut, m.NumBuffersOutPerSecond},
		} {
			if want := float64(c.after-c.before) / 60; math.Abs(c.rate-want) > 1e-9 {
				t.Errorf("task %d: %s has grown by %g a second, its meter shows %g", x.Task, name, want, c.rate)
			}
		}
		if full := int64(s.Options.SegmentSize); kind != Sink && (m.NumBytesOut < (m.NumBuffersOut-90)*full || m.NumBytesOut > m.NumBuffersOut*full) { // 45 barriers on two channels cut some of them
			t.Errorf("task %d: %d bytes in %d finished buffers", x.Task, m.NumBytesOut, m.NumBuffersOut)
		}
		if kind != Source && m.NumBytesIn < m.NumRecordsIn*147 {
			t.Errorf("task %d: %d bytes are fewer than those of %d records", x.Task, m.NumBytesIn, m.NumRecordsIn)
		}
		all := m.AccumulateIdleTimeMs + m.AccumulateBackPressuredTimeMs + m.AccumulateBusyTimeMs
		if runs := (s.Duration - l.plan.setup.Control.LogLead) / event.Millisecond; all < runs-2 || all > runs {
			t.Errorf("task %d has accumulated %d ms of %d", x.Task, all, runs)
		}
		if m.MaxHardBackPressureTimeMs > m.HardBackPressuredTimeMsPerSecond*60 || m.MaxSoftBackPressureTimeMs > 5000+m.SoftBackPressuredTimeMsPerSecond*60 {
			t.Errorf("task %d: back-pressured for %d and %d ms at once, of %d and %d a second", x.Task, m.MaxSoftBackPressureTimeMs, m.MaxHardBackPressureTimeMs,
				m.SoftBackPressuredTimeMsPerSecond, m.HardBackPressuredTimeMsPerSecond)
		}
	})
	if source := now.Vertices[0].Tasks[0].Metrics; source.NumRecordsIn-source.NumRecordsOut > 1 || source.MaxSoftBackPressureTimeMs == 0 {
		t.Errorf("a source that is held up: %+v", source)
	}
}

// TestACounterBelongsToOneAttempt, and so do the times and meters of a task that is killed; the job's statuses add up to its time.
func TestACounterBelongsToOneAttempt(t *testing.T) {
	s := bp222(t)
	s.Duration = 40 * event.Second
	s.Script = []Action{{At: 20 * event.Second, Do: Kill, Vertex: 2}}
	l := run(t, s)
	var v View
	l.View(&v)
	back := l.History().Failures[0].RunningAt
	everyTask(&v, func(_ VertexKind, x *TaskView) {
		m := &x.Metrics
		if all := m.AccumulateIdleTimeMs + m.AccumulateBackPressuredTimeMs + m.AccumulateBusyTimeMs; all > (l.Now()-back)/event.Millisecond {
			t.Errorf("task %d has accumulated %d ms since it runs again", x.Task, all)
		}
		if most := int64(6000) * int64(l.Now()-back) / int64(event.Second); m.NumRecordsIn > most || m.NumRecordsIn == 0 {
			t.Errorf("task %d has counted %d records since it runs again", x.Task, m.NumRecordsIn)
		}
		if m.InitializationTime != l.plan.setup.Control.Restore/event.Millisecond {
			t.Errorf("task %d took %d ms to initialize", x.Task, m.InitializationTime)
		}
	})
	st := &v.Coord.Status
	if st.RunningTotal+st.RestartingTotal != l.Now() || st.RestartingTotal == 0 || st.RestartingTime != 0 || st.RunningTime != l.Now()-20*event.Second-st.RestartingTotal {
		t.Errorf("the job was RUNNING and RESTARTING for %+v", *st)
	}
	if st.Restored != 20*event.Second+st.RestartingTotal || v.Coord.Restarts != 1 {
		t.Errorf("restored at %d after %d restarts", st.Restored, v.Coord.Restarts)
	}
}

// TestOnlyFinishedBuffersCount: a buffer counts as written when it is finished, one that was only flushed does not yet.
func TestOnlyFinishedBuffersCount(t *testing.T) {
	s := bp222(t)
	for v := range s.Vertices {
		s.Vertices[v].Parallelism, s.Vertices[v].Cost = 1, -1
	}
	s.Vertices[0].RateNum, s.Vertices[0].RatePer = 100, event.Second
	s.Options.Interval, s.Duration = 0, 2*event.Second
	l := run(t, s) // 200 records of 147 bytes: less than a segment
	var v View
	l.View(&v)
	if m := v.Vertices[0].Tasks[0].Metrics; m.NumRecordsOut < 190 || m.NumBuffersOut != 0 || m.NumBytesOut != 0 {
		t.Errorf("%d records, %d buffers with %d bytes", m.NumRecordsOut, m.NumBuffersOut, m.NumBytesOut)
	}
	m := v.Vertices[1].Tasks[0].Metrics
	if m.NumBytesIn < 190*147 || m.NumBuffersInRemote < 15 {
		t.Errorf("the next one has polled %d bytes in %d buffers", m.NumBytesIn, m.NumBuffersInRemote)
	}
	if mails := l.countsOf(&l.world.Tasks[1])[mailsRun]; mails < 15 || mails > 2*m.NumBuffersInRemote {
		t.Errorf("it was woken %d times by %d buffers", mails, m.NumBuffersInRemote)
	}
}

// TestATaskManagersSegments: pools that were full keep all they may, gates their exclusive buffers and what they have lent.
func TestATaskManagersSegments(t *testing.T) {
	s := bp222(t)
	s.Options = config(t, "execution.checkpointing.interval", "2 s", "taskmanager.memory.process.size", "2 gb")
	s.Duration = 20 * event.Second
	l := run(t, s)
	var v View
	l.View(&v)
	var used, requested, pools, gates, total int64
	for i := range v.Managers {
		used, requested, total = used+v.Managers[i].Used, requested+v.Managers[i].Requested, v.Managers[i].Total
	}
	everyTask(&v, func(_ VertexKind, x *TaskView) { pools, gates = pools+int64(x.OutTotal), gates+int64(x.InTotal) })
	floating := int64(4 * l.plan.net.Floating) // of four gates
	if requested != pools+floating || total != s.Options.NetworkBuffers() || total == 0 {
		t.Errorf("%d segments requested of %d, expected %d of %d", requested, total, pools+floating, s.Options.NetworkBuffers())
	}
	if exclusive := gates - floating; used < pools+exclusive || used > pools+gates {
		t.Errorf("%d segments in use, expected %d and up to %d floating ones", used, pools+exclusive, floating)
	}
}

// TestAMailWaitsForTheRecordInWork, for the end of back pressure that blocks the thread, and for nothing where the thread waits: the
// latencies of a mailbox, one a second.
func TestAMailWaitsForTheRecordInWork(t *testing.T) {
	s := bp222(t)
	s.Options.Interval, s.Duration = 0, 70*event.Second
	s.Vertices[0].RateNum, s.Vertices[0].RatePer = 10, event.Second
	s.Vertices[2].Cost = 300 * event.Millisecond // it is always at work
	l := run(t, s)
	var v View
	l.View(&v)
	everyTask(&v, func(kind VertexKind, x *TaskView) {
		h := &v.Latencies[x.Task]
		m := h.Summary()
		switch {
		case kind == Sink && (m.Max >= 300 || m.Max < 150 || m.Mean < 60 || m.Mean > 240):
			t.Errorf("a sink's mailbox: %+v", m)
		case kind != Sink && m.Max != 0:
			t.Errorf("an idle task's mailbox: %+v", m)
		case kind != Sink && h.Len() != 60, kind == Sink && (h.Len() < 50 || h.Len() > 60):
			t.Errorf("task %d has measured %d times in 70 s", x.Task, h.Len())
		}
	})
}

// A SourceFunction's task measures no busy time, for its thread is not the mailbox's (SourceStreamTask.init), and knows only hard back
// pressure.
func TestSourceFunctionMeasuresNoBusyTime(t *testing.T) {
	s := bp222(t)
	s.Duration = 30 * event.Second
	s.Vertices[0].Lock = LockEmit
	var v View
	run(t, s).View(&v)
	everyTask(&v, func(kind VertexKind, x *TaskView) {
		m := &x.Metrics
		switch {
		case kind != Source:
			if m.BusyTimeMsPerSecond < 0 || m.AccumulateBusyTimeMs < 0 {
				t.Errorf("task %d measures no busy time: %d, %d", x.Task, m.BusyTimeMsPerSecond, m.AccumulateBusyTimeMs)
			}
		case m.BusyTimeMsPerSecond != -1 || m.AccumulateBusyTimeMs != -1:
			t.Errorf("source %d: busy %d and %d", x.Task, m.BusyTimeMsPerSecond, m.AccumulateBusyTimeMs)
		case m.HardBackPressuredTimeMsPerSecond < 300 || m.SoftBackPressuredTimeMsPerSecond != 0:
			t.Errorf("source %d that is held up: hard %d, soft %d", x.Task, m.HardBackPressuredTimeMsPerSecond, m.SoftBackPressuredTimeMsPerSecond)
		}
	})
}
