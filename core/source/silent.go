package source

import "checkpointlab/core/event"

// Splits that fall silent while the others of their subtask go on: who owns a record, and how far each split has been read.

// MaySilence lets so many splits, the first ones, fall silent once.
func (l *Log) MaySilence(splits int64) { l.silent, l.silentFrom, l.speakAt = splits, noEnd, noEnd }

// Silence lets them get nothing from now on, or records again. It precedes the change of the rate.
func (l *Log) Silence(now event.Time, on bool) {
	if on {
		l.silentFrom = l.coming(now)
	} else {
		l.speakAt = l.coming(now)
	}
}

// coming is the position from which a change at an instant holds. What the log begins with is there in all splits, although at
// time 0 it counts as arrived only a ns later.
func (l *Log) coming(now event.Time) int64 {
	return max(l.Arrived(now), l.pieces[len(l.pieces)-1].first)
}

// HasSilent reports whether some splits fall silent at some time.
func (l *Log) HasSilent() bool { return l.silent > 0 }

// last is the position of the last record of split j below a position; negative if it has none there.
func (l *Log) last(j, below int64) int64 {
	for below > 0 {
		switch {
		case below > l.speakAt:
			if i := latest(below, j, l.Splits); i >= l.speakAt {
				return i
			}
			below = l.speakAt
		case below > l.silentFrom:
			if loud := l.Splits - l.silent; j >= l.silent {
				if i := latest(below-l.silentFrom, j-l.silent, loud); i >= 0 {
					return l.silentFrom + i
				}
			}
			below = l.silentFrom
		default:
			return latest(below, j, l.Splits)
		}
	}
	return -1
}

// latest is the greatest number below a bound that is j modulo n; negative if none is.
func latest(below, j, n int64) int64 {
	i := (below-1)/n*n + j
	if i >= below {
		i -= n
	}
	return i
}

// Oldest is the least of the positions of the last records that were read of the silent splits, and of the others; negative if one of
// them has none.
func (l *Log) Oldest() (silent, loud int64) {
	silent, loud = noEnd, noEnd
	for j := range l.Splits {
		at := l.last(j, l.Next)
		if j < l.silent {
			silent = min(silent, at)
		} else {
			loud = min(loud, at)
		}
	}
	return silent, loud
}

// Counts is how many records of the silent splits were read, and of the others.
func (l *Log) Counts() [2]int64 {
	upTo := func(below int64) int64 { return below/l.Splits*l.silent + min(below%l.Splits, l.silent) }
	n := upTo(min(l.Next, l.silentFrom))
	if l.Next > l.speakAt {
		n += upTo(l.Next) - upTo(l.speakAt)
	}
	return [2]int64{n, l.Next - n}
}
