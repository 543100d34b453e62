package scenarios

import (
	"strings"

	"checkpointlab/core/event"
	"checkpointlab/core/option"
)

// What a program or SQL says of a sink to Kafka, whose transactions hang on checkpoints: its guarantee and for how long the broker
// keeps a transaction open.

const (
	sinkGuarantee = "sink's guarantee"
	sinkTimeout   = "transaction.timeout.ms"
)

// brokerDefault is a broker's transaction.max.timeout.ms if nobody sets it; it refuses a producer that asks for more. KafkaSinkBuilder
// asks for 1 h if nobody sets transaction.timeout.ms.
const brokerDefault = 900 * event.Second

// ofSink reads setDeliveryGuarantee and the producer's transaction.timeout.ms; false if a call is none of them.
func (p *program) ofSink(name string, given [][]token, line int) bool {
	switch {
	case name == "setdeliveryguarantee" && len(given) == 1:
		p.besides(sinkGuarantee, given[0], line)
	case len(given) == 2 && (name == "setproperty" || name == "put" || name == "setkafkaproducerconfig"):
		source := p.source(given[0])
		if v, ok := p.names.valueIn(given[0], 0); (!ok || v.text != sinkTimeout) && !strings.HasSuffix(source, "TRANSACTION_TIMEOUT_CONFIG") {
			return false
		}
		p.besides(sinkTimeout, given[1], line)
	default:
		return false
	}
	return true
}

// statements reads SQL that a program executes.
func (p *program) statements(given []token, line int) {
	v, ok := p.names.valueIn(given, 0)
	if !ok || v.is != aText {
		return
	}
	p.sql(tokensOf(v.text), line)
}

// sql reads SET 'key' = 'value' and the options of a table in Kafka. Lines are counted from line on.
func (p *paste) sql(all []token, line int) {
	for i := 0; i+2 < len(all); i++ {
		if all[i].kind != quoted || !all[i+1].is("=") || all[i+2].kind != quoted {
			continue
		}
		key, q := all[i].text, option.Pair{Key: all[i].text, Value: all[i+2].text, Line: line + all[i].line - 1}
		switch {
		case i > 0 && strings.EqualFold(all[i-1].text, "SET"):
			p.pairs = append(p.pairs, q)
		case key == "sink.delivery-guarantee" || key == "sink.semantic":
			q.Key, q.Value = sinkGuarantee, strings.ToUpper(strings.ReplaceAll(q.Value, "-", "_"))
			p.beside = append(p.beside, q)
		case key == "properties."+sinkTimeout:
			q.Key = sinkTimeout
			p.beside = append(p.beside, q)
		}
	}
}

// tables reads what a script says of its tables in Kafka; its SET statements are read elsewhere.
func (p *paste) tables(text string) {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(strings.TrimSpace(line), "--") {
			lines[i] = ""
		}
	}
	script := &paste{}
	script.sql(tokensOf(strings.Join(lines, "\n")), 1)
	p.beside = append(p.beside, script.beside...)
}

// sinks: whether transactions are open for longer than the broker keeps them.
func (p *paste) sinks(s *Settings) {
	var guarantee, timeout option.Pair
	for _, b := range p.beside {
		switch b.Key {
		case sinkGuarantee:
			guarantee = b
		case sinkTimeout:
			timeout = b
		}
	}
	if guarantee.Value != "EXACTLY_ONCE" {
		return
	}
	if s.Config.Interval == 0 {
		p.note(guarantee.Line, guarantee.Key, guarantee.Value, option.Warning, "An EXACTLY_ONCE sink commits when a checkpoint completes; no interval is set here, and without one no read_committed reader sees a record.",
			"EXACTLY_ONCE 싱크는 체크포인트가 완료될 때 커밋한다. 여기에는 간격이 없고, 간격이 없으면 read_committed로는 레코드가 하나도 보이지 않는다.")
	}
	if timeout.Key == "" {
		p.note(guarantee.Line, guarantee.Key, guarantee.Value, option.Warning, "No transaction.timeout.ms: KafkaSink then asks for 1 h, and a broker with its default transaction.max.timeout.ms of 15 min refuses the producer. Set it to at most the broker's limit, and above the longest downtime.",
			"transaction.timeout.ms가 없다. 그러면 KafkaSink는 1시간을 요구하고, transaction.max.timeout.ms가 기본값(15분)인 브로커는 프로듀서를 거부한다. 브로커의 한도 이하로, 가장 긴 정지 시간보다 길게 정한다.")
		return
	}
	d, err := option.ParseDuration(timeout.Value)
	if err != nil {
		return
	}
	longest := s.Config.Interval + s.Config.Timeout
	ko := func(d event.Time) string { return option.Korean(option.FormatDuration(d)) }
	switch {
	case s.Config.Interval > 0 && d <= s.Config.Interval:
		p.note(timeout.Line, timeout.Key, timeout.Value, option.Warning, "A transaction is open for an interval and a checkpoint's duration, and the broker aborts it after "+option.FormatDuration(d)+", before the interval of "+option.FormatDuration(s.Config.Interval)+" is over: the producer is fenced, and the job restarts again and again.",
			"트랜잭션은 간격에 체크포인트 시간을 더한 만큼 열려 있는데, 브로커는 "+ko(d)+" 뒤에 중단한다. 간격("+ko(s.Config.Interval)+")이 끝나기도 전이라서 프로듀서가 쫓겨나고 잡이 거듭 재시작한다.")
	case s.Config.Interval > 0 && d < longest:
		p.note(timeout.Line, timeout.Key, timeout.Value, option.Info, "A checkpoint may take up to its timeout, "+option.FormatDuration(s.Config.Timeout)+": with the interval a transaction is then open for "+option.FormatDuration(longest)+", longer than "+option.FormatDuration(d)+". The longest downtime comes on top: after it what was pre-committed is lost.",
			"체크포인트는 timeout인 "+ko(s.Config.Timeout)+"까지 걸릴 수 있다. 그러면 트랜잭션이 간격까지 더해 "+ko(longest)+" 동안 열려 있어 "+ko(d)+"보다 길다. 가장 긴 정지 시간은 여기에 더해진다. 그 뒤에는 사전 커밋한 것을 잃는다.")
	case d > brokerDefault:
		p.note(timeout.Line, timeout.Key, timeout.Value, option.Info, "Longer than a broker's default transaction.max.timeout.ms of 15 min: raise that too, or the broker refuses the producer.",
			"브로커의 transaction.max.timeout.ms 기본값(15분)보다 길다. 그것도 함께 늘리지 않으면 브로커가 프로듀서를 거부한다.")
	}
}
