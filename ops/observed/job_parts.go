package observed

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"checkpointlab/core/option"
)

// Job is what texts say of one job when they are taken together: structure and numbers, where Seen has sentences. -1 and NaN stand
// for what no text says.
type Job struct {
	ID, Name       string
	Version        string // of Flink, as /config tells it
	MaxParallelism int64
	Vertices       []JobVertex // in the answer's order, sources first
	Edges          []JobEdge
	Checkpoints    []Checkpoint // newest first, savepoints included
	Mean           ms           // mean end-to-end duration of the completed ones since the start
	Configurations []string     // texts that scenarios.ReadSettings reads, the job's own answers last
	Notes          []option.Note
}

// JobVertex is a vertex of the job graph: a chain of operators that one task runs.
type JobVertex struct {
	ID, Name                    string
	Parallelism, MaxParallelism int64
	Work                        Work            // of all its subtasks
	Subtasks                    []Work          // by index; empty if no text tells of all of them
	Managers                    []string        // by subtask: the task manager that it runs on, "" = not told
	Checkpoints                 map[int64]Whole // by id of the completed ones that are told of in detail
}

// JobEdge is an exchange. Ship is the ship strategy as Flink writes it: HASH, REBALANCE, FORWARD, CUSTOM …
type JobEdge struct {
	From, To int // indexes of vertices
	Ship     string
}

// Work is what tasks have done in a time: since they began to run, or between two answers. Times in ms, summed over subtasks.
type Work struct {
	Busy, Pressed, Idle         float64
	RecordsIn, RecordsOut       float64
	BytesIn, BytesOut           float64
	Between                     bool // it is what two answers are apart
	now, start, duration, tasks float64
}

// Whole is a vertex's part of a checkpoint.
type Whole struct {
	Checkpoint
	Subtasks []SubtaskPart // by index; empty if no text tells of them
}

// SubtaskPart is one subtask's part of a checkpoint: times in ms, sizes in bytes, -1 = not known. Async leaves out the wait for the
// last barrier, which Flink counts in for an unaligned one.
type SubtaskPart struct {
	Index                            int64
	Done, Unaligned                  bool
	Total, Delay, Align, Sync, Async int64
	State, Stored, Persisted         int64 // State and Stored without the data in flight
}

// Gather takes texts together as what they say of one job. It fails if no text tells of a job's vertices and of its plan, or if
// they tell of several jobs.
func Gather(texts ...string) (*Job, error) {
	g := &gathering{vertices: map[string][]any{}}
	for _, text := range texts {
		if len(text) > MostBytes {
			return nil, &option.Mistake{Problem: "the text is larger than " + option.FormatSize(MostBytes), Remedy: "give the answers of the REST interface alone"}
		}
		g.text(text)
	}
	return g.job()
}

// gathering are the answers of all texts by kind.
type gathering struct {
	jobs                  []any
	vertices              map[string][]any // by id of the vertex
	lists, details, parts []any
	files, own            []string // configurations; those that the job itself tells
	version               string
	left                  int // documents and texts that say nothing of the job's structure
	out                   Job
}

// text sorts the documents of a text.
func (g *gathering) text(text string) {
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n")
	docs, rest := documents(text)
	known := false
	for _, d := range docs {
		if entries := list(d.value); len(entries) > 0 && configuration(entries[0]) {
			g.files, known = append(g.files, d.text), true
			continue
		}
		of := false
		for _, v := range spread(d.value) {
			of = g.answer(v, d.text) || of
		}
		if known = known || of; !of {
			g.left++
		}
	}
	if said := loaded(rest); said != "" {
		g.files = append(g.files, said)
	} else if !known && strings.TrimSpace(text) != "" {
		if all, err := Read(text); err == nil && len(all) == 0 {
			g.files, g.left = append(g.files, text), g.left-len(docs) // a configuration may be JSON
		} else if len(docs) == 0 {
			g.left++
		}
	} else if len(docs) > 0 && strings.Contains(rest, ":") {
		g.files = append(g.files, rest)
	}
}

// answer keeps an answer and tells whether it is one that says something of a job.
func (g *gathering) answer(v any, text string) bool {
	switch {
	case has(v, "jid") && has(v, "vertices"):
		g.jobs = append(g.jobs, v)
	case isVertex(v):
		id := textOf(of(v, "id"))
		g.vertices[id] = append(g.vertices[id], v)
	case has(v, "counts") || has(v, "history"):
		g.lists = append(g.lists, v)
	case isCheckpoint(v) && has(v, "tasks"):
		g.details = append(g.details, v)
	case has(v, "subtasks") && has(first(of(v, "subtasks")), "start_delay"):
		g.parts = append(g.parts, v)
	case has(v, "min_pause"):
		g.own = append(g.own, text)
	case has(v, "execution-config"): // says nothing that an option is
	case textOf(of(v, "flink-version")) != "":
		g.version = textOf(of(v, "flink-version"))
	case configuration(v):
		g.files = append(g.files, text)
	default:
		return false
	}
	return true
}

// isVertex is an answer of /jobs/:id/vertices/:vid (JobVertexDetailsInfo).
func isVertex(v any) bool {
	return has(v, "name") && has(v, "id") && has(first(of(v, "subtasks")), "metrics")
}

func (g *gathering) job() (*Job, error) {
	if len(g.jobs) == 0 {
		return nil, &option.Mistake{Problem: "no text tells of a job's vertices, so there is nothing to make a scenario of", Remedy: "add the answer of /jobs/:id, as curl prints it"}
	}
	slices.SortStableFunc(g.jobs, func(a, b any) int { return cmp.Compare(number(of(a, "now")), number(of(b, "now"))) })
	last := g.jobs[len(g.jobs)-1]
	o := &g.out
	o.ID, o.Name, o.Version, o.MaxParallelism, o.Mean = textOf(of(last, "jid")), textOf(of(last, "name")), g.version, number(of(last, "maxParallelism")), -1
	for _, j := range g.jobs {
		if id := textOf(of(j, "jid")); id != o.ID {
			return nil, &option.Mistake{Problem: "the texts tell of two jobs, " + id + " and " + o.ID, Remedy: "give those of one job"}
		}
	}
	if len(list(of(last, "vertices"))) == 0 {
		return nil, &option.Mistake{Problem: "the job " + o.ID + " has no vertices yet", Remedy: "ask again when it runs"}
	}
	if len(list(of(last, "plan", "nodes"))) == 0 {
		return nil, &option.Mistake{Problem: "the answer of /jobs/" + o.ID + " has no plan, so how its vertices exchange records is not known", Remedy: "give the answer of /jobs/:id whole, not cut"}
	}
	o.Configurations = append(g.files, g.own...)
	if err := g.vertexes(last); err != nil {
		return nil, err
	}
	if err := g.edges(last); err != nil {
		return nil, err
	}
	g.checkpoints()
	if g.left > 0 {
		o.Notes = append(o.Notes, option.Note{
			Severity: option.Warning,
			Text:     filled("%d of the texts or answers say nothing that a scenario is made of (metrics, logs, tables …) and were left out; lab explain says what they show.", []any{g.left}),
			Ko:       filled("텍스트나 응답 %d개는 시나리오를 만드는 데 쓸 것이 없어(메트릭, 로그, 표 …) 뺐다. 무엇을 말하는지는 lab explain이 풀이한다.", []any{g.left}),
		})
	}
	return o, nil
}

// mostSubtasks is Flink's largest parallelism (KeyGroupRangeAssignment.UPPER_BOUND_MAX_PARALLELISM).
const mostSubtasks = 1 << 15

// vertexes are those of the newest answer; their work is what it has more than the oldest one, if they are of the same attempt.
func (g *gathering) vertexes(last any) error {
	for _, x := range list(of(last, "vertices")) {
		if n := number(of(x, "parallelism")); n > mostSubtasks {
			return &option.Mistake{Key: "parallelism", Value: strconv.FormatInt(n, 10), Problem: "is more than Flink allows a vertex", Remedy: "give the answer of /jobs/:id as it is"}
		}
		v := JobVertex{
			ID: textOf(of(x, "id")), Name: textOf(of(x, "name")), Parallelism: max(1, number(of(x, "parallelism"))), MaxParallelism: number(of(x, "maxParallelism")),
			Checkpoints: map[int64]Whole{},
		}
		var told []Work
		for _, j := range g.jobs {
			for _, y := range list(of(j, "vertices")) {
				if textOf(of(y, "id")) == v.ID {
					told = append(told, workOf(y, j))
				}
			}
		}
		v.Work = apart(told)
		v.subtasks(g.vertices[v.ID])
		g.out.Vertices = append(g.out.Vertices, v)
	}
	return nil
}

// subtasks reads answers about the vertex alone.
func (v *JobVertex) subtasks(answers []any) {
	if len(answers) == 0 {
		return
	}
	told := make([][]Work, v.Parallelism)
	v.Managers = make([]string, v.Parallelism)
	for _, a := range answers {
		for i, t := range list(of(a, "subtasks")) {
			if n := number(of(t, "subtask")); n >= 0 {
				i = int(min(n, v.Parallelism))
			}
			if i >= len(told) {
				continue
			}
			told[i] = append(told[i], workOf(t, a))
			v.Managers[i] = textOf(of(t, "taskmanager-id"))
		}
	}
	for _, t := range told {
		if len(t) == 0 {
			v.Subtasks = nil // cut: what is known of some says nothing of shares
			return
		}
		v.Subtasks = append(v.Subtasks, apart(t))
	}
}

// mostCounted is more than a counter of a job comes to, in records, bytes or ms.
const mostCounted = 1e18

// workOf reads what tasks have done (IOMetricsInfo); what its answer marks as incomplete is not known.
func workOf(x, answer any) Work {
	m := of(x, "metrics")
	told := func(name string) float64 {
		done, marked := of(m, name+"-complete").(bool)
		if x := real(of(m, name)); x >= 0 && x < mostCounted && (done || !marked) {
			return x
		}
		return math.NaN()
	}
	return Work{
		Busy: told("accumulated-busy-time"), Pressed: told("accumulated-backpressured-time"), Idle: told("accumulated-idle-time"),
		RecordsIn: told("read-records"), RecordsOut: told("write-records"), BytesIn: told("read-bytes"), BytesOut: told("write-bytes"),
		now: real(of(answer, "now")), start: real(of(x, "start-time")), duration: min(mostCounted, real(of(x, "duration"))), tasks: float64(max(1, number(of(x, "parallelism")))), // of a subtask none is told
	}
}

// leastBetween is how far two answers have to be apart for their difference to count, in ms: Flink itself fetches metrics every
// 10 s (metrics.fetcher.update-interval).
const leastBetween = 20_000

// apart is what the newest answer has more than the oldest one of the same attempt; all since the start if they are too near.
func apart(told []Work) Work {
	slices.SortStableFunc(told, func(a, b Work) int { return cmp.Compare(a.now, b.now) })
	last := told[len(told)-1]
	i := slices.IndexFunc(told, func(w Work) bool { return w.start == last.start })
	if i < 0 || !(last.now-told[i].now >= leastBetween) {
		return last
	}
	old := told[i]
	return Work{
		Busy: last.Busy - old.Busy, Pressed: last.Pressed - old.Pressed, Idle: last.Idle - old.Idle, RecordsIn: last.RecordsIn - old.RecordsIn,
		RecordsOut: last.RecordsOut - old.RecordsOut, BytesIn: last.BytesIn - old.BytesIn, BytesOut: last.BytesOut - old.BytesOut,
		Between: true, now: last.now, start: last.start, duration: last.now - old.now, tasks: last.tasks,
	}
}

// Span is for how long the tasks have worked, in ms, of one subtask: by where their time went, which begins as they run, else by
// their duration, which begins as they are deployed. NaN if neither is told.
func (w *Work) Span() float64 {
	if all := w.Busy + w.Pressed + w.Idle; all > 0 {
		return all / w.tasks
	}
	if w.duration > 0 {
		return w.duration
	}
	return math.NaN()
}

// edges are the plan's inputs.
func (g *gathering) edges(last any) error {
	index := func(id string) int {
		return slices.IndexFunc(g.out.Vertices, func(v JobVertex) bool { return v.ID == id })
	}
	for _, n := range list(of(last, "plan", "nodes")) {
		for _, in := range list(of(n, "inputs")) {
			e := JobEdge{From: index(textOf(of(in, "id"))), To: index(textOf(of(n, "id"))), Ship: strings.ToUpper(textOf(of(in, "ship_strategy")))}
			if e.From < 0 || e.To < 0 {
				return &option.Mistake{Problem: "the plan has an exchange from " + option.Quote(textOf(of(in, "id"))) + " to " + option.Quote(textOf(of(n, "id"))) + ", which are not both among the job's vertices", Remedy: "give the answer of /jobs/:id whole, not cut"}
			}
			g.out.Edges = append(g.out.Edges, e)
		}
	}
	slices.SortStableFunc(g.out.Edges, func(a, b JobEdge) int { return (a.To-b.To)*len(g.out.Vertices) + a.From - b.From })
	return nil
}
