package option

import (
	"math"
	"strconv"

	"checkpointlab/core/event"
)

var restartWords = []string{"none", "fixed-delay", "failure-rate", "exponential-delay"}

var restartAliases = map[string]string{
	"off": "none", "disable": "none",
	"fixeddelay": "fixed-delay", "failurerate": "failure-rate", "exponentialdelay": "exponential-delay",
}

// restartOptions are the modelled options of a restart (spec 1.4, 9.2).
func restartOptions() []Option {
	return []Option{
		Option{
			Key: keyRestart, Field: "Restart", Old: []string{"restart-strategy"},
			Label: both("Restart strategy", "재시작 전략"),
			Effect: both("Whether and after which wait a failed job starts again; not given, a job with checkpoints restarts with an exponential delay (1.18: every second without end) and one without them does not.",
				"실패한 잡을 다시 시작할지, 얼마나 기다렸다가 시작할지 정한다. 값이 없으면 체크포인트가 있는 잡은 지수 지연(1.18은 1초마다 무한히)으로 재시작하고, 없는 잡은 재시작하지 않는다."),
		}.as(choice(restartWords, restartAliases,
			func(c *Config, i int) { c.Restart = RestartNone + RestartKind(i) },
			func(c *Config) string {
				if c.Restart == RestartDefault {
					return ""
				}
				return restartWords[c.Restart-RestartNone]
			})),
		Option{
			Key: keyFixed + "attempts", Field: "RestartAttempts",
			Label:  both("Attempts, fixed delay", "재시도 횟수(고정 지연)"),
			Effect: both("How often the job is restarted before it fails for good.", "잡이 완전히 실패하기 전에 몇 번까지 재시작하는지 정한다."),
		}.as(count(func(c *Config) *int { return &c.RestartAttempts }, 0, math.MaxInt32)),
		Option{
			Key: keyFixed + "delay", Field: "RestartDelay",
			Label:  both("Delay, fixed delay", "대기 시간(고정 지연)"),
			Effect: both("The wait before each restart.", "재시작할 때마다 기다리는 시간이다."),
		}.as(span(func(c *Config) *event.Time { return &c.RestartDelay }, 0)),
		Option{
			Key: keyFailureRate + "max-failures-per-interval", Field: "RestartFailures",
			Label:  both("Failures, failure rate", "실패 횟수(실패율)"),
			Effect: both("More failures than this within the interval fail the job for good.", "정해진 시간 안에 이보다 많이 실패하면 잡이 완전히 실패한다."),
		}.as(count(func(c *Config) *int { return &c.RestartFailures }, 1, math.MaxInt32)),
		Option{
			Key: keyFailureRate + "failure-rate-interval", Field: "RestartFailureInterval",
			Label:  both("Interval, failure rate", "집계 시간(실패율)"),
			Effect: both("The time over which failures are counted.", "실패를 세는 시간의 길이다."),
		}.as(span(func(c *Config) *event.Time { return &c.RestartFailureInterval }, event.Millisecond)),
		Option{
			Key: keyFailureRate + "delay", Field: "RestartFailureDelay",
			Label:  both("Delay, failure rate", "대기 시간(실패율)"),
			Effect: both("The wait before each restart.", "재시작할 때마다 기다리는 시간이다."),
		}.as(span(func(c *Config) *event.Time { return &c.RestartFailureDelay }, 0)),
		Option{
			Key: keyExponential + "initial-backoff", Field: "RestartInitialBackoff",
			Label:  both("Initial back-off", "처음 대기 시간"),
			Effect: both("The wait before the first restart.", "첫 재시작 전에 기다리는 시간이다."),
		}.as(span(func(c *Config) *event.Time { return &c.RestartInitialBackoff }, event.Millisecond)),
		Option{
			Key: keyExponential + "max-backoff", Field: "RestartMaxBackoff",
			Label:  both("Maximum back-off", "최대 대기 시간"),
			Effect: both("The wait grows up to this.", "대기 시간이 커지는 상한이다."),
		}.as(span(func(c *Config) *event.Time { return &c.RestartMaxBackoff }, event.Millisecond)),
		Option{
			Key: keyExponential + "backoff-multiplier", Field: "RestartMultiplier",
			Label:  both("Back-off multiplier", "대기 시간 배수"),
			Effect: both("Each further attempt waits that many times longer.", "다시 시도할 때마다 대기 시간에 곱하는 수다."),
		}.as(number(func(c *Config) *float64 { return &c.RestartMultiplier }, 1, 1000, true)),
		Option{
			Key: keyExponential + "reset-backoff-threshold", Field: "RestartResetThreshold",
			Label:  both("Reset threshold", "초기화 기준 시간"),
			Effect: both("After this long without a failure the wait and the count of attempts start anew.", "이만큼 실패 없이 지나면 대기 시간과 시도 횟수를 처음으로 되돌린다."),
		}.as(span(func(c *Config) *event.Time { return &c.RestartResetThreshold }, event.Millisecond)),
		Option{
			Key: keyExponential + "jitter-factor", Field: "RestartJitter",
			Label:  both("Jitter", "무작위 폭"),
			Effect: both("The share of the wait by which it is randomly longer or shorter.", "대기 시간을 무작위로 늘이거나 줄이는 비율이다."),
		}.as(number(func(c *Config) *float64 { return &c.RestartJitter }, 0, 1, false)),
		Option{
			Key: keyExponential + "attempts-before-reset-backoff", Field: "RestartAttemptsToReset", Range: "1 or more; 2147483647 = without end",
			Label:  both("Attempts, exponential delay", "재시도 횟수(지수 지연)"),
			Effect: both("How often the job is restarted before it fails for good.", "잡이 완전히 실패하기 전에 몇 번까지 재시작하는지 정한다."),
		}.as(attemptsToReset()),
	}
}

// attemptsToReset holds Flink's 2147483647 as -1.
func attemptsToReset() accessor {
	a := count(func(c *Config) *int { return &c.RestartAttemptsToReset }, 1, unlimited)
	set := a.set
	a.set = func(r *resolver, v string) *Mistake {
		m := set(r, v)
		if m == nil && r.cfg.RestartAttemptsToReset == unlimited {
			r.cfg.RestartAttemptsToReset = -1
		}
		return m
	}
	a.get = func(c *Config) string {
		if c.RestartAttemptsToReset == -1 {
			return strconv.Itoa(unlimited)
		}
		return strconv.Itoa(c.RestartAttemptsToReset)
	}
	return a
}
