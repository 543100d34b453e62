package scene

import (
	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/render/token"
)

// logSum is the logs of an operator's subtasks taken together.
type logSum struct {
	core.LogView
	worst     int // the subtask with the largest lag
	pendingAt int64
	pending   event.Checkpoint
	completed event.Checkpoint
}

func sumLogs(w *core.VertexView) (sum logSum) {
	most := int64(-1)
	for i := range w.Tasks {
		l := &rewound(&w.Tasks[i]).Log
		sum.Arrived, sum.Read = sum.Arrived+l.Arrived, sum.Read+l.Read
		sum.ReadAgain += l.ReadAgain
		sum.ReplayTo += max(l.ReplayTo, l.Read)
		sum.OldestWait = max(sum.OldestWait, l.OldestWait)
		if lag := l.Arrived - l.Read; lag > most {
			most, sum.worst = lag, i
		}
		for k := range l.Marks {
			m := &l.Marks[k]
			if m.Completed {
				sum.completed = max(sum.completed, m.Checkpoint)
			} else {
				sum.pending = m.Checkpoint
				sum.pendingAt += l.Read - m.Position
			}
		}
	}
	return sum
}

func (s *Scene) summedLog(w *core.VertexView, x, y, width float64) {
	p := &s.plan
	sum := sumLogs(w)
	worst := &w.Tasks[sum.worst]
	t := core.TaskView{Task: w.Tasks[0].Task, Log: sum.LogView}
	var marks [2]core.LogMark
	n := 0
	if sum.completed != 0 {
		marks[n] = core.LogMark{Checkpoint: sum.completed, Position: sum.Read - sum.ReadAgain, Completed: true}
		n++
	}
	if sum.pending != 0 {
		marks[n] = core.LogMark{Checkpoint: sum.pending, Position: sum.Read - sum.pendingAt}
		n++
	}
	p.marks = append(p.marks[:0], marks[:n]...)
	t.Log.Marks = p.marks
	s.logStrip(&t, x, y, width)
	id := s.endID(Log, t.Task)
	s.label(id, x, y+19, 12, token.Ink).bold().str(wLag.in(p.lang)).int(sum.Arrived - sum.Read).end(Start)
	if most := worst.Log.Arrived - worst.Log.Read; most > 0 {
		value := func(before string) label { // rather the value than the words before it
			return s.label(id, x, y+34, 11, token.Ink2).str(before).str(w.Name).str(" ").plain(int64(worst.Index)).str(": ").short(most)
		}
		_ = value(wMostAt.in(p.lang)).within(x+width+p.g.side-2) || value("").within(x+width+p.g.side-2)
	}
	if p.layout != Wide {
		return
	}
	if again := sum.ReplayTo - sum.Read; again > 0 {
		s.label(id, x, y+54, 11, token.Ink2).str(wReadingAgain.in(p.lang)).int(again).end(Start)
		return
	}
	s.label(id, x, y+54, 11, token.Ink3).str(wIfFails.in(p.lang)).end(Start)
	s.label(id, x, y+69, 11, token.Ink2).int(sum.ReadAgain).str(wAgain.in(p.lang)).end(Start)
}

// outputSum is the outputs of an operator's subtasks taken together.
type outputSum struct {
	open, committing, visible int64
	since                     event.Time
	commits                   event.Checkpoint // of the oldest pre-committed transaction
	upTo                      event.Checkpoint // what every subtask shows
	worst                     int
}

func sumOutputs(w *core.VertexView) (sum outputSum) {
	sum.since, sum.upTo = event.Never, 1<<62
	most := int64(-1)
	for i := range w.Tasks {
		o := &w.Tasks[i].Output
		sum.visible += o.Visible
		sum.upTo = min(sum.upTo, o.VisibleUpTo)
		waiting := int64(0)
		for k := range o.Transactions {
			tx := &o.Transactions[k]
			waiting += tx.Records
			sum.since = min(sum.since, tx.Since)
			if tx.Checkpoint == 0 {
				sum.open += tx.Records
			} else {
				sum.committing, sum.commits = sum.committing+tx.Records, tx.Checkpoint
			}
		}
		if waiting > most {
			most, sum.worst = waiting, i
		}
	}
	return sum
}

func (s *Scene) summedOutput(w *core.VertexView, x, y, width float64) {
	p := &s.plan
	sum := sumOutputs(w)
	worst := w.Tasks[sum.worst]
	worst.Task = w.Tasks[0].Task
	p.transactions = p.transactions[:0]
	if sum.committing > 0 {
		p.transactions = append(p.transactions, core.TransactionView{Checkpoint: sum.commits, Records: sum.committing, Since: sum.since})
	}
	if sum.open > 0 {
		p.transactions = append(p.transactions, core.TransactionView{Records: sum.open, Since: sum.since})
	}
	worst.Output.Transactions, worst.Output.Visible, worst.Output.VisibleUpTo = p.transactions, sum.visible, sum.upTo
	s.outputStrip(&worst, x, y, width, 1)
	s.outputText(&worst, x, y)
}
