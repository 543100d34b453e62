package core

import "checkpointlab/core/task"

// The counters of a task of which Flink keeps a meter.
const (
	recordsIn = iota
	recordsOut
	bytesInLocal
	bytesInRemote
	buffersInLocal
	buffersInRemote
	bytesOut
	buffersOut
	firedTimers
	mailsRun
	meters
)

// counts are the counters of a task since the run began.
type counts [meters]int64

// Rates are Flink's meters of a task: growth per second over the last minute, as of the last update (metric.Meter). That of numBytesIn
// is the sum of its parts, local and remote.
type Rates struct {
	NumRecordsInPerSecond, NumRecordsOutPerSecond           float64
	NumBytesInPerSecond, NumBytesOutPerSecond               float64
	NumBytesInLocalPerSecond, NumBytesInRemotePerSecond     float64
	NumBuffersInLocalPerSecond, NumBuffersInRemotePerSecond float64
	NumBuffersOutPerSecond                                  float64
	NumFiredTimersPerSecond                                 float64
	MailboxMailsPerSecond                                   float64
}

// read is what the meters show.
func (g *gauges) read() Rates {
	m := &g.meters
	local, remote := m[bytesInLocal].Rate(), m[bytesInRemote].Rate()
	return Rates{
		NumRecordsInPerSecond: m[recordsIn].Rate(), NumRecordsOutPerSecond: m[recordsOut].Rate(),
		NumBytesInPerSecond: local + remote, NumBytesOutPerSecond: m[bytesOut].Rate(),
		NumBytesInLocalPerSecond: local, NumBytesInRemotePerSecond: remote,
		NumBuffersInLocalPerSecond: m[buffersInLocal].Rate(), NumBuffersInRemotePerSecond: m[buffersInRemote].Rate(),
		NumBuffersOutPerSecond: m[buffersOut].Rate(), NumFiredTimersPerSecond: m[firedTimers].Rate(), MailboxMailsPerSecond: m[mailsRun].Rate(),
	}
}

// countsOf is where a task's counters stand now. The task must not ride.
func (l *Lab) countsOf(t *task.Task) (c counts) {
	c[recordsIn], c[recordsOut] = l.world.Counted(t, l.now)
	c[firedTimers], c[mailsRun] = l.world.FiredTimers(t, l.now), t.Mailed()
	for _, g := range t.Gates {
		in := &l.world.Net.Gates[g].In
		c[bytesInLocal] += in.Local.Bytes
		c[bytesInRemote] += in.Remote.Bytes
		c[buffersInLocal] += in.Local.Buffers
		c[buffersInRemote] += in.Remote.Buffers
	}
	for _, p := range t.Outs {
		out := &l.world.Net.Partitions[p].Out
		c[bytesOut] += out.Bytes
		c[buffersOut] += out.Buffers
	}
	return c
}
