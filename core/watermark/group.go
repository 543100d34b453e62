package watermark

// Group is what the source coordinators of an alignment group know: the last watermark that each member reported
// (SourceCoordinator.WatermarkAggregator). It outlives a restart of the members, so what was reported before holds until the
// next report (SourceCoordinator.subtaskReset leaves it; FLINK-36751).
type Group struct {
	reported []int64
	known    []bool
}

// NewGroup has members 0 to members-1, none of which has reported.
func NewGroup(members int) Group {
	return Group{reported: make([]int64, members), known: make([]bool, members)}
}

// Report notes a member's watermark; End stands for an idle member.
func (g *Group) Report(member int, mark int64) { g.reported[member], g.known[member] = mark, true }

// Knows reports whether a member has reported.
func (g *Group) Knows(member int) bool { return g.known[member] }

// Least is the lower of least and the member's report; a member that has not reported is not counted.
func (g *Group) Least(least int64, member int) int64 {
	if !g.known[member] {
		return least
	}
	return min(least, g.reported[member])
}

// MayGo is how far members may go if the least report is least: by the drift in ms, or without limit
// (SourceCoordinator.announceCombinedWatermark).
func MayGo(least, drift int64) int64 {
	if least < End-drift {
		return least + drift
	}
	return End
}

// CopyFrom makes g a copy of src that shares no memory with it.
func (g *Group) CopyFrom(src *Group) {
	g.reported, g.known = append(g.reported[:0], src.reported...), append(g.known[:0], src.known...)
}
