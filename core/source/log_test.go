package source

import (
	"math/rand/v2"
	"testing"

	"checkpointlab/core/event"
)

// TestRatesBehindTheEndAreNotKept: a log that has ended keeps no piece for each of the rates that it would have.
func TestRatesBehindTheEndAreNotKept(t *testing.T) {
	l := NewLog(0, 10, 1000, 5000)
	for i := range event.Time(1000) {
		l.SetRate(4000+i*10, 1+i%7, 1000, 0)
	}
	if most := 102; len(l.pieces) > most {
		t.Errorf("%d pieces, expected at most %d: one for each of 100 changes ahead of the end", len(l.pieces), most)
	}
	if num, _ := l.Rate(); num != 1+999%7 {
		t.Errorf("the rate is %d, expected the last one", num)
	}
	if before := l.Arrived(5000); l.Arrived(1<<40) != before {
		t.Errorf("%d records at the end, %d later", before, l.Arrived(1<<40))
	}
}

// TestPiecesAreFound: the piece of an instant or of a record is the last one that begins by then, however many there are.
func TestPiecesAreFound(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	l := NewLog(0, 3, 1000, 0)
	for now := event.Time(0); len(l.pieces) < 100; now += 1 + random.Int64N(5000) {
		l.SetRate(now, random.Int64N(20)+1, 1000, 0)
	}
	last := l.pieces[len(l.pieces)-1]
	for range 1000 {
		now, record := random.Int64N(last.start+1000), random.Int64N(last.first+10)
		at, of := 0, 0
		for i := range l.pieces {
			if l.pieces[i].start <= now {
				at = i
			}
			if l.pieces[i].first <= record {
				of = i
			}
		}
		if got := l.pieceAt(now); got != at {
			t.Errorf("at %d ns holds piece %d, expected %d", now, got, at)
		}
		if got := l.indexOf(record); got != of {
			t.Errorf("record %d arrives in piece %d, expected %d", record, got, of)
		}
	}
}
