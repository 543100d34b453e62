package observed

import (
	"slices"
	"strings"

	"checkpointlab/core/option"
)

// What the web interface shows of one checkpoint, copied as text: a line for each subtask of a vertex, or for the least, the mean and
// the largest of them.

// partColumn is one of its columns.
type partColumn struct {
	names string // between bars
	put   func(p *part, cell string) bool
}

var partColumns = []partColumn{
	{"|id|subtask|index|", func(p *part, cell string) bool { return integer(cell, &p.index) }},
	{"|end to end duration|end to end|end_to_end_duration|e2e duration|", func(p *part, cell string) bool { return durationCell(cell, &p.total) }},
	{"|checkpointed data size|checkpointed size|checkpointed_size|", func(p *part, cell string) bool { return sizeCell(cell, &p.stored) }},
	{"|full checkpoint data size|state size|state_size|size|", func(p *part, cell string) bool { return sizeCell(cell, &p.state) }},
	{"|sync duration|sync|", func(p *part, cell string) bool { return durationCell(cell, &p.sync) }},
	{"|async duration|async|", func(p *part, cell string) bool { return durationCell(cell, &p.async) }},
	{"|alignment duration|alignment|", func(p *part, cell string) bool { return durationCell(cell, &p.align) }},
	{"|start delay|start_delay|", func(p *part, cell string) bool { return durationCell(cell, &p.delay) }},
	{"|processed (persisted) data|processed (persisted) in-flight data|", func(p *part, cell string) bool {
		var c Checkpoint
		ok := flyingCell(&c, cell)
		p.processed, p.persisted = c.Processed, c.Persisted
		return ok
	}},
	{"|unaligned checkpoint|unaligned|", func(p *part, cell string) bool { p.unaligned = strings.EqualFold(cell, "true"); return true }},
}

// phaseColumns are those by which such a table differs from a history of checkpoints.
const phaseColumns = "|sync duration|sync|async duration|async|alignment duration|alignment|start delay|start_delay|"

// partTable reads one; nil if the text has no such headings.
func partTable(text string) *Seen {
	lines := strings.Split(text, "\n")
	for i, one := range lines {
		head := partHeading(one)
		if head == nil {
			continue
		}
		s := &Seen{Form: "subtasks of a checkpoint, a table"}
		var all []part
		rows := map[string]part{}
		for k := i + 1; k < len(lines); k++ {
			if next := partHeading(lines[k]); next != nil { // of the next table
				head, one = next, lines[k]
				continue
			}
			cells := cellsOf(lines[k], one)
			if len(cells) == len(head)+1 { // Minimum and its like have no heading, nor has the sign that unfolds a line
				cells = cells[1:]
			}
			if len(cells) != len(head) {
				if len(cells) > 2 {
					s.warn(k+1, "Not read: the line has %d cells, its headings are %d.", "읽지 못했다. 칸은 %d개인데 제목은 %d개다.", len(cells), len(head))
				}
				continue
			}
			p := part{index: -1, total: -1, delay: -1, align: -1, sync: -1, async: -1, state: -1, stored: -1, line: k + 1}
			read := 0
			for n, cell := range cells {
				switch {
				case head[n] < 0 || cell == "" || cell == "-" || cell == "n/a":
				case partColumns[head[n]].put(&p, cell):
					read++
				case n > 0:
					s.warn(k+1, "Not read: %s.", "읽지 못했다: %s.", option.Quote(cell))
				}
			}
			p.done = p.total >= 0
			if row := rowOf(lines[k]); row != "" && read > 0 {
				rows[row] = p
			} else if p.index >= 0 && read > 0 {
				all = append(all, p)
			}
		}
		if len(all)+len(rows) == 0 {
			return nil
		}
		s.parts(all)
		s.rows(rows)
		return s
	}
	return nil
}

// partHeading finds the columns of a line of headings, -1 for one that is not known; nil if it is none.
func partHeading(one string) (head []int) {
	known, phases := 0, 0
	for _, cell := range cellsOf(one, one) {
		name := "|" + inEnglish(cell) + "|"
		at := slices.IndexFunc(partColumns, func(c partColumn) bool { return strings.Contains(c.names, name) })
		if head = append(head, at); at >= 0 {
			known++
		}
		if strings.Contains(phaseColumns, name) {
			phases++
		}
	}
	if known < 3 || phases < 2 {
		return nil
	}
	return head
}

// rowOf tells a line of the least, the mean or the largest.
func rowOf(line string) string {
	for _, row := range [][2]string{{"minimum", "min"}, {"average", "avg"}, {"maximum", "max"}, {"min", "min"}, {"avg", "avg"}, {"max", "max"}} {
		if strings.HasPrefix(strings.ToLower(strings.TrimLeft(line, "| \t")), row[0]) {
			return row[1]
		}
	}
	return ""
}

// rows says what the mean and the largest of each column show.
func (s *Seen) rows(rows map[string]part) {
	most, ok := rows["max"]
	if !ok {
		return
	}
	mean, known := rows["avg"]
	s.span("max.end_to_end_duration", most.total)
	largest := most.phases()[0]
	for i, f := range most.phases() {
		s.span("max."+strings.ReplaceAll(f.name, " ", "_"), f.time)
		if f.time > largest.time {
			largest = f
		}
		if !known {
			continue
		}
		if usual := mean.phases()[i].time; usual >= 0 && f.time > 1000 && f.time > skewed*usual {
			s.warn(most.line, "%s differs from subtask to subtask, on average %s and at most %s: one of them is slow, not all.", "%s 값이 서브태스크마다 다르다. 평균 %s, 최대 %s. 전체가 아니라 하나가 느리다.", f.name, usual, f.time)
		}
	}
	if known && most.size() > 10<<20 && most.size() > skewed*mean.size() {
		s.warn(most.line, "State skew: the largest subtask has %s, the mean is %s (%s times as much). A hot key or a few: more subtasks do not split a key.", "상태 쏠림: 가장 큰 서브태스크가 %s, 평균은 %s(%s배). 키 하나나 몇 개에 몰렸다. 서브태스크를 늘려도 키는 나뉘지 않는다.",
			most.size(), mean.size(), times(int64(most.size()), int64(mean.size())))
	}
	if largest.time > 1000 {
		s.warn(most.line, "The longest of the four phases is %[1]s (%[3]s at most): %[4]s.", "네 단계 가운데 가장 긴 것은 %[2]s(최대 %[3]s): %[5]s.", largest.name, largest.ko, largest.time, largest.en, largest.rat)
	}
}
