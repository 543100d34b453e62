package core

import "checkpointlab/core/job"

// checkBuffers refuses a job that Flink could not deploy because a task manager has too few network buffers (NetworkBufferPool:
// "Insufficient number of network buffers"). It does so only if the settings give a task manager's size.
func (s *Setup) checkBuffers(bad func(string, ...any)) {
	if !s.Options.Sized() {
		return
	}
	j := s.chain()
	have, most, at := s.Options.NetworkBuffers(), int64(0), 0
	for m, n := range j.buffers() {
		if n > most {
			most, at = n, m
		}
	}
	if most > have {
		bad("the tasks of task manager %d need %d network buffers at least, but it has %d of %d bytes each, so the job cannot be deployed; "+
			"raise taskmanager.memory.network.max and .fraction (or the memory of the process), or lower the parallelism or the slots of a task manager", at, most, have, s.Options.SegmentSize)
	}
}

// buffers is the least number of segments that the tasks of each task manager need: per gate the exclusive ones of each remote
// channel and one floating, per result partition one for each subpartition and one more (NettyShuffleUtils,
// InputGateSpecUtils).
func (s *Setup) buffers() []int64 {
	first, tasks := make([]int, len(s.Vertices)), 0
	for v := range s.Vertices {
		first[v] = tasks
		tasks += s.Vertices[v].Parallelism
	}
	manager := func(v, i int) int {
		slot := first[v] + i
		if s.Cluster.Sharing {
			slot = i
		}
		return slot / max(1, s.Cluster.Slots)
	}
	need := make([]int64, tasks)
	for _, e := range s.Edges {
		from, to := s.Vertices[e.From].Parallelism, s.Vertices[e.To].Parallelism
		pattern := e.Partition.Partitioner().Pattern()
		on := make(map[int]int64) // producers by task manager
		for p := range from {
			lo, hi := pattern.Consumers(p, from, to)
			need[manager(e.From, p)] += int64(hi-lo) + 1
			on[manager(e.From, p)]++
		}
		for c := range to {
			lo, hi := pattern.Producers(c, from, to)
			m := manager(e.To, c)
			local := on[m]
			if pattern == job.Pointwise {
				local = 0
				for p := lo; p < hi; p++ {
					if manager(e.From, p) == m {
						local++
					}
				}
			}
			need[m] += (int64(hi-lo)-local)*int64(s.Options.BuffersPerChannel) + 1
		}
	}
	return need
}
