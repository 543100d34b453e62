package core

import (
	"testing"

	"checkpointlab/core/event"
	"checkpointlab/core/task"
)

// Sources report and hear of their group every second unless a job says otherwise (WatermarksWithWatermarkAlignment's default).
func TestGroupsAreUpdatedEverySecond(t *testing.T) {
	s := bounded(t, 0)
	s.Vertices[0].Watermarks = Watermarks{On: true, Align: Alignment{Group: "g", Drift: event.Second}}
	var r task.Rules
	s.alignRules(&r)
	if got := r.Align[0].Update; got != event.Second {
		t.Errorf("every %d ns", got)
	}
	s.Vertices[0].Watermarks.Align.Update = 3 * event.Second
	r.Align = nil
	if s.alignRules(&r); r.Align[0].Update != 3*event.Second {
		t.Errorf("every %d ns where a job says 3 s", r.Align[0].Update)
	}
}
