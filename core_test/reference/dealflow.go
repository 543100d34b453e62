package reference

import (
	"slices"

	"checkpointlab/core/job"
)

// What a checkpoint has of data in flight, dealt to other channels (spec 10.4).

// dealFlow deals the data in flight. Output goes to subtask i mod the new parallelism of its producer's vertex; what several
// new consumers read is dealt record by record, by the key groups of the old one, and watermarks go to all of them.
func (d *deal) dealFlow(from, to *save) {
	s, ways := d.old.setup, map[[2]int]*way{}
	for _, f := range from.flow {
		e, ends := f.channel.partition.edge, d.old.channel[f.channel]
		edge := &s.Edges[e]
		producers, consumers := d.run.subtasks(edge.From), d.run.subtasks(edge.To)
		producer := producers[ends[0]%len(producers)]
		readers := []int{ends[1]}
		if old := s.Vertices[edge.To].Parallelism; old != len(consumers) {
			readers = nil
			for j := range consumers {
				if slices.Contains(edge.Partition.Partitioner().Mapper().OldSubtasks(j, old, len(consumers), nil), ends[1]) {
					readers = append(readers, j)
				}
			}
		}
		if len(readers) == 1 {
			d.put(to, e, producer, readers[0], f.output, f.records...)
			continue
		}
		w := ways[[2]int{e, ends[1]}]
		if w == nil {
			w = d.newWay(e, ends[1], len(consumers))
			ways[[2]int{e, ends[1]}] = w
		}
		dealt := map[int][]record{}
		for _, one := range f.records {
			if one.mark != nil {
				for _, j := range readers {
					dealt[j] = append(dealt[j], one)
				}
				continue
			}
			j := w.dealing.Channel(w.dealt)
			w.dealt++
			dealt[j] = append(dealt[j], one)
		}
		for j := range consumers {
			if len(dealt[j]) > 0 {
				d.put(to, e, producer, j, f.output, dealt[j]...)
			}
		}
	}
}

// way is where the records go that were on the way to an old subtask.
type way struct {
	dealing job.Dealing
	dealt   int64
}

func (d *deal) newWay(e, to, now int) *way {
	s := d.old.setup
	old := s.Vertices[s.Edges[e].To].Parallelism
	weights, all := job.KeyWeights(s.Keys, s.HotShareMill, s.MaxParallel), int64(0)
	for g := range weights {
		if job.SubtaskOf(g, old, s.MaxParallel) != to {
			weights[g] = 0
		}
		all += weights[g]
	}
	for g := range weights {
		if all == 0 && job.SubtaskOf(g, old, s.MaxParallel) == to {
			weights[g] = 1
		}
	}
	return &way{dealing: job.NewHashDealing(weights, s.MaxParallel, now, dealingPeriod, s.Seed*1_000_003+uint64(e)*4099+uint64(to))}
}

// put adds records to the state of the channel of two subtasks.
func (d *deal) put(to *save, e int, producer *task, consumer int, output bool, records ...record) {
	for _, c := range d.run.channels {
		if c.partition.edge != e || c.partition.producer != producer || c.gate.consumer.index != consumer {
			continue
		}
		for _, f := range to.flow {
			if f.channel == c && f.output == output {
				f.records = append(f.records, records...)
				return
			}
		}
		to.flow = append(to.flow, &stored{c, output, slices.Clone(records)})
	}
}
