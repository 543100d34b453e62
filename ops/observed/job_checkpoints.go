package observed

import (
	"slices"

	"checkpointlab/core/option"
)

// checkpoints puts together what lists, details and answers about single vertices tell of each checkpoint.
func (g *gathering) checkpoints() {
	seen := map[int64]int{}
	keep := func(c Checkpoint) {
		if c.ID < 0 {
			return
		}
		if at, twice := seen[c.ID]; twice {
			if c.Status != InProgress {
				g.out.Checkpoints[at] = c
			}
			return
		}
		seen[c.ID] = len(g.out.Checkpoints)
		g.out.Checkpoints = append(g.out.Checkpoints, c)
	}
	for _, l := range g.lists {
		for _, e := range list(of(l, "history")) {
			keep(checkpointOf(e))
		}
		for _, name := range []string{"completed", "failed", "savepoint"} {
			if e := of(l, "latest", name); e != nil {
				keep(checkpointOf(e))
			}
		}
		if mean := number(of(l, "summary", "end_to_end_duration", "avg")); mean > 0 {
			g.out.Mean = ms(mean)
		}
	}
	for _, d := range g.details {
		c := checkpointOf(d)
		keep(c)
		tasks, _ := of(d, "tasks").(*object)
		if c.Status != Completed || tasks == nil {
			continue
		}
		for i := range g.out.Vertices {
			if v := &g.out.Vertices[i]; has(tasks, v.ID) {
				v.Checkpoints[c.ID] = Whole{Checkpoint: checkpointOf(tasks.values[v.ID])}
			}
		}
	}
	for _, p := range g.parts {
		g.part(p)
	}
	slices.SortStableFunc(g.out.Checkpoints, func(a, b Checkpoint) int { return int(min(1, max(-1, b.ID-a.ID))) })
}

// part places an answer about one vertex's subtasks. It does not name its vertex: it is the one of which the checkpoint's details
// tell the same.
func (g *gathering) part(p any) {
	c := checkpointOf(p)
	if c.Status != Completed {
		return
	}
	for i := range g.out.Vertices {
		v := &g.out.Vertices[i]
		w, told := v.Checkpoints[c.ID]
		if !told || len(w.Subtasks) > 0 || w.LastAck != c.LastAck || w.Duration != c.Duration || w.State != c.State || w.Processed != c.Processed || w.Checkpoint.Subtasks != c.Subtasks {
			continue
		}
		w.Subtasks = partsOf(p)
		v.Checkpoints[c.ID] = w
		return
	}
	g.out.Notes = append(g.out.Notes, option.Note{
		Line: lineOf(p), Severity: option.Warning,
		Text: filled("An answer about a vertex's subtasks in checkpoint %d is left out: it does not name its vertex, and no answer of …/checkpoints/details/%[1]d tells the same of one.", []any{c.ID}),
		Ko:   filled("체크포인트 %d의 한 정점 서브태스크 응답을 쓰지 않았다. 정점 이름이 없고, 같은 값을 말하는 …/checkpoints/details/%[1]d 응답이 없다.", []any{c.ID}),
	})
}

func partsOf(p any) (all []SubtaskPart) {
	for i, e := range list(of(p, "subtasks")) {
		t := partOf(e, i)
		async := t.async
		if t.unaligned && async >= 0 && t.align > 0 {
			async = max(0, async-t.align)
		}
		held := max(0, t.persisted)
		all = append(all, SubtaskPart{
			Index: t.index, Done: t.done, Unaligned: t.unaligned, Total: int64(t.total), Delay: int64(t.delay), Align: int64(t.align), Sync: int64(t.sync), Async: int64(async),
			State: int64(without(t.state, held)), Stored: int64(without(t.stored, held)), Persisted: int64(t.persisted),
		})
	}
	return all
}

// without is a size less the data in flight in it; -1 stays.
func without(size, held bytes) bytes {
	if size < 0 {
		return size
	}
	return max(0, size-held)
}
