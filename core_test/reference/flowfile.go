package reference

import (
	"checkpointlab/core/event"
	"checkpointlab/core/state/storage"
)

// flowFile is channel state of one checkpoint that several tasks of a task manager put into one file.
type flowFile struct {
	id    event.Checkpoint
	group int
}

// flowShare is what is there of it.
type flowShare struct {
	missing int   // tasks
	bytes   int64 // of the others
	owner   *task // the first of them
}

// group lists the tasks that put their channel state into one file with t: so many of a task manager in the order of their ids.
func (r *Run) group(t *task) (number int, tasks []*task) {
	var there []*task
	for _, o := range r.tasks {
		if r.manager(o) == r.manager(t) {
			there = append(there, o)
		}
	}
	size := max(1, r.setup.Options.ChannelFileSubtasks)
	for i, o := range there {
		if o == t {
			first := i / size * size
			return int(there[first].id), there[first:min(first+size, len(there))]
		}
	}
	return -1, nil
}

// share puts a task's channel state, which is complete, into the file of its group.
func (v *vault) share(t *task, id event.Checkpoint) {
	u, s := t.uploads[id], v.run.saves[id]
	if u == nil || !u.begun || !u.shares || u.shared || s == nil {
		return
	}
	u.shared = true
	number, tasks := v.run.group(t)
	key := flowFile{id, number}
	f := v.shares[key]
	if f == nil {
		f = &flowShare{owner: t}
		for _, o := range tasks {
			if o.alive {
				f.missing++
			}
		}
		v.shares[key] = f
	}
	f.missing--
	if f.bytes += u.bytes; f.missing > 0 {
		return
	}
	p := s.part(f.owner)
	if f.bytes <= v.inline {
		p.made = append(p.made, file{Item: storage.Item{ID: storage.ChannelFile(0), Bytes: f.bytes}, inline: true})
		v.shared(f.owner, id)
		return
	}
	f.owner.flowFiles++
	made := file{Item: storage.Item{Owner: f.owner.id, ID: storage.ChannelFile(f.owner.flowFiles), Bytes: f.bytes}}
	p.made = append(p.made, made)
	v.order(f.owner.writes(storage.ChannelState, id), 1, made)
}

// shared is the channel state of t's group being in the storage.
func (v *vault) shared(t *task, id event.Checkpoint) {
	number, tasks := v.run.group(t)
	delete(v.shares, flowFile{id, number})
	for _, o := range tasks {
		if u := o.uploads[id]; u != nil && u.shares {
			u.shares = false
			o.uploaded(id)
		}
	}
}

// leave is a task that gives a checkpoint up: the channel state of its group comes to nothing. id 0 = all of them.
func (v *vault) leave(t *task, id event.Checkpoint) {
	number, _ := v.run.group(t)
	for key := range v.shares {
		if key.group == number && (id == 0 || key.id == id) {
			delete(v.shares, key)
		}
	}
}
