package rebuild

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"checkpointlab/core/event"
	"checkpointlab/core/option"
	"checkpointlab/scenarios"
)

// setting is an option of Flink that acts in the scenario.
type setting struct {
	key, value string
	from       words
}

// elsewhere are options whose effect is in the job's own structure already: how its vertices are chained, how wide they are.
var elsewhere = []string{"pipeline.operator-chaining.enabled", "parallelism.default"}

// takeover is what configurations give.
type takeover struct {
	given map[string]setting
	order []string // of its keys
	slots string   // taskmanager.numberOfTaskSlots
}

// flink takes over the options that the lab models, from all configurations; what the running job says of itself counts most.
func (r *Rebuilt) flink(version string) error {
	all := takeover{given: map[string]setting{}}
	if version == "" {
		version = r.told()
	}
	for _, text := range r.job.Configurations {
		read, err := scenarios.ReadSettings(text, version)
		var m *option.Mistake
		if errors.As(err, &m) && m.Key == "version" {
			return m
		}
		for i := range read {
			s := &read[i]
			if len(s.Fatal) > 0 {
				return s.Fatal[0]
			}
			if version == "" && s.Version != newest() {
				version, r.versionFrom = s.Version, line{"flinkVersion", s.Version, from("the configuration", "설정")}
			}
			all.take(s)
			if of := event.Time(s.Config.Interval); of > 0 && (s.Form == jobsOwn || r.interval == 0) {
				r.interval = of
			}
		}
	}
	for _, key := range all.order {
		r.options = append(r.options, all.given[key])
	}
	r.slots(all.slots)
	r.versions(version)
	r.widths(all.given)
	if _, told := all.given["execution.checkpointing.interval"]; !told {
		r.assume(option.Warning, "No text tells the checkpoint interval: add …/checkpoints/config. Here no checkpoint is triggered.", "체크포인트 간격이 나와 있지 않다. …/checkpoints/config 응답을 더한다. 여기서는 체크포인트가 트리거되지 않는다.")
	}
	return nil
}

// take takes what one configuration gives of the options that the lab models, over what others have given.
func (a *takeover) take(s *scenarios.Settings) {
	for _, p := range s.Given {
		o, known := option.Find(p.Key)
		if known && o.Key == "taskmanager.numberOfTaskSlots" {
			a.slots = p.Value
		}
		if !known || !o.Modelled || slices.Contains(elsewhere, o.Key) || p.Value == "" {
			continue
		}
		if _, twice := a.given[o.Key]; !twice {
			a.order = append(a.order, o.Key)
		}
		a.given[o.Key] = setting{o.Key, s.Effective(o.Key), plain(s.Form)}
	}
}

// jobsOwn is the form of what a running job says of its configuration.
const jobsOwn = "checkpoints/config"

func newest() string { return option.Versions[len(option.Versions)-1] }

// told is the version that the lab has nearest below the one that /config tells; "" if none does.
func (r *Rebuilt) told() string {
	if r.job.Version == "" {
		return ""
	}
	near := option.Versions[0]
	for _, v := range option.Versions {
		if minor(v) <= minor(r.job.Version) {
			near = v
		}
	}
	r.versionFrom = line{"flinkVersion", near, from("flink-version %s of /config", "/config의 flink-version %s", r.job.Version)}
	return near
}

// minor makes versions comparable: 1.20.1 is 1020.
func minor(v string) int {
	major, rest, _ := strings.Cut(v, ".")
	second, _, _ := strings.Cut(rest, ".")
	a, _ := strconv.Atoi(major)
	b, _ := strconv.Atoi(second)
	return a*1000 + b
}

func (r *Rebuilt) versions(version string) {
	switch {
	case r.versionFrom.value != "":
	case version != "":
		r.versionFrom = line{"flinkVersion", version, from("as asked for", "지정한 버전")}
	default:
		r.versionFrom = line{"flinkVersion", newest(), from("assumed", "가정")}
		r.assume(option.Info, "Which version of Flink runs is not told (the answer of /config has it): %s.", "Flink 버전이 나와 있지 않다(/config 응답에 있다). %s로 둔다.", newest())
	}
}

// widths: the lab has one max parallelism for all vertices.
func (r *Rebuilt) widths(given map[string]setting) {
	if _, told := given["pipeline.max-parallelism"]; told {
		return
	}
	most := int64(-1)
	for i := range r.vertices {
		switch m := r.vertices[i].MaxParallelism; {
		case m <= 0:
		case most < 0:
			most = m
		case m != most:
			r.assume(option.Info, "Vertices differ in their max parallelism; here each has Flink's default for its parallelism.", "정점마다 최대 병렬도가 다르다. 여기서는 병렬도에 따른 Flink 기본값을 쓴다.")
			return
		}
	}
	if most > 0 {
		r.options = append(r.options, setting{"pipeline.max-parallelism", strconv.FormatInt(most, 10), from("maxParallelism of the vertices", "정점의 maxParallelism")})
	}
}

// slots keeps how many slots a task manager has by its configuration.
func (r *Rebuilt) slots(given string) {
	if n, err := strconv.Atoi(given); err == nil && n > 0 {
		r.clusterLine = line{"slots", given, plain("taskmanager.numberOfTaskSlots")}
	}
}

// managers says which tasks share a task manager, as the vertices' answers have it, else as Flink does it by default.
func (r *Rebuilt) managers() {
	type task struct {
		vertex, index int
	}
	on, told := map[string][]task{}, true
	for i := range r.vertices {
		told = told && len(r.vertices[i].Managers) > 0
		for k, m := range r.vertices[i].Managers {
			if m == "" {
				told = false
			}
			on[m] = append(on[m], task{i, k})
		}
	}
	if !told {
		if r.clusterLine.value == "" {
			r.clusterLine = line{"slots", "1", from("assumed: Flink's default", "가정: Flink 기본값")}
		}
		r.assume(option.Info, "Which tasks share a task manager is not told (…/vertices/:vid has it): as Flink does it by default, a slot has one subtask of every vertex.", "어느 태스크가 TaskManager를 함께 쓰는지 나와 있지 않다(…/vertices/:vid에 있다). Flink 기본값대로 슬롯 하나에 정점마다 서브태스크 하나씩 둔다.")
		r.clusterLine.key = "{slots: " + r.clusterLine.value + ", sharing: true}"
		return
	}
	most, together, shared := 0, 0, false
	for _, tasks := range on {
		indexes := map[int]bool{}
		for _, t := range tasks {
			indexes[t.index] = true
		}
		most, together = max(most, len(indexes)), max(together, len(tasks))
		shared = shared || len(tasks) > len(indexes)
	}
	if together < 2 {
		r.clusterLine = line{} // a task manager each, which is the lab's default
		return
	}
	slots := r.clusterLine.value
	if !shared {
		slots = strconv.Itoa(together)
	} else if n, err := strconv.Atoi(slots); err != nil || n < most {
		slots = strconv.Itoa(most)
	}
	r.clusterLine = line{"{slots: " + slots + ", sharing: " + strconv.FormatBool(shared) + "}", slots, from("%d task managers in …/vertices/:vid", "…/vertices/:vid의 TaskManager %d개", len(on))}
}
