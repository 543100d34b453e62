package storage

// CopyFrom makes s a deep copy of src, which is built alike; s goes on with its own queue.
func (s *Storage) CopyFrom(src *Storage) {
	s.random = src.random
	for len(s.orders) < len(src.orders) {
		s.orders = append(s.orders, order{})
	}
	s.orders = s.orders[:len(src.orders)]
	for i := range src.orders {
		items, done := append(s.orders[i].items[:0], src.orders[i].items...), append(s.orders[i].done[:0], src.orders[i].done...)
		s.orders[i] = src.orders[i]
		s.orders[i].items, s.orders[i].done = items, done
	}
	s.free, s.ended = append(s.free[:0], src.free...), append(s.ended[:0], src.ended...)
	s.requests = append(s.requests[:0], src.requests...)
	s.vacant = append(s.vacant[:0], src.vacant...)
	for i := range src.links {
		flows := append(s.links[i].flows[:0], src.links[i].flows...)
		s.links[i] = src.links[i]
		s.links[i].flows = flows
	}
	s.flowGn, s.armed, s.shared = src.flowGn, src.armed, src.shared
	s.turn, s.slow, s.failing, s.stats = src.turn, src.slow, src.failing, src.stats
	s.late, s.lateBy = src.late, src.lateBy
	s.book.copyFrom(&src.book)
	s.merging = append(s.merging[:0], src.merging...)
}
