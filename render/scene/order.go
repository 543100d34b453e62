package scene

import (
	"cmp"
	"slices"
)

// sortTargets puts targets into reading order: groups first, then the band, then along the flow.
func sortTargets(ts []Target) {
	slices.SortStableFunc(ts, func(a, b Target) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(rank(a.ID.What), rank(b.ID.What)),
			cmp.Compare(column(a), column(b)), cmp.Compare(line(a), line(b)), cmp.Compare(a.X, b.X))
	})
}

// rank puts the coordinator first, the flow next, the time budget last.
func rank(w What) int {
	switch w {
	case Coordinator:
		return 0
	case Ack:
		return 1
	case Budget:
		return 3
	}
	return 2
}

// columnWidth is coarse on purpose: cells of one queue belong to one column, so that they are read row by row.
const columnWidth = 110

func column(t Target) int { return int(t.X+t.W/2) / columnWidth }

// line joins what stands on one belt.
func line(t Target) int { return int(t.Y+t.H) / 24 }
