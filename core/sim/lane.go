package sim

import "slices"

// lane is a ring of items in order.
type lane struct {
	items []Item // a power of two of them, or none
	begin int
	n     int
}

// at is the i-th item from the head.
func (l *lane) at(i int) *Item { return &l.items[(l.begin+i)&(len(l.items)-1)] }

func (l *lane) head() *Item { return &l.items[l.begin] }
func (l *lane) last() *Item { return l.at(l.n - 1) }

func (l *lane) push(it *Item) {
	if l.n == len(l.items) {
		bigger := make([]Item, max(8, 2*l.n))
		for i := range l.n {
			bigger[i] = *l.at(i)
		}
		l.items, l.begin = bigger, 0
	}
	l.n++
	*l.last() = *it
}

func (l *lane) pop() {
	l.begin = (l.begin + 1) & (len(l.items) - 1)
	l.n--
}

func (l *lane) copyFrom(src *lane) {
	if len(l.items) < src.n {
		l.items = make([]Item, len(src.items))
	}
	l.begin, l.n = 0, src.n
	for i := range src.n {
		l.items[i] = *src.at(i)
	}
}

// line is a few sorted items that are due behind everything else of one instant.
type line struct {
	items []Item
	begin int // what is ahead of it was taken
}

// long is the number of items up to which insertion is cheaper than the heap.
const long = 64

func (l *line) len() int    { return len(l.items) - l.begin }
func (l *line) head() *Item { return &l.items[l.begin] }

// push adds an item in order; it is false if the item is of another instant or the line is long.
func (l *line) push(it *Item) bool {
	n := l.len()
	if n == 0 {
		l.items, l.begin = l.items[:0], 0
	} else if n == long || l.head().At != it.At {
		return false
	}
	i := len(l.items)
	if i == cap(l.items) {
		l.items = slices.Grow(l.items, 1)
	}
	items := l.items[:i+1]
	l.items = items
	for ; i > l.begin && before(it, &items[i-1]); i-- {
		items[i] = items[i-1]
	}
	items[i] = *it
	return true
}

// popLine takes the first one behind an instant out.
func (q *Queue) popLine() {
	if q.behind.begin++; q.behind.len() > 0 {
		q.heads[inLine] = keyOf(q.behind.head())
	} else {
		q.heads[inLine] = key{}
	}
}
