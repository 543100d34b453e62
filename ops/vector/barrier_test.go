package vector

import "testing"

func TestBarrierVectors(t *testing.T) {
	for _, name := range []string{"aligned", "tracker", "unaligned", "alternating", "more"} {
		if open := replay(t, "barrier-"+name+".json"); len(open) > 0 {
			t.Errorf("%s: not modelled yet: %v", name, open)
		}
	}
}
