package scenarios

import (
	"strconv"

	"checkpointlab/core"
	"checkpointlab/core/event"

	"go.yaml.in/yaml/v3"
)

var (
	stateFields = []string{"name", "kind", "keys", "key", "value", "writes", "reads", "new", "compressed", "filled", "ttl", "retention", "size", "slide"}
	diskFields  = []string{"throughput", "burst", "credit", "latency", "size"}
	farFields   = []string{"throughput", "latency"}
)

// The bounds of state, beyond what core.Setup checks.
const (
	mostStateKeys = 1_000_000_000_000
	mostValue     = 256 << 20
	mostSpeed     = 1 << 40 // bytes a second
	longestKept   = 365 * 24 * 3600 * event.Second
)

// states reads one state or a list of them.
func (r *reader) states(o *object, s *Scenario) (all []core.KeyedState) {
	n := o.values["state"]
	switch {
	case n == nil:
	case n.Kind == yaml.SequenceNode:
		for i, item := range n.Content {
			all = append(all, r.state(item, o.path+"state."+strconv.Itoa(i+1), "state"+strconv.Itoa(i+1), s))
		}
	default:
		all = append(all, r.state(n, o.path+"state", "state", s))
	}
	return all
}

func (r *reader) state(n *yaml.Node, path, name string, s *Scenario) core.KeyedState {
	o := r.object(n, path, stateFields...)
	k := core.KeyedState{Name: name, Kind: core.StateKind(o.word("kind", 0, core.StateKinds()...)), Keys: int64(s.Setup.Keys)}
	if given := o.raw("name"); o.has("name") {
		if k.Name = given; !isName(given) {
			o.bad("name", "is not a name", "write up to 40 letters, digits, - or _")
		}
	}
	if n, ok := o.number("keys", 1, mostStateKeys); ok {
		k.Keys = n
	}
	k.KeyBytes, k.ValueBytes = int32(o.size("key", 8, 0, mostValue)), int32(o.size("value", 100, 0, mostValue))
	k.WriteNum, k.WriteDen = o.ratio("writes")
	k.ReadNum, k.ReadDen = o.ratio("reads")
	k.NewMill = o.millionths("new")
	k.LeftMill = o.millionths("compressed") / 1000
	k.Filled = o.flag("filled", false)
	k.TTL = o.span("ttl", 0, 64*event.Millisecond, longestKept)
	k.Retention = o.span("retention", 0, 64*event.Millisecond, longestKept)
	k.Size = o.span("size", 0, 64*event.Millisecond, longestKept)
	k.Slide = o.span("slide", 0, event.Millisecond, longestKept)
	return k
}

// disk reads the local disk of the task managers and ForSt's storage.
func (r *reader) disk(cluster *object, s *Scenario) {
	if cluster.has("disk") {
		o := r.object(cluster.values["disk"], "cluster.disk", diskFields...)
		s.Setup.Cluster.Disk = core.Disk{
			Throughput: o.size("throughput", 1_000_000_000, 1, mostSpeed), Burst: o.size("burst", 0, 1, mostSpeed),
			Credit: o.size("credit", 0, 0, mostState), Latency: o.span("latency", 100*event.Microsecond, 0, event.Second), Size: o.size("size", 0, 1<<20, mostState),
		}
		if d := s.Setup.Cluster.Disk; d.Burst > 0 && d.Burst < d.Throughput {
			o.bad("burst", "is below the throughput", "write more, or leave it out")
		}
		if d := s.Setup.Cluster.Disk; (d.Burst > 0) != (d.Credit > 0) {
			o.bad("credit", "goes with burst: bytes that can be saved up, and how fast they are spent", "write both or none")
		}
	}
	if cluster.has("remote") {
		o := r.object(cluster.values["remote"], "cluster.remote", farFields...)
		s.Setup.Cluster.Remote = core.Remote{Throughput: o.size("throughput", 100_000_000, 1, mostSpeed), Latency: o.span("latency", 20*event.Millisecond, 0, event.Second)}
	}
}
