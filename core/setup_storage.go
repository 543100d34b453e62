package core

import (
	"checkpointlab/core/event"
	"checkpointlab/core/option"
	"checkpointlab/core/state/storage"
)

// Storage is where checkpoints are kept. The zero value is no storage: then an asynchronous part takes the time that the
// backend says, and nothing is deleted. Rates are per second, 0 = without limit.
type Storage struct {
	On         bool
	Bandwidth  int64 // bytes, of all clients together
	PerManager int64 // bytes, of one task manager
	Latency    event.Time
	P99, Max   event.Time // of the latency; 0 = all requests take Latency
	Requests   int64      // per prefix
	Prefixes   int64      // over which an object store spreads the files; 0 = 1
	Refuse     bool       // requests above the limit are refused and tried again; else they queue
	Attempts   int        // of a refused request; 0 = 20
	RetryAfter event.Time // before the second attempt, then twice as long each time; 0 = 100 ms
	Replay     int64      // bytes a second at which a changelog is replayed; 0 = at no cost
}

// The retries of a refused request: fs.s3a.retry.throttle.limit and .interval of Hadoop's S3A, which doubles it each time.
const (
	refusedAttempts            = 20
	refusedAfter    event.Time = 100 * event.Millisecond
)

// Limits of a storage.
const (
	maxRequests = 1_000_000_000
	maxPrefixes = 1_000_000
	maxSlow     = 10_000_000_000 // per mille: ten million times as long
)

func (s *Setup) checkStorage(bad func(string, ...any)) {
	st := &s.Storage
	if !st.On {
		for i := range s.Script {
			if s.Script[i].Do == StorageFault {
				bad("action %d of the script changes the storage, but the scenario has none; add storage: with a bandwidth", i+1)
			}
		}
		return
	}
	whole := upTo(bad, "storage.")
	whole("bandwidth in bytes a second", st.Bandwidth, maxState)
	whole("perManager in bytes a second", st.PerManager, maxState)
	whole("replay in bytes a second", st.Replay, maxState)
	whole("latency in ns", st.Latency, maxDuration)
	whole("p99 in ns", st.P99, maxDuration)
	whole("max in ns", st.Max, maxDuration)
	whole("requests", st.Requests, maxRequests)
	whole("prefixes", st.Prefixes, maxPrefixes)
	whole("attempts", int64(st.Attempts), 1000)
	whole("retryAfter in ns", st.RetryAfter, 3600*event.Second)
	l := st.latency()
	if l.P99 < l.P50 || l.Max < l.P99 {
		bad("storage.latency is %d ns, p99 %d ns, max %d ns; give them in ascending order", l.P50, l.P99, l.Max)
	}
}

func (st *Storage) latency() storage.Latency {
	l := storage.Latency{P50: st.Latency, P99: st.P99, Max: st.Max}
	if l.P99 == 0 {
		l.P99 = l.P50
	}
	if l.Max == 0 {
		l.Max = l.P99
	}
	return l
}

// storageConfig is the storage of a run.
func (p *plan) storageConfig() storage.Config {
	st, o := &p.setup.Storage, &p.setup.Options
	c := storage.Config{
		Total: st.Bandwidth, PerManager: st.PerManager, Latency: st.latency(), Requests: st.Requests, Prefixes: st.Prefixes,
		Refuse: st.Refuse, Attempts: st.Attempts, RetryAfter: st.RetryAfter, Managers: p.mostManagers(), Owners: p.tasks, Seed: p.setup.Seed,
	}
	if c.Attempts == 0 {
		c.Attempts = refusedAttempts
	}
	if c.RetryAfter == 0 {
		c.RetryAfter = refusedAfter
	}
	if o.FileMerging {
		c.Merge = storage.Merging{Size: o.FileMergingSize, Across: o.FileMergingAcross}
	}
	return c
}

// inlineUpTo is the size of the largest file that goes into the metadata.
func inlineUpTo(o *option.Config) int64 {
	if o.Storage == option.JobManagerStorage {
		return maxState
	}
	return o.InlineThreshold
}

// mostManagers is the largest number of task managers of any phase: a rescaling may need more.
func (p *plan) mostManagers() int {
	most := p.managers
	for _, q := range p.phases {
		most = max(most, q.managers)
	}
	return most
}
