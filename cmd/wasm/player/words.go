package player

import (
	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/render/format"
	"checkpointlab/web/texts"
)

// speaker says sentences in the reader's language about one view.
type speaker struct {
	*texts.Table
	v *core.View
	h *core.History
}

func (s *speaker) span(t event.Time) string { return string(format.Span(nil, t)) }

func (s *speaker) count(n int64) string { return string(format.Count(nil, n)) }
