package scenarios

import (
	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
)

var windowFields = []string{"size", "slide", "keep", "fire", "results", "entry"}

// keeps are the ways a window keeps its records; the second is core.Window.List.
var keeps = []string{"aggregate", "list"}

var windowSettable = []option.Option{
	field("job.vertices.*.window.size", option.Duration, "", "ms", "1 ms to 30 d",
		"window size", "윈도우 길이", "How much event time a window covers.", "윈도우 하나가 덮는 이벤트 시간이다."),
	field("job.vertices.*.window.slide", option.Duration, "", "ms", "1 ms to the size",
		"window slide", "윈도우 간격", "How far apart windows begin; without it they tumble.", "윈도우가 시작하는 간격이다. 없으면 겹치지 않는다."),
	field("job.vertices.*.window.keep", option.Enum, "aggregate", "", "",
		"window keeps", "윈도우가 두는 것", "Whether a window keeps an aggregate for each key, or every record until it fires.",
		"윈도우가 키마다 집계값만 두는지, 발화할 때까지 레코드를 모두 두는지 정한다.", keeps...),
	field("job.vertices.*.window.fire", option.Duration, "", "ms", "0 to 100 s",
		"cost of firing", "발화 비용", "What a timer costs, or with a list each record of the window.", "타이머 하나가 발화하는 비용이다. 레코드를 모두 두면 윈도우의 레코드마다 든다."),
	field("job.vertices.*.window.results", option.Int, "1", "", "1 to 1000",
		"results of a timer", "타이머당 결과", "How many records a timer makes.", "타이머 하나가 내보내는 레코드의 수다."),
	field("job.vertices.*.window.entry", option.Size, "0 bytes", "bytes", "up to 1000000 bytes",
		"state of an entry", "항목의 상태 크기", "The bytes of state of a key in a window, or with a list of a record.", "윈도우의 키 하나, 또는 레코드 하나가 차지하는 상태 바이트다."),
}

// window reads what makes a map a window operator.
func (r *reader) window(o *object, v *core.Vertex) {
	if !o.has("window") {
		return
	}
	w := r.object(o.values["window"], o.path+"window", windowFields...)
	v.Window = core.Window{
		Size: w.span("size", 0, event.Millisecond, longestRun), Slide: w.span("slide", 0, event.Millisecond, longestRun),
		List: w.word("keep", 0, keeps...) == 1, Fire: w.span("fire", -1, 0, 100*event.Second), Entry: w.size("entry", 0, 0, 1_000_000),
	}
	if n, ok := w.number("results", 1, 1000); ok {
		v.Window.Results = n
	}
	switch {
	case !w.has("size"):
		w.bad("size", "is missing", "write how much event time a window covers, such as 10 s")
	case v.Window.Slide > v.Window.Size:
		w.bad("slide", "is longer than the size of "+option.FormatDuration(v.Window.Size), "write at most the size")
	case o.has("emit"):
		o.bad("emit", "does not go with windows", "remove it, or write results: under window:")
	}
}
