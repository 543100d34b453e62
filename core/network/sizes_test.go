package network

import (
	"testing"

	"checkpointlab/core/event"
	"checkpointlab/core/sim"
)

// debloated is a network of one producer and two channels, whose segments have 1,000 bytes and whose buffers 100 by debloating.
func debloated(all, extends bool) *Network {
	feed := event.NewFeed()
	n := New(Plan{
		Wires: []Wire{{}, {Gate: 1, Sub: 1}}, Partitions: []Partition{{Count: 2, All: all}}, Dealers: []Dealer{toFirst{}}, GateInputs: [][]event.Channel{{0}, {1}},
		Exclusive: 1, Floating: 2, MaxPerSub: 10, Segment: 100, Whole: 1000, Extends: extends,
	}, &sim.Queue{}, &feed, &producer{})
	n.Channels[0].Credit, n.Channels[1].Credit = 0, 0
	return n
}

// toFirst deals everything to the first channel.
type toFirst struct{ Dealer }

func (toFirst) Only() int32 { return 0 }

// Debloating does not split a record: a new buffer has room for all that is left to write of one, as far as a segment reaches
// (BufferWritingResultPartition.resizeBuffer and appendUnicastDataForRecordContinuation of 1.18.1, 1.20.1 and 2.3.0).
func TestBufferHoldsItsFirstRecord(t *testing.T) {
	for _, all := range []bool{false, true} {
		for _, c := range []struct {
			records []int32
			want    []int32 // bytes of the buffers, all but the last of them full
		}{
			{[]int32{600}, []int32{600}},              // larger than the buffer is to be
			{[]int32{600, 30}, []int32{600, 30}},      // … which is full
			{[]int32{60, 600}, []int32{100, 560}},     // its rest is in one buffer, too
			{[]int32{60, 60}, []int32{100, 20}},       // smaller ones: as debloating has it
			{[]int32{2500}, []int32{1000, 1000, 500}}, // larger than segments
		} {
			n := debloated(all, true)
			for _, size := range c.records {
				if n.Emit(0, 0, &event.Run{Count: 1, Size: size}) > 0 {
					t.Fatalf("records of %v bytes wait", c.records)
				}
			}
			q := &n.Channels[0].Queue
			if q.Len() != len(c.want) {
				t.Errorf("records of %v bytes are in %d buffers, expected %v", c.records, q.Len(), c.want)
				continue
			}
			for i, want := range c.want {
				if e := q.At(i); e.Bytes != want || i < q.Len()-1 && !e.Finished {
					t.Errorf("records of %v bytes: buffer %d has %d, expected %v", c.records, i, e.Bytes, c.want)
				}
			}
		}
	}
}

// A writer whose pool has nothing left does not take overdraft while its segment has room beyond what debloating wants: since 1.20
// (BufferWritingResultPartition.append).
func TestBufferGrowsWhilePoolIsEmpty(t *testing.T) {
	for _, all := range []bool{false, true} {
		for _, extends := range []bool{false, true} {
			n := debloated(all, extends)
			n.Emit(0, 0, &event.Run{Count: 1, Size: 60})
			pool, e := &n.Partitions[0].Pool, n.Channels[0].Queue.Last()
			for pool.Available() {
				pool.Take(-1)
			}
			waiting := 0
			for i := 0; i < 3 && waiting == 0; i++ {
				waiting = n.Emit(0, 0, &event.Run{Count: 1, Size: 60})
			}
			switch {
			case extends && (waiting > 0 || e.Bytes != 240 || e.Size != 241 || e.Finished):
				t.Errorf("broadcast %v: %d wait, %d of %d bytes are written, finished %v; expected 240 of 241 in an open buffer", all, waiting, e.Bytes, e.Size, e.Finished)
			case !extends && (waiting == 0 || e.Bytes != 100):
				t.Errorf("broadcast %v before 1.20: %d wait, %d bytes are written, expected a full buffer of 100", all, waiting, e.Bytes)
			}
			if extends && n.Emit(0, 0, &event.Run{Count: 1, Size: 800}) == 0 || extends && (e.Bytes != 1000 || e.Size != 1000) {
				t.Errorf("broadcast %v: %d of %d bytes, expected a full segment and a record that waits for another", all, e.Bytes, e.Size)
			}
		}
	}
}
