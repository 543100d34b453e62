package observed

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// gauge is one value of one metric, with where it is from.
type gauge struct {
	name  string // as Flink calls it, without its scope
	value float64
	who   string // a task and its subtask, or ""
	job   string
	line  int
}

// known metrics: what a value of each is in ms, bytes or a count. Flink's names (docs/ops/metrics); a nanosecond in a name or in
// the docs is turned into ms.
var measured = map[string]struct {
	unit string
	per  float64
}{
	"lastCheckpointDuration": {"ms", 1}, "lastCheckpointSize": {"bytes", 1}, "lastCheckpointFullSize": {"bytes", 1}, "lastCheckpointProcessedData": {"bytes", 1},
	"lastCheckpointPersistedData": {"bytes", 1}, "numberOfCompletedCheckpoints": {"", 1}, "numberOfFailedCheckpoints": {"", 1}, "numberOfInProgressCheckpoints": {"", 1},
	"totalNumberOfCheckpoints": {"", 1}, "lastCheckpointRestoreTimestamp": {"", 1}, "lastCheckpointExternalPath": {"", 1}, "numRestarts": {"", 1}, "numRescales": {"", 1}, "fullRestarts": {"", 1}, "uptime": {"ms", 1}, "downtime": {"ms", 1}, "restartingTime": {"ms", 1},
	"lastCheckpointAlignmentBuffered": {"bytes", 1},
	"checkpointStartDelayNanos":       {"ms", 1e6}, "checkpointAlignmentTime": {"ms", 1e6}, "busyTimeMsPerSecond": {"", 1}, "backPressuredTimeMsPerSecond": {"", 1},
	"idleTimeMsPerSecond": {"", 1}, "softBackPressuredTimeMsPerSecond": {"", 1}, "hardBackPressuredTimeMsPerSecond": {"", 1}, "maxSoftBackPressuredTimeMs": {"ms", 1},
	"maxHardBackPressuredTimeMs": {"ms", 1}, "isBackPressured": {"", 1}, "outPoolUsage": {"", 1}, "inPoolUsage": {"", 1}, "inputExclusiveBuffersUsage": {"", 1}, "inputFloatingBuffersUsage": {"", 1},
	"inputQueueLength": {"", 1}, "outputQueueLength": {"", 1}, "debloatedBufferSize": {"bytes", 1}, "estimatedTimeToConsumeBuffersMs": {"ms", 1},
	"currentOutputWatermark": {"", 1}, "currentInputWatermark": {"", 1}, "pendingRecords": {"", 1}, "numRecordsInPerSecond": {"", 1}, "numRecordsOutPerSecond": {"", 1},
	"records_lag_max": {"", 1}, "mailboxQueueSize": {"", 1}, "mailboxLatencyMs": {"ms", 1}, "initializationTime": {"ms", 1},
	"maxSoftBackPressureTimeMs": {"ms", 1}, "maxHardBackPressureTimeMs": {"ms", 1}, // as the code spells them (MetricNames)
	"accumulateIdleTimeMs": {"ms", 1}, "accumulateBusyTimeMs": {"ms", 1}, "accumulateBackPressuredTimeMs": {"ms", 1}, "changelogBusyTimeMsPerSecond": {"", 1},
	"mailboxMailsPerSecond": {"", 1}, "numFiredTimersPerSecond": {"", 1}, "numBytesInPerSecond": {"", 1}, "numBytesOutPerSecond": {"", 1}, "numBuffersOutPerSecond": {"", 1},
	"inputQueueSize": {"bytes", 1}, "outputQueueSize": {"bytes", 1}, "runningTime": {"ms", 1}, "sourceIdleTime": {"ms", 1}, "currentEmitEventTimeLag": {"ms", 1},
	"watermarkLag": {"ms", 1}, "watermarkAlignmentDrift": {"ms", 1}, "pendingCommittables": {"", 1}, "lastDurationOfMaterialization": {"ms", 1},
}

// metrics reads the text that Flink's Prometheus reporter exposes; nil if it is none.
func metrics(text string) *Seen {
	if !strings.Contains(text, "flink_") {
		return nil
	}
	var all []gauge
	odd := 0
	line := 0
	for one := range strings.Lines(text) {
		line++
		one = strings.TrimSpace(one)
		if one == "" || one[0] == '#' || !strings.HasPrefix(one, "flink_") {
			continue
		}
		if g, ok := sample(one); ok {
			g.line = line
			all = append(all, g)
		} else {
			odd++
		}
	}
	if len(all) == 0 {
		return nil
	}
	s := &Seen{Form: "metrics"}
	if odd > 0 {
		s.warn(0, "%d lines that begin with flink_ have no value that can be read, and are left out.", "flink_로 시작하지만 값을 읽을 수 없는 %d줄은 뺐다.", odd)
	}
	s.gauges(all)
	return s
}

// sample reads a line of the exposition format: name{label="value",} value [timestamp].
func sample(one string) (g gauge, ok bool) {
	name, rest := one, ""
	labels := map[string]string{}
	if at := strings.IndexByte(one, '{'); at >= 0 {
		end := labelsOf(one[at+1:], labels)
		if end < 0 {
			return g, false
		}
		name, rest = one[:at], one[at+1+end:]
	} else if at := strings.IndexAny(one, " \t"); at >= 0 {
		name, rest = one[:at], one[at:]
	}
	fields := strings.Fields(rest)
	if len(fields) == 0 {
		return g, false
	}
	x, err := strconv.ParseFloat(strings.Replace(fields[0], "+Inf", "Inf", 1), 64)
	if err != nil {
		return g, false
	}
	g.value, g.job = x, labels["job_id"]
	g.name = unscoped(name)
	for _, l := range []string{"task_name", "operator_name", "tm_id"} {
		if g.who = labels[l]; g.who != "" {
			break
		}
	}
	if i := labels["subtask_index"]; i != "" && g.who != "" {
		g.who += " " + i
	}
	return g, true
}

// labelsOf reads labels and is where they end; -1 if they do not.
func labelsOf(text string, into map[string]string) int {
	for at := 0; at < len(text); {
		switch c := text[at]; {
		case c == '}':
			return at + 1
		case c == ',' || c == ' ':
			at++
		default:
			eq := strings.Index(text[at:], `="`)
			if eq < 0 {
				return -1
			}
			name := strings.TrimSpace(text[at : at+eq])
			from := at + eq + 2
			end := from
			for end < len(text) && text[end] != '"' {
				if text[end] == '\\' {
					end++
				}
				end++
			}
			if end >= len(text) {
				return -1
			}
			into[name] = text[from:end]
			at = end + 1
		}
	}
	return -1
}

// unscoped takes the scope from a reporter's name: flink_taskmanager_job_task_buffers_outPoolUsage is outPoolUsage. A name that
// has the sign of the scope itself, as Kafka's records_lag_max, is known by its end.
func unscoped(name string) string {
	last := name[strings.LastIndexAny(name, "_.")+1:]
	if _, ok := measured[last]; ok {
		return last
	}
	if strings.HasSuffix(name, "records_lag_max") || strings.HasSuffix(name, "records-lag-max") {
		return "records_lag_max"
	}
	return name
}

// isGauge is a value of the REST interface's metrics: {id, value}, or {id, min, max, avg}.
func isGauge(v any) bool {
	return has(v, "id") && !has(v, "status") && (has(v, "value") || has(v, "max") || has(v, "avg"))
}

// gaugesOf reads answers of …/metrics; nil if there is none.
func gaugesOf(docs []document) *Seen {
	if len(docs) == 0 {
		return nil
	}
	s := &Seen{Form: "metrics"}
	var all []gauge
	for _, d := range docs {
		s.said(d.odd)
		id := textOf(of(d.value, "id"))
		g := gauge{name: unscoped(id), line: lineOf(d.value)}
		if i := strings.IndexByte(id, '.'); i > 0 && strings.Trim(id[:i], "0123456789") == "" { // 3.busyTimeMsPerSecond: subtask 3
			g.who = "subtask " + id[:i]
		}
		for _, f := range []string{"value", "min", "avg", "max"} {
			if !has(d.value, f) {
				continue
			}
			one := g
			if one.value = real(of(d.value, f)); f != "value" {
				one.who = strings.TrimSpace(g.who + " " + f)
			}
			all = append(all, one)
		}
	}
	s.gauges(all)
	return s
}

// gauges states what is known, and what it shows.
func (s *Seen) gauges(all []gauge) {
	var jobs []string
	other := 0
	for _, g := range all {
		if g.job != "" && !slices.Contains(jobs, g.job) {
			jobs = append(jobs, g.job)
		}
	}
	for _, g := range all {
		if m, ok := measured[g.name]; ok {
			s.gauge(&g, m.unit, m.per, len(jobs) > 1)
		} else {
			other++
		}
	}
	if other > 0 {
		s.remark(0, "%d further metrics say nothing of checkpoints or back pressure.", "체크포인트나 백프레셔와 관계없는 메트릭 %d개가 더 있다.", other)
	}
	if len(jobs) > 1 {
		s.warn(0, "Metrics of %d jobs (%s) stand together, perhaps under one name: a job that was started anew has another id, and its counters begin at 0.", "잡 %d개(%s)의 메트릭이 섞여 있다. 이름이 같을 수 있다. 새로 시작한 잡은 id가 다르고 카운터도 0부터다.", len(jobs), strings.Join(shortened(jobs), ", "))
	}
	s.checkpointGauges(all, jobs)
	s.taskGauges(all)
}

// gauge states one.
func (s *Seen) gauge(g *gauge, unit string, per float64, several bool) {
	f := Fact{Name: g.name, Unit: unit}
	if g.who != "" {
		f.Name += " of " + g.who
	}
	if several && g.job != "" {
		f.Name += " of job " + g.job[:min(8, len(g.job))]
	}
	x := g.value / per
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0) || math.Abs(x) > 9e15:
		f.Text, f.Number = "unknown", -1
	case unit == "ms":
		f.Text, f.Number, f.Known = ms(x).String(), int64(x), x >= 0
	case unit == "bytes":
		f.Text, f.Number, f.Known = bytes(x).String(), int64(x), x >= 0
	default:
		f.Text, f.Number, f.Known = strconv.FormatFloat(x, 'f', -1, 64), int64(x), true
	}
	s.Facts = append(s.Facts, f)
	switch {
	case math.IsNaN(g.value) && g.name == "busyTimeMsPerSecond":
		s.remark(g.line, "busyTimeMsPerSecond of %s is NaN: sources of the old interface (SourceFunction) do not measure it; unknown, not 0.", "%s busyTimeMsPerSecond가 NaN이다. 옛 인터페이스(SourceFunction)의 소스는 재지 않는다. 0이 아니라 모르는 값이다.", g.who)
	case g.value < -9e18:
		s.remark(g.line, "%s of %s is the least number there is: no watermark has come yet.", "%[2]s %[1]s: 가장 작은 수다. 아직 워터마크가 오지 않았다.", g.name, g.who)
	case g.name == "lastCheckpointRestoreTimestamp" && g.value < 0:
		s.remark(g.line, "lastCheckpointRestoreTimestamp is -1: this JobManager has restored nothing.", "lastCheckpointRestoreTimestamp가 -1이다. 이 JobManager는 복원한 적이 없다.")
	case math.IsInf(g.value, 0):
		s.remark(g.line, "%s of %s is infinite: unknown.", "%[2]s %[1]s: 무한대다. 모르는 값이다.", g.name, g.who)
	case per == 1e6:
		s.remark(g.line, "%s is in nanoseconds: %[2]s.", "%s 단위는 나노초다. %[2]s.", g.name, ms(x))
	}
}

// largest is the greatest value of a metric and its gauge; nil if there is none.
func largest(all []gauge, name string) (most *gauge) {
	for i := range all {
		if g := &all[i]; g.name == name && !math.IsNaN(g.value) && !math.IsInf(g.value, 0) && (most == nil || g.value > most.value) {
			most = g
		}
	}
	return most
}

// checkpointGauges are those of the JobManager.
func (s *Seen) checkpointGauges(all []gauge, jobs []string) {
	failed, done := largest(all, "numberOfFailedCheckpoints"), largest(all, "numberOfCompletedCheckpoints")
	if failed != nil && failed.value > 0 {
		if done != nil && done.value == 0 {
			s.warn(failed.line, "%s checkpoints failed and none has completed.", "체크포인트 %s번 실패, 완료는 없다.", mille(failed.value))
		} else {
			s.remark(failed.line, "numberOfFailedCheckpoints (%s) counts from the job's start; only its growth says that checkpoints fail now.", "numberOfFailedCheckpoints(%s)는 잡이 시작한 때부터 센다. 늘어나는지를 보아야 지금 실패하는지 안다.", mille(failed.value))
		}
	}
	size, full := largest(all, "lastCheckpointSize"), largest(all, "lastCheckpointFullSize")
	if size != nil && full != nil && full.value > 100<<20 {
		if size.value == full.value {
			s.warn(size.line, "lastCheckpointSize is lastCheckpointFullSize (%s): checkpoints are full, not incremental.", "lastCheckpointSize와 lastCheckpointFullSize가 같다(%s). 증분이 아니라 전체 체크포인트다.", bytes(full.value))
		} else if size.value < full.value {
			s.remark(size.line, "The last one added %s of %s: incremental.", "마지막 것은 %[2]s 가운데 %[1]s 더했다. 증분이다.", bytes(size.value), bytes(full.value))
		}
	}
	if held := largest(all, "lastCheckpointPersistedData"); held != nil && held.value > 0 {
		s.remark(held.line, "lastCheckpointPersistedData is %s: the last one was unaligned and stored data in flight.", "lastCheckpointPersistedData: %s. 마지막 것은 unaligned였고 in-flight 데이터를 저장했다.", bytes(held.value))
	}
	n, rescales := largest(all, "numRestarts"), largest(all, "numRescales")
	switch {
	case n == nil || n.value == 0:
	case rescales != nil && rescales.value > 0: // each is counted by both (AdaptiveScheduler.goToRestarting)
		s.remark(n.line, "The job has restarted %s times since its start, %s of them to be rescaled.", "잡이 시작한 뒤 %s번 재시작했다. 그 가운데 %s번은 리스케일이다.", mille(n.value), mille(rescales.value))
	default:
		s.remark(n.line, "The job has restarted %s times since its start.", "잡이 시작한 뒤 %s번 재시작했다.", mille(n.value))
	}
}

// taskGauges are those of tasks: what is back-pressured, what is busy, where barriers wait.
func (s *Seen) taskGauges(all []gauge) {
	if g := largest(all, "backPressuredTimeMsPerSecond"); g != nil && g.value > 500 {
		s.warn(g.line, "%s is back-pressured for %s ms a second: what holds it up is behind it.", "%s: 초당 %s ms 백프레셔를 받는다. 원인은 그 뒤에 있다.", named(g), mille(g.value))
	}
	for i := range all {
		g := &all[i]
		if g.name != "hardBackPressuredTimeMsPerSecond" || g.value < 100 {
			continue
		}
		s.remark(g.line, "%s waits hard for %s ms a second: it stands still in the middle of a record, and then takes no barrier either.", "%s: 초당 %s ms 동안 hard 백프레셔다. 레코드 하나를 처리하다 멈춘 것이라 그동안 배리어도 받지 못한다.", named(g), mille(g.value))
	}
	if g := largest(all, "busyTimeMsPerSecond"); g != nil && g.value > 900 {
		s.warn(g.line, "%s is busy for %s ms a second: if what is before it is back-pressured, it is the bottleneck.", "%s: 초당 %s ms 바쁘다. 앞이 백프레셔를 받는다면 병목이다.", named(g), mille(g.value))
	}
	delay, align := largest(all, "checkpointStartDelayNanos"), largest(all, "checkpointAlignmentTime")
	if delay != nil && delay.value > 1e9 && align == nil {
		s.warn(delay.line, "Barriers reach %s %s after their trigger: they wait behind records on the way (back pressure). checkpointAlignmentTime is not in the text; it tells whether one input is later than the others.", "%s: 배리어가 트리거 뒤 %s 만에 온다. 길 위의 레코드 뒤에 섰다(백프레셔). checkpointAlignmentTime은 글에 없다. 한 입력이 다른 입력보다 늦는지는 그것이 말한다.", named(delay), ms(delay.value/1e6))
	} else if delay != nil && delay.value > 1e9 && align.value < delay.value/10 {
		s.warn(delay.line, "Barriers reach %s %s after their trigger, and alignment takes next to nothing: they wait behind records on the way (back pressure), all inputs alike.", "%s: 배리어가 트리거 뒤 %s 만에 오고 정렬에는 시간이 거의 들지 않는다. 모든 입력에서 똑같이 길 위의 레코드 뒤에 섰다(백프레셔).", named(delay), ms(delay.value/1e6))
	} else if align != nil && align.value > 1e9 {
		s.warn(align.line, "Alignment at %s takes %s: one input brings its barrier that much later than another.", "%s: 정렬에 %s 걸린다. 한 입력의 배리어가 다른 입력보다 그만큼 늦다.", named(align), ms(align.value/1e6))
	}
	size, time := largest(all, "debloatedBufferSize"), largest(all, "estimatedTimeToConsumeBuffersMs")
	if size != nil && size.value <= 256 && time != nil && time.value > 1000 {
		s.warn(time.line, "Debloating is at its end: buffers are at taskmanager.memory.min-segment-size (256 bytes) and still hold %s of work. Fewer buffers, a faster vertex or unaligned checkpoints help.", "debloating이 한계다. 버퍼가 taskmanager.memory.min-segment-size(256 B)까지 줄었는데도 %s 분량의 일이 들어 있다. 버퍼를 줄이거나 정점을 빠르게 하거나 unaligned 체크포인트를 쓴다.", ms(time.value))
	}
}

func named(g *gauge) string {
	if g.who == "" {
		return "a task"
	}
	return g.who
}
