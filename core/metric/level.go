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
