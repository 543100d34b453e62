package option

import (
	"strconv"

	"checkpointlab/core/event"
)

// MostParallelism is the upper bound of parallelism and max parallelism (spec 10.1).
const MostParallelism = 32768

// jobOptions are the modelled options that shape the job (spec 1.1, 10.1).
func jobOptions() []Option {
	return []Option{
		Option{
			Key: keyParallelism, Field: "Parallelism",
			Label: both("Parallelism", "병렬도"),
			Effect: both("How many subtasks an operator has that names no number of its own.",
				"따로 정하지 않은 연산자의 서브태스크 수다."),
		}.as(count(func(c *Config) *int { return &c.Parallelism }, 1, MostParallelism)),
		Option{
			Key: keyMaxParallelism, Field: "MaxParallelism", Range: "1 to 32768, or -1 = derived from the parallelism",
			Label: both("Max parallelism", "최대 병렬도"),
			Effect: both("Into how many key groups the keys are dealt: it bounds later rescaling and decides how evenly subtasks share them.",
				"키를 몇 개의 키 그룹으로 나누는지 정한다. 나중에 늘릴 수 있는 병렬도의 상한이고, 서브태스크가 키를 얼마나 고르게 나눠 갖는지를 좌우한다."),
		}.as(maxParallelism()),
		Option{
			Key: "pipeline.auto-watermark-interval", Field: "AutoWatermark",
			Label: both("Watermark interval", "워터마크 간격"),
			Effect: both("How often a source makes a watermark; 0 makes none. Results of event time wait for it.",
				"소스가 워터마크를 만드는 간격이다. 0이면 만들지 않는다. 이벤트 시간으로 내는 결과는 워터마크를 기다린다."),
		}.as(span(func(c *Config) *event.Time { return &c.AutoWatermark }, 0)),
		Option{
			Key: "pipeline.operator-chaining.enabled", Field: "Chaining", Old: []string{"pipeline.operator-chaining"},
			Label: both("Operator chaining", "연산자 체이닝"),
			Effect: both("Operators that a FORWARD exchange joins run in one task, without buffers and barriers between them.",
				"FORWARD로 이어진 연산자들을 한 태스크로 묶는다. 그 사이에는 버퍼도 배리어도 없다."),
		}.as(flag(func(c *Config) *bool { return &c.Chaining })),
	}
}

func maxParallelism() accessor {
	field := func(c *Config) *int { return &c.MaxParallelism }
	a := count(field, 1, MostParallelism)
	set := a.set
	a.set = func(r *resolver, v string) *Mistake {
		if n, m := parseInt(v); m == nil && n == -1 {
			r.cfg.MaxParallelism = -1
			return nil
		}
		return set(r, v)
	}
	a.get = func(c *Config) string { return strconv.Itoa(c.MaxParallelism) }
	return a
}
