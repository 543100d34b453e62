package storage

import (
	"slices"

	"checkpointlab/core/event"
)

// The numbers of a task's files say what they are: its backend's own, channel state, segments of the changelog.
const (
	ofBackend uint64 = iota
	ofChannels
	ofLog
	classes
)

const classShift = 40

// ChannelFile is the id of a task's n-th file of channel state; n < 2^40.
func ChannelFile(n int64) uint64 { return ofChannels<<classShift | uint64(n) }

// LogFile is the id of the n-th segment of a task's changelog; n < 2^40.
func LogFile(n int64) uint64 { return ofLog<<classShift | uint64(n) }

// book is what lies in the storage.
type book struct {
	owners   [][]object // by owner and class: ascending by id; the JobManager's last
	files    []physical // those that several objects share
	vacant   []int32
	orphaned int64 // bytes of objects that nobody will delete
}

// object is a file as its owner knows it.
type object struct {
	id     uint64
	bytes  int64
	file   int32 // physical, -1 = one of its own
	orphan bool
	kept   bool
}

// physical is a file that holds several objects.
type physical struct {
	refs  int
	bytes int64
}

// Merging puts small files together (file-merging.*, spec 1.1). The zero value merges nothing.
type Merging struct {
	Size   int64 // a file takes no more once it has so many bytes; 0 = no merging
	Across bool  // files of several checkpoints may be in one
}

// open is a physical file that is being written or may take more.
type open struct {
	place  int32 // a task for shared state, a manager for the rest, as in Flink's file merging
	shared bool
	busy   bool
	id     event.Checkpoint
	file   int32
}

func (b *book) list(owner int32, id uint64) *[]object {
	class := int(id >> classShift)
	if owner == Master {
		return &b.owners[len(b.owners)-1]
	}
	return &b.owners[int(owner)*int(classes)+class]
}

func find(list []object, id uint64) (int, bool) {
	return slices.BinarySearchFunc(list, id, func(o object, id uint64) int {
		switch {
		case o.id < id:
			return -1
		case o.id > id:
			return 1
		}
		return 0
	})
}

// Has reports whether a file of an owner is in the storage.
func (s *Storage) Has(owner int32, id uint64) bool {
	_, ok := find(*s.book.list(owner, id), id)
	return ok
}

// Each calls f with every file in the storage by owner; orphan: the job does not delete it any more, because it could not, or
// because it belongs to a savepoint.
func (s *Storage) Each(f func(owner int32, id uint64, bytes int64, orphan bool)) {
	for i := range s.book.owners {
		owner := int32(i / int(classes))
		if i == len(s.book.owners)-1 {
			owner = Master
		}
		for _, o := range s.book.owners[i] {
			f(owner, o.id, o.bytes, o.orphan || o.kept)
		}
	}
}

// Adopt notes a file that its owner has put into the storage by itself.
func (s *Storage) Adopt(it Item) { s.put(it, -1) }

// Keep leaves a file to its owner: it belongs to a savepoint, which the user deletes.
func (s *Storage) Keep(owner int32, id uint64) {
	list := *s.book.list(owner, id)
	if i, ok := find(list, id); ok && !list[i].kept {
		list[i].kept = true
		s.stats.Savepoints += list[i].bytes
	}
}

// Abandon notes a file that the job will never delete, unless it belongs to a savepoint or is being deleted.
func (s *Storage) Abandon(owner int32, id uint64) {
	list := *s.book.list(owner, id)
	if i, ok := find(list, id); ok && !list[i].kept && !s.Underway(owner, id) {
		s.book.orphan(Item{Owner: owner, ID: id})
	}
}

// Underway reports whether an order has a file on its list.
func (s *Storage) Underway(owner int32, id uint64) bool {
	for i := range s.orders {
		if o := &s.orders[i]; o.live {
			for _, it := range o.items {
				if it.Owner == owner && it.ID == id {
					return true
				}
			}
		}
	}
	return false
}

// Orphaned is the bytes of files that are there and that nobody will delete.
func (s *Storage) Orphaned() int64 { return s.book.orphaned }

// openFile finds the physical file that a request writes to.
func (s *Storage) openFile(q *request) {
	q.opens, q.file = true, -1
	if s.Merge.Size == 0 {
		return
	}
	o := &s.orders[q.order]
	it := o.items[q.item]
	place := o.Manager
	if it.Shared {
		place = it.Owner
	}
	kept := s.merging[:0]
	for _, m := range s.merging {
		mine := m.place == place && m.shared == it.Shared
		if mine && !m.busy && !s.Merge.Across && m.id < o.ID {
			continue // a checkpoint that is over
		}
		if mine && !m.busy && q.file < 0 && (s.Merge.Across || m.id == o.ID) {
			m.busy, q.opens, q.file = true, false, m.file
		}
		kept = append(kept, m)
	}
	s.merging = kept
	if q.file < 0 {
		q.file = s.book.newFile()
		s.merging = append(s.merging, open{place: place, shared: it.Shared, busy: true, id: o.ID, file: q.file})
	}
}

func (b *book) newFile() int32 {
	if n := len(b.vacant); n > 0 {
		f := b.vacant[n-1]
		b.vacant = b.vacant[:n-1]
		b.files[f] = physical{}
		return f
	}
	b.files = append(b.files, physical{})
	return int32(len(b.files) - 1)
}

// closeFile gives a physical file back that a request has written to or was to write to.
func (s *Storage) closeFile(q *request) {
	for i := range s.merging {
		if m := &s.merging[i]; m.file == q.file {
			m.busy = false
			p := s.book.files[q.file]
			if p.refs == 0 {
				s.book.vacant = append(s.book.vacant, q.file)
			}
			if p.refs == 0 || p.bytes >= s.Merge.Size {
				s.merging = slices.Delete(s.merging, i, i+1)
			}
			break
		}
	}
	q.file = -1
}

// put notes a file that was written.
func (s *Storage) put(it Item, file int32) {
	list := s.book.list(it.Owner, it.ID)
	i, known := find(*list, it.ID)
	if known {
		panic("storage: a file is written twice")
	}
	*list = slices.Insert(*list, i, object{id: it.ID, bytes: it.Bytes, file: file})
	s.stats.Logical++
	s.stats.Bytes += it.Bytes
	if file < 0 {
		s.stats.Files++
		return
	}
	p := &s.book.files[file]
	if p.refs == 0 {
		s.stats.Files++
	}
	p.refs++
	p.bytes += it.Bytes
	s.closeFile(&request{file: file})
}

// last reports whether a physical file goes with this object.
func (s *Storage) last(it Item) bool {
	list := *s.book.list(it.Owner, it.ID)
	i, ok := find(list, it.ID)
	return !ok || list[i].file < 0 || s.book.files[list[i].file].refs == 1
}

// remove notes a file that was deleted. The bytes of one that shares a physical file stay until the last one goes.
func (s *Storage) remove(it Item) {
	list := s.book.list(it.Owner, it.ID)
	i, ok := find(*list, it.ID)
	if !ok {
		return // its task has deleted it already
	}
	o := (*list)[i]
	*list = slices.Delete(*list, i, i+1)
	s.stats.Logical--
	if o.file < 0 {
		s.stats.Files--
		s.stats.Bytes -= o.bytes
		return
	}
	p := &s.book.files[o.file]
	if p.refs--; p.refs > 0 {
		return
	}
	s.stats.Files--
	s.stats.Bytes -= p.bytes
	p.bytes = 0
	for i := range s.merging {
		if m := &s.merging[i]; m.file == o.file {
			if m.busy {
				return // another object is on its way into it
			}
			s.merging = slices.Delete(s.merging, i, i+1)
			break
		}
	}
	s.book.vacant = append(s.book.vacant, o.file)
}

// orphan marks a file that nobody will delete.
func (b *book) orphan(it Item) {
	list := *b.list(it.Owner, it.ID)
	if i, ok := find(list, it.ID); ok && !list[i].orphan {
		list[i].orphan = true
		b.orphaned += list[i].bytes
	}
}

func (b *book) copyFrom(src *book) {
	for len(b.owners) < len(src.owners) {
		b.owners = append(b.owners, nil)
	}
	for i := range src.owners {
		b.owners[i] = append(b.owners[i][:0], src.owners[i]...)
	}
	b.files = append(b.files[:0], src.files...)
	b.vacant = append(b.vacant[:0], src.vacant...)
	b.orphaned = src.orphaned
}

// IsLog reports whether a file is a segment of a changelog.
func IsLog(id uint64) bool { return id>>classShift == ofLog }

// IsChannelState reports whether a file holds channel state.
func IsChannelState(id uint64) bool { return id>>classShift == ofChannels }

// EachLike calls f with the files of one owner that are of the same class as id.
func (s *Storage) EachLike(owner int32, id uint64, f func(id uint64, bytes int64)) {
	for _, o := range *s.book.list(owner, id) {
		f(o.id, o.bytes)
	}
}
