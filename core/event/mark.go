package event

// Marker is the Src of a watermark, which travels among the records of a channel (spec 4.2).
const Marker Task = -1

// Bytes on the wire of a watermark and of a watermark status: 4 of length, 1 that tells the kind, and the time or the
// status (StreamElementSerializer).
const (
	MarkBytes   int32 = 13
	StatusBytes int32 = 9
)

// MarkRun is a watermark on its way, in ms.
func MarkRun(mark int64) Run { return Run{Src: Marker, Since: mark, Count: 1, Size: MarkBytes} }

// StatusRun is a watermark status on its way.
func StatusRun(status int8) Run {
	return Run{Src: Marker, Via: int32(status), Count: 1, Size: StatusBytes}
}

// IsMark reports whether r is a watermark, in Since, or, if Via is not 0, a status.
func (r *Run) IsMark() bool { return r.Src == Marker }
