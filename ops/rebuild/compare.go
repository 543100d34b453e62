package rebuild

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
	"checkpointlab/ops/observed"
	"checkpointlab/scenarios"
)

// compared is something that does not go into the scenario and has to come out of its run.
type compared struct {
	what    words
	vertex  string  // "" = of the job
	measure string  // of package scenarios
	value   float64 // observed, in the measure's unit
	of      int     // checkpoints that it is the mean of; 0 = no checkpoints'
	number  string  // its name in the file; "" = only the end of the run tells it
}

// Row is one of them on both sides: ns, records a second, bytes or a share, as Unit says. NaN stands for what a run did not have.
type Row struct {
	What, Vertex        string
	Unit                scenarios.Unit
	Observed, Simulated float64
	Checkpoints         int // that Observed is the mean of; 0 = it is no checkpoint's
}

// durations is the mean end-to-end duration of completed checkpoints in ns and how many it is of: those that are listed, else all since
// the start, 0; -1 = not told.
func (r *Rebuilt) durations() (mean float64, n int) {
	mean, n = r.mean(func(c *observed.Checkpoint) int64 { return int64(c.Duration) })
	switch {
	case n > 0:
		return mean * 1e6, n
	case r.job.Mean > 0:
		return float64(r.job.Mean) * 1e6, 0
	}
	return -1, 0
}

// mean is of what the listed checkpoints that were completed tell, savepoints left out; NaN if none does.
func (r *Rebuilt) mean(of func(*observed.Checkpoint) int64) (mean float64, n int) {
	sum := 0.0
	for i := range r.job.Checkpoints {
		if c := &r.job.Checkpoints[i]; c.Status == observed.Completed && !c.Savepoint && of(c) >= 0 {
			sum, n = sum+float64(of(c)), n+1
		}
	}
	return sum / float64(n), n
}

// compare lists what is compared.
func (r *Rebuilt) compare() {
	put := func(c compared) {
		if !math.IsNaN(c.value) && c.value >= 0 {
			r.compared = append(r.compared, c)
		}
	}
	mean, n := r.durations()
	stored, _ := r.mean(func(c *observed.Checkpoint) int64 { return int64(c.Stored) })
	put(compared{from("checkpoint duration", "체크포인트 소요 시간"), "", "checkpoint.duration.mean", mean, n, "duration"})
	put(compared{from("checkpointed size", "저장 크기"), "", "checkpoint.stored.mean", stored, n, ""})
	put(compared{from("records/s into sinks", "싱크로 들어가는 레코드/초"), "", "throughput", r.throughput(), 0, "throughput"})
	for i := range r.vertices {
		v := &r.vertices[i]
		all := r.detailed(v)
		if v.kind != "source" {
			tag := strconv.Itoa(i + 1)
			put(compared{from("start delay", "start delay"), v.name, "startDelay.mean", slowest(all, func(p *observed.SubtaskPart) int64 { return p.Delay }) * 1e6, len(all), "delay-" + tag})
			put(compared{from("alignment", "정렬"), v.name, "alignment.mean", slowest(all, func(p *observed.SubtaskPart) int64 { return p.Align }) * 1e6, len(all), "alignment-" + tag})
		}
		span := v.Work.Span() * float64(v.Parallelism)
		put(compared{from("back-pressured", "백프레셔"), v.name, "backPressured.end", v.Work.Pressed / span, 0, ""})
		put(compared{from("busy", "busy"), v.name, "busy.end", v.Work.Busy / span, 0, ""})
	}
}

// throughput is how many records a second go into sinks; NaN if some sink does not tell.
func (r *Rebuilt) throughput() (sum float64) {
	for i := range r.vertices {
		if v := &r.vertices[i]; v.kind == "sink" {
			sum += v.Work.RecordsIn / v.Work.Span() * 1000
		}
	}
	if sum == 0 {
		return math.NaN()
	}
	return sum
}

// Compare reads what is compared off a run of the scenario that has reached its end.
func (r *Rebuilt) Compare(lang string, lab *core.Lab) (rows []Row) {
	for _, c := range r.compared {
		n := scenarios.Number{Measure: c.measure, Vertex: c.vertex, From: r.from(), To: lab.Setup().Duration}
		rows = append(rows, Row{c.what.in(lang), c.vertex, unitOf(c.measure), c.value, n.In(lab), c.of})
	}
	return rows
}

func unitOf(measure string) scenarios.Unit {
	switch {
	case strings.HasSuffix(measure, ".end"):
		return scenarios.Share
	case measure == "throughput":
		return scenarios.PerSecond
	case strings.Contains(measure, "stored"):
		return scenarios.Bytes
	}
	return scenarios.Nanoseconds
}

// short is the time below which a share says nothing of how near two times are: Flink rounds to whole ms.
const short = 20 * event.Millisecond

// Values writes a row's two values and how far the simulated one is off: in %, of shares and of times that are both short in their
// own unit; "" where one is not known.
func (row *Row) Values() (observed, simulated, off string) {
	switch d := row.Simulated - row.Observed; {
	case math.IsNaN(d):
	case row.Unit == scenarios.Share:
		off = signed(d*100, " points")
	case row.Unit == scenarios.Nanoseconds && max(row.Observed, row.Simulated) < float64(short):
		off = signed(d/1e6, " ms")
	case row.Observed > 0:
		off = signed(d/row.Observed*100, " %")
	}
	return value(row.Unit, row.Observed), value(row.Unit, row.Simulated), off
}

func signed(x float64, unit string) string {
	if x = math.Round(x); x == 0 {
		return "0" + unit
	}
	return fmt.Sprintf("%+.0f", x) + unit
}

func value(u scenarios.Unit, x float64) string {
	switch {
	case math.IsNaN(x):
		return "-"
	case u == scenarios.Share:
		return share(x)
	case u == scenarios.PerSecond:
		return number(x) + "/s"
	case u == scenarios.Bytes:
		return number(x) + " b"
	default:
		return option.FormatDuration(event.Time(math.Round(x/1e6)) * event.Millisecond)
	}
}

// explanation puts the comparison into the file, so that a page says it behind the run.
func (r *Rebuilt) explanation(f *file) {
	var en, ko []string
	var numbers []string
	for _, c := range r.compared {
		if c.number == "" {
			continue
		}
		where := ""
		if c.vertex != "" {
			where = ", vertex: " + c.vertex
		}
		numbers = append(numbers, "  "+c.number+"-run: {measure: "+c.measure+where+", from: "+option.FormatDuration(r.from())+"}")
		told := value(unitOf(c.measure), c.value)
		en = append(en, strings.TrimSpace(c.vertex+" "+c.what.en)+": {"+c.number+"-run}, observed "+told+".")
		ko = append(ko, strings.TrimSpace(c.vertex+" "+c.what.ko)+": {"+c.number+"-run}, 관찰 "+option.Korean(told)+".")
	}
	if len(numbers) == 0 {
		return
	}
	f.raw("numbers:")
	for _, n := range numbers {
		f.raw(n)
	}
	f.raw("explain:")
	f.raw("  en: " + text(strings.Join(en, " ")))
	f.raw("  ko: " + text(strings.Join(ko, " ")))
}
