package core

import (
	"checkpointlab/core/checkpoint"
	"checkpointlab/core/event"
	"checkpointlab/core/sim"
)

// script does one action of the setup's script.
func (l *Lab) script(now event.Time, i int) {
	a := &l.plan.setup.Script[i]
	if a.asksMaster() && a.At < now && a.At <= l.job.led { // it has waited in the process of one that leads no more
		return
	}
	switch a.Do {
	case Trigger:
		l.carry(now, l.coord.RequestAs(now, checkpoint.Checkpoint, a.format(), l.effects[:0]))
	case Savepoint:
		l.carry(now, l.coord.RequestAs(now, checkpoint.Savepoint, a.format(), l.effects[:0]))
	case StorageFault:
		l.changeStorage(now, a)
	case Stop:
		l.stop(now, a)
	case Backlog:
		l.sayBacklog(now, a)
	case RescaleJob, RestoreJob:
		l.askRescale(now, i)
	case Lose:
		l.lose(now, a)
	case Elect:
		l.elect(now, a.For)
	case Pause:
		l.pause(now, a)
	case Throttle:
		l.throttle(now, a)
	default:
		v := &l.plan.setup.Vertices[a.Vertex]
		for k := 0; k < v.Parallelism; k++ {
			if a.Subtask < 0 || a.Subtask == k {
				l.change(now, a, v, l.plan.first[a.Vertex]+event.Task(k))
			}
		}
	}
	l.feed.Emit(event.Event{At: now, Kind: event.ScriptDone, A: int64(i)})
}

// change applies an action to one subtask of its vertex, or to the subtask that it names.
func (l *Lab) change(now event.Time, a *Action, v *Vertex, t event.Task) {
	switch a.Do {
	case Slow:
		l.world.SetCost(now, t, l.plan.shared(int(l.world.Tasks[t].Vertex), t, a.Cost))
	case SlowFlush:
		l.world.Tasks[t].Flush = a.Cost
	case RefuseCommits:
		l.world.RefuseCommits(now, t, a.For, a.Cost)
	case Rate:
		num := a.RateNum * partitionsOf(v, int(l.world.Tasks[t].Index))
		if v.Load.on() {
			l.rates[t].num, l.rates[t].per = num, a.RatePer
			l.setRate(now, t)
			return
		}
		l.world.SetRate(now, t, num, a.RatePer)
	case Hang:
		if a.InSync {
			l.world.HangInSync(t, a.For, a.Deaf)
			return
		}
		l.world.Hang(now, t, a.For, a.Deaf)
	case Kill:
		switch w := &l.world.Tasks[t]; {
		case !w.Alive:
		case now < l.stalls.last: // its process, or who has to hear of it, may stand still
			l.queue.Push(sim.Item{At: now, Kind: event.DueFail, A: t, B: int32(event.TaskKilled), Gen: w.Gen})
		default:
			l.fail(now, l.regionOf(t), t, event.TaskKilled)
		}
	}
}
