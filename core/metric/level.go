package metric

// Level is how Flink's REST interface and web page call a share of back-pressured time (spec 4.5).
type Level uint8

// The levels.
const (
	OK  Level = iota // up to 10 %
	Low              // up to 50 %
	High
)

// String is the level as the REST interface spells it.
func (l Level) String() string { return [...]string{"ok", "low", "high"}[l] }

// LevelOf is the level of a subtask with that backPressuredTimeMsPerSecond; a vertex has that of its greatest.
func LevelOf(backPressuredMs int64) Level {
	switch {
	case backPressuredMs <= 100:
		return OK
	case backPressuredMs <= 500:
		return Low
	default:
		return High
	}
}

// Ratio is a share in ms per second as the REST interface gives it, 0 … 1.
func Ratio(ms int64) float64 { return float64(ms) / 1000 }

// Absent stands for the metric of a subtask that has reported none.
const Absent = -1

// VertexLevel is what the REST interface tells of a vertex, from the backPressuredTimeMsPerSecond of its subtasks: the
// subtasks it lists and the level of the greatest. ok is false, and Flink's status "deprecated", if none has reported.
func VertexLevel(subtaskMs []int64) (listed []int, level Level, ok bool) {
	for i, ms := range subtaskMs {
		if ms != Absent {
			listed = append(listed, i)
			level = max(level, LevelOf(ms))
		}
	}
	return listed, level, len(listed) > 0
}

// RGB is a colour.
type RGB struct{ R, G, B uint8 }

// The colours between which the web page's job graph blends a node: fill and border (spec 4.5).
var (
	idleFill, idleBorder                   = RGB{0x5d, 0xb1, 0xff}, RGB{0x18, 0x90, 0xff}
	busyFill, busyBorder                   = RGB{0xee, 0x64, 0x64}, RGB{0xee, 0x22, 0x22}
	backPressuredFill, backPressuredBorder = RGB{0x88, 0x88, 0x88}, RGB{0x00, 0x00, 0x00}
)

// NodeColor is the fill and the border of a node in the web page's job graph: from idle toward busy by the busy share,
// then toward back-pressured by that share. Both are the maximum over the vertex's subtasks, in ms per second, 0 … 1000.
func NodeColor(busyMs, backPressuredMs int64) (fill, border RGB) {
	return blend(blend(idleFill, busyFill, busyMs), backPressuredFill, backPressuredMs),
		blend(blend(idleBorder, busyBorder, busyMs), backPressuredBorder, backPressuredMs)
}

// blend goes mills thousandths of the way from a to b, each part rounded to the nearest.
func blend(a, b RGB, mills int64) RGB {
	part := func(from, to uint8) uint8 {
		return uint8((int64(from)*(1000-mills) + int64(to)*mills + 500) / 1000)
	}
	return RGB{part(a.R, b.R), part(a.G, b.G), part(a.B, b.B)}
}
