package core

// checkAction finds what is wrong with action i of the script.
func (s *Setup) checkAction(i int, a *Action, bad func(string, ...any)) {
	if a.At < 0 {
		bad("action %d of the script is at a negative time", i+1)
	}
	switch a.Do {
	case StorageFault:
		a.checkFault(i, bad)
	case Pause:
		if a.For <= 0 || a.For > maxDuration {
			bad("action %d of the script lets a process stand still for %d ns; give up to 30 days", i+1, a.For)
		}
	case Elect:
		if a.For < 0 || a.For > maxDuration {
			bad("action %d of the script leaves the job without a leader for %d ns; give 0 to 30 days", i+1, a.For)
		}
	}
	if a.Full && (a.Do != Trigger || s.Options.Changelog) {
		bad("action %d of the script asks for a full checkpoint, which only an asked for checkpoint can be, and not with state.changelog.enabled; leave it out", i+1)
	}
	if a.ofTheJob() {
		return
	}
	if a.Vertex < 0 || a.Vertex >= len(s.Vertices) {
		bad("action %d of the script names a vertex that does not exist", i+1)
		return
	}
	switch v := &s.Vertices[a.Vertex]; {
	case a.Subtask >= v.Parallelism:
		bad("action %d of the script names subtask %d of %s, which has %d", i+1, a.Subtask, v.Name, v.Parallelism)
	case a.Back < 0 || a.Back > maxDuration:
		bad("action %d of the script gives slots back after %d ns; give between 0 and 30 days", i+1, a.Back)
	default:
		a.checkOn(v, i, bad)
	}
}

// ofTheJob reports whether an action happens to the job and not to a vertex.
func (a *Action) ofTheJob() bool {
	switch a.Do {
	case Elect, Trigger, Savepoint, StorageFault, Stop:
		return true
	case Pause:
		return a.Master
	}
	return a.startsAnew()
}

func (a *Action) checkFault(i int, bad func(string, ...any)) {
	if a.Slow < 0 || a.Slow > maxSlow || a.Fail < -1 || a.Fail > 1_000_000 {
		bad("action %d of the script makes the storage take %d per mille of its time and fail in %d of a million; give up to %d and up to 1000000", i+1, a.Slow, a.Fail, maxSlow)
	}
	if a.Late < 0 || a.Late > 1_000_000 || a.By < 0 || a.By > maxDuration {
		bad("action %d of the script lets %d of a million requests to the storage be late by %d ns; give up to 1000000 and 0 to 30 days", i+1, a.Late, a.By)
	}
}

// checkOn finds whether vertex v can have such an action.
func (a *Action) checkOn(v *Vertex, i int, bad func(string, ...any)) {
	switch a.Do {
	case Backlog:
		if v.Kind != Source {
			bad("action %d of the script lets %s work off a backlog, but it is no source", i+1, v.Name)
		}
	case Hang:
		if a.For < 0 || a.For > maxDuration {
			bad("action %d of the script lets %s hang for %d ns; give 0 for ever, or up to 30 days", i+1, v.Name, a.For)
		}
	case Throttle:
		if a.For <= 0 || a.For > maxDuration || a.Times <= 1000 || a.Times > mostTimes {
			bad("action %d of the script throttles the task manager of %s for %d ns to %d per mille of the usual time; give up to 30 days and 1001 to %d", i+1, v.Name, a.For, a.Times, mostTimes)
		}
	case SlowFlush:
		if v.Kind != Sink || v.Guarantee == NoGuarantee {
			bad("action %d of the script gives %s another flush, but only a sink that guarantees something waits for one; name such a sink", i+1, v.Name)
		} else if a.Cost < 0 || a.Cost > maxDuration {
			bad("action %d of the script gives %s a flush of %d ns; give 0 to 30 days", i+1, v.Name, a.Cost)
		}
	case RefuseCommits:
		if v.Kind != Sink || v.Guarantee != ExactlyOnce {
			bad("action %d of the script lets commits of %s be refused, but only an EXACTLY_ONCE sink commits; name one", i+1, v.Name)
		} else if a.For <= 0 || a.For > maxDuration || a.Cost < 0 || a.Cost > maxDuration {
			bad("action %d of the script lets commits of %s be refused for %d ns, each after %d ns; give up to 30 days", i+1, v.Name, a.For, a.Cost)
		}
	case Slow:
		if a.Cost < 0 {
			bad("action %d of the script gives %s a negative cost", i+1, v.Name)
		} else if a.Cost == 0 && v.Kind == Source && v.RateNum == 0 {
			bad("action %d of the script lets %s read as fast as it can at no cost; give it a cost", i+1, v.Name)
		}
	case Rate:
		a.checkRate(v, i, bad)
	}
}

func (a *Action) checkRate(v *Vertex, i int, bad func(string, ...any)) {
	switch {
	case v.Kind != Source:
		bad("action %d of the script gives %s a rate, but it is no source", i+1, v.Name)
	case a.RateNum <= 0 || a.RatePer <= 0:
		bad("action %d of the script gives %s a rate that is not positive", i+1, v.Name)
	case a.RatePer > maxDuration:
		bad("action %d of the script gives %s a rate per more than 30 days; give a shorter time", i+1, v.Name)
	case v.tooFast(a.RateNum, a.RatePer):
		bad("action %d of the script gives %s a rate above %d records a ns in all of its %d partitions; lower it", i+1, v.Name, maxRate, v.logs())
	case !v.loadFits(a.RateNum, a.RatePer):
		bad("action %d of the script gives %s a rate that with its load comes to more than %d records a ns, or is given per too long a time; lower it", i+1, v.Name, maxRate)
	}
}
