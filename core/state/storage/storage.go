// Package storage is where checkpoints are kept: a file system or an object store with bandwidth, latency and a limit of
// requests, and the files in it (spec 8; the numbers are the scenario's, not Flink's).
//
// Read Config, then Order (what a client asks for) and Storage (who serves it). An order is a list of files that one client
// writes, reads or deletes, some of them at once. Each file is one request: it waits for its turn where requests are limited,
// then for the latency, and then its bytes share the bandwidth evenly with all others under way, to the byte.
package storage

import (
	"checkpointlab/core/event"
	"checkpointlab/core/sim"
)

// Config is what does not change of a Storage. Rates are bytes or requests a second, 0 = without limit.
type Config struct {
	Total      int64 // bandwidth of all clients together
	PerManager int64 // bandwidth of one task manager, and of the JobManager
	Latency    Latency
	Requests   int64 // per prefix; see Refuse
	Prefixes   int64 // over which the files are spread evenly; 0 = 1
	Refuse     bool  // requests above the limit are refused and tried again, as an object store does; else they queue, as at a NameNode
	Attempts   int   // of a refused request, before its order fails
	RetryAfter event.Time
	Merge      Merging
	Managers   int // task managers 0 … Managers-1
	Owners     int // tasks 0 … Owners-1
	Seed       uint64
}

// Master is the JobManager as a client.
const Master int32 = -1

// Op is what an order does with its files.
type Op uint8

// The operations.
const (
	Write Op = iota
	Read
	Delete
)

// Purpose says what an order is for; its end is told with it.
type Purpose uint8

// The purposes.
const (
	Snapshot     Purpose = iota // a task's part of a snapshot
	ChannelState                // of an unaligned checkpoint
	Metadata                    // the coordinator's file, which makes a checkpoint complete
	Restore                     // a task reads what it goes on from
	Cleaning                    // files of a checkpoint that nobody needs
	Discard                     // a task deletes what it wrote in vain
	Ending                      // files of a checkpoint whose job has ended
	Log                         // a segment of the changelog
	Materialize                 // of the changelog's wrapped backend
	Replay                      // a task reads the log behind what it goes on from
)

// Head says whose an order is and what it is for.
type Head struct {
	Op      Op
	Purpose Purpose
	Client  int32  // a task, or Master
	Manager int32  // whose link is used; Master = the JobManager's
	Gen     uint32 // the task's
	Threads int    // files at once; 0 = 1
	ID      event.Checkpoint
	Number  int64 // the client's own
}

// Item is one file of an order: file ID of the task Owner.
type Item struct {
	Owner  int32
	Shared bool
	ID     uint64
	Bytes  int64
}

// order is an order under way.
type order struct {
	Head
	live         bool
	items        []Item
	done         []bool
	next, active int
	left         int
	bytes, asked int64 // moved, requests made
	gen          uint32
}

// request is one file on its way.
type request struct {
	order   int32
	item    int32
	gen     uint32 // of the request's slot
	owner   uint32 // gen of the order when it was made
	attempt int
	flows   bool // its bytes are under way
	opens   bool // it makes a file in the storage; else it goes on with one that is open
	fails   bool
	file    int32 // physical, of a write
}

// Effect is the end of an order.
type Effect struct {
	Head
	Order    int32
	OK       bool
	Bytes    int64
	Requests int64
}

// Storage serves orders. Make it with New.
type Storage struct {
	Config
	queue  *sim.Queue
	random sim.Stream

	orders   []order
	free     []int32
	requests []request
	vacant   []int32

	links  []link // by manager, the JobManager's last
	flowGn uint32 // of the armed end of a flow
	armed  bool   // the rates are to be shared anew at this instant
	shared event.Time

	turn     event.Time // when the next request has its turn
	slow     [2]int64   // per mille of the usual time: tasks, JobManager
	failing  [2]int64   // requests that fail, in millionths: tasks, JobManager
	late     [2]int64   // requests whose answer is late, in millionths …
	lateBy   [2]event.Time
	stats    Stats
	book     book
	merging  []open
	finished []Effect // of the event that is being handled
	ended    []int32  // their orders
}

// Stats counts since the start.
type Stats struct {
	Writes, Reads, Deletes int64 // requests
	Refused, Failed        int64 // of them
	Written, ReadBytes     int64
	Files, Bytes           int64 // that are in the storage
	Savepoints             int64 // of Bytes, those of savepoints
	Logical                int64 // files that checkpoints refer to; several may be in one
}

// New is an empty storage.
func New(c Config, queue *sim.Queue) *Storage {
	c.Prefixes = max(1, c.Prefixes)
	s := &Storage{Config: c, queue: queue, random: sim.NewStream(c.Seed, "storage"), slow: [2]int64{1000, 1000}}
	s.links = make([]link, c.Managers+1)
	s.book.owners = make([][]object, c.Owners*int(classes)+1)
	return s
}

// Stats is what has happened so far and what is in the storage now.
func (s *Storage) Stats() Stats { return s.stats }

// Busy reports whether any order is under way.
func (s *Storage) Busy() bool { return len(s.orders) > len(s.free)+len(s.ended) }

// client is the index of a client's kind in slow and failing.
func client(c int32) int {
	if c == Master {
		return 1
	}
	return 0
}

// Slow makes everything of a kind of client take perMille of its usual time, from the next request and byte on.
func (s *Storage) Slow(now event.Time, master bool, perMille int64) {
	i := 0
	if master {
		i = 1
	}
	s.slow[i] = perMille
	s.settleAll(now)
	s.arm(now)
}

// Fail lets a share of a kind of client's requests fail, in millionths, from now on.
func (s *Storage) Fail(master bool, millionths int64) {
	i := 0
	if master {
		i = 1
	}
	s.failing[i] = millionths
}

// Delay lets the answers to a share of a kind of client's requests, in millionths, come so much later from now on.
func (s *Storage) Delay(master bool, millionths int64, by event.Time) {
	i := 0
	if master {
		i = 1
	}
	s.late[i], s.lateBy[i] = millionths, by
}

// Place is an order that items are added to. Start lets it begin; it ends at once, with an effect at the same instant, if it
// has none.
func (s *Storage) Place(h Head) int32 {
	h.Threads = max(1, h.Threads)
	i := int32(len(s.orders))
	if n := len(s.free); n > 0 {
		i, s.free = s.free[n-1], s.free[:n-1]
	} else {
		s.orders = append(s.orders, order{})
	}
	o := &s.orders[i]
	*o = order{Head: h, live: true, items: o.items[:0], done: o.done[:0], gen: o.gen + 1}
	return i
}

// Add puts a file on an order that has not begun.
func (s *Storage) Add(i int32, it Item) {
	o := &s.orders[i]
	o.items, o.done = append(o.items, it), append(o.done, false)
	o.left++
}

// Start begins an order.
func (s *Storage) Start(now event.Time, i int32) {
	o := &s.orders[i]
	if o.left == 0 {
		s.queue.Push(sim.Item{At: now, Kind: event.DueOrder, A: i, Gen: o.gen})
		return
	}
	s.fill(now, i)
}

// StartIfAny begins an order that has files; without any there was none.
func (s *Storage) StartIfAny(now event.Time, i int32) {
	if o := &s.orders[i]; o.left == 0 {
		o.live = false
		s.free = append(s.free, i)
		return
	}
	s.Start(now, i)
}

// Empty is the end of an order without files.
func (s *Storage) Empty(i int32, gen uint32) []Effect {
	s.finished = s.finished[:0]
	if o := &s.orders[i]; o.live && o.gen == gen {
		s.end(i, true)
	}
	return s.finished
}

// fill lets as many files of an order go as may.
func (s *Storage) fill(now event.Time, i int32) {
	for {
		o := &s.orders[i]
		if !o.live || o.active >= o.Threads || o.next == len(o.items) {
			return
		}
		o.active++
		o.next++
		s.ask(now, s.request(i, int32(o.next-1)))
	}
}

func (s *Storage) request(i, item int32) int32 {
	r := int32(len(s.requests))
	if n := len(s.vacant); n > 0 {
		r, s.vacant = s.vacant[n-1], s.vacant[:n-1]
	} else {
		s.requests = append(s.requests, request{})
	}
	s.requests[r] = request{order: i, item: item, gen: s.requests[r].gen + 1, owner: s.orders[i].gen, file: -1}
	return r
}

// end ends an order and tells it. Its place stays taken until Told, for whoever is told may Regret it.
func (s *Storage) end(i int32, ok bool) {
	o := &s.orders[i]
	o.live = false
	s.ended = append(s.ended, i)
	s.finished = append(s.finished, Effect{Head: o.Head, Order: i, OK: ok, Bytes: o.bytes, Requests: o.asked})
}

// Told says that the effects of the last call have been dealt with: the places of their orders are free.
func (s *Storage) Told() {
	s.free = append(s.free, s.ended...)
	s.ended = s.ended[:0]
}

// Cancel gives up what a client has under way for a snapshot; what it has written is deleted again, in the background.
func (s *Storage) Cancel(now event.Time, clientID int32, id event.Checkpoint) {
	for i := range s.orders {
		if o := &s.orders[i]; o.live && o.Op == Write && o.Client == clientID && o.ID == id && o.Purpose != Log && o.Purpose != Materialize {
			s.drop(now, int32(i))
		}
	}
}

// Leave gives up what a client writes and reads, because it is cancelled; what it has written is deleted again, and what it
// deletes goes on to be deleted.
func (s *Storage) Leave(now event.Time, clientID int32) {
	for i := range s.orders {
		if o := &s.orders[i]; o.live && o.Client == clientID && o.Op != Delete {
			s.drop(now, int32(i))
		}
	}
}

// Regret deletes what an order has written that has just ended well, before Told.
func (s *Storage) Regret(now event.Time, e *Effect) { s.unwrite(now, e.Order) }

// drop ends an order without a word and deletes what it has written.
func (s *Storage) drop(now event.Time, i int32) {
	o := &s.orders[i]
	o.live = false
	for r := range s.requests {
		if q := &s.requests[r]; q.order == i && q.owner == o.gen && !q.free() {
			s.abandon(now, int32(r))
		}
	}
	s.unwrite(now, i)
	s.free = append(s.free, i)
}

// unwrite deletes the files that an order has written.
func (s *Storage) unwrite(now event.Time, i int32) {
	if s.orders[i].Op != Write {
		return
	}
	h := s.orders[i].Head
	h.Op, h.Purpose = Delete, Discard
	d := int32(-1)
	for k := range s.orders[i].items {
		if !s.orders[i].done[k] {
			continue
		}
		if d < 0 {
			d = s.Place(h)
		}
		s.Add(d, s.orders[i].items[k])
	}
	if d >= 0 {
		s.Start(now, d)
	}
}
