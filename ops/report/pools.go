package report

import "checkpointlab/core"

// The scopes of a task's gauges of buffers (NettyShuffleMetricFactory).
const (
	inputBuffers  = "Shuffle.Netty.Input.Buffers."
	outputBuffers = "Shuffle.Netty.Output.Buffers."
)

// poolGauges adds what waits in the queues of subtask k of vertex i, and how much of its pools is in use. A gate counts what stands in the
// subpartitions that it reads within its task manager (LocalInputChannel.unsynchronizedGetNumberOfQueuedBuffers), but not its bytes.
func poolGauges(m Values, v *core.View, i, k int) {
	var in, out struct{ length, size int64 }
	var used, total struct{ exclusive, floating int }
	for e := range v.Exchanges {
		x := &v.Exchanges[e]
		if x.To == i {
			total.floating += x.Gates[k].Floating
		}
		for c := range x.Channels {
			ch := &x.Channels[c]
			if x.From == i && ch.From == k {
				out.length, out.size = out.length+int64(len(ch.Sender)), out.size+bytesOf(ch.Sender)
			}
			if x.To != i || ch.To != k {
				continue
			}
			in.length, in.size = in.length+int64(len(ch.Receiver)), in.size+bytesOf(ch.Receiver)
			if ch.Local {
				in.length += int64(len(ch.Sender))
				continue
			}
			exclusive, floating := taken(ch)
			used.exclusive, used.floating = used.exclusive+exclusive, used.floating+floating
		}
	}
	t := &v.Vertices[i].Tasks[k]
	total.exclusive = t.InTotal - total.floating
	m[outputBuffers+"outputQueueLength"], m[outputBuffers+"outputQueueSize"] = out.length, out.size
	m[outputBuffers+"outPoolUsage"] = usage(t.OutUsed, t.OutTotal)
	m[inputBuffers+"inputQueueLength"], m[inputBuffers+"inputQueueSize"] = in.length, in.size
	m[inputBuffers+"inPoolUsage"] = usage(used.exclusive+used.floating, total.exclusive+total.floating)
	m[inputBuffers+"inputExclusiveBuffersUsage"] = usage(used.exclusive, total.exclusive)
	m[inputBuffers+"inputFloatingBuffersUsage"] = usage(used.floating, total.floating)
}

func bytesOf(cells []core.Cell) (n int64) {
	for i := range cells {
		n += int64(cells[i].Bytes)
	}
	return n
}

// taken is how many of a channel's buffers at its receiver are filled, by kind (ExclusiveBuffersUsageGauge, FloatingBuffersUsageGauge).
func taken(c *core.ChannelView) (exclusive, floating int) {
	count := func(b *core.Cell) {
		switch {
		case b.Kind != core.Data:
		case b.Exclusive:
			exclusive++
		default:
			floating++
		}
	}
	for i := range c.Receiver {
		count(&c.Receiver[i])
	}
	if c.Holding {
		count(&c.Current)
	}
	return exclusive, floating
}

// usage is a share of a pool; 0 if there is none (AbstractBuffersUsageGauge).
func usage(used, total int) float64 {
	if total == 0 {
		return 0
	}
	return float64(used) / float64(total)
}

// managerMetrics are the network memory of each task manager (NettyShuffleMetricFactory.registerShuffleMetrics). How much there is in all
// is known if the settings say it.
func managerMetrics(s *core.Setup, v *core.View) (all []Values) {
	const scope = "Status.Shuffle.Netty."
	size := int64(s.Options.SegmentSize)
	for i := range v.Managers {
		x := &v.Managers[i]
		m := Values{scope + "UsedMemorySegments": x.Used, scope + "UsedMemory": x.Used * size}
		if x.Total > 0 {
			m.add(map[string]int64{
				scope + "TotalMemorySegments": x.Total, scope + "TotalMemory": x.Total * size,
				scope + "AvailableMemorySegments": x.Total - x.Used, scope + "AvailableMemory": (x.Total - x.Used) * size,
				scope + "RequestedMemoryUsage": 100 * x.Requested / x.Total,
			})
		}
		all = append(all, m)
	}
	return all
}
