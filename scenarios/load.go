package scenarios

import (
	"strconv"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
)

var loadFields = []string{"sine", "swing", "burst", "for", "times", "quiet", "splits", "from", "to"}

var loadSettable = []option.Option{
	field("job.vertices.*.load.sine", option.Duration, "", "ms", "1 ms to 30 d", "period of the swing", "유입 주기", "The rate swings up and down in that time.", "유입 속도가 오르내리는 주기다."),
	field("job.vertices.*.load.swing", option.Float, "0", "", "0 to 1", "swing", "유입 진폭", "By what share of the rate it swings.", "유입 속도가 오르내리는 비율이다."),
	field("job.vertices.*.load.burst", option.Duration, "", "ms", "2 ms to 30 d", "a burst every", "몰림 간격", "How far apart bursts begin.", "유입이 몰리기 시작하는 간격이다."),
	field("job.vertices.*.load.for", option.Duration, "", "ms", "1 ms to the distance", "length of a burst", "몰림 길이", "How long a burst lasts.", "유입이 몰리는 시간이다."),
	field("job.vertices.*.load.times", option.Int, "", "", "1 to 1000", "rate of a burst", "몰림 배수", "By how much the rate is greater in a burst.", "몰릴 때 유입 속도가 몇 배인지 정한다."),
	field("job.vertices.*.load.quiet", option.Int, "", "", "0 to parallelism − 1", "silent subtask", "조용한 서브태스크", "Which subtask's partitions fall silent.", "어느 서브태스크의 파티션에 레코드가 들어오지 않는지 정한다."),
	field("job.vertices.*.load.splits", option.Int, "all", "", "1 to fewer than the subtask has", "silent partitions", "조용한 파티션 수", "How many of its partitions fall silent, while the others go on: its watermark stands still, unless idleness is told.", "그 서브태스크의 파티션 가운데 몇 개에 레코드가 끊기는지 정한다. 나머지는 계속 들어온다. 유휴를 알리지 않으면 워터마크가 멈춘다."),
	field("job.vertices.*.load.from", option.Duration, "0 ms", "ms", "up to 30 d", "silent from", "조용해지는 시각", "When they fall silent.", "레코드가 끊기는 시각이다."),
	field("job.vertices.*.load.to", option.Duration, "", "ms", "up to 30 d", "silent to", "다시 들어오는 시각", "When records come again.", "레코드가 다시 들어오는 시각이다."),
}

// load reads how a source's rate comes and goes.
func (r *reader) load(o *object, v *core.Vertex) {
	if !o.has("load") {
		return
	}
	l := r.object(o.values["load"], o.path+"load", loadFields...)
	v.Load = core.Load{
		Period: l.span("sine", 0, event.Millisecond, longestRun), SwingMill: l.millionths("swing"),
		BurstEvery: l.span("burst", 0, 2*event.Millisecond, longestRun), BurstFor: l.span("for", 0, event.Millisecond, longestRun),
		Quiet: l.has("quiet"), QuietFrom: l.span("from", 0, 0, longestRun), QuietTo: l.span("to", longestRun, 1, longestRun),
	}
	if n, ok := l.number("times", 1, 1000); ok {
		v.Load.BurstTimes = n
	}
	if n, ok := l.number("quiet", 0, option.MostParallelism); ok {
		v.Load.QuietSubtask = int(n)
	}
	if n, ok := l.number("splits", 1, 1_000_000); ok {
		v.Load.QuietSplits = int(n)
	}
	switch {
	case l.has("splits") && !l.has("quiet"):
		l.bad("splits", "is given, but no subtask falls silent", "write quiet: beside it, such as quiet: 0")
	case l.has("splits") && v.Load.QuietSplits >= splitsOf(v, v.Load.QuietSubtask):
		l.bad("splits", "is not fewer than the "+strconv.Itoa(splitsOf(v, v.Load.QuietSubtask))+" partitions of the subtask", "write a smaller number, leave it out for all of them, or give the source more partitions")
	case l.has("burst") && (!l.has("for") || !l.has("times") || v.Load.BurstFor >= v.Load.BurstEvery):
		l.bad("burst", "needs a length below it and a multiple of the rate", "write for: and times: beside it, such as burst: 10 s, for: 1 s, times: 20")
	case l.has("quiet") && (v.Load.QuietSubtask >= v.Parallelism || v.Load.QuietTo <= v.Load.QuietFrom):
		l.bad("quiet", "is no subtask of the source, or its time ends before it begins", "write a number below the parallelism, and from: and to:")
	case v.RateNum == 0:
		o.bad("load", "changes a rate that is not given", "write a rate: of records per second")
	}
}

// splitsOf is how many partitions of its log a subtask of v reads.
func splitsOf(v *core.Vertex, subtask int) int {
	n := v.Logs()
	return (n - min(n, subtask) + v.Parallelism - 1) / v.Parallelism
}
