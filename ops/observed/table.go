package observed

import (
	"strconv"
	"strings"

	"checkpointlab/core/option"
)

// The checkpoint history of the web interface, copied as text, or as CSV from somewhere else: a line of headings, then a line or
// some lines for each checkpoint.

// column is one of a table.
type column struct {
	names string // between bars
	put   func(c *Checkpoint, cell string) bool
}

// columns are the headings by what they mean, in the words of the web interface of 1.9 to 2.3 and of the REST interface.
var columns = []column{
	{"|id|checkpoint id|", func(c *Checkpoint, cell string) bool { return integer(cell, &c.ID) }},
	{"|status|", statusCell},
	{"|acknowledged|num_acknowledged_subtasks|", acknowledgedCell},
	{"|num_subtasks|", func(c *Checkpoint, cell string) bool { return integer(cell, &c.Subtasks) }},
	{"|trigger time|trigger_timestamp|", func(c *Checkpoint, cell string) bool { return instantCell(cell, &c.Trigger) }},
	{"|latest acknowledgement|latest_ack_timestamp|", func(c *Checkpoint, cell string) bool { return instantCell(cell, &c.LastAck) }},
	{"|end to end duration|end_to_end_duration|duration|", func(c *Checkpoint, cell string) bool { return durationCell(cell, &c.Duration) }},
	{"|checkpointed data size|checkpointed size|checkpointed_size|", func(c *Checkpoint, cell string) bool { return sizeCell(cell, &c.Stored) }},
	{"|full checkpoint data size|full data size|state size|state_size|", func(c *Checkpoint, cell string) bool { return sizeCell(cell, &c.State) }},
	{"|processed (persisted) in-flight data|processed (persisted) data|", flyingCell},
	{"|persisted_data|", func(c *Checkpoint, cell string) bool { return sizeCell(cell, &c.Persisted) }},
	{"|buffered during alignment|alignment_buffered|", func(c *Checkpoint, cell string) bool { return sizeCell(cell, &c.Buffered) }},
	{"|failure message|failure_message|", func(c *Checkpoint, cell string) bool { c.Failure = cell; return true }},
	{"|checkpoint type|type|checkpoint_type|", func(c *Checkpoint, cell string) bool {
		c.Kind = cell
		c.Savepoint = strings.Contains(strings.ToUpper(cell), "SAVEPOINT")
		return true
	}},
}

// table reads one; nil if the text has no such headings.
func table(text string) *Seen {
	lines := strings.Split(text, "\n")
	for i, one := range lines {
		head := heading(one)
		if head == nil {
			continue
		}
		if s := vertexTable(lines, i, head); s != nil {
			return s
		}
		s := &Seen{Form: "checkpoint history, a table"}
		var all []Checkpoint
		for k := i + 1; k < len(lines); k++ {
			cells := cellsOf(lines[k], one)
			if len(cells) == len(head)+1 { // the sign that unfolds a line has no heading
				cells = cells[1:]
			}
			if len(cells) < 2 {
				continue
			}
			c := nothing
			c.Line = k + 1
			for n, cell := range cells[:min(len(cells), len(head))] {
				if head[n] >= 0 && cell != "" && cell != "-" && cell != "n/a" && !columns[head[n]].put(&c, cell) {
					s.warn(k+1, "Not read: %s.", "읽지 못했다: %s.", option.Quote(cell))
				}
			}
			if c.ID >= 0 {
				all = append(all, c)
				s.checkpoint("checkpoint."+digits(c.ID), &c)
			}
		}
		if len(all) == 0 {
			return nil
		}
		s.judge(all, nil)
		return s
	}
	return nil
}

// heading finds the columns of a line of headings, -1 for one that is not known; nil if it is none.
func heading(one string) []int {
	var head []int
	known := 0
	for _, cell := range cellsOf(one, one) {
		at := -1
		for i := range columns {
			if strings.Contains(columns[i].names, "|"+inEnglish(cell)+"|") {
				at, known = i, known+1
			}
		}
		head = append(head, at)
	}
	if known < 3 {
		return nil
	}
	return head
}

// cellsOf cuts a line as its headings are cut: by tabs, bars, semicolons or commas, else by two spaces and more.
func cellsOf(one, head string) (cells []string) {
	by := ""
	for _, sign := range []string{"\t", "|", ";", ","} {
		if strings.Count(head, sign) > 1 {
			by = sign
			break
		}
	}
	if by == "" {
		for len(one) > 0 {
			cell, rest, _ := strings.Cut(strings.TrimLeft(one, " "), "  ")
			if one = rest; strings.TrimSpace(cell) != "" {
				cells = append(cells, strings.TrimSpace(cell))
			}
		}
		return cells
	}
	if by == "|" {
		one = strings.Trim(strings.TrimSpace(one), "|")
	}
	if by == "," {
		return commas(one)
	}
	for cell := range strings.SplitSeq(one, by) {
		cells = append(cells, strings.Trim(strings.TrimSpace(cell), `"`))
	}
	return cells
}

// commas cuts at commas that are not in quotes.
func commas(one string) (cells []string) {
	from, open := 0, false
	for i := 0; i <= len(one); i++ {
		if i < len(one) && one[i] == '"' {
			open = !open
		}
		if i == len(one) || one[i] == ',' && !open {
			cells = append(cells, strings.Trim(strings.TrimSpace(one[from:i]), `"`))
			from = i + 1
		}
	}
	return cells
}

func integer(cell string, into *int64) bool {
	n, err := strconv.ParseInt(strings.ReplaceAll(cell, ",", ""), 10, 64)
	if err == nil {
		*into = n
	}
	return err == nil
}

func statusCell(c *Checkpoint, cell string) bool {
	switch strings.ToUpper(strings.ReplaceAll(inEnglish(cell), " ", "_")) {
	case "COMPLETED":
		c.Status = Completed
	case "FAILED":
		c.Status = Failed
	case "IN_PROGRESS":
	default:
		return false
	}
	return true
}

// acknowledgedCell reads 48/48, or 48/48 (100%).
func acknowledgedCell(c *Checkpoint, cell string) bool {
	done, all, both := strings.Cut(strings.Fields(cell)[0], "/")
	ok := integer(done, &c.Acked)
	if both {
		ok = ok && integer(all, &c.Subtasks)
	}
	return ok
}

// instantCell takes an instant of epoch; a time of the day is not compared with anything.
func instantCell(cell string, into *ms) bool {
	var n int64
	if strings.Contains(cell, ":") {
		return true
	}
	if !integer(cell, &n) {
		return false
	}
	*into = ms(n)
	return true
}

// durationCell reads 34s, 1m 2s, 1h 3m 4s, 512ms, 34211.
func durationCell(cell string, into *ms) bool {
	var n int64
	if integer(cell, &n) {
		*into = ms(n)
		return true
	}
	sum, rest := ms(0), strings.ReplaceAll(spans.Replace(cell), " ", "")
	for rest != "" {
		digits := 0
		for digits < len(rest) && (rest[digits] >= '0' && rest[digits] <= '9' || rest[digits] == '.') {
			digits++
		}
		x, err := strconv.ParseFloat(rest[:digits], 64)
		unit := 0
		for unit < len(rest)-digits && (rest[digits+unit] < '0' || rest[digits+unit] > '9') {
			unit++
		}
		each, ok := map[string]float64{"ms": 1, "s": 1000, "m": 60_000, "min": 60_000, "h": 3600_000, "d": 86_400_000}[rest[digits:digits+unit]]
		if err != nil || !ok || x > 1e9 {
			return false
		}
		sum += ms(x * each)
		rest = rest[digits+unit:]
	}
	*into = sum
	return true
}

// sizeCell reads 1.20 GB, 7.55 KB, 0 B, 1288490188: the web interface counts in units of 1024.
func sizeCell(cell string, into *bytes) bool {
	var n int64
	if integer(cell, &n) {
		*into = bytes(n)
		return true
	}
	cell = strings.TrimSpace(cell)
	unit := strings.TrimLeft(cell, "0123456789.,")
	x, err := strconv.ParseFloat(strings.ReplaceAll(strings.TrimSuffix(cell, unit), ",", ""), 64)
	each, ok := map[string]float64{"B": 1, "bytes": 1, "KB": 1 << 10, "KiB": 1 << 10, "MB": 1 << 20, "MiB": 1 << 20, "GB": 1 << 30, "GiB": 1 << 30, "TB": 1 << 40, "TiB": 1 << 40}[strings.TrimSpace(unit)]
	if err != nil || !ok || x > 1e9 {
		return false
	}
	*into = bytes(x * each)
	return true
}

// flyingCell reads 30.0 MB (256 MB).
func flyingCell(c *Checkpoint, cell string) bool {
	processed, persisted, both := strings.Cut(cell, "(")
	ok := sizeCell(strings.TrimSpace(processed), &c.Processed)
	if both {
		ok = ok && sizeCell(strings.Trim(persisted, ") "), &c.Persisted)
	}
	return ok
}
