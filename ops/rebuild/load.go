package rebuild

import (
	"math"
	"strconv"

	"checkpointlab/core/option"
)

// The lab's own cost of reading a record, in ns: a source that costs up to so many times as much is taken as one of the lab's.
const (
	labReading  = 370
	costlySince = 5
)

// load sets rates, sizes, costs and how many records come out, by what the tasks have done.
func (r *Rebuilt) load() {
	for i := range r.vertices {
		r.outputs(&r.vertices[i])
	}
	between := false
	for i := range r.vertices {
		v := &r.vertices[i]
		between = between || v.Work.Between
		if v.kind == "source" {
			r.source(v)
		} else {
			r.cost(v)
			r.emit(v)
			r.slowSubtasks(v)
		}
		if v.kind != "sink" {
			r.size(v)
		}
	}
	r.skew()
	if !between {
		r.assume(option.Info, "Rates, costs and shares of time are means since the tasks began to run. Two answers of /jobs/:id, 20 s apart or more, give those of now.",
			"속도, 비용, 시간 비율은 태스크가 실행된 뒤 지금까지의 평균이다. 20초 넘게 떨어진 /jobs/:id 응답 두 개를 주면 지금 값을 쓴다.")
	}
}

// outputs finds how many records a vertex puts into each of its outputs. Flink's numRecordsOut counts one that goes to several
// outputs once (BroadcastingOutputCollector.collect); with several it is better known from consumers with no other input.
func (r *Rebuilt) outputs(v *vertex) {
	sum, n, least, most := 0.0, 0, math.Inf(1), 0.0
	for _, k := range v.outs {
		to := &r.vertices[r.edges[k].to]
		if in := to.Work.RecordsIn; len(to.ins) == 1 && r.edges[k].partition != "BROADCAST" && in >= 0 {
			sum, n, least, most = sum+in, n+1, min(least, in), max(most, in)
		}
	}
	switch {
	case len(v.outs) == 0:
	case n == 0, len(v.outs) == 1:
		v.out = v.Work.RecordsOut
	default:
		v.out = sum / float64(n)
	}
	if n > 1 && most > least*1.2 {
		r.assume(option.Warning, "The outputs of %s get different numbers of records (%s to %s); here each gets the mean.", "%s의 출력마다 레코드 수가 다르다(%s~%s). 여기서는 모두 평균을 받는다.", v.name, number(least), number(most))
	}
}

// source sets what arrives. A source that is never idle and back-pressured always finds something to read: what arrives is then not
// known, only what got through.
func (r *Rebuilt) source(v *vertex) {
	seconds := v.Work.Span() / 1000
	perSecond := v.out / seconds / float64(v.Parallelism)
	all := v.Work.Busy + v.Work.Pressed + v.Work.Idle
	pressed, idle := v.Work.Pressed/all, v.Work.Idle/all
	if math.IsNaN(all) { // a source of the old interface tells no busy time
		all = v.Work.Span() * float64(v.Parallelism)
		pressed, idle = v.Work.Pressed/all, math.NaN()
	}
	switch {
	case pressed > 0.1 && !(idle > 0.02):
		v.say("rate", "max", "back-pressured for %s of its time and idle for %s: it always had something to read", "시간의 %s 동안 백프레셔, %s 동안 idle: 늘 읽을 것이 있었다", share(pressed), shareOr(idle))
		r.assume(option.Info, "%s is held up by what is behind it, so what arrives is not known: it reads as fast as it can (rate: max). With a lag that shrinks or grows, write the rate.",
			"%s: 뒤에 막혀 있어 얼마나 들어오는지 알 수 없다. 읽을 수 있는 만큼 읽는다(rate: max). 실제로 들어오는 속도를 알면 적는다.", v.name)
	case perSecond > 0:
		v.say("rate", rate(perSecond), "%s records in %s s, for each of %d subtasks", "%s건 / %s초, 서브태스크 %d개 각각", number(v.out), number(seconds), v.Parallelism)
		r.unevenSource(v)
	default:
		v.say("rate", "1000/s", "assumed: no text tells how much it reads", "가정: 얼마나 읽는지 말하는 텍스트가 없다")
		r.assume(option.Warning, "How many records %s reads is not told (write-records of the answer is 0 or incomplete): 1000/s for each subtask stand for it.", "%s: 얼마나 읽는지 나와 있지 않다(write-records가 0이거나 불완전). 서브태스크마다 1000/s로 두었다.", v.name)
	}
	r.reading(v)
}

func shareOr(x float64) string {
	if math.IsNaN(x) {
		return "?"
	}
	return share(x)
}

// reading gives the work of a source's chain to a map chained to it. In a job of one vertex it goes into a sink, which the lab needs.
func (r *Rebuilt) reading(v *vertex) {
	each := v.Work.Busy * 1e6 / v.out
	if len(v.outs) == 0 {
		v.work, v.workSink = v.name+"-work", true
		r.assume(option.Warning, "The whole job is one task (%s). The lab has a log on one side of a task and an output on the other: its work is in a sink behind a FORWARD exchange that the job does not have. Records and costs of it are not told: numRecordsOut of a task without output is 0.",
			"잡 전체가 태스크 하나다(%s). 랩에서는 태스크 한쪽에 로그, 다른 쪽에 출력이 있어야 한다. 하는 일을 FORWARD 교환 뒤의 싱크에 두었고, 그 교환은 잡에는 없다. 출력이 없는 태스크의 numRecordsOut은 0이라 레코드 수와 비용은 알 수 없다.", v.name)
		return
	}
	if !(each > costlySince*labReading) {
		return
	}
	v.work = v.name + "-work"
	v.workFields = append(v.workFields, line{"cost", span(each - labReading), from("busy for %s ms with %s records; a source of the lab takes 0.37 us of it", "레코드 %[2]s건에 %[1]s ms 바쁨. 그중 0.37 us는 랩의 소스가 쓴다", number(v.Work.Busy), number(v.out))})
}

// cost is busy time a record, the synchronous parts of checkpoints left out: Flink's busy time is all that is neither idle nor
// back-pressured (TaskIOMetricGroup.getBusyTimePerSecond), and the scenario has them for themselves.
func (r *Rebuilt) cost(v *vertex) {
	held := r.held(v)
	each := max(0, v.Work.Busy-held) * 1e6 / v.Work.RecordsIn
	if math.IsNaN(each) || math.IsInf(each, 0) || each < 0 {
		r.assume(option.Warning, "What a record costs %s is not told (no busy time, or no records): the lab's own cost stands for it.", "%s: 레코드 하나의 비용을 알 수 없다(busy 시간이나 레코드가 없다). 랩의 기본 비용을 쓴다.", v.name)
		return
	}
	v.say("cost", span(each), "busy for %s ms with %s records, %[3]s ms of it in synchronous parts", "레코드 %[2]s건에 %[1]s ms 바쁨, 그중 %[3]s ms는 동기 단계", number(v.Work.Busy), number(v.Work.RecordsIn), number(held))
	if len(v.ins) > 1 {
		r.assume(option.Info, "%s has %d inputs; busy time is not told for each: a record of any costs the same.", "%s: 입력이 %d개인데 busy 시간은 나뉘어 있지 않다. 어느 입력의 레코드든 비용이 같다고 본다.", v.name, len(v.ins))
	}
}

// held is how long the tasks of a vertex were in the synchronous parts of checkpoints, in ms of all subtasks, as far as it is told.
func (r *Rebuilt) held(v *vertex) float64 {
	sum, n := 0.0, 0
	for _, w := range r.detailed(v) {
		for k := range w.Subtasks {
			if p := &w.Subtasks[k]; p.Sync >= 0 {
				sum, n = sum+float64(p.Sync), n+1
			}
		}
	}
	if n == 0 || r.interval == 0 {
		return 0
	}
	checkpoints := v.Work.Span() * 1e6 / r.every()
	return sum / float64(n) * float64(v.Parallelism) * checkpoints
}

// The lab's bounds of emit.
const mostOut, leastOut = 1000, 1.0 / 1_000_000

// emit is records out for each one in.
func (r *Rebuilt) emit(v *vertex) {
	each := v.out / v.Work.RecordsIn
	switch {
	case v.kind == "sink" || math.IsNaN(each) || math.Abs(each-1) < 0.005:
		return
	case each > mostOut || each < leastOut:
		r.assume(option.Warning, "%s makes %s records of one; the lab has 1/1000000 to 1000.", "%s: 레코드 하나로 %s건을 만든다. 랩에서는 1/1000000에서 1000까지다.", v.name, strconv.FormatFloat(each, 'g', 3, 64))
	}
	v.say("emit", ratio(rounded(min(mostOut, max(leastOut, each)))), "%s records out, %s in", "나간 레코드 %s건, 들어온 레코드 %s건", number(v.out), number(v.Work.RecordsIn))
}

// size is that of a record on the wire: overhead is 0, since numBytesOut has all of a record in it, once for each output, and of a
// broadcast one once for each consumer (BufferWritingResultPartition).
func (r *Rebuilt) size(v *vertex) {
	copies := 0.0
	for _, k := range v.outs {
		if r.edges[k].partition == "BROADCAST" {
			copies += float64(r.vertices[r.edges[k].to].Parallelism)
		} else {
			copies++
		}
	}
	each := v.Work.BytesOut / v.out / copies
	switch {
	case math.IsNaN(each) || math.IsInf(each, 0):
		if len(v.outs) > 0 {
			r.assume(option.Info, "How large the records of %s are is not told: 100 bytes stand for it.", "%s가 내보내는 레코드의 크기를 알 수 없다. 100바이트로 두었다.", v.name)
		}
	default:
		v.say("record", number(max(1, each))+" b", "%s bytes, %s records", "%s바이트, 레코드 %s건", number(v.Work.BytesOut), number(v.out*copies))
	}
}

// How far a subtask has to be from the others to be written down by itself, and how many are.
const (
	unevenRate = 0.1
	unevenCost = 0.3
	leastBusy  = 0.05 // share of its time
	mostSingle = 64
)

// unevenSource writes down subtasks whose partitions bring more or less than the others'.
func (r *Rebuilt) unevenSource(v *vertex) {
	sum := 0.0
	for i := range v.Subtasks {
		sum += v.Subtasks[i].RecordsOut
	}
	mean := sum / float64(len(v.Subtasks))
	for i, w := range v.Subtasks {
		if !(math.Abs(w.RecordsOut-mean) > unevenRate*mean) || !(w.Span() > 0) {
			continue
		}
		if !r.room(v) {
			return
		}
		each := w.RecordsOut / w.Span() * 1000 * v.out / v.Work.RecordsOut
		r.script = append(r.script, line{"", "{at: 0 s, do: rate, vertex: " + v.name + ", subtask: " + strconv.Itoa(i) + ", rate: " + rate(each) + "}", from("%s records, the mean is %s", "레코드 %s건, 평균은 %s건", number(w.RecordsOut), number(mean))})
	}
}

// slowSubtasks writes down subtasks that a record costs more or less than the others.
func (r *Rebuilt) slowSubtasks(v *vertex) {
	mean := v.Work.Busy / v.Work.RecordsIn
	for i, w := range v.Subtasks {
		each := w.Busy / w.RecordsIn
		if !(math.Abs(each-mean) > unevenCost*mean) || !(w.Busy > leastBusy*w.Span()) || w.RecordsIn < 1000 {
			continue
		}
		if !r.room(v) {
			return
		}
		r.script = append(r.script, line{"", "{at: 0 s, do: slow, vertex: " + v.name + ", subtask: " + strconv.Itoa(i) + ", cost: " + span(each*1e6) + "}", from("busy for %s ms with %s records", "레코드 %[2]s건에 %[1]s ms 바쁨", number(w.Busy), number(w.RecordsIn))})
	}
}

func (r *Rebuilt) room(v *vertex) bool {
	if len(r.script) < mostSingle {
		return true
	}
	r.assume(option.Warning, "More than %d subtasks differ from the others; those of %s and after it are taken as alike.", "다른 서브태스크와 차이가 나는 것이 %d개를 넘는다. %s부터는 모두 같다고 본다.", mostSingle, v.name)
	return false
}

// leastSkew is the share of a hot key from which on it is written down: what key groups differ by themselves is below it.
const leastSkew = 0.05

// skew is how much more the busiest subtask behind HASH gets than its share, as a hot key's share of the records.
func (r *Rebuilt) skew() {
	most, where, told := 0.0, (*vertex)(nil), false
	for i := range r.vertices {
		v := &r.vertices[i]
		if !r.byKey(v) || v.Parallelism < 2 {
			continue
		}
		sum, top := 0.0, 0.0
		for k := range v.Subtasks {
			sum, top = sum+v.Subtasks[k].RecordsIn, max(top, v.Subtasks[k].RecordsIn)
		}
		even := 1 / float64(v.Parallelism)
		told = told || len(v.Subtasks) > 0
		if hot := (top/sum - even) / (1 - even); hot > most {
			most, where = hot, v
		}
	}
	keyed := false
	for i := range r.vertices {
		keyed = keyed || r.byKey(&r.vertices[i]) && r.vertices[i].Parallelism > 1
	}
	switch {
	case most >= leastSkew:
		r.hotShare = line{"hotShare", strconv.FormatFloat(math.Round(most*1000)/1000, 'f', -1, 64), from("the busiest subtask of %s has that much more than its share", "%s의 가장 바쁜 서브태스크가 제 몫보다 그만큼 더 받았다", where.name)}
		r.assume(option.Info, "The skew of %s is taken as one hot key with %s of the records, in all exchanges by key.", "%s의 쏠림을 키 하나가 레코드의 %s 가진 것으로 보고, 키로 나누는 모든 교환에 적용했다.", where.name, share(most))
	case keyed && !told:
		r.assume(option.Info, "Whether keys are skewed is not told: …/vertices/:vid of the vertices behind HASH has it. Here they are even.", "키가 쏠렸는지는 나와 있지 않다. HASH 뒤 정점의 …/vertices/:vid 응답에 있다. 여기서는 고르다.")
	}
	if keyed {
		r.assume(option.Info, "How many keys there are is not told: the lab's 1024.", "키가 몇 개인지는 나와 있지 않다. 랩의 기본값 1024개로 둔다.")
	}
}

// byKey reports whether an exchange by key leads into a vertex.
func (r *Rebuilt) byKey(v *vertex) bool {
	for _, k := range v.ins {
		if r.edges[k].partition == "HASH" {
			return true
		}
	}
	return false
}

func (v *vertex) say(key, value, en, ko string, values ...any) {
	v.fields = append(v.fields, line{key, value, from(en, ko, values...)})
}
