package reference

import (
	"checkpointlab/core/event"
	"checkpointlab/core/state"
	"checkpointlab/core/state/storage"
)

// changelog is the log of the changes that a task's records make to its state (FsStateChangelogWriter; spec 8.3). Changes come in sets,
// numbered one after the other; a checkpoint is the last materialization and the sets from there on.
type changelog struct {
	t         *task
	sets      []*changeSet // all that were ever ended
	active    int64        // bytes of the one that is written
	batch     []*changeSet // wait for others to be uploaded with
	due       event.Time   // when they are, -1 = there are none
	inFlight  int64        // bytes that are to be uploaded
	listeners []listener
	asked     int // sets that an earlier checkpoint has

	base      []file // of the last materialization,
	from      int    // … from which set on it holds no changes,
	of        int64  // … and its number; 0 = none
	number    int64  // of the last one that was begun, or native savepoint
	settled   int64  // … that a completed checkpoint has, or that failed
	confirms  map[event.Checkpoint]int64
	materials map[int64][]file // files of one that is being stored, by number
}

// changeSet is changes that are uploaded together.
type changeSet struct {
	bytes     int64
	number    int64 // its file's
	requested bool  // it is to be uploaded, or was
	heard     bool  // the thread knows that it is
}

// listener is a checkpoint that waits for sets.
type listener struct {
	id         event.Checkpoint
	from, to   int
	full, size int64
}

// keepsLog reports whether a task has a changelog.
func (t *task) keepsLog() bool {
	o := &t.run.setup.Options
	keyed := false
	for i := range t.vertex.State {
		keyed = keyed || isKeyed(&t.vertex.State[i])
	}
	return o.Changelog && t.run.vault != nil && (t.vertex.Snapshot.Change > 0 || keyed)
}

// startLog is the log of a task that starts, whose first materialization is due at an offset of its own (PeriodicMaterializationManager).
func (t *task) startLog() {
	if t.logged = nil; !t.keepsLog() {
		return
	}
	t.logged = &changelog{t: t, due: -1, confirms: map[event.Checkpoint]int64{}, materials: map[int64][]file{}}
	if every := t.run.setup.Options.ChangelogMaterialize; every > 0 {
		t.logged.next(t.run.offsets.Int64n(every))
	}
}

// logFull reports whether the thread has to wait for uploads behind the record in work.
func (t *task) logFull() bool {
	return t.logged != nil && t.logged.inFlight >= t.run.setup.Options.ChangelogInFlight
}

// append logs what a record has changed.
func (c *changelog) append(bytes int64) {
	c.active += bytes
	if bytes > 0 && c.active >= c.t.run.setup.Options.ChangelogPreemptive {
		c.upload()
	}
}

// rollOver ends the set that is written.
func (c *changelog) rollOver() {
	if c.active > 0 {
		c.sets = append(c.sets, &changeSet{bytes: c.active})
		c.active = 0
	}
}

// upload hands over all sets that are not (persistInternal), which wait for more, up to some size or some time
// (BatchingStateChangeUploadScheduler.scheduleUploadIfNeeded).
func (c *changelog) upload() {
	c.rollOver()
	o, waiting := &c.t.run.setup.Options, int64(0)
	for i, s := range c.sets {
		if !s.requested {
			s.requested, s.number = true, int64(i+1)
			c.inFlight += s.bytes
			c.batch = append(c.batch, s)
		}
	}
	for _, s := range c.batch {
		waiting += s.bytes
	}
	switch {
	case len(c.batch) == 0:
	case o.ChangelogBatchDelay == 0 || waiting >= o.ChangelogBatchSize:
		c.drain()
	case c.due < 0:
		at := c.t.run.now + o.ChangelogBatchDelay
		c.due = at
		c.t.later(at, func() {
			if c.due == at && c.t.alive {
				c.drain()
			}
		})
	}
}

// drain uploads what waits, each set as a file.
func (c *changelog) drain() {
	batch := c.batch
	c.batch, c.due = nil, -1
	for _, s := range batch {
		c.store(s)
	}
}

func (c *changelog) store(s *changeSet) {
	h := c.t.writes(storage.Log, 0)
	h.Number = s.number
	c.t.run.vault.orderItems(h, 1, storage.Item{Owner: c.t.id, Shared: true, ID: storage.LogFile(s.number), Bytes: s.bytes})
}

// persist is a checkpoint's part: everything is uploaded that is not, and it is complete when the thread has heard of all from the last
// materialization on.
func (c *changelog) persist(id event.Checkpoint, u *upload, p *part) {
	c.rollOver()
	c.confirms[id] = c.of
	l := listener{id: id, from: c.from, to: len(c.sets)}
	for i, s := range c.sets {
		if i >= c.from {
			l.full += s.bytes
		}
		if i >= max(c.asked, c.from) {
			l.size += s.bytes
		}
	}
	c.asked = len(c.sets)
	p.reused = append([]file(nil), c.base...)
	for _, f := range c.base {
		l.full += f.Bytes
	}
	u.left++
	u.full += l.full
	c.listeners = append(c.listeners, l)
	c.upload()
	c.answer()
}

// answer completes the checkpoints that wait for nothing more.
func (c *changelog) answer() {
	for i := 0; i < len(c.listeners); i++ {
		l, all := c.listeners[i], true
		for _, s := range c.sets[l.from:l.to] {
			all = all && s.heard
		}
		if !all {
			continue
		}
		c.listeners = append(append([]listener(nil), c.listeners[:i]...), c.listeners[i+1:]...)
		i--
		if u := c.t.uploads[l.id]; u != nil {
			u.stored += l.size
			c.t.partStored(u, l.id)
		}
	}
}

// aborted is a checkpoint that was given up.
func (c *changelog) aborted(id event.Checkpoint) {
	for i, l := range c.listeners {
		if l.id == id {
			c.listeners = append(append([]listener(nil), c.listeners[:i]...), c.listeners[i+1:]...)
			return
		}
	}
}

// confirmed is a completed checkpoint: the state below hears of the materialization that it has.
func (c *changelog) confirmed(id event.Checkpoint) {
	if of := c.confirms[id]; of > c.settled {
		c.settled = of
		c.t.state.confirmed(below(of))
	}
	for other := range c.confirms {
		if other <= id {
			delete(c.confirms, other)
		}
	}
}

// next makes a materialization due after a while.
func (c *changelog) next(span event.Time) {
	c.t.later(c.t.run.now+span, func() {
		if c.t.alive {
			c.t.mail(mail{kind: event.MailMaterialize})
		}
	})
}

// materialize stores the state below, if anything has changed and a checkpoint has the last one (initMaterialization).
func (c *changelog) materialize() {
	r := c.t.run
	if changed := len(c.sets) > c.from || c.active > 0; c.settled < c.number || !changed {
		c.next(r.setup.Options.ChangelogMaterialize)
		return
	}
	c.rollOver()
	c.number++
	number, upTo := c.number, len(c.sets)
	p, _ := c.t.takeState(below(number), state.Checkpoint, true)
	p.made = p.withoutOperator()
	c.materials[number] = append(append([]file(nil), p.reused...), p.made...)
	h := c.t.writes(storage.Materialize, 0)
	h.Number = int64(upTo)
	var items []storage.Item
	for _, f := range p.made {
		if f.Shared = true; !f.inline {
			item := f.Item
			item.Shared = true
			items = append(items, item)
		}
	}
	r.vault.orderItems(h, p.threads, items...)
}

// below is by what the state under the log knows a materialization: none of a checkpoint's ids.
func below(number int64) event.Checkpoint { return -number }

// materialized is the thread hearing that one is stored, which holds all changes up to a set.
func (c *changelog) materialized(upTo int) {
	c.base, c.from, c.of = c.materials[c.making()], upTo, c.making()
	delete(c.materials, c.of)
}

// making is the number of the one that is being stored.
func (c *changelog) making() (number int64) {
	for n := range c.materials {
		number = max(number, n)
	}
	return number
}

// logStored is the end of an order for a changelog.
func (v *vault) logStored(e *storage.Effect) {
	t := v.run.all[e.Client]
	if uint32(t.life) != e.Gen || !t.alive || t.logged == nil {
		return
	}
	c, o := t.logged, &v.run.setup.Options
	switch {
	case e.Purpose == storage.Materialize:
		c.next(o.ChangelogMaterialize)
		if t.hashmap != nil {
			t.hashmap.written(below(c.making()))
		}
		if e.OK {
			c.hears(mail{kind: event.MailMaterialized, id: e.Number})
			return
		}
		c.settled = max(c.settled, c.making())
		t.state.aborted(below(c.making()))
		delete(c.materials, c.making())
	case !e.OK:
		t.later(v.run.now+o.ChangelogRetryDelay, func() {
			if t.alive {
				c.store(c.sets[e.Number-1])
			}
		})
	default:
		full := t.logFull()
		if c.inFlight -= c.sets[e.Number-1].bytes; full && !t.logFull() {
			t.wake(v.run.now)
		}
		c.hears(mail{kind: event.MailLogged, id: e.Number})
	}
}

// hears lets the thread know; a mailbox that is closed takes nothing, though what is being stored is waited for.
func (c *changelog) hears(m mail) {
	if c.t.end.closing {
		c.heard(m)
		return
	}
	c.t.mail(m)
}

func (c *changelog) heard(m mail) {
	if m.kind == event.MailMaterialized {
		c.materialized(int(m.id))
		return
	}
	c.sets[m.id-1].heard = true
	c.answer()
}
