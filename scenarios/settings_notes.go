package scenarios

import (
	"slices"
	"strconv"
	"strings"

	"checkpointlab/core/option"
)

// together says what holds between settings that no single one of them shows.
func (p *paste) together(s *Settings) {
	p.atLeastOnce(s)
	p.retained(s)
	p.operators(s)
	p.slots(s)
	p.never()
	p.bare()
	p.small()
	p.attempts()
	p.sinks(s)
}

// value is the last value of a key in any of its spellings, whether it counts or not, and its line.
func (p *paste) value(key string) (value string, line int) {
	want := key
	if o, ok := option.Find(key); ok {
		want = o.Key
	}
	for _, q := range p.pairs {
		have := q.Key
		if o, ok := option.Find(q.Key); ok {
			have = o.Key
		}
		if have == want {
			value, line = q.Value, q.Line
		}
	}
	return value, line
}

// atLeastOnce: unaligned checkpoints that somebody wanted, whichever spelling won.
func (p *paste) atLeastOnce(s *Settings) {
	wanted := 0
	for _, q := range p.pairs {
		if o, ok := option.Find(q.Key); ok && o.Key == "execution.checkpointing.unaligned.enabled" && strings.EqualFold(q.Value, "true") {
			wanted = q.Line
		}
	}
	if wanted == 0 {
		return
	}
	if s.Config.Mode == option.AtLeastOnce && !s.Config.Unaligned && !p.said("Switched off: execution.checkpointing.mode") {
		p.note(wanted, "execution.checkpointing.unaligned.enabled", "true", option.Warning, "AT_LEAST_ONCE disables unaligned checkpoints: they need EXACTLY_ONCE.", "AT_LEAST_ONCE는 unaligned 체크포인트를 끈다. EXACTLY_ONCE가 필요하다.")
	}
	if n, line := p.value("execution.checkpointing.max-concurrent-checkpoints"); n != "" && n != "1" {
		p.note(line, "execution.checkpointing.max-concurrent-checkpoints", n, option.Warning, "Several checkpoints at once do not go with unaligned ones either.", "여러 체크포인트를 동시에 진행하는 것도 unaligned와 함께 쓸 수 없다.")
	}
}

// told tells whether something is said of a key already, as of one whose value something else fills in.
func (p *paste) told(key string) bool {
	return slices.ContainsFunc(p.notes, func(n option.Note) bool { return n.Key == key })
}

func (p *paste) said(begin string) bool {
	for _, n := range p.notes {
		if strings.HasPrefix(n.Text, begin) {
			return true
		}
	}
	return false
}

// mostInConfigMap is how many retained checkpoints fit into a ConfigMap of 1 mb, which holds a line of about a kilobyte for each
// (KubernetesStateHandleStore; the limit is Kubernetes').
const mostInConfigMap = 1000

// retained: each retained checkpoint has an entry in the high availability's store.
func (p *paste) retained(s *Settings) {
	ha, _ := p.value("high-availability.type")
	text, line := p.value("execution.checkpointing.num-retained")
	if n, err := strconv.Atoi(text); err == nil && n >= mostInConfigMap && strings.Contains(strings.ToLower(ha), "kubernetes") {
		p.note(line, "execution.checkpointing.num-retained", text, option.Warning, "Kubernetes' high availability keeps an entry for each retained checkpoint in one ConfigMap, which holds 1 mb.", "Kubernetes 고가용성은 보관한 체크포인트마다 한 ConfigMap에 항목을 두는데, ConfigMap의 한도는 1 MB다.")
	}
}

// operators: what the Kubernetes operator adds of its own.
func (p *paste) operators(s *Settings) {
	if every, line := p.value("kubernetes.operator.periodic.savepoint.interval"); every != "" {
		p.note(line, "kubernetes.operator.periodic.savepoint.interval", every, option.Info, "The operator takes a savepoint every "+every+" beside the checkpoints; canonical unless kubernetes.operator.savepoint.format.type says otherwise.", "오퍼레이터가 체크포인트와 별도로 "+option.Korean(every)+"마다 세이브포인트를 뜬다. kubernetes.operator.savepoint.format.type이 없으면 CANONICAL이다.")
	}
	age, line := p.value("kubernetes.operator.job.upgrade.last-state.max.allowed.checkpoint.age")
	if d, err := option.ParseDuration(age); age != "" && err == nil && s.Config.Interval > 0 {
		n := strconv.FormatInt(d/s.Config.Interval, 10)
		p.note(line, "kubernetes.operator.job.upgrade.last-state.max.allowed.checkpoint.age", age, option.Info, "At an interval of "+option.FormatDuration(s.Config.Interval)+" "+n+" missed checkpoints make an upgrade take a savepoint instead of the last state.", "간격이 "+option.Korean(option.FormatDuration(s.Config.Interval))+"이므로 체크포인트를 "+n+"번 놓치면 업그레이드가 마지막 상태 대신 세이브포인트를 뜬다.")
	}
}

// slots: whether the TaskManagers that are asked for have a slot to spare.
func (p *paste) slots(s *Settings) {
	var managers, parallelism int
	line := 0
	for _, b := range p.beside {
		switch n, _ := strconv.Atoi(b.Value); b.Key {
		case "TaskManagers":
			managers, line = n, b.Line
		case "parallelism":
			parallelism = n
		}
	}
	text, _ := p.value("taskmanager.numberOfTaskSlots")
	slots, err := strconv.Atoi(text)
	if err != nil || managers == 0 || parallelism == 0 {
		return
	}
	switch all := slots * managers; {
	case all < parallelism:
		p.note(line, "taskManager.replicas", strconv.Itoa(managers), option.Warning, strconv.Itoa(managers)+" x "+text+" = "+strconv.Itoa(all)+" slots are fewer than the parallelism of "+strconv.Itoa(parallelism)+": the job waits for slots.", "슬롯 "+strconv.Itoa(all)+"개가 병렬도 "+strconv.Itoa(parallelism)+"보다 적어서 잡이 슬롯을 기다린다.")
	case all == parallelism:
		p.note(line, "taskManager.replicas", strconv.Itoa(managers), option.Info, strconv.Itoa(managers)+" x "+text+" = "+strconv.Itoa(all)+" slots are the parallelism: no slot to spare when a TaskManager is lost.", "슬롯 수가 병렬도와 같다. TaskManager를 잃으면 남는 슬롯이 없다.")
	}
}

// never: settings of checkpoints that none is taken by.
func (p *paste) never() {
	if every, _ := p.value("execution.checkpointing.interval"); every != "" || p.told("execution.checkpointing.interval") {
		return
	}
	for _, q := range p.pairs {
		o, ok := option.Find(q.Key)
		if !ok || !strings.HasPrefix(o.Key, "execution.checkpointing.") || o.Key == "execution.checkpointing.dir" || o.Key == "execution.checkpointing.savepoint-dir" {
			continue
		}
		p.note(q.Line, q.Key, q.Value, option.Info, "Without execution.checkpointing.interval no checkpoint is taken, unless the program sets an interval (enableCheckpointing).",
			"execution.checkpointing.interval이 없으면 체크포인트를 뜨지 않는다. 프로그램이 간격을 정할 때만(enableCheckpointing) 뜬다.")
		return
	}
}

// attempts: the strategies that give up, and after how few failures they do unless more is said.
func (p *paste) attempts() {
	chosen, line := p.value("restart-strategy.type")
	switch strings.ToLower(strings.ReplaceAll(chosen, "-", "")) {
	case "fixeddelay":
		if n, _ := p.value("restart-strategy.fixed-delay.attempts"); n == "" {
			p.note(line, "restart-strategy.type", chosen, option.Warning, "Without restart-strategy.fixed-delay.attempts that is 1: the second failure since the start ends the job for good.", "restart-strategy.fixed-delay.attempts가 없으면 1이다. 시작한 뒤 두 번째 실패에서 잡이 완전히 끝난다.")
		}
	case "failurerate":
		if n, _ := p.value("restart-strategy.failure-rate.max-failures-per-interval"); n == "" {
			p.note(line, "restart-strategy.type", chosen, option.Warning, "Without restart-strategy.failure-rate.max-failures-per-interval that is 1: two failures within failure-rate-interval (1 min unless set) end the job for good.", "restart-strategy.failure-rate.max-failures-per-interval이 없으면 1이다. failure-rate-interval(기본 1분) 안의 두 번째 실패에서 잡이 완전히 끝난다.")
		}
	}
}

// leastBare is the shortest time that somebody means who writes a number without a unit for one of the times of checkpoints.
const leastBare = 1000

// bare: a number without a unit is milliseconds, and few mean that by 60.
func (p *paste) bare() {
	for _, key := range []string{"execution.checkpointing.interval", "execution.checkpointing.timeout", "execution.checkpointing.min-pause"} {
		value, line := p.value(key)
		if n, err := strconv.Atoi(strings.TrimSpace(value)); err == nil && n > 0 && n < leastBare {
			p.note(line, key, value, option.Warning, "A number without a unit is milliseconds; write "+value+" s or "+value+" min if that is meant.",
				"단위가 없는 수는 밀리초다. "+value+" s나 "+value+" min이라면 그렇게 쓴다.")
		}
	}
}

// small: the JobManager's memory as the place of checkpoints.
func (p *paste) small() {
	value, line := p.value("execution.checkpointing.storage")
	key := "execution.checkpointing.storage"
	if backend, at := p.value("state.backend.type"); strings.EqualFold(backend, "jobmanager") {
		value, line, key = backend, at, "state.backend"
	}
	if strings.EqualFold(value, "jobmanager") {
		p.note(line, key, value, option.Warning, "Checkpoints stay in the JobManager's memory: a subtask whose part is above 5 mb fails them, and they are gone with the JobManager. Only execution.checkpointing.storage: filesystem with a directory keeps them.",
			"체크포인트가 JobManager의 메모리에 남는다. 자기 몫이 5 MB를 넘는 서브태스크가 있으면 실패하고, JobManager와 함께 사라진다. execution.checkpointing.storage: filesystem과 디렉터리가 있어야 남는다.")
	}
}
