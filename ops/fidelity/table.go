// Package fidelity checks the simulation against everything it is checked against and lays the results out as tables:
// facts from Flink's own tests (vectors.go), the chapter's exact table (closed.go), what the scenarios promise (expect.go)
// and recorded runs of a real Flink (truth.go). document.go keeps the tables of docs/fidelity.md up to date.
package fidelity

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// Table is one section's result for a reader.
type Table struct {
	Name    string // the marker's name in the document
	Title   string
	Columns []string
	Rows    [][]string
	Notes   []string // a line each, below the table
}

// Text writes the table aligned, under its title.
func (t *Table) Text(w io.Writer) error {
	fmt.Fprintf(w, "%s\n", t.Title)
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "  "+strings.Join(t.Columns, "\t"))
	for _, r := range t.Rows {
		fmt.Fprintln(tw, "  "+strings.Join(r, "\t"))
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	for _, n := range t.Notes {
		fmt.Fprintln(w, "  "+n)
	}
	_, err := fmt.Fprintln(w)
	return err
}

// Markdown is the table as it stands in the document.
func (t *Table) Markdown() string {
	var b strings.Builder
	row := func(cells []string) {
		b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
	}
	row(t.Columns)
	b.WriteString("|" + strings.Repeat("---|", len(t.Columns)) + "\n")
	for _, r := range t.Rows {
		cells := make([]string, len(r))
		for i, c := range r {
			cells[i] = strings.ReplaceAll(c, "|", `\|`)
		}
		row(cells)
	}
	for i, n := range t.Notes {
		if i == 0 {
			b.WriteString("\n")
		}
		b.WriteString("- " + n + "\n")
	}
	return b.String()
}
