package sink

import (
	"testing"

	"pgregory.net/rapid"

	"checkpointlab/core/event"
)

// sent is records on their way to a sink by one channel, each of which has a number: those sent, those shown, and where each barrier is
// among them.
type sent struct {
	sent, shown int64
	since       []event.Checkpoint // by record: the last barrier ahead of it
	cut         map[event.Checkpoint]int64
	seen        map[int64]bool // records that were ever shown
}

// TestDuplicatesBehindBarriersThatDoNotAlign: a checkpoint is complete when all that is ahead of its barriers is shown, with whatever is
// shown from behind them; a restore sends all that is behind them again. What is counted as shown again is what was shown.
func TestDuplicatesBehindBarriersThatDoNotAlign(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const channels = 3
		o, twin := NewOutput(channels), NewOutput(channels)
		var lanes [channels]sent
		for i := range lanes {
			lanes[i].cut, lanes[i].seen = map[event.Checkpoint]int64{0: 0}, map[int64]bool{}
		}
		next, completed, again := event.Checkpoint(1), event.Checkpoint(0), int64(0)
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			at := rapid.IntRange(0, len(lanes)-1).Draw(t, "lane")
			l := &lanes[at]
			switch rapid.SampledFrom([]string{"send", "show", "show", "barrier", "complete", "restore", "copy"}).Draw(t, "step") {
			case "send":
				for range rapid.IntRange(1, 6).Draw(t, "records") {
					l.since = append(l.since[:l.sent], next-1)
					l.sent++
				}
			case "show":
				for range rapid.Int64Range(0, l.sent-l.shown).Draw(t, "records") {
					if l.seen[l.shown] {
						again++
					}
					l.seen[l.shown] = true
					o.Show(&event.Run{Since: l.since[l.shown], Count: 1, Via: int32(at)})
					l.shown++
				}
			case "barrier":
				for i := range lanes {
					lanes[i].cut[next] = lanes[i].sent
				}
				next++
			case "complete":
				for id := completed + 1; id < next; id++ {
					for i := range lanes {
						if c, ok := lanes[i].cut[id]; !ok || lanes[i].shown < c {
							id = next
							break
						}
					}
					if id < next {
						completed = id
					}
				}
				o.settle(completed)
			case "restore":
				o.Rewind(0, completed)
				for i := range lanes {
					x := &lanes[i]
					x.sent, x.shown = x.cut[completed], x.cut[completed]
					for id := range x.cut {
						if id > completed {
							delete(x.cut, id)
						}
					}
				}
				if ahead := o.Ahead(0, completed); ahead != aheadOf(lanes[:]) {
					t.Fatalf("%d are ahead of checkpoint %d, want %d", ahead, completed, aheadOf(lanes[:]))
				}
			case "copy":
				twin.CopyFrom(&o)
				o, twin = twin, o
			}
			if o.Duplicates != again {
				t.Fatalf("%d duplicates, %d records were shown again", o.Duplicates, again)
			}
		}
	})
}

// aheadOf is how many records were shown that are going to be sent again.
func aheadOf(lanes []sent) (n int64) {
	for i := range lanes {
		for record := range lanes[i].seen {
			if record >= lanes[i].shown {
				n++
			}
		}
	}
	return n
}

// What others had shown before the job was rescaled is counted in what comes first, whoever sends it.
func TestDuplicatesBehindARescaling(t *testing.T) {
	o := NewOutput(2)
	o.Show(&event.Run{Count: 100, Via: 1})
	o.Regroup(2, 30)
	o.Show(&event.Run{Since: 5, Count: 20, Via: 1})
	o.Show(&event.Run{Since: 5, Count: 20, Via: 0})
	if o.Duplicates != 30 {
		t.Errorf("%d duplicates, want 30", o.Duplicates)
	}
	o.Rewind(0, 5)
	if o.Show(&event.Run{Since: 5, Count: 50, Via: 1}); o.Duplicates != 50 {
		t.Errorf("%d duplicates behind a restore of the first checkpoint, want 20 more", o.Duplicates)
	}
}
