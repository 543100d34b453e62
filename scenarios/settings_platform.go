package scenarios

import (
	"strconv"
	"strings"

	"checkpointlab/core/option"

	"go.yaml.in/yaml/v3"
)

// Configurations as platforms around Flink have them: Amazon EMR, Managed Service for Apache Flink (Kinesis Data Analytics),
// Ververica Platform, and whatever else has a flinkConfiguration somewhere.

// platform finds the configuration in a document of a platform, and its form; nil if it is none of those.
func (p *paste) platform(n *yaml.Node) *yaml.Node {
	if found := classified(n); found != nil {
		p.form = "EMR"
		return found
	}
	if found := p.managed(n); found != nil {
		p.form = "Managed Service for Apache Flink"
		return found
	}
	if spec := holder(n, "flinkConfiguration", yaml.MappingNode); spec != nil && spec != valueOf(n, "spec") {
		p.form = "flinkConfiguration"
		p.around(spec)
		return valueOf(spec, "flinkConfiguration")
	}
	return nil
}

// classified is the flink-conf of Amazon EMR's list of classifications.
func classified(n *yaml.Node) *yaml.Node {
	if n.Kind != yaml.SequenceNode {
		return nil
	}
	for _, e := range n.Content {
		if of := text(e, "Classification") + text(e, "classification"); of == "flink-conf" {
			if properties := valueOf(e, "Properties"); properties != nil {
				return properties
			}
			return valueOf(e, "properties")
		}
	}
	return nil
}

// holder is the mapping that has a value of such a name and kind, wherever in the document.
func holder(n *yaml.Node, name string, kind yaml.Kind) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode && n.Kind != yaml.SequenceNode {
		return nil
	}
	if found := valueOf(n, name); found != nil && found.Kind == kind {
		return n
	}
	for _, child := range n.Content {
		if found := holder(child, name, kind); found != nil {
			return found
		}
	}
	return nil
}

// around reads what stands beside a flinkConfiguration of the Ververica Platform or of a chart's values.
func (p *paste) around(spec *yaml.Node) {
	version := text(spec, "flinkVersion") + text(valueOf(spec, "artifact"), "flinkVersion")
	if version = strings.ReplaceAll(strings.TrimPrefix(version, "v"), "_", "."); version != "" {
		p.version = p.nearestVersion(version, spec.Line)
	}
	for _, f := range [][2]string{{"parallelism", "parallelism"}, {"numberOfTaskManagers", "TaskManagers"}} {
		if v := valueOf(spec, f[0]); v != nil && v.Kind == yaml.ScalarNode {
			p.beside = append(p.beside, option.Pair{Key: f[1], Value: v.Value, Line: v.Line})
		}
	}
}

// The values that the Managed Service takes unless ConfigurationType is CUSTOM (API reference, CheckpointConfiguration).
const (
	managedInterval = 60_000
	managedPause    = 5_000
)

// managed reads CheckpointConfiguration and ParallelismConfiguration of an application, as the API takes and as it describes them.
func (p *paste) managed(n *yaml.Node) *yaml.Node {
	checkpoints, at := described(n, "CheckpointConfiguration"), described(n, "ParallelismConfiguration")
	if checkpoints == nil {
		return nil
	}
	out := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: checkpoints.Line}
	custom := text(checkpoints, "ConfigurationType") == "CUSTOM"
	if !custom {
		p.note(checkpoints.Line, "ConfigurationType", text(checkpoints, "ConfigurationType"), option.Info, "DEFAULT: the service takes an interval of 60 s and a pause of 5 s, whatever stands beside it or in the program.", "DEFAULT면 옆이나 프로그램에 무엇이 있든 간격 60초, 쉼 5초를 쓴다.")
	}
	if on := text(checkpoints, "CheckpointingEnabled"); custom && on == "false" {
		p.note(checkpoints.Line, "CheckpointingEnabled", on, option.Warning, "No checkpoint is taken.", "체크포인트를 뜨지 않는다.")
	} else {
		p.millis(out, checkpoints, "CheckpointInterval", "execution.checkpointing.interval", managedInterval, custom)
		p.millis(out, checkpoints, "MinPauseBetweenCheckpoints", "execution.checkpointing.min-pause", managedPause, custom)
	}
	if v := valueOf(at, "Parallelism"); v != nil {
		p.beside = append(p.beside, option.Pair{Key: "parallelism", Value: v.Value, Line: v.Line})
	}
	if v := valueOf(holder(n, "RuntimeEnvironment", yaml.ScalarNode), "RuntimeEnvironment"); v != nil && strings.HasPrefix(v.Value, "FLINK-") {
		p.version = p.nearestVersion(strings.ReplaceAll(v.Value[len("FLINK-"):], "_", "."), v.Line)
	}
	return out
}

// millis adds an option of so many milliseconds.
func (p *paste) millis(out, from *yaml.Node, name, key string, standard int, custom bool) {
	value, line := strconv.Itoa(standard), from.Line
	if v := valueOf(from, name); v != nil && custom {
		value, line = v.Value, v.Line
	}
	put(out, key, value, line)
}

// described finds a part of an application under its name in requests, updates and descriptions.
func described(n *yaml.Node, name string) *yaml.Node {
	for _, end := range []string{"", "Description", "Update"} {
		if h := holder(n, name+end, yaml.MappingNode); h != nil {
			return valueOf(h, name+end)
		}
	}
	return nil
}

// resource tells a Kubernetes resource that holds no configuration of Flink: of another kind, or a job of a session.
func (p *paste) resource(n *yaml.Node) bool {
	kind := text(n, "kind")
	if kind == "" || text(n, "apiVersion") == "" || holder(n, "flinkConfiguration", yaml.MappingNode) != nil || p.form == "flinkConfiguration" {
		return false
	}
	p.form = kind
	if v := valueOf(valueOf(valueOf(n, "spec"), "job"), "parallelism"); v != nil && strings.HasPrefix(text(n, "apiVersion"), "flink.apache.org/") {
		p.beside = append(p.beside, option.Pair{Key: "parallelism", Value: v.Value, Line: v.Line})
	}
	p.note(n.Line, "kind", kind, option.Info, "This resource holds no configuration of Flink.", "이 리소스에는 Flink 설정이 없다.")
	return true
}

// resources leaves out what holds no settings, and tells it with the first that does; nil if nothing does.
func resources(all []*paste) (kept []*paste) {
	var told []option.Note
	for _, p := range all {
		if len(p.pairs)+len(p.beside) > 0 {
			kept = append(kept, p)
		} else {
			told = append(told, p.notes...)
		}
	}
	if len(kept) > 0 {
		kept[0].notes = append(kept[0].notes, told...)
	}
	return kept
}
