package observed

import (
	"slices"
	"strings"

	"checkpointlab/core/option"
)

// vertexTable reads the vertices of one checkpoint as the web interface shows them: a name in place of the number of a checkpoint.
// It is nil if the headings at a line are others.
func vertexTable(lines []string, at int, head []int) *Seen {
	name := slices.IndexFunc(cellsOf(lines[at], lines[at]), func(cell string) bool {
		return slices.Contains([]string{"name", "operator", "vertex", "task", "이름", "오퍼레이터", "名称", "算子"}, strings.ToLower(cell))
	})
	if name < 0 || slices.Contains(head, 0) { // 0 is the column of ids
		return nil
	}
	s := &Seen{Form: "vertices of a checkpoint, a table"}
	var names []string
	var all []Checkpoint
	for k := at + 1; k < len(lines); k++ {
		cells := cellsOf(lines[k], lines[at])
		if len(cells) == len(head)+1 {
			cells = cells[1:]
		}
		if len(cells) != len(head) || rowOf(lines[k]) != "" {
			continue
		}
		c := nothing
		c.Line = k + 1
		for n, cell := range cells {
			if head[n] >= 0 && cell != "" && cell != "-" && cell != "n/a" && !columns[head[n]].put(&c, cell) {
				s.warn(k+1, "Not read: %s.", "읽지 못했다: %s.", option.Quote(cell))
			}
		}
		if c.Subtasks < 0 && c.Duration < 0 {
			continue
		}
		names, all = append(names, cells[name]), append(all, c)
		s.span(cells[name]+".end_to_end_duration", c.Duration)
		if c.State >= 0 || c.Stored >= 0 {
			s.size(cells[name]+".size", max(c.State, c.Stored))
		}
	}
	if len(all) == 0 {
		return nil
	}
	s.vertices(names, all)
	return s
}

// vertices says which of them decides over the time and the size.
func (s *Seen) vertices(names []string, all []Checkpoint) {
	slowest, fullest, sum := 0, 0, bytes(0)
	for i := range all {
		c := &all[i]
		if c.Subtasks > 0 && c.Acked >= 0 && c.Acked < c.Subtasks {
			s.warn(c.Line, "%s: %d of %d subtasks have not acknowledged.", "%s: 서브태스크 %[3]d개 가운데 %[2]d개가 확인하지 않았다.", names[i], c.Subtasks-c.Acked, c.Subtasks)
		}
		if c.Duration > all[slowest].Duration {
			slowest = i
		}
		if size := max(c.State, c.Stored); size > 0 {
			sum += size
			if size > max(all[fullest].State, all[fullest].Stored) {
				fullest = i
			}
		}
	}
	if d := all[slowest].Duration; d > 0 && len(all) > 1 {
		s.remark(all[slowest].Line, "Slowest is %s: it acknowledged last, after %s.", "가장 느린 것은 %s: %s 뒤에 마지막으로 확인했다.", names[slowest], d)
	}
	if size := max(all[fullest].State, all[fullest].Stored); sum > 1<<20 && len(all) > 1 {
		s.remark(all[fullest].Line, "%s holds %s %% of the state (%s of %s).", "%s: 상태의 %s %%를 가진다(%[4]s 가운데 %[3]s).", names[fullest], share(int64(size), int64(sum)), size, sum)
	}
}
