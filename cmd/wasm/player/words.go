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

// span is a time by itself, as a row shows it; said is one in a sentence.
func (s *speaker) span(t event.Time) string { return string(format.Span(nil, t)) }

func (s *speaker) said(t event.Time) string { return Words{s.Lang()}.Setting(s.span(t)) }

func (s *speaker) count(n int64) string { return string(format.Count(nil, n)) }
