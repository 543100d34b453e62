package core

import "checkpointlab/core/event"

// Listen passes every further event of the feed to f, too. f must not change the run.
func (l *Lab) Listen(f func(event.Event)) {
	before := l.feed.Listen
	l.feed.Listen = func(e event.Event) {
		if before != nil {
			before(e)
		}
		f(e)
	}
}
