package scenarios

import "strconv"

// Case is what is known of a report that a scenario rebuilds: what a shallow tool would say of it, which must be wrong here,
// and what of it the lab does not answer.
type Case struct {
	Trap string
	Left []Left
}

// Left is something that is asked and not answered by a run, with the reason, or with where it is answered.
type Left struct{ What, Why string }

func (r *reader) caseOf(top *object, s *Scenario) {
	n := top.values["case"]
	if n == nil {
		return
	}
	o := r.object(n, "case", "trap", "left")
	o.need("trap", "write what a shallow tool would say, which the expectations disprove")
	c := &Case{Trap: o.raw("trap")}
	for i, item := range o.items("left") {
		l := r.object(item, "case.left."+strconv.Itoa(i+1), "what", "why")
		l.need("what", "write what is asked")
		l.need("why", "write why no run answers it")
		c.Left = append(c.Left, Left{l.raw("what"), l.raw("why")})
	}
	s.Case = c
}
