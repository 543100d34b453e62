package scenarios

import (
	"math"
	"strconv"
	"strings"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"

	"go.yaml.in/yaml/v3"
)

// The lab's bounds, beyond Flink's own.
const (
	longestRun   = 30 * 24 * 3600 * event.Second
	longestCost  = 100 * event.Second // of a record, as the core counts it
	mostRecord   = 16 << 20
	mostOverhead = 1 << 20
	mostState    = 1 << 50
	mostKeys     = 10_000_000
	mostLog      = 1_000_000 // partitions
	mostChannels = 1_000_000
	mostVertices = 64
	mostOut      = 1000      // records that a map makes of one
	mostIn       = 1_000_000 // records of which it makes one

	mostRecords = 1_000_000_000_000 // of a bounded partition
)

var (
	jobFields     = []string{"vertices", "edges", "keys", "hotShare", "overhead"}
	vertexFields  = []string{"name", "kind", "parallelism", "cost", "rate", "record", "partitions", "until", "history", "ends", "flush", "guarantee", "transactionTimeout", "brokerMaxTimeout", "emit", "burst", "chain", "snapshot", "callback", "lock", "state", "watermark", "window", "async", "load"}
	edgeFields    = []string{"from", "to", "partition", "cost", "emit", "record"}
	clusterFields = []string{"slots", "sharing", "disk", "remote"}
	snapFields    = []string{"sync", "async", "size", "change", "amplification", "skew", "files", "rewrite", "rewriteRate"}
	callFields    = []string{"time", "grows"}
	innerFields   = []string{"snapshot", "callback", "watermark", "window", "async", "load"} // of a vertex, that are mappings

	locks      = []string{"none", "emit", "first", "snapshot"} // in the order of core.Lock
	kinds      = []string{"map", "source", "sink"}             // in the order of core.VertexKind
	guarantees = []string{"EXACTLY_ONCE", "AT_LEAST_ONCE", "NONE"}
	partitions = []string{"HASH", "REBALANCE", "FORWARD", "RESCALE", "SHUFFLE", "BROADCAST", "GLOBAL"} // in the order of core.Partition
	unmodelled = []string{"CUSTOM"}                                                                    // Flink's other partitioner (spec 10.2)
)

// job reads the graph.
func (r *reader) job(top *object, s *Scenario) {
	if !top.has("job") {
		r.bad(top.node, "", "", "the scenario has no job", "write job: with vertices: and edges:")
		return
	}
	o := r.object(top.values["job"], "job", jobFields...)
	s.Setup.Keys = 1024
	if n, ok := o.number("keys", 1, mostKeys); ok {
		s.Setup.Keys = int(n)
	}
	s.Setup.HotShareMill = o.millionths("hotShare")
	s.Setup.Overhead = int32(o.size("overhead", 47, 0, mostOverhead))
	s.Setup.MaxParallel = max(0, s.Setup.Options.MaxParallelism)
	s.Setup.Chaining = s.Setup.Options.Chaining
	before := len(r.mistakes)
	r.vertices(&o, s)
	r.edges(&o, s)
	if len(r.mistakes) == before {
		r.graph(&o, s)
	}
}

// millionths reads a share of 0 to 1 with up to six decimals.
func (o *object) millionths(field string) (n int64) {
	o.read(field, "write a share of 0 to 1", func(text string) error {
		x, err := strconv.ParseFloat(text, 64)
		scaled := math.Round(x * 1e6)
		if err != nil || math.IsNaN(x) || x < 0 || x > 1 || math.Abs(scaled-x*1e6) > 1e-6 {
			return &option.Mistake{Problem: "is not a share", Remedy: "write a number of 0 to 1 with at most six decimals, such as 0.5"}
		}
		n = int64(scaled)
		return nil
	})
	return n
}

// isName reports whether a text can name something: 1 to 40 letters, digits, _ and -.
func isName(text string) bool {
	other := func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-')
	}
	return text != "" && len(text) <= 40 && !strings.ContainsFunc(text, other)
}

func (r *reader) vertices(job *object, s *Scenario) {
	items := job.items("vertices")
	if len(items) == 0 || len(items) > mostVertices {
		r.bad(job.at("vertices"), "job.vertices", "", "holds "+strconv.Itoa(len(items))+" vertices",
			"list at least a source and a sink, at most "+strconv.Itoa(mostVertices))
		return
	}
	seen := map[string]int{}
	for i, n := range items {
		name := "number " + strconv.Itoa(i+1)
		given := text(n, "name")
		if isName(given) {
			name = given
		}
		o := r.object(n, "job.vertices."+name, vertexFields...)
		if n.Kind != yaml.MappingNode {
			continue
		}
		switch first, twice := seen[name]; {
		case !o.has("name"):
			o.bad("name", "is missing", "give the vertex a name, such as source")
		case name != given:
			o.bad("name", "is not a name", "write up to 40 letters, digits, - or _")
		case twice:
			o.bad("name", "is the name of two vertices (first on line "+strconv.Itoa(first)+")", "give each its own")
		}
		seen[name] = n.Line
		s.Setup.Vertices = append(s.Setup.Vertices, r.vertex(&o, s, name))
	}
}

func (r *reader) vertex(o *object, s *Scenario, name string) core.Vertex {
	v := core.Vertex{Name: name, Parallelism: s.Setup.Options.Parallelism, Cost: -1}
	v.Kind = core.VertexKind(o.word("kind", int(core.Map), kinds...))
	if n, ok := o.number("parallelism", 1, option.MostParallelism); ok {
		v.Parallelism = int(n)
	}
	if most := s.Setup.MaxParallel; most > 0 && v.Parallelism > most {
		o.bad("parallelism", "is above the max parallelism of "+strconv.Itoa(most), "lower it, or raise pipeline.max-parallelism")
	}
	snap := r.object(o.values["snapshot"], o.path+"snapshot", snapFields...)
	v.Snapshot = core.Snapshot{
		Sync: snap.span("sync", 0, 0, longestRun), Async: snap.span("async", 0, 0, longestRun), Size: snap.size("size", 0, 0, mostState),
		Change: snap.size("change", 0, 0, mostRecord),
	}
	if v.Snapshot.Amplification = snap.perMille("amplification"); v.Snapshot.Amplification > 0 && v.Snapshot.Change == 0 {
		snap.bad("amplification", "says how much is stored for what a record changes, but it changes nothing", "write change: beside it, such as 100 b")
	}
	v.Snapshot.Skew = snap.millionths("skew")
	if v.Snapshot.Files, _ = snap.number("files", 1, 10_000); v.Snapshot.Files > 1 && v.Snapshot.Change > 0 {
		snap.bad("files", "is given, but an incremental state makes its own files", "leave out files: or change:")
	}
	r.rewrite(&snap, &v)
	call := r.object(o.values["callback"], o.path+"callback", callFields...)
	v.Callback = core.Callback{Time: call.span("time", 0, 0, longestRun), Grows: call.span("grows", 0, 0, 100*event.Second)}
	v.State = r.states(o, s)
	v.NoChain = !o.flag("chain", true)
	if v.Kind == core.Map {
		r.flatMap(o, &v)
		r.window(o, &v)
		r.async(o, &v)
	} else {
		o.refuse("is a field of maps only", "emit", "burst", "window", "async")
	}
	if v.Kind == core.Source {
		r.source(o, &v)
	} else {
		o.refuse("is a field of sources only", "rate", "partitions", "until", "history", "ends", "watermark", "load", "lock")
		v.Cost = o.span("cost", -1, 0, longestCost)
	}
	if v.Kind == core.Sink {
		o.refuse("is a field of sources and maps only", "record")
		v.Guarantee = core.Guarantee(o.word("guarantee", int(core.ExactlyOnce), guarantees...))
		if v.Flush = o.span("flush", 0, 0, longestRun); v.Flush > 0 && v.Guarantee == core.NoGuarantee {
			o.bad("flush", "is given, but with the guarantee NONE nothing is waited for", "leave it out, or write guarantee: AT_LEAST_ONCE")
		}
		v.TransactionTimeout = o.span("transactionTimeout", 0, event.Millisecond, longestRun)
		v.BrokerMaxTimeout = o.span("brokerMaxTimeout", 0, event.Millisecond, longestRun)
	} else {
		o.refuse("is a field of sinks only", "flush", "guarantee", "transactionTimeout", "brokerMaxTimeout")
	}
	return v
}

// rewrite adds to the synchronous part what the vertex writes anew at each barrier, as a copy-on-write table its files: its
// subtasks share the bytes, each with the same rate.
func (r *reader) rewrite(snap *object, v *core.Vertex) {
	bytes, rate := snap.size("rewrite", 0, 1, mostState), snap.perSecond("rewriteRate")
	switch {
	case bytes > 0 && rate > 0:
		v.Snapshot.Sync += event.Time(float64(bytes) / float64(v.Parallelism) / float64(rate) * float64(event.Second))
	case bytes > 0:
		snap.bad("rewrite", "needs a rate", "write rewriteRate: beside it, such as 50 mb/s, which one subtask writes")
	case rate > 0:
		snap.bad("rewriteRate", "has nothing to write", "write rewrite: beside it, such as 20 gb, of all subtasks together")
	}
}

// flatMap reads how many records a map makes of one, and how large they are.
func (r *reader) flatMap(o *object, v *core.Vertex) {
	v.EmitNum, v.EmitDen = o.ratio("emit")
	if v.Burst = o.flag("burst", false); v.Burst && v.EmitDen == 0 {
		o.bad("burst", "needs a number of records to come at once", "write emit: beside it, such as 1000 or 1000/50")
	}
	v.Payload = int32(o.size("record", 0, 1, mostRecord))
}

// cluster reads which tasks share a task manager.
func (r *reader) cluster(top *object, s *Scenario) {
	o := r.object(top.values["cluster"], "cluster", clusterFields...)
	if n, ok := o.number("slots", 1, option.MostParallelism); ok {
		s.Setup.Cluster.Slots = int(n)
	}
	s.Setup.Cluster.Sharing = o.flag("sharing", false)
	r.disk(&o, s)
	if s.Setup.Cluster.Sharing && !o.has("slots") {
		o.bad("sharing", "needs the number of slots", "write slots: 1 or more beside it")
	}
}

// ratio reads records out for records in, "3" or "1/10"; 0, 0 if it is not given or wrong.
func (o *object) ratio(field string) (num, den int64) {
	o.read(field, "write records out for each one in, such as 3 or 1/10", func(text string) error {
		out, in, some := strings.Cut(text, "/")
		if !some {
			in = "1"
		}
		n, err1 := strconv.ParseInt(strings.TrimSpace(out), 10, 64)
		d, err2 := strconv.ParseInt(strings.TrimSpace(in), 10, 64)
		if err1 != nil || err2 != nil || n < 1 || d < 1 || n > mostOut || d > mostIn {
			return &option.Mistake{Problem: "is not a ratio", Remedy: "write records out for each one in, such as 3 or 1/10, at most 1000 and at least 1/1000000"}
		}
		num, den = n, d
		return nil
	})
	return num, den
}

// end reads where a bounded source ends: a time, "600 s", or a number of records of each partition, "5000 records".
func (o *object) end(field string) (at event.Time, after int64) {
	number, records := strings.CutSuffix(strings.TrimSpace(o.raw(field)), "records")
	if !records {
		return o.span(field, 0, 1, longestRun), 0
	}
	o.read(field, "write a time such as 600 s, or 5000 records", func(string) error {
		n, err := strconv.ParseInt(strings.TrimSpace(number), 10, 64)
		if err != nil || n < 1 || n > mostRecords {
			return &option.Mistake{Problem: "is not a number of records", Remedy: "write 1 to " + strconv.Itoa(mostRecords) + ", such as 5000 records, or a time such as 600 s"}
		}
		after = n
		return nil
	})
	return 0, after
}

func (r *reader) source(o *object, v *core.Vertex) {
	o.refuse("is not a field of sources, which have the measured cost", "cost")
	v.Payload = int32(o.size("record", 100, 0, mostRecord))
	v.Lock = core.Lock(o.word("lock", 0, locks...))
	v.Until = o.span("until", 0, 1, longestRun)
	v.EndsAt, v.EndsAfter = o.end("ends")
	r.watermarks(o, v)
	v.History, _ = o.number("history", 0, mostRecords)
	if v.Lock == core.LockSnapshot && v.History == 0 {
		o.bad("lock", "lasts until the snapshot of a table is read, and the log has none", "give the source a history, the records of the snapshot, or write lock: first")
	}
	if n, ok := o.number("partitions", 1, mostLog); ok {
		v.Partitions = int(n)
	}
	if !o.has("rate") {
		o.bad("rate", "is missing", "write records per second and partition, such as 1000/s, or max")
	}
	v.RateNum, v.RatePer = o.rate("rate")
	o.notTooMany("rate", v, v.RateNum, v.RatePer)
	r.load(o, v)
}

func (r *reader) edges(job *object, s *Scenario) {
	items := job.items("edges")
	if len(items) == 0 {
		r.bad(job.at("edges"), "job.edges", "", "holds no edge", "write from:, to: and partition: for each exchange")
		return
	}
	seen := map[[2]int]int{}
	for i, n := range items {
		o := r.object(n, "job.edges."+strconv.Itoa(i+1), edgeFields...)
		if n.Kind != yaml.MappingNode {
			continue
		}
		e := core.Edge{From: o.vertex("from", s), To: o.vertex("to", s)}
		if e.From < 0 || e.To < 0 {
			continue
		}
		if first, twice := seen[[2]int{e.From, e.To}]; twice {
			r.bad(n, o.path[:len(o.path)-1], "", "is a second edge from "+o.raw("from")+" to "+o.raw("to")+" (first on line "+strconv.Itoa(first)+")", "keep one of the two")
		}
		seen[[2]int{e.From, e.To}] = n.Line
		e.Partition = o.partition(s.Setup.Vertices[e.From].Parallelism == s.Setup.Vertices[e.To].Parallelism)
		e.Cost = o.span("cost", 0, 0, longestCost)
		if o.raw("emit") == "0" {
			e.EmitNum, e.EmitDen = 0, 1
		} else {
			e.EmitNum, e.EmitDen = o.ratio("emit")
		}
		e.Payload = int32(o.size("record", 0, 1, mostRecord))
		if v := &s.Setup.Vertices[e.To]; v.Kind != core.Map || v.Window.Size > 0 || v.Async.Capacity > 0 {
			o.refuse("says what a record makes in "+v.Name+", which is a sink, a window operator or asynchronous", "emit", "record")
		}
		s.Setup.Edges = append(s.Setup.Edges, e)
	}
}

// vertex is the index of the vertex that a field names, -1 after a mistake.
func (o *object) vertex(field string, s *Scenario) int {
	name, ok := o.scalar(field, "write the name of a vertex")
	if !ok {
		if !o.has(field) {
			o.bad(field, "is missing", "write the name of a vertex")
		}
		return -1
	}
	var all []string
	for i := range s.Setup.Vertices {
		if s.Setup.Vertices[i].Name == name {
			return i
		}
		all = append(all, s.Setup.Vertices[i].Name)
	}
	remedy := "the vertices are " + strings.Join(all, ", ")
	if near := option.Closest(name, all); near != "" {
		remedy = "did you mean " + near + "?"
	}
	o.bad(field, "is not a vertex of the job", remedy)
	return -1
}

// partition is as Flink has it: FORWARD between equal parallelisms, else REBALANCE, unless one is named (spec 10.2).
func (o *object) partition(equal bool) core.Partition {
	for _, p := range unmodelled {
		if strings.EqualFold(p, o.raw("partition")) {
			o.bad("partition", "is a partitioner of Flink that the lab does not model", "write "+list(partitions))
			return core.Hash
		}
	}
	unset := core.Rebalance
	if equal {
		unset = core.Forward
	}
	return core.Partition(o.word("partition", int(unset), partitions...))
}
