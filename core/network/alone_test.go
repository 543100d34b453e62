package network

import (
	"testing"

	"checkpointlab/core/event"
)

// A record that ends with its buffer leaves it full and alone: nobody is told of it before the next buffer is begun or a flush
// comes (BufferWritingResultPartition.emitRecord, PipelinedSubpartition.shouldNotifyDataAvailable of 2.3.0).
func TestFullBufferWaitsAlone(t *testing.T) {
	for name, goesOn := range map[string]func(n *Network){
		"the next record": func(n *Network) { n.Emit(0, 0, &event.Run{Count: 1, Size: 10}) },
		"a flush":         func(n *Network) { n.Flush(0, 0) },
		"an event":        func(n *Network) { n.Broadcast(0, 0, barrier(1, Blocking)) },
	} {
		n := oneChannel(&producer{})
		n.Emit(0, 0, &event.Run{Count: 2, Size: 50})
		ch := &n.Channels[0]
		if ch.Queue.Len() != 1 || !ch.Queue.At(0).Finished || ch.Wire.Len() != 0 {
			t.Fatalf("%d buffers wait and %d are sent, expected a full one that waits", ch.Queue.Len(), ch.Wire.Len())
		}
		if goesOn(n); ch.Wire.Len() == 0 || ch.Wire.At(0).Bytes != 100 {
			t.Errorf("%s did not let the full buffer go", name)
		}
	}
}

// A record that goes on in another buffer lets the first one go as soon as that is there, not before: while the pool has none, it
// waits with the writer.
func TestFullBufferWaitsForItsNext(t *testing.T) {
	n := oneChannel(&producer{})
	pool := &n.Partitions[0].Pool
	for pool.Used() < int(pool.size+pool.maxOverdraft)-1 {
		pool.Take(0)
	}
	ch := &n.Channels[0]
	if n.Emit(0, 0, &event.Run{Count: 1, Size: 120}) != 1 || ch.Wire.Len() != 0 {
		t.Fatalf("%d buffers are sent while the record waits for its second segment", ch.Wire.Len())
	}
	pool.Recycle(0)
	if n.Continue(0, 0) != 0 || ch.Wire.Len() != 1 || ch.Queue.Len() != 1 {
		t.Errorf("%d buffers are sent and %d wait when the second segment is there, expected one each", ch.Wire.Len(), ch.Queue.Len())
	}
}

// What an unaligned barrier has overtaken and left alone waits, too, though the barrier finished it.
func TestBufferBehindUnalignedBarrierWaits(t *testing.T) {
	n := oneChannel(&producer{})
	n.Emit(0, 0, &event.Run{Count: 1, Size: 30})
	ch := &n.Channels[0]
	n.Overtake(0, 0, barrier(1, Priority), func(event.Channel, *Entry) {})
	if ch.Wire.Len() != 1 || ch.Queue.Len() != 1 {
		t.Fatalf("%d sent and %d waiting, expected the barrier and the buffer it has overtaken", ch.Wire.Len(), ch.Queue.Len())
	}
	if n.Flush(0, 0); ch.Wire.Len() != 2 {
		t.Error("a flush did not let it go")
	}
}
