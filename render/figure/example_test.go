package figure_test

import (
	"fmt"

	"checkpointlab/render/figure"
	"checkpointlab/render/internal/sample"
	"checkpointlab/render/scene"
)

func ExampleFigure() {
	var f figure.Figure
	v, h := sample.Alignment(), sample.History()
	f.Build(v, h, figure.Options{Width: 1392})
	for _, t := range scene.Targets(&f.Scene, v, h, scene.English, nil) {
		if t.ID == (scene.ID{What: scene.Ack, A: 3}) {
			fmt.Println(t.ID, "—", t.Label)
		}
	}
	fmt.Println(f.Area.TimeAt(f.Area.Right) == v.Duration)
	// Output:
	// ack-3-0-0 — map 1 waits for barrier 7 from 1 of 2 channels · checkpointStartDelayNanos 0, checkpointAlignmentTime 0
	// true
}
