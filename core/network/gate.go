package network

// Gate is the receiver's side of the credit accounting of one input gate (spec 4.3; Flink's BufferManager and
// RemoteInputChannel): each channel has exclusive buffers of its own, floating ones are shared.
//
// A buffer that a channel gains is one credit that its sender does not know yet. Methods append a Grant for each gain to
// the caller's slice; the caller announces, at once or later, what Announce hands out. The sum announced is the sum gained.
type Gate struct {
	channels []gateChannel
	line     []int32 // ring: channels that wait for floating buffers, longest waiting first
	head     int32
	waiting  int32
	floating int32 // floating buffers in all
	free     int32
	outside  int32 // floating buffers in other hands than a channel's
	least    int32 // that were free at once, since Reset
}

type gateChannel struct {
	initial     int32 // exclusive buffers in all = the credit that the sender starts with
	exclusive   int32 // free ones
	floating    int32 // free ones lent to the channel
	held        int32 // lent to the channel, free or filled
	required    int32
	unannounced int32
	waiting     bool
}

// Grant is credit that a channel of the gate has gained and its sender does not know.
type Grant struct {
	Channel int32
	Credits int32
}

// NewGate is a gate whose channels have the same number of exclusive buffers each, 2 by default, and share floating ones,
// 8 by default (spec 1.2).
func NewGate(channels, exclusive, floating int) Gate {
	each := make([]int, channels)
	for ch := range each {
		each[ch] = exclusive
	}
	return NewGateOf(each, floating)
}

// NewGateOf is a gate with the given numbers of exclusive buffers, 0 allowed.
func NewGateOf(exclusiveEach []int, floating int) Gate {
	g := NewBareGate(exclusiveEach, floating)
	g.Reset()
	return g
}

// NewBareGate is a gate before its channels are set up: their senders start with that credit each, but the exclusive
// buffers are not assigned (RemoteInputChannel before its setup). Reset assigns them.
func NewBareGate(creditEach []int, floating int) Gate {
	if floating < 0 {
		panic("network: a gate has no negative number of floating buffers")
	}
	g := Gate{
		channels: make([]gateChannel, len(creditEach)), line: make([]int32, len(creditEach)),
		floating: int32(floating), free: int32(floating), least: int32(floating),
	}
	for ch, n := range creditEach {
		if n < 0 {
			panic("network: a channel has no negative number of exclusive buffers")
		}
		g.channels[ch].initial = int32(n)
	}
	return g
}

// Reset makes all buffers free and forgets backlogs and credit: the channels are set up.
func (g *Gate) Reset() {
	for ch := range g.channels {
		n := g.channels[ch].initial
		g.channels[ch] = gateChannel{initial: n, exclusive: n}
	}
	g.head, g.waiting, g.free, g.outside, g.least = 0, 0, g.floating, 0, g.floating
}

// Take takes a buffer of the channel for an incoming message: a floating one first, else an exclusive one; ok is false if there
// is none, which cannot happen to a sender that keeps to its credit. Required falls by one in any case, so that the channel
// does not ask again for what has arrived (BufferManager.requestBuffer).
func (g *Gate) Take(ch int) (exclusive, ok bool) {
	c := &g.channels[ch]
	c.required--
	switch {
	case c.floating > 0:
		c.floating--
		return false, true
	case c.exclusive > 0:
		c.exclusive--
		return true, true
	}
	return false, false
}

// mustTake is Take for a buffer that has arrived.
func (g *Gate) mustTake(ch int) (exclusive bool) {
	exclusive, ok := g.Take(ch)
	if !ok {
		panic("network: a buffer came without credit")
	}
	return exclusive
}

// Backlog notes the backlog that a message of the channel's sender carries: required becomes backlog plus initial credit. The
// channel takes free floating buffers up to it and, if they do not suffice, waits for returned ones
// (RemoteInputChannel.onSenderBacklog). A smaller backlog gives nothing back, and a waiting channel goes on waiting.
func (g *Gate) Backlog(ch, backlog int, out []Grant) []Grant {
	c := &g.channels[ch]
	c.required = int32(backlog) + c.initial
	return g.gain(ch, g.request(ch), out)
}

// Recycle gives a consumed buffer of the channel back. An exclusive one is a new credit, unless the channel then has more
// than it requires and holds a free floating one: that goes back to the gate instead. A floating one goes to the longest
// waiting channel that still needs one. Channel -1 returns a floating buffer taken with TakeFloating.
func (g *Gate) Recycle(ch int, exclusive bool, out []Grant) []Grant {
	if !exclusive {
		g.giveUp(ch, 1)
		return g.release(out)
	}
	c := &g.channels[ch]
	if c.exclusive == c.initial {
		panic("network: an exclusive buffer was recycled that had not been taken")
	}
	c.exclusive++
	if c.floating > 0 && c.available() > c.required {
		c.floating--
		g.giveUp(ch, 1)
		return g.release(out)
	}
	return g.gain(ch, 1, out)
}

// silent reports whether Recycle would give nobody any credit.
func (g *Gate) silent(ch int, exclusive bool) bool {
	c := &g.channels[ch]
	return g.waiting == 0 && (!exclusive || c.floating > 0 && c.available()+1 > c.required)
}

// TakeFloating lends a floating buffer for use outside a channel; false if none is free.
func (g *Gate) TakeFloating() bool {
	if g.free == 0 {
		return false
	}
	g.free--
	g.least = min(g.least, g.free)
	g.outside++
	return true
}

// Announce takes the credit of the channel that its sender does not know yet.
func (g *Gate) Announce(ch int) int {
	n := g.channels[ch].unannounced
	g.channels[ch].unannounced = 0
	return int(n)
}

// UpstreamBlocked notes that a barrier has arrived behind which the sender stops. A channel without exclusive buffers returns
// its free floating ones, since it cannot use them and others might starve (RemoteInputChannel.onBlockingUpstream). The
// barrier's message carries backlog 0, which must be reported with Backlog like that of every message.
func (g *Gate) UpstreamBlocked(ch int, out []Grant) []Grant {
	c := &g.channels[ch]
	if c.initial > 0 {
		return out
	}
	n := c.floating
	c.required, c.floating = 0, 0
	g.giveUp(ch, n)
	for ; n > 0; n-- {
		out = g.release(out)
	}
	return out
}

// Resumed notes that the receiver lets the sender go on. Without exclusive buffers credit starts from 0 on both sides:
// unannounced credit is dropped here, and the sender drops what it has left (RemoteInputChannel.resumeConsumption,
// CreditBasedSequenceNumberingViewReader.resumeConsumption). It then announces its backlog to get new credit.
func (g *Gate) Resumed(ch int, out []Grant) []Grant {
	if c := &g.channels[ch]; c.initial == 0 {
		c.unannounced = 0
	}
	return out
}

// Available is the number of free buffers that the channel holds, exclusive and floating.
func (g *Gate) Available(ch int) int { return int(g.channels[ch].available()) }

// Required is backlog plus initial credit less what has been taken since; it can be negative.
func (g *Gate) Required(ch int) int { return int(g.channels[ch].required) }

// KnownBacklog is what the debloater adds to the channel's queued buffers: required beyond the initial credit (spec 5).
func (g *Gate) KnownBacklog(ch int) int {
	return int(max(0, g.channels[ch].required-g.channels[ch].initial))
}

// Unannounced is the channel's credit that its sender does not know yet.
func (g *Gate) Unannounced(ch int) int { return int(g.channels[ch].unannounced) }

// Waiting reports whether the channel waits for floating buffers.
func (g *Gate) Waiting(ch int) bool { return g.channels[ch].waiting }

// FloatingHeld is the number of floating buffers lent to the channel, free or filled.
func (g *Gate) FloatingHeld(ch int) int { return int(g.channels[ch].held) }

// FloatingFree is the number of floating buffers that are not lent.
func (g *Gate) FloatingFree() int { return int(g.free) }

// Held is the number of the task manager's segments that the gate has: the exclusive ones, and of the floating ones those that its pool
// has ever lent since Reset with one more that it keeps ready (SingleInputGate.setupChannels, BufferPool.Held). Rides of wide jobs do not
// keep account of it.
func (g *Gate) Held() int { return g.Exclusive() + int(min(g.floating, g.floating-g.least+1)) }

// Floating is the number of floating buffers.
func (g *Gate) Floating() int { return int(g.floating) }

// Exclusive is the number of exclusive buffers of all channels.
func (g *Gate) Exclusive() int {
	n := 0
	for ch := range g.channels {
		n += int(g.channels[ch].initial)
	}
	return n
}

// Channels is the number of channels.
func (g *Gate) Channels() int { return len(g.channels) }

// CopyFrom makes g a deep copy of src.
func (g *Gate) CopyFrom(src *Gate) {
	channels := append(g.channels[:0], src.channels...)
	line := append(g.line[:0], src.line...)
	*g = *src
	g.channels, g.line = channels, line
}

func (c *gateChannel) available() int32 { return c.exclusive + c.floating }

// gain books n new buffers of a channel as credit.
func (g *Gate) gain(ch int, n int32, out []Grant) []Grant {
	if n == 0 {
		return out
	}
	g.channels[ch].unannounced += n
	return append(out, Grant{Channel: int32(ch), Credits: n})
}

// request lends free floating buffers to a channel up to what it requires; one that is not satisfied joins the line
// (BufferManager.requestFloatingBuffers). It returns how many the channel has got.
func (g *Gate) request(ch int) int32 {
	c := &g.channels[ch]
	need := c.required - c.available()
	if need <= 0 || c.waiting {
		return 0
	}
	n := min(need, g.free)
	if g.free -= n; g.free < g.least {
		g.least = g.free
	}
	c.floating += n
	c.held += n
	if n < need {
		c.waiting = true
		g.line[(g.head+g.waiting)%int32(len(g.line))] = int32(ch)
		g.waiting++
	}
	return n
}

// release gives one floating buffer to the longest waiting channel that still needs it, else it becomes free
// (LocalBufferPool.recycle, BufferManager.notifyBufferAvailable). A channel that needs more lines up again at the end.
func (g *Gate) release(out []Grant) []Grant {
	g.free++
	for g.waiting > 0 {
		ch := int(g.line[g.head])
		g.head = (g.head + 1) % int32(len(g.line))
		g.waiting--
		g.channels[ch].waiting = false
		if n := g.request(ch); n > 0 {
			return g.gain(ch, n, out)
		}
	}
	return out
}

// giveUp takes n floating buffers off a channel's account, or off the others' for channel -1.
func (g *Gate) giveUp(ch int, n int32) {
	account := &g.outside
	if ch >= 0 {
		account = &g.channels[ch].held
	}
	if *account < n {
		panic("network: a floating buffer was recycled that had not been taken")
	}
	*account -= n
}
