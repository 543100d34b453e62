package scenarios

import (
	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
)

var watermarkFields = []string{"bound", "idle", "behind", "group", "drift", "update"}

// eventTimeSettable describes the settings of event time.
var eventTimeSettable = []option.Option{
	field("job.vertices.*.watermark.bound", option.Duration, "0 ms", "ms", "up to 30 d",
		"out-of-orderness", "허용 지연", "By how much a watermark stays behind the greatest event time, so that late records still count.",
		"늦게 온 레코드도 셈에 들도록 워터마크가 가장 큰 이벤트 시간보다 얼마나 뒤처지는지 정한다."),
	field("job.vertices.*.watermark.idle", option.Duration, "", "ms", "1 ms to 30 d",
		"idleness timeout", "유휴 시간 제한", "After how long without a record a source counts as idle and holds up no watermark.",
		"레코드가 이만큼 없으면 소스를 유휴로 보고 워터마크가 기다리지 않게 한다."),
	field("job.vertices.*.watermark.behind", option.Duration, "0 ms", "ms", "up to 30 d",
		"event time behind arrival", "이벤트 시간의 늦음", "How far a record's event time lies before its arrival in the log.",
		"레코드의 이벤트 시간이 로그에 도착한 시각보다 얼마나 앞서는지 정한다."),
	field("job.vertices.*.watermark.group", option.Text, "", "", "up to 40 letters, digits, - and _",
		"alignment group", "정렬 그룹", "Sources of one group pause when they are ahead of the others.", "같은 그룹의 소스는 다른 소스보다 앞서면 읽기를 멈춘다."),
	field("job.vertices.*.watermark.drift", option.Duration, "0 ms", "ms", "up to 30 d",
		"largest drift", "최대 차이", "How far a source's watermark may be ahead of the least of its group.", "소스의 워터마크가 그룹의 가장 작은 값보다 얼마나 앞설 수 있는지 정한다."),
	field("job.vertices.*.watermark.update", option.Duration, "1 s", "ms", "1 ms to 30 d",
		"alignment interval", "정렬 주기", "How often sources report their watermarks and hear how far they may go.", "소스가 워터마크를 알리고 어디까지 갈 수 있는지 듣는 주기다."),
}

// watermarks reads how a source makes watermarks; without the mapping it makes none.
func (r *reader) watermarks(o *object, v *core.Vertex) {
	if !o.has("watermark") {
		return
	}
	w := r.object(o.values["watermark"], o.path+"watermark", watermarkFields...)
	v.Watermarks = core.Watermarks{
		On: true, Bound: w.span("bound", 0, 0, longestRun), Idle: w.span("idle", 0, event.Millisecond, longestRun), Behind: w.span("behind", 0, 0, longestRun),
	}
	a := &v.Watermarks.Align
	w.read("group", "write a name", func(text string) error {
		if !isName(text) {
			return &option.Mistake{Problem: "is not a name", Remedy: "write up to 40 letters, digits, - or _"}
		}
		a.Group = text
		return nil
	})
	a.Drift, a.Update = w.span("drift", 0, 0, longestRun), w.span("update", 0, event.Millisecond, longestRun)
	if a.Group == "" {
		w.refuse("needs a group", "drift", "update")
	}
}
