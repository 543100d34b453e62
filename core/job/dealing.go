package job

import (
	"math/bits"
	"slices"

	"checkpointlab/core/event"
	"checkpointlab/core/sim"
)

// Dealing is how one producer subtask's emissions are dealt to the channels of one exchange: a fixed periodic sequence of slots
// with the right shares, so that how many of the emissions [a, b) go to channel c, and which emission is the k-th of channel c,
// are found without walking (truth/mechanisms 7: the shares matter, the order of keys does not).
//
// Emissions are counted from 0. A Dealing never changes once made: copies share its tables, snapshots need no copy.
type Dealing struct {
	period int64    // slots
	slots  []uint16 // channel of each slot
	places []uint16 // slots of channel 0, then of channel 1, …, each ascending
	begin  []int32  // places of channel c are places[begin[c]:begin[c+1]]
	blocks []block  // with few channels: blocks[b·channels + c] is channel c's part of the b-th 64 slots
	shift  int8     // period is 1<<shift; -1 if it is no power of two
	only   int32    // the channel that gets everything; -1 if several do
}

const (
	// MaxPeriod is the greatest number of slots.
	MaxPeriod = 1 << 16
	// fewChannels is the number of channels up to which each channel's slots are also kept as bits: a quarter of a byte per
	// slot and channel, which spares Count a search.
	fewChannels = 16
)

// block is which of 64 slots go to a channel, the first one in the lowest bit, and how many do before them.
type block struct {
	bits   uint64
	before uint16
}

const (
	blockBits = 6
	blockMask = 1<<blockBits - 1
)

// until is how many slots go to the channel before one of the block's.
func (b *block) until(slot int64) int64 {
	return int64(b.before) + int64(bits.OnesCount64(b.bits&(1<<(slot&blockMask)-1)))
}

// NewHashDealing deals by key: weights holds, by key group, the weight of what this producer sees (KeyWeights, Restrict).
// The period's slots are apportioned to the consumers by largest remainder, so that a share is off by less than
// 1/period, and then shuffled by the seed. period is in [1, MaxPeriod]; a power of two is fastest. A producer that sees nothing may yet
// have records that a rescaling gave it, such as requests under way (RoundRobinOperatorStateRepartitioner): they are of any key group.
func NewHashDealing(weights []int64, maxParallelism, consumers, period int, seed uint64) Dealing {
	if len(weights) != maxParallelism || consumers < 1 || consumers > maxParallelism || period < 1 || period > MaxPeriod {
		panic("job: hash dealing out of range")
	}
	shares := make([]int64, consumers)
	for group, w := range weights {
		shares[SubtaskOf(group, consumers, maxParallelism)] += w
	}
	if !slices.ContainsFunc(shares, func(share int64) bool { return share > 0 }) {
		for group := range weights {
			shares[SubtaskOf(group, consumers, maxParallelism)]++
		}
	}
	times := apportion(shares, int64(period))
	if only := slices.Index(times, int64(period)); only >= 0 {
		return NewSingleDealing(consumers, only)
	}
	return newDealing(shuffled(times, seed), consumers)
}

// NewShuffleDealing deals at random with equal shares (SHUFFLE): a period, at least the given one, holds each channel
// equally often, in an order drawn by the seed. So channels part over short times as independent draws do, and not over
// long ones.
func NewShuffleDealing(consumers, period int, seed uint64) Dealing {
	if consumers < 1 || consumers > MaxPeriod || period < 1 || period > MaxPeriod {
		panic("job: shuffle dealing out of range")
	}
	times := make([]int64, consumers)
	for c := range times {
		times[c] = int64(min(ceilDiv(period, consumers), MaxPeriod/consumers))
	}
	return newDealing(shuffled(times, seed), consumers)
}

// shuffled is each channel as often as times says, in an order drawn by the seed.
func shuffled(times []int64, seed uint64) []uint16 {
	all := int64(0)
	for _, n := range times {
		all += n
	}
	slots := make([]uint16, 0, all)
	for c, n := range times {
		for range n {
			slots = append(slots, uint16(c))
		}
	}
	if slots[0] == slots[len(slots)-1] {
		return slots // of one channel
	}
	rng := sim.NewStream(seed, "dealing")
	for i := len(slots) - 1; i > 0; i-- {
		j := rng.Int64n(int64(i) + 1)
		slots[i], slots[j] = slots[j], slots[i]
	}
	return slots
}

// NewRoundRobinDealing deals to one channel after the other, the first emission to channel start (REBALANCE, RESCALE).
func NewRoundRobinDealing(consumers, start int) Dealing {
	slots := make([]uint16, consumers)
	for i := range slots {
		slots[i] = uint16((start + i) % consumers)
	}
	return newDealing(slots, consumers)
}

// NewSingleDealing sends everything to channel ch (FORWARD, GLOBAL, or the only consumer).
func NewSingleDealing(channels, ch int) Dealing {
	return newDealing([]uint16{uint16(ch)}, channels)
}

// apportion divides n among the shares by largest remainder, ties to the lower index; all 0 if the shares are.
func apportion(shares []int64, n int64) []int64 {
	total := uint64(0)
	for _, s := range shares {
		total += uint64(s)
	}
	out := make([]int64, len(shares))
	if total == 0 {
		return out
	}
	rest := make([]uint64, len(shares))
	order := make([]int, len(shares))
	left := n
	for i, s := range shares {
		hi, lo := bits.Mul64(uint64(s), uint64(n))
		q, r := bits.Div64(hi, lo, total)
		out[i], rest[i], order[i] = int64(q), r, i
		left -= int64(q)
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case rest[a] > rest[b]:
			return -1
		case rest[a] < rest[b]:
			return 1
		}
		return 0
	})
	for _, i := range order[:left] {
		out[i]++
	}
	return out
}

// newDealing makes the tables for a period of slots.
func newDealing(slots []uint16, channels int) Dealing {
	d := Dealing{period: int64(len(slots)), slots: slots, begin: make([]int32, channels+1), shift: -1, only: -1}
	if n := uint(len(slots)); bits.OnesCount(n) == 1 {
		d.shift = int8(bits.TrailingZeros(n))
	}
	for _, c := range slots {
		d.begin[c+1]++
	}
	for c := range channels {
		if int(d.begin[c+1]) == len(slots) {
			d.only = int32(c)
		}
		d.begin[c+1] += d.begin[c]
	}
	next := slices.Clone(d.begin[:channels])
	d.places = make([]uint16, len(slots))
	for slot, c := range slots {
		d.places[next[c]] = uint16(slot)
		next[c]++
	}
	if channels <= fewChannels && d.only < 0 {
		d.blocks = blocksOf(slots, channels)
	}
	return d
}

func blocksOf(slots []uint16, channels int) []block {
	blocks := make([]block, ((len(slots)+blockMask)>>blockBits)*channels)
	var so [fewChannels]uint16
	for part := blocks; len(part) > 0; part = part[channels:] {
		for c := range channels {
			part[c].before = so[c]
		}
		n := min(len(slots), 1<<blockBits)
		for slot, c := range slots[:n] {
			part[c].bits |= 1 << slot
			so[c]++
		}
		slots = slots[n:]
	}
	return blocks
}

// Only is the channel that gets everything, -1 if there is none such.
func (d *Dealing) Only() int32 { return d.only }

// Channels is the number of channels.
func (d *Dealing) Channels() int { return len(d.begin) - 1 }

// Share is channel c's part of all emissions, num/den.
func (d *Dealing) Share(c int) (num, den int64) { return d.perPeriod(c), d.period }

// Channel is the channel of emission i.
func (d *Dealing) Channel(i int64) int {
	_, slot := d.split(i)
	return int(d.slots[slot])
}

// Count is how many of the emissions [from, to) go to channel c. 0 ≤ from ≤ to.
func (d *Dealing) Count(c int, from, to int64) int64 { return d.before(c, to) - d.before(c, from) }

// walked is the number of emissions per channel, with many channels, up to which walking is cheaper than a search for each
// channel.
const walked = 12

// Deal appends what each channel gets of the n > 0 emissions from on, in any order; indexes count from the first of them.
// scratch is 0 for every channel, and is so afterwards.
func (d *Dealing) Deal(from, n int64, out []event.Share, scratch []int32) []event.Share {
	switch {
	case d.only >= 0:
		return append(out, event.Share{Channel: d.only, Count: n, Last: n - 1})
	case d.blocks != nil:
		return d.dealFew(from, n, out)
	case n < walked*int64(d.Channels()):
		return d.walk(from, n, out, scratch)
	}
	cycle, slot := d.split(from)
	end, last := d.split(from + n)
	return d.dealMany(slot, last, end-cycle, cycle*d.period-from, out)
}

// dealFew is Deal by the channels' bits.
func (d *Dealing) dealFew(from, n int64, out []event.Share) []event.Share {
	cycle, slot := d.split(from)
	end, last := d.split(from + n)
	k := d.Channels()
	heads, tails := d.blocks[int(slot>>blockBits)*k:][:k], d.blocks[int(last>>blockBits)*k:][:k]
	first, back := cycle*d.period-from, end*d.period-from // where these periods begin
	begun, ended := uint64(1)<<(slot&blockMask)-1, uint64(1)<<(last&blockMask)-1
	begin, until := first+slot&^blockMask, back+last&^blockMask-1
	for c := range heads {
		head, tail := &heads[c], &tails[c]
		at, to := int64(head.before)+int64(bits.OnesCount64(head.bits&begun)), int64(tail.before)+int64(bits.OnesCount64(tail.bits&ended))
		count := to - at
		if end > cycle {
			count += (end - cycle) * d.perPeriod(c)
		}
		if count == 0 {
			continue
		}
		ahead, behind := head.bits&^begun, tail.bits&ended
		if ahead == 0 || behind == 0 {
			out = d.share(c, at, to, end-cycle, first, out)
			continue
		}
		out = append(out, event.Share{
			Channel: int32(c), Count: count, First: begin + int64(bits.TrailingZeros64(ahead)), Last: until + int64(bits.Len64(behind)),
		})
	}
	return out
}

// dealMany is Deal by a search for each channel.
//
//go:noinline
func (d *Dealing) dealMany(slot, last, cycles, first int64, out []event.Share) []event.Share {
	for c := range d.Channels() {
		out = d.share(c, d.search(c, slot), d.search(c, last), cycles, first, out)
	}
	return out
}

// share appends channel c's share: its slots from the at-th of one period, which begins at index first, up to the to-th of the
// one that is that many cycles later.
func (d *Dealing) share(c int, at, to, cycles, first int64, out []event.Share) []event.Share {
	places := d.places[d.begin[c]:d.begin[c+1]]
	per := int64(len(places))
	k := cycles*per + to - at
	if k == 0 {
		return out
	}
	back := first + cycles*d.period
	if at == per {
		at, first = 0, first+d.period
	}
	if to == 0 {
		to, back = per, back-d.period
	}
	return append(out, event.Share{Channel: int32(c), Count: k, First: first + int64(places[at]), Last: back + int64(places[to-1])})
}

// walk deals emissions one by one. at is 0 for every channel, before and after.
func (d *Dealing) walk(from, n int64, out []event.Share, at []int32) []event.Share {
	_, slot := d.split(from)
	begin := len(out)
	for i := range n {
		c := d.slots[slot]
		if k := at[c]; k > 0 {
			s := &out[k-1]
			s.Count, s.Last = s.Count+1, i
		} else {
			out = append(out, event.Share{Channel: int32(c), Count: 1, First: i, Last: i})
			at[c] = int32(len(out))
		}
		if slot++; slot == d.period {
			slot = 0
		}
	}
	for i := begin; i < len(out); i++ {
		at[out[i].Channel] = 0
	}
	return out
}

// Position is the index of the k-th (0-based) emission ≥ from that goes to channel c; event.Never if c gets none.
func (d *Dealing) Position(c int, from, k int64) int64 {
	per := d.perPeriod(c)
	switch {
	case int32(c) == d.only:
		return from + k
	case per == 0:
		return event.Never
	}
	cycle, slot := d.split(from)
	nth := d.within(c, slot) + k
	if nth >= per {
		more := nth / per
		cycle, nth = cycle+more, nth-more*per
	}
	return cycle*d.period + int64(d.places[int64(d.begin[c])+nth])
}

// perPeriod is the number of channel c's slots.
func (d *Dealing) perPeriod(c int) int64 { return int64(d.begin[c+1] - d.begin[c]) }

// split parts an emission's index into full periods and the slot.
func (d *Dealing) split(i int64) (cycle, slot int64) {
	if d.shift >= 0 {
		return i >> d.shift, i & (d.period - 1)
	}
	cycle = i / d.period
	return cycle, i - cycle*d.period
}

// before is how many of the emissions [0, i) go to channel c.
func (d *Dealing) before(c int, i int64) int64 {
	cycle, slot := d.split(i)
	return cycle*d.perPeriod(c) + d.within(c, slot)
}

// within is how many slots of a period before that one go to channel c.
func (d *Dealing) within(c int, slot int64) int64 {
	switch {
	case d.blocks != nil:
		return d.blocks[int(slot>>blockBits)*d.Channels()+c].until(slot)
	case d.only >= 0:
		if int32(c) == d.only {
			return slot
		}
		return 0
	}
	return d.search(c, slot)
}

func (d *Dealing) search(c int, slot int64) int64 {
	n, _ := slices.BinarySearch(d.places[d.begin[c]:d.begin[c+1]], uint16(slot))
	return int64(n)
}

// KeyWeights is the weight of each key group if keys 0 … keys-1 are equally frequent, except that hotShareMillionths of all
// records have key 0 in addition; the hash code of key k is k, as in the recorded runs (truth, "The job").
func KeyWeights(keys int, hotShareMillionths int64, maxParallelism int) []int64 {
	const million = 1_000_000
	if keys < 1 || hotShareMillionths < 0 || hotShareMillionths > million {
		panic("job: key weights out of range")
	}
	weights := make([]int64, maxParallelism)
	for key := range keys {
		weights[KeyGroup(int32(key), maxParallelism)]++
	}
	for g := range weights {
		weights[g] *= million - hotShareMillionths
	}
	weights[KeyGroup(0, maxParallelism)] += hotShareMillionths * int64(keys)
	return weights
}

// Restrict is the weights of what reaches one subtask of a HASH exchange with that many consumers.
func Restrict(weights []int64, maxParallelism, consumers, subtask int) []int64 {
	out := make([]int64, len(weights))
	start, end := KeyGroupRange(subtask, consumers, maxParallelism)
	copy(out[start:end+1], weights[start:end+1])
	return out
}
