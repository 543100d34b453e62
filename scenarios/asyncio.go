package scenarios

import (
	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
)

var asyncFields = []string{"capacity", "latency", "spread", "order", "errors", "retries", "backoff", "timeout", "exhausted"}

// orders are the ways answers are passed on; the second is core.Async.Unordered.
var orders = []string{"ordered", "unordered"}

// givenUp is what becomes of a request that is given up; the second is core.Async.Drop.
var givenUp = []string{"fail", "drop"}

var asyncSettable = []option.Option{
	field("job.vertices.*.async.capacity", option.Int, "", "", "1 to 100000",
		"requests under way", "동시 요청 수", "How many requests a subtask may have under way; with more the thread waits.", "서브태스크 하나가 동시에 보낼 수 있는 요청의 수다. 넘치면 스레드가 기다린다."),
	field("job.vertices.*.async.latency", option.Duration, "0 ms", "ms", "0 to 100 s",
		"time to an answer", "응답 시간", "The least time until a request is answered.", "요청에 대한 응답이 오기까지의 최소 시간이다."),
	field("job.vertices.*.async.spread", option.Duration, "0 ms", "ms", "0 to 100 s",
		"spread of answers", "응답 시간 편차", "Up to how much longer an answer takes.", "응답이 최대 얼마나 더 늦어지는지 정한다."),
	field("job.vertices.*.async.order", option.Enum, "ordered", "", "",
		"order of answers", "응답 순서", "Whether answers are passed on in the order of the records, or as they come.", "응답을 레코드 순서대로 넘기는지, 오는 대로 넘기는지 정한다.", orders...),
	field("job.vertices.*.async.errors", option.Float, "0", "", "0 to 1",
		"failing attempts", "실패하는 시도", "The share of attempts that fail once they are answered.", "응답이 오류로 끝나는 시도의 비율이다."),
	field("job.vertices.*.async.retries", option.Int, "0", "", "0 to 100",
		"attempts after the first", "재시도 횟수", "How often a request that failed is tried again.", "실패한 요청을 몇 번까지 다시 시도하는지 정한다."),
	field("job.vertices.*.async.backoff", option.Duration, "0 ms", "ms", "0 to 100 s",
		"pause before a retry", "재시도 간격", "The time from a failed attempt to the next one.", "시도가 실패한 뒤 다음 시도까지의 시간이다."),
	field("job.vertices.*.async.timeout", option.Duration, "0 ms", "ms", "0 to 100 s",
		"time limit of a request", "요청 제한 시간", "After this time a request is given up, with all its attempts; 0: never.", "재시도까지 합쳐 이 시간이 지나면 요청을 포기한다. 0이면 기다린다."),
	field("job.vertices.*.async.exhausted", option.Enum, "fail", "", "",
		"when a request is given up", "요청을 포기할 때", "Whether the task fails, or the record makes nothing.", "태스크가 실패하는지, 그 레코드의 결과 없이 넘어가는지 정한다.", givenUp...),
}

// async reads what makes a map an operator of asynchronous I/O.
func (r *reader) async(o *object, v *core.Vertex) {
	if !o.has("async") {
		return
	}
	a := r.object(o.values["async"], o.path+"async", asyncFields...)
	v.Async = core.Async{
		Latency: a.span("latency", 0, 0, 100*event.Second), Spread: a.span("spread", 0, 0, 100*event.Second), Unordered: a.word("order", 0, orders...) == 1,
		Errors: a.millionths("errors"), Backoff: a.span("backoff", 0, 0, 100*event.Second), Timeout: a.span("timeout", 0, 0, 100*event.Second),
		Drop: a.word("exhausted", 0, givenUp...) == 1,
	}
	if n, ok := a.number("retries", 0, 100); ok {
		v.Async.Retries = n
	}
	if n, ok := a.number("capacity", 1, 100_000); ok {
		v.Async.Capacity = int(n)
	} else if !a.has("capacity") {
		a.bad("capacity", "is missing", "write how many requests may be under way, such as 100")
	}
	if o.has("emit") || o.has("window") {
		o.bad("async", "does not go with emit or windows", "put them into another map")
	}
}
