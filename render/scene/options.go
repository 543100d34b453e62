package scene

import (
	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/render/token"
)

// Lang is the language of the picture's words. Flink's own words stay English in both.
type Lang uint8

// The languages.
const (
	English Lang = iota
	Korean
)

// ParseLang reads "en" or "ko"; anything else is English.
func ParseLang(s string) Lang {
	if s == "ko" {
		return Korean
	}
	return English
}

// String is the language as ParseLang reads it.
func (l Lang) String() string { return [...]string{English: "en", Korean: "ko"}[l] }

// Layout is how the picture is laid out.
type Layout uint8

// The layouts; Auto chooses by the width: wide from 1200 px, medium from 720 px, phone below.
const (
	Auto Layout = iota
	Wide
	Medium
	Phone
	Embed // medium cells; no coordinator band, no time budget, no legend
)

// Level is the level of detail of channels and subtasks.
type Level uint8

// The levels; ByParallelism chooses by the largest parallelism of the job.
const (
	ByParallelism Level = iota
	Cells               // 1 to 4 subtasks: every buffer is a cell
	Matrix              // 5 to 16: a subtask is a line, a channel a matrix cell
	Compact             // 17 to 64: thin lines, small matrix cells in three greys
	Summed              // more: one sorted area per operator, one range per exchange
)

// Options choose how a view is drawn. The zero value with a Width is usable.
type Options struct {
	Width  float64 // CSS px
	Height float64 // CSS px at most; 0 = as high as needed. Too low a height makes the next level of detail, on a phone lower lanes if that helps
	Lang   Lang
	Layout Layout
	Level  Level // the least level of detail

	Segment int32 // taskmanager.memory.segment-size in bytes; 0 = 32 KiB

	// RecordsPerPx scales the logs and the outputs, PxPerSecond the time budget; 0 = chosen from the whole History in
	// fixed steps, so that they do not change while a computed run plays.
	RecordsPerPx float64
	PxPerSecond  float64

	// Focus dims everything that has not the hue of this checkpoint to 1 − Dim·0.65 of its strength (Dim 0 to 1).
	Focus event.Checkpoint
	Dim   float64

	// Motion is for how many ms an instant of the run, at most the view's, has been on the screen: marks are drawn on their way
	// (motion.go). nil = all stand where the state has them, as when nothing plays.
	Motion func(since event.Time) (ms float64)

	// Steps draws no mark on its way, as reduced motion asks: where a barrier was sent or received just
	// now, its wire and the task that it goes to stand out.
	Steps bool

	// Open shows subtask Open−1 (a task id) of a merged operator with its direct neighbours at level Cells; 0 = all.
	Open event.Task
}

// defaultSegment is Flink's default of taskmanager.memory.segment-size.
const defaultSegment = 32 << 10

// LayoutFor is the layout of a width in CSS px (design 5).
func LayoutFor(width float64) Layout {
	switch {
	case width >= 1200:
		return Wide
	case width >= 720:
		return Medium
	}
	return Phone
}

func (o *Options) layout() Layout {
	if o.Layout != Auto {
		return o.Layout
	}
	return LayoutFor(o.Width)
}

// LevelFor is the level of detail of a view (design 4).
func LevelFor(v *core.View) Level {
	largest := 0
	for i := range v.Vertices {
		largest = max(largest, len(v.Vertices[i].Tasks))
	}
	switch {
	case largest <= 4:
		return Cells
	case largest <= 16:
		return Matrix
	case largest <= 64:
		return Compact
	}
	return Summed
}

// geometry is the sizes of a layout in CSS px.
type geometry struct {
	cell, gap, cellH  float64
	barrierH, flag    float64
	gateH             float64
	cardW, cardH      float64
	first, last       float64 // from a card's edges to its first and last channel row
	rowPitch          float64 // least distance of channel rows
	rowGap            float64 // between cards
	logW, outW, side  float64 // log strip, output strip, and their distance to the cards
	senderTail        float64 // from the sender queue's head to the gate's end, plus air at its tail
	top               float64 // the first card's y with and
	topBare           float64 // without the band
	wires             float64 // least and
	widest            float64 // greatest width of the crossing wires
	credits           float64 // room right of a gate for the number of credits, which no wire crosses
	numbers, underray bool    // credit as a number; underlines and pools
	endH, beltY       float64 // phone: height of a log or an output, and of its strip's base line in it
	oneLine           bool    // phone: a card is one line without words, a log has no name
}

var wide = geometry{
	cell: token.CellW, gap: token.CellGap, cellH: token.CellH, barrierH: token.BarrierH, flag: token.Flag, gateH: 20,
	cardW: token.CardW, cardH: token.CardH, first: 44, last: 24, rowPitch: 38, rowGap: token.RowGap,
	logW: 156, outW: 224, side: 14, senderTail: 33, top: 66, topBare: 31, wires: 40, widest: 150,
	credits: 16, numbers: true, underray: true,
}

var medium = geometry{
	cell: 5, gap: 1, cellH: 16, barrierH: 26, flag: 13, gateH: 18,
	cardW: 96, cardH: 98, first: 44, last: 12, rowPitch: 36, rowGap: token.RowGap,
	logW: 108, outW: 128, side: 10, senderTail: 27, top: 66, topBare: 31, wires: 23, widest: 110, underray: true,
}

var phone = geometry{
	cell: 7, gap: 2, cellH: 16, barrierH: 15, flag: 12, gateH: 18, cardH: 46, rowPitch: 27, rowGap: 8, senderTail: 25,
	wires: 24, widest: 24, first: 44, last: 12, side: 8, endH: 58, beltY: 36,
}

// lowPhone is the phone's where that is too high for its window and this is not.
var lowPhone = geometry{
	cell: 7, gap: 2, cellH: 11, barrierH: 7, flag: 11, gateH: 13, cardH: 24, rowPitch: 18, rowGap: 6, senderTail: 25,
	wires: 24, widest: 24, first: 44, last: 12, side: 8, endH: 46, beltY: 29, oneLine: true,
}

// pitch is the distance of two cells.
func (g *geometry) pitch() float64 { return g.cell + g.gap }
