package observed

import (
	"math"
	"strconv"
	"strings"

	"checkpointlab/core/option"
)

// Metrics as monitoring systems export them: a line for each metric with its values in columns (Datadog, CloudWatch), or a line for
// each instant with a metric at the head of each column (Grafana).

// gaugeTable reads one; nil if the text is none.
func gaugeTable(text string) *Seen {
	lines := strings.Split(text, "\n")
	all, over := seriesOf(lines)
	if len(all) == 0 {
		all, over = rowsOf(lines), 0
	}
	if len(all) == 0 {
		return nil
	}
	s := &Seen{Form: "metrics, a table"}
	if over > 1 {
		s.remark(0, "Of %d instants the last value of each column is told.", "시점 %d개 가운데 열마다 마지막 값만 적는다.", over)
	}
	s.gauges(all)
	return s
}

// seriesOf reads lines of instants behind a line with a known metric in a column; over is how many there are.
func seriesOf(lines []string) (all []gauge, over int) {
	for i, one := range lines {
		heads := cellsOf(one, one)
		if len(heads) == 0 {
			continue
		}
		known := 0
		for _, h := range heads {
			if _, ok := measured[metricIn(h)]; ok {
				known++
			}
		}
		if first := strings.ToLower(strings.TrimPrefix(heads[0], "@")); known == 0 || len(heads) < 2 || !strings.HasPrefix(first, "time") && !strings.HasPrefix(first, "date") {
			continue
		}
		last := make([]gauge, len(heads))
		for k := i + 1; k < len(lines); k++ {
			cells := cellsOf(lines[k], one)
			if len(cells) < 2 {
				continue
			}
			over++
			for n := range min(len(cells), len(heads)) {
				if x, ok := amount(cells[n]); ok && n > 0 {
					last[n] = gauge{name: metricIn(heads[n]), value: x, who: whose(heads[n]), line: k + 1}
				}
			}
		}
		for _, g := range last {
			if g.line > 0 {
				all = append(all, g)
			}
		}
		return all, over
	}
	return nil, 0
}

// rowsOf reads lines with a metric's name and numbers; of several numbers it takes that below last, value, current or max, else the last.
func rowsOf(lines []string) (all []gauge) {
	column := -1
	for i, one := range lines {
		cells := cellsOf(one, one)
		if len(cells) < 2 {
			continue
		}
		name, at := "", -1
		for n, cell := range cells {
			if _, ok := measured[metricIn(cell)]; ok && strings.IndexFunc(cell, func(c rune) bool { return c == ' ' }) < 0 {
				name, at = metricIn(cell), n
				break
			}
		}
		if at < 0 {
			for _, want := range []string{"last", "value", "current", "latest", "max", "maximum"} {
				for n, cell := range cells {
					if column < 0 && strings.EqualFold(cell, want) {
						column = n
					}
				}
			}
			continue
		}
		g := gauge{name: name, line: i + 1, who: whose(one)}
		found := false
		for n, cell := range cells {
			if x, ok := amount(cell); ok && n != at && (!found || column < 0 || n == column) {
				g.value, found = x, true
				if n == column {
					break
				}
			}
		}
		if found {
			all = append(all, g)
		}
	}
	return all
}

// gaugeLines reads metrics as somebody notes them: a known name and, ahead of the next one in its line, a number; a name in quotes between
// them is the task's. nil if there are none, or if options of Flink stand among them: then it is a configuration.
func gaugeLines(text string) *Seen {
	var all []gauge
	for i, line := range strings.Split(text, "\n") {
		words := strings.FieldsFunc(line, func(c rune) bool { return strings.ContainsRune(" \t=:|", c) })
		if len(words) > 0 {
			if _, ok := option.Find(strings.Trim(words[0], "`'\"-")); ok {
				return nil
			}
		}
		open := false // the last one has no value yet
		for _, word := range words {
			word = strings.Trim(word, "`'\",;()[]")
			if _, ok := measured[metricIn(word)]; ok {
				all, open = append(all, gauge{name: metricIn(word), line: i + 1}), true
				if _, behind, quoted := strings.Cut(line[strings.Index(line, word):], ` "`); quoted {
					all[len(all)-1].who, _, _ = strings.Cut(behind, `"`)
				}
				continue
			}
			if x, ok := amount(word); ok && open {
				all[len(all)-1].value, open = x, false
			}
		}
		if open {
			all = all[:len(all)-1]
		}
	}
	if len(all) == 0 {
		return nil
	}
	s := &Seen{Form: "metrics, noted"}
	s.gauges(all)
	return s
}

// metricIn is the metric that a cell names: by itself, behind a scope, before labels.
func metricIn(cell string) string {
	cell, _, _ = strings.Cut(strings.TrimSpace(cell), "{")
	return unscoped(strings.TrimSpace(cell))
}

// whose is the task that a cell or a line names in a label, as task_name:Source or task_name="Sink"; "" if it names none.
func whose(cell string) string {
	for _, label := range []string{"task_name", "operator_name", "Task", "Operator"} {
		_, rest, ok := strings.Cut(cell, label)
		if !ok || rest == "" || !strings.ContainsRune(":=", rune(rest[0])) {
			continue
		}
		rest = strings.TrimLeft(rest[1:], `" `)
		if end := strings.IndexAny(rest, "\t,;|}\""); end >= 0 {
			rest = rest[:end]
		}
		return strings.TrimSpace(rest)
	}
	return ""
}

// amount reads 598211, 1,000, 12.3G, 2.1e11, 45 %, NaN.
func amount(cell string) (float64, bool) {
	cell = strings.TrimSpace(cell)
	each := 1.0
	for _, u := range []struct {
		name string
		of   float64
	}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}, {"G", 1e9}, {"M", 1e6}, {"K", 1e3}, {"k", 1e3}, {"%", 1}} {
		if rest, ok := strings.CutSuffix(cell, u.name); ok && rest != "" {
			cell, each = strings.TrimSpace(rest), u.of
			break
		}
	}
	x, err := strconv.ParseFloat(strings.ReplaceAll(cell, ",", ""), 64)
	return x * each, err == nil && !math.IsInf(x, 0)
}
