// Package network is every channel of a job, from the segment that a record is written into to the credit that its reader gives
// back (spec 4). It knows buffers, backlog and priority; what a barrier means is the business of core/barrier.
//
// Follow a buffer:
//
//   - Emit deals records to channels and writes them; a segment comes from the partition's BufferPool, or the producer waits
//     (partition.go, pool.go).
//   - A full buffer, or one that Flush found, is sent as long as its channel has credit; what stays is its backlog
//     (network.go, channel.go). A local channel has neither: its consumer reads the queue itself (local.go).
//   - Deliver takes it off the wire into the receiver's queue, where a priority event overtakes (receiving.go, queue.go).
//   - Poll hands it to the consumer, and Recycle gives its place back: that is credit, from the channel's exclusive buffers or
//     the gate's floating ones (gate.go, credit.go), which wakes the sender.
//
// Debloater and Throughput size buffers (debloat.go, throughput.go). hop.go and fetch.go make wide jobs fast and change nothing.
//
// A Network schedules what it has under way in the caller's queue, tells producers through Producers, and the world through the
// feed. Sizes are bytes, times are nanoseconds, Debloating.TargetMs apart. CopyFrom copies deeply into memory that is there.
// Nothing here fails: what a caller must not do panics.
package network
