package scene_test

import (
	"fmt"

	"checkpointlab/render/internal/sample"
	"checkpointlab/render/scene"
)

func ExampleBuild() {
	var s scene.Scene // keep it: its memory is reused
	v := sample.Alignment()
	scene.Build(v, nil, scene.Options{Width: 1392}, &s)
	for i := range s.Marks {
		if m := &s.Marks[i]; m.Kind == scene.Sprite && m.ID.What == scene.Card && m.Shape == scene.Aligning {
			fmt.Println(m.ID, m.Fill)
		}
	}
	// Output:
	// card-3-0-0 cp-2
}
